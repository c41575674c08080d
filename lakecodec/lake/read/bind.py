"""Binding of written predicates to a schema: names are resolved, and values are cast to the columns' types as in Spark.

If Spark's rules for two types are uncertain, the part becomes `Anything`: Spark decides it, and it excludes nothing
here.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, cast
from zoneinfo import ZoneInfo

import pyarrow as pa

from ...runtime.arrow_variant import VariantType
from ...variant.parts import PRESENCE
from .predicate import (
    NEGATED,
    And,
    Anything,
    Bound,
    Compare,
    Comparison,
    Constant,
    In,
    Like,
    Name,
    Not,
    NullCheck,
    NullTest,
    OneOf,
    Operator,
    Or,
    Prefix,
    Tree,
    conjunction,
    disjunction,
    is_float,
    positive,
)
from .sql_text import to_sql
from .times import instant, parse_time, wall_time
from .variant_parts import NUMBER, WHOLE, Part

_NEVER = Constant(False)


def bind(tree: Tree, schema: pa.Schema, zone: str = "UTC") -> Bound:
    """Returns the predicate bound to the columns of ``schema``.

    Args:
        tree: the predicate as it was written.
        schema: schema of the table.
        zone: the session's time zone, for texts and dates that are compared with instants.
    """
    return _excluding_nan(_bind(positive(tree), schema, zone))


def _bind(tree: Any, schema: pa.Schema, zone: str) -> Bound:
    match tree:
        case And(parts):
            return cast("Bound", conjunction([_bind(part, schema, zone) for part in parts]))
        case Or(parts):
            return cast("Bound", disjunction([_bind(part, schema, zone) for part in parts]))
        case Constant() | Anything():
            return tree
        case Not(part):
            return _leaf(part, schema, zone, negate=True)
        case _:
            return _leaf(tree, schema, zone, negate=False)


def _leaf(leaf: Any, schema: pa.Schema, zone: str, *, negate: bool) -> Bound:
    if (part := find_part(schema, leaf.name)) is not None:
        return _of_variant(leaf, part, zone, negate=negate) or _unknown(leaf)
    found = find_column(schema, leaf.name)
    if found is not None:
        path, kind = found
        match leaf:
            case NullTest():
                return NullCheck(path, not negate)
            case Comparison(_, operator, value):
                return _compare(path, kind, NEGATED[operator] if negate else operator, value, zone) or _unknown(leaf)
            case In(_, values):
                return _in(path, kind, values, zone, negate=negate) or _unknown(leaf)
            case Like(_, pattern) if pa.types.is_string(kind):
                return _like(path, kind, pattern, negate=negate) or _unknown(leaf)
    return _unknown(leaf)


def _of_variant(leaf: Any, part: tuple[Name, tuple[str, ...]], zone: str, *, negate: bool) -> Bound | None:
    """Returns a comparison with a variant's part: values of another kind than the literal's match nothing."""
    match leaf:
        case NullTest():
            return NullCheck((Part(*part, PRESENCE).name,), not negate)
        case Comparison(_, operator, value):
            return _compare_part(part, NEGATED[operator] if negate else operator, value, zone)
        case In(_, values):
            if negate and None in values:
                return _NEVER
            found = [_compare_part(part, "!=" if negate else "=", value, zone) for value in values if value is not None]
            if not found or None in found:
                return None if found else _NEVER
            return cast("Bound", conjunction(list(found)) if negate else disjunction(list(found)))
        case Like(_, pattern):
            return _like((Part(*part, pa.string()).name,), pa.string(), pattern, negate=negate)
    return None


def _compare_part(part: tuple[Name, tuple[str, ...]], operator: Operator, value: Any, zone: str) -> Bound | None:
    kinds: dict[type, Any] = {bool: pa.bool_(), str: pa.string(), bytes: pa.binary(), date: pa.date32()}
    if isinstance(value, datetime):
        kinds[type(value)] = pa.timestamp("us", None if value.tzinfo is None else "UTC")
    kind = kinds.get(type(value))
    if kind is not None:
        return _compare((Part(*part, kind).name,), kind, operator, value, zone)
    whole, number = (Part(*part, each).name for each in (WHOLE, NUMBER))
    exact, rounded = (
        _compare((name,), kind, operator, value, zone) for name, kind in ((whole, WHOLE), (number, NUMBER))
    )
    if exact is None or rounded is None:
        return None
    # Whole numbers are compared as integers, others as doubles.
    return exact if exact is rounded else Or((exact, And((NullCheck((whole,), True), rounded))))


def find_column(schema: pa.Schema, name: Name) -> tuple[Name, Any] | None:
    """Returns (path in the schema's spelling, type) of a column or struct field; None if there is none.

    The case of names is ignored, as in Spark, but an exact match is preferred.
    """
    path: list[str] = []
    fields: list[Any] = list(schema)
    for part in name:
        field = next((field for field in fields if field.name == part), None) or next(
            (field for field in fields if field.name.lower() == part.lower()), None
        )
        if field is None:
            return None
        path.append(field.name)
        kind = field.type
        fields = [kind.field(index) for index in range(kind.num_fields)] if pa.types.is_struct(kind) else []
    return tuple(path), kind


def find_part(schema: pa.Schema, name: Name) -> tuple[Name, tuple[str, ...]] | None:
    """Returns (path of a variant column, steps behind it); None for other names."""
    for end in range(1, len(name)):
        found = find_column(schema, name[:end])
        if found is not None and isinstance(found[1], VariantType):
            return found[0], name[end:]
    return None


def _unknown(leaf: Any) -> Anything:
    return Anything(to_sql(leaf))


def _compare(path: Name, kind: Any, operator: Operator, value: Any, zone: str) -> Bound | None:
    if value is None:
        return _NEVER
    if isinstance(value, float) and math.isnan(value):
        return None
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        if isinstance(value, float):
            return Compare(path, kind, operator, value, as_double=True)
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            return None
        return _on_grid(path, kind, operator, Decimal(value))
    typed = _typed(kind, value, zone)
    return None if typed is None else Compare(path, kind, operator, typed, as_double=is_float(kind))


def _typed(kind: Any, value: Any, zone: str) -> Any:
    """Returns ``value`` in the type of a column; None if Spark's rule for the two types is uncertain."""
    types = pa.types
    if is_float(kind):
        return _double(kind, value)
    if types.is_boolean(kind):
        return value if isinstance(value, bool) else None
    if types.is_string(kind):
        return value if isinstance(value, str) else None
    if types.is_binary(kind):
        return value if isinstance(value, bytes) else None
    if types.is_date(kind):
        return _date(value)
    if types.is_timestamp(kind):
        return _instant(value, zone) if kind.tz is not None else _wall_time(value, zone)
    return None


def _double(kind: Any, value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if pa.types.is_float32(kind) and isinstance(value, int) and abs(value) > _EXACT_FLOAT:
        return None  # depending on its settings, Spark compares as float
    try:
        return float(value)
    except OverflowError:
        return None


#: The largest number up to which all whole numbers are float32 values.
_EXACT_FLOAT = 1 << 24


def _date(value: Any) -> date | None:
    if isinstance(value, str):
        moment = parse_time(value, "UTC") if len(value) == len("2024-01-01") else None
        return None if moment is None else moment.date()
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def _instant(value: Any, zone: str) -> datetime | None:
    if isinstance(value, str):
        return parse_time(value, zone)
    if isinstance(value, datetime):
        return instant(value, zone)
    return instant(datetime.combine(value, time()), zone) if isinstance(value, date) else None


def _wall_time(value: Any, zone: str) -> datetime | None:
    """Returns the wall time that a timestamp_ntz is compared with; None for other values.

    Spark casts a text to timestamp_ntz, and compares instants in the session's zone.
    """
    if isinstance(value, str):
        moment = wall_time(value)
        return moment if moment is not None and moment.tzinfo is None else None
    if isinstance(value, datetime):
        return value if value.tzinfo is None else _as_wall_time(value, zone)
    return datetime.combine(value, time()) if isinstance(value, date) else None


def _as_wall_time(moment: datetime, zone: str) -> datetime | None:
    """Returns the wall time of an instant; None near a change of clocks, where wall times and instants differ in order."""
    try:
        around = [(moment + timedelta(days=days)).astimezone(ZoneInfo(zone)) for days in (-2, 0, 2)]
    except (KeyError, ValueError, OverflowError, OSError):
        return None
    return around[1].replace(tzinfo=None) if len({each.utcoffset() for each in around}) == 1 else None


def _on_grid(path: Name, kind: Any, operator: Operator, value: Decimal) -> Bound:
    """Returns a comparison with a value of the column's precision; other values are between two of those, or beyond all."""
    scale, limit = (kind.scale, 10**kind.precision) if pa.types.is_decimal(kind) else (0, 1 << (kind.bit_width - 1))
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    if len(digits) + abs(exponent) > _MOST_DIGITS:
        return Anything(str(value))
    unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
    shift = exponent + scale
    steps, rest = (unscaled * 10**shift, 0) if shift >= 0 else divmod(unscaled, 10**-shift)
    if rest:
        if operator in ("=", "!="):
            return _NEVER if operator == "=" else NullCheck(path, False)
        # ``steps`` is the next lower value of the type.
        operator, steps = (">", steps) if operator in (">", ">=") else ("<", steps + 1)
    least = -limit + 1 if pa.types.is_decimal(kind) else -limit
    if not least <= steps < limit:
        always = {"!="} | ({"<", "<="} if steps > 0 else {">", ">="})
        return NullCheck(path, False) if operator in always else _NEVER
    found = Decimal((int(steps < 0), tuple(map(int, str(abs(steps)))), -scale)) if pa.types.is_decimal(kind) else steps
    return Compare(path, kind, operator, found)


#: The largest number of digits of decimals: with more there is no column to compare with.
_MOST_DIGITS = 400


def _in(path: Name, kind: Any, values: tuple[Any, ...], zone: str, *, negate: bool) -> Bound | None:
    if negate and any(value is None for value in values):
        return _NEVER
    # Spark first converts all values to one common type.
    given = {type(value) for value in values if value is not None}
    if len(given) > 1 and not given <= ({int, Decimal, float} if is_float(kind) else {int, Decimal}):
        return None
    if negate and str in given and pa.types.is_timestamp(kind):
        return None  # depending on its settings, Spark compares texts, and fewer are equal
    parts = [_compare(path, kind, "!=" if negate else "=", value, zone) for value in values if value is not None]
    found = [part for part in parts if part is not None]
    if len(found) != len(parts):
        return None
    if negate:
        return cast("Bound", conjunction(list(found))) if found else _NEVER
    compared = [part for part in found if isinstance(part, Compare)]
    if compared and not any(part.as_double for part in compared):
        return OneOf(path, kind, tuple(part.value for part in compared))
    return cast("Bound", disjunction(list(found))) if found else _NEVER


def _like(path: Name, kind: Any, pattern: str, *, negate: bool) -> Bound | None:
    prefix = pattern.removesuffix("%")
    if any(mark in prefix for mark in "%_\\"):
        return None
    if prefix == pattern:
        return Compare(path, kind, "!=" if negate else "=", pattern)
    return Prefix(path, prefix, negate)


def _excluding_nan(tree: Bound) -> Bound:
    """Marks comparisons in an `And` whose other parts have an upper bound and so exclude NaN, the largest number."""
    if isinstance(tree, Or):
        return Or(tuple(_excluding_nan(part) for part in tree.parts))
    if not isinstance(tree, And):
        return tree
    flat = _flattened(tree)
    below = {part.path for part in flat if isinstance(part, Compare) and _keeps_nan_away(part)}
    return And(
        tuple(
            replace(part, without_nan=True)
            if isinstance(part, Compare) and part.path in below
            else _excluding_nan(part)
            for part in flat
        )
    )


def _keeps_nan_away(part: Compare) -> bool:
    return is_float(part.type) and part.operator in ("=", "<", "<=")


def _flattened(tree: And) -> list[Any]:
    found: list[Any] = []
    for part in tree.parts:
        found += _flattened(part) if isinstance(part, And) else [part]
    return found
