"""Tables over records: loops and columns as Python over objects that are there already."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..lower.expressions import UnsupportedExpression
from ..lower.scopes import TableScope
from ..model import Record, Table
from ..paths import INTEGER, Target, element
from ..plan.names import field_name
from ..plan.text import call, docstring
from ..plan.types import quoted
from ..syntax import TableColumn
from .expressions import ExpressionPrinter
from .struct_tables import ARROW_TYPES

#: Names that the generated lambdas use themselves.
_SOURCE = "source"


@dataclass(slots=True)
class ObjectTableText:
    name: str
    doc: list[str]
    #: A generator expression over ``source``.
    rows: str
    columns: list[list[str]] = field(default_factory=list)


def print_object_table(table: Table, imports: set[str]) -> ObjectTableText:
    """Returns the text of a table whose source is a record.

    Raises:
        UnsupportedExpression: the table cannot be compiled.
    """
    assert isinstance(table.source, Record)
    scope = TableScope(table.source)
    printer = ExpressionPrinter(table.module, imports)
    loops = []
    for loop in table.loops:
        inside = element(scope.kind(loop.iterable)) or Target()
        text = printer.operand(scope.lower(loop.iterable))
        if loop.index is None:
            loops.append(f"for {field_name(loop.variable)} in {text}")
        else:
            loops.append(f"for {field_name(loop.index)}, {field_name(loop.variable)} in enumerate({text})")
            scope.bind(loop.index, INTEGER)
        scope.bind(loop.variable, inside)
    variables = [field_name(name) for name in scope.variables]
    row = f"({', '.join(variables)}{',' if len(variables) == 1 else ''})"
    plan = ObjectTableText(
        table.name, docstring(table.doc or f"{table.name}."), " ".join([row, *loops]) if loops else "[()]"
    )
    plan.columns = [_column(column, variables, scope, printer) for column in table.columns]
    return plan


def _column(column: TableColumn, variables: list[str], scope: TableScope, printer: ExpressionPrinter) -> list[str]:
    if column.type_name not in ARROW_TYPES:
        raise UnsupportedExpression(f"{column.type_name!r} is not a column type", column.expression)
    head = ", ".join([_SOURCE, *variables])
    text = printer.text(scope.lower(column.expression))
    if column.type_name == "bool" and scope.kind(column.expression).kind != "bool":
        text = f"bool({text})"
    arguments = [quoted(column.name), quoted(ARROW_TYPES[column.type_name]), f"lambda {head}: {text}"]
    return call("_objects.ObjectColumn", arguments + ([quoted(column.doc)] if column.doc else []), indent=8)
