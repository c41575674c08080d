"""Rules for tables."""

from __future__ import annotations

from ...runtime.suggest import did_you_mean
from ..column_types import FORMS, arrow_name, refused_value
from ..diagnostics import Diagnostics, report_duplicates
from ..infer import Inference, computed_attributes
from ..model import Record, Table
from ..paths import INTEGER, Target, element, of_type
from ..resolve.scope import BASE_TYPES
from ..syntax import Loop, TableColumn


def check_table(table: Table, diagnostics: Diagnostics) -> None:
    report_duplicates(((each.name, each.location) for each in table.columns), "column", diagnostics)
    expressions = Inference(table.module, diagnostics)
    local = table_names(table, expressions, diagnostics)
    for column in table.columns:
        check_column(column, expressions.check(column.expression, local), diagnostics)


def table_names(table: Table, expressions: Inference, diagnostics: Diagnostics) -> dict[str, Target]:
    """Returns the names that columns of a table can use: fields of its source and variables of its loops, which are checked."""
    local = _fields(table)
    for loop in table.loops:
        _check_loop(loop, local, expressions, diagnostics)
    return local


def _fields(table: Table) -> dict[str, Target]:
    source = table.source
    if isinstance(source, Record):
        computed = {name: each.kind for name, each in computed_attributes(source).items()}
        return computed | {field.name: field.kind for field in source.fields}
    return {field.name: of_type(field.type) for field in source.fields}


def _check_loop(loop: Loop, local: dict[str, Target], expressions: Inference, diagnostics: Diagnostics) -> None:
    """Checks a loop's list and declares its variables."""
    before = len(diagnostics.found)
    target = expressions.check(loop.iterable, local)
    inside = element(target)
    if inside is None and len(diagnostics.found) == before:
        diagnostics.error("this is not a list, so there is nothing to loop over", loop.iterable.location)
    if loop.variable in local or loop.variable == loop.index:
        diagnostics.error(f"'{loop.variable}' is already defined in this table", loop.location)
    local[loop.variable] = inside or Target()
    if loop.index is not None:
        local[loop.index] = INTEGER


def check_column(column: TableColumn, value: Target, diagnostics: Diagnostics) -> None:
    """Checks the declared type of a column, and whether its value fits it."""
    name = column.type_name
    if (form := FORMS.get(name.partition("<")[0])) is not None:
        if arrow_name(name) is None:
            diagnostics.error(f"column '{column.name}' has type '{name}': write {form}", column.location)
        elif (words := refused_value(name, value)) is not None:
            message = f"the value of the {name} '{column.name}' must be {words}, not {value.name}"
            diagnostics.error(message, column.expression.location)
        return
    while name.startswith("list<"):
        name = name[len("list<") : -1]
    if name not in BASE_TYPES:
        hint = did_you_mean(name, BASE_TYPES)
        diagnostics.error(
            f"column '{column.name}' has type '{name}', but a column holds scalars or lists of them{hint}",
            column.location,
        )
