"""Plans of tables: the levels and leaves that columnar decoding reads, and the columns computed from them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..lower.expressions import UnsupportedExpression
from ..model import Enum, ListOf, Record, Scalar, Struct, Table, Type
from ..plan import types
from ..plan.text import call, docstring
from ..syntax import Binary, Call, Compare, Expr, Literal_, Member, Name, TableColumn, Ternary, Unary

ARROW_TYPES = {
    "bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "double": "double", "string": "string",
    "binary": "binary", "list<string>": "list<string>",
}  # fmt: skip
_INTS = ("i8", "i16", "i32", "i64")


@dataclass(frozen=True, slots=True)
class LeafPlan:
    level: int
    path: tuple[str, ...]
    kind: str
    separator: str = ""

    @property
    def path_text(self) -> str:
        return tuple_text(self.path)

    @property
    def separator_text(self) -> str:
        return types.quoted(self.separator)


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    name: str
    arrow: str
    expression: str
    doc: str
    leaves: tuple[int, ...]

    @property
    def lines(self) -> list[str]:
        leaves = f"({', '.join(map(str, self.leaves))}{',' if len(self.leaves) == 1 else ''})"
        arguments = [f'"{self.name}"', f'"{self.arrow}"', leaves, f"lambda c: {self.expression}"]
        if self.doc:
            arguments.append(types.quoted(self.doc))
        return call("_table.TableColumn", arguments, indent=8)


@dataclass(slots=True)
class TablePlan:
    name: str
    doc: list[str]
    root: str
    levels: list[str]
    leaves: list[LeafPlan] = field(default_factory=list)
    columns: list[ColumnPlan] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    """A struct reached by a name: its level and the path from the level's struct."""

    level: int
    path: tuple[str, ...]
    type: Type


def plan_table(table: Table) -> TablePlan:
    """Returns the plan of a table; raises UnsupportedExpression with the place of what cannot be compiled."""
    return _Planner(table).plan()


class _Planner:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._places: dict[str, _Place] = {}
        self._ordinals: dict[str, int] = {}
        self._leaves: list[LeafPlan] = []
        self._used: set[int] = set()

    def plan(self) -> TablePlan:
        table = self._table
        if not table.loops:
            raise UnsupportedExpression("a table of a struct needs a loop: for x in y", table.location)
        levels = self._plan_levels()
        root = self._places[""]
        assert isinstance(root.type, Struct)
        plan = TablePlan(
            name=table.name,
            doc=docstring(table.doc or f"{table.name}."),
            root=types.class_expression(root.type, table.module),
            levels=[tuple_text(level) for level in levels],
        )
        plan.columns = [self._plan_column(column) for column in table.columns]
        plan.leaves = self._leaves
        return plan

    def _plan_levels(self) -> list[tuple[str, ...]]:
        levels: list[tuple[str, ...]] = []
        for number, loop in enumerate(self._table.loops):
            place = self._root_place(loop.iterable) if number == 0 else self._place(loop.iterable)
            if place.level != number:
                raise UnsupportedExpression("each loop must go on where the one before it ends", loop.iterable)
            if not isinstance(place.type, ListOf) or not isinstance(place.type.value, Struct):
                raise UnsupportedExpression("a loop needs a list of structs", loop.iterable)
            levels.append(place.path)
            self._places[loop.variable] = _Place(number + 1, (), place.type.value)
            if loop.index is not None:
                self._ordinals[loop.index] = number + 1
        return levels

    def _root_place(self, iterable: Expr) -> _Place:
        """Returns the first loop starts at a struct that the source holds, or is."""
        source = self._table.source
        steps = _steps(iterable)
        if isinstance(source, Struct):
            self._places[""] = _Place(0, (), source)
        else:
            self._places[""] = _Place(0, (), _struct_of(source, steps.pop(0), iterable))
        for step in source.fields if isinstance(source, Record) else ():
            if isinstance(found := source.module.find(step.type.name), Struct):
                self._places[step.name] = _Place(0, (), found)
        return _descend(self._places[""], steps, iterable)

    def _place(self, expr: Expr) -> _Place:
        steps = _steps(expr)
        if steps[0] not in self._places:
            raise UnsupportedExpression(f"{steps[0]!r} is not a loop variable of the table", expr)
        return _descend(self._places[steps[0]], steps[1:], expr)

    def _plan_column(self, column: TableColumn) -> ColumnPlan:
        if column.type_name not in ARROW_TYPES:
            raise UnsupportedExpression(f"{column.type_name!r} is not a column type", column.expression)
        self._used = set()
        expression = self._render(column.expression)
        return ColumnPlan(column.name, ARROW_TYPES[column.type_name], expression, column.doc, tuple(sorted(self._used)))

    def _render(self, expr: Expr) -> str:
        if isinstance(expr, Literal_):
            text = types.quoted(expr.value) if isinstance(expr.value, str | bytes) else repr(expr.value)
            return f"c.literal({text})"
        if isinstance(expr, Name) and expr.name in self._ordinals:
            return f"c.ordinal({self._ordinals[expr.name]})"
        if isinstance(expr, Name | Member):
            return self._leaf(expr)
        if isinstance(expr, Ternary):
            condition, then, otherwise = map(self._render, (expr.condition, expr.then, expr.otherwise))
            return f"c.choose({condition}, {then}, {otherwise})"
        if isinstance(expr, Binary):
            return f'c.binary("{expr.operator}", {self._render(expr.left)}, {self._render(expr.right)})'
        if isinstance(expr, Unary):
            return f'c.unary("{expr.operator}", {self._render(expr.operand)})'
        if isinstance(expr, Compare) and len(expr.operators) == 1:
            left, right = expr.operands
            return f'c.binary("{expr.operators[0]}", {self._render(left)}, {self._render(right)})'
        if isinstance(expr, Call) and isinstance(expr.function, Name):
            return self._call(expr.function.name, expr)
        raise UnsupportedExpression("tables cannot compute this", expr)

    def _call(self, function: str, expr: Call) -> str:
        arguments = expr.arguments
        if function == "source" and not arguments:
            return "c.ordinal(0)"
        if function == "present" and len(arguments) == 1:
            return f"c.present({self._render(arguments[0])})"
        if function == "join" and len(arguments) == 2 and isinstance(separator := arguments[1], Literal_):
            place = self._place(arguments[0])
            if place.type != ListOf(Scalar("string")) or not isinstance(separator.value, str):
                raise UnsupportedExpression("join() takes a list<string> and a text", expr)
            return self._read(LeafPlan(place.level, place.path, "join", separator.value))
        if function == "name_of" and len(arguments) == 1:
            type_ = self._place(arguments[0]).type
            member = type_.value if isinstance(type_, ListOf) else type_
            if not isinstance(member, Enum):
                raise UnsupportedExpression("name_of() takes an enum, or a list of them", expr)
            cls = types.class_expression(member, self._table.module)
            return f"c.names({self._leaf(arguments[0])}, {cls})"
        raise UnsupportedExpression(f"{function!r} is not a function that tables know", expr)

    def _leaf(self, expr: Expr) -> str:
        place = self._place(expr)
        return self._read(LeafPlan(place.level, place.path, _leaf_kind(place.type, expr)))

    def _read(self, leaf: LeafPlan) -> str:
        if leaf not in self._leaves:
            self._leaves.append(leaf)
        number = self._leaves.index(leaf)
        self._used.add(number)
        return f"c.leaf({number})"


