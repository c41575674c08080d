"""The least depth and the least size of the values of a type, by which sampling ends soon."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

#: The height of a type whose values would nest without an end.
ENDLESS = 1000
#: The most structs, or fields of records, per value.
MOST_PARTS = 4000
_T = TypeVar("_T", bound=Hashable)


def least(
    start: _T, parts: Callable[[_T], Iterable[_T]], measure: Callable[[_T, Mapping[_T, int]], int], most: int
) -> dict[_T, int]:
    """Returns the least measures of a type and of all that it leads to, counted to a bound.

    Args:
        parts: gives the types that the measure of one depends on.
        measure: that of one, by those of its parts.
    """
    inside = {start: list(parts(start))}
    pending = [start]
    while pending:
        for each in inside[pending.pop()]:
            if each not in inside:
                inside[each] = list(parts(each))
                pending.append(each)
    found = dict.fromkeys(inside, most)
    changed = True
    while changed:
        changed = False
        for each in reversed(inside):
            now = min(most, measure(each, found))
            changed |= now != found[each]
            found[each] = now
    return found
