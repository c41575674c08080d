"""The plan of one generated module."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from ..diagnostics import Diagnostics
from ..model import Const, Enum, Extension, Module, Record, SetOf, Struct, Table
from ..syntax import CodecDef, VariantDef
from . import types
from .codecs import plan_codec
from .declarations import DeclarationPlan, plan_declaration
from .expressions import UnsupportedExpression
from .names import type_name
from .nesting import self_containing
from .object_tables import ObjectTablePlan, plan_object_table
from .record_plan import RecordPlan
from .record_rules import enum_table
from .records import plan_record
from .structs import EnumPlan, FieldPlan, StructPlan, default_constant, plan_enum, plan_struct
from .tables import TablePlan, plan_table, reads_structs
from .text import call, comment, docstring, wrapped
from .variants import VariantPlan, plan_variant


@dataclass(frozen=True, slots=True)
class ConstPlan:
    name: str
    hint: str
    value: str
    comment: list[str]


@dataclass(frozen=True, slots=True)
class Imports:
    """Import lines, by the groups in which they stand; ``pure`` are those of the pure module."""

    standard: list[str]
    outside: list[str]
    own: list[str]
    pure: list[str]


@dataclass(frozen=True, slots=True)
class TypePlan:
    """An entry of ``__spec__``."""

    name: str
    spec_name: str
    kind: str
    source_line: int
    doc_literal: str
    spec_fields: list[str] = field(default_factory=list)
    annotations_literal: str = ""


@dataclass(frozen=True, slots=True)
class ModulePlan:
    """Attributes: ``runtime`` is the package that generated code imports its runtime from."""

    name: str
    file: str
    digest: str
    command: str
    runtime: str
    docstring: list[str]
    imports: Imports
    consts: list[ConstPlan]
    #: Constants that name the module's classes, and so stand behind them.
    late_consts: list[ConstPlan]
    enums: list[EnumPlan]
    structs: list[StructPlan]
    #: Functions that give numbers their members, as (name, class).
    enum_tables: list[tuple[str, str]]
    records: list[RecordPlan | VariantPlan]
    tables: list[TablePlan]
    #: Tables over records.
    object_tables: list[ObjectTablePlan]
    declarations: list[DeclarationPlan]
    types: list[TypePlan]

    @property
    def runtime_is_relative(self) -> bool:
        """Whether the runtime's imports stand in one group with those of other generated modules."""
        return self.runtime.startswith(".")

    @property
    def ladders(self) -> list[StructPlan]:
        """The structs that get a reader and a writer of their own."""
        return [s for s in self.structs if s.kind == "struct" and not s.marker and not s.codec]

    @property
    def unions(self) -> list[StructPlan]:
        return [s for s in self.structs if s.kind == "union" and not s.codec]

    @property
    def interpreted(self) -> list[str]:
        """The structs that are left to the interpreter."""
        return [s.name for s in self.structs if s.codec or s.marker]

    @property
    def functions(self) -> list[tuple[str, str]]:
        return [(s.spec_name, s.name) for s in self.structs]

    @property
    def pure_tables(self) -> list[tuple[str, str]]:
        """(table, class) of the enums that readers look up."""
        shapes = [f.shape.element or f.shape for s in self.ladders for f in s.fields]
        found = {shape.table: shape.members for shape in shapes if shape.members}
        return [(table, cls if "." in cls else f"_m.{cls}") for table, cls in sorted(found.items())]

    @property
    def list_wires(self) -> list[int]:
        """The wire types of the elements of lists that readers read inline."""
        return sorted({f.shape.element.wire for s in self.ladders for f in s.fields if f.shape.element is not None})

    @property
    def pure_specs(self) -> list[tuple[str, str]]:
        """(name, expression) of the field types whose writing, or all of it, is left to the interpreter."""
        return [
            (spec_constant(struct, planned), f"{_spec_path(struct, planned)}.type")
            for struct in self.ladders
            for planned in struct.wire_fields
            if planned.shape.kind in ("other", "double", "i8")
        ]

    @property
    def pure_defaults(self) -> list[tuple[str, str]]:
        """(name, expression) of the fields whose defaults are copied from their specs."""
        found = [(struct, planned) for struct in self.ladders for planned in struct.wire_fields]
        constants = [(default_constant(s.spec_name, f.name), f.absent, _spec_path(s, f)) for s, f in found]
        return [(name, path) for name, absent, path in constants if name in absent]


