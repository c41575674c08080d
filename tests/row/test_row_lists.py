"""Lists and maps without lengths (polars' form): long ones, broken ones, and maps whose keys are null."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.row import RowConverter, SortOptions
from lakecodec.runtime.errors import DecodeError
from tests.bounds import within


def lists(*values: list[Any] | None, kind: pa.DataType | None = None) -> pa.Array:
    return pa.array(values, pa.list_(kind or pa.int16()))


@pytest.mark.parametrize("descending", [False, True])
def test_lists_of_very_different_lengths(descending: bool) -> None:
    array = lists([1], None, list(range(20_000)), [], [None, 7], list(range(4)), [5] * 63)
    converter = RowConverter([(array.type, SortOptions(descending)), pa.string()], variant="polars")
    text = pa.array(["x" * i for i in range(len(array))])
    back = converter.convert_rows(converter.convert_columns([array, text]))
    assert back[0].equals(array)
    assert back[1].equals(text)


def test_a_long_list_of_numbers_takes_no_pass_an_element() -> None:
    array = pa.array([np.arange(300_000)])
    converter = RowConverter([array.type], variant="polars")
    rows = converter.convert_columns([array])
    # One pass per element took half a minute.
    with within(5):
        assert converter.convert_rows(rows)[0].equals(array)


@pytest.mark.parametrize("kind", [pa.int16(), pa.string()], ids=["equal", "varying"])
def test_broken_lists_name_the_place(kind: pa.DataType) -> None:
    element = "b" if pa.types.is_string(kind) else 3
    converter = RowConverter([pa.list_(kind)], variant="polars")
    good = converter.convert_columns([lists([element] * 9, kind=kind)])[0].as_py()
    step = (len(good) - 1) // 9
    for number in (0, 1, 5, 8):
        bad = bytearray(good)
        bad[number * step] = 0x55
        with pytest.raises(DecodeError, match="items") as caught:
            converter.convert_rows([good, bytes(bad)])
        assert (caught.value.path, caught.value.offset) == ("rows[1]", number * step)
    for cut in range(len(good)):
        with pytest.raises(DecodeError) as caught:
            converter.convert_rows([good, good[:cut]])
        assert caught.value.path == "rows[1]"
        assert caught.value.offset is not None
        assert caught.value.offset <= cut


@pytest.mark.parametrize("variant", ["arrow", "polars"])
def test_null_keys_of_maps_are_refused(variant: Any) -> None:
    kind = pa.map_(pa.int16(), pa.int16())
    converter = RowConverter([kind], variant=variant)
    row = bytearray(converter.convert_columns([pa.array([[(1, 2)]], kind)])[0].as_py())
    key = row.index(b"\x01\x80\x01")
    row[key : key + 3] = b"\0\0\0"
    with pytest.raises(DecodeError, match="a null is not allowed here") as caught:
        converter.convert_rows([bytes(row)])
    assert caught.value.path == "rows[0]"
    if variant == "polars":
        entry = converter.convert_columns([pa.array([[(1, 2)]], kind)])[0].as_py()
        with pytest.raises(DecodeError, match="a null is not allowed here"):
            converter.convert_rows([entry[:1] + bytes(7) + entry[-1:]])
