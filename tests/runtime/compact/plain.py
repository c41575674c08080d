"""Values in a form that `==` compares to the last bit: NaN equals itself, 0.0 is not -0.0, 1 is neither True nor an enum."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Any

from lakecodec.runtime.columns import Bits, Values
from lakecodec.runtime.compact.base import Marker, Struct, Union
from lakecodec.runtime.records.values import Fields
from lakecodec.runtime.spec import FieldSpec


def plain(value: Any) -> Any:
    """``value`` as nested tuples of types and contents."""
    if isinstance(value, Marker):
        return type(value).__name__
    if isinstance(value, Union):
        content = (value.kind, value.id, plain(value.value), value.raw, value.wire)
        return type(value).__name__, *content
    if isinstance(value, Struct):
        return type(value).__name__, *((field.attr, _field(field, value)) for field in value.__spec__.fields)
    if isinstance(value, Fields):
        return type(value).__qualname__, *((name, plain(getattr(value, name))) for name in value._settable())
    if isinstance(value, Values):
        return "Values", value.layout, value.count, value.to_bytes()
    if isinstance(value, Bits):
        return "Bits", value.width, *value
    if isinstance(value, float):
        return "float", struct.pack("<d", value)
    if isinstance(value, IntEnum):
        return type(value).__name__, int(value)
    if isinstance(value, dict):
        return "dict", *((plain(key), plain(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(plain, value))
    if isinstance(value, list | tuple):
        return type(value).__name__, *map(plain, value)
    if isinstance(value, memoryview):
        return "memoryview", bytes(value)
    return type(value).__name__, value


def _field(field: FieldSpec, struct_: Struct) -> Any:
    """A set whose elements cannot be hashed is a list, in any order."""
    found = plain(getattr(struct_, field.attr))
    return sorted(found, key=repr) if field.type.kind == "set" and found[0] == "list" else found
