"""Types of text columns: the first candidate type whose spelling all values match."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_WHOLE = "-?(0|[1-9][0-9]*)"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
_ZONE = "(Z|[+-][0-9]{2}:?[0-9]{2})"

#: Candidate types with the spelling of their values, preferred first. Numbers with leading zeros are codes and stay text.
#: Whole numbers that neither int64 nor double can hold stay text, too.
_CANDIDATES: list[tuple[pa.DataType, str]] = [
    (pa.bool_(), "true|false"),
    (pa.int64(), _WHOLE),
    (pa.float64(), rf"-?(0|[1-9][0-9]{{0,14}})|{_WHOLE}(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)|nan|-?inf"),
    (pa.date32(), _DATE),
    (pa.timestamp("us"), _DATE + _TIME),
    (pa.timestamp("ns"), _DATE + _TIME),
    (pa.timestamp("us", "UTC"), _DATE + _TIME + _ZONE),
    (pa.timestamp("ns", "UTC"), _DATE + _TIME + _ZONE),
]
#: The number of values that are tested first, before all of them.
_SAMPLE = 16


class TextTypes:
    """Finds the types of text columns, batch by batch.

    Args:
        num_columns: number of columns.
    """

    def __init__(self, num_columns: int) -> None:
        self._open = [list(_CANDIDATES) for _ in range(num_columns)]
        self._empty = [True] * num_columns

    def add(self, batch: pa.RecordBatch) -> None:
        """Removes the candidate types that values of a batch do not match; nulls match any type."""
        for index, column in enumerate(batch.columns):
            values = column.drop_null()
            if not len(values):
                continue
            self._empty[index] = False
            self._open[index] = [
                candidate
                for candidate in self._open[index]
                if _fits(values[:_SAMPLE], *candidate) and _fits(values, *candidate)
            ]

    def types(self) -> list[pa.DataType]:
        """Returns the type of each column; string if no candidate is left, or all values are null."""
        return [
            pa.string() if empty or not candidates else candidates[0][0]
            for candidates, empty in zip(self._open, self._empty, strict=True)
        ]


def _fits(values: Any, type: pa.DataType, spelling: str) -> bool:
    """Returns True if all values match the pattern and can be cast to the type."""
    if not pc.all(pc.match_substring_regex(values, f"^(?:{spelling})$")).as_py():
        return False
    try:
        values.cast(type)
    except pa.ArrowInvalid:
        return False
    return True
