"""Functions of SQL with the same results as in Spark; times are in UTC."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .casts import Refused, cast_to

#: Spark's date patterns that do not depend on the locale, with their ``strftime`` equivalents.
_PATTERNS = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}
_SEPARATORS = frozenset("-/ :_.")


def _part(kernel: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns a function for a part of a date or time, an int as in Spark."""

    def part(value: Any) -> Any:
        return pc.cast(kernel(cast_to(value, "date") if pa.types.is_string(value.type) else value), pa.int32())

    return part


def _date_format(value: Any, pattern: Any) -> Any:
    left, found = pattern.as_py() if isinstance(pattern, pa.Scalar) else "", ""
    while left:
        name = next((name for name in _PATTERNS if left.startswith(name)), None)
        if name is None and left[0] not in _SEPARATORS:
            break
        found += _PATTERNS[name] if name else left[0]
        left = left[len(name or left[0]) :]
    if left or not found or not (pa.types.is_timestamp(value.type) or pa.types.is_date(value.type)):
        raise Refused("date_format with other than yyyy, MM, dd, HH, mm and ss")
    return pc.strftime(pc.cast(value, pa.timestamp("s", getattr(value.type, "tz", None)), safe=False), found)


def _substring(text: Any, start: Any, length: Any = None) -> Any:
    first = start.as_py() if isinstance(start, pa.Scalar) else None
    count = length.as_py() if isinstance(length, pa.Scalar) else None
    if first is None or first < 0 or (length is not None and (count is None or count < 0)):
        raise Refused("substring with other than positive numbers")
    begin = max(0, first - 1)  # characters count from 1; 0 means the same as 1
    return pc.utf8_slice_codeunits(text, begin, None if count is None else begin + count)


def _now() -> Any:
    return pa.scalar(datetime.now(UTC), pa.timestamp("us", "UTC"))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "coalesce": pc.coalesce,
    "upper": pc.utf8_upper,
    "lower": pc.utf8_lower,
    "length": pc.utf8_length,
    "trim": lambda text: pc.utf8_trim(text, " "),
    "concat": lambda *texts: pc.binary_join_element_wise(*texts, "", null_handling="emit_null"),
    "if": lambda test, yes, no: pc.if_else(pc.coalesce(test, False), yes, no),
    "nullif": lambda value, other: pc.if_else(pc.coalesce(pc.equal(value, other), False), None, value),
    "abs": pc.abs_checked,
    "substring": _substring,
    "substr": _substring,
    **{name: _part(getattr(pc, name)) for name in ("year", "quarter", "month", "day", "hour", "minute", "second")},
    "dayofmonth": _part(pc.day),
    "date": lambda value: cast_to(value, "date"),
    "to_date": lambda value: cast_to(value, "date"),
    "date_format": _date_format,
    "current_timestamp": _now,
    "now": _now,
    "current_date": lambda: cast_to(_now(), "date"),
}
