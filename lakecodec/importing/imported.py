"""The result of an import: IDL texts, and notes of what the IDL cannot express."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lakecodec.runtime.compiled import Bundle, CompiledModule


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a construct that the IDL cannot express, or expresses differently, at a line of the imported file.

    Attributes:
        kind: `import` (a file or type that was not found); of .proto files `extension`, `service`, `default` or
            `renamed`; of .ksy files `field`, `instance`, `valid`, `enum`, `extern` or `key`.
    """

    file: str
    line: int
    message: str
    kind: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message} ({self.kind})"


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported file: its IDL, and that of the files it imports.

    Attributes:
        file: the name of its IDL in ``files``.
        files: name -> text of each IDL. Names are relative to one folder, with slashes; included files come first.
        notes: the constructs that the IDL cannot express, of all files.
        root: the name of the first message that no other one of the file refers to, None for a file without messages; of
            a .ksy file, its type.
        writable: per type of the file, the reason why it cannot write all its values by itself; None if it can.
    """

    file: str
    files: Mapping[str, str]
    notes: tuple[Note, ...]
    root: str | None
    writable: Mapping[str, str | None]
    includes: Mapping[str, tuple[str, ...]]

    @property
    def idl(self) -> str:
        """The text of the file's IDL."""
        return self.files[self.file]

    def module(self, *, allow_extern: Iterable[str] = ()) -> CompiledModule:
        """Returns the module of the file, compiled in memory with the files it includes.

        Args:
            allow_extern: Python modules whose externs the IDL may name, besides those of lakecodec: their code runs.

        Raises:
            IdlError: the IDL has errors, since the imported file breaks a rule of its own language.
        """
        from lakecodec.generator.in_memory import compile_bundle

        return compile_bundle(self.bundle(), allow_extern=allow_extern)

    def bundle(self) -> Bundle:
        """Returns the texts of the file and of those that it includes, as they are compiled."""
        needed: list[str] = []

        def add(name: str) -> None:
            if name not in needed:
                for each in self.includes[name]:
                    add(each)
                needed.append(name)

        add(self.file)
        numbers = {name: number for number, name in enumerate(needed)}
        return tuple(
            (
                PurePosixPath(name).stem,
                PurePosixPath(name).name,
                self.files[name],
                tuple((include_path(name, each), numbers[each]) for each in self.includes[name]),
            )
            for name in needed
        )


def include_path(file: str, included: str) -> str:
    """Returns the path of another IDL in an `include` of an IDL."""
    return posixpath.relpath(included, posixpath.dirname(file) or ".")
