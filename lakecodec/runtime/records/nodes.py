"""Expressions of record tables, lowered once: nodes over numbered variables, which native readers and writers evaluate and
from which offset scans choose their instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..declaration import Function
from ..native import load
from . import functions as record_functions
from .table import Expr, FieldTable, RecordTable, operations

_record = load("runtime.native._record")
#: The operations by number; empty without the native backend, since only that runs nodes.
OPERATIONS: tuple[str, ...] = () if _record is None else _record.OPERATIONS
_NUMBERS = {name: number for number, name in enumerate(OPERATIONS)}
_VARIABLE, _CONSTANT = _NUMBERS.get("variable", -1), _NUMBERS.get("constant", -1)
#: Measures of a field in the order in which rows have them.
CAPTURES = ("size", "raw_size", "start", "sizes", "starts", "raw_sizes")
_NO_CAPTURES = (-1,) * len(CAPTURES)
_FUNCTIONS = {"sum": record_functions.total, "largest": record_functions.largest}

#: Functions that are operations of their own, by what they are in Python or by the extern that they name.
_OWN = {
    **{getattr(record_functions, name): name for name in (
        "contains", "position", "big_bytes", "little_bytes", "big_number", "little_number",
    )},
    **{f"runtime.texts:{name}": name for name in ("digits_of", "number_of", "padded_number", "bits_of")},
    "runtime.checksums:crossed_sums": "crossed_sums",
}  # fmt: skip


def _operation_of(function: Any) -> str:
    """Returns the operation that calls a function of Python."""
    return _OWN.get(function.target if isinstance(function, Function) else function, "call")


class Node(NamedTuple):
    """An operation: the tuple that the extension makes its nodes of.

    Attributes:
        operation: the index in `OPERATIONS`.
        number: of a variable, of the first variable that the node sets, or of the list of ``every``.
        object: a constant, the name of an attribute, or a function.
    """

    operation: int
    number: int = 0
    object: Any = None
    operands: tuple[Node, ...] = ()

    @property
    def word(self) -> str:
        return OPERATIONS[self.operation]

    @property
    def is_none(self) -> bool:
        """True for the constant None."""
        return self.word == "constant" and self.object is None


class Variables:
    """The numbering of a body's variables: parameters, fields, measures, and variables of functions and loops."""

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self._measures: dict[tuple[str, str], int] = {}
        self.count = len(names)

    def number(self, name: str) -> int:
        return self._numbers[name]

    def measure(self, what: str, field: str) -> int:
        """Returns the variable of a field's measure; makes it if needed."""
        found = self._measures.get((what, field))
        if found is None:
            found = self._measures[what, field] = self._new()
        return found

    def known_measure(self, what: str, field: str) -> int:
        """Returns the variable of a field's measure; -1 if no expression uses it."""
        return self._measures.get((what, field), -1)

    def value(self) -> int:
        """Returns the variable of the value that a codec writes."""
        self._numbers = {**self._numbers, "value": self.count}
        return self._new()

    def _new(self, count: int = 1) -> int:
        self.count += count
        return self.count - count

    def optional(self, expr: Expr) -> Node | None:
        return None if expr is None else self.node(expr)

    def nodes(self, exprs: Sequence[Expr]) -> tuple[Node, ...]:
        return tuple(map(self.node, exprs)) if exprs else ()

    def node(self, expr: Expr) -> Node:
        """Returns an expression as nodes, with numbers for names and objects for constants."""
        if isinstance(expr, str):
            return Node(_VARIABLE, self._numbers[expr])
        if not isinstance(expr, tuple):
            return Node(_CONSTANT, 0, expr)
        word, *operands = expr
        match word:
            case "text":
                return Node(_CONSTANT, 0, operands[0])
            case "captured":
                return Node(_VARIABLE, self.measure(*operands))
            case "get" | "each":
                return Node(_NUMBERS[word], 0, operands[1], (self.node(operands[0]),))
            case "call":
                return Node(_NUMBERS[_operation_of(operands[0])], 0, operands[0], self.nodes(operands[1:]))
            case "placed_offset" | "placed_size":
                return Node(_NUMBERS[word], self._numbers[operands[0]], None, self.nodes(operands[1:]))
            case "all_but":
                return Node(_NUMBERS[word], 0, tuple(operands))
            case "encoded":
                # Parts of numbers in between are steps, too.
                first, last = self._numbers[operands[0]], self._numbers[operands[-1]]
                return Node(_NUMBERS[word], first, last - first + 1)
            case "every":
                return Node(_NUMBERS[word], self._numbers[operands[0]], None, (self.node(operands[1]),))
            case "let":
                pairs, body = operands
                values = self.nodes([value for _, value in pairs])
                return self._binding("let", {}, [name for name, _ in pairs], values, [body])
            case "loop":
                variable, accumulator, listed, condition, value, *initial = operands
                around = self.nodes([listed, *initial])
                loop = self._binding("loop", self._numbers, [variable, accumulator], (), [condition, value])
                return loop._replace(operands=(around[0], *loop.operands, *around[1:]))
        return Node(_NUMBERS[word], 0, _FUNCTIONS.get(word), self.nodes(operands))

    def _binding(
        self, word: str, seen: Mapping[str, int], names: Sequence[str], values: tuple[Node, ...], inside: Sequence[Expr]
    ) -> Node:
        """Returns a node that sets consecutive new variables; its inside sees them and ``seen``."""
        outer, first = self._numbers, self._new(len(names))
        self._numbers = {**seen, **{name: first + place for place, name in enumerate(names)}}
        try:
            return Node(_NUMBERS[word], first, None, (*values, *self.nodes(inside)))
        finally:
            self._numbers = outer


