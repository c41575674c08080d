"""Facts of declarations by which values are chosen: conditions, named numbers and texts, sizes, heights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...generator.graph import in_order
from ...generator.lower import nodes
from ...generator.lower.declarations import lower_declaration
from ...generator.lower.declared import CaseLayout
from ...generator.lower.field_layout import FieldLayout, Rule, is_absent_or, verified
from ...generator.lower.nodes import Node
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Const, Extension, Record, Struct
from ...generator.names import field_name
from ...generator.syntax import EncodingDef
from ..schema import Schema
from .comparisons import Place, compared_elsewhere, inlined, selected_by
from .expressions import Evaluator, Frame, is_inside, same
from .fitting import Fitting
from .heights import ENDLESS, MOST_PARTS, least


class Facts:
    """Facts of a schema for the sampler: found once, used for all values.

    Args:
        beside: those of another version, whose conditions, numbers and texts values are aimed at, too.

    Attributes:
        numbers: the whole numbers that the declarations name.
        texts: the bytes that they name; texts in UTF-8.
        sizing: the fields and parameters that determine sizes; ``placing``: those that determine places.
    """

    def __init__(self, schema: Schema, beside: Facts | None = None) -> None:
        self.schema, self._beside = schema, beside
        self.evaluator = Evaluator(schema)
        self.fitting = Fitting(self.evaluator)
        self.sizing: frozenset[Place] = sizing_places(schema)
        self.placing: frozenset[Place] = placing_places(schema) - self.sizing
        self._heights: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        self._conditions = {
            id(rule): verified(field, rule) if rule is field.derivation else is_absent_or(field, rule)
            for body in schema.bodies()
            for field in body.fields
            for rule in (*field.rules, field.derivation)
            if rule is not None
        }
        self._of_shapes = comparisons_of_encodings(schema)
        self._rules: dict[tuple[str, str, str], list[Rule]] = {}
        #: By a condition's identity and a field's name. The condition is kept, so that its identity stays unique.
        self._attributes: dict[tuple[int, str], tuple[Node, list[nodes.Attribute]]] = {}
        self._asked: dict[tuple[str, str, str], tuple[list[Node], list[VariantLayout]]] = {}
        found = [part for body in schema.bodies() for node in _expressions(body) for part in nodes.walk(node)]
        frame = Frame(schema.model, {})
        values = [
            self.evaluator.known(part, Frame(part.module, {}) if isinstance(part, nodes.Global) else frame)
            for part in found
            if isinstance(part, nodes.Constant | nodes.Global)
        ]
        # Functions name constants, too.
        constants = [
            each for module in in_order(schema.model) for each in module.definitions if isinstance(each, Const)
        ]
        values += [each.value for each in constants]
        numbers = [int(each) for each in values if isinstance(each, int)]
        texts = [each.encode() if isinstance(each, str) else each for each in values if isinstance(each, str | bytes)]
        if beside is not None:
            numbers, texts = [*numbers, *beside.numbers], [*texts, *beside.texts]
        self.numbers: tuple[int, ...] = tuple(dict.fromkeys(numbers))
        self.texts: tuple[bytes, ...] = tuple(dict.fromkeys(texts))
        #: What expressions of other declarations compare a field with, by the declaration and the field.
        self.compared: dict[Place, list[Any]] = compared_elsewhere(schema, self.evaluator)
        for place, known in (beside.compared if beside is not None else {}).items():
            self.compared[place] = list(dict.fromkeys((*self.compared.get(place, ()), *known)))

    def compared_with(self, layout: RecordLayout, field: FieldLayout) -> list[Any]:
        """Returns the values that expressions of other declarations compare a field with."""
        return self.compared.get((layout.spec_name.partition(".")[0], field.attribute), [])

    def condition(self, rule: Rule) -> Node:
        """Returns a rule's condition: true for an absent field; for a derivation, that the field equals its value."""
        return self._conditions.get(id(rule), rule.condition)

    def attributes(self, condition: Node, field: FieldLayout) -> list[nodes.Attribute]:
        """Returns the attributes inside of a field or parameter that a condition names.

        The alternative of a value is not chosen any more.
        """
        key = id(condition), field.name
        if key not in self._attributes:
            parts = (part for part in nodes.walk(condition) if isinstance(part, nodes.Attribute))
            found = [part for part in parts if part.name not in ("kind", "tag") and is_inside(part, field)]
            self._attributes[key] = condition, found
        return self._attributes[key][1]

    def rules(self, layout: RecordLayout, field: FieldLayout) -> list[Rule]:
        """Returns the rules that can be checked once a field is made, and name it."""
        key = (layout.module.name, layout.spec_name, field.name)
        if key not in self._rules:
            found = [rule for each in layout.fields for rule in each.rules if rule.after == field.name]
            self._rules[key] = [*found, *layout.checks] if field is layout.fields[-1] else found
        return self._rules[key]

    def conditions_on(self, layout: RecordLayout, field: FieldLayout) -> tuple[list[Node], list[VariantLayout]]:
        """Returns the conditions of a body that name a field, and the variants that it selects the alternative of."""
        key = (layout.module.name, layout.spec_name, field.name)
        if key not in self._asked:
            own = nodes.FieldValue(field.name, field.attribute, field.slot)
            conditions = [rule.condition for rule in layout.checks]
            conditions += self._of_shapes.get((layout.module.name, layout.spec_name), ())
            variants = []
            for each in layout.fields:
                conditions += [*map(inlined, each.nodes()), *selected_by(self.schema, each)]
                if (
                    each.kind == "record"
                    and isinstance(each.target, Extension)
                    and any(same(node, own) for node in each.arguments)
                ):
                    found = self.schema.layout(each.target)
                    if isinstance(found, VariantLayout) and isinstance(found.tag, nodes.Parameter):
                        variants.append(found)
            named = [each for each in conditions if field.name in nodes.field_names(each)]
            named += self._conditions_in_other(layout, field)
            self._asked[key] = named, variants
        return self._asked[key]

    def _conditions_in_other(self, layout: RecordLayout, field: FieldLayout) -> list[Node]:
        """Returns the conditions of the other version's body of the same name that name its field of the same name."""
        if self._beside is None:
            return []
        place = layout.module.name, layout.spec_name
        bodies = (each for each in self._beside.schema.bodies() if (each.module.name, each.spec_name) == place)
        found = [(body, other) for body in bodies if (other := body.field(field.name)) is not None]
        return [condition for body, other in found for condition in self._beside.conditions_on(body, other)[0]]

    def height(self, layout: RecordLayout | VariantLayout) -> int:
        """Returns the least number of levels of a value, so that values which contain themselves end."""
        return self._least(layout, self._heights, lambda inner: 1 + max(inner, default=0), ENDLESS)

    def parts(self, layout: RecordLayout | VariantLayout) -> int:
        """Returns the least number of records in each other that a value has, counted to a bound."""
        return self._least(layout, self._parts, lambda inner: 1 + sum(inner), MOST_PARTS + 1)

    def _least(
        self,
        layout: RecordLayout | VariantLayout,
        known: dict[str, int],
        of_record: Callable[[list[int]], int],
        most: int,
    ) -> int:
        name = _name(layout)
        if name not in known:
            layouts = {name: layout}

            def inside(name: str) -> list[str]:
                found = {_name(each): each for each in self._inside(layouts[name])}
                layouts.update(found)
                return list(found)

            def measure(name: str, measures: Mapping[str, int]) -> int:
                found = layouts[name]
                inner = [measures[_name(each)] for each in self._inside(found)]
                return min(inner, default=0) if isinstance(found, VariantLayout) else of_record(inner)

            known.update(least(name, inside, measure, most))
        return known[name]

    def _inside(self, layout: RecordLayout | VariantLayout) -> list[RecordLayout | VariantLayout]:
        """Returns the layouts inside every value of a record; those of the alternatives of a variant."""
        if isinstance(layout, VariantLayout):
            return [each.record for each in layout.alternatives]
        needed = [each for each in layout.fields if each.presence is None and each.dimension is None]
        targets = [each.target for each in needed if each.kind == "record"]
        return [self.schema.layout(each) for each in targets if isinstance(each, Record | Extension)]


def _name(layout: RecordLayout | VariantLayout) -> str:
    return f"{layout.module.name}.{layout.spec_name}"


def _expressions(body: RecordLayout) -> Iterator[Node]:
    for field in body.fields:
        yield from field.nodes()
        if field.coder is not None and field.coder.initial is not None:
            yield field.coder.initial
    yield from (rule.condition for rule in body.checks)


def comparisons_of_encodings(schema: Schema) -> dict[tuple[str, str], list[Node]]:
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
                named = {
                    field_name(name): nodes.FieldValue(each.name, each.attribute, each.slot) for name, each in bound
                }
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


def sizing_places(schema: Schema) -> frozenset[Place]:
    """Returns the fields and parameters from which dimensions, lengths, widths and sizes are computed, also through
    arguments."""
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
