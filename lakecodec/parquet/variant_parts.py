"""The columns of a Parquet file that hold a part of a variant, as shredding ("Variant Shredding") laid them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from ..generated.parquet import ColumnMetaData, ConvertedType, FieldRepetitionType, SchemaElement
from ..runtime.variant_paths import steps_of
from .schema import is_leaf

_CHILDREN = {"metadata", "value", "typed_value"}
_LISTS = {ConvertedType.LIST, ConvertedType.MAP, ConvertedType.MAP_KEY_VALUE}

Node = TypeVar("Node")
Steps = Sequence[str | int]


class Place(NamedTuple, Generic[Node]):
    """The place of a part in a shredded column.

    Attributes:
        group: names from the column down to the group that holds the part, or the nearest part around it.
        rest: the steps from there on, which only the group's ``value`` can answer; empty if the group is the part's
            own.
        typed: the part's own column, None where there is none.
        around: the group that ``group`` names.
    """

    group: tuple[str, ...]
    rest: tuple[str | int, ...]
    typed: Node | None
    around: Node


def place_in(
    column: Node, steps: Steps, child: Callable[[Node, str], Node | None], is_list: Callable[[Node], bool]
) -> Place[Node] | None:
    """Returns the place of the part at a path in a column; None where it needs all of the column, a shredded array.

    Args:
        column: the group of the variant.
        steps: names of fields and numbers of elements.
        child: returns the child of a group by its name, None if there is none.
        is_list: whether a column is nested but no struct.
    """
    names: tuple[str, ...] = ()
    group, left = column, list(steps)
    while True:
        typed = child(group, "typed_value")
        if typed is not None and is_list(typed):
            return None
        inner = None if typed is None or not left or not isinstance(left[0], str) else child(typed, left[0])
        if inner is None:
            return Place(names, tuple(left), None if left else typed, group)
        names, group = (*names, "typed_value", str(left.pop(0))), inner


class PartLeaves(NamedTuple):
    """The leaf columns that tell of a part of a variant.

    Attributes:
        others: position of the leaf column that may hold the part as a value that has no column of its own; None if none may.
        typed: position and SchemaElement of the part's own leaf column, None where there is none.
        is_object: whether a group of columns is the part's own: it holds objects.
    """

    others: int | None
    typed: tuple[int, SchemaElement] | None = None
    is_object: bool = False


def part_leaves(schema: Sequence[SchemaElement], column: int, steps: Steps) -> PartLeaves:
    """Returns the leaf columns of a part of the variant whose group is at a position in the schema.

    Nothing but null stands at the part where ``others`` is null and ``typed`` is None, unless ``is_object``.
    """
    place = place_in(
        column, steps, lambda group, name: children(schema, group).get(name), lambda group: _is_list(schema[group])
    )
    if place is not None:
        value = children(schema, place.around).get("value")
        if value is None or is_leaf(schema[value]):
            others = None if value is None else _number(schema, value)
            if place.typed is None:
                return PartLeaves(others)
            if not is_leaf(schema[place.typed]):
                return PartLeaves(others, is_object=True)
            return PartLeaves(others, (_number(schema, place.typed), schema[place.typed]))
    # The metadata column has a value in every row that has a variant.
    return PartLeaves(_number(schema, children(schema, column)["metadata"]))


def find_part(schema: Sequence[SchemaElement], text: str) -> PartLeaves | None:
    """Returns the leaf columns of the part of a variant that a text names, as ``event.at.x`` or ``event.tags[0]``.

    None if no variant is there: a group of the logical type VARIANT, or with the columns that a variant has.

    Raises:
        ValueError: what follows the name of the variant is not a path.
    """
    waiting = [(0, text)]
    while waiting:
        group, rest = waiting.pop()
        for name, at in children(schema, group).items():
            if not rest.startswith(name):
                continue
            behind = rest[len(name) :]
            if is_variant(schema, at) and (not behind or behind[0] in ".["):
                try:
                    return part_leaves(schema, at, steps_of(f"${behind}"))
                except ValueError:
                    rule = (
                        f"what follows the variant in {text!r} is not a path such as '.a.b', '.a[0]' or '[\"a name\"]'"
                    )
                    raise ValueError(f"column: {rule}") from None
            if behind[:1] == "." and not is_leaf(schema[at]):
                waiting.append((at, behind[1:]))
    return None


def is_variant(schema: Sequence[SchemaElement], at: int) -> bool:
    """Returns True if an element of a schema is the group of a variant, which some writers do not say of it."""
    found = children(schema, at)
    if "metadata" not in found or not is_leaf(schema[found["metadata"]]):
        return False
    logical = schema[at].logicalType
    return (logical is not None and logical.kind == "VARIANT") or (len(found) > 1 and found.keys() <= _CHILDREN)


def children(schema: Sequence[SchemaElement], group: int) -> dict[str, int]:
    """Returns the positions of a group's children by name, the first of each name; none for a leaf column."""
    found: dict[str, int] = {}
    at = group + 1
    for _ in range(0 if is_leaf(schema[group]) else schema[group].num_children or 0):
        found.setdefault(schema[at].name, at)
        missing = 1
        while missing:
            missing += (0 if is_leaf(schema[at]) else schema[at].num_children or 0) - 1
            at += 1
    return found


def is_all_null(meta: ColumnMetaData | None) -> bool:
    """Returns True if a column chunk is known to have no value."""
    counts: Any = None if meta is None else meta.statistics
    return meta is not None and counts is not None and counts.null_count == meta.num_values


def _is_list(element: SchemaElement) -> bool:
    logical = element.logicalType
    return not is_leaf(element) and (
        element.converted_type in _LISTS
        or element.repetition_type == FieldRepetitionType.REPEATED
        or (logical is not None and logical.kind in ("LIST", "MAP"))
    )


def _number(schema: Sequence[SchemaElement], at: int) -> int:
    """Returns the position of a leaf column among all."""
    return sum(map(is_leaf, schema[:at]))
