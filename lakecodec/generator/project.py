"""Generated files of a project: writing them, and finding those that are stale, missing or orphaned."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .compile import load_checked, printed
from .diagnostics import Diagnostics
from .graph import in_order
from .magic import magic_of
from .manifest import Manifest
from .model import Module, Record
from .module_names import ModuleNames

#: The first words of every generated file. A file without them is never changed or reported.
MARK = "# Generated from "


@dataclass(frozen=True, slots=True)
class Change:
    """A generated file that differs from its IDL; ``diff`` is a unified diff from the file on disk to the wanted text."""

    path: Path
    state: Literal["stale", "missing", "orphaned"]
    diff: str = ""


def wanted_files(manifest: Manifest, diagnostics: Diagnostics) -> dict[Path, str]:
    """Returns a dict of path -> text of every file that the manifest's targets generate; writes nothing.

    Raises:
        IdlError: an IDL file has errors.
        FileNotFoundError: an IDL file does not exist.
    """
    files: dict[Path, str] = {}
    for target in manifest.targets:
        module = load_checked(
            target.idl,
            name=target.module,
            include_paths=manifest.include_paths,
            names=manifest.module_names(),
            allow_extern=manifest.allow_extern,
            diagnostics=diagnostics,
        )
        files.update(_files_of(module, target.options.get("runtime", manifest.runtime), manifest.output, diagnostics))
    if manifest.formats:
        files[manifest.output / "_file_formats.py"] = formats_text(manifest.formats, manifest.output)
    return files


def _files_of(module: Module, runtime: str, output: Path, diagnostics: Diagnostics) -> dict[Path, str]:
    files = printed(module, command="lakecodec generate", runtime=runtime, diagnostics=diagnostics)
    return {output / name: text for name, text in files.items()}


def explicit_manifest(
    idl: Sequence[Path], output: Path, include_paths: Sequence[Path] = (), allow_extern: Sequence[str] = ()
) -> Manifest:
    """Returns a manifest of files named on the command line; each becomes a module, and so does each file it includes.

    Raises:
        IdlError: a file has errors.
        FileNotFoundError: a file does not exist.
    """
    diagnostics = Diagnostics()
    names = ModuleNames()
    for path in idl:
        names.of(path.resolve())
    found: dict[str, Path] = {}
    for path in idl:
        model = load_checked(
            path, include_paths=include_paths, names=names, allow_extern=allow_extern, diagnostics=diagnostics
        )
        for module in in_order(model):
            found[module.name] = Path(module.file)
    return Manifest.of_files(found, output=output, include_paths=include_paths, allow_extern=allow_extern)


def changes(manifest: Manifest, wanted: dict[Path, str]) -> list[Change]:
    """Returns the changes that ``generate`` would make to the output folder, without making them.

    Orphaned are generated Python files of the folder that no target makes.
    """
    found = [_compare(path, text) for path, text in sorted(wanted.items())]
    orphans = [Change(path, "orphaned") for path in _generated_in(manifest.output) if path not in wanted]
    return [change for change in found if change is not None] + orphans


def apply(wanted: dict[Path, str], pending: Sequence[Change]) -> None:
    """Makes the changes; a file is replaced atomically, an orphaned one deleted."""
    for change in pending:
        if change.state == "orphaned":
            change.path.unlink()
            continue
        change.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = change.path.with_suffix(".tmp")
        temporary.write_text(wanted[change.path], encoding="utf-8")
        temporary.replace(change.path)


def _compare(path: Path, text: str) -> Change | None:
    if not path.exists():
        return Change(path, "missing")
    have = path.read_text(encoding="utf-8")
    if have == text:
        return None
    lines = difflib.unified_diff(
        have.splitlines(keepends=True), text.splitlines(keepends=True), str(path), f"{path} (wanted)", n=2
    )
    return Change(path, "stale", "".join(lines))


def _generated_in(folder: Path) -> list[Path]:
    def is_generated(path: Path) -> bool:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(len(MARK)) == MARK

    return [path for path in sorted(folder.glob("*.py")) if is_generated(path)] if folder.is_dir() else []


#: The record that a whole file is, in every IDL file of a file format.
ROOT = "File"

_HEAD = '''# Generated from the IDL files of the formats by `lakecodec generate`; do not edit.
"""Formats of files: name, title, IDL file, and magic bytes as (offset, alternatives), those with more of them first."""

# fmt: off
FORMATS: tuple[tuple[str, str, str, tuple[tuple[int, tuple[bytes, ...]], ...]], ...] = (
'''


def formats_text(folders: Iterable[Path], output: Path) -> str:
    """Returns the text of the module that lists the formats declared in some folders; paths are relative to ``output``.

    Raises:
        IdlError: an IDL file has errors.
    """
    found = [each for folder in folders for path in sorted(folder.glob("*.idl")) for each in _rows(path, output)]
    ordered = sorted(found, key=lambda each: -each[0])
    return f"{_HEAD}{''.join(row for _, row in ordered)})\n"


def _rows(path: Path, output: Path) -> Iterable[tuple[int, str]]:
    """Yields the number of magic bytes and the row of a format, if the file declares one."""
    module = load_checked(path, allow_extern=None)
    root = module.find(ROOT)
    if isinstance(root, Record):
        title = " ".join(module.doc.split("\n\n")[0].split()).removesuffix(".")
        place = Path(os.path.relpath(path, output)).as_posix()
        magic = magic_of(root)
        row = path.stem, title, place, tuple((each.offset, each.values) for each in magic)
        yield sum(each.length for each in magic), f"    {row!r},\n"
