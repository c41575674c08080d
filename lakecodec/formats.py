"""The declared formats, and which of them a file has: by the magic bytes that their IDL files declare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .generated import _file_formats
from .runtime.ranges import RangeReader, open_ranges

#: The record that a whole file is, in every IDL file of a file format.
ROOT = "File"
_FOLDER = Path(_file_formats.__file__).parent


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Attributes:
        name: the stem of the IDL file.
        title: what the IDL file says first.
        idl: the IDL file.
        magic: (offset, alternatives) of the bytes that every file has; empty for formats without. Negative offsets count
            from the end.
    """

    name: str
    title: str
    idl: Path
    magic: tuple[tuple[int, tuple[bytes, ...]], ...]

    def matches(self, ranges: RangeReader) -> bool:
        """Returns whether a file has the magic bytes; False for formats without any."""
        return bool(self.magic) and all(_has(ranges, *each) for each in self.magic)


def _has(ranges: RangeReader, offset: int, values: tuple[bytes, ...]) -> bool:
    start, length = offset if offset >= 0 else ranges.size + offset, len(values[0])
    if start < 0 or start + length > ranges.size:
        return False
    return bytes(ranges.read(start, length)) in values


def formats() -> tuple[Format, ...]:
    """Returns the formats of files that come with the package, those with more magic bytes first; see idl/gallery/README.md."""
    return _formats()


@cache
def _formats() -> tuple[Format, ...]:
    return tuple(
        Format(name, title, (_FOLDER / idl).resolve(), magic) for name, title, idl, magic in _file_formats.FORMATS
    )


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
