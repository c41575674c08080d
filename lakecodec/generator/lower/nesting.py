"""Records and variants whose values can contain others of their own type, without a bound that the IDL sets."""

from __future__ import annotations

from ..graph import reachable
from ..model import Extension, Module, Record
from ..paths import fields_of

Body = Record | Extension


def self_containing(module: Module) -> set[str]:
    """Returns the names of the module's records and variants that lie on a circle of types."""
    bodies = {item.name: item for item in module.definitions if isinstance(item, Record | Extension)}
    inside = {name: {each for each in _types(body) if each in bodies} for name, body in bodies.items()}
    return {name for name in bodies if name in reachable(name, inside)}


def _types(body: Body) -> set[str]:
    return {field.type.name for field in fields_of(body)}
