# Generated from row.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:dec409abf121683456a1f9b74e86d5be59f445fd7b43654c35788d6076952cf6
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Order-preserving row keys: bytes that compare as the columns' values do.

A row is one cell a column with nothing between them. Nothing in the bytes says which variant, types or
options made them. Variants share most rules; where they differ, the guard of a case says so.
"""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from ..runtime import declaration as _decl
from ..runtime import fields as _fields

# Block sizes of the variable-width family; the last one repeats.
BLOCKS_ARROW: list[int] = [8, 8, 8, 8, 32]
# Block sizes of older releases.
BLOCKS_LEGACY: list[int] = [32]


class Variant(_enum.IntEnum):
    """Whose layout is written."""

    ARROW = 0
    """The arrow-row crate, releases 59."""
    SQL = 1
    """The order of Spark SQL in arrow's shapes: one zero, one NaN, nested nulls smallest."""
    LEGACY = 2
    """The arrow-row crate up to 46.0."""
    POLARS = 3
    """polars 2.1."""
    POLARS_UNORDERED = 4
    """polars 2.1, for grouping and joins only."""
    SORT = 5
    """The order of pyarrow's sort functions in arrow's shapes: one zero, NaN next to the nulls."""


class Nesting(_enum.IntEnum):
    """Which sort options the values inside a value have."""

    SAME = 0
    """The column's own."""
    WRAPPED = 1
    """Ascending, since what wraps the value is inverted; nulls where they end up on the column's side."""
    SMALLEST = 2
    """The column's direction, and nulls smaller than everything."""
    SMALLEST_WRAPPED = 3
    """Both."""


# Declarations are tables: one row a field, whatever its width.
# fmt: off

def is_polars(v: _Any) -> _Any:
    """Both forms of polars' layout."""
    return v == Variant.POLARS or v == Variant.POLARS_UNORDERED

def widths(v: _Any) -> _Any:
    """Block sizes of a variant."""
    return BLOCKS_LEGACY if v == Variant.LEGACY or v == Variant.POLARS else BLOCKS_ARROW

def null_byte(nulls_first: _Any) -> _Any:
    """The byte of a null: before or after every other first byte."""
    return 0 if nulls_first else 255

def inline_nesting(v: _Any) -> _Any:
    """Nesting of values that stand in a row as they are."""
    return Nesting.SMALLEST if v == Variant.SQL or is_polars(v) else Nesting.SAME

def wrapped_nesting(v: _Any) -> _Any:
    """Nesting of values that are wrapped as rows."""
    return Nesting.SMALLEST_WRAPPED if v == Variant.SQL else Nesting.WRAPPED

def union_nesting(v: _Any) -> _Any:
    """arrow-row gives a union's child the options of a wrapped value although nothing wraps it."""
    return Nesting.WRAPPED if v == Variant.ARROW else inline_nesting(v)

def inner_descending(n: _Any, descending: _Any) -> _Any:
    """Whether the values inside a value are descending."""
    return descending if n == Nesting.SAME or n == Nesting.SMALLEST else False

def inner_nulls_first(n: _Any, descending: _Any, nulls_first: _Any) -> _Any:
    """Whether nulls come first among the values inside a value."""
    return nulls_first if n == Nesting.SAME else (nulls_first != descending if n == Nesting.WRAPPED else (not descending if n == Nesting.SMALLEST else True))

def decimal_bits(precision: _Any) -> _Any:
    """Bits that hold every number of so many digits, without its sign: digits * log2(10), rounded up, for 1 to 38
    digits.
    """
    return (precision * 93 + 28) // 28

def decimal_bytes(precision: _Any) -> _Any:
    """Bytes of a packed decimal: those bits, the sign, and one that tells it from a null."""
    return (decimal_bits(precision) + 2 + 7) // 8

