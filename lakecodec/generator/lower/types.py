"""Predicates over types of the model by which the form of generated code is chosen."""

from __future__ import annotations

from ..model import Enum, ListOf, MapOf, Scalar, SetOf, Struct, Type

CODEC_ANNOTATION = "lakecodec.codec"


def hashable(type_: Type) -> bool:
    """Returns whether values can be set elements and dict keys: scalars, enums, unions of structs without fields."""
    if isinstance(type_, Struct):
        return type_.kind == "union" and all(is_marker(field.type) for field in type_.fields)
    return isinstance(type_, Scalar | Enum)


def is_marker(type_: Type) -> bool:
    """Returns whether the type is a struct without fields, of which one instance is shared."""
    return (
        isinstance(type_, Struct)
        and type_.kind in ("struct", "exception")
        and not type_.fields
        and CODEC_ANNOTATION not in type_.annotations
    )


def is_mutable(type_: Type) -> bool:
    """Returns whether a default of the type must be made anew for each object."""
    return isinstance(type_, ListOf | SetOf | MapOf | Struct)


def is_builtin(type_: Type) -> bool:
    """Returns whether constants of the type name no class that a module must import."""
    if isinstance(type_, MapOf):
        return is_builtin(type_.key) and is_builtin(type_.value)
    if isinstance(type_, ListOf | SetOf):
        return is_builtin(type_.value)
    return isinstance(type_, Scalar) and type_.kind != "uuid"


def holds_objects(type_: Type) -> bool:
    """Returns whether values of the type are, or contain, structs or unions."""
    if isinstance(type_, MapOf):
        return holds_objects(type_.key) or holds_objects(type_.value)
    return isinstance(type_, Struct) or (isinstance(type_, ListOf | SetOf) and holds_objects(type_.value))
