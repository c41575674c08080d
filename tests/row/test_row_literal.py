"""The kernels against the literal reading of row.idl: random columns of all types, in all variants, with all options."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec.row import RowConverter, SortOptions
from lakecodec.row import layout as layouts
from lakecodec.row.codecs import Broken
from lakecodec.row.layout import Layout
from lakecodec.row.literal import Form
from lakecodec.row.nodes import LiteralNode, walk
from lakecodec.row.plan import plan
from lakecodec.row.raw_values import array_of, values_of
from lakecodec.runtime.errors import DecodeError

from .backends import backend
from .strategies import arrays, types

LAYOUTS = [
    layouts.ARROW,
    layouts.SQL,
    layouts.LEGACY,
    layouts.POLARS,
    layouts.POLARS_UNORDERED,
    layouts.SORT,
]
OPTIONS = [SortOptions(descending, first) for descending in (False, True) for first in (False, True)]
slow = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


def kinds(layout: Layout) -> st.SearchStrategy[pa.DataType]:
    """Types that a layout takes."""
    found = types({"polars unordered": "polars", "sort": "sql"}.get(layout.name, layout.name))
    if layout is layouts.POLARS_UNORDERED:
        return found.filter(lambda kind: "dictionary" not in str(kind))
    return found


@st.composite
def more_arrays(draw: st.DrawFn, layout: Layout, n: int) -> pa.Array:
    """Arrays, some of them of types that pyarrow does not build from Python values."""
    kind = draw(kinds(layout))
    shown = draw(arrays(kind, n))
    turn = draw(st.sampled_from(["plain", "runs", "dense", "sparse", "keys"]))
    if turn == "keys" and layout is layouts.LEGACY and (pa.types.is_string(kind) or pa.types.is_int32(kind)):
        return shown.dictionary_encode()
    if layout not in (layouts.ARROW, layouts.SQL, layouts.SORT) or "dictionary" in str(kind):
        return shown
    if turn == "runs" and n:
        return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, n + 1), pa.int32()), shown)
    if turn in ("dense", "sparse"):
        ids = draw(st.lists(st.sampled_from([5, 0]), min_size=n, max_size=n))
        other = draw(arrays(pa.string(), n))
        fields = [pa.field("a", kind), pa.field("b", pa.string())]
        codes = pa.array(ids, pa.int8()).buffers()[1]
        buffers = [None, codes] if turn == "sparse" else [None, codes, pa.array(range(n), pa.int32()).buffers()[1]]
        whole = [pa.concat_arrays([shown]), pa.concat_arrays([other])]
        union = pa.union(fields, mode=turn, type_codes=[5, 0])
        return pa.Array.from_buffers(union, n, buffers, 0, children=whole)
    return shown


def kernel_rows(layout: Layout, array: pa.Array, options: SortOptions) -> tuple[RowConverter, list[bytes]]:
    convert = RowConverter._planned([(array.type, options)], layout)
    return convert, convert.convert_columns([array]).to_pylist()


@each_layout
@pytest.mark.parametrize("chosen", ["native", "pure"])
@slow
@given(data=st.data())
def test_kernels_write_and_read_what_is_declared(layout: Layout, chosen: str, data: st.DataObject) -> None:
    array = data.draw(more_arrays(layout, data.draw(st.integers(0, 5))))
    for options in OPTIONS:
        form = Form.of(layout, array.type, options)
        values = values_of(array)
        form.learn(values)
        expected = [form.encode(value) for value in values]
        assert not any(isinstance(node, LiteralNode) for node in walk(plan(layout, array.type, options)))
        with backend(chosen):
            convert, rows = kernel_rows(layout, array, options)
            assert rows == expected
            (back,) = convert.convert_rows(rows)
        read = [form.decode(row) for row in rows]
        assert [used for _, used in read] == list(map(len, rows))
        built = array_of([value for value, _ in read], back.type)
        built.validate(full=True)
        assert values_of(built) == values_of(back)


@each_layout
@pytest.mark.parametrize("chosen", ["native", "pure"])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_kernels_refuse_what_is_not_declared(layout: Layout, chosen: str, data: st.DataObject) -> None:
    array = data.draw(more_arrays(layout, 1))
    options = data.draw(st.sampled_from(OPTIONS))
    form = Form.of(layout, array.type, options)
    form.learn(values_of(array))
    with backend(chosen):
        convert, (row,) = kernel_rows(layout, array, options)
        bad = bytearray(row)
        if data.draw(st.booleans()) and bad:
            bad[data.draw(st.integers(0, len(bad) - 1))] ^= data.draw(st.integers(1, 255))
        else:
            bad = bad[: data.draw(st.integers(0, len(bad)))] + data.draw(st.binary(max_size=3))
        try:
            found: Any = values_of(convert.convert_rows([bytes(bad)])[0])
        except DecodeError:
            found = None
    try:
        value, used = form.decode(bytes(bad))
        literal: Any = [value] if used == len(bad) else None
    except Broken:
        literal = None
    assert found == literal
