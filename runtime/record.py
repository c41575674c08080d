"""Records: bytes in declared order. Base classes, and the cursor and writer that generated methods drive."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, ClassVar, Protocol, Self, TypeVar

from .compact.terms import format_name
from .errors import CodecError, DecodeError, EncodeError
from .record_values import UNFIT, boolean, items, nested, raw, svarint, text, uvarint
from .spec import Spec

__all__ = [
    "FIXED",
    "Bytes",
    "Cursor",
    "Located",
    "Record",
    "Source",
    "Writer",
    "boolean",
    "items",
    "nested",
    "raw",
    "svarint",
    "text",
    "uvarint",
]

T = TypeVar("T")

#: Fixed-width numbers by type and byte order.
FIXED = {
    f"{name}_{order}": struct.Struct(mark + code)
    for order, mark in (("little", "<"), ("big", ">"))
    for name, code in {
        "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f32": "f", "f64": "d",
    }.items()
}  # fmt: skip


class Source(Protocol):
    """What located fields are read from: a size, and bytes at any offset."""

    size: int

    def read(self, offset: int, length: int) -> Any: ...


class Cursor:
    """A position in a span of bytes, and the path of what is read there."""

    __slots__ = ("_buf", "_format", "_path", "_spans", "base", "end", "pos", "start", "step")

    def __init__(self, buf: Any, pos: int, end: int, format: str, path: str = "", base: int = 0) -> None:
        self._buf = buf
        self._format = format
        self._path = path
        self._spans: dict[str, tuple[int, int]] = {}
        self.start = pos
        self.pos = pos
        self.end = end
        #: What to add to a position for an offset in the caller's input.
        self.base = base
        #: The field being read.
        self.step = ""

    @property
    def rest(self) -> int:
        return self.end - self.pos

    def error(self, rule: str, pos: int) -> DecodeError:
        return DecodeError(rule, format=self._format, path=self._at(), offset=self.base + pos)

    def check(self, name: str, holds: bool, rule: str) -> None:
        """Refuses the record where an invariant of the field ``name`` does not hold."""
        if not holds:
            self.step = name
            raise self.error(rule, self._spans.get(name, (self.start, 0))[0])

    def done(self, name: str, start: int) -> None:
        """Remembers where a field stands."""
        self._spans[name] = (start, self.pos)

    def size_of(self, name: str) -> int:
        start, end = self._spans[name]
        return end - start

    def offset_of(self, name: str) -> int:
        return self.base + self._spans[name][0]

    def fixed(self, layout: struct.Struct) -> Any:
        pos = self._advance(layout.size)
        return layout.unpack_from(self._buf, pos)[0]

    def take(self, count: int) -> bytes:
        pos = self._advance(count)
        return bytes(self._buf[pos : pos + count])

    def text(self, count: int) -> str:
        pos = self._advance(count)
        try:
            return str(self._buf[pos : pos + count], "utf-8")
        except UnicodeDecodeError:
            raise self.error("the text is not valid UTF-8", pos) from None

    def boolean(self) -> bool:
        pos = self._advance(1)
        if (byte := self._buf[pos]) > 1:
            raise self.error("a boolean is neither 0 nor 1", pos)
        return bool(byte)

    def uvarint(self, bits: int) -> int:
        """An unsigned LEB128 number of at most ``bits`` bits."""
        start, shift = self.pos, 0
        value: int = 0
        while True:
            byte = self._buf[self._advance(1)]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            if shift >= bits:
                raise self.error(f"a varint is longer than {bits} bits", start)
        if value >> bits:
            raise self.error(f"a varint is longer than {bits} bits", start)
        return value

    def svarint(self, bits: int) -> int:
        value = self.uvarint(bits)
        return (value >> 1) ^ -(value & 1)

    def struct(self, cls: Any) -> Any:
        """A struct in the compact protocol, of as many bytes as it takes within the span."""
        span = memoryview(self._buf)[: self.end]
        try:
            value, self.pos = cls.read(span, self.pos)
        except DecodeError as error:
            raise self._within(error) from None
        return value

    def record(self, cls: Any, *parameters: Any) -> Any:
        inner = Cursor(self._buf, self.pos, self.end, self._format, self._at(), self.base)
        value = cls._read(inner, *parameters)
        self.pos = inner.pos
        return value

    def within(self, size: int, read: Callable[[Cursor], T]) -> T:
        """What ``read`` finds in the next ``size`` bytes, all of which are passed."""
        pos = self._advance(size)
        inner = Cursor(self._buf, pos, pos + size, self._format, self._path, self.base)
        inner.step = self.step
        return read(inner)

    def items(self, count: int, read: Callable[[], T]) -> list[T]:
        """``count`` elements; each takes a byte at least, so the count is compared with the bytes left."""
        if not 0 <= count <= self.rest:
            raise self.error(f"{count} elements do not fit the {self.rest} bytes left", self.pos)
        return [self._item(index, read) for index in range(count)]

    def items_to_end(self, read: Callable[[], T]) -> list[T]:
        items: list[T] = []
        while self.pos < self.end:
            start = self.pos
            items.append(self._item(len(items), read))
            if self.pos == start:
                raise self.error("an element takes no bytes", start)
        return items

    def items_until(self, read: Callable[[], T], last: Callable[[T], bool]) -> list[T]:
        items = [self._item(0, read)]
        while not last(items[-1]):
            items.append(self._item(len(items), read))
        return items

    def _item(self, index: int, read: Callable[[], T]) -> T:
        path, step = self._path, self.step
        self._path, self.step = f"{self._at()}[{index}]", ""
        value = read()
        self._path, self.step = path, step
        return value

    def _advance(self, count: int) -> int:
        pos = self.pos
        if not 0 <= count <= self.end - pos:
            raise self.error(f"{count} bytes are needed, {self.end - pos} are left", pos)
        self.pos = pos + count
        return pos

    def _at(self) -> str:
        joint = "." if self._path and self.step else ""
        return f"{self._path}{joint}{self.step}"

    def _within(self, error: DecodeError) -> DecodeError:
        here = self._at()
        error.format = self._format
        error.path = here + ("." if here and error.path and error.path[0] != "[" else "") + error.path
        if error.offset is not None:
            error.offset += self.base
        return error


class Writer:
    """The encoded parts of a record by field, put in order at the end."""

    __slots__ = ("_format", "_parts", "_path")

    def __init__(self, format: str, path: str = "") -> None:
        self._format = format
        self._path = path
        self._parts: dict[str, bytes] = {}

    def error(self, name: str, rule: str) -> EncodeError:
        joint = "." if self._path else ""
        return EncodeError(rule, format=self._format, path=f"{self._path}{joint}{name}")

    def derive(self, name: str, compute: Callable[[], T]) -> T:
        """The value of a derived field."""
        try:
            return compute()
        except UNFIT as error:
            raise self.error(name, f"it cannot be derived: {error}") from None

    def check(self, name: str, holds: Callable[[], object], rule: str) -> None:
        """Refuses to write what breaks an invariant of a field."""
        if not self.derive(name, holds):
            raise self.error(name, rule)

    def size(self, name: str) -> int:
        return len(self._parts[name])

    def put(self, name: str, value: Any, encode: Callable[[Any], bytes]) -> None:
        """Encodes a field; what does not fit its type is an EncodeError with its path."""
        try:
            self._parts[name] = encode(value)
        except CodecError as error:
            inner = "." if error.path and error.path[0] != "[" else ""
            joint = "." if self._path else ""
            error.format, error.path = self._format, f"{self._path}{joint}{name}{inner}{error.path}"
            raise
        except UNFIT as error:
            raise self.error(name, f"the value does not fit its type: {error}") from None

    def put_optional(self, name: str, present: bool, value: Any, encode: Callable[[Any], bytes]) -> None:
        """As ``put`` where the field's condition holds; elsewhere the value must be None."""
        if present:
            self.put(name, value, encode)
        elif value is not None:
            raise self.error(name, "the field's condition does not hold, so it must be None")
        else:
            self._parts[name] = b""

    def join(self, *names: str) -> bytes:
        return b"".join(self._parts[name] for name in names)