def _spec_path(struct: StructPlan, planned: FieldPlan) -> str:
    return f"_m.{struct.name}.__spec__.fields[{struct.wire_fields.index(planned)}]"


def spec_constant(struct: StructPlan, planned: FieldPlan) -> str:
    return f"_TYPE_{struct.name}_{planned.attr}"


def plan_module(module: Module, *, command: str, runtime: str, diagnostics: Diagnostics) -> ModulePlan:
    """The plan of a checked module; raises IdlError for what parses but cannot be compiled."""
    enums = [plan_enum(item) for item in module.definitions if isinstance(item, Enum)]
    structs = [plan_struct(item) for item in module.definitions if isinstance(item, Struct)]
    constants = [item for item in module.definitions if isinstance(item, Const)]
    consts = [_plan_const(item, module) for item in constants if types.is_builtin(item.type)]
    late_consts = [_plan_const(item, module) for item in constants if not types.is_builtin(item.type)]
    bodies, tables, object_tables, declarations = _plan_extensions(module, diagnostics)
    diagnostics.raise_errors()
    entries = [TypePlan(e.name, e.spec_name, "enum", e.source_line, types.quoted(e.doc)) for e in enums]
    plan = ModulePlan(
        name=module.name,
        file=Path(module.file).name,
        digest=module.digest,
        command=command,
        runtime=runtime,
        docstring=docstring(module.doc or f"Codecs of {Path(module.file).name}."),
        imports=Imports([], [], [], []),
        consts=consts,
        late_consts=late_consts,
        enums=enums,
        structs=structs,
        enum_tables=_enum_tables(bodies),
        records=bodies,
        tables=tables,
        object_tables=object_tables,
        declarations=declarations,
        types=entries
        + [_plan_type(struct) for struct in structs]
        + [entry for body in bodies for entry in _plan_body_types(body)],
    )
    return replace(plan, imports=_plan_imports(module, plan))


def _plan_extensions(
    module: Module, diagnostics: Diagnostics
) -> tuple[list[RecordPlan | VariantPlan], list[TablePlan], list[ObjectTablePlan], list[DeclarationPlan]]:
    bodies: list[RecordPlan | VariantPlan] = []
    tables: list[TablePlan] = []
    object_tables: list[ObjectTablePlan] = []
    declarations: list[DeclarationPlan] = []
    nested = self_containing(module)
    for item in module.definitions:
        try:
            if isinstance(item, Record):
                bodies.append(plan_record(item, item.name in nested))
            elif isinstance(item, Table):
                if reads_structs(item):
                    tables.append(plan_table(item))
                else:
                    object_tables.append(plan_object_table(item))
            elif isinstance(item, Extension) and isinstance(item.syntax, VariantDef):
                bodies.append(plan_variant(item, item.name in nested))
            elif isinstance(item, Extension):
                declarations.append(plan_declaration(item))
                if isinstance(item.syntax, CodecDef) and item.syntax.fields is not None:
                    bodies += plan_codec(item)
        except UnsupportedExpression as error:
            diagnostics.error(error.message, error.location)
    return bodies, tables, object_tables, declarations


def _enum_tables(bodies: list[RecordPlan | VariantPlan]) -> list[tuple[str, str]]:
    classes = {cls for body in bodies for record in _records_of(body) for cls in record.enums}
    return [(enum_table(cls), cls) for cls in sorted(classes)]


def _records_of(body: RecordPlan | VariantPlan) -> list[RecordPlan]:
    return body.cases if isinstance(body, VariantPlan) else [body]


