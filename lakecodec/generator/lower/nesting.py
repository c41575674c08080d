"""Records and variants whose values can contain others of their own type, without a bound that the IDL sets."""

from __future__ import annotations

from ..graph import reachable
from ..model import Extension, Module, Record
from ..syntax import RecordField, VariantDef

Body = Record | Extension


def self_containing(module: Module) -> set[str]:
    """Returns the names of the module's records and variants that lie on a circle of types."""
    bodies = {item.name: item for item in module.definitions if isinstance(item, Record | Extension)}
    inside = {name: {each for each in _types(body) if each in bodies} for name, body in bodies.items()}
    return {name for name in bodies if name in reachable(name, inside)}


def _types(body: Body) -> set[str]:
    return {field.type.name for field in _fields(body)}


def _fields(body: Body) -> list[RecordField]:
    if isinstance(body, Record):
        return body.fields
    syntax = body.syntax
    return [field for case in syntax.cases for field in case.fields or ()] if isinstance(syntax, VariantDef) else []
