"""Sort options of one column."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SortOptions:
    """Sort order of one column.

    Attributes:
        descending: greater values come first.
        nulls_first: nulls come before all values, in both directions.

    Raises:
        TypeError: an option is not a bool.
    """

    descending: bool = False
    nulls_first: bool = True

    def __post_init__(self) -> None:
        for name in ("descending", "nulls_first"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name}: a bool is needed, not {getattr(self, name)!r}")
