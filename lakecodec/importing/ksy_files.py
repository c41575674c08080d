"""The .ksy files of an import: those of the caller, and all that they import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from lakecodec.generator.comments import decoded
from lakecodec.generator.diagnostics import Diagnostics, Location
from lakecodec.generator.module_names import ModuleNames

from .imported import Note
from .ksy_model import KsyType, Reader
from .ksy_yaml import Mapping, YamlError, load_yaml


@dataclass(eq=False, slots=True)
class KsyFile:
    """A .ksy file with the files that it imports, by their names.

    Attributes:
        idl: the name of its IDL: one for all files that import each other.
    """

    file: str
    idl: str
    root: KsyType
    meta: Mapping
    imports: dict[str, KsyFile] = field(default_factory=dict)

    def all_imports(self) -> set[KsyFile]:
        """Returns the files that it imports, and those that they import."""
        found: set[KsyFile] = set()
        pending = [*self.imports.values()]
        while pending:
            each = pending.pop()
            if each not in found:
                found.add(each)
                pending += each.imports.values()
        return found


class KsyFiles:
    """The files of one import, each read once. ``found`` has them in order, imported ones first."""

    def __init__(self, roots: Iterable[Path], diagnostics: Diagnostics) -> None:
        """``roots``: folders in which absolute imports are searched, in this order."""
        self.found: list[KsyFile] = []
        self.notes: list[Note] = []
        self._roots = list(dict.fromkeys(roots))
        self._diagnostics = diagnostics
        self._by_key: dict[str, KsyFile | None] = {}
        self._stems = ModuleNames()

    def add(self, path: Path, name: str) -> KsyFile | None:
        """Returns the file at a path, None if it has errors. Its name is ``name``, unless it was read under another name."""
        key = str(path.resolve())
        if key not in self._by_key:
            self._read(key, path.read_bytes(), str(path), name, path.parent)
        return self._by_key[key]

    def add_text(self, text: str) -> KsyFile | None:
        self._read("", text.encode(errors="surrogatepass"), "<text>", "text.ksy", None)
        return self._by_key[""]

    def join(self) -> None:
        """Gives files that import each other the IDL of the one that was found first, which is the last of them."""
        reached = {each: each.all_imports() for each in self.found}
        for each in reversed(self.found):
            for other in reached[each]:
                if each in reached[other]:
                    other.idl = each.idl

    def _read(self, key: str, data: bytes, shown: str, name: str, folder: Path | None) -> None:
        self._by_key[key] = None
        text, wrong = decoded(data)
        self._diagnostics.add_source(shown, text)
        if wrong is not None:
            self._diagnostics.error(
                "a .ksy file must be UTF-8 text", Location(shown, text.count("\n", 0, wrong) + 1, 1)
            )
            return
        try:
            found: Any = load_yaml(text)
        except YamlError as error:
            self._diagnostics.error(str(error), Location(shown, error.line, 1))
            return
        reader = Reader(shown, self._diagnostics)
        root = reader.root(found)
        self.notes += [Note(shown, line, message, "key") for line, message in reader.ignored]
        if root is None:
            return
        where = PurePosixPath(name).parent
        stem = self._stems.of(Path("/", where, PurePosixPath(name).stem))
        made = KsyFile(shown, (where / f"{stem}.idl").as_posix(), root, reader.meta)
        for each in root.all():
            each.file = made
        self._by_key[key] = made
        imports = reader.meta.get("imports")
        for each in imports if isinstance(imports, list) else []:
            self._import(str(each), made, folder, where, reader.meta.line_of("imports"))
        self.found.append(made)

    def _import(self, path: str, importing: KsyFile, folder: Path | None, where: PurePosixPath, line: int) -> None:
        parts = PurePosixPath(f"{path.lstrip('/')}.ksy")
        candidates = [] if path.startswith("/") or folder is None else [(folder / parts, where / parts)]
        candidates += [(root / parts, parts) for root in self._roots if ".." not in parts.parts]
        for found, name in candidates:
            if found.is_file():
                made = self.add(found, _plain(name))
                if made is None:
                    self.notes.append(Note(importing.file, line, f"'{path}' has errors", "import"))
                else:
                    importing.imports[PurePosixPath(path).name] = made
                return
        text = f"'{path}' is not found beside the file, nor in the folders of the imported files or above them"
        self.notes.append(Note(importing.file, line, text, "import"))


def _plain(path: PurePosixPath) -> str:
    """Returns a path without `..`, as far as possible."""
    found: list[str] = []
    for part in path.parts:
        if part == ".." and found:
            found.pop()
        elif part not in (".", "..", "/"):
            found.append(part)
    return "/".join(found)
