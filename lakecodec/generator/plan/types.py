"""Types of the model as Python text: hints, defaults and TypeSpec expressions."""

from __future__ import annotations

import uuid
from typing import Any

from ..model import Enum, EnumMember, ListOf, MapOf, Module, Scalar, SetOf, Struct, Type
from .names import import_alias as import_alias

_HINTS = {
    "bool": "bool", "i8": "int", "i16": "int", "i32": "int", "i64": "int", "double": "float", "binary": "bytes",
    "string": "str", "uuid": "_uuid.UUID", "uint32": "int", "uint64": "int", "sint32": "int", "sint64": "int",
    "fixed32": "int", "fixed64": "int", "sfixed32": "int", "sfixed64": "int", "float": "float",
}  # fmt: skip

CODEC_ANNOTATION = "lakecodec.codec"


def class_expression(target: Enum | Struct, module: Module) -> str:
    """Returns the expression by which generated code of ``module`` names a generated class."""
    return target.python if target.module is module else f"{import_alias(target.module)}.{target.python}"


def hashable(type_: Type) -> bool:
    """Returns whether values can be set elements and dict keys: scalars, enums, unions of structs without fields."""
    if isinstance(type_, Struct):
        return type_.kind == "union" and all(is_marker(field.type) for field in type_.fields)
    return isinstance(type_, Scalar | Enum)


def is_marker(type_: Type) -> bool:
    """Returns whether the type is a struct without fields, of which one instance is shared."""
    return (
        isinstance(type_, Struct)
        and type_.kind in ("struct", "exception")
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


def spec_expression(type_: Type, module: Module, runtime: str = "_rt", *, packed: bool = True) -> str:
    """Returns a type in a row; classes are named, since they may come later in the module.

    Args:
        runtime: the alias of the runtime's package for the row's class.
        packed: whether a list of a message is.
    """
    if isinstance(type_, Scalar):
        return f"{runtime}.{type_.kind.upper()}"
    if isinstance(type_, Enum | Struct):
        return f'"{class_expression(type_, module)}"'
    inside = spec_expression(type_.value, module, runtime)
    if isinstance(type_, MapOf):
        return f"{runtime}.map_({spec_expression(type_.key, module, runtime)}, {inside})"
    function = "set_" if isinstance(type_, SetOf) else "list_"
    return f"{runtime}.{function}({inside}{'' if packed else ', packed=False'})"


def is_mutable(type_: Type) -> bool:
    """Returns whether a default of the type must be made anew for each object."""
    return isinstance(type_, ListOf | SetOf | MapOf | Struct)


def is_builtin(type_: Type) -> bool:
    """Returns whether constants of the type name no class that a module must import."""
    if isinstance(type_, MapOf):
        return is_builtin(type_.key) and is_builtin(type_.value)
    if isinstance(type_, ListOf | SetOf):
        return is_builtin(type_.value)
    return isinstance(type_, Scalar) and type_.kind != "uuid"


def holds_objects(type_: Type) -> bool:
    """Returns whether values of the type are, or contain, structs or unions."""
    if isinstance(type_, MapOf):
        return holds_objects(type_.key) or holds_objects(type_.value)
    return isinstance(type_, Struct) or (isinstance(type_, ListOf | SetOf) and holds_objects(type_.value))


def literal(value: Any, type_: Type, module: Module) -> str:
    """Returns a constant of the IDL as a Python expression."""
    if isinstance(value, EnumMember):
        assert isinstance(type_, Enum)
        return f"{class_expression(type_, module)}.{value.python}"
    if isinstance(type_, Struct) and isinstance(value, dict):
        by_name = {field.name: field for field in type_.fields}
        given = [(by_name[name].python, literal(item, by_name[name].type, module)) for name, item in value.items()]
        if type_.is_union:
            return f"{class_expression(type_, module)}.{given[0][0]}({given[0][1]})"
        return f"{class_expression(type_, module)}({', '.join(f'{name}={text}' for name, text in given)})"
    if isinstance(type_, ListOf | SetOf | MapOf):
        text = ", ".join(items(value, type_, module))
        if isinstance(type_, ListOf) or not hashable(type_.key if isinstance(type_, MapOf) else type_.value):
            return f"[{text}]"
        return f"{{{text}}}" if text or isinstance(type_, MapOf) else "set()"
    if isinstance(value, uuid.UUID):
        return f'_uuid.UUID("{value}")'
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    return quoted(value) if isinstance(value, str | bytes) else repr(value)


def items(value: Any, type_: ListOf | SetOf | MapOf, module: Module) -> list[str]:
    """Returns the texts between the brackets of a container's literal, an item each."""
    if not isinstance(type_, MapOf):
        return [literal(item, type_.value, module) for item in value]
    pairs = value.items() if isinstance(value, dict) else value
    texts = [(literal(key, type_.key, module), literal(item, type_.value, module)) for key, item in pairs]
    return [f"{key}: {item}" if hashable(type_.key) else f"({key}, {item})" for key, item in texts]


def quoted(value: str | bytes) -> str:
    """repr with double quotes, as formatters like it."""
    text = repr(value)
    prefix, body = ("b", text[1:]) if isinstance(value, bytes) else ("", text)
    if body[0] == "'" and '"' not in body:
        body = '"' + body[1:-1].replace("\\'", "'") + '"'
    return prefix + body
