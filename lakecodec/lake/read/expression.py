"""Conversion of bound predicates to Arrow expressions, with Spark's rules for NaN and null."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .predicate import And, Bound, Compare, Constant, NullCheck, OneOf, Or, Prefix, is_float


def expression(tree: Bound) -> pc.Expression:
    """Returns the Arrow expression of a bound predicate; parts that only Spark can decide are true."""
    match tree:
        case And(parts):
            return reduce(lambda left, right: left & right, map(expression, parts))
        case Or(parts):
            return reduce(lambda left, right: left | right, map(expression, parts))
        case Constant(value):
            return pc.scalar(value)
        case Compare():
            return _comparison(tree)
        case OneOf(path, kind, values):
            return pc.field(*path).isin(pa.array(values, kind))
        case Prefix(path, prefix, negated):
            begins = pc.starts_with(pc.field(*path), pattern=prefix)
            return ~begins if negated else begins
        case NullCheck(path, is_null):
            return pc.field(*path).is_null() if is_null else pc.field(*path).is_valid()
        case _:
            return pc.scalar(True)


def _comparison(leaf: Compare) -> pc.Expression:
    field = pc.field(*leaf.path)
    if not leaf.as_double:
        return _ordered(field, leaf.operator, pa.scalar(leaf.value, leaf.type))
    # Whole numbers beyond 2**53 are rounded, as Spark's cast rounds them. Arrow's cast of decimals is not exact.
    doubles = (field.cast(pa.string()) if pa.types.is_decimal(leaf.type) else field).cast(pa.float64(), safe=False)
    compared = _ordered(doubles, leaf.operator, pa.scalar(leaf.value, pa.float64()))
    nan_matches = is_float(leaf.type) and leaf.operator in (">", ">=")
    return compared | pc.is_nan(doubles) if nan_matches else compared


def _ordered(left: Any, operator: str, right: Any) -> pc.Expression:
    compared: pc.Expression = {
        "=": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]
    return compared
