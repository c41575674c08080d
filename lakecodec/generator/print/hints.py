"""Python types of fields and parameters, and the names of classes."""

from __future__ import annotations

import re
from dataclasses import replace

from ..builtin_names import FIXED_WIDTHS, FLOAT_TYPES, VARINT_BITS
from ..lower.field_layout import FieldLayout
from ..model import Enum, Extension, Module, Record, Struct
from ..names import definition_name, import_alias
from ..paths import Target
from .types import class_expression

_HINTS = {"bytes": "bytes", "utf8": "str", "bool8": "bool", "bits": "_columns.Bits", "values": "_columns.Values"}


def class_of(target: Record | Struct | Extension | None, module: Module) -> str:
    """Returns the Python name of the class of a struct, record, variant or encoding."""
    assert target is not None
    prefix = "" if target.module is module else f"{import_alias(target.module)}."
    return f"{prefix}{definition_name(target)}"


def enum_table(layout: FieldLayout, module: Module) -> str:
    """Returns the table from numbers to members of an enum; a module has one per class."""
    assert layout.enum is not None
    return enum_table_of(class_expression(layout.enum, module))


def enum_table_of(cls: str) -> str:
    return f"_{cls.strip('_').replace('.', '_')}_of"


def field_hint(layout: FieldLayout, module: Module, imports: set[str]) -> str:
    """Returns the Python type of a field."""
    if layout.kind in ("bits", "values"):
        imports.add("_columns")
    optional = layout.presence is not None or layout.is_open
    text = _element_hint(layout, module)
    if layout.by_element and optional:
        return f"list[{text} | None]"
    if layout.dimension is not None:
        text = f"list[{text}]"
    return f"{text} | None" if optional else text


def _element_hint(layout: FieldLayout, module: Module) -> str:
    if layout.enum is not None:
        return f"{class_expression(layout.enum, module)} | int"
    if layout.kind in ("struct", "record"):
        return class_of(layout.target, module)
    if layout.kind == "number" and layout.type in FLOAT_TYPES:
        return "float"
    return _HINTS.get(layout.kind, "int")


def kind_hint(kind: Target, module: Module) -> str:
    """Returns the Python type of a computed value."""
    if kind.lists:
        return f"list[{kind_hint(replace(kind, lists=kind.lists - 1), module)}]"
    match kind.holder:
        case Enum() if kind.kind == "enum":
            return f"{class_expression(kind.holder, module)} | int"
        case Struct() | Record() | Extension():
            return class_of(kind.holder, module)
    return {"int": "int", "float": "float", "bool": "bool", "bytes": "bytes", "text": "str"}.get(kind.kind, "_Any")


def kind_text(kind: Target) -> str:
    """Returns the kind of a computed value in the spelling of IDL types."""
    name = kind.holder.name if kind.holder is not None else {"text": "utf8"}.get(kind.kind, kind.kind)
    return name + "[]" * kind.lists


def type_hint(type_text: str, module: Module) -> str:
    """Returns the Python type of a parameter."""
    if inside := re.fullmatch(r"(list|set)<(.*)>", type_text):
        return f"{inside[1]}[{type_hint(inside[2], module)}]"
    found = module.find(type_text)
    if isinstance(found, Enum):
        return f"{class_expression(found, module)} | int"
    if isinstance(found, Record):
        return class_of(found, module)
    if type_text in FLOAT_TYPES or type_text == "double":
        return "float"
    if type_text in FIXED_WIDTHS or type_text in VARINT_BITS or type_text in ("byte",):
        return "int"
    return {"bool": "bool", "string": "str", "utf8": "str", "bytes": "bytes", "binary": "bytes"}.get(type_text, "_Any")
