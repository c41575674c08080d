"""Positions in spans of bytes, which go into records and the spans of fields, with the errors of what stands there."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from ..compact.rules import UNFINISHED
from ..errors import CodecError, DecodeError
from .assemble import without
from .fixed_runs import Layout
from .read import (
    MAX_DEPTH,
    OF_DECODED,
    UNREADABLE,
    decoded,
    is_short,
    missing,
    reason,
    refused,
    short,
)
from .read_values import ValueReader
from .span import Span
from .trail import Step

#: The built-in `bytes` under another name, since a method is called `bytes`.
_Bytes = bytes
#: Makes an instance without its constructor.
new: Any = object.__new__
#: The value of `told` before `about` names a field.
_UNTOLD = ("", None, 0)


class SpanReader(ValueReader):
    """A position in a span of bytes.

    Every reading method takes the field's name, or the `Place` of an element, for errors, and moves behind what it
    read.

    Attributes (beside those of `Span`):
        pos: the position of the next byte; ``end`` is the one behind the last byte.
        start: the position where the current field begins.
    """

    __slots__ = ("loose", "of", "outer", "stop", "told")
    #: Set if this reader reads the span of one field: the outer reader, the field, the position behind the field, and
    #: whether it is a struct that may leave bytes.
    outer: SpanReader | None
    of: Any
    stop: int
    loose: bool

    def __init__(
        self,
        buf: Any,
        pos: int = 0,
        first: int = 0,
        base: int = 0,
        decoded: bool = False,
        depth: int = MAX_DEPTH,
        struct_of_arrays: tuple[Any, str] | None = None,
        source: Any = None,
        borrows: bool = False,
        whole: Span | None = None,
        origins: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.buf = buf
        self.first = first
        self.base = base
        self.decoded = decoded
        self.depth = depth
        self.source = source
        self.struct_of_arrays = struct_of_arrays
        self.borrows = borrows
        self.whole = whole
        self.origins = origins
        self.empty = self.repeated = 0
        self.pos = self.start = pos
        self.end = len(buf)
        self.field: Step = ""
        self.told: tuple[str, Any, int] = _UNTOLD
        self.outer = None

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
            raise self.failed_whole(error) from None

    def body(self, cls: Any, *arguments: Any) -> Any:
        """Returns a record of a class, or of the alternative of a variant; counts the nesting depth if its type can
        contain itself.
        """
        if not cls._is_plain:
            return self.body_with(cls, arguments, {})
        value = new(cls)
        if (take := cls._take) is not None:
            take(value, arguments)
        value._read(self)
        return value

    def body_with(self, cls: Any, arguments: tuple[Any, ...], state: Mapping[str, Any]) -> Any:
        """Returns a record as `body` does; ``state`` has the states of codecs that it shares with others, if it does."""
        begin = self.pos
        if (pick := cls._pick) is not None:
            cls = pick(self, *arguments)
        if cls._nests:
            self.enter()
        value = new(cls)
        if (take := cls._take) is not None:
            take(value, arguments)
        if cls._nests:
            self.nested(value._read, self, **state)
            self.leave(begin)
        else:
            value._read(self, **state)
        return value

    def enter(self) -> None:
        """Counts one more level of nesting."""
        self.depth -= 1
        if self.depth < 0:
            raise refused(f"records are nested more than {MAX_DEPTH} deep", self.pos)

    def leave(self, begin: int) -> None:
        """Counts one level less; a record that can contain itself must not go on forever without bytes."""
        self.depth += 1
        if self.pos == begin:
            self.took_nothing(begin)

    def no_alternative(self, cls: Any, tag: Any) -> DecodeError:
        """Returns the error of a variant that has no alternative for a tag."""
        return refused(f"{vars(cls).get('__idl_name__', cls.__name__)} has no alternative for {tag!r}", self.pos)

    # ---- errors ----

    def about(self, field: str) -> None:
        self.told = field, self.field, self.start

    def _settle(self) -> None:
        """Makes the field of `about` the cursor's field, unless something has been read since."""
        name, field, start = self.told
        if field is self.field and start == self.start:
            self.start, self.field = self._begin(name), name

    def _begin(self, field: Any) -> int:
        """Returns the offset of the field that was read last, alone or in a run; else the position."""
        last = self.field
        if isinstance(last, Layout):
            return self.start + last.offsets[field] if field in last.offsets else self.pos
        return self.start if str(last) == str(field) else self.pos

    def refuse(self, field: Any, rule: str, start: int | None = None) -> None:
        """Raises the error of a field that breaks a rule; ``start`` is its start if other fields have been read since."""
        start = self._begin(field) if start is None else start
        self.field, self.told = field, _UNTOLD
        raise refused(rule, start)

    def failure(self, error: Exception) -> CodecError:
        self._settle()
        if isinstance(error, CodecError):
            found = error if isinstance(error, DecodeError) else DecodeError(error.rule, path=error.path)
            if found.offset is None:
                found.offset = self.start
        elif isinstance(error, struct.error):
            found = self._short_of_fixed()
        elif is_short(error):
            found = short(b"", 0, 1)
            found.offset = self.end
        else:
            found = DecodeError(f"cannot evaluate this field's expression: {reason(error)}", offset=self.start)
            if isinstance(error, RecursionError):
                found.of_stack = True  # type: ignore[attr-defined]
        if found.rule in UNFINISHED:
            missing(found, 1)
        if self.whole is not None and hasattr(found, "missing"):
            # More bytes behind the input would not make an inner part longer.
            del found.missing
        if self.decoded and not hasattr(found, "within"):
            found.within = True  # type: ignore[attr-defined]
            found.rule += OF_DECODED
        return found

    def _short_of_fixed(self) -> DecodeError:
        """Returns the error of a number or run of fields that exceeds the bytes left; `pos` is behind it already."""
        if isinstance(self.field, Layout):
            return self.field.short(self.buf, self.start)
        return short(self.buf, self.start, self.pos - self.start)

    # ---- spans ----

    def tell(self) -> int:
        """Returns the position in bytes from the start of the buffer."""
        return self.pos

    @property
    def size(self) -> int:
        """The number of bytes of the span."""
        return self.end - self.first

    @property
    def left(self) -> int:
        """The number of bytes from the position to the end of the span."""
        return self.end - self.pos

    @property
    def at_end(self) -> bool:
        return self.pos == self.end

    def peek(self, count: int) -> _Bytes:
        """Returns the next bytes without moving; fewer if the span ends."""
        return bytes(self.buf[self.pos : min(self.pos + count, self.end)])

    def all_but(self, begin: int, ranges: Sequence[tuple[int, int]]) -> _Bytes:
        """Returns the bytes from a record's start to the end of its span, without some ranges (offset, size)."""
        return without(self.between(begin, self.end), ranges)

    def ahead(self, mark: bytes) -> int:
        """Returns the number of bytes before the next mark, at a multiple of its size from here; -1 without one."""
        size = len(mark)
        part = bytes(memoryview(self.buf)[self.pos : self.end]) if not isinstance(self.buf, bytes) else self.buf
        first = self.pos if part is self.buf else 0
        stop = self.end if part is self.buf else len(part)
        found = part.find(mark, first, stop)
        while found >= 0 and (found - first) % size:
            found = part.find(mark, found + 1, stop)
        return found - first if found >= 0 else -1

    def padding(self, multiple: int) -> int:
        """Returns the number of bytes up to the next offset that is a multiple."""
        return -(self.base + self.pos) % multiple

    def within(self, field: Any, size: int, *, loose: bool = False) -> Self:
        """Returns a reader of the next ``size`` bytes; as a context manager it must reach their end.

        Args:
            field: the field or element that has a span of its own.
            size: the number of bytes.
            loose: whether the field is one struct, which keeps bytes that it leaves.
        """
        self.field, self.start = field, self.pos
        stop = self._stop(size)
        inner = type(self)(
            memoryview(self.buf)[:stop], self.pos, first=self.pos, base=self.base, decoded=self.decoded, depth=self.depth,
            source=self.buf if self.source is None else self.source, borrows=self.borrows, whole=self.whole or self,
            origins=self.origins,
        )  # fmt: skip
        return self._opened(inner, stop, loose)

    def through(self, field: Any, size: int, *codecs: Any) -> Self:
        """Returns a reader of ``size`` bytes decoded by codecs, which are in the order of writing; otherwise as `within`."""
        self.field, self.start = field, self.pos
        stop = self._stop(size)
        self.given = self.pos, stop
        data = decoded(codecs, self.buf[self.pos : stop], self.pos)
        return self._opened(type(self)(data, decoded=True, depth=self.depth, whole=self.whole or self), stop, False)

    def _opened(self, inner: Self, stop: int, loose: bool) -> Self:
        inner.outer, inner.of, inner.stop, inner.loose = self, self.field, stop, loose
        # Arguments of its first call are computed before that names the field.
        inner.field = self.field
        return inner

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None:
            if issubclass(kind, UNREADABLE):
                raise self.failed(error) from None
            return
        outer = self.outer
        assert outer is not None
        if self.pos != self.end:
            self.field = self.of
            raise self.failed(self._left_over())
        outer.pos, outer.field = self.stop, self.of

    def _left_over(self) -> DecodeError:
        return DecodeError(f"{self.end - self.pos} bytes are left over", offset=self.pos)

    def finish(self, field: Any) -> None:
        """Raises DecodeError if bytes of the span are left."""
        if self.pos != self.end:
            self.field = field
            raise self._left_over()
