"""Tables as layouts: over structs, whose bytes are decoded straight to columns, and over records, which are read as objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..column_types import arrow_name
from ..infer import Inference
from ..model import Enum, ListOf, Module, Record, Scalar, Struct, Table, Type
from ..paths import ANYTHING, INTEGER, Target, element, of_type
from ..syntax import Binary, Call, Compare, Expr, Literal_, Member, Name, TableColumn, Ternary, Unary
from . import nodes
from .expressions import UnsupportedExpression
from .nodes import Node
from .scopes import TableScope

_WORDS = {"true": True, "false": False, "null": None}
_INTS = ("i8", "i16", "i32", "i64")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value read for each struct of a level by columnar decoding: the path of fields to it, and its kind."""

    level: int
    path: tuple[str, ...]
    kind: str
    separator: str = ""


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """A column: its name, Arrow type and doc, and its value; over structs, ``leaves`` are the numbers of those it needs."""

    name: str
    arrow: str
    doc: str
    value: Node
    leaves: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StructTableLayout:
    """A table whose first loop starts at a struct; ``levels`` are the paths of the lists, each from the one before it."""

    table: Table
    root: Struct
    levels: tuple[tuple[str, ...], ...]
    leaves: tuple[Leaf, ...]
    columns: tuple[ColumnLayout, ...]


@dataclass(frozen=True, slots=True)
class LoopLayout:
    """A loop over the elements of a list; ``bound`` are the variables of the loops around it."""

    variable: str
    index: str | None
    iterable: Node
    bound: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectTableLayout:
    """A table over objects; ``bound`` are the variables of all loops."""

    table: Table
    record: Record | Struct
    loops: tuple[LoopLayout, ...]
    columns: tuple[ColumnLayout, ...]
    bound: tuple[str, ...]


def lower_table(table: Table) -> StructTableLayout | ObjectTableLayout:
    """Returns the layout of a table.

    Raises:
        UnsupportedExpression: the table cannot be compiled; it has the place.
    """
    return _StructTable(table).layout() if _reads_structs(table) else lower_object_table(table)


def _reads_structs(table: Table) -> bool:
    """Returns whether the table's first loop starts at a struct."""
    if isinstance(table.source, Struct) or not table.loops:
        return isinstance(table.source, Struct) and not table.source.is_protobuf
    first = next((f for f in table.source.fields if f.name == _steps(table.loops[0].iterable)[0]), None)
    return first is not None and isinstance(first.target, Struct)


def lower_object_table(table: Table) -> ObjectTableLayout:
    """Returns the layout of a table whose rows are made of objects.

    Raises:
        UnsupportedExpression: an expression means nothing in tables.
    """
    scope = TableScope(table.source, table.module)
    loops: list[LoopLayout] = []
    for loop in table.loops:
        inside = element(scope.kind(loop.iterable)) or Target()
        loops.append(LoopLayout(loop.variable, loop.index, scope.lower(loop.iterable), tuple(scope.variables)))
        if loop.index is not None:
            scope.bind(loop.index, INTEGER)
        scope.bind(loop.variable, inside)
    columns = tuple(_object_column(column, scope) for column in table.columns)
    return ObjectTableLayout(table, table.source, tuple(loops), columns, tuple(scope.variables))


def _arrow(column: TableColumn) -> str:
    if (found := arrow_name(column.type_name)) is None:
        raise UnsupportedExpression(f"{column.type_name!r} is not a column type", column.expression)
    return found


def _object_column(column: TableColumn, scope: TableScope) -> ColumnLayout:
    value = scope.lower(column.expression)
    if column.type_name == "bool" and scope.kind(column.expression).kind != "bool":
        value = nodes.Truth(value)
    return ColumnLayout(column.name, _arrow(column), column.doc, value)


@dataclass(frozen=True, slots=True)
class _Place:
    """A struct reached by a name: its level and the path from the level's struct."""

    level: int
    path: tuple[str, ...]
    type: Type


