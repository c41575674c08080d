"""Messages in protobuf's wire format, by their declarations."""

from __future__ import annotations

import struct
from typing import Any

from lakecodec.generator.model import Enum, EnumMember, Field, ListOf, MapOf, Scalar, Struct, Type

from .nodes import Cursor, Node, Number, Refused
from .wire import text, unzigzag

_VARINT, _FIXED64, _BYTES, _GROUP, _END, _FIXED32 = range(6)
_FIXED = {"fixed32": "<I", "sfixed32": "<i", "float": "<f", "fixed64": "<Q", "sfixed64": "<q", "double": "<d"}


def read_message(declaration: Struct, cursor: Cursor) -> Node:
    """The message that takes all bytes that are left."""
    node = _merged(Node(declaration), cursor)
    _check_required(node)
    return node


def _merged(node: Node, cursor: Cursor) -> Node:
    declaration = node.declaration
    assert isinstance(declaration, Struct)
    for field in declaration.fields:
        node.fields.setdefault(field.name, _absent(field))
    known = {number: (field, member) for field in declaration.fields for number, member in _numbers(field)}
    while cursor.rest:
        number, wire = _tag(cursor)
        payload = _payload(wire, cursor, number)
        if number not in known:
            continue
        field, member = known[number]
        if member is not None:
            if wire == _wire_of(member):
                before = node.fields[field.name]
                before = None if before is None else before.fields.get(member.name)
                assert isinstance(field.type, Struct)
                node.fields[field.name] = Node(field.type, fields={member.name: _value(member.type, payload, before)})
        elif isinstance(field.type, ListOf):
            _extend(node.fields[field.name], field.type.value, wire, payload, _wire_of(field))
        elif isinstance(field.type, MapOf):
            if wire == _BYTES and (pair := _pair(field.type, payload)) is not None:
                kept = [each for each in node.fields[field.name] if each[0] != pair[0]]
                node.fields[field.name][:] = [*kept, pair]
        elif wire == _wire_of(field):
            node.fields[field.name] = _value(field.type, payload, node.fields[field.name])
    return node


def _numbers(field: Field) -> list[tuple[int, Field | None]]:
    if isinstance(field.type, Struct) and field.type.kind == "oneof":
        return [(member.id, member) for member in field.type.fields]
    return [(field.id, None)]


def _absent(field: Field) -> Any:
    if isinstance(field.type, ListOf | MapOf):
        return []
    if field.requiredness != "default" or isinstance(field.type, Struct):
        return None
    default = field.default.number if isinstance(field.default, EnumMember) else field.default
    return _zero(field.type) if default is None else default


def _zero(type_: Type) -> Any:
    if isinstance(type_, Enum):
        return Number.of(0, type_)
    if isinstance(type_, Struct):
        return _merged(Node(type_), Cursor(b""))
    assert isinstance(type_, Scalar)
    return {"string": "", "binary": b"", "bool": False, "float": 0.0, "double": 0.0}.get(type_.kind, 0)


def _wire(type_: Type) -> int:
    if isinstance(type_, Scalar) and type_.kind in _FIXED:
        return _FIXED32 if struct.calcsize(_FIXED[type_.kind]) == 4 else _FIXED64
    is_number = isinstance(type_, Enum) or (isinstance(type_, Scalar) and type_.kind not in ("string", "binary"))
    return _VARINT if is_number else _BYTES


def _wire_of(field: Field) -> int:
    """The wire type of one occurrence of a field."""
    if field.annotations.get("group") == "true":
        return _GROUP
    return _wire(field.type.value if isinstance(field.type, ListOf) else field.type)


def _tag(cursor: Cursor) -> tuple[int, int]:
    number, wire = divmod(_varint(cursor), 8)
    if not 0 < number < 1 << 29:
        raise Refused(f"there is no field {number}")
    return number, wire


def _payload(wire: int, cursor: Cursor, number: int = 0) -> Any:
    """The bytes of a value; of a group, those between its tags."""
    match wire:
        case 0:
            return _varint(cursor)
        case 1:
            return cursor.take(8)
        case 2:
            return cursor.take(_varint(cursor))
        case 3:
            start = cursor.pos
            while True:
                stop = cursor.pos
                inner, kind = _tag(cursor)
                if (inner, kind) == (number, _END):
                    return cursor.data[start:stop]
                _payload(kind, cursor, inner)
        case 5:
            return cursor.take(4)
    raise Refused(f"wire type {wire}")


def _varint(cursor: Cursor) -> int:
    value = 0
    for shift in range(0, 70, 7):
        byte = cursor.take(1)[0]
        value |= (byte & 127) << shift
        if byte < 128:
            break
    else:
        raise Refused("a varint of more than ten bytes")
    if value >> 64:
        raise Refused("a varint of more than 64 bits")
    return value


def _value(type_: Type, payload: Any, before: Any = None) -> Any:
    if isinstance(type_, Struct):
        return _merged(Node(type_) if before is None else before, Cursor(payload))
    if isinstance(type_, Enum):
        return Number.of(_signed(payload, 32), type_)
    assert isinstance(type_, Scalar)
    match type_.kind:
        case "string":
            return text(payload)
        case "binary":
            return payload
        case "bool":
            return payload != 0
        case "i32":
            return _signed(payload, 32)
        case "i64":
            return _signed(payload, 64)
        case "uint32":
            return payload & 0xFFFFFFFF
        case "sint32":
            return unzigzag(payload & 0xFFFFFFFF)
        case "sint64":
            return unzigzag(payload)
        case kind if kind in _FIXED:
            return struct.unpack(_FIXED[kind], payload)[0]
    return payload


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _extend(values: list[Any], type_: Type, wire: int, payload: Any, own: int) -> None:
    """One element, or several under one tag."""
    if wire == own:
        values.append(_value(type_, payload))
    elif wire == _BYTES and own != _GROUP:
        packed = Cursor(payload)
        while packed.rest:
            values.append(_value(type_, _payload(own, packed)))


def _pair(type_: MapOf, payload: bytes) -> tuple[Any, Any] | None:
    found: dict[int, Any] = {}
    cursor, known = Cursor(payload), True
    while cursor.rest:
        tag = _tag(cursor)
        inner = _payload(tag[1], cursor, tag[0])
        # An entry that has something else is none.
        known = known and tag in ((1, _wire(type_.key)), (2, _wire(type_.value)))
        for number, each in ((1, type_.key), (2, type_.value)):
            if tag == (number, _wire(each)):
                found[number] = _value(each, inner, found.get(number))
    return (found.get(1, _zero(type_.key)), found.get(2, _zero(type_.value))) if known else None


def _check_required(node: Node) -> None:
    assert isinstance(node.declaration, Struct)
    for field in node.declaration.fields:
        value = node.fields.get(field.name)
        if field.requiredness == "required" and value is None:
            raise Refused(f"{node.declaration.name}.{field.name} is missing")
        for each in value if isinstance(value, list) else [value]:
            for inner in each if isinstance(each, tuple) else [each]:
                if isinstance(inner, Node):
                    _check_required(inner) if inner.declaration.kind == "message" else _check_members(inner)


def _check_members(oneof: Node) -> None:
    for value in oneof.fields.values():
        if isinstance(value, Node):
            _check_required(value)
