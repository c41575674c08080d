"""Bytes that break one rule of a declaration, on purpose, and keep all others.

The values break the rule, and a cursor without checks writes them. Everything around the broken value, such as sizes,
checksums and compressed blocks, is encoded correctly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...generator.lower.field_layout import Rule
from ...generator.lower.nodes import span_words
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Extension, Record
from ...runtime.errors import CodecError, DecodeError
from ..schema import Schema
from .choices import Choices, Rejected
from .sampler import Sample, Sampler

#: The most attempts at a value that breaks a rule.
_ATTEMPTS = 24


class RuleBreaker:
    """Makes bytes of one type that break one rule each.

    Attributes:
        rules: those of the type itself, then those of nested types; not those about the bytes left, which bytes cut off or left
            over break.
    """

    def __init__(self, type: Any, schema: Schema, choices: Choices) -> None:
        self._class, self._schema, self._choices = type, schema, choices
        definition = schema.definition(type)
        self.rules: list[Rule] = []
        if isinstance(definition, Record | Extension):
            bodies = _bodies(schema, schema.layout(definition), getattr(type, "kind", ""))
            self.rules = [rule for body in bodies for rule in _rules(body)]

    def breaking(self, rule: Rule) -> tuple[Sample, DecodeError] | None:
        """Returns bytes that break one rule, as a sample without a value, and the error. None if no such bytes were
        found."""
        sampler = Sampler(self._class, self._choices, self._schema, broken=rule)
        for _ in range(_ATTEMPTS):
            try:
                made = sampler.encoded()
            except (Rejected, CodecError, MemoryError, OverflowError):
                self._choices.end_attempt(False)
                continue
            self._choices.end_attempt(True)
            try:
                sampler.reading_class(self._class).from_bytes(made.data, *made.parameters)
            except DecodeError as error:
                if error.rule.startswith(rule.message):
                    return Sample(None, made.data, made.parameters, made.start), error
        return None


def _rules(body: RecordLayout) -> Iterator[Rule]:
    found = [rule for field in body.fields for rule in field.rules]
    return (each for each in (*found, *body.checks) if each.setting is None and not span_words(each.condition))


def _bodies(schema: Schema, layout: RecordLayout | VariantLayout, kind: str = "") -> list[RecordLayout]:
    """Returns a body, or the alternatives of a variant, and the bodies inside them."""
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