class _Fields:
    """What all generated records share."""

    __slots__ = ()
    __spec__: ClassVar[Spec]
    #: The fields that a caller sets; the others are derived from them.
    _given: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._given)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._given)
        return f"{type(self).__name__}({shown})"


class Record(_Fields):
    """A generated record whose fields follow each other."""

    __slots__ = ()

    @classmethod
    def from_bytes(cls, data: Any, *parameters: Any, allow_trailing: bool = False) -> Self:
        """The record at the start of ``data``; ``parameters`` are those of its declaration.

        Raises:
            DecodeError: the bytes break a rule of the record, or some are left over.
        """
        value, end = cls.read(data, 0, *parameters)
        size = memoryview(data).nbytes
        if end != size and not allow_trailing:
            raise DecodeError("bytes are left over after the value", format=format_name(cls), offset=end)
        return value

    @classmethod
    def read(cls, data: Any, pos: int = 0, *parameters: Any) -> tuple[Self, int]:
        """The record at ``pos`` and the position after it."""
        view = memoryview(data).cast("B")
        if not 0 <= pos <= len(view):
            raise ValueError(f"pos: {pos} is outside the data")
        cursor = Cursor(view, pos, len(view), format_name(cls))
        return cls._read(cursor, *parameters), cursor.pos

    @classmethod
    def skip(cls, data: Any, pos: int = 0, *parameters: Any) -> int:
        """The position after the record at ``pos``."""
        return cls.read(data, pos, *parameters)[1]

    def to_bytes(self) -> bytes:
        """The encoded record, derived fields included.

        Raises:
            EncodeError: a value does not fit its type or breaks an invariant.
        """
        return self._write(Writer(format_name(type(self))))

    @classmethod
    def _read(cls, at: Cursor, *parameters: Any) -> Self:
        raise TypeError(f"{cls.__name__} has no reader")

    def _write(self, out: Writer) -> bytes:
        raise TypeError(f"{type(self).__name__} has no writer")


