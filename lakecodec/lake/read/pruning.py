"""Data skipping by bounds: False only where statistics of a file or row group prove that no row matches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from .predicate import And, Bound, Compare, Constant, Name, NullCheck, OneOf, Or, Prefix, is_float


@dataclass(frozen=True, slots=True)
class Known:
    """Statistics of a column; None where unknown.

    Attributes:
        low: lower bound of the values.
        high: upper bound of the values other than NaN.
        nulls: number of nulls.
        rows: number of rows of the file or row group.
        with_nan: False if no value is NaN.
    """

    low: Any = None
    high: Any = None
    nulls: int | None = None
    rows: int | None = None
    with_nan: bool = True

    @property
    def no_value(self) -> bool:
        """True if all values are known to be null."""
        return self.nulls is not None and self.nulls == self.rows


#: A lookup of a column's statistics by its path; None if unknown.
Lookup: TypeAlias = Callable[[Name], "Known | None"]


def may_match(tree: Bound, lookup: Lookup) -> bool:
    """Returns False if the statistics exclude every row for which ``tree`` is true, else True."""
    match tree:
        case And(parts):
            return all(may_match(part, lookup) for part in parts)
        case Or(parts):
            return any(may_match(part, lookup) for part in parts)
        case Constant(value):
            return value
        case Compare(path=path) | OneOf(path=path) | Prefix(path=path) | NullCheck(path=path):
            known = lookup(path)
            return known is None or _may(tree, known)
        case _:
            return True


def _may(leaf: Any, known: Known) -> bool:
    match leaf:
        case NullCheck(path, is_null):
            # Writers differ in whether the fields of a null struct count as nulls.
            return len(path) > 1 or (known.nulls != 0 if is_null else not known.no_value)
        case Prefix():
            return not known.no_value and _may_begin(leaf, known.low, known.high)
        case OneOf(_, _, values):
            return not known.no_value and any(_within(value, known.low, known.high) for value in values)
        case _:
            return not known.no_value and may_compare(leaf, known)


def _may_begin(leaf: Prefix, low: str | None, high: str | None) -> bool:
    prefix = leaf.prefix
    if leaf.negated:
        return low is None or high is None or not (low.startswith(prefix) and high.startswith(prefix))
    return (low is None or low[: len(prefix)] <= prefix) and (high is None or high >= prefix)


def may_compare(leaf: Compare, known: Known) -> bool:
    """Returns False if bounds exclude every value for which a comparison is true, else True."""
    low, high = known.low, known.high
    if leaf.as_double:
        low, high = as_double(low, -math.inf), as_double(high, math.inf)
    value, operator = leaf.value, leaf.operator
    if is_float(leaf.type) and known.with_nan and not leaf.without_nan and operator in (">", ">=", "!="):
        # NaN is above all numbers, and bounds need not include it.
        return True
    match operator:
        case "=":
            return _within(value, low, high)
        case "!=":
            return low is None or high is None or not low == high == value
        case "<":
            return low is None or bool(low < value)
        case "<=":
            return low is None or bool(low <= value)
        case ">":
            return high is None or bool(high > value)
        case _:
            return high is None or bool(high >= value)


def _within(value: Any, low: Any, high: Any) -> bool:
    return (low is None or bool(low <= value)) and (high is None or bool(value <= high))


def as_double(bound: Any, beyond: float) -> float | None:
    """Returns a bound as a double that still bounds all values, however a cast rounds; None if it means nothing."""
    if bound is None or isinstance(bound, float):
        return None if bound is None or math.isnan(bound) else bound
    try:
        found = float(bound)
        return found if found == bound else math.nextafter(found, beyond)
    except OverflowError:
        return None
