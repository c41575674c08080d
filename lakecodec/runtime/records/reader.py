"""The cursor that generated readers move over bytes: it keeps the position, the span and the path, and makes the errors."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self

from ..errors import CodecError, DecodeError
from .fixed_runs import Layout
from .read import (
    MAX_DEPTH,
    OF_DECODED,
    UNREADABLE,
    as_text,
    bounded,
    decoded,
    is_short,
    reason,
    refused,
    short,
    until,
)
from .read_numbers import NumberReader
from .trail import Place, Step, Trail

if TYPE_CHECKING:
    from ..columns import Bits, Values

#: The type, which a method has the name of.
_Bytes = bytes


class Reader(NumberReader):
    """A position in a span of bytes.

    Every method that reads takes the field's name, or the `Place` of an element, for errors; it moves behind what it read.

    Attributes (beside those of `Span`):
        pos: the position of the next byte; ``end`` that behind the last one.
        start: where the field begins that is being read.
    """

    __slots__ = ("end", "loose", "of", "outer", "ran", "ran_at", "stop", "trail")
    #: Of a reader of a field's own span: the field, the position behind it, and whether bytes may be left.
    of: Any
    stop: int
    loose: bool

    def __init__(self, buf: Any, pos: int = 0, *, outer: Reader | None = None, **span: Any) -> None:
        super().__init__(buf, **span)
        self.pos = self.start = pos
        self.end = len(buf)
        self.field: Step = ""
        self.trail = Trail() if outer is None else outer.trail
        self.outer = outer
        #: The run of fields that was read last, and where it began.
        self.ran: Layout | None = None
        self.ran_at = 0

    # ---- the whole ----

    def whole_record(self, cls: Any, *arguments: Any) -> Any:
        """Returns the record at the position, read by its generated reader.

        Raises:
            DecodeError: the bytes break a rule of the record; with path and offset.
        """
        return self.reading(self.body, cls, *arguments)

    def reading(self, read: Callable[..., Any], *arguments: Any) -> Any:
        """Returns ``read(*arguments)``; its errors get the path and offset of the field at which it ended."""
        try:
            return read(*arguments)
        except UNREADABLE as error:
            raise (self.trail.failed or self).unread(error) from None

    def body(self, cls: Any, *arguments: Any, **state: Any) -> Any:
        """Returns a record of a class; counts how deep it is nested where its type can contain itself."""
        if not cls._nests:
            return cls._read(self, *arguments, **state)
        begin = self.pos
        self.depth -= 1
        if self.depth < 0:
            raise refused(f"records are nested more than {MAX_DEPTH} deep", begin)
        value = cls._read(self, *arguments, **state)
        self.depth += 1
        if self.pos == begin:
            self.took_nothing(begin)
        return value

    def alternative(self, cls: Any, tag: Any, *arguments: Any) -> Any:
        """Returns a variant's alternative for a tag."""
        return self.body(self.chosen(cls, cls._alternatives.get(tag, cls._otherwise), tag), *arguments)

    def chosen(self, cls: Any, found: Any, tag: Any) -> Any:
        """Returns the class of an alternative.

        Raises:
            DecodeError: there is none.
        """
        if found is None:
            name = vars(cls).get("__idl_name__", cls.__name__)
            raise refused(f"{name} has no alternative for {tag!r}", self.pos)
        return found

    # ---- errors ----

    def about(self, field: str) -> None:
        self.start = self._begin(field)
        self.field = field

    def _begin(self, field: Any) -> int:
        """Returns where a field begins: in the run, or as the one, that was read last; else the position."""
        run = self.ran
        if run is not None and self.ran_at + run.size == self.pos and str(field) in run.offsets:
            return self.ran_at + run.offsets[str(field)]
        return self.start if str(self.field) == str(field) else self.pos

    def check(self, field: Any, holds: Any, rule: str, start: int | None = None) -> None:
        """Raises DecodeError with a rule that a field breaks, unless it ``holds``; ``start`` is where the field begins, if
        others have been read since.
        """
        if not holds:
            raise self.broken(field, rule, start)

    def broken(self, field: Any, rule: str, start: int | None = None) -> DecodeError:
        """Returns the error of a field that breaks a rule."""
        start = self._begin(field) if start is None else start
        self.field = field
        return refused(rule, start)

    def unread(self, error: Exception) -> CodecError:
        """Returns the error to raise in the place of one that ended the reading, with the path and offset of the field."""
        if isinstance(error, CodecError):
            found = error if isinstance(error, DecodeError) else DecodeError(error.rule, path=error.path)
            if found.offset is None:
                found.offset = self.start
        elif isinstance(error, struct.error):
            found = self._short_of_fixed()
        elif is_short(error):
            found = DecodeError("1 bytes are needed, 0 are left", offset=self.end)
        else:
            found = DecodeError(f"what the bytes say cannot be computed: {reason(error)}", offset=self.start)
        self.locate(found)
        if self.decoded and not hasattr(found, "within"):
            found.within = True  # type: ignore[attr-defined]
            found.rule += OF_DECODED
        return found

    def _short_of_fixed(self) -> DecodeError:
        """Returns the error of a number, or a run of fields, that the bytes left do not hold: `pos` is behind it already."""
        if isinstance(self.field, Layout):
            return self.field.short(self.buf, self.start)
        return short(self.buf, self.start, self.pos - self.start)

    # ---- spans ----

    def tell(self) -> int:
        """Returns the position: bytes from the start of the buffer."""
        return self.pos

    @property
    def size(self) -> int:
        """The bytes of the span."""
        return self.end - self.first

    @property
    def left(self) -> int:
        """The bytes from the position to the end of the span."""
        return self.end - self.pos

    @property
    def at_end(self) -> bool:
        return self.pos == self.end

    def between(self, start: int, stop: int) -> _Bytes:
        """Returns the bytes between two positions."""
        return bytes(self.buf[start:stop])

    def padding(self, multiple: int) -> int:
        """Returns the bytes up to the next offset that is a multiple."""
        return -(self.base + self.pos) % multiple

    def within(self, field: Any, size: int, *, loose: bool = False) -> Reader:
        """Returns a reader of the next ``size`` bytes; as a context manager it must come to their end, unless it is ``loose``."""
        self.field, self.start = field, self.pos
        inner = Reader(
            memoryview(self.buf)[: self._stop(size)], self.pos, outer=self, first=self.pos, base=self.base, decoded=self.decoded,
            depth=self.depth, source=self.buf if self.source is None else self.source, borrows=self.borrows,
            whole=self.whole or self,
        )  # fmt: skip
        inner.stop, inner.of, inner.loose = inner.end, field, loose
        return inner

    def through(self, field: Any, size: int, *codecs: Any) -> Reader:
        """Returns a reader of what ``size`` bytes are behind codecs, given in the order of writing; as `within`."""
        self.field, self.start = field, self.pos
        stop = self._stop(size)
        data = decoded(codecs, self.buf[self.pos : stop], self.pos)
        inner = Reader(data, outer=self, decoded=True, depth=self.depth, whole=self.whole or self)
        inner.stop, inner.of, inner.loose = stop, field, False
        return inner

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None:
            self.trail.failed = self.trail.failed or self
            return
        outer = self.outer
        assert outer is not None
        if self.pos != self.end and not self.loose:
            self.trail.failed, self.field = self, self.of
            raise self._left_over()
        outer.pos, outer.field = self.stop, self.of

    def _left_over(self) -> DecodeError:
        return DecodeError(f"{self.end - self.pos} bytes are left over", offset=self.pos)

    def finish(self, field: str) -> None:
        """Raises DecodeError where bytes of the span are left."""
        if self.pos != self.end:
            self.field = field
            raise self._left_over()

    def _stop(self, size: int) -> int:
        if not 0 <= size <= self.end - self.pos:
            raise short(self.buf, self.pos, size)
        return self.pos + size

    # ---- bytes and texts ----

    def run(self, layout: Layout) -> tuple[Any, ...]:
        """Returns fields of fixed width that follow each other, read in one step."""
        self.field, start = layout, self.pos
        self.ran, self.start, self.ran_at, self.pos = layout, start, start, start + layout.size
        return layout.unpack_from(self.buf, start)

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
        return as_text(self.buf[start:stop], start)

    def bytes_until(self, field: Any, terminator: _Bytes) -> Any:
        """Returns a copy of the bytes up to the next terminator, which is passed."""
        found = self.bytes(field, self._until(field, terminator))
        self.pos += len(terminator)
        return found

    def text_until(self, field: Any, terminator: _Bytes) -> str:
        """Returns the text up to the next terminator, which is passed."""
        found = self.text(field, self._until(field, terminator))
        self.pos += len(terminator)
        return found

    def _until(self, field: Any, terminator: _Bytes) -> int:
        self.field, self.start = field, self.pos
        return until(self.buf, self.pos, terminator)

    def decoded_bytes(self, field: Any, size: int, *codecs: Any) -> Any:
        """Returns ``size`` bytes behind codecs, given in the order of writing."""
        self.field, self.start = field, self.pos
        stop = self._stop(size)
        data = decoded(codecs, self.buf[self.pos : stop], self.pos)
        self.pos = stop
        return data

    def decoded_until(self, field: Any, terminator: _Bytes, *codecs: Any) -> Any:
        """Returns the bytes up to the next terminator, which is passed, behind codecs."""
        data = self.decoded_bytes(field, self._until(field, terminator), *codecs)
        self.pos += len(terminator)
        return data

    def as_text(self, data: Any) -> str:
        """Returns UTF-8 bytes of the field as a str."""
        return as_text(data, self.start)

    def through_codecs(self, value: Any, *codecs: Any) -> Any:
        """Returns a value of the field behind codecs, given in the order of writing."""
        return decoded(codecs, value, self.start)

    # ---- records, structs, columns ----

    def record(self, field: Any, cls: Any, *arguments: Any, **state: Any) -> Any:
        """Returns a record of a class, read by its generated reader."""
        start = self.pos
        self.trail.append(field)
        self.field, self.start = "", start
        value = self.body(cls, *arguments, **state) if cls._nests else cls._read(self, *arguments, **state)
        del self.trail[-1]
        self.field, self.start = field, start
        return value

    def decode(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns a record of a class, read by the backend that runs."""
        start = self.pos
        self.trail.append(field)
        self.field, self.start = "", start
        value = cls._decode(self, *arguments)
        del self.trail[-1]
        self.field, self.start = field, start
        return value

    def coded(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns the value that a codec with fields makes of the bytes."""
        return self.record(field, cls, *arguments).value

    def recalled(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns the same for a codec that repeats bytes of the value before: how many is bounded."""
        value = self.record(field, cls, *arguments).value
        self.repeats(len(value) - (self.pos - self.start), self.start)
        return value

    def struct(self, field: Any, cls: Any) -> Any:
        """Returns a struct in the compact protocol, or a message up to the end of the span."""
        self.field, self.start = field, self.pos
        value, self.pos = cls.read(self.buf, self.pos)
        return value

    def custom(self, field: Any, cls: Any) -> Any:
        """Returns a struct that a codec written by hand reads."""
        self.field, self.start = field, self.pos
        value, self.pos = cls.__custom__.read(memoryview(self.buf), self.pos)
        return value

    def bits(self, field: Any, count: int, width: int) -> Bits:
        """Returns ``count`` numbers of ``width`` bits."""
        from . import packed

        self.field, self.start = field, self.pos
        value, self.pos = packed.read_bits(self, self.pos, count, width)
        return value

    def values(self, field: Any, count: int, layout: Any) -> Values:
        """Returns ``count`` values of an encoding's layout."""
        from . import packed

        self.field, self.start = field, self.pos
        value, self.pos = packed.read_encoded(self.buf, self.pos, count, layout)
        return value

    # ---- lists ----

    def numbers(self, field: str, count: int, code: str) -> list[Any]:
        """Returns a list of ``count`` numbers; ``code`` is byte order and format in terms of the struct module."""
        self.field, self.start = field, self.pos
        layout = struct.Struct(f"{code[0]}{bounded(count, struct.calcsize(code), self.buf, self.pos)}{code[1]}")
        self.pos += layout.size
        return list(layout.unpack_from(self.buf, self.start))

    def records(self, field: str, count: int, smallest: int, cls: Any, *arguments: Any, **state: Any) -> list[Any]:
        """Returns a list of ``count`` records, each of ``smallest`` bytes at least."""
        self.field, self.start = field, self.pos
        begin = self.pos
        bounded(count, smallest, self.buf, begin)
        place, found = Place(field), []
        read = self.body if cls._nests else cls._read
        first: Any = cls if cls._nests else self
        self.trail.append(place)
        for place.index in range(count):
            start = self.start = self.pos
            self.field = ""
            found.append(read(first, *arguments, **state))
            if not smallest and self.pos == start:
                self.took_nothing(start)
        del self.trail[-1]
        self.field, self.start = field, begin
        return found

    def each(self, field: str, count: int, smallest: int | None = 0) -> Iterator[Place]:
        """Yields the places of ``count`` elements of ``smallest`` bytes at least; None where the count needs no bound."""
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
        """Counts an element that is not there, and returns None for it."""
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
        """Yields the places of elements up to the first one after which ``last()`` holds."""
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
            if self.pos == start:
                raise refused("an element takes no bytes", start)
        self.field, self.start = field, begin
