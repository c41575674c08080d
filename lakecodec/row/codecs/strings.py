"""Self-delimiting byte strings: in blocks, with an end byte, or with their length in front."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from ...runtime.externs import extern_codec
from ..order.cells import MARK, PADDING, RANGE, SHORTEST, TRAILER, TRUNCATED
from .base import Broken, Data, Framed, byte

if TYPE_CHECKING:
    from ..literal import Column

#: The trailer of a block that another one follows.
MORE = 0xFF


@extern_codec
class Blocks(Framed):
    """An ``empty`` byte, or a ``filled`` byte and blocks of bytes, padded with zeros.

    Behind each block stands a trailer: FF where another block follows, else the number of bytes used. Blocks have the
    ``sizes``; the last one repeats.
    """

    def __init__(self, column: Column, sizes: Sequence[int], empty: int, filled: int) -> None:
        super().__init__(column)
        self.sizes = tuple(sizes)
        self.empty, self.filled = byte(empty, "empty"), byte(filled, "filled")
        if not sizes or not all(0 < size < MORE for size in sizes):
            raise ValueError(f"sizes: blocks of 1 to {MORE - 1} bytes are needed, not {list(sizes)}")
        if empty == filled:
            raise ValueError(f"empty, filled: two bytes are needed, not {empty} twice")

    def encode(self, value: bytes) -> bytes:
        if not value:
            return bytes([self.empty])
        out, place, number = bytearray([self.filled]), 0, 0
        while place < len(value):
            size = self._size(number)
            part = value[place : place + size]
            place += size
            out += part.ljust(size, b"\0")
            out.append(MORE if place < len(value) else len(part))
            number += 1
        return bytes(out)

    def decode(self, data: Data) -> tuple[bytes, int]:
        if not len(data):
            raise Broken(0, TRUNCATED)
        if data[0] not in (self.empty, self.filled):
            raise Broken(0, MARK)
        out, place, number = bytearray(), 1, 0
        while data[0] == self.filled:
            size = self._size(number)
            if len(data) < place + size + 1:
                raise Broken(place, TRUNCATED)
            trailer = data[place + size]
            used = size if trailer == MORE else trailer
            if not 1 <= used <= size:
                raise Broken(place + size, TRAILER)
            if any(data[place + used : place + size]):
                raise Broken(place, PADDING)
            out += data[place : place + used]
            place, number = place + size + 1, number + 1
            if trailer != MORE:
                break
        return bytes(out), place

    def _size(self, number: int) -> int:
        return self.sizes[min(number, len(self.sizes) - 1)]

    @property
    def first_bytes(self) -> Set[int]:
        return {self.empty, self.filled}


@extern_codec
class Terminated(Framed):
    """``add`` added to every byte, then an ``end`` byte, which no byte of a value may become."""

    def __init__(self, column: Column, add: int, end: int) -> None:
        super().__init__(column)
        self.add, self.end = byte(add, "add"), byte(end, "end")

    def encode(self, value: bytes) -> bytes:
        return bytes(each + self.add & 0xFF for each in value) + bytes([self.end])

    def decode(self, data: Data) -> tuple[bytes, int]:
        end = bytes(data).find(self.end)
        if end < 0:
            raise Broken(0, TRUNCATED)
        value = bytes(data[:end])
        if any(each < self.add for each in value):
            raise Broken(0, RANGE)
        return bytes(each - self.add for each in value), end + 1


@extern_codec
class Counted(Framed):
    """A length byte, or a ``long`` byte and a little-endian u32 for lengths from ``long`` on, then the bytes."""

    def __init__(self, column: Column, long: int) -> None:
        super().__init__(column)
        self.long = byte(long, "long")

    def encode(self, value: bytes) -> bytes:
        size = len(value)
        before = bytes([size]) if size < self.long else bytes([self.long]) + size.to_bytes(4, "little")
        return before + value

    def decode(self, data: Data) -> tuple[bytes, int]:
        if not len(data):
            raise Broken(0, TRUNCATED)
        size, start = data[0], 1
        if size > self.long:
            raise Broken(0, SHORTEST)
        if size == self.long:
            size, start = int.from_bytes(data[1:5], "little"), 5
            if len(data) < 5:
                raise Broken(0, TRUNCATED)
            if size < self.long:
                raise Broken(0, SHORTEST)
        if len(data) - start < size:
            raise Broken(0, TRUNCATED)
        return bytes(data[start : start + size]), start + size

    @property
    def first_bytes(self) -> Set[int]:
        return frozenset(range(self.long + 1))
