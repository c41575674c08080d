"""Sorting by row keys: the same order as pyarrow's, natively and in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.row import sort_indices, sort_table
from lakecodec.row.order import kernels, pure_sort

_VALUES: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.int8(): st.integers(-3, 3),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.float64(): st.sampled_from([0.0, -0.0, float("nan"), 1.5, float("-inf")]) | st.floats(),
    pa.string(): st.text("ab", max_size=40) | st.text(max_size=4),
    pa.bool_(): st.booleans(),
    pa.timestamp("us"): st.integers(0, 9),
}
KEYS = st.tuples(st.sampled_from(["ascending", "descending"]), st.sampled_from(["at_start", "at_end"]))


@st.composite
def cases(draw: st.DrawFn) -> tuple[pa.Table, list[tuple[str, str, str]]]:
    n = draw(st.integers(0, 40))
    columns, keys = {}, []
    for i, kind in enumerate(draw(st.lists(st.sampled_from(list(_VALUES)), min_size=1, max_size=3))):
        items = draw(st.lists(st.none() | _VALUES[kind], min_size=n, max_size=n))
        columns[f"c{i}"] = pa.array(items, kind)
        keys.append((f"c{i}", *draw(KEYS)))
    return pa.table(columns), keys


@settings(max_examples=300, deadline=None)
@given(cases())
def test_the_order_is_that_of_pyarrow(case: tuple[pa.Table, list[tuple[str, str, str]]]) -> None:
    table, keys = case
    assert sort_indices(table, keys).equals(pc.sort_indices(table, sort_keys=keys))


WHOLE = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
TIMES = [pa.date32(), pa.date64(), pa.time32("s"), pa.timestamp("ns"), pa.duration("us")]


@pytest.mark.parametrize("direction", ["ascending", "descending"])
@pytest.mark.parametrize("kind", WHOLE + TIMES, ids=str)
def test_whole_numbers_few_or_in_order_are_sorted_as_pyarrow_does(kind: pa.DataType, direction: str) -> None:
    rng = np.random.default_rng(3)
    width = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}[kind.bit_width]
    info = np.iinfo(width)
    for n in (1, 2, 7, 1023, 1024, 1025, 5001):
        any_bits = rng.integers(info.min, info.max, n, width, endpoint=True)
        shapes = [any_bits, np.sort(any_bits), np.sort(any_bits)[::-1], np.full(n, info.min), rng.integers(0, 10, n)]
        shapes += [info.max - rng.integers(0, min(4100, int(info.max)), n), np.arange(n) // 600]
        shapes += [np.append(np.sort(any_bits), any_bits[:1]), np.append(np.zeros(n, np.int64), info.max)]
        for numbers in shapes:
            column = pa.array(numbers.astype(width)).view(kind)
            for table in (pa.table({"a": column}), pa.table({"a": pa.chunked_array([column[2:], column[:3]])})):
                found = sort_indices(table, [("a", direction)])
                keyed = sort_indices(
                    table.append_column("b", pa.array(np.zeros(len(table), bool))), [("a", direction), "b"]
                )
                assert found.equals(pc.sort_indices(table, sort_keys=[("a", direction)]))
                assert found.equals(keyed)


def test_many_rows_with_ties_nulls_and_long_prefixes() -> None:
    rng = np.random.default_rng(3)
    n = 60_000
    text = pa.array([f"{'common prefix ' * 6}{value % 97:03d}" for value in rng.integers(0, 10**6, n)])
    numbers = pa.array(rng.integers(0, 50, n), mask=rng.random(n) < 0.2)
    table = pa.table({"t": text, "n": numbers})
    keys = [("n", "descending", "at_end"), ("t", "ascending", "at_end")]
    assert sort_indices(table, keys).equals(pc.sort_indices(table, sort_keys=keys))
    assert sort_table(table, keys).equals(table.take(pc.sort_indices(table, sort_keys=keys)))


@pytest.mark.parametrize("argsort", [kernels.argsort, pure_sort.argsort])
@settings(max_examples=200, deadline=None)
@given(rows=st.lists(st.binary(max_size=30) | st.text("\0a", max_size=70).map(str.encode), max_size=60))
def test_any_bytes_are_sorted_stably(argsort: Callable[..., Any], rows: list[bytes]) -> None:
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    data = np.frombuffer(b"".join(rows), np.uint8)
    assert argsort(data, offsets).tolist() == sorted(range(len(rows)), key=rows.__getitem__)


@pytest.mark.parametrize("values", [range(5000), range(5000, 0, -1), [7] * 5000, [1, *range(4999)]])
def test_sorted_reverse_and_constant_input(values: Any) -> None:
    table = pa.table({"a": list(values)})
    assert sort_indices(table, "a").equals(pc.sort_indices(table, sort_keys=[("a", "ascending")]))


@pytest.mark.parametrize("size", [1, 3, 8, 9, 17, 64, 65])
@pytest.mark.parametrize("bits", [0, 1, 5, 12, 13, 31, 32, 33, 63, 64, 65, 90])
def test_rows_of_one_size_of_which_few_bits_differ(size: int, bits: int) -> None:
    rng = np.random.default_rng(size * 100 + bits)
    rows = np.repeat(rng.integers(0, 256, (1, size), np.uint8), 3000, 0)
    for place in rng.permutation(8 * size)[:bits]:
        rows[:, place // 8] ^= (rng.integers(0, 2, 3000) << place % 8).astype(np.uint8)
    offsets = np.arange(3001, dtype=np.int64) * size
    listed = [row.tobytes() for row in rows]
    expected = sorted(range(3000), key=listed.__getitem__)
    assert kernels.argsort(rows.ravel(), offsets).tolist() == expected
    down = rows[expected[::-1]]
    listed = [row.tobytes() for row in down]
    assert kernels.argsort(down.ravel(), offsets).tolist() == sorted(range(3000), key=listed.__getitem__)


def test_a_table_in_order_is_returned_as_it_is() -> None:
    table = pa.table({"a": [1, 1, None], "v": pa.array(["x", "y", "z"], pa.string_view())})
    assert sort_table(table, "a") is table
    assert sort_table(table, "-a") is table
    assert sort_table(table, "-v")["v"].to_pylist() == ["z", "y", "x"]
    assert sort_table(table.slice(0, 0), "a").num_rows == 0


def test_nested_columns_can_be_sorted() -> None:
    table = pa.table({"a": [[2], [1, 5], None, [1]]})
    assert sort_indices(table, [("a", "ascending")]).to_pylist() == [3, 1, 0, 2]
    assert sort_indices(table, [("a", "ascending")], null_placement="at_start").to_pylist() == [2, 3, 1, 0]


def test_wrong_arguments_are_named() -> None:
    table = pa.table({"a": [1]})
    with pytest.raises(KeyError, match="sort_keys"):
        sort_indices(table, "b")
    with pytest.raises(ValueError, match="sort_keys"):
        sort_indices(table, [("a", "up")])
    with pytest.raises(ValueError, match="sort_keys"):
        sort_indices(table, [])
    with pytest.raises(ValueError, match="null_placement"):
        sort_indices(table, "a", null_placement="middle")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="table"):
        sort_indices([1], "a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no shape"):
        sort_indices(pa.table({"a": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int8()))}), "a")


@pytest.mark.parametrize("kind", ["numbers", "texts", "short texts", "pairs"])
@pytest.mark.parametrize("runs", [2, 3, 5, 16, 17])
def test_runs_in_order_are_merged(runs: int, kind: str) -> None:
    """Runs of different lengths, one of them of a single row, with equal rows in several of them."""
    rng = np.random.default_rng(runs)
    sizes = [1, *rng.integers(1, 400, runs - 1)]
    some = rng.integers(-(2**62), 2**62, 300)
    columns: list[list[Any]] = []
    for size in sizes:
        numbers = np.sort(rng.choice(some, size))
        texts = sorted("x" * int(n % 20) + f"{n:x}" for n in numbers)
        shown = {"texts": texts, "short texts": sorted(t[-3:] for t in texts)}
        columns.append(shown.get(kind, numbers.tolist()))
    values = [value for column in columns for value in column]
    table = pa.table({"a": values, "b": ["same"] * len(values)})
    keys = ["a", "b"] if kind == "pairs" else ["b", "a"] if kind == "texts" else ["a"]
    order = sort_indices(table, keys).to_pylist()
    assert order == sorted(range(len(values)), key=values.__getitem__), "Python's sort is stable"


def test_threads_put_the_columns_of_many_rows_in_order() -> None:
    n = 1 << 17
    rng = np.random.default_rng(1)
    table = pa.table(
        {
            "k": pa.array(rng.integers(0, 1000, n)),
            "text": pa.array(rng.integers(0, 50, n).astype(str)).dictionary_encode(),
            "view": pa.array(rng.integers(0, 50, n).astype(str)).cast(pa.string_view()),
            "list": pa.array([[i] if i % 3 else None for i in range(n)]),
        }
    )
    expected = table.drop_columns("view").take(pc.sort_indices(table, [("k", "ascending")]))
    sorted_table = sort_table(pa.concat_tables([table.slice(0, 1000), table.slice(1000)]), ["k"])
    assert sorted_table.drop_columns("view").equals(expected)
    assert (
        sorted_table["view"].cast(pa.string()).equals(table["view"].cast(pa.string()).take(pc.sort_indices(table["k"])))
    )
    sorted_table.validate(full=True)
    batch = sort_table(table.combine_chunks().to_batches()[0], ["k"])
    assert isinstance(batch, pa.RecordBatch)
    assert pa.table(batch).equals(sorted_table.combine_chunks())
