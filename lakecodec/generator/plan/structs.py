"""Plans of enums, structs, exceptions and unions: the classes, and the steps of their pure readers and writers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from ...runtime.compact.wire import WIRE_TYPES
from ..messages import is_packed
from ..model import Enum, Field, ListOf, MapOf, Module, Scalar, Struct, Type
from . import types
from .text import call, docstring, expression


@dataclass(frozen=True, slots=True)
class EnumMemberPlan:
    name: str
    number: int
    doc: list[str]


@dataclass(frozen=True, slots=True)
class EnumPlan:
    name: str
    spec_name: str
    docstring: list[str]
    members: list[EnumMemberPlan]
    source_line: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The inline reading and writing of a value."""

    kind: str
    wire: int
    name: str = ""
    bits: int = 0
    writer: str = ""
    table: str = ""
    members: str = ""
    element: Shape | None = None

    @property
    def enum(self) -> str:
        """An enum's class, as the pure module names it."""
        return self.members if "." in self.members else f"_m.{self.members}"


@dataclass(frozen=True, slots=True)
class FieldPlan:
    name: str
    attr: str
    id: int
    hint: str
    #: The lines of its row, and the docstring behind it.
    row: list[str]
    docstring: list[str]
    #: What a reader assigns when the field is absent.
    absent: str
    required: bool
    shape: Shape
    keys: tuple[int, ...]
    #: The header byte where it is known, else None: then ``short`` tells whether the short form always fits.
    header: int | None
    short: bool
    #: Whether the writer must remember this field as the last one written.
    remember: bool
    #: Whether the type is a struct without fields.
    marker: bool

    @property
    def target(self) -> str:
        """The assignment of a read value, with a place for it."""
        return f"made.{self.attr} = %s"

    @property
    def test(self) -> str:
        """The condition under which a key announces this field."""
        return " or ".join(f"key == {key}" for key in self.keys)


@dataclass(frozen=True, slots=True)
class StructPlan:
    name: str
    spec_name: str
    kind: str
    #: The alias of the runtime's package that has the base class and the functions of its rows.
    runtime: str
    base: str
    docstring: list[str]
    fields: list[FieldPlan]
    wire_fields: list[FieldPlan]
    source_line: int
    #: The annotations as a Python expression, empty without any.
    annotations: str
    codec: tuple[str, str] | None
    marker: bool
    #: (field id, reader function) of a union's members that are structs with fields.
    nested: list[tuple[int, str]]

    @property
    def required(self) -> list[str]:
        """An expression that needs every required field to be set."""
        return expression([f"made.{field.attr}" for field in self.wire_fields if field.required], indent=4)

    @property
    def absent(self) -> list[str]:
        """Assignments that stand until a field is read; those of None are joined as long as a line has room."""
        later = [field for field in self.wire_fields if not field.required]
        rows = textwrap.wrap(" ".join(f"made.{field.attr}" for field in later if field.absent == "None"), 80)
        lines = [f"{' = '.join(row.split())} = None" for row in rows]
        return lines + [f"made.{field.attr} = {field.absent}" for field in later if field.absent != "None"]

    @property
    def has_lists(self) -> bool:
        return any(field.shape.kind == "list" for field in self.fields)

    @property
    def starts_unknown(self) -> bool:
        """True where a header may depend on no field having been written."""
        return _remember((field.header, field.required) for field in self.wire_fields)


def plan_enum(enum: Enum) -> EnumPlan:
    members = [EnumMemberPlan(m.python, m.number, _doc(m.doc)) for m in enum.members]
    return EnumPlan(enum.python, enum.name, docstring(enum.doc or f"{enum.name}."), members, enum.location.line)


def plan_struct(struct: Struct) -> StructPlan:
    module = struct.module
    wire_fields = _plan_fields(sorted(struct.fields, key=lambda field: field.id), struct)
    by_id = {field.id: field for field in wire_fields}
    codec = struct.annotations.get(types.CODEC_ANNOTATION)
    union, marker = struct.is_union, types.is_marker(struct)
    return StructPlan(
        name=struct.python,
        spec_name=struct.name,
        kind=struct.kind if struct.is_protobuf else "union" if union else "struct",
        runtime=_runtime(struct),
        base=struct.kind.title() if struct.is_protobuf else "Marker" if marker else "Union" if union else "Struct",
        docstring=docstring(struct.doc or f"{struct.name}."),
        fields=[by_id[field.id] for field in struct.fields],
        wire_fields=wire_fields,
        source_line=struct.location.line,
        annotations=repr(struct.annotations).replace("'", '"') if struct.annotations else "",
        codec=(codec.partition(":")[0], codec.partition(":")[2]) if codec else None,
        marker=marker,
        nested=[
            (field.id, function_expression(field.type, module))
            for field in struct.fields
            if struct.kind == "union" and isinstance(field.type, Struct) and not types.is_marker(field.type)
        ],
    )


def _runtime(struct: Struct) -> str:
    return "_pb" if struct.is_protobuf else "_rt"


def _doc(doc: str) -> list[str]:
    return docstring(doc) if doc.strip() else []


