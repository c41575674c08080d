"""A module's layouts as text, for the templates."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

from ..diagnostics import Diagnostics
from ..lower.module import ModuleLayout
from ..lower.record_layout import RecordLayout, VariantLayout
from ..lower.tables import ObjectTableLayout, StructTableLayout
from ..model import Const, ListOf, MapOf, Module, SetOf
from ..names import quoted
from . import types
from .column_tables import ObjectTableText, StructTableText, print_object_table, print_struct_table
from .data import inlined_functions
from .declarations import DeclarationText, print_declaration
from .hints import enum_table_of
from .imports import Imports, import_lines
from .placed import print_record
from .records import RecordText, print_codec
from .structs import EnumText, StructText, print_enum, print_struct
from .text import WIDTH, comment, docstring
from .variants import VariantText, print_variant


@dataclass(frozen=True, slots=True)
class ModuleText:
    """Attributes: ``runtime`` is the package that generated code imports its runtime from."""

    name: str
    file: str
    quoted_file: str
    digest: str
    command: str
    runtime: str
    docstring: list[str]
    imports: Imports
    consts: list[ConstText]
    #: Constants that name members of enums, which must come after the classes.
    late_consts: list[ConstText]
    #: Constants with structs and unions, which must come after the description of the classes.
    object_consts: list[ConstText]
    enums: list[EnumText]
    structs: list[StructText]
    #: Lines of constants for reading records: members of enums by number, runs of fixed width.
    tools: list[str]
    records: list[RecordText | VariantText]
    tables: list[StructTableText]
    #: Tables over records.
    object_tables: list[ObjectTableText]
    declarations: list[DeclarationText]
    #: The lines of the IDL that declare the types.
    lines: list[str]

    @property
    def runtime_is_relative(self) -> bool:
        """True if the imports of the runtime are in one group with those of other generated modules."""
        return self.runtime.startswith(".")

    @property
    def begins_with_tool(self) -> bool:
        """True if the first text after the imports is a constant for reading records."""
        return bool(self.tools) and not (self.consts or self.enums or self.structs or self.late_consts)

    @property
    def compact(self) -> list[StructText]:
        """The structs, unions and exceptions."""
        return [each for each in self.structs if each.layout.is_compact]

    @property
    def protobuf(self) -> list[StructText]:
        """The messages and oneofs."""
        return [each for each in self.structs if not each.layout.is_compact]


def print_module(layout: ModuleLayout, *, command: str, runtime: str, diagnostics: Diagnostics) -> ModuleText:
    """Returns the text of a module. Raises IdlError if it is nested too deeply."""
    module = layout.module
    aliases: set[str] = set()
    bodies = _print_bodies(layout, aliases, diagnostics)
    enums = [print_enum(item) for item in layout.enums]
    structs = [print_struct(item) for item in layout.structs]
    struct_tables = [each for each in layout.tables if isinstance(each, StructTableLayout)]
    object_tables = [each for each in layout.tables if isinstance(each, ObjectTableLayout)]
    # A file's name need not be UTF-8, but a module's text must be.
    name = Path(module.file).name.encode("utf-8", "backslashreplace").decode()
    text = ModuleText(
        name=module.name,
        file="".join(each if each.isprintable() else "?" for each in name),
        quoted_file=quoted(name),
        digest=module.digest,
        command=command,
        runtime=runtime,
        docstring=docstring(module.doc or f"Codecs of {name}."),
        imports=Imports([], [], []),
        consts=[print_const(item, module) for item in layout.constants],
        late_consts=[print_const(item, module) for item in layout.member_constants],
        object_consts=[print_const(item, module) for item in layout.object_constants],
        enums=enums,
        structs=structs,
        tools=_tools(layout, bodies, aliases),
        records=bodies,
        tables=[print_struct_table(each) for each in struct_tables],
        object_tables=[print_object_table(each, aliases) for each in object_tables],
        declarations=[print_declaration(each, aliases) for each in layout.declarations],
        lines=_source_lines([*enums, *structs, *bodies]),
    )
    return replace(text, imports=import_lines(module, text, aliases))


def _print_bodies(layout: ModuleLayout, aliases: set[str], diagnostics: Diagnostics) -> list[RecordText | VariantText]:
    found: list[RecordText | VariantText] = []
    for each in layout.bodies:
        try:
            found.append(_print_body(each, aliases))
        except RecursionError:
            diagnostics.error(
                f"'{each.spec_name}' is nested too deeply: give parts of it names of their own", each.location
            )
    diagnostics.raise_errors()
    return found


def _print_body(layout: RecordLayout | VariantLayout, aliases: set[str]) -> RecordText | VariantText:
    if isinstance(layout, VariantLayout):
        return print_variant(layout, aliases)
    return print_record(layout, aliases) if layout.value is None else print_codec(layout, aliases)


def _source_lines(classes: list[EnumText | StructText | RecordText | VariantText]) -> list[str]:
    """Returns the items of a dict from each type of the IDL to the line of its declaration, or to a list of the lines of a
    variant and its alternatives. It is printed over several lines.
    """
    items = list[str]()
    for each in classes:
        if isinstance(each, VariantText):
            numbers = [each.source_line, *(case.source_line for case in each.cases)]
            items.append(f'"{each.name}":\N{NO-BREAK SPACE}[{", ".join(map(str, numbers))}],')
        elif not (isinstance(each, RecordText) and each.private):
            items.append(f'"{each.name}":\N{NO-BREAK SPACE}{each.source_line},')
    rows = textwrap.wrap(" ".join(items), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in rows]


def _tools(layout: ModuleLayout, bodies: list[RecordText | VariantText], aliases: set[str]) -> list[str]:
    runs = [line for body in bodies for each in body.records for line in each.runs]
    functions = [each.extension for each in layout.declarations if each.kind == "function" and each.value is not None]
    return [*_enum_tables(bodies), *runs, *inlined_functions(functions, aliases)]


def _enum_tables(bodies: list[RecordText | VariantText]) -> list[str]:
    classes = {cls for body in bodies for record in body.records for cls in record.enums}
    return [f"{enum_table_of(cls)} = _rec.Members({cls})" for cls in sorted(classes)]


#: Longer values of lists, sets and maps take several lines.
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class ConstText:
    name: str
    hint: str
    value: str
    comment: list[str]


def print_const(const: Const, module: Module) -> ConstText:
    value, hint = types.literal(const.value, const.type, module), types.hint(const.type, module)
    frozen = isinstance(const.type, SetOf) and hint.startswith("set[")
    if frozen:
        value, hint = f"frozenset({'' if value == 'set()' else value})", f"frozen{hint}"
    if len(value) > _LONGEST and isinstance(const.type, ListOf | SetOf | MapOf):
        opening, closing = ("frozenset({", "})") if frozen else (value[0], value[-1])
        value = "\n".join([opening, *_rows(types.items(const.value, const.type, module)), f"{closing}  # fmt: skip"])
    return ConstText(const.python, hint, value, comment(const.doc))


def _rows(items: list[str]) -> list[str]:
    """Returns the items of a container in lines; an item is never broken."""
    rows: list[str] = []
    for number, item in enumerate(items, 1):
        text = item if number == len(items) else f"{item},"
        if rows and len(rows[-1]) - 4 + 1 + len(text) <= WIDTH:
            rows[-1] += f" {text}"
        else:
            rows.append(f"    {text}")
    return rows
