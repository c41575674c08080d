"""Kernels of encodings, chosen by the structure of a shape's fields and their expressions.

A shape gets a kernel only where it is written as one of the forms below. An expression that merely computes the same is not
recognised: a shape without a kernel is refused where a record holds its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...runtime.value_layout import MAX_INTEGER, Kind, ValueLayout
from ..model import Extension
from ..names import field_name
from ..syntax import CodecDef, Extern
from . import nodes
from .declared import DeclarationLayout, DeclaredField
from .nodes import Node

#: Bytes of the numbers that have kernels.
_NUMBERS = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}
_PAIR_WIDTH = 12
#: The codec of big-endian two's complement numbers of as few bytes as possible.
_SHORTEST = "runtime.columns.integers:Shortest"

_Lower = Callable[[Extension], DeclarationLayout]


def value_layout(fields: Sequence[DeclaredField], *, big: bool, lower: _Lower) -> ValueLayout | None:
    """Returns the layout of values of a shape; None where no kernel reads it.

    Args:
        lower: returns the layout of a codec's declaration.
    """
    match fields:
        case [value] if _is_plain(value) and value.count is None and value.derived is None and not value.conditions:
            return _single(value, big, lower)
        case [size, value] if _is_prefix(size, value):
            return _prefixed(size, value)
    return None


def _codec_of(field: DeclaredField) -> nodes.FunctionCall | None:
    """Returns the one codec that a field names without a condition."""
    match field.via:
        case (nodes.FunctionCall() as call,) if isinstance(call.function.syntax, CodecDef):
            return call
    return None


def _is_plain(field: DeclaredField) -> bool:
    """Returns whether a field is no list and of a built-in type."""
    return field.until is None and not field.repeated and field.reference is None


def _single(value: DeclaredField, big: bool, lower: _Lower) -> ValueLayout | None:
    if not value.via:
        if value.type == "bool8":
            return ValueLayout(Kind.BOOLEAN, 1)
        if value.type in _NUMBERS:
            return ValueLayout(Kind.NUMBER, _NUMBERS[value.type], big, number=value.type[0])
        return None
    call = _codec_of(value)
    if call is None or value.type != "i64" or call.function.syntax.fields is None:
        return None
    codec = lower(call.function)
    names = [name for name, _ in codec.parameters]
    if codec.result != "i64" or len(names) != len(call.operands):
        return None
    return _pair(
        codec, {field_name(name): _constant(each, {}) for name, each in zip(names, call.operands, strict=True)}, big
    )


def _pair(codec: DeclarationLayout, arguments: Mapping[str, object], big: bool) -> ValueLayout | None:
    """Returns the layout of a number as quotient and remainder.

    The codec's fields must be `i64 q = value / unit; i32 r = value % unit where 0 <= r < unit`, its value `q * unit + r`.
    """
    match codec.fields:
        case (quotient, remainder) if (quotient.type, remainder.type) == ("i64", "i32"):
            pass
        case _:
            return None
    if quotient.via or quotient.conditions or remainder.via or len(remainder.conditions) != 1:
        return None
    if any(not _is_plain(each) or each.count is not None or each.derived is None for each in codec.fields):
        return None
    unit = _quotient_unit(quotient, arguments)
    (condition, rule), whole, part = remainder.conditions[0], field_name(quotient.name), field_name(remainder.name)
    if unit is None or not 0 < unit < 2**31 or codec.made is None:
        return None
    assert remainder.derived is not None
    holds = (
        _is_arithmetic(remainder.derived.value, "%", "value", unit, arguments)
        and _is_range(condition.value, 0, part, ("<=", "<"), unit, arguments)
        and _is_joined(codec.made.value, whole, part, unit, arguments)
    )
    return ValueLayout(Kind.PAIR, _PAIR_WIDTH, big, unit, rule=rule) if holds else None


def _quotient_unit(quotient: DeclaredField, arguments: Mapping[str, object]) -> int | None:
    match quotient.derived.value if quotient.derived is not None else None:
        case nodes.Arithmetic(operator="//", left=nodes.Variable(name="value"), right=right):
            unit = _constant(right, arguments)
            return unit if type(unit) is int else None
    return None


def _is_arithmetic(node: Node, operator: str, name: str, number: int, arguments: Mapping[str, object]) -> bool:
    match node:
        case nodes.Arithmetic(operator=found, left=nodes.Variable(name=variable), right=right):
            return (found, variable) == (operator, name) and _is_number(right, number, arguments)
    return False


def _is_joined(node: Node, whole: str, part: str, unit: int, arguments: Mapping[str, object]) -> bool:
    """Returns whether an expression is `whole * unit + part`, its operands in any order."""
    match node:
        case nodes.Arithmetic(operator="+", left=nodes.Arithmetic(operator="*") as product, right=other):
            pass
        case nodes.Arithmetic(operator="+", left=other, right=nodes.Arithmetic(operator="*") as product):
            pass
        case _:
            return False
    if not _is_variable(other, part):
        return False
    for factor, number in ((product.left, product.right), (product.right, product.left)):
        if _is_variable(factor, whole) and _is_number(number, unit, arguments):
            return True
    return False


def _is_prefix(size: DeclaredField, value: DeclaredField) -> bool:
    """Returns whether the first of two fields is the number of bytes of the second, with no other clause."""
    if not _is_plain(size) or not _is_plain(value) or value.derived is not None or value.conditions:
        return False
    if size.type != "uvarint32" or size.via or size.count is not None or size.derived is None:
        return False
    match size.derived.value, value.count:
        case nodes.Count(operand=counted), nodes.Sibling(name=name):
            return name == size.name and _is_variable(counted, field_name(value.name))
    return False


def _prefixed(size: DeclaredField, value: DeclaredField) -> ValueLayout | None:
    call = _codec_of(value)
    if value.type == "bytes" and call is not None and _is_shortest(call):
        if len(size.conditions) != 1:
            return None
        ((condition, rule),) = size.conditions
        if not _is_range(condition.value, 1, field_name(size.name), ("<=", "<="), MAX_INTEGER, {}):
            return None
        return ValueLayout(Kind.INTEGER, 0, True, least=1, most=MAX_INTEGER, rule=rule)
    if value.via or size.conditions or value.type not in ("bytes", "utf8"):
        return None
    return ValueLayout(Kind.TEXT if value.type == "utf8" else Kind.BYTES, 0)


def _is_shortest(call: nodes.FunctionCall) -> bool:
    value = call.function.syntax.value
    return isinstance(value, Extern) and value.target == _SHORTEST and not call.operands


# ---- expressions ----


def _is_range(
    node: Node, low: int, name: str, signs: tuple[str, str], high: int, arguments: Mapping[str, object]
) -> bool:
    """Returns whether an expression is `low <= name < high`, with these signs."""
    match node:
        case nodes.Comparison(operators=operators, operands=(first, middle, last)) if operators == signs:
            return (
                _is_number(first, low, arguments) and _is_variable(middle, name) and _is_number(last, high, arguments)
            )
    return False


def _is_variable(node: Node, name: str) -> bool:
    return isinstance(node, nodes.Variable) and node.name == name


def _is_number(node: Node, number: int, arguments: Mapping[str, object]) -> bool:
    found = _constant(node, arguments)
    return type(found) is int and found == number


def _constant(node: Node, arguments: Mapping[str, object]) -> object:
    """Returns the value of a constant, or of a parameter that is given one; None for other expressions."""
    match node:
        case nodes.Constant():
            return node.value
        case nodes.Variable():
            return arguments.get(node.name)
        case nodes.Global():
            found = node.module.constant(".".join(node.path))
            return None if found is None else found.value
    return None
