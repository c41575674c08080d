"""Messages and oneofs of protobuf: default values and packing of their fields."""

from __future__ import annotations

from typing import Any

from ..model import Enum, Field, ListOf, Scalar, SetOf, Struct, Type

#: Scalars that cannot be elements of a packed list.
UNPACKED_KINDS = frozenset({"string", "binary"})


def set_zero_defaults(message: Struct) -> None:
    """Sets the values that absent fields have, for fields that are neither required nor optional.

    Fields that hold messages or oneofs are optional whatever the IDL says, as in protobuf.
    """
    for field in message.fields:
        if isinstance(field.type, Struct):
            field.requiredness = "optional" if field.requiredness == "default" else field.requiredness
        elif field.requiredness == "default" and not field.has_default:
            field.default = _zero(field.type)
            field.has_default = field.default is not None


def _zero(type_: Type) -> Any:
    """Returns protobuf's default of a type; None for an enum without a member 0."""
    match type_:
        case Scalar():
            return {"string": "", "binary": b"", "bool": False, "double": 0.0, "float": 0.0}.get(type_.kind, 0)
        case Enum():
            return next((member for member in type_.members if member.number == 0), None)
        case ListOf() | SetOf():
            return []
        case _:
            return {}


def is_packable(type_: Type) -> bool:
    """Returns whether elements of a list can be packed under one tag: numbers, bools and enums."""
    return isinstance(type_, Enum) or (isinstance(type_, Scalar) and type_.kind not in UNPACKED_KINDS)


def is_packed(field: Field) -> bool:
    """Returns whether a list is written packed, as proto3 does by default."""
    return field.annotations.get("packed") != "false"


def is_group(field: Field) -> bool:
    """Returns whether messages of a field stand between two tags, as in proto2's groups, and not behind their length."""
    return field.annotations.get("group") == "true"
