"""Conversion of Spark columns to predicate trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql import Column

from ..lake.read.predicate import MIRRORED, And, Anything, Comparison, In, Like, Not, NullTest, Or, Tree
from ..lake.read.sql import parse_sql, settings_decide
from ..lake.read.sql_text import is_plain
from ..lake.read.times import parse_time

#: Each node costs a call to the JVM.
_MOST_NODES = 1000


def parse_column(column: Column, zone: str = "UTC") -> Tree:
    """Returns the tree of a predicate; what is not understood is `Anything`: all of it for a column of Spark Connect.

    ``zone`` is the session's: of times without one in parts that are SQL text.
    """
    java = getattr(column, "_jc", None)
    if java is None:
        return Anything(str(column))
    try:
        return _Reader(zone).tree(java.node())
    except (Py4JError, _TooLargeError):
        return Anything(str(column))


class _TooLargeError(Exception):
    """The expression has too many nodes."""


class _Reader:
    """Reads the JVM's expression nodes."""

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self._nodes = 0

    def tree(self, node: Any) -> Tree:
        """Returns the tree of a node with a truth value."""
        kind = self._kind(node)
        if kind == "SqlExpression":
            text = str(node.expression())
            return Anything(text) if settings_decide(text) else parse_sql(text, self._zone)
        if kind == "UnresolvedAttribute":
            return Comparison(_name(node), "=", True)
        found = None
        if kind == "UnresolvedFunction":
            arguments = _items(node.arguments())
            if build := _CONNECTIVES.get(node.functionName()):
                return build([self.tree(argument) for argument in arguments])
            found = self._leaf(node.functionName(), arguments)
        return Anything(str(node.sql())) if found is None else found

    def _leaf(self, function: str, arguments: Sequence[Any]) -> Tree | None:
        if len(arguments) == 2 and self._kind(arguments[0]) == "Literal" and function in MIRRORED:
            function, arguments = MIRRORED[function], arguments[::-1]
        if not arguments or self._kind(arguments[0]) != "UnresolvedAttribute":
            return None
        if any(self._kind(argument) != "Literal" for argument in arguments[1:]):
            return None
        name = _name(arguments[0])
        values = [_value(argument.value()) for argument in arguments[1:]]
        if any(isinstance(value, _Unknown) for value in values):
            return None
        return _tree_of(function, name, values)

    def _kind(self, node: Any) -> str:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise _TooLargeError
        return str(node.getClass().getSimpleName())


def _tree_of(function: str, name: tuple[str, ...], values: list[Any]) -> Tree | None:
    match function, values:
        case (("=" | "!=" | "<" | "<=" | ">" | ">="), [value]):
            return Comparison(name, function, value)
        case "<=>", [None]:
            return NullTest(name)
        case "<=>", [value]:
            return And((Not(NullTest(name)), Comparison(name, "=", value)))
        case "in", _:
            return In(name, tuple(values))
        case "isNull", []:
            return NullTest(name)
        case "isNotNull", []:
            return Not(NullTest(name))
        case "like", [str(pattern)] if "\\" not in pattern:
            return Like(name, pattern)
        case "startswith", [str(prefix)] if not set(prefix) & set("%_\\"):
            return Like(name, f"{prefix}%")
        case _:
            return None


class _Unknown:
    """The marker of a literal of an unknown class."""


def _value(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | Decimal | str | bytes):
        return value if is_plain(value) else _Unknown()
    match str(value.getClass().getName()):
        case "java.sql.Date":
            text = value.toLocalDate().toString()
        case "java.time.LocalDate":
            text = value.toString()
        case "java.sql.Timestamp":
            return parse_time(_microseconds(value.toInstant().toString()), "UTC") or _Unknown()
        case "java.time.Instant":
            return parse_time(_microseconds(value.toString()), "UTC") or _Unknown()
        case _:
            return _Unknown()
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _Unknown()


def _microseconds(instant: str) -> str:
    """Returns the instant as text with at most six digits of a second."""
    whole, dot, digits = instant.removesuffix("Z").partition(".")
    return f"{whole}{dot}{digits[:6]}Z"


def _name(node: Any) -> tuple[str, ...]:
    return tuple(str(part) for part in _items(node.nameParts()))


def _items(sequence: Any) -> list[Any]:
    return [sequence.apply(index) for index in range(sequence.size())]


_CONNECTIVES: dict[str, Callable[[list[Tree]], Tree]] = {
    "and": lambda parts: And(tuple(parts)),
    "or": lambda parts: Or(tuple(parts)),
    "!": lambda parts: Not(parts[0]),
    "not": lambda parts: Not(parts[0]),
}
