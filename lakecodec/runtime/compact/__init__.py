"""The Thrift compact protocol: base classes of generated structs and the two backends that fill them.

It also has the functions that rows of generated classes call, under one name that no field can hide.
"""

from __future__ import annotations

from ..fields import Empty, Member, field, member
from ..spec import BINARY, BOOL, DOUBLE, I8, I16, I32, I64, STRING, UUID, list_, map_, set_
from .backend import backend, register
from .base import Marker, Struct, Union

__all__ = [
    "BINARY",
    "BOOL",
    "DOUBLE",
    "I8",
    "I16",
    "I32",
    "I64",
    "STRING",
    "UUID",
    "Empty",
    "Marker",
    "Member",
    "Struct",
    "Union",
    "backend",
    "field",
    "list_",
    "map_",
    "member",
    "register",
    "set_",
]
