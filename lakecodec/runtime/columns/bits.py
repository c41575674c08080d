"""Bit-packed unsigned numbers: null bitmaps, flags and dictionary codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..errors import DecodeError, EncodeError
from ..limits import MAX_ZEROS
from ..plain import integer, mapping
from . import pure_bits
from .buffers import Buffer, flat

#: The largest width of a number in bits.
MAX_WIDTH = 32
#: The largest count of numbers: those of width 0 take no bytes, so the size of the input does not limit them.
MAX_COUNT = 2**60


class Bits:
    """Bit-packed unsigned numbers in a buffer: ``width`` bits each, from the lowest bit of the first byte on.

    Attributes:
        data: the buffer, which is borrowed.
        start: the byte in which the first number begins, at its lowest bit.
        count: how many numbers there are.
        width: bits of a number, 0 to 32; numbers of no bits are 0.
        call: for numbers of no bits, a weak reference to the reading call's span, which counts looks at them; else
            None.
    """

    __slots__ = ("call", "count", "data", "start", "width")

    def __init__(self, data: Buffer, start: int, count: int, width: int) -> None:
        """Borrows ``data``; nothing is copied.

        Raises:
            DecodeError: the numbers do not fit the buffer.
            ValueError: ``width`` is not from 0 to 32.
        """
        if not 0 <= width <= MAX_WIDTH:
            raise ValueError(f"width: 0 to {MAX_WIDTH} bits, not {width}")
        self.data = flat(data)
        self.start = start
        self.count = count
        self.width = width
        self.call: Any = None
        if not 0 <= count <= MAX_COUNT or not 0 <= start <= len(self.data) - self.nbytes:
            raise DecodeError(f"{count} numbers of {width} bits do not fit the bytes left", offset=start)

    @classmethod
    def pack(cls, values: Sequence[int] | NDArray[Any], width: int) -> Bits:
        """Returns ``values`` as packed numbers in a buffer of their own.

        Args:
            values: integers or booleans, as a sequence or a one-dimensional array.
            width: bits of a number, 0 to 32.

        Raises:
            EncodeError: a value is not an integer, is negative or needs more bits.
            ValueError: ``width`` is not from 0 to 32.
        """
        if not 0 <= width <= MAX_WIDTH:
            raise ValueError(f"width: 0 to {MAX_WIDTH} bits, not {width}")
        try:
            numbers = np.asarray(values) if len(values) else np.zeros(0, np.uint32)
        except ValueError:
            raise EncodeError(f"whole numbers of {width} bits are needed, not lists of them") from None
        if numbers.dtype == np.bool_:
            numbers = numbers.view(np.uint8)
        if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
            raise EncodeError(f"whole numbers of {width} bits are needed")
        if len(numbers) and (numbers.min() < 0 or int(numbers.max()) >> width):
            raise EncodeError(f"a number does not fit {width} bits")
        return cls(pure_bits.pack(np.ascontiguousarray(numbers, np.uint32), width), 0, len(numbers), width)

    @property
    def nbytes(self) -> int:
        """The size of the packed numbers in whole bytes."""
        return (self.count * self.width + 7) >> 3

    def sum(self) -> int:
        """Returns the sum of the numbers; for a bitmap, the number of set bits."""
        return pure_bits.total(self.data, self.start, self.count, self.width)

    def max(self) -> int:
        """Returns the largest number, 0 without numbers."""
        return pure_bits.largest(self.data, self.start, self.count, self.width)

    def to_numpy(self) -> NDArray[Any]:
        """Returns the numbers as a new array of shape (count,), in the smallest of uint8, uint16 and uint32 that holds them."""
        return pure_bits.unpack(self.data, self.start, self.count, self.width)

    def to_bytes(self) -> bytes:
        """Returns a copy of the packed numbers, ``nbytes`` long; unused bits of the last byte are 0."""
        packed = self.stored()
        used = self.count * self.width & 7
        if used and packed[-1] >> used:
            return packed[:-1] + bytes((packed[-1] & (1 << used) - 1,))
        return packed

    def stored(self) -> bytes:
        """Returns a copy of the numbers' bytes, with the unused bits of the last byte as stored."""
        return bytes(self.data[self.start : self.start + self.nbytes])

    def _plain(self, json: bool) -> dict[str, Any]:
        return {"width": self.width, "values": list(self)}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Bits | list[int]:
        if isinstance(data, list | tuple):
            return [integer(each) for each in data]  # which writers pack
        given = mapping(data, ("width", "values"))
        try:
            return cls.pack(given["values"], given["width"])
        except EncodeError:
            raise
        except (TypeError, KeyError, ValueError):
            raise EncodeError("numbers as width and values are needed") from None

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            places = range(*index.indices(self.count))
            self.look(len(places))
            return [self[place] for place in places]
        place = index + self.count if index < 0 else index
        if not 0 <= place < self.count:
            raise IndexError(f"index {index} is outside the {self.count} numbers")
        first, shift = divmod(place * self.width, 8)
        at = self.start + first
        window = int.from_bytes(self.data[at : at + (shift + self.width + 7 >> 3)], "little")
        return window >> shift & (1 << self.width) - 1

    def __iter__(self) -> Iterator[int]:
        self.look(self.count)
        return iter(self.to_numpy().tolist())

    def look(self, count: int) -> None:
        """Counts a look at ``count`` numbers one by one if they take no bits; others are bounded by their bytes.

        Raises:
            DecodeError: the numbers take no bits, and the reading call looked at more of them than its limit allows;
                after that call, more than MAX_ZEROS beyond the number of bytes.
        """
        if self.width:
            return
        # Numbers made by the native backend have no `call`.
        call = getattr(self, "call", None)
        span = call and call()
        left = len(self.data) - self.start
        if span is not None:
            span.took_nothing(self.start, count)
        elif count > left + MAX_ZEROS:
            raise DecodeError(f"{count} elements do not fit the {left} bytes left", offset=self.start)

    def __reduce__(self) -> tuple[Any, ...]:
        # Numbers of no width are as many as the bytes around them allow.
        data, start = (self.stored(), 0) if self.width else (bytes(self.data), self.start)
        return Bits, (data, start, self.count, self.width)

    def __eq__(self, other: object) -> bool:
        """Returns whether the other has equal numbers of the same width."""
        if not isinstance(other, Bits):
            return NotImplemented
        return (self.count, self.width) == (other.count, other.width) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Bits({self.count} of {self.width} bits)"
