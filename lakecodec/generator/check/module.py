"""Semantic checks of a resolved model."""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics import Diagnostics, report_duplicates
from ..model import Enum, Extension, Field, Module, Record, Struct, Table
from ..words import is_reserved
from .computed import check_parts
from .cycles import check_cycles, check_endless
from .defaults import check_defaults
from .extensions import check_extension
from .messages import check_message, refuse_messages, refuse_wide_enums
from .records import check_record
from .tables import check_table

_I32 = range(-(1 << 31), 1 << 31)
_WIDE = range(-(1 << 63), 1 << 64)


def check(module: Module, diagnostics: Diagnostics) -> None:
    """Reports every broken rule of the module itself; included modules are checked on their own."""
    for definition in module.definitions:
        match definition:
            case Enum():
                _check_enum(definition, diagnostics)
            case Struct():
                _check_struct(definition, diagnostics)
            case Record():
                check_record(definition, diagnostics)
            case Table():
                check_table(definition, diagnostics)
            case Extension():
                check_extension(definition, diagnostics)
            case _:
                pass
    check_parts(module, diagnostics)
    check_cycles(module, diagnostics)
    check_defaults(module, diagnostics)
    check_endless(module, diagnostics)


def _check_enum(enum: Enum, diagnostics: Diagnostics) -> None:
    report_duplicates(((member.name, member.location) for member in enum.members), "member", diagnostics)
    if enum.annotations.get("lakecodec.bits", "32") not in ("32", "64"):
        text = f'\'lakecodec.bits\' of \'{enum.name}\' is "32" or "64", not "{enum.annotations["lakecodec.bits"]}"'
        diagnostics.error(text, enum.location)
    known, fits = (_WIDE, "64 bits") if enum.is_wide else (_I32, "i32")
    for member in enum.members:
        place = member.number_location or member.location
        if member.number not in known:
            diagnostics.error(f"the number {member.number} of '{member.name}' does not fit {fits}", place)
        if is_reserved(member.name):
            diagnostics.error(f"'{member.name}' is a reserved word and cannot be a name", member.location)


def _check_struct(struct: Struct, diagnostics: Diagnostics) -> None:
    report_duplicates(((field.name, field.location) for field in struct.fields), "field", diagnostics)
    refuse_wide_enums(struct, diagnostics)
    if struct.is_protobuf:
        check_message(struct, diagnostics)
    else:
        refuse_messages(struct, diagnostics)
    if struct.kind == "union":
        _check_union_defaults(struct.name, struct.fields, diagnostics)


def _check_union_defaults(name: str, fields: Iterable[Field], diagnostics: Diagnostics) -> None:
    with_default = [field for field in fields if field.has_default]
    for field in with_default[1:]:
        diagnostics.error(
            f"field '{field.name}' is a second default of union '{name}', after '{with_default[0].name}'",
            field.location,
        )
