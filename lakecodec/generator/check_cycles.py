"""Structs of which no value can be written, because one would contain itself without end. Thrift accepts them."""

from __future__ import annotations

from collections.abc import Iterator

from .diagnostics import Diagnostics
from .model import Field, Module, Struct


def check_cycles(module: Module, diagnostics: Diagnostics) -> None:
    """Reports structs that must contain themselves through required fields.

    Lists, sets and maps may be empty, optional fields absent and unions unset, so all of these end a circle.
    """
    structs = [item for item in module.definitions if isinstance(item, Struct) and not item.is_union]
    endless = set(structs)
    while finite := {struct for struct in endless if _is_finite(struct, endless)}:
        endless -= finite
    for circle in _circles(structs, endless):
        names = " -> ".join([*(struct.name for struct, _ in circle), circle[0][0].name])
        struct, field = circle[0]
        message = f"no value of '{struct.name}' can be written, it would contain itself without end: {names}"
        diagnostics.warning(message, field.location)


def _is_finite(struct: Struct, endless: set[Struct]) -> bool:
    return all(field.type not in endless for field in struct.fields if field.requiredness == "required")


def _circles(structs: list[Struct], endless: set[Struct]) -> Iterator[list[tuple[Struct, Field]]]:
    """One circle for each set of structs that run into the same one, in source order."""
    seen: set[Struct] = set()
    for start in structs:
        path: list[tuple[Struct, Field]] = []
        current = start
        while current in endless and current not in seen:
            seen.add(current)
            field = next(each for each in current.fields if each.requiredness == "required" and each.type in endless)
            path.append((current, field))
            assert isinstance(field.type, Struct)
            current = field.type
        on_path = [struct for struct, _ in path]
        if current in on_path:
            yield path[on_path.index(current) :]
