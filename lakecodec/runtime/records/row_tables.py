"""The tables that rows make, which drive native readers and writers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

from .rows import PlacedRow, RecordRow, TagRow

if TYPE_CHECKING:
    from .table import Expr, FieldTable, Table


def table_of(cls: Any) -> Table | None:
    """Returns the table that drives native readers and writers; None for records that tables cannot describe."""
    known = cls._known_table
    if known is None or known[0] is not cls:
        known = cls._known_table = (cls, _table(cls))
    table: Table | None = known[1]
    return table


def _table(cls: Any) -> Table | None:
    owner = next((base for base in cls.__mro__ if vars(base).get("__rows__")), cls)
    names = vars(sys.modules[owner.__module__])
    if cls.__kind__ == "variant" and not hasattr(cls, "kind"):
        return _choice(cls, names)
    body = cls._body
    if body is None:
        return None
    from .table import RecordTable

    rows = cls.__rows__
    steps = [_step(name, row, names) for name, row in rows.items() if type(row) is RecordRow]
    whole = {name: resolved(value, names) if name in _EXPRESSIONS else value for name, value in body.items()}
    if any(isinstance(row, TagRow) for row in rows.values()):
        whole["tag"] = resolved(cls._on, names)
    whole["nests"] = cls._nests
    placed = {name: row for name, row in rows.items() if type(row) is PlacedRow and cls._is_laid_out}
    whole["placed"] = [_step(name, row, names) for name, row in placed.items() if row.step]
    return RecordTable(steps, params=cls._parameters, defaults=tuple(cls._defaults.values()), **whole)


def _choice(cls: Any, names: Mapping[str, Any]) -> Table | None:
    """Returns the table of a variant; None if it or one of its alternatives has none."""
    alternatives = getattr(cls, "_all", [])
    if cls._on is None or any(each._body is None for each in alternatives):
        return None
    from .table import VariantTable

    whole = {"params": cls._parameters, "defaults": tuple(cls._defaults.values()), "otherwise": cls._otherwise}
    on = resolved(cls._on, names)
    if cls._chain:
        chain = [(resolved(tag, names), each) for each in alternatives for tag in each._tags]
        return VariantTable(on, chain=chain, **whole)
    return VariantTable(on, table=dict(cls._alternatives), **whole)


#: Arguments of steps and of whole records that hold expressions, or sequences of them.
_EXPRESSIONS = frozenset((
    "align", "arguments", "at", "checks", "codecs", "count", "derived", "length", "order", "present", "sets", "size", "tag",
    "value", "verifies", "width", "write_checks",
))  # fmt: skip


def _step(name: str, row: RecordRow, names: Mapping[str, Any]) -> FieldTable:
    from .table import FieldTable

    step = {key: value for key, value in row.step.items() if key != "owners"}
    found = {key: resolved(value, names) if key in _EXPRESSIONS else value for key, value in step.items()}
    found["given"] = row.init and "derived" in found
    if isinstance(found.get("target"), str):
        found["target"] = look_up(found["target"], names)
    return FieldTable(name, **found)


def resolved(expr: Expr, names: Mapping[str, Any]) -> Expr:
    """Returns an expression, or a sequence of them, with functions and codecs in place of their names."""
    if isinstance(expr, list):
        return [resolved(each, names) for each in expr]
    if not isinstance(expr, tuple) or not expr:
        return expr
    word, *operands = expr
    match word:
        case "text":
            return expr
        case "call":
            function, *arguments = operands
            found = look_up(function, names) if isinstance(function, str) else function
            return ("call", found, *(resolved(each, names) for each in arguments))
        case int():
            codec, *arguments = operands
            return (word, look_up(codec, names), *(resolved(each, names) for each in arguments))
        case "let":
            pairs = tuple((name, resolved(each, names)) for name, each in operands[0])
            return ("let", pairs, resolved(operands[1], names))
    return (resolved(word, names), *(resolved(each, names) for each in operands))


def look_up(name: Any, names: Mapping[str, Any]) -> Any:
    """Returns the object that a module calls ``name``, a path that may have dots; anything but a text is itself."""
    if not isinstance(name, str):
        return name
    first, *rest = name.split(".")
    return reduce(getattr, rest, names[first])
