"""Types of the model as Python text: hints, defaults and TypeSpec expressions."""

from __future__ import annotations

import uuid
from typing import Any

from ..lower.types import hashable
from ..model import Enum, EnumMember, ListOf, MapOf, Module, Scalar, SetOf, Struct, Type
from ..names import import_alias, quoted

_HINTS = {
    "bool": "bool", "i8": "int", "i16": "int", "i32": "int", "i64": "int", "double": "float", "binary": "bytes",
    "string": "str", "uuid": "_uuid.UUID", "uint32": "int", "uint64": "int", "sint32": "int", "sint64": "int",
    "fixed32": "int", "fixed64": "int", "sfixed32": "int", "sfixed64": "int", "float": "float",
}  # fmt: skip


def class_expression(target: Enum | Struct, module: Module) -> str:
    """Returns the expression with which generated code of ``module`` refers to a generated class."""
    return target.python if target.module is module else f"{import_alias(target.module)}.{target.python}"


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


def spec_expression(
    type_: Type, module: Module, runtime: str = "_rt", *, packed: bool = True, group: bool = False
) -> str:
    """Returns a type in a row; classes are referred to by name, since they may come later in the module.

    Args:
        runtime: the alias of the runtime's package for the row's class.
        packed: whether a list of a message is packed.
        group: whether the messages of a message are groups.
    """
    if isinstance(type_, Scalar):
        return f"{runtime}.{type_.kind.upper()}"
    if isinstance(type_, Enum | Struct):
        name = f'"{class_expression(type_, module)}"'
        return f"{runtime}.group({name})" if group else name
    inside = spec_expression(type_.value, module, runtime, group=group)
    if isinstance(type_, MapOf):
        return f"{runtime}.map_({spec_expression(type_.key, module, runtime)}, {inside})"
    function = "set_" if isinstance(type_, SetOf) else "list_"
    return f"{runtime}.{function}({inside}{'' if packed else ', packed=False'})"


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
    """Returns the texts of the items in a container's literal."""
    if not isinstance(type_, MapOf):
        return [literal(item, type_.value, module) for item in value]
    pairs = value.items() if isinstance(value, dict) else value
    texts = [(literal(key, type_.key, module), literal(item, type_.value, module)) for key, item in pairs]
    return [f"{key}: {item}" if hashable(type_.key) else f"({key}, {item})" for key, item in texts]
