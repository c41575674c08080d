"""Thousands of rows: what the kernels do by stretches of rows, by bitmaps of any bit offset and by wide loads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.row import RowConverter, SortOptions
from lakecodec.row.order import kernels
from lakecodec.runtime.errors import DecodeError

from .backends import backend

ROWS = 3000
OPTIONS = [SortOptions(), SortOptions(descending=True, nulls_first=False)]
SHAPES = [
    "b",
    "B",
    "BB",
    "BT",
    "i",
    "f",
    "I",
    "u",
    "T",
    "iif",
    "iTf",
    "TT",
    "bu",
    "iT",
    "iiiii",
    "TffffT",
    "uuu",
    "iiTfff",
    "bIIIIIuuuu",
]
NUMBERS = ["int8", "uint16", "int32", "uint64", "int64", "float16", "float32", "float64", "date32"]


needs_pool = pytest.mark.skipif(os.environ.get("LAKECODEC_POOL") == "0", reason="nothing is kept without the pool")


@pytest.fixture
def pure() -> Iterator[None]:
    """NumPy's kernels while the test runs."""
    with backend("pure"):
        yield


def column(letter: str, seed: int, nulls: bool) -> pa.Array:
    """Numbers (i, I, u, f, b), bools (B) or text of 0 to 140 bytes (T), cut out of a longer array."""
    rng = np.random.default_rng(seed)
    n = ROWS + 13
    mask = rng.random(n) < 0.1 if nulls else None
    if letter == "T":
        lengths = np.where(rng.random(n) < 0.5, rng.integers(0, 40, n), rng.integers(0, 140, n))
        texts = [("ä" if i % 7 == 0 else "") + "x" * int(length) for i, length in enumerate(lengths)]
        array = pa.array(np.array(texts, object), pa.string(), mask=mask)
    elif letter == "B":
        array = pa.array(rng.random(n) < 0.5, mask=mask)
    else:
        kind = {"i": np.int64, "I": np.int32, "u": np.uint64, "f": np.float64, "b": np.int8}[letter]
        bits = rng.integers(0, 256, n * np.dtype(kind).itemsize).astype(np.uint8).view(kind)
        array = pa.array(bits, mask=mask)
    return array.slice(3, ROWS + 5)


def keys(shape: str, nulls: bool, options: SortOptions, variant: Any) -> tuple[RowConverter, list[pa.Array]]:
    arrays = [column(letter, seed, nulls) for seed, letter in enumerate(shape)]
    return RowConverter([(array.type, options) for array in arrays], variant=variant), arrays


def expected(shape: str, nulls: bool, options: SortOptions, variant: Any) -> tuple[pa.Array, list[pa.Array]]:
    convert, arrays = keys(shape, nulls, options, variant)
    rows = convert.convert_columns(arrays)
    return rows, convert.convert_rows(rows)


@pytest.mark.parametrize("variant", ["arrow", "legacy", "sql", "polars"])
@pytest.mark.parametrize("options", OPTIONS, ids=["ascending", "descending"])
@pytest.mark.parametrize("nulls", [False, True], ids=["dense", "nulls"])
@pytest.mark.parametrize("shape", SHAPES)
def test_backends_agree(shape: str, nulls: bool, options: SortOptions, variant: str, request: Any) -> None:
    rows, back = expected(shape, nulls, options, variant)
    compiled = keys(shape, nulls, options, variant)[0]
    assert compiled._decoder is None or compiled._decoded(rows) is not None, "the compiled decoder gave up"
    request.getfixturevalue("pure")
    again, pure_back = expected(shape, nulls, options, variant)
    assert rows.equals(again)
    for ours, theirs, given in zip(back, pure_back, keys(shape, nulls, options, variant)[1], strict=True):
        ours.validate(full=True)
        assert _bits(ours) == _bits(theirs)
        if variant in ("arrow", "legacy"):
            assert _bits(ours) == _bits(given)


