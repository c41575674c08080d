"""Predicates as text: the part of Spark SQL that is understood here, and back."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

from lark import Lark, Transformer
from lark.exceptions import LarkError

from .predicate import (
    MIRRORED,
    NEGATED,
    And,
    Anything,
    Comparison,
    Constant,
    In,
    Like,
    Not,
    NullTest,
    Operator,
    Or,
    Tree,
    conjunction,
    disjunction,
)

_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(?:Z|[+-]\d\d:\d\d)?")
#: Deeper texts would exhaust Python's stack.
_LONGEST = 1 << 20
#: No column has larger numbers.
_LARGEST_EXPONENT = 400


class _Value:
    """A literal, told apart from the trees that stand in its place elsewhere."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Column(tuple[str, ...]):
    """The parts of a column's name."""

    __slots__ = ()


def parse_sql(text: str, zone: str = "UTC") -> Tree:
    """The tree of a predicate; what is not understood is `Anything`, at worst all of it.

    Args:
        text: in Spark SQL.
        zone: the session's time zone: of times without one.
    """
    if len(text) > _LONGEST:
        return Anything(f"{text[:60]}...")
    try:
        return _tree(_Builder(zone).transform(_grammar().parse(text)))
    except (LarkError, RecursionError):
        return Anything(text)


