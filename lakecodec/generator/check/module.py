"""Semantic checks of a resolved model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..diagnostics import Diagnostics, report_duplicates
from ..model import Enum, Extension, Field, ListOf, MapOf, Module, Record, SetOf, Struct, Table, Type
from ..names import import_alias
from ..streaming import check_streams
from ..words import is_reserved
from .computed import check_parts
from .cycles import check_cycles, check_endless
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
                check_streams(definition, diagnostics)
            case Table():
                check_table(definition, diagnostics)
            case Extension():
                check_extension(definition, diagnostics)
                check_streams(definition, diagnostics)
            case _:
                pass
    _check_aliases(module, diagnostics)
    check_parts(module, diagnostics)
    check_cycles(module, diagnostics)
    check_defaults(module, diagnostics)
    check_endless(module, diagnostics)


def _check_aliases(module: Module, diagnostics: Diagnostics) -> None:
    """Reports definitions that would hide an included module in the generated one; Thrift's have other names there."""
    aliases = {import_alias(each): each.name for each in module.imports()}
    for each in module.definitions:
        if isinstance(each, Record | Extension | Table) and each.name in aliases:
            message = f"the generated module has the included module '{aliases[each.name]}' as '{each.name}': choose another name"
            diagnostics.error(message, each.location)


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


#: The largest number of nested values in one default.
_MOST = 1 << 16


def check_defaults(module: Module, diagnostics: Diagnostics) -> None:
    """Reports the first default that has too many values, since each level can double them, or that contains
    itself."""
    structs = [item for item in module.definitions if isinstance(item, Struct)]
    fields = [field for struct in structs for field in struct.fields if field.has_default]
    counts = _counts(fields)
    for field in fields:
        if counts.get(field, _MOST + 1) > _MOST:
            message = f"the default of '{field.name}' contains itself, or is made of more than {_MOST} values"
            diagnostics.error(f"{message}: fields of its structs have defaults, too", field.location)
            return


def _counts(fields: list[Field]) -> dict[Field, int]:
    """Returns the number of values per default, counted up to a bound; a default that contains itself has no number."""
    inside: dict[Field, list[Field | None]] = {}
    holders: dict[Field, list[Field]] = {}
    pending = [*fields]
    while pending:
        field = pending.pop()
        if field not in inside:
            inside[field] = list(_values(field.type, field.default))
            for each in {each for each in inside[field] if each is not None}:
                holders.setdefault(each, []).append(field)
                pending.append(each)
    counts: dict[Field, int] = {}
    unknown = {field: len({*parts} - {None}) for field, parts in inside.items()}
    ready = [field for field, count in unknown.items() if count == 0]
    while ready:
        field = ready.pop()
        counts[field] = min(sum(1 if each is None else counts[each] for each in inside[field]), _MOST + 1)
        for holder in holders.get(field, ()):
            unknown[holder] -= 1
            if unknown[holder] == 0:
                ready.append(holder)
    return counts


def _values(type_: Type, value: Any) -> Iterator[Field | None]:
    """Yields None for each value in a default, and the fields of its structs that get defaults of their own."""
    yield None
    match type_:
        case ListOf() | SetOf():
            for item in value:
                yield from _values(type_.value, item)
        case MapOf():
            for key, item in value.items() if isinstance(value, dict) else value:
                yield from _values(type_.key, key)
                yield from _values(type_.value, item)
        case Struct():
            for field in type_.fields:
                if field.name in value:
                    yield from _values(field.type, value[field.name])
                elif field.has_default and field.requiredness != "optional" and not type_.is_union:
                    yield field