def _bits(array: pa.Array) -> Any:
    return (array.view(pa.int64()) if array.type == pa.float64() else array).to_pylist()


def lists(kind: str, large: bool) -> pa.Array:
    """Lists of up to 9 numbers, some of them null, and nulls that have elements; cut out of a longer array."""
    rng = np.random.default_rng(5)
    ends = np.concatenate([[2], 2 + np.cumsum(rng.integers(0, 10, 700))])
    type = getattr(pa, kind)()
    bits = rng.integers(0, 256, int(ends[-1]) * type.bit_width // 8).astype(np.uint8)
    valid = np.packbits(rng.random(len(bits)) < 0.8, bitorder="little")
    items = pa.Array.from_buffers(type, int(ends[-1]), [pa.py_buffer(valid), pa.py_buffer(bits)])
    outer = pa.large_list if large else pa.list_
    offsets = pa.py_buffer(ends.astype(np.int64 if large else np.int32))
    array = pa.Array.from_buffers(outer(type), 700, [pa.py_buffer(valid), offsets], children=[items])
    return array.slice(5, 690)


@pytest.mark.parametrize("variant", ["arrow", "legacy", "sql"])
@pytest.mark.parametrize("options", OPTIONS, ids=["ascending", "descending"])
@pytest.mark.parametrize("kind", NUMBERS)
def test_backends_agree_on_lists_of_numbers(kind: str, options: SortOptions, variant: Any, request: Any) -> None:
    array = lists(kind, large=kind == "int32")
    text = pa.array(["x" * (i % 9) for i in range(len(array))])
    convert = RowConverter([(array.type, options), (text.type, options)], variant=variant)
    rows = convert.convert_columns([array, text])
    back = convert.convert_rows(rows)
    assert convert._decoder is None or convert._decoded(rows) is not None, "the compiled decoder gave up"
    request.getfixturevalue("pure")
    assert rows.equals(convert.convert_columns([array, text]))
    pure_back = convert.convert_rows(rows)
    assert back[1].equals(text)
    back[0].validate(full=True)
    assert str(back[0]) == str(pure_back[0])
    again = convert.convert_columns(back)
    assert again.equals(rows), "decoded and encoded again"


@pytest.mark.parametrize("options", OPTIONS, ids=["ascending", "descending"])
@pytest.mark.parametrize("layout", ["s", "ns", "sn", "ss", "snnnn", "nsnnn", "snsnnn", "ssnnn"])
def test_short_texts_leave_their_neighbours_alone(layout: str, options: SortOptions, request: Any) -> None:
    """Cells of one and two blocks, empty ones, nulls and some longer ones, before and behind numbers and each other."""
    rng = np.random.default_rng(11)
    lengths = rng.choice([0, 1, 7, 8, 9, 15, 16], (len(layout), ROWS))
    lengths[:, rng.random(ROWS) < 0.02] = 40
    arrays: list[pa.Array] = []
    for letter, sizes in zip(layout, lengths, strict=True):
        texts = pa.array(["xyz"[i % 3] * int(size) for i, size in enumerate(sizes)], mask=rng.random(ROWS) < 0.2)
        arrays.append(texts if letter == "s" else pa.array(sizes, mask=rng.random(ROWS) < 0.2))
    convert = RowConverter([(array.type, options) for array in arrays])
    rows = convert.convert_columns(arrays)
    assert all(back.equals(array) for back, array in zip(convert.convert_rows(rows), arrays, strict=True))
    request.getfixturevalue("pure")
    assert rows.equals(RowConverter([(array.type, options) for array in arrays]).convert_columns(arrays))


def runs(value: pa.DataType, short: bool) -> pa.Array:
    """Runs of up to 9 values, or of one, some of them null; cut out of a longer array, within a run."""
    rng = np.random.default_rng(5)
    lengths = np.ones(900, int) if short else rng.integers(1, 10, 900)
    ends, mask = np.cumsum(lengths).astype(np.int32), rng.random(900) < 0.2
    numbers = rng.integers(-1000, 1000, 900)
    values = pa.array(
        ["x" * (number % 50) for number in numbers] if value == pa.string() else numbers, value, mask=mask
    )
    return pa.RunEndEncodedArray.from_arrays(ends, values).slice(7, 800)


@pytest.mark.parametrize("variant", ["arrow", "sql"])
@pytest.mark.parametrize("options", OPTIONS, ids=["ascending", "descending"])
@pytest.mark.parametrize("value", [pa.int64(), pa.string()], ids=str)
@pytest.mark.parametrize("short", [False, True], ids=["runs", "single"])
def test_backends_agree_on_runs(value: pa.DataType, short: bool, options: SortOptions, variant: Any) -> None:
    array = runs(value, short)
    mask = np.arange(len(array)) % 7 == 0
    within = pa.StructArray.from_arrays([array, array], ["a", "b"], mask=pa.array(mask))
    for column in (array, within):
        rows = RowConverter([(column.type, options)], variant=variant).convert_columns([column])
        with backend("pure"):
            assert rows.equals(RowConverter([(column.type, options)], variant=variant).convert_columns([column]))


def test_bools_are_checked_in_any_row() -> None:
    convert = RowConverter([pa.bool_()])
    rows = convert.convert_columns([column("B", 1, nulls=True)]).to_pylist()
    for row in (0, 1500, ROWS + 4):
        for bad in (b"\x01\x02", b"\x00\x01", b"\x02\x00", b"\x01\xff"):
            with pytest.raises(DecodeError) as caught:
                convert.convert_rows([*rows[:row], bad, *rows[row + 1 :]])
            assert caught.value.path == f"rows[{row}]"


@needs_pool
@pytest.mark.skipif(sys.platform != "linux", reason="counts page faults")
@pytest.mark.skipif(kernels.ArrowDecoder is None, reason="the memory of the pure backend is NumPy's")
def test_memory_of_the_last_results_is_used_again() -> None:
    """Older results leave the pool for it, so that what is decoded again and again finds memory there."""
    import resource

    convert, wide = RowConverter([pa.int64()]), pa.array(np.arange(400_000))
    small, large = (convert.convert_columns([wide[:n]]) for n in (200_000, 400_000))
    many = [convert.convert_rows(small) for _ in range(45)]
    del many
    convert.convert_rows(large)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    convert.convert_rows(large)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 100


@pytest.mark.parametrize("shape", ["i", "iif", "T", "iTf"])
@pytest.mark.parametrize("row", [0, 447, 512, ROWS + 4])
def test_errors_far_in_name_their_row(shape: str, row: int) -> None:
    convert, arrays = keys(shape, True, SortOptions(), "arrow")
    rows = convert.convert_columns(arrays).to_pylist()
    for bad in (b"\x07" + rows[row][1:], rows[row][:-1], rows[row] + b"\0"):
        with pytest.raises(DecodeError) as caught:
            convert.convert_rows([*rows[:row], bad, *rows[row + 1 :]])
        assert caught.value.path == f"rows[{row}]"


def test_a_null_must_be_padded_with_zeros_in_any_row() -> None:
    convert = RowConverter([pa.int64()])
    rows = convert.convert_columns([pa.array([None] * ROWS, pa.int64())]).to_pylist()
    rows[1500] = b"\0" * 8 + b"\1"
    with pytest.raises(DecodeError, match="zeros") as caught:
        convert.convert_rows(rows)
    assert caught.value.path == "rows[1500]"


def test_positions_that_go_back_are_refused() -> None:
    """An array that nobody validated: row 1 begins before row 0 ends, so rows are longer than their bytes."""
    data, offsets = np.ones(100, np.uint8), np.array([0, 90, 40, 60], np.int64)
    rows = pa.Array.from_buffers(pa.large_binary(), 3, [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    for kind in (pa.string(), pa.int64()):
        with pytest.raises((ValueError, DecodeError)):
            RowConverter([kind]).convert_rows(rows)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_keys_of_dictionaries_of_every_width(kind: str) -> None:
    """Rows are those of the values, over more than one stretch and from any bit of the bitmap on; keys under nulls may be any."""
    rng, words = np.random.default_rng(5), pa.array([None, "", *(f"word{i}" * (i % 5) for i in range(100))])
    picked, nulls = rng.integers(0, len(words), 1501), rng.random(1501) < 0.2
    keys = picked.astype(kind)
    keys[nulls] = np.iinfo(kind).max
    coded = pa.DictionaryArray.from_arrays(pa.array(keys, mask=nulls), words, safe=False)
    values = words.take(pa.array(picked, mask=nulls))
    for first, count in ((0, 1501), (3, 512), (7, 1025), (701, 5)):
        rows = RowConverter([coded.type]).convert_columns([coded.slice(first, count)])
        assert rows.equals(RowConverter([words.type]).convert_columns([values.slice(first, count)]))


@needs_pool
@pytest.mark.skipif(kernels.BACKEND == "pure", reason="NumPy's memory")
@pytest.mark.parametrize("kind", [pa.int64(), pa.string()])
def test_memory_goes_round_while_one_result_is_held(kind: pa.DataType) -> None:
    column = pa.array(range(100_000)).cast(kind)
    converters = [RowConverter([kind]) for _ in range(3)]
    first, second = (converter.convert_columns([column]) for converter in converters[:2])
    place, held = first.buffers()[2].address, second.buffers()[2].address
    assert place != held
    del first
    third = converters[2].convert_columns([column])
    assert third.buffers()[2].address == place
    assert third.equals(second)
    few = RowConverter([kind]).convert_columns([column.slice(0, 10)])
    assert few.equals(second.slice(0, 10))


@pytest.mark.parametrize("kinds", [[pa.int64()], [pa.int8()], [pa.int64(), pa.int16()], [pa.int64()] * 5])
def test_positions_of_rows_of_equal_size_are_shared(kinds: list[pa.DataType]) -> None:
    """Those of longer, shorter and other rows before make no difference, nor do results that are held."""
    held = []
    for n in (70_000, 200_000, 66_000, 0, 9_000_000 if kinds == [pa.int8()] else 150_000, 80_000):
        column = np.arange(n) % 100
        rows = RowConverter(kinds).convert_columns([pa.array(column.astype(kind.to_pandas_dtype())) for kind in kinds])
        stride = sum(1 + kind.bit_width // 8 for kind in kinds)
        held.append((rows, np.arange(0, (n + 1) * stride, stride)))
    for rows, expected in held:
        assert np.array_equal(np.frombuffer(rows.buffers()[1], np.int64)[: len(rows) + 1], expected)


@pytest.mark.fuzz
def test_rows_beyond_two_gib() -> None:
    """64-bit positions all the way: 2.4 GB of rows, encoded, decoded in parts and compared."""
    text = pa.array(["x" * 1000, "y" * 999, None, ""] * 250)
    many = pa.chunked_array([text] * 4_600)
    convert = RowConverter([text.type])
    rows = convert.convert_columns([many])
    assert rows.buffers()[2].size > 2**31
    assert convert.convert_rows(rows.slice(len(rows) - 1000))[0].equals(text)
    at = len(rows) // 2 // 1000 * 1000
    assert convert.convert_rows(rows.slice(at, 1000))[0].equals(text)
    with pytest.raises(ValueError, match="32-bit"):
        convert.convert_rows(rows)
    large = RowConverter([pa.large_string()])
    back = large.convert_rows(rows)[0]
    assert back.slice(len(rows) - 1000).to_pylist() == text.to_pylist()
