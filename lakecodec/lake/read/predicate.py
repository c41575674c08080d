"""Predicate trees: as written by the user, and bound to a schema.

`Comparison`, `In`, `Like`, `NullTest` and `Not` are what was written: names, and values as Python objects. `bind` makes
`Compare`, `OneOf`, `Prefix` and `NullCheck` of them: columns of a schema, values in their types, and no negation. Both
kinds are joined by `And` and `Or`. A tree holds for a row if it is true; null and false are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import pyarrow as pa

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
#: Parts of a column's name: more than one for fields of structs.
Name: TypeAlias = "tuple[str, ...]"

NEGATED: dict[Operator, Operator] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
MIRRORED: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class And:
    """A part that is true if all its parts are."""

    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """A part that is true if one of its parts is."""

    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """A part that is true if its part is false."""

    part: Any


@dataclass(frozen=True, slots=True)
class Constant:
    """A truth value that is the same for all rows."""

    value: bool


@dataclass(frozen=True, slots=True)
class Anything:
    """A part that only Spark can decide; ``text`` shows it to the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column compared with a value: int, Decimal, float, bool, str, bytes, date, datetime, or None for NULL.

    A datetime with a zone is an instant, one without is a wall time (Spark's TIMESTAMP_NTZ).
    """

    name: Name
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class In:
    """Test whether a column is one of some values."""

    name: Name
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Like:
    """SQL's LIKE without an escape in the pattern."""

    name: Name
    pattern: str


@dataclass(frozen=True, slots=True)
class NullTest:
    """Test whether a column is null."""

    name: Name


@dataclass(frozen=True, slots=True)
class Compare:
    """A column compared with a value of its type, or both of them as doubles.

    Attributes:
        path: names of the column and of the fields below it.
        type: type of the column.
        as_double: compare as Spark does after casting the column to double.
        without_nan: whether other parts exclude NaN, so that its order does not matter.
    """

    path: Name
    type: Any
    operator: Operator
    value: Any
    as_double: bool = False
    without_nan: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """Test whether a column is equal to one of some values of its type."""

    path: Name
    type: Any
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """Test whether a text begins with another, or, negated, whether it does not."""

    path: Name
    prefix: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class NullCheck:
    """Test whether a column is null, or whether it is not."""

    path: Name
    is_null: bool


#: A predicate that is bound to the columns of a table.
Bound: TypeAlias = "And | Or | Constant | Anything | Compare | OneOf | Prefix | NullCheck"
#: A predicate as it was written.
Tree: TypeAlias = "And | Or | Not | Constant | Anything | Comparison | In | Like | NullTest"


def conjunction(parts: list[Any]) -> Any:
    """Returns `And` of the parts; a single part is returned itself."""
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def disjunction(parts: list[Any]) -> Any:
    """Returns `Or` of the parts; a single part is returned itself."""
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def leaf_paths(tree: Bound) -> list[Name]:
    """Returns the paths of the columns of a bound tree, each once."""
    found: dict[Name, None] = {}
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, And | Or):
            stack += reversed(node.parts)
        elif not isinstance(node, Constant | Anything):
            found[node.path] = None
    return list(found)


def column_names(tree: Bound) -> list[str]:
    """Returns the top-level columns of a bound tree, each once."""
    return list(dict.fromkeys(path[0] for path in leaf_paths(tree)))


def written_names(tree: Any) -> list[Name]:
    """Returns the names of the columns of a written tree; those of `Anything` are unknown."""
    if isinstance(tree, And | Or):
        return [name for part in tree.parts for name in written_names(part)]
    if isinstance(tree, Not):
        return written_names(tree.part)
    return [] if isinstance(tree, Constant | Anything) else [tree.name]


def undecided(tree: Any) -> list[str]:
    """Returns the texts of the parts that only Spark can decide."""
    if isinstance(tree, And | Or):
        return [text for part in tree.parts for text in undecided(part)]
    if isinstance(tree, Not):
        return undecided(tree.part)
    return [tree.text] if isinstance(tree, Anything) else []


def is_float(kind: Any) -> bool:
    """Returns True if values of the type can be NaN."""
    return bool(pa.types.is_floating(kind))


def positive(tree: Tree, negate: bool = False) -> Tree:
    """Returns the same predicate with negations only at its leaves; negated `Anything` is `Anything`."""
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