def _plan_fields(fields: list[Field], struct: Struct) -> list[FieldPlan]:
    """Plans in id order; follows which field may have been written last, to fix header bytes where possible."""
    plans: list[FieldPlan] = []
    possible = {0}
    steps: list[tuple[Field, int | None, bool]] = []
    for field in fields:
        deltas = {field.id - last for last in possible}
        short = all(0 < delta < 16 for delta in deltas)
        header = deltas.pop() << 4 if len(deltas) == 1 and short else None
        steps.append((field, header, short))
        possible = {field.id} if field.requiredness == "required" else possible | {field.id}
    for number, (field, header, short) in enumerate(steps):
        plans.append(
            _plan_field(
                field,
                struct,
                header,
                short,
                remember=_remember((h, f.requiredness == "required") for f, h, _ in steps[number + 1 :]),
            )
        )
    return plans


def _remember(later: Iterable[tuple[int | None, bool]]) -> bool:
    """Returns whether a field may be the last one written when a header is reached whose byte depends on that.

    ``later`` are the (header, required) of the fields after it.
    """
    for header, required in later:
        if header is None:
            return True
        if required:
            return False
    return False


def _plan_field(field: Field, struct: Struct, header: int | None, short: bool, *, remember: bool) -> FieldPlan:
    module = struct.module
    default = types.literal(field.default, field.type, module) if field.has_default else "None"
    attr = field.python
    shape = Shape("other", 0) if struct.is_protobuf else plan_shape(field.type, module)
    keys = (field.id << 4 | 1, field.id << 4 | 2) if shape.kind == "bool" else (field.id << 4 | shape.wire,)
    hint = types.hint(field.type, module)
    spec = types.spec_expression(field.type, module, _runtime(struct), packed=is_packed(field))
    name = [f'name="{field.name}"'] if attr != field.name else []
    make_row = _member_row if struct.is_union else _row
    row = make_row(field, attr, hint, [spec, *name], default, _runtime(struct))
    return FieldPlan(
        name=field.name,
        attr=attr,
        id=field.id,
        hint=hint,
        row=row,
        docstring=_doc(field.doc),
        absent=_absent(field, struct, default),
        required=field.requiredness == "required",
        shape=shape,
        keys=keys,
        header=header,
        short=short,
        remember=remember,
        marker=types.is_marker(field.type),
    )


def _member_row(field: Field, attr: str, hint: str, spec: list[str], default: str, runtime: str) -> list[str]:
    kind = f"{runtime}.{'Empty' if types.is_marker(field.type) else 'Member'}"
    return call(f"{attr}: {kind}[{hint}] = {runtime}.member", [str(field.id), *spec], indent=4, end="")


def _row(field: Field, attr: str, hint: str, spec: list[str], default: str, runtime: str) -> list[str]:
    """Returns the row of a struct's field: its requiredness is said where the default does not tell it."""
    optional = field.requiredness == "optional"
    fresh = types.is_mutable(field.type)
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
    hint += " | None" if given == "default=None" else ""
    return call(f"{attr}: {hint} = {runtime}.field", [*arguments, *spec[1:]], indent=4, end="")


def _absent(field: Field, struct: Struct, default: str) -> str:
    if field.requiredness != "default" or not field.has_default:
        return "None"
    return default if types.is_builtin(field.type) else f"fresh_default({default_constant(struct.name, field.id)})"


def default_constant(struct: str, field: int) -> str:
    """Returns the pure module's name for the spec of a field whose default names classes."""
    return f"_DEFAULT_{struct}_{number_text(field)}"


def number_text(number: int) -> str:
    """Returns a field id as a part of a name; unlike names, it ends a name unmistakably."""
    return str(number).replace("-", "m")


def plan_shape(type_: Type, module: Module) -> Shape:
    if isinstance(type_, Scalar):
        wire = WIRE_TYPES[type_.kind]
        if type_.kind in ("i16", "i32", "i64"):
            return Shape("int", wire, type_.kind, int(type_.kind[1:]))
        return Shape("other" if type_.kind == "uuid" else type_.kind, wire)
    if isinstance(type_, Enum):
        name = types.class_expression(type_, module)
        table = f"_{name.replace('.', '_')}_of_byte"
        return Shape("int", WIRE_TYPES["enum"], "i32", 32, table=table, members=name)
    if isinstance(type_, Struct):
        read, write = function_expression(type_, module), function_expression(type_, module, "write")
        return Shape("struct", WIRE_TYPES["struct"], read, writer=write)
    if isinstance(type_, ListOf):
        element = plan_shape(type_.value, module)
        if element.kind in ("int", "binary", "string", "struct"):
            return Shape("list", WIRE_TYPES["list"], element=element)
        return Shape("other", WIRE_TYPES["list"])
    return Shape("other", WIRE_TYPES["map" if isinstance(type_, MapOf) else "set"])


def function_expression(struct: Struct, module: Module, verb: str = "read") -> str:
    """Returns a struct's pure reader or writer function, as the pure module of ``module`` names it."""
    prefix = "" if struct.module is module else f"_{struct.module.name}_pure."
    return f"{prefix}_{verb}_{struct.python}"
