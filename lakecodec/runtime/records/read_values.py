"""Reading of bytes, texts, lists of values, and the places of elements."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..errors import DecodeError
from .fixed_runs import Layout
from .nans import FLOATS, has_nan, unpacked
from .read import as_text, bounded, decoded, not_text, refused, short, until
from .read_numbers import NumberReader
from .trail import Place

if TYPE_CHECKING:
    from ..columns import Bits, Values

#: The built-in `bytes` under another name, since a method is called `bytes`.
_Bytes = bytes
#: Sizes of numbers in bytes, by their format in the struct module.
_WIDTHS = {code: struct.calcsize(f"<{code}") for code in "bBhHiIqQefd"}

#: What is wrong with unused bits of numbers that writers compute, which are not kept.
_UNUSED = "unused bits of the last byte are set: only records with `: normalizes` may read them"


class ValueReader(NumberReader):
    """Methods that read bytes, texts and lists of values; ``field`` is what `Reader` says.

    Attributes:
        end: the position behind the last byte.
        given: the last input of codecs: positions in the buffer, or a value.
    """

    __slots__ = ("end", "given")
    end: int
    given: Any

    # ---- bytes and texts ----

    def run(self, layout: Layout) -> tuple[Any, ...]:
        """Returns fields of fixed width that follow each other, read in one step."""
        self.field = layout
        self.start = start = self.pos
        self.pos = start + layout.size
        values = layout.unpack_from(self.buf, start)
        for at in layout.floats:
            if values[at] != values[at]:
                return layout.read_nans(values, self.buf, start)
        return values

    def bytes(self, field: Any, size: int) -> Any:
        """Returns a copy of ``size`` bytes."""
        self.field, start = field, self.pos
        self.start, stop = start, start + size
        if size < 0 or stop > self.end:
            raise short(self.buf, start, size)
        self.pos = stop
        return bytes(self.buf[start:stop])

    def text(self, field: Any, size: int) -> str:
        """Returns the text in ``size`` bytes of UTF-8."""
        self.field, start = field, self.pos
        self.start, stop = start, start + size
        if size < 0 or stop > self.end:
            raise short(self.buf, start, size)
        self.pos = stop
        try:
            return str(self.buf[start:stop], "utf-8")
        except UnicodeDecodeError:
            raise not_text(start) from None

    def bytes_until(self, field: Any, terminator: _Bytes) -> Any:
        """Returns a copy of the bytes up to the next terminator, and skips that."""
        self.field, start = field, self.pos
        self.start = start
        stop = start + until(self.buf, start, terminator)
        self.pos = stop + len(terminator)
        return bytes(self.buf[start:stop])

    def text_until(self, field: Any, terminator: _Bytes) -> str:
        """Returns the text up to the next terminator, and skips that."""
        return as_text(ValueReader.bytes_until(self, field, terminator), self.start)

    def _until(self, field: Any, terminator: _Bytes) -> int:
        self.field, self.start = field, self.pos
        return until(self.buf, self.pos, terminator)

    def decoded_bytes(self, field: Any, size: int, *codecs: Any) -> Any:
        """Returns ``size`` bytes decoded by codecs, which are in the order of writing."""
        self.field, self.start = field, self.pos
        stop = self._stop(size)
        self.given = self.pos, stop
        data = decoded(codecs, self.buf[self.pos : stop], self.pos)
        self.pos = stop
        return data

    def decoded_until(self, field: Any, terminator: _Bytes, *codecs: Any) -> Any:
        """Returns the bytes up to the next terminator, decoded by codecs, and skips the terminator."""
        data = self.decoded_bytes(field, self._until(field, terminator), *codecs)
        self.pos += len(terminator)
        return data

    def as_text(self, data: Any) -> str:
        """Returns UTF-8 bytes of the field as a str."""
        return as_text(data, self.start)

    def through_codecs(self, value: Any, *codecs: Any) -> Any:
        """Returns a value of the field decoded by codecs, which are in the order of writing."""
        self.given = value
        return decoded(codecs, value, self.start)

    def keep(self, record: Any, number: int, place: Place | None = None) -> None:
        """Stores the codecs' last input in the record, for the field with a number or for the element at a place."""
        if not hasattr(record, "_stored"):
            record._stored = {}
        given = self.given
        index = 0 if place is None else place.index + 1
        record._stored[number << 32 | index] = self.between(*given) if isinstance(given, tuple) else given

    def _stop(self, size: int) -> int:
        if not 0 <= size <= self.end - self.pos:
            raise short(self.buf, self.pos, size)
        return self.pos + size

    def between(self, start: int, stop: int) -> _Bytes:
        """Returns the bytes between two positions."""
        return bytes(self.buf[start:stop])

    # ---- lists of values, columns ----

    def numbers(self, field: str, count: Any, code: str) -> list[Any]:
        """Returns a list of ``count`` numbers; ``code`` is byte order and format in terms of the struct module."""
        self.field, start = field, self.pos
        width = _WIDTHS[code[1]]
        self.start, self.pos = start, start + bounded(count, width, self.buf, start) * width
        found = list(struct.unpack_from(f"{code[0]}{count}{code[1]}", self.buf, start))
        if code[1] in FLOATS and has_nan(found):
            return [unpacked(code, self.buf, start + index * width) for index in range(count)]
        return found

    def bools(self, field: str, count: Any) -> list[bool]:
        """Returns a list of ``count`` booleans of one byte each."""
        self.field, start = field, self.pos
        self.start, stop = start, start + bounded(count, 1, self.buf, start)
        data = bytes(self.buf[start:stop])
        if max(data, default=0) > 1:
            for _ in self.each(field, count):
                self.bool8(self.field)
        self.pos = stop
        return list(map(bool, data))

    def bits(self, field: Any, count: int, width: int, *, exact: bool = False) -> Bits:
        """Returns ``count`` numbers of ``width`` bits; with ``exact`` the unused bits of the last byte must be 0."""
        from . import packed

        self.field, self.start = field, self.pos
        value, self.pos = packed.read_bits(self, self.pos, count, width)
        if exact and value.stored() != value.to_bytes():
            raise DecodeError(_UNUSED, offset=self.pos - 1)
        return value

    def values(self, field: Any, count: int, layout: Any) -> Values:
        """Returns ``count`` values of an encoding's layout."""
        from . import packed

        self.field, self.start = field, self.pos
        value, self.pos = packed.read_encoded(self.buf, self.pos, count, layout)
        return value

    # ---- elements ----

    def each(self, field: str, count: Any, smallest: int | None = 0) -> Iterator[Place]:
        """Yields the places of ``count`` elements of at least ``smallest`` bytes; None if the count needs no bound."""
        self.field, self.start = field, self.pos
        begin = self.pos
        if smallest is not None:
            bounded(count, smallest, self.buf, begin)
        place = Place(field)
        for place.index in range(count):
            start = self.start = self.pos
            self.field = place
            yield place
            if not smallest and self.pos == start and place.absent != place.index:
                self.took_nothing(start)
        self.field, self.start = field, begin

    def absent(self, place: Place) -> Any:
        """Counts an absent element and returns None for it."""
        place.absent = place.index
        self.took_nothing(self.pos, 1)
        return None

    def places(self, field: str, count: int) -> Iterator[Place]:
        """Yields the places of ``count`` elements that have been read."""
        place = Place(field)
        for place.index in range(count):
            self.field = place
            yield place

    def rest(self, field: str) -> Iterator[Place]:
        """Yields the places of elements up to the end of the span."""
        return self._open(field, lambda: self.pos >= self.end)

    def until(self, field: str, last: Callable[[], Any]) -> Iterator[Place]:
        """Yields the places of elements up to the first one after which ``last()`` is true."""
        return self._open(field, last, at_least_one=True)

    def _open(self, field: str, ends: Callable[[], Any], *, at_least_one: bool = False) -> Iterator[Place]:
        self.field, self.start = field, self.pos
        begin, place = self.pos, Place(field)
        while (at_least_one and place.index < 0) or not ends():
            place.index += 1
            start = self.start = self.pos
            self.field = place
            yield place
            self.field = place
            if self.pos == start and not (at_least_one and ends()):
                raise refused("an element takes no bytes", start)
        self.field, self.start = field, begin
