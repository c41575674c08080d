"""Comparisons by which values are chosen, and that stand elsewhere: in functions, tags of variants, other bodies."""

from __future__ import annotations

from collections.abc import Iterator

from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.nodes import Node
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.lower.scopes import function_body
from ...generator.model import Extension, Record, Struct
from ..schema import Schema
from .expressions import Evaluator, Frame

#: A declaration's name, and the Python name of one of its fields.
Place = tuple[str, str]
#: The deepest calls of functions whose comparisons are found.
_DEEPEST_CALLS = 6


def inlined(node: Node, left: int = _DEEPEST_CALLS) -> Node:
    """Returns an expression with the bodies of functions in the place of their calls."""

    def of_call(each: Node) -> Node | None:
        body = function_body(each.function) if isinstance(each, nodes.FunctionCall) and left else None
        if body is None or not isinstance(each, nodes.FunctionCall):
            return None
        return inlined(with_arguments(body, each), left - 1)

    return nodes.replaced(node, of_call)


def with_arguments(body: Node, call: nodes.FunctionCall) -> Node:
    """Returns the body of a function or codec with the arguments of a call in the place of its parameters."""
    given = {param.name: node for param, node in zip(call.function.syntax.params, call.operands, strict=False)}
    return nodes.replaced(body, lambda part: given.get(part.name) if isinstance(part, nodes.Variable) else None)


def selections(variant: VariantLayout, arguments: dict[str, Node] | None = None) -> Iterator[Node]:
    """Yields a comparison for each tag of a variant whose alternatives an expression selects, with arguments for the
    parameters where they are given."""
    if isinstance(variant.tag, nodes.Parameter) and arguments is None:
        return
    tag = inlined(variant.tag)
    if arguments is not None:
        tag = nodes.replaced(
            tag, lambda part: arguments.get(part.attribute) if isinstance(part, nodes.Parameter) else None
        )
    for each in variant.alternatives:
        for node in each.tags:
            yield nodes.Comparison(kind=tag.kind, operators=("==",), operands=(tag, node))


def selected_by(schema: Schema, field: FieldLayout) -> Iterator[Node]:
    """Yields the comparisons by which a field's arguments select an alternative of its variant."""
    target = field.target if field.kind == "record" else None
    variant = schema.layout(target) if isinstance(target, Extension) else None
    if isinstance(variant, VariantLayout):
        names = [each.attribute for each in variant.parameters]
        yield from selections(variant, dict(zip(names, field.arguments, strict=False)))


def compared_elsewhere(schema: Schema, evaluator: Evaluator) -> dict[Place, list[object]]:
    """Returns the constants that expressions compare fields of other declarations with, and numbers beside these."""
    found: dict[Place, dict[object, None]] = {}
    for body in schema.bodies():
        frame = Frame(body.module, {})
        for node in _conditions(body):
            for part in nodes.walk(node):
                holder = part.base.kind.holder if isinstance(part, nodes.Attribute) else None
                if isinstance(part, nodes.Attribute) and isinstance(holder, Record | Extension | Struct):
                    values = [each for each in evaluator.solutions(node, part, frame) if each is not None]
                    found.setdefault((holder.name, part.name), {}).update(dict.fromkeys(values))
    return {place: list(values) for place, values in found.items()}


def _conditions(body: RecordLayout) -> Iterator[Node]:
    expressions = [node for field in body.fields for node in field.nodes()]
    expressions += [rule.condition for rule in body.checks]
    for each in map(inlined, expressions):
        if any(isinstance(part, nodes.Comparison) for part in nodes.walk(each)):
            yield each
