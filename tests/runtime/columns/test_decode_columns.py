"""Columns of every layout and encoding against arrays that pyarrow makes, on both backends."""

from __future__ import annotations

import gc
import os
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec.runtime.columns import ColumnDecode, Values, backend, decode_columns, read_values
from lakecodec.runtime.errors import DecodeError

from .shapes import SHAPES, TEXT, Shape, constant, dictionary, number, plain

pytestmark = pytest.mark.usefixtures("kernels")

ROWS = [0, 1, 7, 8, 9, 63, 64, 65, 500, 511, 512, 513, 1100]
SHARES = [0.0, 0.1, 0.9, 1.0]


def sampled(shape: Shape, rows: int, nulls: float) -> list[Any]:
    rng = random.Random(f"{shape.type} {rows} {nulls}")
    # The longest values seldom, so that the tests are quick.
    weights = [4] * (len(shape.values) - 1) + [0.1]
    values = rng.choices(shape.values, weights, k=rows)
    return [None if rng.random() < nulls else value for value in values]


def check(requests: list[ColumnDecode], expected: list[Any]) -> None:
    arrays = decode_columns(requests)
    assert len(arrays) == len(expected)
    for array, one in zip(arrays, expected, strict=True):
        array.validate(full=True)
        assert array.type == one.type
        assert array.null_count == one.null_count
        assert array.equals(one)
        for buffer in array.buffers():
            assert buffer is None or lakecodec.backend() == "pure" or buffer.address % 8 == 0


def test_the_backend_that_is_expected_runs() -> None:
    assert lakecodec.backend() == backend.BACKEND


@pytest.mark.parametrize("encoding", [plain, dictionary])
@pytest.mark.parametrize("name", SHAPES)
def test_columns(name: str, encoding: Callable[[Shape, list[Any]], ColumnDecode]) -> None:
    shape = SHAPES[name]
    for nulls in SHARES:
        columns = [sampled(shape, rows, nulls) for rows in ROWS]
        check([encoding(shape, values) for values in columns], [shape.array(values) for values in columns])


@pytest.mark.parametrize("name", SHAPES)
def test_constants(name: str) -> None:
    shape = SHAPES[name]
    for kept in shape.values:
        for nulls in SHARES[:3]:
            columns = [
                [None if value is None else kept for value in sampled(shape, rows, nulls)] for rows in (*ROWS[:9], 1100)
            ]
            columns = [[*values, kept] for values in columns]
            check([constant(shape, values) for values in columns], [shape.array(values) for values in columns])


@pytest.mark.parametrize("name", SHAPES)
def test_columns_without_values_are_null(name: str) -> None:
    shape = SHAPES[name]
    check(
        [ColumnDecode(shape.layout, shape.type, rows) for rows in ROWS], [shape.array([None] * rows) for rows in ROWS]
    )


@pytest.mark.parametrize("entries", [2, 3, 17, 200, 300, 5000])
def test_dictionaries_of_any_width(entries: int) -> None:
    rng = random.Random(entries)
    shapes = [SHAPES["int64"], SHAPES["string"]]
    for shape in shapes:
        table = [k if shape is shapes[0] else f"entry {k}" for k in range(entries)]
        values = table + rng.choices([*table, None], k=2000)
        check([dictionary(shape, values)], [shape.array(values)])


@pytest.mark.parametrize("name", ["decimal38", "string", "binary"])
def test_values_of_few_lengths(name: str) -> None:
    """Runs of values of one length, of which one is longer or shorter; what follows the values is no part of them."""
    shape = SHAPES[name]
    values = [value for value in shape.values if len(shape.encode(value)) < 1000]
    columns = []
    for value, other in zip(values, [*values[1:], values[0]], strict=True):
        for at in (0, 1, 2, 3, 4, 290, 296, 297, 298, 299):
            columns.append([value] * at + [other] + [value] * (299 - at))
    check([plain(shape, column) for column in columns], [shape.array(column) for column in columns])
    for column in columns[::7]:
        data = b"".join(map(shape.encode, column))
        whole = read_values(shape.layout, data, 0, len(data), len(column))
        assert whole.end == len(data)
        assert whole.to_arrow(shape.type).equals(shape.array(column))
        with pytest.raises(DecodeError):
            read_values(shape.layout, data, 0, len(data) - 1, len(column))


