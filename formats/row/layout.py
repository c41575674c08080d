"""The layouts of row keys as tables: which shape each Arrow type has in each variant.

One dataclass a shape; ``LAYOUTS`` has the variants. A transform list is read left to right from the value to its bytes,
and every multi-byte number is big-endian.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Transform: TypeAlias = Literal["canonical", "nan_outside", "ieee_order", "flip_sign", "invert"]

#: Where a nested value gets an option from: its column, a constant, or the column's two options combined.
Descending: TypeAlias = Literal["same", "false"]
NullsFirst: TypeAlias = Literal["same", "true", "xor_descending", "not_descending"]


@dataclass(frozen=True, slots=True)
class Nested:
    """The sort options that the values inside a value have."""

    descending: Descending
    nulls_first: NullsFirst


@dataclass(frozen=True, slots=True)
class Fixed:
    """A present byte and a payload of fixed width; a null is the null byte and zeros.

    Attributes:
        present: None where there is no such byte; then ``add`` keeps the payload apart from the null byte.
        parts: widths of the numbers that the value is made of; empty for a single number of the type's width.
        add: added to the value.
    """

    present: int | None
    transforms: tuple[Transform, ...]
    parts: tuple[int, ...] = ()
    add: int = 0


@dataclass(frozen=True, slots=True)
class PackedDecimal:
    """A decimal in as many bytes as its precision needs, the first bit apart from the null byte's.

    Precisions that need ``limit`` bits or more have the shape ``otherwise``.
    """

    limit: int
    otherwise: Fixed


@dataclass(frozen=True, slots=True)
class Constant:
    """The same bytes for every value."""

    value: bytes
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Blocks:
    """An empty byte, or a filled byte and blocks with trailers; the last width repeats."""

    widths: tuple[int, ...]
    empty: int = 1
    filled: int = 2
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Terminated:
    """Every byte plus ``add``, then ``end``."""

    add: int
    end: int
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Counted:
    """A length byte, or ``long`` and a little-endian u32, then the bytes as they are."""

    long: int
    null: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A present byte and every child; a null has null children."""

    present: int
    nested: Nested


@dataclass(frozen=True, slots=True)
class Array:
    """A present byte and a fixed number of elements; a null is the null byte, with null elements where said."""

    present: int
    nested: Nested
    null_elements: bool


@dataclass(frozen=True, slots=True)
class WrappedList:
    """Every element a row in ``blocks``, then the empty byte of ``blocks``."""

    blocks: Blocks
    nested: Nested


@dataclass(frozen=True, slots=True)
class PackedList:
    """Element rows, their lengths and their number (u32 each) as one value in ``blocks``; no elements: no bytes."""

    blocks: Blocks
    nested: Nested


@dataclass(frozen=True, slots=True)
class Sequence:
    """``more`` and the element, for every element, then ``end``."""

    more: int
    end: int
    nested: Nested
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Union:
    """A byte with the type id, then the child's value. Nulls are the child's."""

    nested: Nested
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Values:
    """A dictionary as the values that its keys stand for."""


@dataclass(frozen=True, slots=True)
class Interned:
    """``present``, an order-preserving key that the converter gave to the value, ``end``."""

    present: int
    end: int
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Runs:
    """A run-end encoded value: the row of the value in ``blocks``; a null is the row of a null."""

    blocks: Blocks
    nested: Nested


Shape: TypeAlias = (
    Fixed
    | PackedDecimal
    | Constant
    | Blocks
    | Terminated
    | Counted
    | Struct
    | Array
    | WrappedList
    | PackedList
    | Sequence
    | Union
    | Values
    | Interned
    | Runs
)


@dataclass(frozen=True, slots=True)
class Case:
    """The Arrow types that share a shape."""

    types: tuple[str, ...]
    shape: Shape


@dataclass(frozen=True, slots=True)
class Layout:
    """One variant: the null bytes of the two null orders, and a shape per Arrow type."""

    name: str
    cases: tuple[Case, ...]
    null_first: int = 0x00
    null_last: int = 0xFF

    def shape(self, type_name: str) -> Shape | None:
        """The shape of a type, None when the variant has none for it."""
        return next((case.shape for case in self.cases if type_name in case.types), None)


UNSIGNED = ("bool", "uint8", "uint16", "uint32", "uint64")
SIGNED = ("int8", "int16", "int32", "int64")
TIMES = ("date32", "date64", "time32", "time64", "timestamp", "duration")
FLOATS = ("float16", "float32", "float64")
DECIMALS = ("decimal32", "decimal64", "decimal128", "decimal256")
UTF8 = ("utf8", "large_utf8", "utf8_view")
BINARY = ("binary", "large_binary", "binary_view")
LISTS = ("list", "large_list", "list_view", "large_list_view")

