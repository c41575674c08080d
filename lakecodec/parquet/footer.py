"""Framing of a Parquet file: magic, FileMetaData, footer length and magic."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..generated.parquet import FileMetaData
from ..generated.parquet_file import MAGIC, File, Tail
from ..runtime.errors import DecodeError
from ..runtime.magic import other_format
from ..runtime.ranges import MemoryReader, RangeReader
from ..runtime.records.read import UNREADABLE
from ..runtime.records.reader import Reader
from ..runtime.tail_cache import TailCache
from .errors import broken, relocated

#: The end of a source, or the whole source.
Held = TailCache | MemoryReader
#: The offset of the first byte that can belong to a page.
DATA_START = len(MAGIC)
_MAGIC = MAGIC.encode()
#: The positions of the head and the tail, from the file's start and from its end, and their sizes.
_HEAD, _TAIL = File.place("head", 0), File.place("tail", 0)
SMALLEST_FILE = _HEAD[1] + _TAIL[1]


class Footer(NamedTuple):
    """The encoded FileMetaData of a file.

    Attributes:
        metadata: its bytes; in files with a signed plaintext footer (Encryption.md) the signature follows the struct.
        start: offset of its first byte, where the data of the file ends.
        tail: the file tail that was read; serves further reads.
    """

    metadata: Any
    start: int
    tail: Held


def read_footer(ranges: RangeReader, room: memoryview | None = None) -> Footer:
    """Returns the footer of a file, from one read of TAIL_SIZE bytes at its end and a second one if the footer is longer.

    Args:
        ranges: reader of the file.
        room: buffer of TAIL_SIZE bytes for the first read, used if the source can read into it.

    Raises:
        DecodeError: the file is not a Parquet file, or its footer is encrypted (magic "PARE", Encryption.md).
    """
    return find_footer(ranges if isinstance(ranges, MemoryReader) else TailCache(ranges, room=room))


def find_footer(tail: Held) -> Footer:
    """Returns the footer of a file whose tail has been read; reads more of the file if the footer is longer than the tail.

    The leading magic is checked only if the tail includes it, that is in files that fit the first read.

    Raises:
        DecodeError: the file is not a Parquet file, or its footer is encrypted (magic "PARE", Encryption.md).
    """
    name = tail.name
    if tail.size < SMALLEST_FILE:
        raise broken(f"not a Parquet file: {tail.size} bytes are less than the {SMALLEST_FILE} of the frame", file=name)
    size = tail.size
    try:
        held = tail.read(tail.start, size - tail.start)
        end = Tail._decode(Reader(held, len(held) + _TAIL[0]), size)
        start, length = File.place("meta", size, tail=end)
    except UNREADABLE:
        # The whole file's reader reads the error again, since it knows offsets.
        raise _refusal(tail) from None
    if tail.start == 0 and held[:DATA_START] != _MAGIC:
        raise _refusal(tail)
    tail.extend(start)
    return Footer(tail.read(start, length), start, tail)


def _refusal(tail: Held) -> DecodeError:
    """Returns the error of a file whose frame breaks a rule, with the part's path and offset in the file."""
    file = File.open(tail)
    try:
        file.span("meta")
        _ = file.head
    except DecodeError as error:
        if (other := other_format(tail, "Parquet")) not in (None, "encrypted Parquet"):
            return broken(f"not a Parquet file but a {other} one", file=tail.name, offset=error.offset)
        return relocated(error, file=tail.name)
    raise AssertionError("a rule of the frame is broken")


def frame(metadata: FileMetaData) -> bytes:
    """Returns the end of a file: the encoded FileMetaData, its length as a little-endian uint32, and the magic "PAR1".

    Raises:
        EncodeError: a field holds a value that its type cannot hold, or the length is over 2^32-1.
        TypeError: ``metadata`` is not a FileMetaData.
    """
    if not isinstance(metadata, FileMetaData):
        raise TypeError(f"metadata: a FileMetaData is needed, not {type(metadata).__name__}")
    return FileMetaData.__codec__.encode(metadata, "strict", frame_end)


def frame_end(size: int) -> bytes:
    """Returns the last 8 bytes of a file whose FileMetaData has ``size`` bytes."""
    return Tail(meta_size=size, magic=_MAGIC).to_bytes(SMALLEST_FILE + size)