def parse_time(text: str, zone: str) -> datetime | None:
    """A time in ISO 8601 as Spark reads it: with the session's zone where it has none. None for other texts."""
    moment = _wall_time(text)
    if moment is None:
        return None
    try:
        return (moment.replace(tzinfo=ZoneInfo(zone)) if moment.tzinfo is None else moment).astimezone(UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def is_plain(value: Any) -> bool:
    """Whether a value has an exact form as text that is not excessively long."""
    if isinstance(value, float):
        return value - value == 0  # neither NaN nor infinite
    if isinstance(value, Decimal):
        return value.is_finite() and abs(value.adjusted()) <= _LARGEST_EXPONENT
    return value is None or isinstance(value, bool | int | str | bytes | date)


def to_sql(tree: Tree) -> str:
    """The predicate as text that `parse_sql` reads back.

    ``Anything`` becomes TRUE, so that it must not be below a `Not`; `positive` sees to that.
    """
    match tree:
        case And(parts):
            return "(" + " AND ".join(map(to_sql, parts)) + ")"
        case Or(parts):
            return "(" + " OR ".join(map(to_sql, parts)) + ")"
        case Not(part):
            return f"(NOT {to_sql(part)})"
        case Constant(value):
            return "TRUE" if value else "FALSE"
        case Anything():
            return "TRUE"
        case Comparison(name, operator, value):
            return f"{_name_text(name)} {operator} {_literal_text(value)}"
        case In(name, values):
            return f"{_name_text(name)} IN ({', '.join(map(_literal_text, values))})"
        case Like(name, pattern):
            return f"{_name_text(name)} LIKE {_literal_text(pattern)}"
        case NullTest(name):
            return f"{_name_text(name)} IS NULL"


def positive(tree: Tree, negate: bool = False) -> Tree:
    """The same predicate with negations at its leaves alone; the negation of what only Spark can decide is such, too."""
    match tree:
        case Not(part):
            return positive(part, not negate)
        case And(parts) | Or(parts):
            join = conjunction if isinstance(tree, And) is not negate else disjunction
            return cast("Tree", join([positive(part, negate) for part in parts]))
        case Anything():
            return tree
        case Constant(value):
            return Constant(value is not negate)
        case Comparison(name, operator, value) if negate:
            return Comparison(name, NEGATED[operator], value)
        case _:
            return Not(tree) if negate else tree


@cache
def _grammar() -> Lark:
    grammar = Path(__file__).with_name("sql.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False)


def _tree(item: Any) -> Tree:
    """What stands where a truth value is needed."""
    if isinstance(item, _Column):
        return Comparison(tuple(item), "=", True)
    if isinstance(item, _Value):
        return Constant(item.value) if isinstance(item.value, bool) else Anything(_literal_text(item.value))
    return cast("Tree", item)


def _show(*items: Any) -> Anything:
    return Anything(" ".join(_shown(item) for item in items))


def _shown(item: Any) -> str:
    if isinstance(item, _Column):
        return ".".join(item)
    if isinstance(item, _Value):
        return _literal_text(item.value)
    return item.text if isinstance(item, Anything) else str(item)


class _Builder(Transformer[Any, Any]):
    """Builds trees from the bottom up; values and columns that no tree is made of end as `Anything`."""

    def __init__(self, zone: str) -> None:
        super().__init__()
        self._zone = zone

    def or_(self, items: list[Any]) -> Any:
        return Or(tuple(_tree(item) for item in items[::2]))

    def and_(self, items: list[Any]) -> Any:
        return And(tuple(_tree(item) for item in items[::2]))

    def not_(self, items: list[Any]) -> Any:
        return Not(_tree(items[1]))

    def comparison(self, items: list[Any]) -> Any:
        left, sign, right = items
        operator = cast("Operator", {"==": "=", "<>": "!="}.get(str(sign), str(sign)))
        if isinstance(left, _Value) and isinstance(right, _Column):
            left, right, operator = right, left, MIRRORED.get(operator, operator)
        if not isinstance(left, _Column) or not isinstance(right, _Value):
            return _show(left, sign, right)
        name = tuple(left)
        if str(sign) != "<=>":
            return Comparison(name, operator, right.value)
        if right.value is None:
            return NullTest(name)
        return And((Not(NullTest(name)), Comparison(name, "=", right.value)))

    def is_null(self, items: list[Any]) -> Any:
        return NullTest(tuple(items[0])) if isinstance(items[0], _Column) else _show(items[0], "IS NULL")

    def is_not_null(self, items: list[Any]) -> Any:
        return Not(NullTest(tuple(items[0]))) if isinstance(items[0], _Column) else _show(items[0], "IS NOT NULL")

    def in_(self, items: list[Any]) -> Any:
        column, _, *values = items
        if not isinstance(column, _Column) or not all(isinstance(value, _Value) for value in values):
            return _show(column, "IN ...")
        return In(tuple(column), tuple(value.value for value in values))

    def not_in(self, items: list[Any]) -> Any:
        column, _, *rest = items
        return Not(self.in_([column, *rest]))

    def between(self, items: list[Any]) -> Any:
        value, _, low, _, high = items
        return And((self.comparison([value, ">=", low]), self.comparison([value, "<=", high])))

    def not_between(self, items: list[Any]) -> Any:
        value, _, *rest = items
        return Not(self.between([value, *rest]))

    def like(self, items: list[Any]) -> Any:
        column, *_, pattern = items
        if not isinstance(column, _Column) or not isinstance(pattern, _Value) or not isinstance(pattern.value, str):
            return _show(column, "LIKE", pattern)
        return Like(tuple(column), pattern.value)

    def not_like(self, items: list[Any]) -> Any:
        return Not(self.like(items))

    def arithmetic(self, items: list[Any]) -> Any:
        return _show(*items)

    def signed(self, items: list[Any]) -> Any:
        sign, item = items
        if isinstance(item, _Value) and isinstance(item.value, int | float | Decimal):
            return item if sign == "+" else _Value(_negated(item.value))
        return _show(sign, item)

    def column(self, items: list[Any]) -> Any:
        return items[0]

    def call(self, items: list[Any]) -> Any:
        return Anything(f"{'.'.join(items[0])}({', '.join(_shown(item) for item in items[1:])})")

    def name(self, items: list[Any]) -> Any:
        return _Column(part[1:-1].replace("``", "`") if part[0] == "`" else str(part) for part in items)

    def number(self, items: list[Any]) -> Any:
        text = str(items[0]).lower()
        digits = text.rstrip("bdl")
        if text.endswith("bd"):
            value: Any = Decimal(digits)
        elif text.endswith("d") or "e" in text:
            value = float(digits)
        else:
            value = Decimal(digits) if "." in digits else int(digits)
        if not is_plain(value):
            raise ValueError(f"not a number of any type: {text}")
        return _Value(value)

    def text(self, items: list[Any]) -> Any:
        return _Value(re.sub(r"\\(.)", r"\1", items[0][1:-1]))

    def date(self, items: list[Any]) -> Any:
        return _Value(date.fromisoformat(_iso(items[1])))

    def timestamp(self, items: list[Any]) -> Any:
        moment = parse_time(items[1][1:-1], self._zone)
        if moment is None:
            raise ValueError(f"not a time: {items[1]}")
        return _Value(moment)

    def timestamp_ntz(self, items: list[Any]) -> Any:
        moment = _wall_time(items[1][1:-1])
        if moment is None or moment.tzinfo is not None:
            raise ValueError(f"not a time: {items[1]}")
        return _Value(moment)

    def binary(self, items: list[Any]) -> Any:
        return _Value(bytes.fromhex(items[0][2:-1]))

    def true(self, _: list[Any]) -> Any:
        return _Value(True)

    def false(self, _: list[Any]) -> Any:
        return _Value(False)

    def null(self, _: list[Any]) -> Any:
        return _Value(None)


def _iso(token: str) -> str:
    if not re.fullmatch(r"'\d{4}-\d\d-\d\d'", token):
        raise ValueError(f"not a date: {token}")
    return token[1:-1]


def _wall_time(text: str) -> datetime | None:
    if not _TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _name_text(name: tuple[str, ...]) -> str:
    return ".".join("`" + part.replace("`", "``") + "`" for part in name)


def _literal_text(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value)
        case float():
            return f"{value!r}D"
        case Decimal():
            return f"{value:f}BD"
        case str():
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        case bytes():
            return f"X'{value.hex()}'"
        case datetime():
            kind = "TIMESTAMP_NTZ" if value.tzinfo is None else "TIMESTAMP"
            return f"{kind}'{value.isoformat()}'"
        case _:
            return f"DATE'{value.isoformat()}'"


def _negated(value: Any) -> Any:
    # A minus would round decimals to the digits of the context.
    return value.copy_negate() if isinstance(value, Decimal) else -value
