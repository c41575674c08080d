"""The declared formats, and which of them a file has: by the magic bytes that their IDL files declare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .generator.compile import load_checked
from .generator.magic import Magic, magic_of
from .generator.model import Record
from .runtime.ranges import RangeReader, open_ranges

#: The record that a whole file is, in every IDL file of a file format.
ROOT = "File"
_IDL = Path(__file__).parent / "idl"


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Attributes:
        name: the stem of the IDL file.
        title: what the IDL file says first.
        idl: the IDL file.
        root: the record that a whole file is.
        magic: bytes that every file has; empty for formats without.
    """

    name: str
    title: str
    idl: Path
    root: str
    magic: tuple[Magic, ...]

    def matches(self, ranges: RangeReader) -> bool:
        """Returns whether a file has the magic bytes; False for formats without any."""
        return bool(self.magic) and all(_has(ranges, magic) for magic in self.magic)


def _has(ranges: RangeReader, magic: Magic) -> bool:
    start = magic.offset if magic.offset >= 0 else ranges.size + magic.offset
    if start < 0 or start + magic.length > ranges.size:
        return False
    return bytes(ranges.read(start, magic.length)) in magic.values


@cache
def formats() -> tuple[Format, ...]:
    """Returns the formats of files that come with the package, those with more magic bytes first; see idl/gallery/README.md."""
    found = [each for path in sorted([*_IDL.glob("*.idl"), *_IDL.glob("gallery/*.idl")]) for each in _declared(path)]
    return tuple(sorted(found, key=lambda each: -sum(magic.length for magic in each.magic)))


def _declared(path: Path) -> Iterator[Format]:
    module = load_checked(path)
    root = module.find(ROOT)
    if isinstance(root, Record):
        title = " ".join(module.doc.split("\n\n")[0].split()).removesuffix(".")
        yield Format(path.stem, title, path, ROOT, magic_of(root))


def recognise(source: Any) -> Format | None:
    """Returns the format of a file, by its magic bytes; None where it has none of those in `formats`.

    Args:
        source: a path or URL, bytes, or a file object, as for `lakecodec.parquet.read_metadata`.

    Raises:
        OSError: the file cannot be opened.
        TypeError: ``source`` is none of these.
    """
    with open_ranges(source) as ranges:
        return next((each for each in formats() if each.matches(ranges)), None)
