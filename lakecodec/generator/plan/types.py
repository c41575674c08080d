"""Types of the model as Python text: hints, defaults and TypeSpec expressions."""

from __future__ import annotations

import uuid
from typing import Any

from ..model import Enum, EnumMember, ListOf, MapOf, Module, Scalar, SetOf, Struct, Type
from .names import enum_member_name, field_name, type_name

_HINTS = {
    "bool": "bool", "i8": "int", "i16": "int", "i32": "int", "i64": "int", "double": "float", "binary": "bytes",
    "string": "str", "uuid": "_uuid.UUID",
}  # fmt: skip

CODEC_ANNOTATION = "lakecodec.codec"


def class_expression(target: Enum | Struct, module: Module) -> str:
    """How generated code of ``module`` names a generated class."""
    name = type_name(target.name)
    return name if target.module is module else f"{import_alias(target.module)}.{name}"


def import_alias(module: Module) -> str:
    return f"_{module.name}"


def hashable(type_: Type) -> bool:
    """Whether values can be set elements and dict keys: scalars, enums, unions of structs without fields."""
    if isinstance(type_, Struct):
        return type_.kind == "union" and all(is_marker(field.type) for field in type_.fields)
    return isinstance(type_, Scalar | Enum)


def is_marker(type_: Type) -> bool:
    """Whether the type is a struct without fields, of which one instance is shared."""
    return (
        isinstance(type_, Struct)
        and type_.kind != "union"
        and not type_.fields
        and CODEC_ANNOTATION not in type_.annotations
    )


def hint(type_: Type, module: Module) -> str:
    if isinstance(type_, Scalar):
        return _HINTS[type_.kind]
    if isinstance(type_, Enum):
        return f"{class_expression(type_, module)} | int"
    if isinstance(type_, Struct):
        return class_expression(type_, module)
    if isinstance(type_, MapOf):
        key, value = hint(type_.key, module), hint(type_.value, module)
        return f"dict[{key}, {value}]" if hashable(type_.key) else f"list[tuple[{key}, {value}]]"
    value = hint(type_.value, module)
    return f"set[{value}]" if isinstance(type_, SetOf) and hashable(type_.value) else f"list[{value}]"


def spec_expression(type_: Type, module: Module) -> str:
    """A type in a row; classes are named, since they may come later in the module."""
    if isinstance(type_, Scalar):
        return f"_rt.{type_.kind.upper()}"
    if isinstance(type_, Enum | Struct):
        return f'"{class_expression(type_, module)}"'
    if isinstance(type_, MapOf):
        return f"_rt.map_({spec_expression(type_.key, module)}, {spec_expression(type_.value, module)})"
    function = "set_" if isinstance(type_, SetOf) else "list_"
    return f"_rt.{function}({spec_expression(type_.value, module)})"


def is_mutable(type_: Type) -> bool:
    """Whether a default of the type must be made anew for each object."""
    return isinstance(type_, ListOf | SetOf | MapOf | Struct)


def is_builtin(type_: Type) -> bool:
    """Whether constants of the type name no class that a module must import."""
    if isinstance(type_, MapOf):
        return is_builtin(type_.key) and is_builtin(type_.value)
    if isinstance(type_, ListOf | SetOf):
        return is_builtin(type_.value)
    return isinstance(type_, Scalar) and type_.kind != "uuid"


def literal(value: Any, type_: Type, module: Module) -> str:
    """A constant of the IDL as a Python expression."""
    if isinstance(value, EnumMember):
        assert isinstance(type_, Enum)
        return f"{class_expression(type_, module)}.{enum_member_name(value.name)}"
    if isinstance(type_, Struct) and isinstance(value, dict):
        by_name = {field.name: field for field in type_.fields}
        given = (f"{field_name(name)}={literal(item, by_name[name].type, module)}" for name, item in value.items())
        return f"{class_expression(type_, module)}({', '.join(given)})"
    if isinstance(type_, MapOf):
        pairs = value.items() if isinstance(value, dict) else value
        texts = [(literal(k, type_.key, module), literal(v, type_.value, module)) for k, v in pairs]
        if hashable(type_.key):
            return "{" + ", ".join(f"{key}: {item}" for key, item in texts) + "}"
        return "[" + ", ".join(f"({key}, {item})" for key, item in texts) + "]"
    if isinstance(type_, ListOf | SetOf):
        items = ", ".join(literal(item, type_.value, module) for item in value)
        if isinstance(type_, SetOf) and hashable(type_.value):
            return f"{{{items}}}" if items else "set()"
        return f"[{items}]"
    if isinstance(value, uuid.UUID):
        return f'_uuid.UUID("{value}")'
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    return quoted(value) if isinstance(value, str | bytes) else repr(value)


def quoted(value: str | bytes) -> str:
    """repr with double quotes, as formatters like it."""
    text = repr(value)
    prefix, body = ("b", text[1:]) if isinstance(value, bytes) else ("", text)
    if body[0] == "'" and '"' not in body:
        body = '"' + body[1:-1].replace("\\'", "'") + '"'
    return prefix + body
