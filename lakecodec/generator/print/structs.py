"""Enums, structs, exceptions, unions and messages as Python: classes with one row per field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..lower.structs import StructLayout
from ..lower.types import is_marker, is_mutable
from ..model import Enum, Field, Struct
from ..names import quoted
from ..resolve.messages import is_group, is_packed
from .text import call, docstring, statement
from .types import hint, literal, spec_expression


@dataclass(frozen=True, slots=True)
class EnumText:
    name: str
    spec_name: str
    docstring: list[str]
    #: (name, number, docstring).
    members: list[tuple[str, int, list[str]]]
    source_line: int


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field: the lines of its row and of its docstring."""

    hint: str
    row: list[str]
    docstring: list[str]


@dataclass(frozen=True, slots=True)
class StructText:
    """A struct.

    Attributes:
        runtime: the alias of the runtime's package that has the base class and the functions of its rows.
        annotations: as a Python expression, empty without any.
    """

    layout: StructLayout
    name: str
    spec_name: str
    runtime: str
    base: str
    docstring: list[str]
    fields: list[FieldText]
    source_line: int
    annotations: str


def print_enum(enum: Enum) -> EnumText:
    members = [(member.python, member.number, _doc(member.doc)) for member in enum.members]
    return EnumText(enum.python, enum.name, docstring(enum.doc or f"{enum.name}."), members, enum.location.line)


def print_struct(layout: StructLayout) -> StructText:
    struct = layout.struct
    kind = struct.kind.title() if struct.is_protobuf else "Union" if struct.is_union else "Struct"
    return StructText(
        layout=layout,
        name=struct.python,
        spec_name=struct.name,
        runtime=_runtime(struct),
        base="Marker" if layout.marker and layout.is_compact else kind,
        docstring=docstring(struct.doc or f"{struct.name}."),
        fields=[_field(field, struct) for field in struct.fields],
        source_line=struct.location.line,
        annotations=_literal(struct.annotations) if struct.annotations else "",
    )


def _runtime(struct: Struct) -> str:
    return "_pb" if struct.is_protobuf else "_rt"


def _doc(doc: str) -> list[str]:
    return docstring(doc) if doc.strip() else []


def _field(field: Field, struct: Struct) -> FieldText:
    module = struct.module
    default = literal(field.default, field.type, module) if field.has_default else "None"
    spec = [spec_expression(field.type, module, _runtime(struct), packed=is_packed(field), group=is_group(field))]
    spec += [f'name="{field.name}"'] if field.python != field.name else []
    python_type = hint(field.type, module)
    row = (
        _member_row(field, python_type, spec, struct)
        if struct.is_union
        else _row(field, python_type, spec, default, struct)
    )
    return FieldText(python_type, row, _doc(field.doc))


def _member_row(field: Field, python_type: str, spec: list[str], struct: Struct) -> list[str]:
    runtime = _runtime(struct)
    kind = "Empty" if is_marker(field.type) else "Member"
    return statement(
        call(f"{field.python}: {runtime}.{kind}[{python_type}] = {runtime}.member", str(field.id), *spec), 4
    )


def _row(field: Field, python_type: str, spec: list[str], default: str, struct: Struct) -> list[str]:
    """Returns the row of a struct's field; it has the requiredness only if the default does not imply it."""
    optional = field.requiredness == "optional"
    fresh = is_mutable(field.type)
    given, word = "", f'"{field.requiredness}"'
    if optional:
        given = "default=None"
    elif field.has_default:
        made = {"[]": "list", "{}": "dict"}.get(default, f"lambda: {default}")
        given = f"factory={made}" if fresh else f"default={default}"
    elif field.requiredness == "default":
        given = "default=None"
    said = "required" if not given else "optional" if given == "default=None" else "default"
    arguments = [str(field.id), spec[0], *([] if word == f'"{said}"' else [word])]
    arguments += [given] if given else []
    if optional and field.has_default:
        arguments.append(f"implied={'lambda: ' if fresh else ''}{default}")
    python_type += " | None" if given == "default=None" else ""
    return statement(call(f"{field.python}: {python_type} = {_runtime(struct)}.field", *arguments, *spec[1:]), 4)


def _literal(texts: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{quoted(name)}: {quoted(text)}' for name, text in texts.items())}}}"
