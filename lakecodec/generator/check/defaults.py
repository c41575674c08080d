"""Defaults that are structs, whose fields have defaults of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics import Diagnostics
from ..model import Field, ListOf, MapOf, Module, SetOf, Struct, Type

#: Values in each other that one default is made of.
_MOST = 1 << 16


def check_defaults(module: Module, diagnostics: Diagnostics) -> None:
    """Reports the first default that is made of too many values, as each level can double them, or that contains itself."""
    structs = [item for item in module.definitions if isinstance(item, Struct)]
    fields = [field for struct in structs for field in struct.fields if field.has_default]
    counts = _counts(fields)
    for field in fields:
        if counts.get(field, _MOST + 1) > _MOST:
            message = f"the default of '{field.name}' contains itself, or is made of more than {_MOST} values"
            diagnostics.error(f"{message}: fields of its structs have defaults, too", field.location)
            return


def _counts(fields: list[Field]) -> dict[Field, int]:
    """Returns the values that defaults are made of, counted to a bound; none of a default that contains itself."""
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
