"""Rules of fields as conditions on what was read or is written."""

from __future__ import annotations

from . import nodes
from .layouts import FieldLayout, Rule
from .nodes import Node


def own_value(field: FieldLayout, *, element: bool = False) -> Node:
    """Returns the value of a field, or its element at the index."""
    own = nodes.FieldValue(field.name, field.attribute)
    return nodes.Item(own, nodes.ElementIndex(), checked=False) if element else own


def verified(field: FieldLayout, rule: Rule, *, holds: bool = False) -> Node:
    """The condition under which a derived field differs from what would be written; or agrees, where it ``holds``.

    Bytes that one number fills are as many as there are.
    """
    wanted, each = rule.condition, own_value(field, element=rule.of_element)
    if isinstance(wanted, nodes.Fill):
        wanted = nodes.Fill(wanted.byte, nodes.Builtin("len", (own_value(field),)), kind=wanted.kind)
    if holds:
        same = nodes.Comparison(("==",), (each, wanted))
        return same if field.presence is None else nodes.Logical("or", (nodes.is_null(each), same))
    differs = nodes.Comparison(("!=",), (each, wanted))
    return differs if field.presence is None else nodes.Logical("and", (nodes.is_given(each), differs))


def is_absent_or(field: FieldLayout, rule: Rule) -> Node:
    """Returns an invariant as a condition; an absent field, or element, breaks none."""
    is_inside = rule.setting is not None and rule.setting.over is not None
    if field.presence is None or is_inside or (field.indexed and not rule.of_element):
        return rule.condition
    return nodes.Logical("or", (nodes.is_null(own_value(field, element=rule.of_element)), rule.condition))
