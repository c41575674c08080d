"""Schemas as lists of elements, depth first: how elements, paths and columns belong together."""

from __future__ import annotations

from collections.abc import Sequence


def chain(children: Sequence[int], number: int) -> list[int]:
    """Returns the numbers of the elements from the root's child down to one.

    Args:
        children: how many children each element has; empty where all are leaves below the root.
        number: that of the element.
    """
    found = [number]
    # The number of subtrees that end before the last one found and wait for their parent.
    waiting = 0
    for each in range(number - 1, 0, -1) if children else ():
        if children[each] > waiting:
            found.append(each)
            waiting = 0
        else:
            waiting += 1 - children[each]
    return found[::-1]


def column(children: Sequence[int], number: int) -> int:
    """Returns the number of the column that a leaf is."""
    return children[1:number].count(0) if children else number - 1


def column_of(names: Sequence[str], children: Sequence[int], path: tuple[str, ...]) -> int:
    """Returns the number of the column that has a path.

    Raises:
        KeyError: there is none.
    """
    number = 0
    try:
        while True:
            number = names.index(path[-1], number + 1)
            if tuple(names[each] for each in chain(children, number)) == path and not (children and children[number]):
                return column(children, number)
    except ValueError:
        raise KeyError(f"columns: there is no {'.'.join(path)}") from None
