"""Reading a list of a record in parts, so that it is never in memory as a whole."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import format_name
from .read import UNREADABLE, bounded
from .reader import Reader
from .span_reader import new
from .trail import Place


def in_parts(
    cls: Any, data: Any, field: str, parameters: tuple[Any, ...], many: int
) -> Iterator[tuple[Any, int, list[Any] | None]]:
    """Yields (record of the fields in front of a list, index of a part's first element, part).

    Fields behind the list are not read.

    Args:
        cls: the class of the record; none of its fields is placed.
        data: bytes, or a memoryview of bytes.
        field: the attribute of the list, which is counted or extends to the end; its elements' arguments must not
            depend on it.
        parameters: those of the record.
        many: number of elements per part.

    Yields:
        The whole record and None for a list that is absent, or is read in one step.

    Raises:
        DecodeError: the bytes break a rule.
    """
    reader = _PartReader(data, field)
    record = new(cls)
    reached = None
    try:
        record._read(reader, *parameters)
    except _ListFound as found:
        reached = found
    except UNREADABLE as error:
        raise _failed(reader, error, cls) from None
    if reached is None:
        yield record, 0, None
        return
    index = 0
    while reader.pos < reader.end if reached.count is None else index < reached.count:
        left = many if reached.count is None else min(many, reached.count - index)
        try:
            part = reached.take(index, left)
        except UNREADABLE as error:
            raise _failed(reader, error, cls) from None
        yield record, index, part
        index += len(part)


def _failed(reader: Reader, error: Exception, cls: Any) -> Exception:
    found = reader.failed_whole(error)
    found.format = format_name(cls)
    return found


class _ListFound(Exception):
    """Raised at the list: has its number of elements (None for all up to the end) and the reader of some of them."""

    def __init__(self, count: int | None, take: Callable[[int, int], list[Any]]) -> None:
        self.count = count
        self.take = take


class _PartReader(Reader):
    """A cursor that stops at a list of the record that it reads, but not at lists of records inside."""

    __slots__ = ("_count", "_first", "_list")

    def __init__(self, data: Any, field: str) -> None:
        super().__init__(data)
        self._list: str | None = field
        self._first: Place | None = None
        self._count: int | None = None

    def record(self, field: Any, cls: Any, *arguments: Any) -> Any:
        if field is self._first and field is not None:
            raise _ListFound(self._count, lambda index, most: self._records(field.name, index, most, cls, arguments))
        return self._inside(super().record, field, cls, *arguments)

    def records(self, field: str, count: Any, smallest: int, cls: Any, *arguments: Any) -> list[Any]:
        if field != self._list or cls._asks_span:
            return self._inside(super().records, field, count, smallest, cls, *arguments)  # type: ignore[no-any-return]
        self._begin_list(field, count, smallest)
        raise _ListFound(count, lambda index, most: self._records(field, index, most, cls, arguments))

    def numbers(self, field: str, count: Any, code: str) -> list[Any]:
        if field != self._list:
            return super().numbers(field, count, code)
        self._begin_list(field, count, struct.calcsize(code))
        raise _ListFound(count, lambda index, most: Reader.numbers(self, field, most, code))

    def _begin_list(self, field: str, count: int, smallest: int) -> None:
        self.field, self.start = field, self.pos
        self._count = bounded(count, smallest, self.buf, self.pos)

    def each(self, field: str, count: Any, smallest: int | None = 0) -> Iterator[Place]:
        return self._until_list(field, count, super().each(field, count, smallest))

    def rest(self, field: str) -> Iterator[Place]:
        return self._until_list(field, None, super().rest(field))

    def sibling(self, field: Any, cls: Any, state: list[Any], *arguments: Any) -> Any:
        return self._inside(super().sibling, field, cls, state, *arguments)

    def _until_list(self, field: str, count: int | None, places: Iterator[Place]) -> Iterator[Place]:
        for place in places:
            if field == self._list:
                self._first, self._count = place, count
            yield place

    def _inside(self, read: Callable[..., Any], *arguments: Any) -> Any:
        """Returns the value that a method reads, without stopping at lists inside."""
        field, self._list = self._list, None
        try:
            return read(*arguments)
        finally:
            self._list = field

    def _records(self, field: str, index: int, most: int, cls: Any, arguments: tuple[Any, ...]) -> list[Any]:
        """Returns at most ``most`` next elements, read by the active backend."""
        found: list[Any] = []
        place = Place(field, index - 1)
        self._first = self._list = None
        while len(found) < most and (self._count is not None or self.pos < self.end):
            place.index += 1
            start = self.pos
            found.append(Reader.decode(self, place, cls, *arguments))
            if self.pos == start:
                self.took_nothing(start)
        return found
