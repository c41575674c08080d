"""Shapes of codecs, found from the structure of their fields and expressions.
Native readers read these without variables, and
writers need not read them back."""

from __future__ import annotations

from . import nodes
from .field_layout import FieldLayout, Rule
from .record_layout import RecordLayout

_SIZES = {"uvarint16", "uvarint32"}
#: Kinds of numbers whose values are not whole numbers or do not fit signed 64 bits.
_OTHERS = {"f16", "f32", "f64", "bool8"}


def codec_shape(layout: RecordLayout) -> str:
    """Returns the shape of a codec's value; empty if it has none.

    * ``difference``: a number that is added to the state, `state + step`;
    * ``front_coded``: bytes that begin as the state does, `state[:shared] + suffix`, with any ``shared`` that gives them.
    """
    shape = _shape(layout)
    return shape if shape != "front_coded" or layout.normalizes else ""


def _shape(layout: RecordLayout) -> str:
    if len(layout.parameters) != 1 or layout.checks or layout.states or layout.nests:
        return ""
    state = layout.parameters[0].attribute
    match layout.fields, layout.value:
        case [step], nodes.InRange(operand=nodes.Arithmetic(operator="+", left=left, right=right)) as value:
            is_small = value.signed or value.bits < 64
            is_number = (
                step.kind in ("number", "varint") and step.type not in _OTHERS and is_single(step) and not step.rules
            )
            is_shape = is_small and is_number and is_parameter(left, state) and is_field(right, step)
            return "difference" if is_shape else ""
        case [shared, added, suffix], nodes.Arithmetic(operator="+", left=nodes.Slice() as begin, right=right):
            is_shape = (
                {shared.type, added.type} <= _SIZES
                and is_single(shared)
                and is_single(added)
                and _is_within(shared, state)
                and not added.rules
                and is_bytes(suffix, added)
                and is_parameter(begin.base, state)
                and begin.low is None
                and is_field(begin.high, shared)
                and is_field(right, suffix)
            )
            return "front_coded" if is_shape else ""
    return ""


def read_back(layout: RecordLayout) -> tuple[Rule, ...]:
    """Returns the writer's check that a codec's fields decode to their value; empty if they always do."""
    if layout.value is None or _inverts(layout):
        return ()
    given = nodes.CodecValue(kind=layout.value.kind)
    same: nodes.Node = nodes.Comparison(("==",), (layout.value, given))
    if layout.value_type in _OTHERS:
        # NaN is not equal to itself, so any NaN is accepted.
        same = nodes.Logical("or", (same, nodes.Comparison(("!=",), (given, given))))
    return (Rule(same, f"the codec {layout.spec_name} cannot encode the value"),)


def _inverts(layout: RecordLayout) -> bool:
    """Returns whether a codec of a known shape also writes the form that the shape reads."""
    shape, state = _shape(layout), layout.parameters[0].attribute if layout.parameters else ""
    made = [each.derivation.condition if each.derivation is not None else None for each in layout.fields]
    match shape, made:
        case "difference", [nodes.Arithmetic(operator="-", left=nodes.CodecValue(), right=before)]:
            return is_parameter(before, state)
        case "front_coded", [nodes.Builtin(operands=(before, nodes.CodecValue())) as common, _, nodes.Slice() as rest]:
            is_rest = (
                isinstance(rest.base, nodes.CodecValue) and is_field(rest.low, layout.fields[0]) and rest.high is None
            )
            return common.name == "common_prefix" and is_parameter(before, state) and is_rest
    return False


def is_single(field: FieldLayout) -> bool:
    """Returns whether a field is one element that is always present, without codecs."""
    clauses = (field.presence, field.size, field.dimension, field.coder, field.enum)
    return not any(each is not None for each in clauses) and not field.codecs


def is_bytes(field: FieldLayout, count: FieldLayout) -> bool:
    """Returns whether a field is bytes counted by another field, without a rule."""
    is_plain = field.kind == "bytes" and is_single(field) and not field.rules and field.terminator is None
    return is_plain and field.length is not None and is_field(field.length.value, count)


def _is_within(field: FieldLayout, state: str) -> bool:
    """Returns whether a field's only rule is that it is at most the number of the state's bytes."""
    match [rule.condition for rule in field.rules]:
        case [nodes.Comparison(operators=("<=",), operands=(number, nodes.Count(operand=counted)))]:
            return is_field(number, field) and is_parameter(counted, state)
    return False


def is_parameter(node: nodes.Node | None, name: str) -> bool:
    return isinstance(node, nodes.Parameter) and node.attribute == name


def is_field(node: nodes.Node | None, field: FieldLayout) -> bool:
    return isinstance(node, nodes.FieldValue) and node.field == field.name
