"""Sort keys as callers write them: ``"a"``, ``"-a"``, ``("a", "descending")`` or ``("a", SortOptions(...))``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from .options import SortOptions

Direction: TypeAlias = Literal["ascending", "descending"]
Placement: TypeAlias = Literal["at_start", "at_end"]
SortKey: TypeAlias = "str | tuple[str, Direction] | tuple[str, Direction, Placement] | tuple[str, SortOptions]"
SortKeys: TypeAlias = "str | Sequence[SortKey]"

_DIRECTIONS = ("ascending", "descending")
_PLACEMENTS = ("at_start", "at_end")


class ParsedKey(NamedTuple):
    """One sort key; ``nulls_first`` is None if the key does not set it."""

    name: str
    descending: bool
    nulls_first: bool | None

    @property
    def options(self) -> SortOptions:
        """Sort options of the key; nulls come first unless the key sets it."""
        return SortOptions(self.descending, self.nulls_first is not False)


def parse_sort_keys(keys: Any, *, argument: str = "sort_keys") -> list[ParsedKey]:
    """Returns a list of parsed keys, from one key or a list of keys.

    A name that begins with a hyphen is written as a pair: ``("-a", "ascending")``.

    Args:
        keys: the keys.
        argument: name of the argument in errors.

    Raises:
        TypeError: a key has the wrong type.
        ValueError: a direction or null placement is unknown.
    """
    if isinstance(keys, str) or _is_pair(keys):
        keys = [keys]
    if not isinstance(keys, Sequence) or isinstance(keys, bytes):
        raise TypeError(f"{argument}: a name or a list of keys is needed, not {type(keys).__name__}")
    return [_parsed(key, argument) for key in keys]


def _is_pair(keys: Any) -> bool:
    """Returns True for a single ``("a", "descending")``, which is not a list of two names."""
    return isinstance(keys, tuple) and len(keys) == 2 and (isinstance(keys[1], SortOptions) or keys[1] in _DIRECTIONS)


def _parsed(key: Any, argument: str) -> ParsedKey:
    if isinstance(key, str):
        return ParsedKey(key.removeprefix("-"), key.startswith("-"), None)
    if not isinstance(key, Sequence) or isinstance(key, bytes) or len(key) not in (2, 3) or not isinstance(key[0], str):
        raise TypeError(
            f"{argument}: 'name', '-name', (name, 'ascending' | 'descending') or (name, SortOptions) is needed, not {key!r}"
        )
    name, order, placement = (*key, None)[:3]
    if isinstance(order, SortOptions) and placement is None:
        return ParsedKey(name, order.descending, order.nulls_first)
    if order not in _DIRECTIONS:
        raise ValueError(f"{argument}: 'ascending' or 'descending' is needed, not {order!r}")
    return ParsedKey(name, order == "descending", placed_first(placement))


def placed_first(placement: Any) -> bool | None:
    """Returns whether nulls come first, None if ``placement`` is None.

    Raises:
        ValueError: ``placement`` is neither "at_start" nor "at_end".
    """
    if placement is not None and placement not in _PLACEMENTS:
        raise ValueError(f"null_placement: 'at_start' or 'at_end' is needed, not {placement!r}")
    return None if placement is None else bool(placement == "at_start")
