"""Sort options of one column."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SortOptions:
    """Where a column's values and nulls stand.

    Attributes:
        descending: greater values first.
        nulls_first: nulls before all values, whatever ``descending`` says.
    """

    descending: bool = False
    nulls_first: bool = True

    def __post_init__(self) -> None:
        for name in ("descending", "nulls_first"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name}: a bool is needed, not {getattr(self, name)!r}")
