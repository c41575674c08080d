"""Hypothesis strategies of Arrow arrays for the row tests."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from lakecodec.row import SortOptions

OPTIONS = st.builds(SortOptions, st.booleans(), st.booleans())

_NUMBERS: list[pa.DataType] = [
    pa.bool_(), pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64(),
    pa.date32(), pa.time64("us"), pa.timestamp("us", "UTC"), pa.duration("ms"), pa.float16(), pa.float32(), pa.float64(),
    pa.decimal128(9, 2), pa.decimal128(38, 3),
]  # fmt: skip
_STRINGS: list[pa.DataType] = [
    pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(),
]  # fmt: skip
_ARROW_ONLY: list[pa.DataType] = [
    pa.null(), pa.decimal32(7, 2), pa.decimal64(15, 1), pa.decimal256(60, 5), pa.month_day_nano_interval(), pa.binary(3),
    pa.date64(), pa.time32("s"),
]  # fmt: skip


def types(variant: str, *, depth: int = 2) -> st.SearchStrategy[pa.DataType]:
    """Types that a variant takes, nested up to ``depth``."""
    flat = _NUMBERS + _STRINGS + ([pa.null()] if variant == "polars" else _ARROW_ONLY)
    leaf = st.sampled_from(flat)
    if variant != "legacy":
        leaf = leaf | st.sampled_from([pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int16(), pa.int32())])
    if depth == 0:
        return leaf
    inner = types(variant, depth=depth - 1)
    nested = [
        st.lists(inner, max_size=3).map(lambda kids: pa.struct([(f"f{i}", kid) for i, kid in enumerate(kids)])),
        inner.map(pa.list_),
        inner.map(pa.large_list),
    ]
    if variant != "legacy":
        nested.append(st.tuples(inner, st.integers(0, 3)).map(lambda pair: pa.list_(*pair)))
    if variant in ("arrow", "sql"):
        nested.append(inner.map(pa.list_view))
    if variant in ("arrow", "polars"):
        nested.append(st.sampled_from([pa.string(), pa.int16()]).flatmap(lambda k: inner.map(lambda v: pa.map_(k, v))))
    return st.one_of(leaf, *nested)


def _floats(width: int) -> st.SearchStrategy[float]:
    special = [0.0, -0.0, math.inf, -math.inf, math.nan]
    return st.sampled_from(special) | st.floats(width=width, allow_nan=True)  # type: ignore[arg-type]


def plain(kind: pa.DataType) -> st.SearchStrategy[Any]:
    """Python values that are not null of a type."""
    t = pa.types
    if t.is_boolean(kind):
        return st.booleans()
    if t.is_integer(kind):
        low = 0 if t.is_unsigned_integer(kind) else -(2 ** (kind.bit_width - 1))
        return st.integers(low, low + 2**kind.bit_width - 1) | st.integers(0, 3)
    if t.is_floating(kind):
        return _floats(kind.bit_width)
    if t.is_decimal(kind):
        top = 10**kind.precision - 1
        return (st.integers(-top, top) | st.integers(-2, 2)).map(lambda x: Decimal(x).scaleb(-kind.scale, _WIDE))
    if kind == pa.month_day_nano_interval():
        return st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 2, st.integers(-(2**63), 2**63 - 1))
    if t.is_date64(kind):
        return st.integers(-(10**6), 10**6).map(lambda day: day * 86_400_000)
    if t.is_temporal(kind):
        return st.integers(0, 86_399)
    if t.is_fixed_size_binary(kind):
        return st.binary(min_size=kind.byte_width, max_size=kind.byte_width)
    if kind in _STRINGS and "string" in str(kind):
        return st.text(max_size=12) | st.text("ab", max_size=80)
    if kind in _STRINGS:
        return st.binary(max_size=12) | st.binary(max_size=80)
    if t.is_dictionary(kind):
        return plain(kind.value_type)
    if t.is_struct(kind):
        return st.fixed_dictionaries({kind.field(i).name: value(kind.field(i).type) for i in range(kind.num_fields)})
    if t.is_fixed_size_list(kind):
        return st.lists(value(kind.value_type), min_size=kind.list_size, max_size=kind.list_size)
    if t.is_map(kind):
        return st.lists(st.tuples(plain(kind.key_type), value(kind.item_type)), max_size=3)
    return st.lists(value(kind.value_type), max_size=3)


def value(kind: pa.DataType) -> st.SearchStrategy[Any]:
    """Python values of a type, null among them."""
    return st.none() if pa.types.is_null(kind) else st.none() | plain(kind)


@st.composite
def arrays(draw: st.DrawFn, kind: pa.DataType, n: int, *, sliced: bool = True) -> pa.Array:
    """Arrays of ``n`` values, sliced out of longer ones."""
    before, after = (draw(st.integers(0, 2)), draw(st.integers(0, 1))) if sliced else (0, 0)
    items = draw(st.lists(value(kind), min_size=before + n + after, max_size=before + n + after))
    return pa.array(items, kind).slice(before, n)


_WIDE = Context(prec=80)
