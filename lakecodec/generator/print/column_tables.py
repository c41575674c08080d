"""Tables as Python: levels, leaves and columns over structs; loops and columns over records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..lower import nodes
from ..lower.nodes import Node
from ..lower.tables import ColumnLayout, Leaf, LoopLayout, ObjectTableLayout, StructTableLayout
from ..model import Enum
from ..names import field_name, free_name, quoted
from .expressions import ExpressionPrinter, Printed
from .hints import class_of
from .text import call, docstring, tupled, wrap
from .types import class_expression


@dataclass(frozen=True, slots=True)
class StructTableText:
    name: str
    doc: list[str]
    #: The class of the root.
    root: str
    levels: list[str]
    leaves: list[str]
    columns: list[list[str]]


@dataclass(frozen=True, slots=True)
class ObjectTableText:
    name: str
    doc: list[str]
    #: The class of the source.
    record: str
    loops: list[str]
    columns: list[list[str]]


def print_struct_table(layout: StructTableLayout) -> StructTableText:
    """Returns the text of a table over structs."""
    table = layout.table
    return StructTableText(
        name=table.name,
        doc=docstring(table.doc or f"{table.name}."),
        root=class_expression(layout.root, table.module),
        levels=[tupled(map(quoted, level)) for level in layout.levels],
        leaves=[_leaf(each) for each in layout.leaves],
        columns=[_struct_column(each, layout) for each in layout.columns],
    )


def _leaf(leaf: Leaf) -> str:
    arguments = [str(leaf.level), tupled(map(quoted, leaf.path)), quoted(leaf.kind)]
    return call("_Leaf", *arguments, *([quoted(leaf.separator)] if leaf.separator else [])) + ","


def _struct_column(column: ColumnLayout, layout: StructTableLayout) -> list[str]:
    value = f"lambda c: {column_value(column.value, layout)}"
    return _column("_table.TableColumn", column, tupled(map(str, column.leaves)), value)


def column_value(node: Node, layout: StructTableLayout) -> str:
    """Returns the call that computes a column of a table over structs."""
    match node:
        case nodes.Constant(value=value):
            return f"c.literal({quoted(value) if isinstance(value, str | bytes) else repr(value)})"
        case nodes.LeafValue(number=number):
            return f"c.leaf({number})"
        case nodes.Ordinal(level=level):
            return f"c.ordinal({level})"
        case nodes.MemberNames(operand=operand, enum=enum):
            return f"c.names({column_value(operand, layout)}, {class_expression(enum, layout.table.module)})"
        case nodes.Conditional():
            function, head = "choose", []
        case nodes.Arithmetic(operator=operator) | nodes.Comparison(operators=(operator,)):
            function, head = "binary", [quoted(operator)]
        case nodes.Not() | nodes.Negative():
            function, head = "unary", ['"not"' if isinstance(node, nodes.Not) else '"-"']
        case nodes.Builtin(name=name):
            function, head = name, []
        case _:
            raise AssertionError(node)
    return call(f"c.{function}", *head, *(column_value(each, layout) for each in nodes.children(node)))


class TablePrinter(ExpressionPrinter):
    """Prints values of rows, whose parts may be absent: null is as in SQL, as it is in columns."""

    def show(self, node: Node) -> Printed:
        match node := self.spelled(node):
            case nodes.Logical(word=word, operands=operands):
                return self._null_call("either" if word == "or" else "both", *map(self._later, operands))
            case nodes.Not(operand=operand):
                return self._null_call("opposite", self.text(operand))
            case nodes.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._null_call("chosen", self.text(condition), self._later(then), self._later(otherwise))
            case nodes.Item(base=base, index=index):
                return self._null_call("item", self.text(base), self.text(index))
            case nodes.Comparison(operators=(_, _, *_), operands=operands):
                signs = zip(node.operators, pairwise(operands), strict=True)
                return self.show(nodes.Logical("and", tuple(nodes.Comparison((sign,), pair) for sign, pair in signs)))
            case nodes.Comparison(operators=("==" | "!=" | "is" | "is not" as sign,), operands=(left, right)):
                for value, other in ((left, right), (right, left)):
                    if is_null(other):
                        return self._null_call("absent" if sign in ("==", "is") else "present", self._later(value))
                return self._null_call("equal" if sign == "==" else "unequal", self.text(left), self.text(right))
        return super().show(node)

    def _null_call(self, function: str, *operands: str) -> Printed:
        return Printed(call(f"{self.runtime('_objects')}.{function}", *operands))

    def _later(self, node: Node) -> str:
        return f"lambda: {self.text(node)}"


def is_null(node: Node) -> bool:
    """Returns whether a node is the word `null`."""
    return isinstance(node, nodes.Constant) and node.value is None


def print_object_table(layout: ObjectTableLayout, imports: set[str]) -> ObjectTableText:
    """Returns the text of a table over a record."""
    table = layout.table
    printer = TablePrinter(table.module, imports)
    loops = [_loop(each, printer) for each in layout.loops]
    return ObjectTableText(
        name=table.name,
        doc=docstring(table.doc or f"{table.name}."),
        record=class_of(layout.record, table.module),
        loops=wrap(f"loops={tupled(loops)},", 4, fill=False),
        columns=[_object_column(each, layout, printer) for each in layout.columns],
    )


def _object_column(column: ColumnLayout, layout: ObjectTableLayout, printer: ExpressionPrinter) -> list[str]:
    node, enum = named(column.value)
    names = [] if enum is None else [f"names={class_expression(enum, layout.table.module)}"]
    return _column("_objects.ObjectColumn", column, object_value(node, layout.bound, printer), options=names)


def named(node: Node) -> tuple[Node, Enum | None]:
    """Returns the value whose enum member names a column has, and the enum; for other columns the node and None."""
    match node:
        case nodes.Builtin(name="name_of", operands=(operand,)):
            enum = operand.kind.holder
            if isinstance(enum, Enum) and not operand.kind.lists and _path(operand) is not None:
                return operand, enum
    return node, None


def _loop(loop: LoopLayout, printer: ExpressionPrinter) -> str:
    arguments = [quoted(field_name(loop.variable)), object_value(loop.iterable, loop.bound, printer)]
    if loop.index is not None:
        arguments.append(quoted(field_name(loop.index)))
    return call("_objects.Loop", *arguments)


def object_value(node: Node, bound: tuple[str, ...], printer: ExpressionPrinter) -> str:
    """Returns the chain of attributes to a value as text, or a function of the source and the loop variables."""
    if (path := _path(node)) is not None:
        return quoted(".".join(path))
    names = [free_name(printer.module, each) for each in ("source", *map(field_name, bound))]
    return f"lambda {', '.join(names)}: {printer.text(node)}"


def _path(node: Node) -> list[str] | None:
    """Returns the names of a chain of attributes that begins with a variable; None for anything else."""
    match node:
        case nodes.Variable(name=name):
            return [name]
        case nodes.Attribute(base=base, name=name):
            holder = _path(base)
            return None if holder is None else [*holder, name]
    return None


def _column(function: str, column: ColumnLayout, *values: str, options: Sequence[str] = ()) -> list[str]:
    doc = [quoted(column.doc)] if column.doc else []
    arguments = [quoted(column.name), quoted(column.arrow), *values, *doc, *options]
    return wrap(call(function, *arguments) + ",", 8, fill=False)
