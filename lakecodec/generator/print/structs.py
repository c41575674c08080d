"""Enums, structs, exceptions, unions and messages as Python: rows of classes, and the texts of their pure readers and writers."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from ..lower.structs import StructFieldLayout, StructLayout, ValueLayout
from ..lower.types import is_builtin, is_marker, is_mutable
from ..model import Enum, Field, Module, Struct
from ..resolve.messages import is_packed
from .text import LIMIT, call, docstring, group, statement, tupled
from .types import class_expression, hint, literal, spec_expression


@dataclass(frozen=True, slots=True)
class EnumText:
    name: str
    spec_name: str
    docstring: list[str]
    #: (name, number, docstring).
    members: list[tuple[str, int, list[str]]]
    source_line: int


@dataclass(frozen=True, slots=True)
class ValueText:
    """A value in the pure module.

    Attributes:
        reader: the function that reads a struct, or the rest of a number.
        writer: the function that writes a struct.
        table: the tuple that gives small numbers their members, and ``enum``, their class.
    """

    layout: ValueLayout
    reader: str
    writer: str = ""
    table: str = ""
    enum: str = ""
    element: ValueText | None = None


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field.

    Attributes:
        row: the lines of its row; ``docstring`` stands behind them.
        absent: what a reader assigns when the field is absent.
        type: the pure module's name for its type; ``spec`` is the expression of its description.
    """

    layout: StructFieldLayout
    name: str
    attr: str
    id: int
    hint: str
    row: list[str]
    docstring: list[str]
    absent: str
    value: ValueText
    type: str
    default: str
    spec: str

    @property
    def copies_default(self) -> bool:
        """True where an absent field gets a copy of a default that its description holds."""
        return self.default in self.absent

    @property
    def target(self) -> str:
        """The assignment of a read value, with a place for it."""
        return f"made.{self.attr} = %s"

    @property
    def test(self) -> str:
        """The condition under which a key announces this field."""
        return " or ".join(f"key == {key}" for key in self.layout.keys)


@dataclass(frozen=True, slots=True)
class StructText:
    """A struct: ``fields`` as in the IDL, ``wire_fields`` in the order of their ids.

    Attributes:
        runtime: the alias of the runtime's package that has the base class and the functions of its rows.
        annotations: as a Python expression, empty without any.
        union_reader: the statement that makes the reader of a union.
    """

    layout: StructLayout
    name: str
    spec_name: str
    runtime: str
    base: str
    docstring: list[str]
    fields: list[FieldText]
    wire_fields: list[FieldText]
    source_line: int
    annotations: str
    union_reader: list[str]

    @property
    def required(self) -> list[str]:
        """An expression that needs every required field to be set."""
        required = [f"made.{field.attr}" for field in self.wire_fields if field.layout.required]
        line = ", ".join(required)
        return [line] if 0 < len(line) < LIMIT - 12 else statement(tupled(required), 12) if required else []

    @property
    def absent(self) -> list[str]:
        """Assignments that stand until a field is read; those of None are joined as long as a line has room."""
        later = [field for field in self.wire_fields if not field.layout.required]
        rows = textwrap.wrap(" ".join(f"made.{field.attr}" for field in later if field.absent == "None"), 80)
        lines = [f"{' = '.join(row.split())} = None" for row in rows]
        return lines + [f"made.{field.attr} = {field.absent}" for field in later if field.absent != "None"]

    @property
    def has_lists(self) -> bool:
        return any(field.value.layout.kind == "list" for field in self.fields)


def print_enum(enum: Enum) -> EnumText:
    members = [(member.python, member.number, _doc(member.doc)) for member in enum.members]
    return EnumText(enum.python, enum.name, docstring(enum.doc or f"{enum.name}."), members, enum.location.line)


def print_struct(layout: StructLayout) -> StructText:
    struct = layout.struct
    texts = {each.field.id: _field(each, number, struct) for number, each in enumerate(layout.fields)}
    kind = struct.kind.title() if struct.is_protobuf else "Union" if struct.is_union else "Struct"
    readers = [f"{each.field.id}: {texts[each.field.id].value.reader}" for each in layout.nested]
    nested = f"lambda: {group('{', readers, '}')}" if readers else "dict"
    return StructText(
        layout=layout,
        name=struct.python,
        spec_name=struct.name,
        runtime=_runtime(struct),
        base="Marker" if layout.marker and layout.is_compact else kind,
        docstring=docstring(struct.doc or f"{struct.name}."),
        fields=[texts[field.id] for field in struct.fields],
        wire_fields=list(texts.values()),
        source_line=struct.location.line,
        annotations=repr(struct.annotations).replace("'", '"') if struct.annotations else "",
        union_reader=statement(f"_read_{struct.python}: Any = {call('union_reader', f'_m.{struct.python}', nested)}"),
    )


def _runtime(struct: Struct) -> str:
    return "_pb" if struct.is_protobuf else "_rt"


def _doc(doc: str) -> list[str]:
    return docstring(doc) if doc.strip() else []


def _field(layout: StructFieldLayout, number: int, struct: Struct) -> FieldText:
    field, module = layout.field, struct.module
    default = literal(field.default, field.type, module) if field.has_default else "None"
    spec = [spec_expression(field.type, module, _runtime(struct), packed=is_packed(field))]
    spec += [f'name="{field.name}"'] if field.python != field.name else []
    python_type = hint(field.type, module)
    row = (
        _member_row(field, python_type, spec, struct)
        if struct.is_union
        else _row(field, python_type, spec, default, struct)
    )
    suffix = f"{struct.python}_{str(field.id).replace('-', 'm')}"
    absent = "None"
    if field.requiredness == "default" and field.has_default:
        absent = default if is_builtin(field.type) else f"fresh_default(_DEFAULT_{suffix})"
    return FieldText(
        layout=layout,
        name=field.name,
        attr=field.python,
        id=field.id,
        hint=python_type,
        row=row,
        docstring=_doc(field.doc),
        absent=absent,
        value=_value(layout.value, module),
        type=f"_TYPE_{suffix}",
        default=f"_DEFAULT_{suffix}",
        spec=f"_m.{struct.python}.__spec__.fields[{number}]",
    )


def _member_row(field: Field, python_type: str, spec: list[str], struct: Struct) -> list[str]:
    runtime = _runtime(struct)
    kind = "Empty" if is_marker(field.type) else "Member"
    return statement(
        call(f"{field.python}: {runtime}.{kind}[{python_type}] = {runtime}.member", str(field.id), *spec), 4
    )


def _row(field: Field, python_type: str, spec: list[str], default: str, struct: Struct) -> list[str]:
    """Returns the row of a struct's field: its requiredness is said where the default does not tell it."""
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


def _value(layout: ValueLayout, module: Module) -> ValueText:
    target = layout.target
    if isinstance(target, Struct):
        return ValueText(layout, function_of(target, module, "read"), function_of(target, module, "write"))
    if isinstance(target, Enum):
        name = class_expression(target, module)
        enum = name if "." in name else f"_m.{name}"
        return ValueText(layout, "tail_i32", table=f"_{name.replace('.', '_')}_of_byte", enum=enum)
    element = None if layout.element is None else _value(layout.element, module)
    return ValueText(layout, f"tail_i{layout.bits}", element=element)


def function_of(struct: Struct, module: Module, verb: str) -> str:
    """Returns a struct's pure reader or writer function, as the pure module of ``module`` names it."""
    prefix = "" if struct.module is module else f"_{struct.module.name}_pure."
    return f"{prefix}_{verb}_{struct.python}"
