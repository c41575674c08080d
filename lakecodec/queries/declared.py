"""The text of a query as a table of the compiler's model, and the steps that follow for its rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from ..generator.builtin_names import FUNCTIONS, VALUES
from ..generator.check.tables import check_column, table_names
from ..generator.diagnostics import Diagnostics, Location
from ..generator.infer import Inference
from ..generator.model import Module, Record, Scalar, Struct, Table
from ..generator.parse import parse_part
from ..generator.paths import Target, member_names, of_type
from ..generator.syntax import Call, Expr, Loop, Member, Name, TableColumn
from ..runtime.suggest import did_you_mean
from .compiled import WANTED

#: Aggregate functions, by pyarrow's names.
AGGREGATES = (
    "all", "any", "count", "count_distinct", "first", "last", "list", "max", "mean", "min", "product",
    "stddev", "sum", "variance",
)  # fmt: skip
_TYPES = {
    "int": "i64",
    "enum": "i32",
    "bool": "bool",
    "float": "double",
    "text": "string",
    "bytes": "binary",
    "any": "",
}
_LISTS = {"text": "list<string>", "int": "list<i64>", "enum": "list<i64>", "any": ""}
_UNSIGNED = ("u64", "uvarint64", "vlq64", "vlq9", "uint64", "fixed64")


@dataclass(frozen=True, slots=True)
class Query:
    """A query over one type.

    Attributes:
        table: has the columns that need a file's bytes; `WANTED` is one of them if rows are filtered.
        names: the columns of the result, in order.
        files: the columns that hold the name of the file.
        keys: the columns that rows are grouped by; None without groups.
        aggregates: column -> pyarrow's aggregate, for grouped rows.
    """

    table: Table
    names: tuple[str, ...]
    files: tuple[str, ...]
    keys: tuple[str, ...] | None
    aggregates: dict[str, str]


def declare(
    source: Record | Struct,
    module: Module,
    *,
    over: str | None,
    where: str | None,
    select: str,
    keys: tuple[str, ...] | None,
) -> Query:
    """Returns a query from the texts of its parts.

    Args:
        source: what a file is.
        module: whose names the expressions can use.

    Raises:
        IdlError: the texts have errors; each is shown with a caret in its part.
    """
    diagnostics = Diagnostics()
    loops: tuple[Loop, ...] = parse_part(over, "query_loops", "for", diagnostics) if over else ()
    condition: Expr | None = parse_part(where, "query_condition", "where", diagnostics) if where else None
    columns: tuple[TableColumn, ...] = parse_part(select, "query_columns", "select", diagnostics)
    diagnostics.raise_errors()
    names = tuple(each.name for each in columns)
    for number, each in enumerate(columns):
        if each.name in names[:number]:
            diagnostics.error(f"two columns are called {each.name!r}: write other = ...", each.location)
    diagnostics.raise_errors()
    aggregates: dict[str, str] = {}
    if keys is not None:
        _check_keys(keys, names)
        columns = tuple(each if each.name in keys else _aggregated(each, aggregates, diagnostics) for each in columns)
        diagnostics.raise_errors()
    files = tuple(each.name for each in columns if _is_source(each.expression))
    columns = tuple(each for each in columns if each.name not in files and aggregates.get(each.name) != "count_all")
    if condition is not None:
        columns = (*columns, TableColumn(WANTED, "bool", condition, condition.location))
    bound = {name for loop in loops for name in (loop.variable, loop.index) if name is not None}
    find = _Finder(source, module, bound, diagnostics)
    table = Table(
        "query",
        module,
        Location("for", 1, 1),
        source,
        [replace(each, iterable=find.in_expression(each.iterable)) for each in loops],
        [replace(each, expression=find.in_expression(each.expression)) for each in columns],
    )
    diagnostics.raise_errors()
    _give_types(table, diagnostics, is_grouped=keys is not None)
    diagnostics.raise_errors()
    return Query(table, names, files, keys, aggregates)


def _check_keys(keys: Collection[str], names: Collection[str]) -> None:
    for key in keys:
        if key not in names:
            raise KeyError(f"group_by: select has no column {key!r}{did_you_mean(key, names)}")


def _is_source(expr: Expr) -> bool:
    return isinstance(expr, Call) and isinstance(expr.function, Name) and expr.function.name == "source"


def _aggregated(column: TableColumn, aggregates: dict[str, str], diagnostics: Diagnostics) -> TableColumn:
    """Returns the column of the rows from which an aggregate is computed."""
    expr, function = column.expression, _aggregate_of(column.expression)
    if not isinstance(expr, Call) or not function:
        known = ", ".join(f"{each}(...)" for each in AGGREGATES)
        message = f"'{column.name}' is not in group_by, so it has to be one of {known}"
        diagnostics.error(message, column.location)
        return column
    if not expr.arguments:
        if function != "count":
            diagnostics.error(f"'{function}' takes a column", expr.location)
        aggregates[column.name] = "count_all"
        return column
    aggregates[column.name] = function
    return replace(column, expression=expr.arguments[0])


def _aggregate_of(expr: Expr) -> str:
    """Returns the name of the aggregate function that an expression calls; empty if it calls none."""
    if not isinstance(expr, Call) or not isinstance(expr.function, Name) or len(expr.arguments) > 1:
        return ""
    return expr.function.name if expr.function.name in AGGREGATES else ""


class _Finder:
    """Puts the path in front of names that are not fields of the file itself, but of one of its parts."""

    def __init__(self, source: Record | Struct, module: Module, bound: set[str], diagnostics: Diagnostics) -> None:
        self._bound = bound
        self._diagnostics = diagnostics
        self._inference = Inference(module)
        self._module = module
        if isinstance(source, Record):
            self._fields = {each.name: each.kind for each in source.fields}
        else:
            self._fields = {each.name: of_type(each.type) for each in source.fields}

    def in_expression(self, node: Any) -> Any:
        """Returns an expression, or a part of one, in which all names have their paths."""
        if isinstance(node, Name):
            return self._of_name(node)
        if isinstance(node, tuple):
            return tuple(self.in_expression(each) for each in node)
        if not is_dataclass(node) or isinstance(node, Location | type):
            return node
        changed = {
            each.name: self.in_expression(getattr(node, each.name))
            for each in fields(node)
            # The called function is not a field.
            if not (isinstance(node, Call) and each.name == "function")
        }
        for name in (getattr(node, "variable", None), getattr(node, "accumulator", None)):
            self._bound |= {name} if name else set()
        return replace(node, **changed)

    def _of_name(self, expr: Name) -> Expr:
        name = expr.name
        if name in self._bound or name in self._fields or name in VALUES or name in self._module.includes:
            return expr
        if self._module.find(name) is not None or self._module.constant(name) is not None:
            return expr
        holders = [each for each, kind in self._fields.items() if _has_field(kind, name)]
        if len(holders) > 1:
            paths = " or ".join(f"{each}.{name}" for each in holders)
            self._diagnostics.error(f"'{name}' is a field of several parts: write {paths}", expr.location)
        elif holders and self._inference.enum_member(name) is None:
            return Member(Name(holders[0], expr.location), name, expr.location)
        return expr


def _has_field(kind: Target, name: str) -> bool:
    return kind.kind == "object" and not kind.lists and name in member_names(kind)


def _give_types(table: Table, diagnostics: Diagnostics, *, is_grouped: bool) -> None:
    """Gives each column the type of its expression, and reports what a column cannot hold."""
    expressions = Inference(table.module, diagnostics)
    local = table_names(table, expressions, diagnostics)
    for number, column in enumerate(table.columns):
        if not is_grouped and (name := _aggregate_of(column.expression)) and _is_of_rows(column, expressions, local):
            keys = "columns whose equal values make one row, or '' for one row of all"
            message = f"'{name}' of rows needs group_by (--group-by): {keys}"
            diagnostics.error(message, column.expression.location)
            continue
        kind = expressions.check(column.expression, local)
        if column.type_name:
            check_column(column, kind, diagnostics)
            continue
        types = _LISTS if kind.lists == 1 else _TYPES if not kind.lists else {}
        found = types.get(kind.kind)
        if found is None and kind.kind == "any":
            found = ""
        if found is None:
            inside = member_names(kind)
            hint = f": select its fields, such as {', '.join(inside[:4])}" if inside else ""
            message = f"a column holds a number, a text, bytes or a list of them, not {kind.name}{hint}"
            diagnostics.error(message, column.expression.location)
            continue
        if found == "i64" and _is_unsigned(column.expression, table, expressions, local):
            found = "u64"
        table.columns[number] = replace(column, type_name=found)


def _is_of_rows(column: TableColumn, expressions: Inference, local: dict[str, Target]) -> bool:
    """Returns whether a call of an aggregate function can only mean all rows: it has no list to compute from."""
    call = column.expression
    assert isinstance(call, Call)
    assert isinstance(call.function, Name)
    if not call.arguments or call.function.name not in FUNCTIONS:
        return True
    kind = expressions.check(call.arguments[0], local)
    return kind.is_number and not kind.lists


def _is_unsigned(expr: Expr, table: Table, expressions: Inference, local: dict[str, Target]) -> bool:
    """Returns whether an expression is a field whose numbers can be above 2**63."""
    if isinstance(expr, Member):
        holder = expressions.check(expr.base, local).holder
    else:
        # A name that no loop has is a field of the file.
        loops = [name for loop in table.loops for name in (loop.variable, loop.index)]
        holder = table.source if isinstance(expr, Name) and expr.name not in loops else None
    for field in holder.fields if isinstance(holder, Record | Struct) else ():
        if field.name == getattr(expr, "name", None):
            type_ = field.type
            return getattr(type_, "kind" if isinstance(type_, Scalar) else "name", "") in _UNSIGNED
    return False
