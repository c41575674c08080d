"""Records that contain themselves, and functions that call themselves, without an end."""

from __future__ import annotations

from collections.abc import Iterator

from .diagnostics import Diagnostics, Location
from .expressions import children
from .model import Extension, Module, Record
from .syntax import Binary, Call, Expr, Extern, FnDef, Literal_, Name, RecordField, Ternary, VariantDef


def check_endless(module: Module, diagnostics: Diagnostics) -> None:
    """Reports records and variants of which there is no value, and functions that have no result."""
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
            message = f"a '{current}' would contain itself without end: {names}; an `if` or a list ends it"
            diagnostics.error(message, path[start][1])


def _needs(body: Record | Extension, endless: set[str]) -> Iterator[tuple[str, Location]]:
    """Returns the types that every value of a body contains; of a variant, those of one alternative where all have some."""
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


def _always_calls(expr: Expr, names: set[str]) -> bool:
    """Returns whether the evaluation of an expression calls one of these functions in any case."""
    match expr:
        case Ternary():
            branches = _always_calls(expr.then, names) and _always_calls(expr.otherwise, names)
            return branches or _always_calls(expr.condition, names)
        case Binary(operator="and" | "or"):
            return _always_calls(expr.left, names)
        case Call(function=Name(name=name)) if name in names:
            return True
    return any(_always_calls(each, names) for each in children(expr))