class LoweredField(NamedTuple):
    """A field of a table with nodes for its expressions.

    Attributes:
        table: the field's other clauses.
        elements: the node of the ``count``.
        codecs: the steps of ``codecs`` as (number of the state or -1, codec or None, nodes).
        captures: the variables of its measures in the order of `CAPTURES`; -1 for measures that are not kept.
    """

    table: FieldTable
    arguments: tuple[Node, ...]
    elements: Node | None
    length: Node | None
    width: Node | None
    present: Node | None
    size: Node | None
    codecs: tuple[tuple[int, Any, tuple[Node, ...]], ...]
    checks: tuple[Node, ...]
    captures: tuple[int, ...]


class Body(NamedTuple):
    """A record's table with nodes for its expressions."""

    variables: Variables
    fields: tuple[LoweredField, ...]
    checks: tuple[Node, ...]
    tag: Node | None
    value: Node | None
    order: Node | None
    placed: tuple[LoweredField, ...]


def lower_body(table: RecordTable) -> Body:
    """Returns a record's table with lowered expressions; variables are its parameters, its fields, then the others."""
    variables = Variables([*table.params, *(field.name for field in (*table.steps, *table.placed))])
    captures = [_captures(variables, field) if field.captures else _NO_CAPTURES for field in table.steps]
    optional = variables.optional
    return Body(
        variables,
        tuple(_field(variables, field, kept, table.steps) for field, kept in zip(table.steps, captures, strict=True)),
        variables.nodes((*table.verifies, *table.checks)),
        optional(table.tag),
        optional(table.value),
        optional(table.order),
        tuple([_field(variables, field, _NO_CAPTURES, table.steps) for field in table.placed]),
    )


def _captures(variables: Variables, field: FieldTable) -> tuple[int, ...]:
    return tuple(variables.measure(name, field.name) if name in field.captures else -1 for name in CAPTURES)


def _field(
    variables: Variables, field: FieldTable, captures: tuple[int, ...], fields: Sequence[FieldTable]
) -> LoweredField:
    optional = variables.optional
    verified = [_verified(each, fields) if isinstance(each, str) else each for each in field.verifies]
    return LoweredField(
        field,
        variables.nodes(field.arguments),
        optional(field.count),
        optional(field.length),
        optional(field.width),
        optional(field.present),
        optional(field.size),
        tuple([_codec(variables, step) for step in field.codecs]),
        variables.nodes((*verified, *field.checks)),
        captures,
    )


def _verified(name: str, fields: Sequence[FieldTable]) -> Expr:
    """Returns the condition under which a field that was read has the value that would be written."""
    field = next(each for each in fields if each.name == name)
    is_each = field.dimension == "index" or ("index",) in operations(field.derived)
    value: Expr = ("item", name, ("index",)) if is_each else name
    same: Expr = ("==", value, field.derived)
    same = same if field.present is None else ("or", ("is", value, None), same)
    return ("every", name, same) if is_each else same


def _codec(variables: Variables, step: Sequence[Any]) -> tuple[int, Any, tuple[Node, ...]]:
    state, declared, *arguments = (-1, None, *step) if len(step) == 1 else step
    return state, declared, variables.nodes(arguments)
