"""A checked module as layouts, from which everything is printed."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Diagnostics
from ..model import Const, Definition, Enum, Extension, Module, Record, Struct, Table
from ..paths import fields_of
from ..syntax import CodecDef, VariantDef
from .bodies import lower_codec, lower_record, lower_variant
from .declarations import check_columns, check_shapes, lower_declaration
from .declared import DeclarationLayout
from .expressions import UnsupportedExpression
from .nesting import self_containing
from .record_layout import RecordLayout, VariantLayout
from .structs import StructLayout, lower_struct
from .tables import ObjectTableLayout, StructTableLayout, lower_table
from .types import holds_objects, is_builtin


@dataclass(frozen=True, slots=True)
class ModuleLayout:
    """The lowered definitions of a module.

    Attributes:
        constants: of builtin types; ``member_constants`` name members of enums, and ``object_constants`` hold structs or unions.
        bodies: records, variants, and the fields of codecs, in the order of the file.
    """

    module: Module
    constants: tuple[Const, ...]
    member_constants: tuple[Const, ...]
    object_constants: tuple[Const, ...]
    enums: tuple[Enum, ...]
    structs: tuple[StructLayout, ...]
    bodies: tuple[RecordLayout | VariantLayout, ...]
    tables: tuple[StructTableLayout | ObjectTableLayout, ...]
    declarations: tuple[DeclarationLayout, ...]


def lower_module(module: Module, diagnostics: Diagnostics) -> ModuleLayout:
    """Returns the layouts of a checked module.

    Raises:
        IdlError: something parses but cannot be compiled.
    """
    constants = [item for item in module.definitions if isinstance(item, Const)]
    objects = tuple(item for item in constants if holds_objects(item.type))
    bodies: list[RecordLayout | VariantLayout] = []
    tables: list[StructTableLayout | ObjectTableLayout] = []
    declarations: list[DeclarationLayout] = []
    nested = self_containing(module)

    def lower(item: Definition) -> None:
        if isinstance(item, Record):
            check_columns(item.fields, module)
            bodies.append(lower_record(item, nested=nested))
        elif isinstance(item, Table):
            tables.append(lower_table(item))
        elif isinstance(item, Extension) and isinstance(item.syntax, VariantDef):
            check_columns(fields_of(item), module)
            bodies.append(lower_variant(item, nested=nested))
        elif isinstance(item, Extension) and isinstance(item.syntax, CodecDef) and item.syntax.fields is not None:
            if (codec := lower_codec(item)) is not None:
                bodies.append(codec)
        elif isinstance(item, Extension):
            declarations.append(declaration := lower_declaration(item))
            check_shapes(declaration)

    for item in module.definitions:
        try:
            lower(item)
        except UnsupportedExpression as error:
            diagnostics.error(error.message, error.location)
        except RecursionError:
            diagnostics.error(f"'{item.name}' is nested too deeply: give parts of it names of their own", item.location)
    diagnostics.raise_errors()
    return ModuleLayout(
        module=module,
        constants=tuple(item for item in constants if is_builtin(item.type)),
        member_constants=tuple(item for item in constants if not is_builtin(item.type) and item not in objects),
        object_constants=objects,
        enums=tuple(item for item in module.definitions if isinstance(item, Enum)),
        structs=tuple(lower_struct(item) for item in module.definitions if isinstance(item, Struct)),
        bodies=tuple(bodies),
        tables=tuple(tables),
        declarations=tuple(declarations),
    )
