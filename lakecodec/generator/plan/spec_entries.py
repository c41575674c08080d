"""The entries of ``__spec__`` for records and variants; those of enums, structs and unions follow from their rows."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..print.records import RecordText
from ..print.variants import VariantText
from . import types
from .structs import EnumPlan, StructPlan
from .text import WIDTH, call


@dataclass(frozen=True, slots=True)
class TypePlan:
    """An entry of ``__spec__``."""

    name: str
    spec_name: str
    kind: str
    source_line: int
    doc_literal: str
    spec_fields: list[str] = field(default_factory=list)


def plan_types(bodies: list[RecordText | VariantText]) -> list[TypePlan]:
    """The entries of a module's records and variants, in the order in which they are printed."""
    return [entry for body in bodies for entry in _plan_body_types(body)]


def source_lines(classes: Sequence[EnumPlan | StructPlan]) -> list[str]:
    """The items, class to line of its declaration, of a dict that is printed over several lines."""
    items = " ".join(f'"{each.name}":\N{NO-BREAK SPACE}{each.source_line},' for each in classes)
    rows = textwrap.wrap(items, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in rows]


def _plan_body_types(body: RecordText | VariantText) -> list[TypePlan]:
    """A record's entry; a variant's, whose fields are its alternatives, and theirs."""
    if isinstance(body, RecordText):
        return [] if body.of_codec else [_plan_record_type(body)]
    lines = []
    for number, (name, case) in enumerate(zip(body.names, body.cases, strict=True), 1):
        arguments = [types.quoted(name), str(number), case.name, '"optional"', "None", types.quoted(case.doc)]
        lines += call("_spec.FieldSpec", arguments, indent=16)
    entry = TypePlan(body.name, body.spec_name, "variant", body.source_line, types.quoted(body.doc), lines)
    return [entry, *(_plan_record_type(case) for case in body.cases)]


def _plan_record_type(record: RecordText) -> TypePlan:
    lines = []
    for number, planned in enumerate(record.fields, 1):
        arguments = [types.quoted(planned.name), str(number), planned.spec, '"required"', "None"]
        arguments.append(types.quoted(planned.doc))
        if planned.attr != planned.name:
            arguments.append(types.quoted(planned.attr))
        lines += call("_spec.FieldSpec", arguments, indent=16)
    return TypePlan(record.name, record.spec_name, record.kind, record.source_line, types.quoted(record.doc), lines)
