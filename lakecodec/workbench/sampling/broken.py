"""Bytes that break one rule of a declaration, on purpose, and keep all others.

The values are made against the rule and written by a twin of the generated module that does not check rules: whatever is around
the broken one, sizes, checksums and compressed blocks, is encoded to fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...generator.bundle import bundle_of, load_bundle
from ...generator.diagnostics import Diagnostics
from ...generator.graph import in_order
from ...generator.in_memory import compile_model
from ...generator.lower.field_layout import Rule
from ...generator.lower.nodes import span_words
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Extension, Module, Record
from ...generator.syntax import Call, CodecDef, EncodingDef, Name, RecordField, VariantDef
from ...generator.syntax.walk import walk
from ...runtime.errors import CodecError, DecodeError
from ...runtime.memo import kept_with
from ...runtime.records.record import Record as Record_
from ..schema import Schema
from .choices import Choices, Rejected
from .sampler import Sample, Sampler

#: Attempts at a value that breaks a rule.
_ATTEMPTS = 24


class RuleBreaker:
    """Makes bytes of one type that break one rule each.

    Attributes:
        rules: those of the type itself, then those of what it holds; not those about the bytes left, which bytes cut off or left
            over break.
    """

    def __init__(self, type: Any, schema: Schema, choices: Choices) -> None:
        self._class, self._schema, self._choices = type, schema, choices
        self._twin = unchecked(schema)
        definition = self._twin.definition(type)
        self.rules: list[Rule] = []
        if isinstance(definition, Record | Extension):
            bodies = _bodies(self._twin, self._twin.layout(definition), getattr(type, "kind", ""))
            self.rules = [rule for body in bodies for rule in _rules(body)]

    def breaking(self, rule: Rule) -> tuple[Sample, DecodeError] | None:
        """Returns bytes that are refused for a rule, as a sample without a value, and the error; None where none were found."""
        twin = getattr(self._twin.python(self._schema.definition(self._class).module), self._class.__name__)
        sampler = Sampler(twin, self._choices, self._twin, broken=rule)
        for _ in range(_ATTEMPTS):
            try:
                _, data, parameters = sampler.encoded()
                given = tuple(map(self._as_read, parameters))
            except (Rejected, CodecError, MemoryError, OverflowError):
                self._choices.settle(False)
                continue
            self._choices.settle(True)
            try:
                sampler.reading_class(self._class).from_bytes(data, *given)
            except DecodeError as error:
                if error.rule.startswith(rule.message):
                    return Sample(None, data, given), error
        return None

    def _as_read(self, parameter: Any) -> Any:
        """Returns a parameter as an object of the module whose readers are asked."""
        if isinstance(parameter, list):
            return [self._as_read(each) for each in parameter]
        if not isinstance(parameter, Record_):
            return parameter
        name = type(parameter).__name__
        if getattr(parameter, "kind", ""):
            name = type(parameter).__mro__[1].__name__
        module = type(parameter).__module__.rpartition(".")[2]
        cls = getattr(next(map(self._schema.python, _named(self._schema, module))), name)
        given = parameter._remembered()
        return cls.from_bytes(parameter.to_bytes(*given), *map(self._as_read, given))


def _named(schema: Schema, name: str) -> Iterator[Module]:
    return (each for each in in_order(schema.model) if each.name == name)


def _rules(body: RecordLayout) -> Iterator[Rule]:
    found = [rule for field in body.fields for rule in field.rules]
    return (each for each in (*found, *body.checks) if each.setting is None and not span_words(each.condition))


def _bodies(schema: Schema, layout: RecordLayout | VariantLayout, kind: str = "") -> list[RecordLayout]:
    """Returns a body, or the alternatives of a variant, and what they hold."""
    found: dict[str, RecordLayout] = {}
    pending: list[RecordLayout] = _own(layout, kind)
    while pending:
        body = pending.pop(0)
        name = f"{body.module.name}.{body.spec_name}"
        if name not in found:
            found[name] = body
            for field in body.fields:
                if field.kind == "record" and isinstance(field.target, Record | Extension):
                    pending += _own(schema.layout(field.target))
    return list(found.values())


def _own(layout: RecordLayout | VariantLayout, kind: str = "") -> list[RecordLayout]:
    if isinstance(layout, RecordLayout):
        return [layout]
    return [each.record for each in layout.alternatives if not isinstance(kind, str) or kind in ("", each.name)]


@kept_with
def unchecked(schema: Schema) -> Schema:
    """Returns the schema with the modules of a twin, whose classes read and write values that break rules."""
    diagnostics = Diagnostics()
    model = load_bundle(bundle_of(in_order(schema.model)), diagnostics)
    kernels = set(_codecs_of_encodings(model))
    for module in in_order(model):
        for item in module.definitions:
            if isinstance(item, Record):
                item.checks.clear()
                item.fields = _without_rules(item.fields)
            elif isinstance(item, Extension) and isinstance(item.syntax, VariantDef):
                cases = (
                    each if each.fields is None else replace(each, fields=tuple(_without_rules(each.fields)))
                    for each in item.syntax.cases
                )
                item.syntax = replace(item.syntax, cases=tuple(cases))
            elif isinstance(item, Extension) and isinstance(item.syntax, CodecDef) and item.syntax.fields is not None:
                if item.name in kernels:
                    continue
                item.syntax = replace(item.syntax, fields=tuple(_without_rules(item.syntax.fields)))
    twin = compile_model(model, diagnostics)
    return Schema(schema.model, twin.__package__ or "")


def _codecs_of_encodings(model: Module) -> Iterator[str]:
    """Yields the names of the codecs in encodings: the rules of their fields choose the kernels that read values."""
    items = (item for module in in_order(model) for item in module.definitions if isinstance(item, Extension))
    for syntax in (item.syntax for item in items):
        for shape in syntax.shapes if isinstance(syntax, EncodingDef) else ():
            for field in (*shape.fields, *(shape.null_fields or ())):
                for part in (part for via in field.via for part in walk(via)):
                    if isinstance(part, Call) and isinstance(part.function, Name):
                        yield part.function.name
                    elif isinstance(part, Name):
                        yield part.name


def _without_rules(fields: Sequence[RecordField]) -> list[RecordField]:
    return [replace(each, invariants=tuple(rule for rule in each.invariants if rule.setting)) for each in fields]
