"""Expressions of record tables as nodes over numbered variables."""

from __future__ import annotations

import pytest

from lakecodec.runtime.records.nodes import CAPTURES, OPERATIONS, Node, Variables, lower_body
from lakecodec.runtime.records.table import FieldTable, RecordTable

pytestmark = pytest.mark.skipif(not OPERATIONS, reason="nodes are run natively")


def shown(node: Node) -> object:
    """A node as (word, number or object, operands)."""
    own = node.number if node.word in ("variable", "let", "loop", "every") else node.object
    return (node.word, own, *map(shown, node.operands)) if node.operands else (node.word, own)


def test_names_are_numbers_and_everything_else_is_a_constant() -> None:
    variables = Variables(["a", "b"])
    assert shown(variables.node(("+", "b", 3))) == ("+", None, ("variable", 1), ("constant", 3))
    assert shown(variables.node(("get", "a", "b"))) == ("get", "b", ("variable", 0))
    assert shown(variables.node(("text", "a"))) == ("constant", "a")
    with pytest.raises(KeyError, match="c"):
        variables.node("c")


def test_a_function_of_the_idl_sees_its_arguments_alone() -> None:
    variables = Variables(["x"])
    node = variables.node(("let", (("x", ("+", "x", 1)), ("y", 2)), ("*", "x", "y")))
    assert shown(node)[:2] == ("let", 1)
    assert [shown(each) for each in node.operands[2].operands] == [("variable", 1), ("variable", 2)]
    assert shown(node.operands[0])[2] == ("variable", 0)
    with pytest.raises(KeyError, match="x"):
        variables.node(("let", (("y", 2),), "x"))
    assert shown(variables.node("x")) == ("variable", 0)


def test_a_loop_sees_what_is_around_it() -> None:
    variables = Variables(["items", "limit"])
    node = variables.node(("loop", "each", "sum", "items", ("<", "each", "limit"), ("+", "sum", "each"), 0))
    listed, condition, value, initial = map(shown, node.operands)
    assert (node.number, listed, initial) == (2, ("variable", 0), ("constant", 0))
    assert condition == ("<", None, ("variable", 2), ("variable", 1))
    assert value == ("+", None, ("variable", 3), ("variable", 2))


def test_a_measure_has_one_variable_wherever_it_is_named_first() -> None:
    variables = Variables(["a"])
    inside = variables.node(("loop", "each", "", "a", True, ("captured", "size", "a")))
    assert shown(inside.operands[2]) == shown(variables.node(("captured", "size", "a")))
    assert variables.measure("start", "a") == variables.count - 1


def test_a_body_numbers_parameters_fields_and_the_measures_that_it_keeps() -> None:
    body = lower_body(
        RecordTable(
            [
                FieldTable("count", "u8", captures=["start"]),
                FieldTable("names", "utf8", count="count", dimension="count", codecs=[(0, "zip", "width"), ("width",)]),
            ],
            params=["width"],
            checks=[("==", ("captured", "start", "count"), "width")],
        )
    )
    first, second = body.fields
    assert first.captures == tuple(3 if what == "start" else -1 for what in CAPTURES)
    assert second.elements is not None
    assert shown(second.elements) == ("variable", 1)
    assert [(state, codec, *map(shown, nodes)) for state, codec, nodes in second.codecs] == [
        (0, "zip", ("variable", 0)),
        (-1, None, ("variable", 0)),
    ]
    assert [shown(check) for check in body.checks] == [("==", None, ("variable", 3), ("variable", 0))]
    assert first.codecs == ()
    assert body.tag is None
