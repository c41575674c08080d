"""Comparisons of encodings: what their shapes ask of the fields of the alternatives that they are over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...generator.graph import in_order
from ...generator.lower import nodes
from ...generator.lower.declarations import lower_declaration
from ...generator.lower.declared import CaseLayout
from ...generator.lower.nodes import Node
from ...generator.lower.record_layout import VariantLayout
from ...generator.model import Extension
from ...generator.names import field_name
from ...generator.syntax import EncodingDef
from ..schema import Schema


def asked_by_shapes(schema: Schema) -> dict[tuple[str, str], list[Node]]:
    """Returns the comparisons of encodings by the module and name of the alternative whose fields they name."""
    found: dict[tuple[str, str], list[Node]] = {}
    items = (item for module in in_order(schema.model) for item in module.definitions if isinstance(item, Extension))
    for item in items:
        over = item.module.find(item.syntax.over) if isinstance(item.syntax, EncodingDef) else None
        layout = schema.layout(over) if isinstance(over, Extension) else None
        if not isinstance(layout, VariantLayout):
            continue
        for case in lower_declaration(item).cases:
            counts = dict(case.patterns)
            for body, count in ((each.record, counts.get(each.name, 0)) for each in layout.alternatives):
                bound = zip(case.variables[:count], body.fields, strict=False)
                named = {field_name(name): nodes.FieldValue(each.name, each.attribute) for name, each in bound}
                asked = [_with(each, named) for each in _comparisons(case)] if named else []
                key = body.module.name, body.spec_name
                found.setdefault(key, []).extend(each for each in asked if _is_known(each))
    return found


def _comparisons(case: CaseLayout) -> Iterator[Node]:
    expressions = [] if case.condition is None else [case.condition]
    for field in (*case.fields, *(case.null_fields or ())):
        expressions += [*field.nodes(), *(codec.call for codec in field.codecs)]
    for each in expressions:
        yield from (node for node in nodes.walk(each) if isinstance(node, nodes.Comparison))


def _with(node: Node, named: Mapping[str, Node]) -> Node:
    """Returns an expression with fields in the place of variables."""
    return nodes.replaced(node, lambda each: named.get(each.name) if isinstance(each, nodes.Variable) else None)


def _is_known(node: Node) -> bool:
    """Returns whether an expression names fields, and nothing that only a column has."""
    found = list(nodes.walk(node))
    unknown = nodes.Variable | nodes.Width | nodes.Declared
    return any(isinstance(each, nodes.FieldValue) for each in found) and not any(
        isinstance(each, unknown) for each in found
    )
