"""The plan of one generated module."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ..diagnostics import Diagnostics
from ..lower.bodies import lower_codec, lower_record, lower_variant
from ..lower.expressions import UnsupportedExpression
from ..lower.nesting import self_containing
from ..model import Const, Enum, Extension, Module, Record, Struct, Table
from ..print.declarations import DeclarationText, print_declaration
from ..print.hints import enum_table_of
from ..print.object_tables import ObjectTableText, print_object_table
from ..print.placed import print_record
from ..print.records import RecordText, print_codec
from ..print.struct_tables import TablePlan, plan_table, reads_structs
from ..print.variants import VariantText, print_variant
from ..syntax import CodecDef, VariantDef
from . import types
from .constants import ConstPlan, plan_const
from .imports import Imports, plan_imports
from .spec_entries import source_lines
from .structs import EnumPlan, FieldPlan, StructPlan, default_constant, number_text, plan_enum, plan_struct
from .text import docstring


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
    #: Constants that name members of enums, and so stand behind the classes.
    late_consts: list[ConstPlan]
    #: Constants that hold structs and unions, which can be made once the classes are described.
    object_consts: list[ConstPlan]
    enums: list[EnumPlan]
    structs: list[StructPlan]
    #: Functions that give numbers their members, as (name, class).
    enum_tables: list[tuple[str, str]]
    records: list[RecordText | VariantText]
    tables: list[TablePlan]
    #: Tables over records.
    object_tables: list[ObjectTableText]
    declarations: list[DeclarationText]
    #: The lines of the IDL where the types are declared.
    lines: list[str]

    @property
    def runtime_is_relative(self) -> bool:
        """True where the runtime's imports stand in one group with those of other generated modules."""
        return self.runtime.startswith(".")

    @property
    def compact(self) -> list[StructPlan]:
        """The structs, unions and exceptions."""
        return [s for s in self.structs if s.runtime == "_rt"]

    @property
    def protobuf(self) -> list[StructPlan]:
        """The messages and oneofs."""
        return [s for s in self.structs if s.runtime == "_pb"]

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
    def pure_tables(self) -> list[tuple[str, str]]:
        """(table, class) of the enums that readers look up."""
        shapes = [f.shape.element or f.shape for s in self.ladders for f in s.fields]
        return sorted({(shape.table, shape.enum) for shape in shapes if shape.members})

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
        constants = [(default_constant(s.spec_name, f.id), f.absent, _spec_path(s, f)) for s, f in found]
        return [(name, path) for name, absent, path in constants if name in absent]


def _spec_path(struct: StructPlan, planned: FieldPlan) -> str:
    return f"_m.{struct.name}.__spec__.fields[{struct.wire_fields.index(planned)}]"


def spec_constant(struct: StructPlan, planned: FieldPlan) -> str:
    return f"_TYPE_{struct.name}_{number_text(planned.id)}"


def plan_module(module: Module, *, command: str, runtime: str, diagnostics: Diagnostics) -> ModulePlan:
    """Returns the plan of a checked module; raises IdlError for what parses but cannot be compiled."""
    enums = [plan_enum(item) for item in module.definitions if isinstance(item, Enum)]
    structs = [plan_struct(item) for item in module.definitions if isinstance(item, Struct)]
    constants = [item for item in module.definitions if isinstance(item, Const)]
    consts = [plan_const(item, module) for item in constants if types.is_builtin(item.type)]
    objects = [item for item in constants if types.holds_objects(item.type)]
    late_consts = [
        plan_const(item, module) for item in constants if not types.is_builtin(item.type) and item not in objects
    ]
    aliases: set[str] = set()
    bodies, tables, object_tables, declarations = _print_extensions(module, aliases, diagnostics)
    diagnostics.raise_errors()
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
        object_consts=[plan_const(item, module) for item in objects],
        enums=enums,
        structs=structs,
        enum_tables=_enum_tables(bodies),
        records=bodies,
        tables=tables,
        object_tables=object_tables,
        declarations=declarations,
        lines=source_lines([*enums, *structs, *_described(bodies)]),
    )
    return replace(plan, imports=plan_imports(module, plan, aliases))


def _print_extensions(
    module: Module, aliases: set[str], diagnostics: Diagnostics
) -> tuple[list[RecordText | VariantText], list[TablePlan], list[ObjectTableText], list[DeclarationText]]:
    bodies: list[RecordText | VariantText] = []
    tables: list[TablePlan] = []
    object_tables: list[ObjectTableText] = []
    declarations: list[DeclarationText] = []
    nested = self_containing(module)
    for item in module.definitions:
        try:
            if isinstance(item, Record):
                bodies.append(print_record(lower_record(item, nested=nested), aliases))
            elif isinstance(item, Table):
                if reads_structs(item):
                    tables.append(plan_table(item))
                else:
                    object_tables.append(print_object_table(item, aliases))
            elif isinstance(item, Extension) and isinstance(item.syntax, VariantDef):
                bodies.append(print_variant(lower_variant(item, nested=nested), aliases))
            elif isinstance(item, Extension):
                declarations.append(print_declaration(item, aliases))
                has_fields = isinstance(item.syntax, CodecDef) and item.syntax.fields is not None
                if has_fields and (codec := lower_codec(item)) is not None:
                    bodies.append(print_codec(codec, aliases))
        except UnsupportedExpression as error:
            diagnostics.error(error.message, error.location)
        except RecursionError:
            diagnostics.error(f"'{item.name}' is nested too deeply: give parts of it names of their own", item.location)
    return bodies, tables, object_tables, declarations


def _described(bodies: list[RecordText | VariantText]) -> list[RecordText | VariantText]:
    """Returns the classes of records and variants that are types of the IDL."""
    found: list[RecordText | VariantText] = []
    for body in bodies:
        if isinstance(body, VariantText):
            found += [body, *body.cases]
        elif not body.private:
            found.append(body)
    return found


def _enum_tables(bodies: list[RecordText | VariantText]) -> list[tuple[str, str]]:
    classes = {cls for body in bodies for record in body.records for cls in record.enums}
    return [(enum_table_of(cls), cls) for cls in sorted(classes)]
