"""Structs in Thrift's compact protocol, by their declarations."""

from __future__ import annotations

import struct
import uuid
from typing import Any

from lakecodec.generator.model import Enum, EnumMember, ListOf, MapOf, Scalar, SetOf, Struct, Type

from .nodes import Cursor, Node, Number, Refused
from .wire import text, unzigzag, varint

_TRUE, _FALSE, _BYTE, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT, _UUID = 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13

_SCALARS = {
    "i8": _BYTE, "i16": 4, "i32": 5, "i64": _I64, "double": _DOUBLE, "binary": _BINARY, "string": _BINARY, "uuid": _UUID
}  # fmt: skip


def read_struct(declaration: Struct, cursor: Cursor) -> Node:
    """A struct or union; fields of an unknown number, or of another wire type than declared, are skipped."""
    node = Node(declaration)
    fields = {field.id: field for field in declaration.fields}
    number = 0
    while (header := cursor.take(1)[0]) & 15:
        number = number + (header >> 4) if header >> 4 else unzigzag(varint(cursor, 16))
        field, wire = fields.get(number), header & 15
        if field is None or wire not in _wire_types(field.type):
            _skip(wire, cursor, in_list=False)
        elif wire in (_TRUE, _FALSE):
            node.fields[field.name] = wire == _TRUE
        else:
            node.fields[field.name] = _value(field.type, cursor)
    if declaration.kind == "union" and len(node.fields) > 1:
        raise Refused(f"{declaration.name} has several members")
    for field in declaration.fields:
        if field.name in node.fields or declaration.kind == "union":
            continue
        if field.requiredness == "required":
            raise Refused(f"{declaration.name}.{field.name} is missing")
        default = field.default.number if isinstance(field.default, EnumMember) else field.default
        node.fields[field.name] = default if field.requiredness == "default" else None
    return node


def _wire_types(type_: Type) -> tuple[int, ...]:
    match type_:
        case Struct():
            return (_STRUCT,)
        case Enum():
            return (_SCALARS["i32"],)
        case ListOf():
            return (_LIST,)
        case SetOf():
            return (_SET,)
        case MapOf():
            return (_MAP,)
        case Scalar(kind="bool"):
            return (_TRUE, _FALSE)
        case Scalar():
            return (_SCALARS[type_.kind],)


def _value(type_: Type, cursor: Cursor) -> Any:
    match type_:
        case Struct():
            return read_struct(type_, cursor)
        case Enum():
            return Number.of(unzigzag(varint(cursor, 32)), type_)
        case ListOf() | SetOf():
            count, wire = _list_header(cursor)
            _expect(wire, type_.value, count)
            return [_value(type_.value, cursor) for _ in range(count)]
        case MapOf():
            count = varint(cursor, 32)
            kinds = cursor.take(1)[0] if count else 0
            for kind, declared in ((kinds >> 4, type_.key), (kinds & 15, type_.value)):
                _expect(kind, declared, count)
            return [(_value(type_.key, cursor), _value(type_.value, cursor)) for _ in range(count)]
        case Scalar():
            return _scalar(type_.kind, cursor)


def _expect(wire: int, type_: Type, count: int) -> None:
    """Elements of another type than declared are refused, where fields are skipped; without elements, any type will do."""
    if count and wire not in _wire_types(type_):
        raise Refused(f"elements of wire type {wire}")


def _scalar(kind: str, cursor: Cursor) -> Any:
    match kind:
        case "bool":
            return cursor.take(1)[0] == _TRUE
        case "i8":
            return int.from_bytes(cursor.take(1), signed=True)
        case "double":
            return struct.unpack("<d", cursor.take(8))[0]
        case "uuid":
            return uuid.UUID(bytes=cursor.take(16))
        case "binary" | "string":
            data = cursor.take(varint(cursor, 32))
            return text(data) if kind == "string" else data
    return unzigzag(varint(cursor, int(kind[1:])))


def _list_header(cursor: Cursor) -> tuple[int, int]:
    """(number of elements, wire type of each)."""
    header = cursor.take(1)[0]
    return (varint(cursor, 32) if header >> 4 == 15 else header >> 4), header & 15


def _skip(wire: int, cursor: Cursor, *, in_list: bool) -> None:
    if wire in (_TRUE, _FALSE):
        cursor.skip(in_list)
    elif wire == _BYTE:
        cursor.skip(1)
    elif _BYTE < wire <= _I64:
        varint(cursor, 64)
    elif wire in (_DOUBLE, _UUID):
        cursor.skip(8 if wire == _DOUBLE else 16)
    elif wire == _BINARY:
        cursor.skip(varint(cursor, 32))
    elif wire in (_LIST, _SET):
        count, element = _list_header(cursor)
        for _ in range(count):
            _skip(element, cursor, in_list=True)
    elif wire == _MAP:
        count = varint(cursor, 32)
        kinds = cursor.take(1)[0] if count else 0
        for _ in range(count):
            _skip(kinds >> 4, cursor, in_list=True)
            _skip(kinds & 15, cursor, in_list=True)
    elif wire == _STRUCT:
        while (header := cursor.take(1)[0]) & 15:
            if not header >> 4:
                varint(cursor, 16)
            _skip(header & 15, cursor, in_list=False)
    else:
        raise Refused(f"there is no wire type {wire}")
