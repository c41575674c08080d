"""Writer of predicates and literals as Spark SQL."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from .predicate import And, Anything, Comparison, Constant, In, Like, Not, NullTest, Or, Tree

#: The largest size of numbers in a column.
_LARGEST_EXPONENT = 400


def to_sql(tree: Tree) -> str:
    """Returns the predicate as text that `parse_sql` reads back.

    ``Anything`` becomes TRUE, so it must not be below a `Not`; `positive` ensures that.
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
            return f"{_name(name)} {operator} {literal(value)}"
        case In(name, values):
            return f"{_name(name)} IN ({', '.join(map(literal, values))})"
        case Like(name, pattern):
            return f"{_name(name)} LIKE {literal(pattern)}"
        case NullTest(name):
            return f"{_name(name)} IS NULL"


def literal(value: Any) -> str:
    """Returns a value as a Spark SQL literal of its type."""
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


def is_plain(value: Any) -> bool:
    """Returns True if a value has an exact form as text that is not excessively long."""
    if isinstance(value, float):
        return value - value == 0  # neither NaN nor infinite
    if isinstance(value, Decimal):
        return value.is_finite() and abs(value.adjusted()) <= _LARGEST_EXPONENT
    return value is None or isinstance(value, bool | int | str | bytes | date)


def _name(name: tuple[str, ...]) -> str:
    return ".".join("`" + part.replace("`", "``") + "`" for part in name)
