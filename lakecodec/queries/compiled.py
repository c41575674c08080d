"""A query's table as the runtime's: over structs, whose bytes are decoded straight to columns, or over objects."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, cast

from ..generator.diagnostics import Diagnostics
from ..generator.graph import in_order
from ..generator.lower import nodes
from ..generator.lower.expressions import UnsupportedExpression
from ..generator.lower.nodes import Node
from ..generator.lower.tables import ColumnLayout, ObjectTableLayout, StructTableLayout, lower_object_table, lower_table
from ..generator.model import Record, Struct, Table
from ..generator.names import field_name, import_alias
from ..generator.print.column_tables import TablePrinter, column_value, named, object_value
from ..generator.print.imports import RUNTIME_MODULES
from ..generator.print.text import wrap
from ..generator.print.types import class_expression
from ..generator.syntax import Name, RecordField
from ..generator.syntax.walk import walk
from ..runtime.compact.program import Leaf
from ..runtime.object_table import Loop, ObjectColumn, ObjectTable
from ..runtime.ranges import RangeReader
from ..runtime.records.lazy import LazyRecord
from ..runtime.table import TableCodec, TableColumn
from ..workbench.schema import Schema

#: The column of a table that states whether a row is wanted.
WANTED = " wanted"
#: The column of a table over structs that holds the buffer's number.
SOURCE = " source"


class CompiledQuery:
    """A table over a class of files, compiled in memory.

    Attributes:
        part: the field of the file whose bytes are decoded to columns, "" for the whole file; None where objects are made.
        list_in_parts: the list of the file that the first loop goes over, where it can be read in parts; else None.
    """

    def __init__(self, table: Table, cls: Any, schema: Schema) -> None:
        self._table, self._cls, self._schema = table, cls, schema
        self._layout = self._lowered()
        self.part = self._struct_part()
        if self.part is None and isinstance(self._layout, StructTableLayout):
            self._layout = self._lowered(as_objects=True)
        self.list_in_parts = self._list_in_parts()

    def _lowered(self, *, as_objects: bool = False) -> StructTableLayout | ObjectTableLayout:
        if not as_objects:
            try:
                return lower_table(self._table)
            except UnsupportedExpression:
                # Expressions over objects support more, so they are tried next.
                pass
        try:
            return lower_object_table(self._table)
        except UnsupportedExpression as error:
            diagnostics = Diagnostics()
            diagnostics.error(error.message, error.location)
            diagnostics.raise_errors()
            raise

    def _struct_part(self) -> str | None:
        """Returns the field that holds the struct of the table; its offset is known without reading the struct."""
        source = self._table.source
        if not isinstance(self._layout, StructTableLayout):
            return None
        if isinstance(source, Struct):
            return ""
        first = self._table.loops[0].iterable
        while (base := getattr(first, "base", None)) is not None:
            first = base
        name: str = getattr(first, "name", "")
        row = getattr(self._cls, "_placed", {}).get(name) if issubclass(self._cls, LazyRecord) else None
        field = next((each for each in source.fields if each.name == name), None)
        if row is None or row.each or field is None or [getattr(each, "name", "") for each in field.via] != ["compact"]:
            return None
        return name

    def _list_in_parts(self) -> str | None:
        layout, source = self._layout, self._table.source
        if not isinstance(layout, ObjectTableLayout) or not layout.loops or not isinstance(source, Record):
            return None
        match layout.loops[0].iterable:
            case nodes.Attribute(base=nodes.Variable(name="source"), name=name):
                names = [field_name(each.name) for each in source.fields]
                if name not in names or any(each.at is not None for each in source.fields):
                    return None
            case _:
                return None
        number = names.index(name)
        used = [each.iterable for each in layout.loops[1:]] + [each.value for each in layout.columns]
        in_front = all(
            _names_only(each, {*names[:number], *(field_name(each.name) for each in source.params)}) for each in used
        )
        return name if in_front and _is_read_in_order(source, source.fields[number]) else None

    @property
    def columns(self) -> list[ColumnLayout]:
        """The columns, with the names of their Arrow types; empty for a type that only the values tell."""
        return list(self._layout.columns)

    def bytes_of(self, reader: RangeReader, parameters: tuple[Any, ...]) -> Any:
        """Returns the bytes of a file's struct."""
        if not self.part:
            return reader.read(0, reader.size)
        record = self._cls.open(reader, **dict(zip(self._cls._parameters, parameters, strict=False)))
        row = self._cls._placed[self.part]
        if row.optional and getattr(record, self.part) is None:
            return None
        return reader.read(*record.span(self.part))

    @cached_property
    def structs(self) -> TableCodec:
        """The table of a query over structs."""
        layout = self._layout
        assert isinstance(layout, StructTableLayout)
        leaves = [Leaf(each.level, each.path, cast(Any, each.kind), each.separator) for each in layout.leaves]
        columns = [
            TableColumn(each.name, each.arrow, each.leaves, self._run(f"lambda c: {column_value(each.value, layout)}"))
            for each in layout.columns
        ]
        condition = columns.pop() if columns[-1:] and columns[-1].name == WANTED else None
        columns.append(TableColumn(SOURCE, "int64", (), lambda rows: rows.ordinal(0)))
        root = self._schema.class_of(layout.root)
        return TableCodec(self._table.name, root, layout.levels, tuple(leaves), tuple(columns), condition)

    @cached_property
    def objects(self) -> ObjectTable:
        """The table of a query over objects."""
        layout = self._layout
        assert isinstance(layout, ObjectTableLayout)
        printer = TablePrinter(self._table.module, set())

        def value(node: Node, bound: tuple[str, ...]) -> Any:
            return self._run(object_value(node, bound, printer))

        loops = [
            Loop(field_name(each.variable), value(each.iterable, each.bound), each.index and field_name(each.index))
            for each in layout.loops
        ]
        columns, condition = [], None
        for each in layout.columns:
            if each.name == WANTED:
                condition = value(each.value, layout.bound)
                continue
            node, enum = named(each.value)
            names = None if enum is None else self._run(class_expression(enum, self._table.module))
            columns.append(ObjectColumn(each.name, each.arrow, value(node, layout.bound), names=names))
        return ObjectTable(self._table.name, self._cls, tuple(loops), tuple(columns), condition)

    def _run(self, text: str) -> Any:
        """Returns the value of a printed expression."""
        return eval("\n".join(wrap(f"({text})", 0)), self._names)

    @cached_property
    def _names(self) -> dict[str, Any]:
        """The names in printed expressions: those of the generated module, and the aliases of others."""
        module = self._schema.python(self._table.module)
        names = dict(vars(module))
        for each in in_order(self._table.module):
            names[import_alias(each)] = self._schema.python(each)
        runtime = f"{__package__.rpartition('.')[0]}.runtime"
        for alias, target in RUNTIME_MODULES.items():
            names.setdefault(alias, _module(f"{runtime}.{target}"))
        names.setdefault("_objects", _module(f"{runtime}.object_table"))
        names.setdefault("_decl", _module(f"{runtime}.declaration"))
        return names


