"""Dotted paths of leaf columns, and choosing among them."""

from __future__ import annotations

import pytest

from lakecodec.generated.parquet import SchemaElement, Type
from lakecodec.parquet.schema import choose, dotted_paths, leaves
from lakecodec.runtime.errors import DecodeError


def leaf(name: str, children: int | None = None) -> SchemaElement:
    return SchemaElement(name=name, type=Type.INT32, num_children=children)


def group(name: str, children: int) -> SchemaElement:
    return SchemaElement(name=name, num_children=children)


FLAT = [group("schema", 3), leaf("a"), leaf("b", 0), leaf("c")]
NESTED = [group("schema", 2), group("g", 2), leaf("a"), leaf("b"), leaf("c")]


@pytest.mark.parametrize(("schema", "paths"), [(FLAT, ["a", "b", "c"]), (NESTED, ["g.a", "g.b", "c"])])
def test_paths_are_those_of_the_leaves(schema: list[SchemaElement], paths: list[str]) -> None:
    assert dotted_paths(schema) == [path for path, _ in leaves(schema)] == paths
    assert [element.name for _, element in leaves(schema)] == [path.split(".")[-1] for path in paths]


def test_a_group_without_children_is_no_column() -> None:
    schema = [group("schema", 2), group("empty", 0), leaf("a")]
    assert dotted_paths(schema) == ["a"]


@pytest.mark.parametrize("schema", [[], [group("schema", 3), leaf("a")], [group("schema", 1), leaf("a"), leaf("b")]])
def test_what_is_no_tree_is_refused(schema: list[SchemaElement]) -> None:
    with pytest.raises(DecodeError):
        dotted_paths(schema)


def test_columns_are_chosen_in_the_order_of_the_file() -> None:
    paths = ["a", "g.x", "g.y", "b", "a"]
    assert choose(paths, ["b", "g.x", "b"]) == [1, 3]
    assert choose(paths, ["g", "b"]) == [1, 2, 3]
    assert choose(paths, iter(["a"])) == [4]
    assert choose(paths, []) == []
    with pytest.raises(KeyError, match="'h'"):
        choose(paths, ["b", "h"])
    with pytest.raises(TypeError, match="not one str"):
        choose(paths, "a")