class Located(_Fields):
    """A generated record whose fields stand at computed offsets of a source and are read when first asked for."""

    __slots__ = ("_found", "_source")
    _source: Source
    _found: dict[str, Any]

    @classmethod
    def open(cls, source: Source, **parameters: Any) -> Self:
        """The record in ``source``, which has a ``size`` and a ``read(offset, length)``; nothing is read yet."""
        made = object.__new__(cls)
        object.__setattr__(made, "_source", source)
        object.__setattr__(made, "_found", {})
        for name, value in parameters.items():
            object.__setattr__(made, name, value)
        return made

    @classmethod
    def from_bytes(cls, data: Any, **parameters: Any) -> Self:
        """The record in the bytes of a whole source; every field is read and checked."""
        made = cls.open(Bytes(data), **parameters)
        for name in cls._given:
            getattr(made, name)
        return made

    def span(self, name: str) -> tuple[int, int]:
        """(offset, size) of a field, for who reads its bytes in another way."""
        span: tuple[int, int] = getattr(self, f"_span_{name}")()
        offset, size = span
        if not (offset >= 0 and size >= 0 and offset + size <= self._source.size):
            rule = f"{size} bytes at {offset} are outside the {self._source.size} of the source"
            raise DecodeError(rule, format=format_name(type(self)), path=name, offset=max(0, offset))
        return span

    def _field(self, name: str, read: Callable[[Cursor], Any]) -> Any:
        if name not in self._found:
            offset, size = self.span(name)
            cursor = Cursor(self._source.read(offset, size), 0, size, format_name(type(self)), base=offset)
            cursor.step = name
            self._found[name] = read(cursor)
        return self._found[name]


class Bytes:
    """A source in memory."""

    def __init__(self, data: Any) -> None:
        self._view = memoryview(data).cast("B")
        self.size = len(self._view)

    def read(self, offset: int, length: int) -> memoryview:
        return self._view[offset : offset + length]