def reads_structs(table: Table) -> bool:
    """Returns whether the table's first loop starts at a struct, which is decoded straight to columns."""
    if isinstance(table.source, Struct) or not table.loops:
        return isinstance(table.source, Struct)
    first = next((f for f in table.source.fields if f.name == _steps(table.loops[0].iterable)[0]), None)
    return first is not None and isinstance(table.source.module.find(first.type.name), Struct)


def tuple_text(names: tuple[str, ...]) -> str:
    items = ", ".join(f'"{name}"' for name in names)
    return f"({items},)" if len(names) == 1 else f"({items})"


def _leaf_kind(type_: Type, expr: Expr) -> str:
    if isinstance(type_, Enum):
        return "int"
    if isinstance(type_, Scalar) and type_.kind != "uuid":
        return "int" if type_.kind in _INTS else type_.kind
    if isinstance(type_, ListOf) and (
        isinstance(type_.value, Enum) or (isinstance(type_.value, Scalar) and type_.value.kind in _INTS)
    ):
        return "ints"
    raise UnsupportedExpression("a column needs a number, a text or a list of numbers", expr)


def _struct_of(record: Record, name: str, expr: Expr) -> Struct:
    held = next((item for item in record.fields if item.name == name), None)
    found = record.module.find(held.type.name) if held is not None else None
    if not isinstance(found, Struct):
        raise UnsupportedExpression(f"{record.name} holds no struct {name!r}", expr)
    return found


def _descend(place: _Place, steps: list[str], expr: Expr) -> _Place:
    path, type_ = place.path, place.type
    for step in steps:
        found = next((f for f in type_.fields if f.name == step), None) if isinstance(type_, Struct) else None
        if found is None:
            raise UnsupportedExpression(f"there is no field {step!r} here", expr)
        path, type_ = (*path, step), found.type
    return _Place(place.level, path, type_)


def _steps(expr: Expr) -> list[str]:
    """Returns the names of a dotted path."""
    if isinstance(expr, Name):
        return [expr.name]
    if isinstance(expr, Member):
        return [*_steps(expr.base), expr.name]
    raise UnsupportedExpression("a path of field names is needed", expr)
