"""Proof by bounds that all rows of a file match: True only where statistics prove it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .predicate import NEGATED, And, Bound, Compare, Constant, NullCheck, OneOf, Or, Prefix, is_float
from .pruning import Known, Lookup, may_compare


def always_matches(tree: Bound, lookup: Lookup) -> bool:
    """Returns True if the statistics prove that ``tree`` is true for every row."""
    match tree:
        case And(parts):
            return all(always_matches(part, lookup) for part in parts)
        case Or(parts):
            return any(always_matches(part, lookup) for part in parts)
        case Constant(value):
            return value
        case Compare(path=path) | OneOf(path=path) | Prefix(path=path) | NullCheck(path=path) if len(path) == 1:
            known = lookup(path)
            return known is not None and _always(tree, known)
        case _:
            return False


def _always(leaf: Any, known: Known) -> bool:
    if isinstance(leaf, NullCheck):
        return known.no_value if leaf.is_null else known.nulls == 0
    low, high = known.low, known.high
    if known.nulls != 0 or low is None or high is None:
        return False
    match leaf:
        case Prefix(_, prefix, negated):
            return not negated and low.startswith(prefix) and high.startswith(prefix)
        case OneOf(_, _, values):
            return any(bool(low == value == high) for value in values)
        case _:
            # Bounds of floats need not include NaN.
            return not is_float(leaf.type) and not may_compare(replace(leaf, operator=NEGATED[leaf.operator]), known)
