"""The old version of a file with a single difference, which shows what that difference breaks."""

from __future__ import annotations

import copy
from typing import Any

from ...generator.check.module import check
from ...generator.diagnostics import Diagnostics, IdlError
from ...generator.in_memory import compile_model
from ...generator.model import Const, Definition, Enum, Extension, ListOf, MapOf, Module, Record, SetOf, Struct, Type
from ...generator.resolve.fields import resolve_fields
from .declared import named
from .difference import Difference


def isolated(old: Module, new: Module, difference: Difference) -> tuple[Module, Any] | None:
    """Returns the model and the compiled module of the old version with one difference. None if that file is
    invalid."""
    memo: dict[int, Any] = {}
    made = copy.deepcopy(old, memo)
    item, other = named(made).get(difference.type), named(new).get(difference.type)
    if difference.rule == "field-renamed" or item is None or other is None:
        return None
    if not _changed(item, other, difference.field, made):
        return None
    for each in made.definitions:
        resolve_fields(each)
    diagnostics = Diagnostics()
    try:
        check(made, diagnostics)
        diagnostics.raise_errors()
        return made, compile_model(made, diagnostics)
    except IdlError:
        return None


def _changed(item: Definition, other: Definition, field: str, made: Module) -> bool:
    """Changes one part of a declaration to that of the other version; returns whether that was possible."""
    match item, other:
        case Struct(), Struct():
            return _struct(item, other, field, made)
        case Record(), Record():
            item.fields = _fields(list(item.fields), list(other.fields), field)
            if not field:
                item.params, item.attributes, item.checks = other.params, other.attributes, other.checks
        case Extension(), Extension():
            item.syntax = other.syntax
        case Enum(), Enum():
            item.members = other.members
        case Const(), Const():
            moved = _moved(other.type, made)
            if moved is None:
                return False
            item.type, item.value = moved, other.value
        case _:
            return False
    return True


def _fields(old: list[Any], new: list[Any], name: str) -> list[Any]:
    """Returns the fields with one that is changed, moved, added or removed."""
    changed = next((each for each in new if each.name == name), None)
    place = next((number for number, each in enumerate(old) if each.name == name), None)
    rest = [each for each in old if each.name != name]
    if changed is None:
        return rest
    known, later = {each.name for each in rest}, {each.name for each in new}
    before = [each.name for each in new[: new.index(changed)] if each.name in known]
    if place is None or sorted(before) != sorted(each.name for each in old[:place] if each.name in later):
        place = 1 + next(number for number, each in enumerate(rest) if each.name == before[-1]) if before else 0
    return [*rest[:place], changed, *rest[place:]]


def _struct(item: Struct, other: Struct, name: str, made: Module) -> bool:
    was = next((each for each in item.fields if each.name == name), None)
    now = next((each for each in other.fields if each.name == name), None)
    if now is None and was is not None:
        now = next((each for each in other.fields if each.id == was.id), None)
    fields = [each for each in item.fields if each is not was]
    if now is not None and any(each.id == now.id or each.name == now.name for each in fields):
        # It has the number or name of another field.
        return False
    if now is not None:
        type_ = _moved(now.type, made)
        if type_ is None:
            return False
        changed = copy.copy(now)
        changed.type = type_
        fields.append(changed)
    item.fields = sorted(fields, key=lambda each: each.id)
    item.kind = item.kind if name else other.kind
    return True


def _moved(type_: Type, made: Module) -> Type | None:
    """Returns a type with the declarations of another model; None where one is not there."""
    match type_:
        case Struct() | Enum():
            found = next((each for each in _reachable(made) if each.name == type_.name), None)
            return found if isinstance(found, Struct | Enum) else None
        case ListOf() | SetOf():
            inner = _moved(type_.value, made)
            return None if inner is None else type(type_)(inner)
        case MapOf():
            key, value = _moved(type_.key, made), _moved(type_.value, made)
            return None if key is None or value is None else MapOf(key, value)
    return type_


def _reachable(made: Module) -> list[Definition]:
    return [*made.definitions, *(item for module in made.includes.values() for item in module.definitions)]