# Every byte XOR FF, when on.
invert = _decl.Codec("invert", ("on",), "bytes", "row.codecs:Invert")
# The top bit of a number.
flip_sign = _decl.Codec("flip_sign", (), "bytes", "row.codecs:FlipSign")
# All bits but the sign of negative floats.
ieee_order = _decl.Codec("ieee_order", (), "bytes", "row.codecs:IeeeOrder")
# -0.0 as 0.0, every NaN as the positive quiet one.
canonical = _decl.Codec("canonical", (), "bytes", "row.codecs:Canonical")
# -0.0 as 0.0, every NaN the greatest or the least float of all.
nan_outside = _decl.Codec("nan_outside", ("greatest",), "bytes", "row.codecs:NanOutside")
# A number added to every byte.
plus = _decl.Codec("plus", ("add",), "bytes", "row.codecs:Plus")
# A bit, zeros up to a byte, and the low `bits` + 1 bits of a decimal with the sign flipped, these inverted when
# descending.
packed_decimal = _decl.Codec("packed_decimal", ("bits", "first", "descending"), "bytes", "row.codecs:PackedDecimal")
# An empty byte, or a filled byte and blocks of data, each with a trailer: FF, or the bytes used in the last
# one.
blocks = _decl.Codec("blocks", ("sizes", "empty", "filled"), "bytes", "row.codecs:Blocks")
# A number added to every byte, then an end byte.
terminated = _decl.Codec("terminated", ("add", "end"), "bytes", "row.codecs:Terminated")
# A length byte, or `long` and a little-endian u32, then the bytes.
counted = _decl.Codec("counted", ("long",), "bytes", "row.codecs:Counted")
# Children side by side.
children = _decl.Codec("children", ("n",), "bytes", "row.codecs:Children")
# A fixed number of elements side by side.
elements = _decl.Codec("elements", ("n",), "bytes", "row.codecs:Elements")
# Every element a row of its own in blocks, then the empty byte.
wrapped_rows = _decl.Codec("wrapped_rows", ("n", "sizes", "empty", "filled"), "bytes", "row.codecs:WrappedRows")
# Element rows, their lengths and their number as u32; nothing for no elements. Does not sort; old keys need it.
packed_rows = _decl.Codec("packed_rows", ("n",), "bytes", "row.codecs:PackedRows")
# `more` and the element, for every element, then `end`.
sequence = _decl.Codec("sequence", ("n", "more", "end"), "bytes", "row.codecs:Sequence")
# The child that the type id selects.
selected = _decl.Codec("selected", ("type_id", "n"), "bytes", "row.codecs:Selected")
# The row of one value, null or not.
value_row = _decl.Codec("value_row", ("n",), "bytes", "row.codecs:ValueRow")
# The value that a dictionary key stands for.
hydrated = _decl.Codec("hydrated", (), "bytes", "row.codecs:Hydrated")
# `present`, an order-preserving key that the converter gave to the value, `end`.
interned = _decl.Codec("interned", ("present", "end"), "bytes", "row.codecs:Interned")

