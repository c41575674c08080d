"""Decoding by interpretation of the specs: slow, but complete and with the exact place of errors.

The pure backend uses it for projections, for uncommon types, and to explain why a generated reader failed. The tests use it
as the oracle for generated readers and for the native backend.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import IntEnum
from struct import unpack_from
from typing import Any, ClassVar

from ..errors import DecodeError, join_path
from ..guarded import of_struct
from ..spec import FieldSpec, Spec, TypeSpec
from .rules import RULES, TEXT_POLICIES
from .unknown import Unknown, with_unknown
from .values import empty_struct, fresh_default, hashable, new_struct
from .wire import (
    FALSE,
    I16,
    I32,
    I64,
    STOP,
    STRUCT,
    TRUE,
    UUID,
    WIRE_TYPES,
    Malformed,
    read_field_header,
    read_i16,
    read_i32,
    read_i64,
    read_length,
    read_list_header,
    read_map_header,
    skip_value,
)  # fmt: skip

_READ_INT = {"i16": read_i16, "i32": read_i32, "enum": read_i32, "i64": read_i64}


@dataclass(slots=True)
class Reading:
    """The state of one decoding call: the remaining limits, and how values are returned.

    Attributes:
        early: whether reading ends with the last chosen field of the outermost struct.
        keeps: whether structs keep fields that their classes do not know.
        has_passed: whether there was such a field.
    """

    rules: ClassVar = RULES
    format: str
    max_depth: int
    elements: int
    views: bool = False
    text: str = "strict"
    early: bool = False
    keeps: bool = False
    has_passed: bool = False

    def __post_init__(self) -> None:
        if self.text not in TEXT_POLICIES:
            raise ValueError(f"text: one of {', '.join(TEXT_POLICIES)}, not {self.text!r}")

    def error(self, key: str, offset: int) -> DecodeError:
        return DecodeError(self.rules[key], format=self.format, offset=offset)

    def located(self, error: Exception, step: str, buf: Any) -> DecodeError:
        """Returns ``error`` as a DecodeError whose path begins with ``step``."""
        if isinstance(error, Malformed):
            error = self.error(error.key, error.offset)
        elif isinstance(error, IndexError):
            error = self.error("truncated", len(buf))
        assert isinstance(error, DecodeError)
        error.format = error.format or self.format
        error.path = join_path(step, error.path)
        return error

    def take(self, count: int, offset: int) -> None:
        self.elements -= count
        if self.elements < 0:
            raise Malformed("elements", offset)


def decode(spec: Spec, buf: Any, pos: int, reading: Reading, tree: Any = True) -> tuple[Any, int]:
    """Returns the struct or union at ``pos``; raises DecodeError with path and offset."""
    return read_struct(spec, buf, pos, reading, 1, tree)


def read_struct(spec: Spec, buf: Any, pos: int, reading: Reading, depth: int, tree: Any = True) -> tuple[Any, int]:
    try:
        if depth > reading.max_depth:
            raise Malformed("depth", pos)
        if "lakecodec.codec" in spec.annotations:
            view = memoryview(buf)
            value, end = of_struct(spec.cls).read(view, pos)
            return value, end
        if spec.kind == "union":
            return _read_union(spec, buf, pos, reading, depth)
        return _read_fields(spec, buf, pos, reading, depth, tree)
    except Malformed as malformed:
        raise reading.error(malformed.key, malformed.offset) from None
    except IndexError:
        raise reading.error("truncated", len(buf)) from None


def _read_fields(spec: Spec, buf: Any, pos: int, reading: Reading, depth: int, tree: Any) -> tuple[Any, int]:
    fields = {field.id: field for field in spec.fields if tree is True or field.name in tree}
    values: dict[int, Any] = {}
    unknown: list[Unknown] = []
    last = 0
    while True:
        start = pos
        last, wire, pos = read_field_header(buf, pos, last)
        if wire == STOP:
            break
        if wire > UUID:
            raise Malformed("wire", start)
        field = fields.get(last)
        if field is None or not matches(field.type, wire):
            end = skip_value(buf, pos, wire, reading.max_depth - depth)
            reading.has_passed = True
            if reading.keeps:
                unknown.append((last, wire, bytes(buf[pos:end])))
            pos = end
        elif field.type.kind == "bool":
            values[last] = wire == TRUE
        else:
            below = True if tree is True else tree[field.name]
            try:
                values[last], pos = _read_chosen(field.type, buf, pos, reading, depth + 1, below)
            except (Malformed, IndexError, DecodeError) as error:
                raise reading.located(error, field.name, buf) from None
        if reading.early and depth == 1 and fields and len(values) == len(fields):
            break
    made = _finish(spec, fields, values, reading, start)
    return with_unknown(made, unknown) if unknown else made, pos


def _finish(spec: Spec, fields: dict[int, FieldSpec], values: dict[int, Any], reading: Reading, stop: int) -> Any:
    if not spec.fields:
        return empty_struct(spec.cls)
    made: Any = new_struct(spec.cls)
    for field in spec.fields:
        if field.id in values:
            value = values[field.id]
        elif field.id not in fields:
            value = None
        elif field.requiredness == "required":
            error = reading.error("required", stop)
            error.path = field.name
            raise error
        else:
            value = fresh_default(field) if field.requiredness == "default" else None
        setattr(made, field.attr, value)
    return made


def _read_union(spec: Spec, buf: Any, pos: int, reading: Reading, depth: int) -> tuple[Any, int]:
    start = pos
    field_id, wire, pos = read_field_header(buf, pos, 0)
    if wire == STOP:
        raise Malformed("no member", start)
    if wire > UUID:
        raise Malformed("wire", start)
    member = next((field for field in spec.fields if field.id == field_id), None)
    union: Any = spec.cls
    if member is None or not matches(member.type, wire):
        end = skip_value(buf, pos, wire, reading.max_depth - depth)
        made = union._make(None, None, field_id, bytes(buf[pos:end]), wire)
    elif member.type.kind == "bool":
        made, end = union._make(member.name, wire == TRUE, field_id), pos
    else:
        try:
            value, end = read_value(member.type, buf, pos, reading, depth + 1)
        except (Malformed, IndexError, DecodeError) as error:
            raise reading.located(error, member.name, buf) from None
        shared = union.__singletons__.get(field_id)
        made = union._make(member.name, value, field_id) if shared is None or shared.value is not value else shared
    if buf[end] & 15 != STOP:
        raise Malformed("members", end)
    return made, end + 1


def matches(type_: TypeSpec, wire: int) -> bool:
    return wire == WIRE_TYPES[type_.kind] or (type_.kind == "bool" and wire == FALSE)


def _read_chosen(type_: TypeSpec, buf: Any, pos: int, reading: Reading, depth: int, below: Any) -> tuple[Any, int]:
    """Returns a value, of which a projection may want only a part."""
    if below is True:
        return read_value(type_, buf, pos, reading, depth)
    indices, tree = below
    if type_.kind != "list":
        assert type_.cls is not None
        return read_struct(type_.cls.__spec__, buf, pos, reading, depth, tree)  # type: ignore[attr-defined]
    return _read_list(type_, buf, pos, reading, depth, indices, tree)


def read_value(type_: TypeSpec, buf: Any, pos: int, reading: Reading, depth: int) -> tuple[Any, int]:
    """Returns a value; ``depth`` is its nesting level if it is a struct or container."""
    kind = type_.kind
    if kind in _READ_INT:
        number, end = _READ_INT[kind](buf, pos)
        return (enum_member(type_.cls, number) if kind == "enum" else number), end
    if kind in ("binary", "string"):
        return _read_bytes(kind, buf, pos, reading)
    if kind == "struct":
        assert type_.cls is not None
        return read_struct(type_.cls.__spec__, buf, pos, reading, depth)  # type: ignore[attr-defined]
    if kind in ("list", "set"):
        return _read_list(type_, buf, pos, reading, depth)
    if kind == "map":
        return _read_map(type_, buf, pos, reading, depth)
    if kind == "i8":
        return (buf[pos] ^ 128) - 128, pos + 1
    if kind == "bool":
        if (byte := buf[pos]) > 2:
            raise Malformed("bool", pos)
        return byte == 1, pos + 1
    size = 8 if kind == "double" else 16
    if pos + size > len(buf):
        raise IndexError
    if kind == "double":
        return unpack_from("<d", buf, pos)[0], pos + size
    return uuid.UUID(bytes=bytes(buf[pos : pos + size])), pos + size


def enum_member(cls: type | None, number: int) -> Any:
    """Returns the enum member of a number, or the number itself if no member has it."""
    assert cls is not None
    assert issubclass(cls, IntEnum)
    return cls._value2member_map_.get(number, number)


def _read_bytes(kind: str, buf: Any, pos: int, reading: Reading) -> tuple[Any, int]:
    length, start = read_length(buf, pos)
    return text_or_bytes(kind, buf, pos, start, start + length, reading), start + length


def text_or_bytes(kind: str, buf: Any, pos: int, start: int, end: int, reading: Reading) -> Any:
    """Returns the ``binary`` or ``string`` from ``start`` to ``end``, whose length is at ``pos``."""
    if kind == "binary":
        return memoryview(buf)[start:end] if reading.views else bytes(buf[start:end])
    if reading.text == "bytes":
        return bytes(buf[start:end])
    try:
        return str(buf[start:end], "utf-8", reading.text)
    except UnicodeDecodeError:
        raise Malformed("utf-8", pos) from None


def element_type_fits(declared: TypeSpec, wire: int) -> bool:
    expected = WIRE_TYPES[declared.kind]
    if expected in (I16, I32, I64):
        return wire in (I16, I32, I64)
    return wire == expected or (declared.kind == "bool" and wire == FALSE)


def _read_list(
    type_: TypeSpec,
    buf: Any,
    pos: int,
    reading: Reading,
    depth: int,
    indices: frozenset[int] | None = None,
    tree: Any = True,
) -> tuple[Any, int]:
    element = type_.value
    assert element is not None
    if depth > reading.max_depth:
        raise Malformed("depth", pos)
    start = pos
    count, wire, pos = read_list_header(buf, pos)
    if count and not element_type_fits(element, wire):
        raise Malformed("element", start)
    reading.take(count, start)
    below = tree if tree is True else (None, tree)
    values = []
    for index in range(count):
        try:
            if indices is not None and index not in indices:
                pos = _skip_known(element, buf, pos, wire, reading, depth)
            else:
                value, pos = _read_chosen(element, buf, pos, reading, depth + 1, below)
                values.append(value)
        except (Malformed, IndexError, DecodeError) as error:
            raise reading.located(error, f"[{index}]", buf) from None
    return (set(values) if type_.kind == "set" and hashable(element) else values), pos


def _skip_known(element: TypeSpec, buf: Any, pos: int, wire: int, reading: Reading, depth: int) -> int:
    if element.kind == "bool":
        return pos + 1
    return skip_value(buf, pos, wire if element.kind != "struct" else STRUCT, reading.max_depth - depth)


def _read_map(type_: TypeSpec, buf: Any, pos: int, reading: Reading, depth: int) -> tuple[Any, int]:
    assert type_.key is not None
    assert type_.value is not None
    if depth > reading.max_depth:
        raise Malformed("depth", pos)
    start = pos
    count, key_wire, value_wire, pos = read_map_header(buf, pos)
    if count and not (element_type_fits(type_.key, key_wire) and element_type_fits(type_.value, value_wire)):
        raise Malformed("element", start)
    reading.take(count, start)
    pairs = []
    for index in range(count):
        try:
            key, pos = read_value(type_.key, buf, pos, reading, depth + 1)
            value, pos = read_value(type_.value, buf, pos, reading, depth + 1)
        except (Malformed, IndexError, DecodeError) as error:
            raise reading.located(error, f"[{index}]", buf) from None
        pairs.append((key, value))
    return (dict(pairs) if hashable(type_.key) else pairs), pos
