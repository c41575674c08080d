"""Protobuf's wire format: base classes of generated messages and oneofs, and the two backends that fill them.

It also has the functions that rows of generated classes call, under one name that no field can hide.
"""

from __future__ import annotations

from ..fields import Member, field, member
from ..spec import (
    BINARY,
    BOOL,
    DOUBLE,
    FIXED32,
    FIXED64,
    FLOAT,
    I32,
    I64,
    SFIXED32,
    SFIXED64,
    SINT32,
    SINT64,
    STRING,
    UINT32,
    UINT64,
    group,
    list_,
    map_,
)
from .backend import register
from .message import Message, Oneof

__all__ = [
    "BINARY",
    "BOOL",
    "DOUBLE",
    "FIXED32",
    "FIXED64",
    "FLOAT",
    "I32",
    "I64",
    "SFIXED32",
    "SFIXED64",
    "SINT32",
    "SINT64",
    "STRING",
    "UINT32",
    "UINT64",
    "Member",
    "Message",
    "Oneof",
    "field",
    "group",
    "list_",
    "map_",
    "member",
    "register",
]