def _plan_imports(module: Module, plan: ModulePlan) -> Imports:
    hints = [f.hint for s in plan.structs for f in s.fields] + [c.hint for c in plan.consts + plan.late_consts]
    records = [record for body in plan.records for record in _records_of(body)]
    text = "\n".join(line for record in records for line in record.all_text)
    text += "\n".join(line for declaration in plan.declarations for line in (*declaration.body, *declaration.value))
    standard = ["import enum as _enum"] if plan.enums else []
    if any("_uuid." in text for text in hints):
        standard.append("import uuid as _uuid")
    typing = ["Any as _Any"] if plan.declarations or records else []
    if any(isinstance(body, VariantPlan) for body in plan.records):
        typing.append("ClassVar as _ClassVar")
    standard += [f"from typing import {name}" for name in typing]
    codecs = sorted({struct.codec for struct in plan.structs if struct.codec})
    text += "".join(table.rows + "".join(map("".join, table.columns)) for table in plan.object_tables)
    included = sorted({item.name for item in module.includes.values()})
    has_structs = {
        item.name for item in module.includes.values() if any(isinstance(d, Struct) for d in item.definitions)
    }
    own = [f"from . import {name} as _{name}" for name in included]
    names = ["arrow_maps as _arrows"] if "_arrows." in text else []
    names += ["columns as _columns"] if "_columns." in text else []
    names += ["compact as _rt"] if plan.structs else []
    names += ["declaration as _decl"] if plan.declarations else []
    names += ["record as _rec"] if records else []
    used = {
        "_col": "record_columns",
        "_fn": "record_functions",
        "_in": "record_read",
        "_out": "record_write",
        "_tab": "record_table",
    }
    names += [
        f"{target} as {alias}"
        for alias, target in used.items()
        if f"{alias}." in text or (records and alias in ("_in", "_out"))
    ]
    names += ["spec as _spec"]
    names += ["object_table as _objects"] if plan.object_tables else []
    names += ["table as _table"] if plan.tables else []
    runtime_import = [f"from {plan.runtime} import {name}" for name in sorted(names)]
    if any(table.leaves for table in plan.tables):
        runtime_import.append(f"from {plan.runtime}.compact.program import Leaf as _Leaf")
    relative = plan.runtime.startswith(".")
    return Imports(
        standard=standard,
        outside=[f"from {package} import {name} as _codec_{name}" for package, name in codecs]
        + ([] if relative else runtime_import),
        own=(runtime_import if relative else []) + own,
        pure=[f"from . import {module.name} as _m"]
        + own
        + [f"from . import _{name}_pure" for name in sorted(has_structs)],
    )


def _plan_const(const: Const, module: Module) -> ConstPlan:
    value, hint = types.literal(const.value, const.type, module), types.hint(const.type, module)
    if isinstance(const.type, SetOf) and hint.startswith("set["):
        value, hint = f"frozenset({'' if value == 'set()' else value})", f"frozen{hint}"
    return ConstPlan(type_name(const.name), hint, wrapped(value), comment(const.doc))


def _plan_type(struct: StructPlan) -> TypePlan:
    return TypePlan(
        struct.name,
        struct.spec_name,
        struct.kind,
        struct.source_line,
        types.quoted(struct.doc),
        [line for planned in struct.wire_fields for line in _spec_field(planned)],
        repr(struct.annotations).replace("'", '"') if struct.annotations else "",
    )


def _plan_body_types(body: RecordPlan | VariantPlan) -> list[TypePlan]:
    """A record's entry; a variant's, whose fields are its alternatives, and theirs."""
    if isinstance(body, RecordPlan):
        return [] if body.of_codec else [_plan_record_type(body)]
    lines = []
    for number, (name, case) in enumerate(zip(body.names, body.cases, strict=True), 1):
        arguments = [types.quoted(name), str(number), case.name, '"optional"', "None", types.quoted(case.doc)]
        lines += call("_spec.FieldSpec", arguments, indent=16)
    entry = TypePlan(body.name, body.spec_name, "variant", body.source_line, types.quoted(body.doc), lines)
    return [entry, *(_plan_record_type(case) for case in body.cases)]


def _plan_record_type(record: RecordPlan) -> TypePlan:
    lines = []
    for number, planned in enumerate(record.fields, 1):
        arguments = [types.quoted(planned.name), str(number), planned.spec, '"required"', "None"]
        arguments.append(types.quoted(planned.doc))
        if planned.attr != planned.name:
            arguments.append(types.quoted(planned.attr))
        lines += call("_spec.FieldSpec", arguments, indent=16)
    return TypePlan(record.name, record.spec_name, record.kind, record.source_line, types.quoted(record.doc), lines)


def _spec_field(planned: FieldPlan) -> list[str]:
    arguments = [types.quoted(planned.name), str(planned.id), planned.spec, f'"{planned.requiredness}"']
    arguments += [planned.default, types.quoted(planned.doc)]
    if planned.attr != planned.name:
        arguments.append(types.quoted(planned.attr))
    return call("_spec.FieldSpec", arguments, indent=16)
