"""Leaf columns of a schema, which a footer holds as a depth-first list of SchemaElements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..generated.parquet import FieldRepetitionType
from ..runtime.suggest import no_such
from .bounds import logical_kind
from .errors import broken

if TYPE_CHECKING:
    from ..generated.parquet import SchemaElement

#: For each depth of lists that a leaf column is in, from none on: whether each element of the schema is optional, and
#: whether the repeated element that ends the depth is a list without a group around it.
Depths: TypeAlias = list[tuple[list[bool], bool]]


def leaves(schema: Sequence[SchemaElement], *, file: str = "") -> list[tuple[str, SchemaElement]]:
    """Returns the dotted path and the SchemaElement of each leaf column, in the order of a row group's column chunks.

    Raises:
        DecodeError: the list is empty, or not a depth-first tree by its ``num_children``.
    """
    names = _top_level(schema, file)
    if names is not None:
        return list(zip(names, schema[1:], strict=True))
    found: list[tuple[str, SchemaElement]] = []
    # Groups that wait for children: (dotted prefix, children to come). A chain may be 10,000 deep, so there is no recursion.
    groups = [("", _children(schema, 0, file))]
    for index in range(1, len(schema)):
        while groups and groups[-1][1] == 0:
            groups.pop()
        if not groups:
            raise broken("the schema has elements that belong to no group", file=file, path=f"schema[{index}]")
        prefix, missing = groups[-1]
        groups[-1] = (prefix, missing - 1)
        element = schema[index]
        path = f"{prefix}{element.name}"
        if is_leaf(element):
            found.append((path, element))
        else:
            groups.append((f"{path}.", _children(schema, index, file)))
    if any(missing for _, missing in groups):
        raise broken("the schema ends before all children of its groups", file=file, path="schema")
    return found


def dotted_paths(schema: Sequence[SchemaElement], *, file: str = "") -> list[str]:
    """Returns the dotted path of each leaf column, in the order of a row group's column chunks.

    Raises:
        DecodeError: as `leaves`.
    """
    names = _top_level(schema, file)
    return [path for path, _ in leaves(schema, file=file)] if names is None else names


def element_paths(schema: Sequence[SchemaElement], *, file: str = "") -> list[tuple[str, ...]]:
    """Returns the names from the root's child down to each element of a schema, none for the root itself.

    Raises:
        DecodeError: as `leaves`.
    """
    leaves(schema, file=file)
    paths: list[tuple[str, ...]] = [()]
    groups: list[tuple[tuple[str, ...], int]] = [((), schema[0].num_children or 0)]
    for element in schema[1:]:
        while groups[-1][1] == 0:
            groups.pop()
        prefix, missing = groups[-1]
        groups[-1] = (prefix, missing - 1)
        path = (*prefix, element.name)
        paths.append(path)
        if not is_leaf(element):
            groups.append((path, element.num_children or 0))
    return paths


def leaf_paths(schema: Sequence[SchemaElement], *, file: str = "") -> list[tuple[str, ...]]:
    """Returns the names from the root's child down to each leaf column, in the order of a row group's column chunks.

    Raises:
        DecodeError: as `leaves`.
    """
    paths = element_paths(schema, file=file)
    return [path for path, element in zip(paths, schema, strict=True) if path and is_leaf(element)]


def leaf_depths(schema: Sequence[SchemaElement], paths: Sequence[tuple[str, ...]]) -> list[Depths]:
    """Returns the depths of each leaf column of a schema, whose elements have these paths."""
    by_path = dict(zip(paths, schema, strict=True))
    found = []
    for path, leaf in by_path.items():
        if not path or not is_leaf(leaf):
            continue
        depths: Depths = [([], False)]
        for depth in range(1, len(path) + 1):
            kind, last = by_path[path[:depth]].repetition_type, depths[-1][0]
            if kind == FieldRepetitionType.REPEATED:
                around = logical_kind(by_path[path[: depth - 1]])[0]
                depths[-1] = last, around not in ("LIST", "MAP", "MAP_KEY_VALUE")
                depths.append(([], False))
            else:
                last.append(kind == FieldRepetitionType.OPTIONAL)
        found.append(depths)
    return found


def is_leaf(element: SchemaElement) -> bool:
    """Returns True if the element is a leaf column. Some writers give leaf columns a ``num_children`` of 0."""
    return element.type is not None and not element.num_children


def choose(paths: Sequence[str], columns: Iterable[str]) -> list[int]:
    """Returns the positions of the chosen leaf columns in ascending order.

    Args:
        paths: dotted paths of all leaf columns.
        columns: dotted paths of leaf columns, or of groups, which stand for all leaf columns below them.

    Raises:
        KeyError: a path is neither that of a leaf column nor of a group above one.
        TypeError: ``columns`` is a single str.
    """
    if isinstance(columns, str):
        raise TypeError("columns: an iterable of dotted paths, not one str")
    wanted = dict.fromkeys(columns)
    found = [index for index, path in enumerate(paths) if path in wanted]
    if len(found) == len(wanted) == len({paths[index] for index in found}):
        return found
    chosen: set[int] = set()
    positions = {path: index for index, path in enumerate(paths)}
    for name in wanted:
        if name in positions:
            chosen.add(positions[name])
            continue
        below = [index for index, path in enumerate(paths) if path.startswith(f"{name}.")]
        if not below:
            raise KeyError(f"columns: {no_such(name, paths)}")
        chosen.update(below)
    return sorted(chosen)


def _top_level(schema: Sequence[SchemaElement], file: str) -> list[str] | None:
    """Returns the names of the columns if all of them are leaves below the root, else None."""
    if not schema:
        raise broken("the schema has no root", file=file, path="schema")
    if _children(schema, 0, file) != len(schema) - 1:
        return None
    columns = iter(schema)
    next(columns)
    names = [element.name for element in columns if element.type is not None and not element.num_children]
    return names if len(names) == len(schema) - 1 else None


def _children(schema: Sequence[SchemaElement], index: int, file: str) -> int:
    """Returns the checked ``num_children`` of the element at ``index``."""
    count = schema[index].num_children or 0
    if not 0 <= count < len(schema):
        raise broken(
            "num_children is negative or over the number of elements", file=file, path=f"schema[{index}].num_children"
        )
    return count
