"""Parser of predicates in the supported part of Spark SQL."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, cast

from lark import Lark, Transformer
from lark.exceptions import LarkError, UnexpectedInput, UnexpectedToken

from .predicate import MIRRORED, And, Anything, Comparison, Constant, In, Like, Not, NullTest, Operator, Or, Tree
from .sql_text import is_plain, literal
from .times import parse_date, parse_time, wall_time

#: Tokens: names, with or without quotes, and texts.
_QUOTED = re.compile(r"`(?:[^`]|``)*`|'(?:[^']|'')*'")
#: Deeper texts would exhaust Python's stack.
_LONGEST = 1 << 20


class Literal:
    """A literal, as a type distinct from the trees that can replace it."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Column(tuple[str, ...]):
    """The parts of a column's name."""

    __slots__ = ()


def parse_sql(text: str, zone: str = "UTC") -> Tree:
    """Returns the tree of a predicate; parts that are not understood, at worst all of it, become `Anything`.

    Args:
        text: the predicate in Spark SQL.
        zone: the session's time zone, for times without one.
    """
    if len(text) > _LONGEST:
        return Anything(f"{text[:60]}...")
    try:
        return _tree(Builder(zone).transform(grammar().parse(text)))
    except (LarkError, RecursionError):
        return Anything(text)


def settings_decide(text: str) -> bool:
    """Returns True if a predicate has a backslash or a doubled quote in a text, whose meaning depends on Spark's settings.

    `parse_sql` reads them as Spark does by default.
    """
    return "\\" in text or any("''" in quoted[1:-1] for quoted in _QUOTED.findall(text) if quoted[0] == "'")


def not_understood(text: str) -> str:
    """Returns a text such as `not understood from column 5 on: '= 1'` if the grammar does not accept a text, else ""."""
    try:
        grammar().parse(text)
    except UnexpectedInput as error:
        at: int | None = error.pos_in_stream
        ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        if not ended and at is not None and 0 <= at < len(text):
            return f"not understood from column {at + 1} on: {text[at : at + 20]!r}"
        return "incomplete"
    except (LarkError, RecursionError):
        return ""
    return ""


@cache
def grammar() -> Lark:
    grammar = Path(__file__).with_name("sql.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False)


def _tree(item: Any) -> Tree:
    """Returns an item as a predicate; a bare column means that it is true."""
    if isinstance(item, _Column):
        return Comparison(tuple(item), "=", True)
    if isinstance(item, Literal):
        return Constant(item.value) if isinstance(item.value, bool) else Anything(literal(item.value))
    return cast("Tree", item)


def _show(*items: Any) -> Anything:
    return Anything(" ".join(_shown(item) for item in items))


def _shown(item: Any) -> str:
    if isinstance(item, _Column):
        return ".".join(item)
    if isinstance(item, Literal):
        return literal(item.value)
    return item.text if isinstance(item, Anything) else str(item)


class Builder(Transformer[Any, Any]):
    """A builder of trees from the bottom up; values and columns that form no tree become `Anything`."""

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
        if isinstance(left, Literal) and isinstance(right, _Column):
            left, right, operator = right, left, MIRRORED.get(operator, operator)
        if not isinstance(left, _Column) or not isinstance(right, Literal):
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
        if not isinstance(column, _Column) or not all(isinstance(value, Literal) for value in values):
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
        if not isinstance(column, _Column) or not isinstance(pattern, Literal) or not isinstance(pattern.value, str):
            return _show(column, "LIKE", pattern)
        return Like(tuple(column), pattern.value)

    def not_like(self, items: list[Any]) -> Any:
        return Not(self.like(items))

    def arithmetic(self, items: list[Any]) -> Any:
        return _show(*items)

    def signed(self, items: list[Any]) -> Any:
        sign, item = items
        if isinstance(item, Literal) and isinstance(item.value, int | float | Decimal):
            return item if sign == "+" else Literal(_negated(item.value))
        return _show(sign, item)

    def column(self, items: list[Any]) -> Any:
        return items[0]

    def cast_(self, items: list[Any]) -> Any:
        return Anything(f"CAST({_shown(items[1])} AS {items[3]})")

    def kind(self, items: list[Any]) -> Any:
        name, *sizes = (str(item).lower() for item in items)
        return f"{name}({','.join(sizes)})" if sizes else name

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
        return Literal(value)

    def text(self, items: list[Any]) -> Any:
        return Literal(re.sub(r"[\\'](['\\])", r"\1", items[0][1:-1]))

    def date(self, items: list[Any]) -> Any:
        return Literal(parse_date(items[1][1:-1]))

    def timestamp(self, items: list[Any]) -> Any:
        moment = parse_time(items[1][1:-1], self._zone)
        if moment is None:
            raise ValueError(f"not a time: {items[1]}")
        return Literal(moment)

    def timestamp_ntz(self, items: list[Any]) -> Any:
        moment = wall_time(items[1][1:-1])
        if moment is None or moment.tzinfo is not None:
            raise ValueError(f"not a time: {items[1]}")
        return Literal(moment)

    def binary(self, items: list[Any]) -> Any:
        return Literal(bytes.fromhex(items[0][2:-1]))

    def true(self, _: list[Any]) -> Any:
        return Literal(True)

    def false(self, _: list[Any]) -> Any:
        return Literal(False)

    def null(self, _: list[Any]) -> Any:
        return Literal(None)


def _negated(value: Any) -> Any:
    # A unary minus would round decimals to the context's digits.
    return value.copy_negate() if isinstance(value, Decimal) else -value
