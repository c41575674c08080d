"""Checks for structs and records that contain themselves endlessly, and functions that call themselves endlessly."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Diagnostics, Location
from ..model import Extension, Field, Module, Record, Struct
from ..syntax import Binary, Call, Each, Expr, Extern, FnDef, Literal_, Name, RecordField, Ternary, VariantDef
from ..syntax.walk import children
from .calls import check_calls


def check_endless(module: Module, diagnostics: Diagnostics) -> None:
    """Reports records and variants without any value, and functions without a result."""
    _check_bodies(module, diagnostics)
    _check_functions(module, diagnostics)


def _check_bodies(module: Module, diagnostics: Diagnostics) -> None:
    bodies = {
        item.name: item
        for item in module.definitions
        if isinstance(item, Record) or (isinstance(item, Extension) and isinstance(item.syntax, VariantDef))
    }
    endless = set(bodies)
    while finite := {name for name in endless if all(each not in endless for each, _ in _needs(bodies[name], endless))}:
        endless -= finite
    reported: set[str] = set()
    for name in bodies:
        path: list[tuple[str, Location]] = []
        current = name
        while current in endless and current not in reported:
            reported.add(current)
            following, place = next(each for each in _needs(bodies[current], endless) if each[0] in endless)
            path.append((current, place))
            current = following
        circle = [each for each, _ in path]
        if current in circle:
            start = circle.index(current)
            names = " -> ".join([*circle[start:], current])
            message = f"a '{current}' contains itself without end: {names}; use an `if` or a list"
            diagnostics.error(message, path[start][1])


def _needs(body: Record | Extension, endless: set[str]) -> Iterator[tuple[str, Location]]:
    """Returns the types that every value of a body contains; for a variant those of one alternative if all have some."""
    if isinstance(body, Record):
        yield from _contained(body.fields)
        return
    cases = [list(_contained(case.fields or ())) for case in body.syntax.cases]
    if all(any(name in endless for name, _ in case) for case in cases):
        yield from (each for case in cases[:1] for each in case if each[0] in endless)


def _contained(fields: list[RecordField] | tuple[RecordField, ...]) -> Iterator[tuple[str, Location]]:
    for field in fields:
        counts = [each.expression for each in field.dimensions]
        is_list = any(not isinstance(each, Literal_) or each.value == 0 for each in counts)
        if field.present is None and not is_list and not field.via and field.at is None:
            yield field.type.name, field.type.location


def _check_functions(module: Module, diagnostics: Diagnostics) -> None:
    bodies: dict[str, Expr] = {}
    places: dict[str, Location] = {}
    for item in module.definitions:
        syntax = item.syntax if isinstance(item, Extension) else None
        if isinstance(syntax, FnDef) and not isinstance(syntax.value, Extern):
            bodies[syntax.name], places[syntax.name] = syntax.value, syntax.location
    endless = set(bodies)
    while finite := {name for name in endless if not _always_calls(bodies[name], endless)}:
        endless -= finite
    for name, place in places.items():
        if name in endless:
            diagnostics.error(
                f"'{name}' always calls itself, or another function that does: a condition must end it", place
            )
    ending = {name: body for name, body in bodies.items() if name not in endless}
    check_calls(ending, places, diagnostics)


def _always_calls(expr: Expr, names: set[str]) -> bool:
    """Returns whether every evaluation of an expression calls one of these functions."""
    match expr:
        case Ternary():
            branches = _always_calls(expr.then, names) and _always_calls(expr.otherwise, names)
            return branches or _always_calls(expr.condition, names)
        case Binary(operator="and" | "or"):
            return _always_calls(expr.left, names)
        case Each():
            # The list may be empty, so its elements count for nothing.
            return any(_always_calls(each, names) for each in (expr.base, expr.initial) if each is not None)
        case Call(function=Name(name=name)) if name in names:
            return True
    return any(_always_calls(each, names) for each in children(expr))


def check_cycles(module: Module, diagnostics: Diagnostics) -> None:
    """Warns of structs that must contain themselves through required fields; Thrift accepts them.

    Lists, sets and maps may be empty, optional fields absent and unions unset, so all of these end a circle.
    """
    structs = [item for item in module.definitions if isinstance(item, Struct) and not item.is_union]
    endless = set(structs)
    while finite := {struct for struct in endless if _is_finite(struct, endless)}:
        endless -= finite
    for circle in _cycles(structs, endless):
        names = " -> ".join([*(struct.name for struct, _ in circle), circle[0][0].name])
        struct, field = circle[0]
        message = f"no value of '{struct.name}' can be written, it contains itself without end: {names}"
        diagnostics.warning(message, field.location)


def _is_finite(struct: Struct, endless: set[Struct]) -> bool:
    return all(field.type not in endless for field in struct.fields if field.requiredness == "required")


def _cycles(structs: list[Struct], endless: set[Struct]) -> Iterator[list[tuple[Struct, Field]]]:
    """Yields one circle for each set of structs that run into the same one, in source order."""
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
