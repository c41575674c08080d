"""Kernels of encodings, chosen by the structure of a shape's fields and their expressions.

A shape gets a kernel only where it is written as one of the forms below. An expression that merely computes the same is not
recognised: a shape without a kernel is refused where a record holds its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...runtime.value_layout import MAX_INTEGER, Kind, ValueLayout
from ..model import Extension
from ..syntax import Extern
from . import nodes
from .bodies import codec_body
from .codec_shapes import is_field, is_single
from .field_layout import FieldLayout
from .nodes import Node
from .record_layout import RecordLayout

#: The sizes in bytes of numbers that have kernels.
_NUMBERS = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}
_PAIR_WIDTH = 12
#: The codec of big-endian two's complement numbers in as few bytes as possible.
_SHORTEST = "runtime.columns.integers:Shortest"


def value_layout(fields: Sequence[FieldLayout], *, big: bool) -> ValueLayout | None:
    """Returns the layout of values of a shape; None where no kernel reads it."""
    match fields:
        case [value] if value.length is None and value.derivation is None and not value.rules:
            return _single(value, big)
        case [size, value] if _is_prefix(size, value):
            return _prefixed(size, value)
    return None


def _codec_of(field: FieldLayout) -> tuple[Extension, tuple[Node, ...]] | None:
    """Returns the one codec that a field names without a condition, and its arguments."""
    match field.codecs:
        case (call,) if call.codec is not None:
            return call.codec, call.arguments
    return None


def _single(value: FieldLayout, big: bool) -> ValueLayout | None:
    if value.dimension is not None:
        return None
    if not value.codecs:
        if value.type == "bool8":
            return ValueLayout(Kind.BOOLEAN, 1)
        if value.type in _NUMBERS:
            return ValueLayout(Kind.NUMBER, _NUMBERS[value.type], big, number=value.type[0])
        return None
    found = _codec_of(value)
    if found is None or value.type != "i64" or found[0].syntax.fields is None:
        return None
    codec = codec_body(found[0])
    if codec.value_type != "i64" or len(codec.parameters) != len(found[1]):
        return None
    names = (each.attribute for each in codec.parameters)
    return _pair(codec, {name: _constant(each, {}) for name, each in zip(names, found[1], strict=True)}, big)


def _pair(codec: RecordLayout, arguments: Mapping[str, object], big: bool) -> ValueLayout | None:
    """Returns the layout of a number as quotient and remainder.

    The codec's fields must be `i64 q = value / unit; i32 r = value % unit where 0 <= r < unit`, its value `q * unit + r`.
    """
    match codec.fields, codec.value:
        case (quotient, remainder), nodes.InRange(operand=value) if is_single(quotient) and is_single(remainder):
            pass
        case _:
            return None
    if (quotient.type, remainder.type) != ("i64", "i32") or quotient.rules or len(remainder.rules) != 1:
        return None
    (rule,) = remainder.rules
    assert quotient.derivation is not None
    assert remainder.derivation is not None
    unit = _quotient_unit(quotient.derivation.condition, arguments)
    if unit is None or not 0 < unit < 2**31:
        return None
    holds = (
        _is_remainder(remainder.derivation.condition, unit, arguments)
        and _is_range(rule.condition, 0, remainder, ("<=", "<"), unit, arguments)
        and _is_joined(value, quotient, remainder, unit, arguments)
    )
    return ValueLayout(Kind.PAIR, _PAIR_WIDTH, big, unit, rule=rule.message) if holds else None


def _quotient_unit(node: Node, arguments: Mapping[str, object]) -> int | None:
    match node:
        case nodes.Arithmetic(operator="//", left=nodes.CodecValue(), right=right):
            unit = _constant(right, arguments)
            return unit if type(unit) is int else None
    return None


def _is_remainder(node: Node, unit: int, arguments: Mapping[str, object]) -> bool:
    match node:
        case nodes.Arithmetic(operator="%", left=nodes.CodecValue(), right=right):
            return _is_number(right, unit, arguments)
    return False


def _is_joined(node: Node, whole: FieldLayout, part: FieldLayout, unit: int, arguments: Mapping[str, object]) -> bool:
    """Returns whether an expression is `whole * unit + part`, its operands in any order."""
    match node:
        case nodes.Arithmetic(operator="+", left=nodes.Arithmetic(operator="*") as product, right=other):
            pass
        case nodes.Arithmetic(operator="+", left=other, right=nodes.Arithmetic(operator="*") as product):
            pass
        case _:
            return False
    if not is_field(other, part):
        return False
    for factor, number in ((product.left, product.right), (product.right, product.left)):
        if is_field(factor, whole) and _is_number(number, unit, arguments):
            return True
    return False


def _is_prefix(size: FieldLayout, value: FieldLayout) -> bool:
    """Returns whether the first of two fields is the number of bytes of the second, with no other clause."""
    if value.dimension is not None or value.derivation is not None or value.rules or not is_single(size):
        return False
    if size.type != "uvarint32" or size.derivation is None or value.length is None:
        return False
    match size.derivation.condition:
        case nodes.Count(operand=counted):
            return is_field(value.length.value, size) and is_field(counted, value)
    return False


def _prefixed(size: FieldLayout, value: FieldLayout) -> ValueLayout | None:
    found = _codec_of(value)
    if value.type == "bytes" and found is not None and _is_shortest(*found):
        if len(size.rules) != 1:
            return None
        (rule,) = size.rules
        if not _is_range(rule.condition, 1, size, ("<=", "<="), MAX_INTEGER, {}):
            return None
        return ValueLayout(Kind.INTEGER, 0, True, least=1, most=MAX_INTEGER, rule=rule.message)
    if value.codecs or size.rules or value.type not in ("bytes", "utf8"):
        return None
    return ValueLayout(Kind.TEXT if value.type == "utf8" else Kind.BYTES, 0)


def _is_shortest(codec: Extension, arguments: Sequence[Node]) -> bool:
    value = codec.syntax.value
    return isinstance(value, Extern) and value.target == _SHORTEST and not arguments


# ---- expressions ----


def _is_range(
    node: Node, low: int, field: FieldLayout, signs: tuple[str, str], high: int, arguments: Mapping[str, object]
) -> bool:
    """Returns whether an expression is `low <= field < high`, with these signs."""
    match node:
        case nodes.Comparison(operators=operators, operands=(first, middle, last)) if operators == signs:
            return _is_number(first, low, arguments) and is_field(middle, field) and _is_number(last, high, arguments)
    return False


def _is_number(node: Node, number: int, arguments: Mapping[str, object]) -> bool:
    found = _constant(node, arguments)
    return type(found) is int and found == number


def _constant(node: Node, arguments: Mapping[str, object]) -> object:
    """Returns the value of a constant, or of a parameter that is given one; None for other expressions."""
    match node:
        case nodes.Constant():
            return node.value
        case nodes.Parameter():
            return arguments.get(node.attribute)
        case nodes.Global():
            found = node.module.constant(".".join(node.path))
            return None if found is None else found.value
    return None
