"""The cursor of generated readers over bytes, with position, span and path; it makes the errors."""

from __future__ import annotations

from typing import Any

from ..compact.unknown import with_rest
from ..errors import CodecError
from ..guarded import of_struct
from .methods import first_read, with_methods
from .read import UNREADABLE, bounded
from .span_reader import SpanReader, new
from .trail import Place


class Reader(SpanReader):
    """The cursor, which reads records."""

    __slots__ = ()

    # ---- records, structs ----

    def record(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns a record of a class, read by its generated reader."""
        start = self.start = self.pos
        self.field = ""
        try:
            if not cls._is_plain:
                if (pick := cls._pick) is not None:
                    cls = pick(self, *arguments)
                if cls._nests:
                    self.enter()
            value = new(cls)
            if (take := cls._take) is not None:
                take(value, arguments)
            if not cls._nests:
                value._read(self)
            else:
                self.nested(value._read, self)
                self.leave(start)
        except UNREADABLE as error:
            raise self.failed(error, field) from None
        self.field, self.start = field, start
        return value

    def sibling(self, field: Any, cls: Any, state: list[Any], *arguments: Any) -> Any:
        """Returns a record of a class that shares states of codecs with others."""
        start = self.start = self.pos
        self.field = ""
        try:
            value = self.body_with(cls, arguments, {"state": state})
        except UNREADABLE as error:
            raise self.failed(error, field) from None
        self.field, self.start = field, start
        return value

    def decode(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns a record of a class, read by the active backend."""
        start = self.start = self.pos
        self.field = ""
        try:
            value = cls._decode(self, *arguments)
        except UNREADABLE as error:
            raise self.failed(error, field) from None
        self.field, self.start = field, start
        return value

    def decode_all(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns a record as `decode` does; it must take all bytes of the span."""
        value = self.decode(field, cls, *arguments)
        self.finish(field)
        return value

    def coded(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns the value that a codec with fields makes from the bytes."""
        return self.record(field, cls, *arguments).value

    def recalled(self, field: Any, cls: Any, *arguments: Any) -> Any:
        """Returns the same for a codec that repeats bytes of the previous value; their number is limited."""
        value = self.record(field, cls, *arguments).value
        self.repeats(len(value) - (self.pos - self.start), self.start)
        return value

    def struct(self, field: Any, cls: Any, *, is_sized: bool = False) -> Any:
        """Returns a struct in the compact protocol, or a message up to the end of the span.

        A struct in a span of its own may leave bytes, which it keeps, as one with a place and a size.
        """
        self.field, self.start = field, self.pos
        value, self.pos = cls._read_kept(self.buf, self.pos)
        is_own = is_sized or (self.outer is not None and self.loose)
        if is_own and self.pos != self.end and cls.__kind__ == "struct":
            value, self.pos = with_rest(value, bytes(self.buf[self.pos : self.end])), self.end
        return value

    def custom(self, field: Any, cls: Any) -> Any:
        """Returns a struct that a codec written by hand reads."""
        self.field, self.start = field, self.pos
        value, self.pos = of_struct(cls).read(memoryview(self.buf), self.pos)
        return value

    # ---- lists of records ----

    def records(self, field: str, count: Any, smallest: int, cls: Any, *arguments: Any) -> list[Any]:
        """Returns a list of ``count`` records of at least ``smallest`` bytes each."""
        if cls._asks_span:
            return [self.record(at, cls, *arguments) for at in self.each(field, count, smallest)]
        self.field = field
        self.start = begin = self.pos
        if not 0 < count * smallest <= len(self.buf) - begin:
            bounded(count, smallest, self.buf, begin)
        found: list[Any] = []
        try:
            if count and cls._pick is not None:
                cls = cls._pick(self, *arguments)
            if count and not cls._nests:
                self._alike(cls, count, arguments, found)
            elif count:
                self.enter()
                self.nested(self._alike, cls, count, arguments, found)
                self.depth += 1
        except UNREADABLE as error:
            raise self._lacking(
                self.failed(error, Place(field, len(found))), count - len(found) - 1, smallest
            ) from None
        self.field, self.start = field, begin
        return found

    def _alike(self, cls: Any, count: int, arguments: tuple[Any, ...], found: list[Any]) -> None:
        """Appends records of one class to a list."""
        take, append = cls._take, found.append
        read: Any = cls._read
        if read is first_read and count:
            read = with_methods(cls)._read
        for _ in range(count):
            self.start = start = self.pos
            self.field = ""
            value = new(cls)
            if take is not None:
                take(value, arguments)
            read(value, self)
            if self.pos == start:
                self.took_nothing(start, 16 if cls._nests else 8)
            append(value)

    def _lacking(self, error: Any, left: int, smallest: int) -> CodecError:
        """Returns the error of an element; the missing bytes include those of the elements behind it."""
        if hasattr(error, "missing"):
            error.missing += left * smallest
        return error  # type: ignore[no-any-return]

    def siblings(self, field: str, count: Any, smallest: int, cls: Any, *arguments: Any) -> list[Any]:
        """Returns a list of records as `records` does, which share states of codecs."""
        state = cls._state()
        return [self.sibling(at, cls, state, *arguments) for at in self.each(field, count, smallest)]