SAME = Nested("same", "same")
INSIDE = Nested("false", "xor_descending")
SMALLEST = Nested("same", "not_descending")
SMALLEST_INSIDE = Nested("false", "true")

BLOCKS_ARROW = Blocks((8, 8, 8, 8, 32))
BLOCKS_LEGACY = Blocks((32,))

_NUMBERS = (
    Case(UNSIGNED, Fixed(1, ("invert",))),
    Case((*SIGNED, *TIMES, *DECIMALS, "interval_months"), Fixed(1, ("flip_sign", "invert"))),
    Case(("interval_day_time",), Fixed(1, ("flip_sign", "invert"), (4, 4))),
    Case(("interval_month_day_nano",), Fixed(1, ("flip_sign", "invert"), (4, 4, 8))),
    Case(("fixed_size_binary",), Fixed(1, ("invert",), (1,))),
)
_RAW_FLOATS = Case(FLOATS, Fixed(1, ("ieee_order", "flip_sign", "invert")))
_SQL_FLOATS = Case(FLOATS, Fixed(1, ("canonical", "ieee_order", "flip_sign", "invert")))
_SORT_FLOATS = Case(FLOATS, Fixed(1, ("nan_outside", "ieee_order", "flip_sign", "invert")))


def _arrow_nested(inline: Nested, inside: Nested, union: Nested) -> tuple[Case, ...]:
    return (
        Case(("null",), Constant(b"\x02\x03")),
        Case((*UTF8, *BINARY), BLOCKS_ARROW),
        Case(("dictionary",), Values()),
        Case(("run_end_encoded",), Runs(BLOCKS_ARROW, INSIDE)),
        Case(("struct",), Struct(1, inline)),
        Case(("fixed_size_list",), Array(1, inline, null_elements=False)),
        Case(LISTS, WrappedList(BLOCKS_ARROW, inside)),
        Case(("union",), Union(union)),
    )


def _polars(text: Shape, binary: Shape, dictionary: tuple[Case, ...]) -> tuple[Case, ...]:
    return (
        Case(("null",), Constant(b"")),
        Case(("bool",), Fixed(None, ("invert",), add=2)),
        Case(UNSIGNED[1:], Fixed(1, ("invert",))),
        Case((*SIGNED, *TIMES), Fixed(1, ("flip_sign", "invert"))),
        _SQL_FLOATS,
        Case(DECIMALS[:3], PackedDecimal(127, Fixed(1, ("flip_sign", "invert"), (16,)))),
        Case(UTF8, text),
        Case(BINARY, binary),
        *dictionary,
        Case(("struct",), Struct(1, SMALLEST)),
        Case(("fixed_size_list",), Array(1, SMALLEST, null_elements=True)),
        Case(LISTS, Sequence(0xFE, 0x01, SMALLEST)),
    )


ARROW = Layout(
    "arrow",
    (*_NUMBERS, _RAW_FLOATS, *_arrow_nested(SAME, INSIDE, INSIDE), Case(("map",), WrappedList(BLOCKS_ARROW, INSIDE))),
)
SQL = Layout("sql", (*_NUMBERS, _SQL_FLOATS, *_arrow_nested(SMALLEST, SMALLEST_INSIDE, SMALLEST)))
SORT = Layout("sort", (*_NUMBERS, _SORT_FLOATS, *_arrow_nested(SAME, INSIDE, SAME)))
LEGACY = Layout(
    "legacy",
    (
        *_NUMBERS,
        _RAW_FLOATS,
        Case(("null",), Constant(b"")),
        Case((*UTF8, *BINARY), BLOCKS_LEGACY),
        Case(("dictionary",), Interned(1, 0)),
        Case(("struct",), Struct(1, SAME)),
        Case(("list", "large_list"), PackedList(BLOCKS_LEGACY, INSIDE)),
    ),
)
POLARS = Layout("polars", _polars(Terminated(2, 1), BLOCKS_LEGACY, (Case(("dictionary",), Values()),)))
POLARS_UNORDERED = Layout("polars unordered", _polars(Counted(0xFE, 0xFF), Counted(0xFE, 0xFF), ()))

LAYOUTS = {layout.name: layout for layout in (ARROW, SQL, LEGACY, POLARS, POLARS_UNORDERED)}
