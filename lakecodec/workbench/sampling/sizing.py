"""Numbers that say how long something is: they must stay small, whatever their type can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.nodes import Node
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Extension, Record, Struct
from ..schema import Schema

#: A field or parameter: the body's name in the IDL, and its own Python name.
Place = tuple[str, str]


def sizing_places(schema: Schema) -> frozenset[Place]:
    """Returns the fields and parameters that dimensions, lengths, widths and sizes are made of, through arguments too."""
    return _named_by(schema, _lengths)


def placing_places(schema: Schema) -> frozenset[Place]:
    """Returns the fields and parameters that places of others are made of, through arguments too."""
    return _named_by(schema, lambda field: () if field.place is None else (field.place,))


def _named_by(schema: Schema, measures: Callable[[FieldLayout], Iterable[Node]]) -> frozenset[Place]:
    bodies = list(schema.bodies())
    found: set[Place] = set()
    while True:
        known = len(found)
        for body in bodies:
            for field in body.fields:
                for node in (*measures(field), *_passed(schema, field, found)):
                    found |= set(_places(body, node))
        if len(found) == known:
            return frozenset(found)


def _lengths(field: FieldLayout) -> Iterator[Node]:
    yield from (each.value for each in field.dimensions if each.value is not None)
    yield from (each for each in (field.width, field.size) if each is not None)


def _passed(schema: Schema, field: FieldLayout, found: Iterable[Place]) -> Iterator[Node]:
    """Yields the arguments of a field that its type measures something with."""
    if field.kind != "record" or not isinstance(field.target, Record | Extension):
        return
    layout = schema.layout(field.target)
    names = [layout.spec_name]
    if isinstance(layout, VariantLayout):
        names += [each.record.spec_name for each in layout.alternatives]
    for parameter, node in zip(layout.parameters, field.arguments, strict=False):
        if any((name, parameter.attribute) in found for name in names):
            yield node


def _places(body: RecordLayout, node: Node) -> Iterator[Place]:
    for part in nodes.walk(node):
        match part:
            case nodes.FieldValue() | nodes.Parameter():
                yield body.spec_name, part.attribute
            case nodes.Attribute() | nodes.Attributes():
                holder = part.base.kind.holder
                if isinstance(holder, Record | Extension | Struct):
                    yield holder.name, part.name
