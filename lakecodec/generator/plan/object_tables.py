"""Plans of tables over records: loops and columns as Python over objects that are there already."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import Record, Table
from ..paths import INTEGER, Target, element, of_field
from ..syntax import Call, Index, TableColumn
from .expressions import Scope, UnsupportedExpression
from .functions import call_text
from .names import field_name
from .tables import ARROW_TYPES
from .text import call, docstring
from .types import quoted

#: Names that the generated lambdas use themselves.
_SOURCE = "source"


@dataclass(slots=True)
class ObjectTablePlan:
    name: str
    doc: list[str]
    #: A generator expression over ``source``.
    rows: str
    columns: list[list[str]] = field(default_factory=list)


class _TableScope(Scope):
    """The fields of the source, and the loop variables so far."""

    def __init__(self, record: Record) -> None:
        self._source = {each.name: of_field(each, record.module) for each in record.fields}
        super().__init__(record.module, dict(self._source))
        self.variables: list[str] = []

    def bind(self, name: str, kind: Target) -> None:
        self.kinds = {**self.kinds, name: kind}
        self.variables.append(name)

    def local(self, name: str) -> str | None:
        if name in self.variables:
            return field_name(name)
        return f"{_SOURCE}.{field_name(name)}" if name in self._source else None

    def index(self, expr: Index) -> str:
        return f"_fn.item({self.render(expr.base)}, {self.render(expr.index)})"

    def call(self, function: str, expr: Call) -> str:
        if function == "name_of":
            value, kind = self.render(expr.arguments[0]), self.kind(expr.arguments[0])
            return (
                f"[_objects.member_name(each) for each in {value}]" if kind.lists else f"_objects.member_name({value})"
            )
        if function == "join":
            text, separator = (self.grouped(argument) for argument in expr.arguments)
            return f"{separator}.join({text})"
        return call_text(self, function, expr)


def plan_object_table(table: Table) -> ObjectTablePlan:
    """The plan of a table whose source is a record; raises UnsupportedExpression for what cannot be compiled."""
    assert isinstance(table.source, Record)
    scope = _TableScope(table.source)
    loops = []
    for loop in table.loops:
        inside = element(scope.kind(loop.iterable)) or Target()
        text = scope.grouped(loop.iterable)
        if loop.index is None:
            loops.append(f"for {field_name(loop.variable)} in {text}")
        else:
            loops.append(f"for {field_name(loop.index)}, {field_name(loop.variable)} in enumerate({text})")
            scope.bind(loop.index, INTEGER)
        scope.bind(loop.variable, inside)
    variables = [field_name(name) for name in scope.variables]
    row = f"({', '.join(variables)}{',' if len(variables) == 1 else ''})"
    plan = ObjectTablePlan(
        table.name, docstring(table.doc or f"{table.name}."), " ".join([row, *loops]) if loops else "[()]"
    )
    plan.columns = [_column(column, variables, scope) for column in table.columns]
    return plan


def _column(column: TableColumn, variables: list[str], scope: _TableScope) -> list[str]:
    if column.type_name not in ARROW_TYPES:
        raise UnsupportedExpression(f"{column.type_name!r} is not a column type", column.expression)
    head = ", ".join([_SOURCE, *variables])
    text = scope.render(column.expression)
    if column.type_name == "bool" and scope.kind(column.expression).kind != "bool":
        text = f"bool({text})"
    arguments = [quoted(column.name), quoted(ARROW_TYPES[column.type_name]), f"lambda {head}: {text}"]
    return call("_objects.ObjectColumn", arguments + ([quoted(column.doc)] if column.doc else []), indent=8)
