"""Resolves the types and `via` steps of fields of records, variants, encodings and codecs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..model import Const, Definition, Extension, Module, Record
from ..paths import of_field
from ..syntax import CodecDef, EncodingDef, Expr, Literal_, Member, Name, RecordField, VariantDef
from ..syntax.walk import called_name, enum_argument
from .earlier import with_earlier


def resolve_fields(definition: Definition) -> None:
    """Resolves the names in the fields of a definition; all definitions of its module must be known."""
    match definition:
        case Record():
            definition.fields = list(_resolved(definition.fields, definition.module))
        case Extension(syntax=VariantDef() as syntax, module=module):
            cases = (replace(each, fields=each.fields and _resolved(each.fields, module)) for each in syntax.cases)
            definition.syntax = replace(syntax, cases=tuple(cases))
        case Extension(syntax=EncodingDef() as syntax, module=module):
            shapes = (
                replace(
                    each,
                    fields=_resolved(each.fields, module),
                    null_fields=each.null_fields and _resolved(each.null_fields, module),
                )
                for each in syntax.shapes
            )
            definition.syntax = replace(syntax, shapes=tuple(shapes))
        case Extension(syntax=CodecDef(fields=tuple() as fields) as syntax, module=module):
            definition.syntax = replace(syntax, fields=_resolved(fields, module))


def _resolved(fields: Iterable[RecordField], module: Module) -> tuple[RecordField, ...]:
    return tuple(_field(each, module) for each in fields)


def _field(field: RecordField, module: Module) -> RecordField:
    called = tuple(_called(step, module) for step in field.via)
    ending = None if field.until is None else _constant(field.until, module)
    found = with_earlier(replace(field, target=module.find(field.type.name), called=called, ending=ending))
    return replace(found, kind=of_field(found, module))


def _called(step: Expr, module: Module) -> Definition | None:
    enum = enum_argument(step)
    return module.find(called_name(step) if enum is None else enum)


def _constant(expr: Expr, module: Module) -> bytes | None:
    value: object = None
    match expr:
        case Literal_():
            value = expr.value
        case Name(name=name) if isinstance(found := module.find(name), Const):
            value = found.value
        case Member(base=Name(name=prefix), name=name) if isinstance(found := module.find(f"{prefix}.{name}"), Const):
            value = found.value
    return value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else None
