"""Parser of the argument ``where``: SQL text, or tuples (column, operator, value)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from ...runtime.exact import exact, items_of
from ...runtime.suggest import did_you_mean
from .bind import find_column, find_part
from .predicate import Anything, Comparison, In, Not, NullTest, Operator, Tree, conjunction, disjunction
from .sql import parse_sql
from .sql_text import is_plain

#: ``("day", ">=", date(2024, 1, 1))``
Term: TypeAlias = "tuple[str, str, Any]"
#: A predicate in SQL, a list of terms that must all be true, or a list of such lists, of which one must be true.
Where: TypeAlias = "str | Sequence[Term] | Sequence[Sequence[Term]]"


def parse_where(where: Any, zone: str = "UTC") -> Tree:
    """Returns the tree of a predicate given as text or tuples.

    Raises:
        TypeError, ValueError: it is not a predicate.
    """
    if not isinstance(where, str):
        return parse_terms(where)
    text = exact(where)
    if not text.strip():
        raise ValueError("where: the predicate is empty")
    return parse_sql(text, zone)


def check_names(tree: Any, schema: pa.Schema) -> None:
    """Raises KeyError if the tree has a column that the schema does not have."""
    for part in getattr(tree, "parts", None) or [getattr(tree, "part", None)]:
        if part is not None:
            check_names(part, schema)
    name = getattr(tree, "name", None)
    if name is not None and find_column(schema, name) is None and find_part(schema, name) is None:
        text = ".".join(name)
        inner = tuple(text.split("."))
        if find_column(schema, inner) is not None or find_part(schema, inner) is not None:
            raise KeyError(f"where: terms name whole columns; name a field in SQL, as in where='{text} IS NOT NULL'")
        raise KeyError(f"where: {text!r} is not a column of the table{did_you_mean(text, schema.names)}")


_OPERATORS: dict[str, Operator] = {
    "=": "=", "==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip


def parse_terms(terms: Any) -> Tree:
    """Returns the tree of terms (column, operator, value), see `pipeline.predicates`.

    Raises:
        TypeError, ValueError: they are malformed.
    """
    # Lists are iterated once: a list subclass may yield other items the second time.
    found = items_of(terms) if isinstance(terms, Sequence) else []
    if not found:
        raise TypeError(f"where: a SQL predicate or a list of (column, operator, value) is needed, not {terms!r}")
    groups = found if isinstance(found[0], list) else [found]
    tree: Tree = disjunction([conjunction([_term(term) for term in _checked(group)]) for group in groups])
    return tree


def _checked(group: Any) -> Sequence[Any]:
    found = items_of(group) if isinstance(group, Sequence) else []
    if not found:
        raise ValueError(f"where: a list of (column, operator, value) is needed, not {group!r}")
    return found


def _term(term: Any) -> Tree:
    if not isinstance(term, tuple | list) or len(term) != 3 or not isinstance(term[0], str):
        raise ValueError(f"where: (column, operator, value) is needed, not {term!r}")
    column, operator, value = map(exact, term)
    name = (column,)
    if operator in ("in", "not in"):
        if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
            raise ValueError(f"where: {operator!r} needs a list of values, not {value!r}")
        values = tuple(map(exact, value))
        known = all(map(is_plain, values))
        found: Tree = In(name, values) if known else Anything(str(term))
        return Not(found) if operator == "not in" else found
    if operator not in _OPERATORS:
        raise ValueError(f"where: unknown operator {operator!r}; there are {', '.join(_OPERATORS)}, in, not in")
    sign = _OPERATORS[operator]
    if value is None and sign in ("=", "!="):
        return Not(NullTest(name)) if sign == "!=" else NullTest(name)
    if isinstance(value, float) and not is_plain(value):
        return Anything(f"`{column.replace('`', '``')}` {sign} CAST('{value}' AS DOUBLE)")
    return Comparison(name, sign, value) if is_plain(value) else Anything(str(term))
