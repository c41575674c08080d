"""Parser of the argument ``where``, as text or tuples."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ...runtime.suggest import did_you_mean
from .bind import find_column
from .predicate import Anything, Tree
from .sql import parse_sql
from .terms import parse_terms


def parse_where(where: Any, zone: str = "UTC") -> Tree:
    """Returns the tree of a predicate given as text or tuples.

    Raises:
        TypeError, ValueError: it is no predicate.
    """
    if not isinstance(where, str):
        return parse_terms(where)
    if not where.strip():
        raise ValueError("where: the predicate is empty")
    # A setting of Spark decides what a backslash means.
    return Anything(where) if "\\" in where else parse_sql(where, zone)


def check_names(tree: Any, schema: pa.Schema) -> None:
    """Raises KeyError if the tree has a column that the schema does not have."""
    for part in getattr(tree, "parts", None) or [getattr(tree, "part", None)]:
        if part is not None:
            check_names(part, schema)
    name = getattr(tree, "name", None)
    if name is not None and find_column(schema, name) is None:
        text = ".".join(name)
        raise KeyError(f"where: {text!r} is not a column of the table{did_you_mean(text, schema.names)}")
