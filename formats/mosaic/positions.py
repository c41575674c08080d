"""Columns by name, without a table of all names where few are asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from operator import attrgetter

from ..generated.mosaic import Column
from ..runtime.record_attributes import attributes

#: Entries of a table that are made in the time of one search.
_SEARCH = 32

_NAME = attrgetter("name")


class Positions(Mapping[str, int]):
    """The position of each of a schema's columns, which ascend by name, by name.

    Names are searched for until that has cost as much as a table of them.
    """

    def __init__(self, columns: list[Column]) -> None:
        self._columns = columns
        self._searches = len(columns) // _SEARCH
        self._table: dict[str, int] | None = None

    def __getitem__(self, name: str) -> int:
        if self._searches > 0 and isinstance(name, str):
            self._searches -= 1
            return self._found(name)
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._columns)

    def _found(self, name: str) -> int:
        position = bisect_left(self._columns, name, key=_NAME)
        if position == len(self._columns) or self._columns[position].name != name:
            raise KeyError(name)
        return position

    def _all(self) -> dict[str, int]:
        if self._table is None:
            self._table = {name: position for position, name in enumerate(attributes(self._columns, "name"))}
        return self._table
