"""Shared instances of empty structs, and defaults of absent fields, for both backends."""

from __future__ import annotations

import copy
import uuid
from typing import Any

from ..spec import FieldSpec, hashable, is_marker

__all__ = ["empty_struct", "fresh_default", "hashable", "is_marker", "new_struct"]

_SCALARS = (int, float, str, bytes, uuid.UUID, type(None))

#: The constructor of instances without running ``__init__``.
new_struct = object.__new__


def empty_struct(cls: Any) -> Any:
    """Returns the shared instance of a struct without fields."""
    return cls()


def fresh_default(field: FieldSpec) -> Any:
    """Returns the default of an absent field; containers and structs are copied."""
    default = field.default
    return default if field.factory is not None or isinstance(default, _SCALARS) else copy.deepcopy(default)