def Cell(descending: _Any, nulls_first: _Any, v: _Any) -> _decl.Encoding:
    """One value of a column, by its Arrow type."""
    return _decl.Encoding(
        "Cell", "arrow", ("big",),
        [
            _decl.Case(
                (("bool", 0),), lambda: [_decl.Field("value", "u8", via=[plus(2), invert(descending)])],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: is_polars(v),
            ),
            _decl.Case(
                (("bool", 0), ("uint8", 0), ("uint16", 0), ("uint32", 0), ("uint64", 0)),
                lambda: [
                    _decl.Field("present", "u8", derived=1), _decl.Field("value", "native", via=[invert(descending)])
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
            ),
            _decl.Case(
                (
                    ("int8", 0), ("int16", 0), ("int32", 0), ("int64", 0), ("date32", 0), ("date64", 0), ("time32", 0),
                    ("time64", 0), ("timestamp", 0), ("duration", 0),
                ),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("value", "native", via=[flip_sign(), invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
            ),
            _decl.Case(
                (("float16", 0), ("float32", 0), ("float64", 0)),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("value", "native", via=[ieee_order(), flip_sign(), invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
                condition=lambda: v == Variant.ARROW or v == Variant.LEGACY,
            ),
            _decl.Case(
                (("float16", 0), ("float32", 0), ("float64", 0)),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field(
                        "value", "native",
                        via=[nan_outside(nulls_first == descending), ieee_order(), flip_sign(), invert(descending)],
                    ),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
                condition=lambda: v == Variant.SORT,
            ),
            _decl.Case(
                (("float16", 0), ("float32", 0), ("float64", 0)),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("value", "native", via=[canonical(), ieee_order(), flip_sign(), invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
            ),
            _decl.Case(
                (("decimal32", 1), ("decimal64", 1), ("decimal128", 1)),
                lambda precision: [
                    _decl.Field(
                        "value", "bytes",
                        via=[packed_decimal(decimal_bits(precision), 1 if nulls_first else 0, descending)],
                    )
                ],
                null=lambda precision: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=decimal_bytes(precision) - 1, derived=0),
                ],
                condition=lambda precision: is_polars(v) and precision < 38,
            ),
            _decl.Case(
                (("decimal32", 1), ("decimal64", 1), ("decimal128", 1)),
                lambda precision: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("value", "native", via=[flip_sign(), invert(descending)]),
                ],
                null=lambda precision: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
            ),
            _decl.Case(
                (("decimal256", 0), ("interval_months", 0)),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("value", "native", via=[flip_sign(), invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
                condition=lambda: not is_polars(v),
            ),
            _decl.Case(
                (("interval_day_time", 0),),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("days", "i32", via=[flip_sign(), invert(descending)]),
                    _decl.Field("milliseconds", "i32", via=[flip_sign(), invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
                condition=lambda: not is_polars(v),
            ),
            _decl.Case(
                (("interval_month_day_nano", 0),),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("months", "i32", via=[flip_sign(), invert(descending)]),
                    _decl.Field("days", "i32", via=[flip_sign(), invert(descending)]),
                    _decl.Field("nanoseconds", "i64", via=[flip_sign(), invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
                condition=lambda: not is_polars(v),
            ),
            _decl.Case(
                (("fixed_size_binary", 0),),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("value", "bytes", count=_decl.WIDTH, via=[invert(descending)]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("zero", "bytes", count=_decl.WIDTH, derived=0),
                ],
                condition=lambda: not is_polars(v),
            ),
            _decl.Case(
                (
                    ("utf8", 0), ("large_utf8", 0), ("utf8_view", 0), ("binary", 0), ("large_binary", 0),
                    ("binary_view", 0),
                ),
                lambda: [_decl.Field("value", "bytes", via=[counted(254)])],
                null=lambda: [_decl.Field("absent", "u8", derived=255)],
                condition=lambda: v == Variant.POLARS_UNORDERED,
            ),
            _decl.Case(
                (("utf8", 0), ("large_utf8", 0), ("utf8_view", 0)),
                lambda: [_decl.Field("value", "bytes", via=[terminated(2, 1), invert(descending)])],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: v == Variant.POLARS,
            ),
            _decl.Case(
                (
                    ("utf8", 0), ("large_utf8", 0), ("utf8_view", 0), ("binary", 0), ("large_binary", 0),
                    ("binary_view", 0),
                ),
                lambda: [_decl.Field("value", "bytes", via=[blocks(widths(v), 1, 2), invert(descending)])],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
            ),
            _decl.Case((("null", 0),), list, condition=lambda: v == Variant.LEGACY or is_polars(v)),
            _decl.Case(
                (("null", 0),),
                lambda: [
                    _decl.Field("marker", "u8", derived=2, via=[invert(descending)]),
                    _decl.Field("value", "u8", derived=3, via=[invert(descending)]),
                ],
            ),
            _decl.Case(
                (("dictionary", 0),), lambda: [_decl.Field("key", "bytes", via=[interned(1, 0), invert(descending)])],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: v == Variant.LEGACY,
            ),
            _decl.Case(
                (("dictionary", 0),), lambda: [_decl.Field("value", "bytes", via=[hydrated()])],
                condition=lambda: v != Variant.POLARS_UNORDERED,
            ),
            _decl.Case(
                (("run_end_encoded", 0),),
                lambda: [
                    _decl.Field(
                        "value", "bytes", via=[value_row(Nesting.WRAPPED), blocks(widths(v), 1, 2), invert(descending)]
                    )
                ],
                condition=lambda: v != Variant.LEGACY and not is_polars(v),
            ),
            _decl.Case(
                (("struct", 0),),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("fields", "bytes", via=[children(inline_nesting(v))]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("fields", "bytes", derived=None, via=[children(inline_nesting(v))]),
                ],
            ),
            _decl.Case(
                (("fixed_size_list", 0),),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("items", "bytes", via=[elements(inline_nesting(v))]),
                ],
                null=lambda: [
                    _decl.Field("absent", "u8", derived=null_byte(nulls_first)),
                    _decl.Field("items", "bytes", derived=None, via=[elements(inline_nesting(v))]),
                ],
                condition=lambda: is_polars(v),
            ),
            _decl.Case(
                (("fixed_size_list", 0),),
                lambda: [
                    _decl.Field("present", "u8", derived=1),
                    _decl.Field("items", "bytes", via=[elements(inline_nesting(v))]),
                ],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: v != Variant.LEGACY,
            ),
            _decl.Case(
                (("list", 0), ("large_list", 0)),
                lambda: [
                    _decl.Field(
                        "items", "bytes",
                        via=[packed_rows(Nesting.WRAPPED), blocks(widths(v), 1, 2), invert(descending)],
                    )
                ],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: v == Variant.LEGACY,
            ),
            _decl.Case(
                (("list", 0), ("large_list", 0), ("list_view", 0), ("large_list_view", 0), ("map", 0)),
                lambda: [
                    _decl.Field(
                        "items", "bytes",
                        via=[sequence(inline_nesting(v), 1 if descending else 254, 254 if descending else 1)],
                    )
                ],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: is_polars(v),
            ),
            _decl.Case(
                (("list", 0), ("large_list", 0), ("list_view", 0), ("large_list_view", 0)),
                lambda: [
                    _decl.Field(
                        "items", "bytes", via=[wrapped_rows(wrapped_nesting(v), widths(v), 1, 2), invert(descending)]
                    )
                ],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: v != Variant.LEGACY,
            ),
            _decl.Case(
                (("map", 0),),
                lambda: [
                    _decl.Field(
                        "items", "bytes", via=[wrapped_rows(Nesting.WRAPPED, widths(v), 1, 2), invert(descending)]
                    )
                ],
                null=lambda: [_decl.Field("absent", "u8", derived=null_byte(nulls_first))],
                condition=lambda: v == Variant.ARROW,
            ),
            _decl.Case(
                (("union", 0),),
                lambda: [
                    _decl.Field("type_id", "u8", via=[invert(descending)]),
                    _decl.Field("value", "bytes", via=[selected(_decl.Symbol("type_id"), union_nesting(v))]),
                ],
                condition=lambda: v != Variant.LEGACY and not is_polars(v),
            ),
        ],
    )
# fmt: on


__spec__ = _fields.describe(globals(), "row.idl", {
    "Variant": 10, "Nesting": 26,
})  # fmt: skip
