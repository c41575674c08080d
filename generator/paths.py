"""What the paths of expressions lead to: `meta.row_groups.columns` through records and structs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .builtin_names import WIRE_TYPES
from .model import Const, Definition, Enum, ListOf, MapOf, Module, Record, Scalar, SetOf, Struct, Type
from .scope import BASE_TYPES
from .syntax import RecordField

#: Bytes and text have their length as a dimension.
_TEXTS = ("bytes", "utf8", "text")


@dataclass(frozen=True, slots=True)
class Target:
    """What a path leads to, inside so many lists; a ``holder`` of None is a scalar, or not known at all."""

    holder: Struct | Record | Enum | Module | None = None
    lists: int = 0
    scalar: bool = False


ANYTHING = Target()
SCALAR = Target(scalar=True)


def of_type(type_: Type) -> Target:
    match type_:
        case ListOf() | SetOf():
            inside = of_type(type_.value)
            return replace(inside, lists=inside.lists + 1)
        case Struct():
            return Target(type_)
        case Scalar() | Enum():
            return SCALAR
        case MapOf():
            return ANYTHING


def of_definition(definition: Definition | None) -> Target:
    """What a name of a module stands for in an expression."""
    match definition:
        case Enum():
            return Target(definition)
        case Const():
            return of_type(definition.type)
        case _:
            return ANYTHING


def of_field(field: RecordField, module: Module) -> Target:
    found = _of_type_name(field.type.name, module)
    dimensions = 0 if field.type.name in _TEXTS else len(field.dimensions)
    return replace(found, lists=found.lists + dimensions)


def of_parameter(type_name: str, module: Module) -> Target:
    if inside := re.fullmatch(r"(?:list|set)<(.*)>", type_name):
        found = of_parameter(inside[1], module)
        return replace(found, lists=found.lists + 1)
    return _of_type_name(type_name, module)


def member(target: Target, name: str) -> Target | None:
    """What `.name` leads to; None where there is nothing of that name. A member of a list is that of its elements."""
    if target.scalar:
        return None
    match target.holder:
        case None:
            return ANYTHING
        case Enum():
            return SCALAR if any(each.name == name for each in target.holder.members) else None
        case Module():
            found = target.holder.find(name)
            return None if found is None else of_definition(found)
        case Struct():
            types = {field.name: field.type for field in target.holder.fields}
            reached = of_type(types[name]) if name in types else None
        case Record():
            reached = _member_of_record(target.holder, name)
    return None if reached is None else replace(reached, lists=reached.lists + target.lists)


def member_names(target: Target) -> list[str]:
    match target.holder:
        case Enum():
            return [each.name for each in target.holder.members]
        case Module():
            return [each.name for each in target.holder.definitions]
        case Struct() | Record():
            return [each.name for each in target.holder.fields]
        case None:
            return []


def element(target: Target) -> Target | None:
    """An element of a list; None for what is known to be none."""
    if target.lists:
        return replace(target, lists=target.lists - 1)
    return ANYTHING if target.holder is None and not target.scalar else None


def _member_of_record(record: Record, name: str) -> Target | None:
    for field in record.fields:
        if field.name == name:
            return of_field(field, record.module)
    for param in record.params:
        if param.name == name:
            return of_parameter(param.type_name, record.module)
    return None


def _of_type_name(name: str, module: Module) -> Target:
    if name in WIRE_TYPES or name in BASE_TYPES:
        return ANYTHING if name == "native" else SCALAR
    found = module.find(name)
    if isinstance(found, Enum):
        return SCALAR
    return Target(found) if isinstance(found, Struct | Record) else ANYTHING
