"""Nodes of lowered expressions: all names are resolved, and each node has its kind and its location.

Printers and tables are made from nodes alone; none of them looks at the syntax again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, TypeAlias

from ..diagnostics import Location
from ..model import Enum, Extension, Module
from ..paths import ANYTHING, Target

Value: TypeAlias = "bool | int | float | str | bytes | None"


@dataclass(frozen=True, slots=True)
class Node:
    """An expression.

    Attributes:
        kind: kind of its value.
        location: location of its text in the IDL; None for nodes that the compiler adds.
    """

    kind: Target = field(default=ANYTHING, kw_only=True)
    location: Location | None = field(default=None, kw_only=True, compare=False, repr=False)


# ---- leaves ----


@dataclass(frozen=True, slots=True)
class Constant(Node):
    value: Value


@dataclass(frozen=True, slots=True)
class Global(Node):
    """A name that a generated module defines: a constant, a member of an enum (its class and its name), a function."""

    module: Module = field(repr=False)
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldValue(Node):
    """A field of the body that the expression belongs to."""

    field: str
    attribute: str
    slot: str


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A parameter of the body: an attribute of its values, an argument of its methods."""

    attribute: str
    argument: str


@dataclass(frozen=True, slots=True)
class CodecValue(Node):
    """The value of a codec with fields."""


@dataclass(frozen=True, slots=True)
class ElementIndex(Node):
    """The index of the element that is read or written: `i` of `[i < n]`."""


@dataclass(frozen=True, slots=True)
class SpanWord(Node):
    """`end`, `rest` or `at_end` of the span around the expression."""

    word: str


@dataclass(frozen=True, slots=True)
class Peek(SpanWord):
    """`peek(n)`: the next bytes of the span, without moving the position."""

    count: int


@dataclass(frozen=True, slots=True)
class Ahead(SpanWord):
    """`ahead(mark)`: the bytes before the next mark in the span, -1 without one."""

    mark: bytes


@dataclass(frozen=True, slots=True)
class Measure(Node):
    """`size`, `raw_size` or `offset` of a field, or of its element ``index``, in bytes."""

    function: Literal["size", "raw_size", "offset"]
    field: str
    attribute: str
    index: Node | None
    #: The constant value, if known: the field's fixed size (`size`) or the fixed size of its body before it (`offset`).
    fixed: int | None = None
    before: int | None = None

    @property
    def capture(self) -> str:
        """The measure to keep while the field is read or written: its function, with ``[]`` for elements."""
        return self.function if self.index is None else f"{self.function}[]"

    @property
    def is_encoded(self) -> bool:
        """True for measures that are known only once the field is encoded: varying sizes, offsets of elements."""
        return self.fixed is None and (self.function != "offset" or self.index is not None)


@dataclass(frozen=True, slots=True)
class PlacedMeasure(Node):
    """`size` or `offset` of a field that is placed with `at`, or of its element ``index``, in bytes."""

    function: Literal["size", "offset"]
    field: str
    attribute: str
    index: Node | None


@dataclass(frozen=True, slots=True)
class Encoded(Node):
    """The bytes of fields that follow each other.

    Attributes:
        fields: their names; ``attributes`` those of the Python object.
        fixed: bytes of the last one; None where that varies.
    """

    fields: tuple[str, ...]
    attributes: tuple[str, ...]
    fixed: int | None


@dataclass(frozen=True, slots=True)
class AllBut(Node):
    """The bytes of a record as they are laid out, places included, without some ``ranges``: (offset in the record, size)."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Padding(Node):
    """The number of bytes up to the next multiple of a number, from where a field begins in the source."""

    multiple: Node


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A name that the expression's function, lambda or loop binds."""

    name: str


@dataclass(frozen=True, slots=True)
class Width(Node):
    """Bytes of the column's values of fixed width, in an encoding."""


@dataclass(frozen=True, slots=True)
class Declared(Node):
    """A codec, encoding or function that is named without being called."""

    extension: Extension = field(repr=False)


@dataclass(frozen=True, slots=True)
class LeafValue(Node):
    """The values of a leaf, by its number in the table over structs."""

    number: int


@dataclass(frozen=True, slots=True)
class Ordinal(Node):
    """The numbers of a level's elements in a table over structs; of level 0, those of its sources."""

    level: int


# ---- operations ----


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    base: Node
    name: str


@dataclass(frozen=True, slots=True)
class Attributes(Node):
    """An attribute of each element of a list."""

    base: Node
    name: str


@dataclass(frozen=True, slots=True)
class Item(Node):
    """An element; ``checked`` if the index can be negative or come from a file."""

    base: Node
    index: Node
    checked: bool


@dataclass(frozen=True, slots=True)
class Last(Node):
    base: Node


@dataclass(frozen=True, slots=True)
class Slice(Node):
    base: Node
    low: Node | None
    high: Node | None


