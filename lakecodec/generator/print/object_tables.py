"""Tables over records: loops and columns as the attributes that lead to them, or as Python over objects."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..lower.expressions import UnsupportedExpression
from ..lower.nodes import Attribute, Node, Variable
from ..lower.scopes import TableScope
from ..model import Record, Table
from ..paths import INTEGER, Target, element
from ..plan.names import field_name
from ..plan.text import assignment, call, docstring
from ..plan.types import quoted
from ..syntax import TableColumn
from .expressions import ExpressionPrinter
from .hints import class_of
from .struct_tables import ARROW_TYPES

#: Names that the generated lambdas use themselves.
_SOURCE = "source"


@dataclass(slots=True)
class ObjectTableText:
    name: str
    doc: list[str]
    #: The class of the source.
    record: str
    loops: list[str] = field(default_factory=list)
    columns: list[list[str]] = field(default_factory=list)


def print_object_table(table: Table, imports: set[str]) -> ObjectTableText:
    """Returns the text of a table whose source is a record.

    Raises:
        UnsupportedExpression: the table cannot be compiled.
    """
    assert isinstance(table.source, Record)
    scope = TableScope(table.source)
    printer = ExpressionPrinter(table.module, imports)
    plan = ObjectTableText(table.name, docstring(table.doc or f"{table.name}."), class_of(table.source, table.module))
    loops: list[str] = []
    for loop in table.loops:
        inside = element(scope.kind(loop.iterable)) or Target()
        arguments = [quoted(field_name(loop.variable)), _value(scope.lower(loop.iterable), scope, printer)]
        if loop.index is not None:
            arguments.append(quoted(field_name(loop.index)))
            scope.bind(loop.index, INTEGER)
        scope.bind(loop.variable, inside)
        loops.append(f"_objects.Loop({', '.join(arguments)})")
    plan.loops = assignment("loops", loops, indent=4, sign="=", end=",")
    plan.columns = [_column(column, scope, printer) for column in table.columns]
    return plan


def _value(node: Node, scope: TableScope, printer: ExpressionPrinter, form: str = "{}") -> str:
    """Returns the attributes that lead to a value as a text, else a function of the source and the loops' variables."""
    path = _path(node)
    if path is not None and form == "{}":
        return quoted(".".join(path))
    head = ", ".join([_SOURCE, *map(field_name, scope.variables)])
    return f"lambda {head}: {form.format(printer.text(node))}"


def _path(node: Node) -> list[str] | None:
    """Returns the names of a chain of attributes that begins with a variable; None for anything else."""
    match node:
        case Variable(name=name):
            return [name]
        case Attribute(base=base, name=name):
            holder = _path(base)
            return None if holder is None else [*holder, name]
    return None


def _column(column: TableColumn, scope: TableScope, printer: ExpressionPrinter) -> list[str]:
    if column.type_name not in ARROW_TYPES:
        raise UnsupportedExpression(f"{column.type_name!r} is not a column type", column.expression)
    form = "bool({})" if column.type_name == "bool" and scope.kind(column.expression).kind != "bool" else "{}"
    value = _value(scope.lower(column.expression), scope, printer, form)
    arguments = [quoted(column.name), quoted(ARROW_TYPES[column.type_name]), value]
    return call("_objects.ObjectColumn", arguments + ([quoted(column.doc)] if column.doc else []), indent=8)