class _StructTable:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._places: dict[str, _Place] = {}
        self._ordinals: dict[str, int] = {}
        self._leaves: list[Leaf] = []
        self._used: set[int] = set()
        self._inference = Inference(table.module)

    def layout(self) -> StructTableLayout:
        table = self._table
        if not table.loops:
            raise UnsupportedExpression("a table of a struct needs a loop: for x in y", table.location)
        levels = self._levels()
        root = self._places[""].type
        assert isinstance(root, Struct)
        columns = tuple(map(self._column, table.columns))
        return StructTableLayout(table, root, levels, tuple(self._leaves), columns)

    def _levels(self) -> tuple[tuple[str, ...], ...]:
        levels: list[tuple[str, ...]] = []
        for number, loop in enumerate(self._table.loops):
            place = self._root_place(loop.iterable) if number == 0 else self._place(loop.iterable)
            if place.level != number:
                raise UnsupportedExpression("each loop must continue where the one before it ends", loop.iterable)
            if not isinstance(place.type, ListOf) or not isinstance(place.type.value, Struct):
                raise UnsupportedExpression("a loop needs a list of structs", loop.iterable)
            levels.append(place.path)
            self._places[loop.variable] = _Place(number + 1, (), place.type.value)
            if loop.index is not None:
                self._ordinals[loop.index] = number + 1
        return tuple(levels)

    def _root_place(self, iterable: Expr) -> _Place:
        """Returns the place of the first loop, which starts at a struct that the source holds, or is."""
        source = self._table.source
        steps = _steps(iterable)
        if isinstance(source, Struct):
            self._places[""] = _Place(0, (), source)
        else:
            self._places[""] = _Place(0, (), _struct_of(source, steps.pop(0), iterable))
        for step in source.fields if isinstance(source, Record) else ():
            if isinstance(found := step.target, Struct):
                self._places[step.name] = _Place(0, (), found)
        return _descend(self._places[""], steps, iterable)

    def _place(self, expr: Expr) -> _Place:
        steps = _steps(expr)
        if steps[0] not in self._places:
            raise UnsupportedExpression(f"{steps[0]!r} is not a loop variable of the table", expr)
        return _descend(self._places[steps[0]], steps[1:], expr)

    def _column(self, column: TableColumn) -> ColumnLayout:
        self._used = set()
        value = self._lower(column.expression)
        return ColumnLayout(column.name, _arrow(column), column.doc, value, tuple(sorted(self._used)))

    def _lower(self, expr: Expr, wanted: Target = ANYTHING) -> Node:
        lower = self._lower
        match expr:
            case Literal_():
                return nodes.Constant(expr.value)
            case Name() if expr.name in self._ordinals:
                return nodes.Ordinal(self._ordinals[expr.name])
            case Name() if expr.name not in self._places:
                return nodes.Constant(self._constant(expr, wanted))
            case Member() if self._names_definition(expr):
                return nodes.Constant(self._constant(expr, wanted))
            case Name() | Member():
                return self._leaf(expr)
            case Ternary():
                return nodes.Conditional(lower(expr.condition), lower(expr.then), lower(expr.otherwise))
            case Binary():
                return nodes.Arithmetic(expr.operator, lower(expr.left), lower(expr.right))
            case Unary():
                return (nodes.Not if expr.operator == "not" else nodes.Negative)(lower(expr.operand))
            case Compare(operators=("==" | "!=" as sign,), operands=(left, right)) if _is_null(left) or _is_null(right):
                found = nodes.Builtin("present", (lower(left if _is_null(right) else right),))
                return nodes.Not(found) if sign == "==" else found
            case Compare() if len(expr.operators) == 1:
                kinds = [self._kind(each) for each in expr.operands]
                enum = next((kind for kind in kinds if kind.kind == "enum"), ANYTHING)
                return nodes.Comparison(tuple(expr.operators), tuple(lower(each, enum) for each in expr.operands))
            case Call(function=Name(name=function)):
                return self._call(function, expr.arguments, expr)
        raise UnsupportedExpression("tables cannot compute this", expr)

    def _kind(self, expr: Expr) -> Target:
        """Returns the kind of a path of fields; nothing is known of other expressions."""
        if not isinstance(expr, Name | Member) or _steps(expr)[0] not in self._places:
            return ANYTHING
        return of_type(self._place(expr).type)

    def _names_definition(self, expr: Member) -> bool:
        """Returns whether a path leads to a member of an enum or a constant, not to a field."""
        return _steps(expr)[0] not in {*self._places, *self._ordinals}

    def _constant(self, expr: Name | Member, wanted: Target) -> Any:
        """Returns the value of a constant, or the number of an enum's member."""
        if isinstance(expr, Name):
            if expr.name in _WORDS:
                return _WORDS[expr.name]
            if (constant := self._table.module.constant(expr.name)) is not None:
                return constant.value
            if (pair := self._inference.enum_member(expr.name, wanted)) is not None:
                return pair[1].number
        else:
            holder = self._inference.check(expr.base, {}).holder
            if isinstance(holder, Enum):
                return next(each.number for each in holder.members if each.name == expr.name)
            if isinstance(holder, Module) and (constant := holder.constant(expr.name)) is not None:
                return constant.value
        raise UnsupportedExpression(f"{_steps(expr)[0]!r} is not a loop variable of the table", expr)

    def _call(self, function: str, arguments: Sequence[Expr], expr: Expr) -> Node:
        if function == "source" and not arguments:
            return nodes.Ordinal(0)
        if function == "present" and len(arguments) == 1:
            return nodes.Builtin(function, (self._lower(arguments[0]),))
        if function == "join" and len(arguments) == 2 and isinstance(separator := arguments[1], Literal_):
            place = self._place(arguments[0])
            if place.type != ListOf(Scalar("string")) or not isinstance(separator.value, str):
                raise UnsupportedExpression("join() takes a list<string> and a text", expr)
            return self._read(Leaf(place.level, place.path, "join", separator.value))
        if function == "name_of" and len(arguments) == 1:
            type_ = self._place(arguments[0]).type
            member = type_.value if isinstance(type_, ListOf) else type_
            if not isinstance(member, Enum):
                raise UnsupportedExpression("name_of() takes an enum, or a list of them", expr)
            return nodes.MemberNames(self._leaf(arguments[0]), member)
        raise UnsupportedExpression(f"{function!r} is not a function that tables know", expr)

    def _leaf(self, expr: Expr) -> Node:
        place = self._place(expr)
        return self._read(Leaf(place.level, place.path, _leaf_kind(place.type, expr)))

    def _read(self, leaf: Leaf) -> Node:
        if leaf not in self._leaves:
            self._leaves.append(leaf)
        number = self._leaves.index(leaf)
        self._used.add(number)
        return nodes.LeafValue(number)


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Name) and expr.name == "null"


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
    found = held.target if held is not None else None
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
