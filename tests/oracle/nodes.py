"""What the oracle reads: values by the names of their declarations, and where in the bytes they stood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lakecodec.generator.model import Enum, Extension, Record, Struct


class Refused(ValueError):
    """Bytes that break a declaration."""


class Missing(LookupError):
    """A field that is named before it has been read."""


class Number(int):
    """A number that an enum gives names to."""

    enum: Enum

    @classmethod
    def of(cls, value: int, enum: Enum) -> Number:
        made = cls(value)
        made.enum = enum
        return made


class Encoded(list[Any]):
    """Values of an encoding. Attributes: ``raw`` are their bytes."""

    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field's bytes stand in the source, and how many bytes they are before their codecs."""

    start: int
    end: int
    raw: int


@dataclass(eq=False, slots=True)
class Node:
    """A record, a struct or an alternative of a variant.

    Attributes:
        fields: values by name; None for what is absent.
        places: by name, or by name and number of the element.
        case: the alternative's name, ``tag`` what selects it.
        load: reads a field of a located record.
    """

    declaration: Record | Struct | Extension
    params: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    places: dict[str | tuple[str, int], Place] = field(default_factory=dict)
    case: str | None = None
    tag: Any = None
    load: Callable[[str], Any] | None = None

    def __getitem__(self, name: str) -> Any:
        for values in (self.fields, self.params):
            if name in values:
                return values[name]
        if self.load is not None:
            return self.load(name)
        raise Missing(name)

    def walk(self, path: str) -> Any:
        """The value at a dotted path."""
        value: Any = self
        for name in path.split("."):
            value = value[name]
        return value


class Cursor:
    """A span of bytes, from ``start`` to ``end``, and a position in it.

    ``base`` is the offset of the first byte of ``data`` in the source.
    """

    def __init__(self, data: bytes, pos: int = 0, end: int | None = None, base: int = 0) -> None:
        self.data = data
        self.start = self.pos = pos
        self.end = len(data) if end is None else end
        self.base = base

    @property
    def size(self) -> int:
        return self.end - self.start

    @property
    def rest(self) -> int:
        return self.end - self.pos

    @property
    def offset(self) -> int:
        return self.base + self.pos

    def take(self, count: int) -> bytes:
        start = self.pos
        self.skip(count)
        return self.data[start : self.pos]

    def take_until(self, terminator: bytes) -> bytes:
        """What stands before the next terminator, which is skipped."""
        data, found, _ = self.data[self.pos : self.end].partition(terminator)
        if not found:
            raise Refused(f"{terminator!r} does not follow at {self.offset}")
        self.skip(len(data) + len(found))
        return data

    def skip(self, count: int) -> None:
        if not 0 <= count <= self.rest:
            raise Refused(f"{count} bytes are needed at {self.offset}, {self.rest} are left")
        self.pos += count

    def span(self, count: int) -> Cursor:
        """The next ``count`` bytes as a span of their own; they are skipped here."""
        start = self.pos
        self.skip(count)
        return Cursor(self.data, start, self.pos, self.base)

    def finish(self) -> None:
        if self.rest:
            raise Refused(f"{self.rest} bytes are left over at {self.offset}")