def test_columns_of_all_layouts_together() -> None:
    columns = [(shape, sampled(shape, rows, 0.3)) for rows in (3, 700) for shape in SHAPES.values()]
    check([plain(*column) for column in columns], [shape.array(values) for shape, values in columns])
    assert decode_columns([]) == []


def test_float_bits_are_kept() -> None:
    bits = [0x7FF0000000000001, 0xFFF8123456789ABC, 0x8000000000000000]
    data = b"".join(value.to_bytes(8, "big") for value in bits)
    array = Values(number(8), data, 0, 24, 3).to_arrow(pa.float64())
    assert array.view(pa.uint64()).to_pylist() == bits


@pytest.mark.parametrize(("type", "kept"), [(pa.string(), "é"), (pa.binary(), "é".encode())])
def test_text_and_bytes_are_what_is_asked_for(type: pa.DataType, kept: object) -> None:
    assert Values(TEXT, b"\x02\xc3\xa9", 0, 3, 1).to_arrow(type).to_pylist() == [kept]


def test_results_need_nothing_of_the_input() -> None:
    shape = SHAPES["string"]
    values = sampled(shape, 700, 0.2)
    expected = shape.array(values)
    requests = [plain(shape, values), dictionary(shape, values)]
    arrays = decode_columns(requests)
    del requests
    gc.collect()
    assert all(array.equals(expected) for array in arrays)


def test_results_are_independent() -> None:
    shape = SHAPES["int64"]
    values = sampled(shape, 700, 0.2)
    arrays = decode_columns([plain(shape, values)] * 50)
    last = arrays.pop()
    del arrays
    gc.collect()
    decode_columns([ColumnDecode(shape.layout, shape.type, 700)] * 50)
    assert last.equals(shape.array(values))


def addresses(arrays: list[Any]) -> list[int]:
    return [array.buffers()[1].address for array in arrays]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the C library keeps memory")
def test_memory_of_large_columns_serves_again(kernels: str) -> None:
    if kernels == "pure" or backend.BACKEND == "pure":
        pytest.skip("NumPy's memory")
    if os.environ.get("LAKECODEC_POOL") == "0":
        pytest.skip("nothing is kept without the pool")

    def decoded(value: int) -> list[Any]:
        return decode_columns([constant(shape, [value] * rows)])

    shape, rows = SHAPES["int64"], 600_000
    held = decoded(7)
    others = decoded(8)
    freed = addresses(others)
    assert freed != addresses(held)
    del others
    again = decoded(9)
    assert addresses(again) == freed
    assert (held[0][rows - 1].as_py(), again[0][rows - 1].as_py(), again[0].null_count) == (7, 9, 0)
    # More than is kept: what was freed first goes back to the system.
    many = [decode_columns([ColumnDecode(shape.layout, shape.type, 10 * rows)])[0] for _ in range(8)]
    del many
    assert decoded(10)[0].equals(pa.array([10] * rows))


def test_threads_can_decode_at_once() -> None:
    columns = [(shape, sampled(shape, 3000, 0.1)) for shape in SHAPES.values()]
    requests = [plain(*column) for column in columns]
    expected = decode_columns(requests)
    with ThreadPoolExecutor(4) as pool:
        for arrays in pool.map(lambda _: decode_columns(requests), range(20)):
            assert all(array.equals(one) for array, one in zip(arrays, expected, strict=True))


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("bool", pa.int8()),
        ("int8", pa.bool_()),
        ("int32", pa.int64()),
        ("int32", pa.decimal128(9, 2)),
        ("nanos", pa.int32()),
        ("decimal38", pa.int64()),
        ("string", pa.large_string()),
        ("binary", pa.list_(pa.int8())),
    ],
)
def test_types_must_hold_the_values(name: str, type: pa.DataType) -> None:
    with pytest.raises(TypeError, match=r"^arrow_type: .* cannot hold values of"):
        decode_columns([ColumnDecode(SHAPES[name].layout, type, 0)])


def test_types_are_types() -> None:
    with pytest.raises(TypeError, match=r"^arrow_type: a pyarrow.DataType is needed, not 'int8'$"):
        decode_columns([ColumnDecode(SHAPES["int8"].layout, "int8", 0)])
