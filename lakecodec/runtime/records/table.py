"""Records as data: the compiler's description of their bytes for readers and writers driven by tables.

An expression is a tuple of an operation and its operands, ``("<", "size", ("end",))``; a text names a field or a
parameter, anything else is a constant. The operations are Python's (``+``, ``//``, ``==``, ``and``, ``not``), and:

* ``("text", t)`` a text, ``("get", e, attribute)``, ``("each", e, attribute)`` of all elements, ``("item", e, i)``,
  ``("last", e)``, ``("slice", e, low, high)``, ``("if", condition, a, b)``, ``("is", a, b)``
* ``("count", e)``, ``("sum", e)``, ``("largest", e)``, ``("max", a, b)``, ``("min", a, b)``, ``("bit_length", e)``,
  ``("unique", e)``, ``("ascending", e)``, ``("is_permutation", e)``, ``("int", e)``, ``("in_range", e, low, high)``
* ``("call", function, arguments...)`` any Python function; ``("list", e, ...)``; ``("let", ((name, e), ...), body)`` a
  function of the IDL, whose body sees the names alone
* ``("bytes", start, stop)`` between two positions that were read, ``("encoded", field, ...)`` of fields that were written,
  ``("fill", byte, count)`` a repeated byte, ``("all_but", offset, size, ...)`` of the whole record without some ranges
* ``("placed_offset", field)``, ``("placed_size", field, index)`` of a field with a place, for writers that lay the record out
* ``("loop", variable, "", list, condition, value)`` the values of the elements for which the condition is true;
  ``("loop", variable, accumulator, list, condition, value, initial)`` the last value, which is a number of 64 bits
* ``("index",)`` of the element that is read, ``("pos",)``; ``("begin",)`` and ``("end",)`` of the span, and ``("base",)``
* ``("captured", what, field)`` a measure in ``FieldTable.captures``; ``("every", field, e)`` whether ``e`` is true for
each index
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
        name: its attribute's name.
        type: of an element: a wire type, ``record``, ``struct``, ``bits``, ``values``, or ``part``,
            bits of a number before it that its argument computes.
        big: whether numbers are big-endian.
        loose: whether numbers of varying width may have superfluous bytes.
        exact: whether the bits behind packed numbers must be 0.
        target: the class of a record or struct, the encoding of values, the class of a codec with fields.
        arguments: of the record, codec or encoding; the last one of an encoding is the type.
        dimension: the kind of list: ``count``, ``rest``, ``until`` or ``index``; empty for a single element.
        count: the number of elements, or the condition that ends the list.
        smallest: the least size of an element in bytes; None if the count is that of a list in memory.
        length: number of bytes of a text, of packed numbers, or of encoded values; None for all bytes left or one
            value.
        terminator: the bytes that end a text.
        width: bits of a packed number.
        present: the condition of the field, of each element with ``index``.
        size: bytes of the field, of each element with ``index``.
        codecs: the other codecs in the order of writing: ``(e,)`` for one whose ``Use`` is computed, or the number of a
            state of the record, the codec and its arguments.
        coded: whether a codec with fields reads the element.
        state: where that codec's state is kept: the number of a state of the record, -1 for the list's own, or None.
        initial: the first state of a list.
        siblings: whether elements of the list share the record's states.
        enum: the enum whose members numbers become.
        derived: the written value of the field or of an element; ``("unknown",)`` if only the generated writer can
            compute it.
        keeps: whether the codecs' input is kept and written again for the same value.
        captures: measures to keep: ``size``, ``raw_size``, ``start``, ``sizes``, ``starts``, ``raw_sizes``.
        checks: conditions that are checked once the field is read, and of a record that is written.
        verifies: conditions that are checked only when the field is read; a name stands for a field with the derived
            value.
        before: what a writer prepares before it appends the field: (``derive``, field) computes a value, (``raw``,
            field) encodes a field without its codecs, (``aside``, field) encodes it. The field's own value comes last.
        open: clauses whose values follow from the encoded field itself: ``present``, ``size``, ``count``, ``length``.
        given: whether the value is computed from the caller's.
        at: the offset of a field that has a place of its own, in the record or the source.
        align: the number of which that offset is a multiple.
        sets: (path of attributes, value) of what is computed inside of a placed record when it is written; ``[]`` in a path
            stands for each element of a list.
    """

    name: str
    type: str
    big: bool = False
    loose: bool = False
    exact: bool = False
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
    align: Expr = None
    sets: Sequence[tuple[Sequence[str], Expr]] = ()

    @property
    def form(self) -> int:
        """The kind of number for native code, as in ``number_kinds.h``."""
        return self.big | self.loose << 1 | self.exact << 2


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Fields that follow each other.

    Attributes:
        params: attributes of the parameters.
        defaults: default values of the last parameters.
        states: the states that siblings share: a codec's first state, or None for a codec that is made once.
        tag: the tag of an alternative that can have several.
        value: the expression of a codec's value over its fields.
        shape: the form of that value if native readers compute it without variables: ``difference``, ``front_coded``.
        checks: conditions at the end.
        verifies: conditions at the end of reading only; ``write_checks`` are those at the end of writing only.
        generated: whether only the generated writer can write it.
        nests: whether values can contain others of their type.
        placed: fields with places of their own; incomplete if only the generated writer can lay them out.
        order: expression over the parameters: whether numbers are big-endian; None if ``big`` of each field says it.
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
        defaults: default values of the last parameters.
        tag: the expression that selects an alternative.
        table: alternatives by tag, if all tags are constants; else ``chain`` has expressions and alternatives.
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


def referenced_classes(table: Table) -> list[Any]:
    """Returns the classes to which a table refers."""
    if isinstance(table, VariantTable):
        others = [*(table.table or {}).values(), *(each for _, each in table.chain), table.otherwise]
        return [each for each in others if each is not None]
    return [step.target for step in table.steps if step.type == "record" or step.coded]
