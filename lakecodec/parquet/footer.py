"""Framing of a Parquet file: where the footer is, and the bytes around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..generated.parquet import FileMetaData
from ..generated.parquet_file import MAGIC, File, Tail
from ..runtime.errors import DecodeError
from ..runtime.ranges import RangeReader, TailCache
from .errors import broken, relocated

#: Offset of the first byte that can belong to a page.
DATA_START = len(MAGIC)
SMALLEST_FILE = sum(File.place(name, 0)[1] for name in ("head", "tail"))


@dataclass(frozen=True, slots=True)
class Footer:
    """The encoded FileMetaData of a file.

    Attributes:
        metadata: its bytes; in files with a signed plaintext footer the signature follows the struct.
        start: offset of its first byte, which is where the data of the file ends.
        tail: what was read of the file, for more reads.
    """

    metadata: Any
    start: int
    tail: TailCache


def read_footer(ranges: RangeReader, room: memoryview | None = None) -> Footer:
    """Finds the footer with one read of the file's end, and a second one if the footer is longer than that.

    What the first read brings is held in ``room``, of TAIL_SIZE bytes, if that is given and the source can read into it.

    Raises:
        DecodeError: the file is not a Parquet file, or its footer is encrypted.
    """
    return find_footer(TailCache(ranges, room=room))


def find_footer(tail: TailCache) -> Footer:
    """The same, where the file's end has been read.

    The magic at the file's start is checked where it was read anyway, i.e. in files that fit the first read.
    """
    name = tail.name
    if tail.size < SMALLEST_FILE:
        raise broken(f"not a Parquet file: {tail.size} bytes are less than the {SMALLEST_FILE} of the frame", file=name)
    file = File.open(tail)
    try:
        start, length = file.span("meta")
        if tail.start == 0:
            _ = file.head
    except DecodeError as error:
        raise relocated(error, file=name) from None
    tail.extend(start)
    return Footer(tail.read(start, length), start, tail)


def frame(metadata: FileMetaData) -> bytes:
    """The footer as it ends a file: encoded FileMetaData, its length and the magic.

    Raises:
        EncodeError: a field holds a value that its type cannot, or the length is over 2^32-1.
    """
    if not isinstance(metadata, FileMetaData):
        raise TypeError(f"metadata: a FileMetaData is needed, not {type(metadata).__name__}")
    return FileMetaData.__codec__.encode(metadata, "strict", _tail)


def _tail(size: int) -> bytes:
    return Tail(meta_size=size, magic=MAGIC.encode()).to_bytes(SMALLEST_FILE + size)
