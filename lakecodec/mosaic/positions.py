"""Look-up of sorted positions by column name."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

#: Entries that are added to a table in the time of one search.
_SEARCH = 32


class Positions(Mapping[str, int]):
    """Mapping from name to position, for ascending names.

    It searches the list, and builds a table once the searches have cost as much as the table.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._searches = len(names) // _SEARCH
        self._table: dict[str, int] | None = None

    def __getitem__(self, name: str) -> int:
        if self._searches > 0 and isinstance(name, str):
            self._searches -= 1
            return self._found(name)
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._names)

    def _found(self, name: str) -> int:
        """Returns the position of a name by binary search; KeyError where it is missing."""
        position = bisect_left(self._names, name)
        if position == len(self._names) or self._names[position] != name:
            raise KeyError(name)
        return position

    def _all(self) -> dict[str, int]:
        """Returns the table of all names."""
        if self._table is None:
            self._table = {name: position for position, name in enumerate(self._names)}
        return self._table
