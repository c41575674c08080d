"""Expressions of record tables, lowered once: nodes over numbered variables, which native readers and writers evaluate and
from which offset scans choose their instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from ..native import load
from . import functions as record_functions
from .table import Expr, FieldTable, RecordTable

_record = load("runtime.native._record")
#: The operations by number; none without the native backend, which alone runs nodes.
OPERATIONS: tuple[str, ...] = () if _record is None else _record.OPERATIONS
_NUMBERS = {name: number for number, name in enumerate(OPERATIONS)}
#: Measures of a field in the order in which rows have them.
NOTES = ("size", "raw_size", "start", "sizes", "starts", "raw_sizes")
_FUNCTIONS = {"sum": record_functions.total, "largest": record_functions.largest}


class Node(NamedTuple):
    """An operation: the tuple that the extension makes its nodes of.

    Attributes:
        operation: the index in `OPERATIONS`.
        number: of a variable, or of the first one that the node sets; of the list that ``every`` goes through.
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


def _node(word: str, *operands: Node, number: int = 0, object: Any = None) -> Node:
    return Node(_NUMBERS[word], number, object, operands)


class Variables:
    """Numbers the variables of a body: parameters, fields, measures, and what functions of the IDL and loops bind."""

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self._measures: dict[tuple[str, str], int] = {}
        self.count = len(names)

    def number(self, name: str) -> int:
        return self._numbers[name]

    def measure(self, what: str, field: str) -> int:
        """Returns the variable of a measure of a field, which is made where there is none yet."""
        found = self._measures.get((what, field))
        if found is None:
            found = self._measures[what, field] = self._new()
        return found

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
        return tuple(map(self.node, exprs))

    def node(self, expr: Expr) -> Node:
        """Returns an expression as nodes; names are numbers, and constants objects."""
        if isinstance(expr, str):
            return _node("variable", number=self._numbers[expr])
        if not isinstance(expr, tuple):
            return _node("constant", object=expr)
        match expr:
            case ("text", text):
                return _node("constant", object=text)
            case ("noted", what, field):
                return _node("variable", number=self.measure(what, field))
            case ("get" | "each" as word, base, attribute):
                return _node(word, self.node(base), object=attribute)
            case ("call", function, *arguments):
                return _node("call", *self.nodes(arguments), object=function)
            case ("every", field, condition):
                return _node("every", self.node(condition), number=self._numbers[field])
            case ("let", pairs, body):
                values = self.nodes([value for _, value in pairs])
                return self._binding("let", {}, [name for name, _ in pairs], values, [body])
            case ("loop", variable, accumulator, listed, condition, value, *initial):
                around = self.nodes([listed, *initial])
                loop = self._binding("loop", self._numbers, [variable, accumulator], (), [condition, value])
                return loop._replace(operands=(around[0], *loop.operands, *around[1:]))
        word, *operands = expr
        return _node(word, *self.nodes(operands), object=_FUNCTIONS.get(word))

    def _binding(
        self, word: str, seen: Mapping[str, int], names: Sequence[str], values: tuple[Node, ...], inside: Sequence[Expr]
    ) -> Node:
        """Returns a node that sets new variables in a row, and whose inside knows them and those ``seen``."""
        outer, first = self._numbers, self._new(len(names))
        self._numbers = {**seen, **{name: first + place for place, name in enumerate(names)}}
        try:
            return _node(word, *values, *self.nodes(inside), number=first)
        finally:
            self._numbers = outer


@dataclass(frozen=True, slots=True)
class Body:
    """A record's table with nodes for its expressions.

    Attributes:
        fields: those of the table; the steps of ``codecs`` are (number of the state or -1, codec or None, nodes).
        notes: the variables of each field's measures in the order of `NOTES`, -1 for those that are not kept.
    """

    variables: Variables
    fields: tuple[FieldTable, ...]
    notes: tuple[tuple[int, ...], ...]
    checks: tuple[Node, ...]
    tag: Node | None
    value: Node | None
    order: Node | None


def lower_body(table: RecordTable) -> Body:
    """Returns a record's table with its expressions lowered; variables are its parameters, its fields, then the others."""
    variables = Variables([*table.params, *(field.name for field in table.steps)])
    notes = tuple(
        tuple(variables.measure(name, field.name) if name in field.notes else -1 for name in NOTES)
        for field in table.steps
    )
    optional = variables.optional
    return Body(
        variables,
        tuple(map(partial(_field, variables), table.steps)),
        notes,
        variables.nodes(table.checks),
        optional(table.tag),
        optional(table.value),
        optional(table.order),
    )


def _field(variables: Variables, field: FieldTable) -> FieldTable:
    optional = variables.optional
    return replace(
        field,
        arguments=variables.nodes(field.arguments),
        count=optional(field.count),
        length=optional(field.length),
        width=optional(field.width),
        present=optional(field.present),
        size=optional(field.size),
        codecs=tuple(_codec(variables, step) for step in field.codecs),
        checks=variables.nodes(field.checks),
    )


def _codec(variables: Variables, step: Sequence[Any]) -> tuple[int, Any, tuple[Node, ...]]:
    state, declared, *arguments = (-1, None, *step) if len(step) == 1 else step
    return state, declared, variables.nodes(arguments)
