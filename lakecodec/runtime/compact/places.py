"""Values found by name in bytes; the twin of the native `_compact.Places`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any


class Places:
    """Values of one class at places in bytes.

    Args:
        codec: codec of the class.
        data: the bytes.
        names: names of the values; of equal names the last one counts.
        places: offsets of the values, for all names of the first group, then for those of the next.
        max_depth, max_elements: limits of each value.
    """

    def __init__(
        self,
        codec: Any,
        data: bytes,
        names: tuple[str, ...],
        places: array[int],
        max_depth: int,
        max_elements: int,
    ) -> None:
        self._codec, self._data, self._places = codec, data, places
        self._limits = max_depth, max_elements
        self._numbers = {name: number for number, name in enumerate(names)}
        self._starts = range(0, len(places), len(names) or 1)

    def named(self, names: Iterable[str]) -> list[Any] | None:
        """Returns the named values of one group after the other; None if a name is unknown."""
        numbers = [self._numbers.get(name) for name in names]
        return None if None in numbers else self.numbered(numbers)  # type: ignore[arg-type]

    def numbered(self, numbers: Iterable[int]) -> list[Any]:
        """Returns the same by the positions of names."""
        chosen = list(numbers)
        return [
            self._codec.decode(self._data, self._places[start + number], *self._limits, False, "strict")[0]
            for start in self._starts
            for number in chosen
        ]
