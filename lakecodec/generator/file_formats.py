"""The table of file formats of a project, as a generated module: a file is recognised without compiling any IDL."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .compile import load_checked
from .magic import magic_of
from .model import Record

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
