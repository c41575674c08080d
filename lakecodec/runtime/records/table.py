"""Records as data: what the compiler says of their bytes to a reader and a writer that are driven by tables.

An expression is a tuple of an operation and its operands, ``("<", "size", ("end",))``; a text names a field or a
parameter, anything else is a constant. The operations are Python's (``+``, ``//``, ``==``, ``and``, ``not``), and:

* ``("text", t)`` a text, ``("get", e, attribute)``, ``("each", e, attribute)`` of all elements, ``("item", e, i)``,
  ``("last", e)``, ``("slice", e, low, high)``, ``("if", condition, a, b)``, ``("is", a, b)``
* ``("count", e)``, ``("sum", e)``, ``("largest", e)``, ``("max", a, b)``, ``("min", a, b)``, ``("bit_length", e)``,
  ``("unique", e)``, ``("ascending", e)``, ``("is_permutation", e)``, ``("int", e)``, ``("in_range", e, low, high)``
* ``("call", function, arguments...)`` any Python function; ``("list", e, ...)``; ``("let", ((name, e), ...), body)`` a
  function of the IDL, whose body sees the names alone
* ``("bytes", start, stop)`` between two positions that were read, ``("encoded", field, ...)`` of fields that were written,
  ``("fill", byte, count)`` as many equal ones
* ``("loop", variable, "", list, condition, value)`` the values of the elements for which the condition holds;
  ``("loop", variable, accumulator, list, condition, value, initial)`` the last value, which is a number of 64 bits
* ``("index",)`` of the element that is read, ``("pos",)``; ``("begin",)`` and ``("end",)`` of the span, and ``("base",)``
* ``("captured", what, field)``, what ``FieldTable.captures`` keep; ``("every", field, e)``, whether ``e`` holds for each index
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Expr: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class FieldTable:
    """One field of a table: how it is read, written and checked.

    Attributes:
        name: its attribute.
        type: of an element: a wire type, ``record``, ``struct``, ``bits``, ``values``, or ``part``,
            bits of a number before it that its argument computes.
        big: numbers are big-endian.
        loose: numbers of varying width may have more bytes than they need.
        target: the class of a record or struct, the encoding of values, the class of a codec with fields.
        arguments: of the record, codec or encoding; the last one of an encoding is the type.
        dimension: what makes a list: ``count``, ``rest``, ``until``, ``index``; empty for a single element.
        count: how many elements, or the condition that ends the list.
        smallest: bytes that an element takes at least; None where the count is that of a list in memory.
        length: bytes of a text, numbers of bits, encoded values; None for all bytes left, or for one value.
        terminator: the bytes that end a text.
        width: bits of a packed number.
        present: the condition of the field, of each element with ``index``.
        size: bytes of the field, of each element with ``index``.
        codecs: the other codecs in the order of writing: ``(e,)`` for one whose ``Use`` is computed, or the number of a
            state of the record, the codec and its arguments.
        coded: a codec with fields reads the element.
        state: what that codec hands on: the number of a state of the record, -1 for one of the list itself, or None.
        initial: the first state of a list.
        siblings: elements of the list share the record's states.
        enum: whose members numbers become.
        derived: what the field, or an element of it, is when it is written; ``("unknown",)`` is left to the generated writer.
        keeps: what the codecs are given is kept, and written for the same value.
        captures: measures to keep: ``size``, ``raw_size``, ``start``, ``sizes``, ``starts``, ``raw_sizes``.
        checks: what must hold once the field is read, and of a record that is written.
        verifies: what must hold once the field is read alone; a name stands for a field whose value must be the derived one.
        before: what a writer makes ready before it puts the field: (``derive``, field) computes a value, (``raw``, field)
            encodes a field as it is before its codecs, (``aside``, field) encodes it. Its own value comes last.
        open: clauses that name what follows from the encoded field itself: ``present``, ``size``, ``count``, ``length``.
        given: the value is computed from the one that the caller gave.
        at: of what is placed in the source: its offset there.
    """

    name: str
    type: str
    big: bool = False
    loose: bool = False
    target: Any = None
    arguments: Sequence[Expr] = ()
    dimension: str = ""
    count: Expr = None
    smallest: int | None = None
    length: Expr = None
    terminator: bytes | None = None
    width: Expr = None
    present: Expr = None
    size: Expr = None
    codecs: Sequence[Sequence[Any]] = ()
    coded: bool = False
    state: int | None = None
    initial: Any = None
    siblings: bool = False
    enum: Any = None
    derived: Expr = None
    captures: Sequence[str] = ()
    keeps: bool = False
    checks: Sequence[Expr] = ()
    verifies: Sequence[Expr] = ()
    before: Sequence[tuple[str, str]] = ()
    open: Sequence[str] = ()
    given: bool = False
    at: Expr = None

    @property
    def form(self) -> int:
        """The way in which native code reads the bytes of a number, as in ``number_kinds.h``."""
        return self.big | self.loose << 1


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Fields that follow each other.

    Attributes:
        params: attributes of the parameters.
        defaults: of the last parameters.
        states: what siblings share: a codec's first state, or None for a codec that is made once.
        tag: the tag of an alternative that can have several.
        value: of a codec, computed from its fields.
        shape: of that value, where native readers compute it without variables: ``difference``, ``front_coded``.
        checks: what must hold at the end.
        verifies: what must hold at the end of a record that is read alone; ``write_checks`` of one that is written alone.
        generated: the generated writer alone knows how it is written.
        nests: values can contain others of their type.
        placed: records that are placed in the source; fewer than there are where the generated writer alone knows how.
        order: tells, by the parameters, whether numbers are big-endian; None where ``big`` of each field does.
    """

    steps: Sequence[FieldTable]
    params: Sequence[str] = ()
    defaults: Sequence[Any] = ()
    states: Sequence[Any] = ()
    tag: Expr = None
    value: Expr = None
    shape: str = ""
    checks: Sequence[Expr] = ()
    verifies: Sequence[Expr] = ()
    write_checks: Sequence[Expr] = ()
    generated: bool = False
    nests: bool = False
    order: Expr = None
    placed: Sequence[FieldTable] = ()


@dataclass(frozen=True, slots=True)
class VariantTable:
    """A variant.

    Attributes:
        params: of the variant, and so of its alternatives.
        defaults: of the last parameters.
        tag: what selects an alternative.
        table: alternatives by tag, where all tags are constants; else ``chain`` are expressions and alternatives.
        otherwise: the alternative for all other tags.
    """

    tag: Expr
    params: Sequence[str] = ()
    defaults: Sequence[Any] = ()
    table: Mapping[Any, Any] | None = None
    chain: Sequence[tuple[Expr, Any]] = ()
    otherwise: Any = None


Table: TypeAlias = RecordTable | VariantTable


def operations(expr: Expr) -> Iterator[tuple[Any, ...]]:
    """Yields the operations in an expression, outermost first."""
    if isinstance(expr, tuple) and expr and expr[0] != "text":
        yield expr
        for each in expr:
            yield from operations(each)


def held_by(table: Table) -> list[Any]:
    """Returns the classes that a table names."""
    if isinstance(table, VariantTable):
        others = [*(table.table or {}).values(), *(each for _, each in table.chain), table.otherwise]
        return [each for each in others if each is not None]
    return [step.target for step in table.steps if step.type == "record" or step.coded]
