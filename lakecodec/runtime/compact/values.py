"""Small decisions about values that both directions and both backends share."""

from __future__ import annotations

import copy
import uuid
from typing import Any

from ..spec import FieldSpec, TypeSpec

_SCALARS = (int, float, str, bytes, uuid.UUID, type(None))
_HASHABLE = frozenset(("bool", "i8", "i16", "i32", "i64", "double", "binary", "string", "uuid", "enum"))

#: Makes an instance of a generated class without running its ``__init__``.
new_struct = object.__new__


def empty_struct(cls: Any) -> Any:
    """The shared instance of a struct without fields."""
    return cls()


def hashable(type_: TypeSpec) -> bool:
    """Whether values of the type can be in a set or be keys of a dict: scalars, and unions of empty structs."""
    if type_.kind in _HASHABLE:
        return True
    if type_.kind != "struct" or type_.cls is None:
        return False
    spec = type_.cls.__spec__  # type: ignore[attr-defined]
    return spec.kind == "union" and all(is_marker(member.type) for member in spec.fields)


def is_marker(type_: TypeSpec) -> bool:
    """Whether the type is a struct without fields."""
    if type_.kind != "struct" or type_.cls is None:
        return False
    spec = type_.cls.__spec__  # type: ignore[attr-defined]
    return spec.kind == "struct" and not spec.fields and "lakecodec.codec" not in spec.annotations


def fresh_default(field: FieldSpec) -> Any:
    """The default of an absent field; containers and structs are copied."""
    default = field.default
    return default if field.factory is not None or isinstance(default, _SCALARS) else copy.deepcopy(default)
