"""Expressions that can raise errors, for which the cursor must know the field."""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..lower import nodes
from ..lower.nodes import Node
from ..lower.record_layout import RecordLayout

_ORDER = frozenset(("<", "<=", ">", ">="))


def can_fail(
    node: Node | None, layout: RecordLayout, known: Container[str] | None = None, tried: Container[Node] = ()
) -> bool:
    """Returns whether an expression of a body can raise an error.

    Args:
        known: fields whose values are known to have the right types; None for all, as after reading.
        tried: expressions that have been evaluated before.
    """

    def is_number(part: Node) -> bool:
        match part:
            case nodes.FieldValue(field=name):
                field = layout.field(name)
                is_scalar = field is not None and field.presence is None and not field.dimension
                return is_scalar and (known is None or name in known)
            case nodes.Parameter() | nodes.Constant() | nodes.Global() | nodes.SpanWord() | nodes.Count():
                return not fails(part)
            case nodes.Measure() | nodes.Arithmetic() | nodes.Negative() | nodes.Attribute():
                return not fails(part)
        return False

    def fails(part: Node) -> bool:
        if part in tried:
            return False
        match part:
            case nodes.Constant() | nodes.Global() | nodes.FieldValue() | nodes.Parameter() | nodes.CodecValue():
                return False
            case nodes.SpanWord() | nodes.ElementIndex() | nodes.Measure(index=None) | nodes.Encoded():
                return False
            case nodes.Count(operand=nodes.Parameter()) | nodes.Attribute(base=nodes.Parameter()):
                return known is not None
            case nodes.Attribute(base=nodes.FieldValue(field=name)):
                held = layout.field(name)
                return known is not None or held is None or held.presence is not None
            case nodes.Count(operand=nodes.FieldValue(field=name)):
                field = layout.field(name)
                return known is not None or field is None or field.presence is not None
            case nodes.Comparison(operators=signs, operands=operands) if not _ORDER.isdisjoint(signs):
                return not all(map(is_number, operands))
            case nodes.Arithmetic(operator="+" | "-" | "*" | "&" | "|" | "^", left=left, right=right):
                return not (is_number(left) and is_number(right))
            case nodes.Arithmetic(
                operator="<<" | ">>" | "//" | "%", left=left, right=nodes.Constant(value=int() as by)
            ):
                return by <= 0 or not is_number(left)
            case nodes.Comparison() | nodes.Logical() | nodes.Not() | nodes.Conditional() | nodes.Negative():
                return any(map(fails, nodes.children(part)))
        return True

    return node is not None and fails(node)


def always(node: Node | None) -> Iterator[Node]:
    """Yields the counts and attributes of parameters that are evaluated whenever an expression is."""
    match node:
        case nodes.Count(operand=nodes.Parameter()) | nodes.Attribute(base=nodes.Parameter()):
            yield node
        case nodes.Comparison(operands=(left, right, *_)) | nodes.Arithmetic(left=left, right=right):
            yield from (*always(left), *always(right))
        case nodes.Logical(operands=(first, *_)) | nodes.Conditional(condition=first) | nodes.Not(operand=first):
            yield from always(first)