@dataclass(frozen=True, slots=True)
class Negative(Node):
    operand: Node


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Node


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """An operator of Python; ``<<`` shifts by a constant, other shifts are the function ``shift_left``."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Logical(Node):
    """`and` or `or` of two operands or more."""

    word: Literal["and", "or"]
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """A chain of comparisons: one operator between two neighbours; `null` is compared with ``is`` and ``is not``."""

    operators: tuple[str, ...]
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    condition: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True, slots=True)
class Count(Node):
    """Elements of a list or of encoded values, bytes of bytes or of a text in UTF-8."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Encode(Node):
    """A text as its bytes in UTF-8."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Int(Node):
    """A truth as 0 or 1."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """Any value as a truth."""

    operand: Node


@dataclass(frozen=True, slots=True)
class MemberOf(Node):
    """A number as the member of an enum that has it; without one, it stays a number."""

    operand: Node
    enum: Enum = field(repr=False)


@dataclass(frozen=True, slots=True)
class MemberNames(Node):
    """Numbers, or lists of them, as the names of an enum's members."""

    operand: Node
    enum: Enum = field(repr=False)


@dataclass(frozen=True, slots=True)
class InRange(Node):
    """An integer that must fit its type."""

    operand: Node
    bits: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Fill(Node):
    """Bytes of one repeated value, as many as a dimension says."""

    byte: Node
    count: Node


@dataclass(frozen=True, slots=True)
class Builtin(Node):
    """A function of the language: `sum`, `max`, `unique` and so on, by its name in the runtime or in Python."""

    name: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall(Node):
    """A call of a function, codec or encoding of the IDL."""

    function: Extension = field(repr=False)
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """A loop over the elements of a list for which a condition is true: a list of values, or a fold.

    Attributes:
        variable: of the element.
        value: what the element gives: an item of the list that the loop is; the next ``accumulator`` of a fold.
        initial: the first value of the accumulator; None for a loop that is a list.
    """

    variable: str
    base: Node
    condition: Node | None
    value: Node
    accumulator: str = ""
    initial: Node | None = None


@dataclass(frozen=True, slots=True)
class Identity(Node):
    """The codec that changes nothing."""


@cache
def _attributes(cls: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name not in ("kind", "location"))


def children(node: Node) -> Iterator[Node]:
    """Yields the nodes that a node is made of."""
    cls: Any = type(node)
    for name in _attributes(cls):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def undone(counted: Node, derived: Node) -> tuple[Node, Node]:
    """Returns the rest of an expression and of its derivation, without numbers that one adds and the other takes away: of
    `n - 2` and `count(x) + 2` these are `n` and `count(x)`.
    """
    match counted, derived:
        case Arithmetic(left=left, right=Constant(value=int(number))), Arithmetic(
            left=value, right=Constant(value=int(other))
        ):
            if number == other and {counted.operator, derived.operator} == {"+", "-"}:
                return undone(left, value)
    return counted, derived


def walk(node: Node) -> Iterator[Node]:
    """Yields the node and everything in it, outermost first."""
    pending = [node]
    while pending:
        yield (found := pending.pop())
        pending += [*children(found)][::-1]


def replaced(node: Node, other: Callable[[Node], Node | None]) -> Node:
    """Returns an expression in which nodes are replaced by the results of ``other``."""

    def changed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(changed, value))
        return replaced(value, other) if isinstance(value, Node) else value

    found = other(node)
    if found is not None:
        return found
    cls: Any = type(node)
    return replace(node, **{name: changed(getattr(node, name)) for name in _attributes(cls)})


def path_of(node: Node | None) -> tuple[str | None, ...]:
    """Returns the path from a field to a value: attributes, and None for elements; empty for another node."""
    path: list[str | None] = []
    while isinstance(node, Attribute | Attributes | Item):
        path[:0] = [None, node.name] if isinstance(node, Attributes) else [getattr(node, "name", None)]
        node = node.base
    return (node.attribute, *path) if isinstance(node, FieldValue) else ()


def field_names(node: Node) -> Iterator[str]:
    """Returns the fields of its own body that an expression names, measured ones too."""
    return (part.field for part in walk(node) if isinstance(part, FieldValue | Measure))


def measures(node: Node) -> Iterator[Measure]:
    return (part for part in walk(node) if isinstance(part, Measure))


def span_words(node: Node) -> set[str]:
    """Returns the words about the span around it that an expression uses: `end`, `rest`, `at_end`, `peek`."""
    return {part.word for part in walk(node) if isinstance(part, SpanWord)}


def names_index(node: Node) -> bool:
    """Returns whether an expression is about one element of its field."""
    return any(isinstance(part, ElementIndex) for part in walk(node))


def is_zero(node: Node) -> Comparison:
    return Comparison(("==",), (node, Constant(0)))


def is_null(node: Node) -> Comparison:
    return Comparison(("is",), (node, Constant(None)))


def measures_placed(node: Node, name: str) -> bool:
    """Returns whether an expression measures a field that is placed with `at`, or an element of it."""
    return any(part.field == name for part in placed_measures(node))


def placed_measures(node: Node) -> Iterator[PlacedMeasure]:
    return (part for part in walk(node) if isinstance(part, PlacedMeasure))


def is_given(node: Node) -> Comparison:
    return Comparison(("is not",), (node, Constant(None)))
