"""The entries of ``__spec__``: what a generated module says of its own types."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..print.records import RecordText
from ..print.variants import VariantText
from . import types
from .structs import EnumPlan, FieldPlan, StructPlan
from .text import call


@dataclass(frozen=True, slots=True)
class TypePlan:
    """An entry of ``__spec__``."""

    name: str
    spec_name: str
    kind: str
    source_line: int
    doc_literal: str
    spec_fields: list[str] = field(default_factory=list)
    annotations_literal: str = ""


def plan_types(
    enums: list[EnumPlan], structs: list[StructPlan], bodies: list[RecordText | VariantText]
) -> list[TypePlan]:
    """The entries of a module in the order in which they are printed."""
    return [
        *(TypePlan(each.name, each.spec_name, "enum", each.source_line, types.quoted(each.doc)) for each in enums),
        *(_plan_type(struct) for struct in structs),
        *(entry for body in bodies for entry in _plan_body_types(body)),
    ]


def _plan_type(struct: StructPlan) -> TypePlan:
    return TypePlan(
        struct.name,
        struct.spec_name,
        struct.kind,
        struct.source_line,
        types.quoted(struct.doc),
        [line for planned in struct.wire_fields for line in _spec_field(planned)],
        repr(struct.annotations).replace("'", '"') if struct.annotations else "",
    )


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


def _spec_field(planned: FieldPlan) -> list[str]:
    arguments = [types.quoted(planned.name), str(planned.id), planned.spec, f'"{planned.requiredness}"']
    arguments += [planned.default, types.quoted(planned.doc)]
    if planned.attr != planned.name:
        arguments.append(types.quoted(planned.attr))
    return call("_spec.FieldSpec", arguments, indent=16)