def _names_only(value: Node, fields: Collection[str]) -> bool:
    """Returns whether an expression names no other fields of the file than some."""
    attributes = [each for each in nodes.walk(value) if isinstance(each, nodes.Attribute) and _is_source(each.base)]
    sources = [each for each in nodes.walk(value) if _is_source(each)]
    return len(attributes) == len(sources) and all(each.name in fields for each in attributes)


def _is_source(node: Node) -> bool:
    return isinstance(node, nodes.Variable) and node.name == "source"


def _is_read_in_order(record: Record, field: RecordField) -> bool:
    """Returns whether the elements of a list are read alike, one after the other, and the list has no rules as a whole."""
    if len(field.dimensions) != 1 or field.dimensions[0].kind not in ("count", "rest"):
        return False
    if field.size is not None or field.via or field.invariants or field.derived is not None:
        return False
    asked = [*(field.type.arguments or ()), *(each.condition for each in record.checks)]
    return not any(isinstance(part, Name) and part.name == field.name for each in asked for part in walk(each))


def _module(name: str) -> ModuleType:
    return import_module(name)


def source_of(cls: Any, schema: Schema) -> Record | Struct:
    """Returns the definition that a query over files of a class starts from.

    Raises:
        ValueError: the class is neither a record nor a struct.
    """
    found = schema.definition(cls)
    if not isinstance(found, Record | Struct):
        raise ValueError(
            f"type: {cls.__name__} is a {found.__class__.__name__.lower()}; a query needs a record or a struct"
        )
    return found
