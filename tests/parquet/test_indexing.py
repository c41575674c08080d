"""Indexes added to files: equal to those that pyarrow writes for the same pages, and used by readers."""

from __future__ import annotations

import datetime
import io
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import fastparquet
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec import AbstractFileSystem

from lakecodec import parquet
from lakecodec.generated.parquet import ConvertedType, FieldRepetitionType, SchemaElement, Type
from lakecodec.parquet.chunk import locate
from lakecodec.parquet.decoded_pages import Layout, PageRows
from lakecodec.parquet.filter_building import FilterBuilder
from lakecodec.parquet.leaf_types import LeafType
from lakecodec.parquet.pages import places
from lakecodec.parquet.schema import leaves

ROWS = 5000
TABLE = pa.table(
    {
        "n": pa.array([i if i % 7 else None for i in range(ROWS)], pa.int64()),
        "down": pa.array([-i for i in range(ROWS)], pa.int32()),
        "u": pa.array([2**32 - 1 - i for i in range(ROWS)], pa.uint32()),
        "f": pa.array([float(i % 100) for i in range(ROWS)]),
        "t": pa.array([f"é{i:05}" for i in range(ROWS)]),
        "b": pa.array([i % 2 == 0 for i in range(ROWS)]),
        "d": pa.array([datetime.date(2000, 1, 1) + datetime.timedelta(i) for i in range(ROWS)]),
        "x": pa.array([Decimal(i) / 4 for i in range(ROWS)], pa.decimal128(20, 2)),
        "at": pa.array([datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=i) for i in range(ROWS)]),
        "none": pa.array([None] * ROWS, pa.string()),
        "s": pa.array([{"y": i, "z": None if i % 3 else "z"} for i in range(ROWS)]),
        "l": pa.array([[i] * (i % 3) for i in range(ROWS)]),
    }
)


def write(path: Path, **options: Any) -> Path:
    pq.write_table(TABLE, path, row_group_size=3000, data_page_size=2000, write_batch_size=200, **options)
    return path


def indexes(path: Path) -> list[tuple[Any, Any]]:
    metadata = parquet.read_metadata(path)
    return [
        parquet.page_index(path, row_group=number, column=column)
        for number, group in enumerate(metadata.row_groups)
        for column in range(len(group.columns))
    ]


@pytest.mark.parametrize(
    "options",
    [{"data_page_version": "2.0"}, {"use_dictionary": False, "data_page_version": "2.0"}, {"compression": "zstd"}],
    ids=str,
)
def test_parts_are_those_of_pyarrow(options: dict[str, Any], tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", write_statistics=False, **options)
    expected = write(tmp_path / "expected.parquet", write_page_index=True, **options)
    report = parquet.add_indexes(plain, tmp_path / "made.parquet")
    assert report.skipped == []
    for (index, found), (said_index, said_places) in zip(
        indexes(tmp_path / "made.parquet"), indexes(expected), strict=True
    ):
        # pyarrow does not count NaNs.
        assert index.nan_counts in (None, [0] * len(index.null_pages))
        index.nan_counts = None
        assert index == said_index
        # Pages with statistics in their headers are longer, so that their offsets are others.
        assert [each.first_row_index for each in found.page_locations] == [
            each.first_row_index for each in said_places.page_locations
        ]
        assert found.unencoded_byte_array_data_bytes == said_places.unencoded_byte_array_data_bytes
    made, said = parquet.read_metadata(tmp_path / "made.parquet"), parquet.read_metadata(expected)
    for ours, theirs in zip(made.row_groups, said.row_groups, strict=True):
        for one, other in zip(ours.columns, theirs.columns, strict=True):
            assert one.meta_data.statistics.nan_count == (0 if one.meta_data.path_in_schema == ["f"] else None)
            one.meta_data.statistics.nan_count = None
            assert one.meta_data.statistics == other.meta_data.statistics
            assert one.meta_data.size_statistics == other.meta_data.size_statistics
    assert pq.read_table(tmp_path / "made.parquet") == TABLE
    assert [each for each in parquet.verify(tmp_path / "made.parquet", deep=True) if each.is_error] == []
    start, end = 4, min(chunk.column_index_offset for group in made.row_groups for chunk in group.columns)
    assert (tmp_path / "made.parquet").read_bytes()[start:end] == plain.read_bytes()[start:end]


def test_first_version_of_pages(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", write_statistics=False)
    report = parquet.add_indexes(plain, plain, columns=["n", "l"], size_statistics=False)
    # Pages of lists begin with rows here: pyarrow ends them after some 2,000 bytes and whole batches of 150 rows.
    assert report.skipped == []
    assert {part for _, path, part in report.added if path == "n"} == {"statistics", "column_index", "offset_index"}
    _, places_of = parquet.page_index(plain, 0, "l.list.element")
    assert [each.first_row_index for each in places_of.page_locations][:3] == [0, 1050, 1950]
    found = parquet.row_groups_with(plain, "n", 4001)
    assert found["row_group"].to_pylist() == [1]
    assert pq.read_table(plain) == TABLE
    again = parquet.add_indexes(plain, plain, columns=["n"], size_statistics=False)
    assert again.added == []


def nested() -> pa.Table:
    """Lists of every kind that pages can begin within, some empty or null."""
    lists = [None if i % 7 == 3 else [i] * (i % 4) for i in range(2000)]
    certain = pa.field("certain", pa.list_(pa.field("element", pa.int32(), nullable=False)), nullable=False)
    table = pa.table(
        {
            "list": pa.array(lists, pa.list_(pa.int32())),
            "large": pa.array(lists, pa.large_list(pa.int32())),
            "twice": pa.array([None if i % 5 == 0 else [each, [], None] for i, each in enumerate(lists)]),
            "struct": pa.array([{"l": each} if each else None for each in lists]),
            "map": pa.array(
                [None if each is None else [(str(n), n) for n in range(len(each))] for each in lists],
                pa.map_(pa.string(), pa.int32()),
            ),
            "fixed": pa.array([None if i % 3 == 0 else [i, i + 1] for i in range(2000)], pa.list_(pa.int32(), 2)),
        }
    )
    table = table.append_column(certain, pa.array([each or [] for each in lists], certain.type))
    number = pa.field("number", pa.int64(), nullable=False)
    return table.append_column(number, pa.array(range(2000)))


def test_first_version_of_pages_of_lists(tmp_path: Path) -> None:
    plain, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    pq.write_table(
        nested(), plain, data_page_size=400, write_batch_size=50, use_dictionary=False, write_page_index=True
    )
    metas = [chunk.meta_data.size_statistics for chunk in parquet.read_metadata(plain).row_groups[0].columns]
    expected = [parquet.page_index(plain, 0, column) for column in range(9)]
    parquet.drop_indexes(plain, plain)

    def change(metadata: Any) -> None:
        for chunk in metadata.row_groups[0].columns:
            chunk.meta_data.size_statistics = None

    with_footer(plain, change)
    assert parquet.add_indexes(plain, made).skipped == []
    assert [chunk.meta_data.size_statistics for chunk in parquet.read_metadata(made).row_groups[0].columns] == metas
    for column, (index, places_of) in enumerate(expected):
        found, places_found = parquet.page_index(made, 0, column)
        assert found == index
        assert [each.first_row_index for each in places_found.page_locations] == [
            each.first_row_index for each in places_of.page_locations
        ]
        assert len(places_found.page_locations) > 4
    assert pq.read_table(made) == nested()
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []


def stripped(path: Path) -> list[Any]:
    """Takes page indexes, statistics and size statistics away, and returns what they were."""

    def change(metadata: Any) -> None:
        for chunk in metadata.row_groups[0].columns:
            meta = chunk.meta_data
            parts.append((meta.statistics, meta.size_statistics))
            meta.statistics = meta.size_statistics = None

    parts: list[Any] = []
    known = [
        parquet.page_index(path, 0, column) for column in range(len(parquet.read_metadata(path).row_groups[0].columns))
    ]
    parquet.drop_indexes(path, path)
    with_footer(path, change)
    return list(zip(known, parts, strict=True))


def parts_of(path: Path) -> list[Any]:
    columns = parquet.read_metadata(path).row_groups[0].columns
    metas = [chunk.meta_data for chunk in columns]
    return [
        (parquet.page_index(path, 0, column), (meta.statistics, meta.size_statistics))
        for column, meta in enumerate(metas)
    ]


def extension(kind: Any, values: list[Any]) -> pa.Array:
    return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))


LONG = "é" * 2500
#: Columns of types that only Arrow has, values too long for bounds, and chunks by content, which leave pages without rows.
UNUSUAL: dict[str, tuple[pa.Array, dict[str, Any]]] = {
    "json": (extension(pa.json_(), [f"{{}}{i % 90}" for i in range(900)]), {}),
    "bool8": (extension(pa.bool8(), [i % 2 for i in range(900)]), {}),
    "opaque": (extension(pa.opaque(pa.list_(pa.string()), "a", "b"), [[f"{i}"] * (i % 3) for i in range(900)]), {}),
    "tensor": (pa.FixedShapeTensorArray.from_numpy_ndarray(np.arange(3600, dtype=np.int32).reshape(900, 2, 2)), {}),
    "struct": (
        pa.StructArray.from_arrays(
            [extension(pa.uuid(), [i.to_bytes(16, "big") for i in range(900)])],
            ["x"],
            mask=pa.array([i % 3 == 0 for i in range(900)]),
        ),
        {},
    ),
    "view": (pa.array([f"a text of {i} values" for i in range(900)], pa.string_view()), {}),
    "bytes": (pa.array([None if i % 4 else b"bytes of %d values" % i for i in range(900)], pa.binary_view()), {}),
    "long maximum": (pa.array([LONG if i == 400 else f"{i}" for i in range(900)]), {}),
    "long minimum": (pa.array([f"z{i}" if i != 400 else "a" * 5000 for i in range(900)]), {}),
    "long ends": (pa.array([LONG if i % 2 else "a" * 5000 for i in range(900)]), {}),
    "chunks": (pa.array([[i * 7919 % 251] * (i % 3) for i in range(900)]), {"use_content_defined_chunking": True}),
}


@pytest.mark.parametrize("use_dictionary", [False, True])
@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_columns(name: str, use_dictionary: bool, tmp_path: Path) -> None:
    plain, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    array, options = UNUSUAL[name]
    table = pa.table({"a": array})
    pq.write_table(
        table, plain, data_page_size=100, write_batch_size=1 if options else 20, use_dictionary=use_dictionary,
        write_page_index=True, data_page_version="2.0", **options,
    )  # fmt: skip
    expected = stripped(plain)
    parquet.add_indexes(plain, made)
    assert parts_of(made) == expected
    assert pq.read_table(made) == pq.read_table(plain)
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []


@pytest.mark.parametrize("kind", ["bare", "bare group", "two levels"])
def test_lists_that_arrow_has_more_nulls_for(kind: str, tmp_path: Path) -> None:
    path, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    lists = [[i] * (i % 4) for i in range(500)]
    element = pa.field("element", pa.int32(), nullable=False)
    both = pa.struct([pa.field("x", pa.int32()), pa.field("y", pa.int32(), nullable=False)])
    whole = pa.field("element", both, nullable=False)
    array = {
        "bare": pa.array(lists, pa.list_(element)),
        "two levels": pa.array([each if len(each) < 3 else None for each in lists], pa.list_(element)),
        "bare group": pa.array([[{"x": n % 3 or None, "y": 1} for n in each] for each in lists], pa.list_(whole)),
    }[kind]
    schema = pa.schema([pa.field("a", array.type, nullable=kind == "two levels")])
    pq.write_table(
        pa.table([array], schema=schema), path, write_page_index=True, data_page_size=100, write_batch_size=20
    )

    def change(metadata: Any) -> None:
        """Leaves out elements of the schema that do not count as levels, so that the pages stay valid."""
        elements, out = metadata.schema, {"two levels": (2,)}.get(kind, (1, 2) if kind == "bare" else (1, 3))
        metadata.key_value_metadata = None
        elements[2].num_children = elements[-1].num_children if kind != "bare group" else 2
        if kind in ("bare", "two levels"):
            elements[3].repetition_type = FieldRepetitionType.REPEATED
        metadata.schema = [each for number, each in enumerate(elements) if number not in out]
        for chunk in metadata.row_groups[0].columns:
            names = chunk.meta_data.path_in_schema
            chunk.meta_data.path_in_schema = [each for number, each in enumerate(names) if number + 1 not in out]

    with_footer(path, change)
    table, expected = pq.read_table(path), stripped(path)
    assert parquet.add_indexes(path, made).skipped == []
    assert parts_of(made) == expected
    assert pq.read_table(made) == table


def test_pages_that_begin_within_rows() -> None:
    lists = pa.array([[1, 2], None, [], [3, 4, 5], [6]])
    layout = Layout([], [3, 4, 1], True, 8, False, 2)

    def rows(*counts: int) -> tuple[list[list[Any]], list[int], str | None]:
        batches = [pa.record_batch({"l": lists[at : at + 2]}) for at in (0, 2, 4)]
        pages = PageRows(batches, replace(layout, counts=list(counts)))
        return [page.to_pylist() for page in pages], pages.starts, pages.trouble

    assert rows(3, 4, 1) == ([[[1, 2], None], [[], [3, 4, 5]], [[6]]], [0, 2, 4], None)
    assert rows(0, 3, 0, 0, 5, 0) == (
        [[], [[1, 2], None], [], [], [[], [3, 4, 5], [6]], []],
        [0, 0, 2, 2, 2, 5],
        None,
    )
    assert rows(2, 6) == ([[[1, 2]], [None, [], [3, 4, 5], [6]]], [0, 1], None)
    for counts, reason in (
        ((3, 2, 3), "pages begin within rows"),
        ((3, 4), "pages have fewer rows than the row group"),
        ((3, 4, 2), "pages have more rows than the row group"),
    ):
        found, _, trouble = rows(*counts)
        assert (list(chain(*found)), trouble) == (lists.to_pylist(), reason)


def test_counts_of_nans(tmp_path: Path) -> None:
    plain, made, nan = tmp_path / "plain.parquet", tmp_path / "made.parquet", float("nan")
    halves = np.array([0.5, 1.5, nan, -0.0] * 250, np.float16)
    table = pa.table(
        {
            "f": pa.array([nan if i % 300 == 7 else None if i % 5 == 0 else float(i) for i in range(1000)]),
            "all": pa.array([nan if i < 200 else float(i) for i in range(1000)], pa.float32()),
            "l": pa.array([[nan, 1.0], None, [], [2.0]] * 250),
            "h": pa.array(halves),
        }
    )
    pq.write_table(table, plain, write_page_index=False, data_page_version="2.0", max_rows_per_page=200)
    parquet.add_indexes(plain, made)
    counts = [chunk.meta_data.statistics.nan_count for chunk in parquet.read_metadata(made).row_groups[0].columns]
    assert counts == [4, 200, 250, 250]
    assert parquet.page_index(made, 0, "f")[0].nan_counts == [1, 1, 0, 1, 1]
    assert parquet.page_index(made, 0, "h")[0].nan_counts == [50] * 5
    # A page of nothing but NaN has no bounds, without which there is no column index.
    assert parquet.page_index(made, 0, "all")[0] is None
    assert parquet.row_groups_with(made, "f", nan)["pages"].to_pylist() == [[0, 1, 3, 4]]
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []


def with_footer(path: Path, change: Callable[[Any], None]) -> None:
    """Writes a file's footer anew."""
    metadata = parquet.read_metadata(path)
    change(metadata)
    data = path.read_bytes()
    path.write_bytes(data[: -8 - int.from_bytes(data[-8:-4], "little")] + bytes(parquet.write_metadata(metadata)))


def statistics_of(path: Path) -> list[Any]:
    return [chunk.meta_data.statistics for group in parquet.read_metadata(path).row_groups for chunk in group.columns]


def test_statistics_that_lack_fields(tmp_path: Path) -> None:
    whole, path = write(tmp_path / "whole.parquet"), tmp_path / "path.parquet"
    parquet.add_indexes(whole, whole, page_index=False)
    said = statistics_of(whole)
    shorter = {"t": ("é0", "é9")}

    def change(metadata: Any) -> None:
        for group in metadata.row_groups:
            for chunk in group.columns:
                each = chunk.meta_data.statistics
                each.nan_count = each.is_min_value_exact = each.is_max_value_exact = None
                if chunk.meta_data.path_in_schema == ["d"]:
                    each.null_count = each.min_value = each.max_value = each.min = each.max = None
                for low, high in [shorter[name] for name in chunk.meta_data.path_in_schema if name in shorter]:
                    each.min_value, each.max_value = low.encode(), high.encode()

    path.write_bytes(whole.read_bytes())
    with_footer(path, change)
    assert statistics_of(path) != said
    report = parquet.add_indexes(path, path, page_index=False)
    assert {part for _, _, part in report.added} == {"statistics"}
    names = [path for path, _ in leaves(parquet.read_metadata(whole).schema)]
    for name, ours, theirs in zip(names * 2, statistics_of(path), said, strict=True):
        if name == "t":
            assert (ours.min_value, ours.is_min_value_exact) == ("é0".encode(), False)
            assert (ours.max_value, ours.is_max_value_exact) == ("é9".encode(), False)
        elif name == "d":
            assert (ours.null_count, ours.min_value, ours.max_value) == (0, theirs.min_value, theirs.max_value)
            assert ours.is_min_value_exact is ours.is_max_value_exact is True
        else:
            assert ours == theirs
    assert parquet.add_indexes(path, path, page_index=False).added == []
    assert [each for each in parquet.verify(path, deep=True) if each.is_error] == []


def test_files_without_an_order_of_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "plain.parquet", write_statistics=False)

    def change(metadata: Any) -> None:
        metadata.column_orders = None

    with_footer(path, change)
    parquet.add_indexes(path, tmp_path / "made.parquet", columns=["n"])
    # Bounds would mean nothing otherwise.
    assert {order.kind for order in parquet.read_metadata(tmp_path / "made.parquet").column_orders} == {"TYPE_ORDER"}
    path = write(tmp_path / "plain.parquet")
    with_footer(path, change)
    report = parquet.add_indexes(path, tmp_path / "made.parquet", columns=["f"])
    # Those that are there would get an order that nobody meant.
    assert parquet.read_metadata(tmp_path / "made.parquet").column_orders is None
    assert {part for _, _, part in report.added} == {"statistics", "offset_index"}
    assert report.skipped[0] == (0, "f", "columns without an order have no column index")


def test_types_of_other_writers(tmp_path: Path) -> None:
    path, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    duckdb.sql(
        f"""copy (select (i / 4)::decimal(20, 2) as wide, (i / 8)::decimal(4, 1) as small, [i::decimal(30, 3)] as l,
        interval (i) day as span, uuid() as id, i::utinyint as u from range(250) t(i)) to '{path}' (format parquet)"""
    )
    parquet.drop_indexes(path, path)

    def change(metadata: Any) -> None:
        for group in metadata.row_groups:
            for chunk in group.columns:
                said[tuple(chunk.meta_data.path_in_schema)] = chunk.meta_data.statistics
                chunk.meta_data.statistics = None

    said: dict[tuple[str, ...], Any] = {}
    with_footer(path, change)
    report = parquet.add_indexes(path, made, bloom=["wide", "small", "l"])
    assert [(column, reason) for _, column, reason in report.skipped] == [
        ("span", "columns without an order have no column index")
    ]
    for chunk in parquet.read_metadata(made).row_groups[0].columns:
        ours, theirs = chunk.meta_data.statistics, said[tuple(chunk.meta_data.path_in_schema)]
        if chunk.meta_data.path_in_schema == ["span"]:
            assert (ours.min_value, ours.max_value, ours.null_count) == (None, None, 0)
        elif chunk.meta_data.path_in_schema[0] != "id":
            assert (ours.min_value, ours.max_value) == (theirs.min_value, theirs.max_value), chunk
    for column, value in (("wide", Decimal("0.25")), ("small", Decimal("1.5"))):
        assert parquet.row_groups_with(made, column, value)["decided_by"].to_pylist() == ["bloom filter"]
        assert not parquet.bloom_filter(made, 0, column).might_contain(Decimal(90))
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []
    moments = pa.table({"at": pa.array([1, None, 3], pa.timestamp("us"))})
    pq.write_table(moments, path, use_deprecated_int96_timestamps=True, write_statistics=False)
    report = parquet.add_indexes(path, made, bloom=["at"])
    assert [reason for _, _, reason in report.skipped] == [
        "columns of INT96 get no Bloom filter",
        "columns without an order have no column index",
    ]
    assert statistics_of(made)[0].null_count == 1
    assert parquet.page_index(made, 0, "at")[1] is not None


SORTED = {
    "up": pa.array(range(40_000)),
    "down": pa.array([-i // 2 for i in range(40_000)]),
    "group": pa.array([i // 5000 for i in range(40_000)]),
    "head": pa.array([None if i < 20_000 else i for i in range(40_000)]),
    "tail": pa.array([None if i >= 20_000 else f"{i:05}" for i in range(40_000)]),
    "both": pa.array([None if i % 20_000 == 7 else i for i in range(40_000)]),
    "mixed": pa.array([i % 5000 if i % 5000 < 4990 else None for i in range(40_000)]),
    "late": pa.array([i if i != 39_999 else 0 for i in range(40_000)]),
    # The only step down is between two batches of rows.
    "edge": pa.array([i if i < 1 << 14 else i - 5 for i in range(40_000)]),
    "nan": pa.array([float(i) for i in range(39_999)] + [float("nan")]),
    "s": pa.array([{"x": None if i < 5 else Decimal(i)} for i in range(40_000)]),
    "l": pa.array([[1]] * 40_000),
    "flag": pa.array([i > 9 for i in range(40_000)]),
    "fixed": pa.array([i.to_bytes(4, "big") for i in range(40_000)], pa.binary(4)),
}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["up"], [(0, False, False)]),
        (["group", "-down"], [(2, False, False), (1, True, False)]),
        (["group", "down"], "rows do not ascend by down"),
        (["-down", "up"], [(1, True, False), (0, False, False)]),
        (["group", "mixed"], [(2, False, False), (6, False, False)]),
        (["mixed"], "nulls of mixed are before and after values"),
        (["head"], [(3, False, True)]),
        (["tail"], [(4, False, False)]),
        (["both"], "nulls of both are before and after values"),
        (["late"], "rows do not ascend by late"),
        (["edge"], "rows do not ascend by edge"),
        (["nan"], "nan has NaNs, which have no place in the order"),
        (["s.x", "up"], [(10, False, True), (0, False, False)]),
        (["flag", "fixed"], [(12, False, False), (13, False, False)]),
    ],
    ids=str,
)
def test_sorting_columns_where_true(keys: list[str], expected: Any, tmp_path: Path) -> None:
    path = tmp_path / "sorted.parquet"
    names = sorted({key.removeprefix("-").partition(".")[0] for key in keys} | {"l"}, key=list(SORTED).index)
    pq.write_table(pa.table({name: SORTED[name] for name in names}), path)
    report = parquet.add_indexes(path, path, columns=[], sorted_by=keys)
    found = parquet.read_metadata(path).row_groups[0].sorting_columns
    if isinstance(expected, str):
        assert found is None
        assert report.skipped == [(0, keys[0].removeprefix("-"), expected)]
    else:
        numbers = [list(SORTED).index(name) for name in names]
        assert [(numbers[each.column_idx], each.descending, each.nulls_first) for each in found] == expected
        assert report.added == [(0, keys[0].removeprefix("-"), "sorting_columns")]
        assert pq.read_metadata(path).row_group(0).sorting_columns != ()
        # What the file says is kept.
        again = parquet.add_indexes(path, path, columns=[], sorted_by=keys)
        assert again.added == again.skipped == []
        other = [key.removeprefix("-") if key[0] == "-" else f"-{key}" for key in keys]
        skipped = parquet.add_indexes(path, path, columns=[], sorted_by=other).skipped
        assert skipped == [(0, keys[0].removeprefix("-"), "the file names another order")]
        assert parquet.read_metadata(path).row_groups[0].sorting_columns == found
    for key, error in (("l.list.element", ValueError), ("zz", KeyError), (1, TypeError)):
        with pytest.raises(error, match="sorted_by"):
            parquet.add_indexes(path, path, sorted_by=[key])
    with pytest.raises(TypeError, match="sorted_by"):
        parquet.add_indexes(path, path, sorted_by="up")


@pytest.mark.parametrize("count", [1, 30, 1000, 1800, 20_000, 300_000])
def test_bloom_filters_are_those_of_pyarrow(count: int, tmp_path: Path) -> None:
    plain, made, expected = (tmp_path / f"{name}.parquet" for name in ("plain", "made", "expected"))
    table = pa.table({"n": [i % count * 31 for i in range(max(5000, count))]})
    pq.write_table(table, plain)
    # pyarrow makes filters as small as the values that they got allow.
    pq.write_table(table, expected, bloom_filter_options={"n": {"ndv": max(5000, count), "fpp": 0.01}})
    parquet.add_indexes(plain, made, columns=[], bloom=["n"])
    ours, theirs = (parquet.bloom_filter(path, 0, "n").bitset for path in (made, expected))
    assert len(ours) == len(theirs)
    assert ours == theirs


#: Adds everything to a file of one row group, and prints the most bytes that Arrow and Python had at a time.
MEMORY = """
import sys, tracemalloc
import pyarrow as pa
from lakecodec import parquet
from lakecodec.generated.parquet import ConvertedType, FieldRepetitionType, SchemaElement, Type

small, large, target = sys.argv[1:]
options = {"checksums": True, "sorted_by": ["n"]}
parquet.add_indexes(small, target, **options)
tracemalloc.start()
before = pa.default_memory_pool().max_memory()
parquet.add_indexes(large, target, **options)
print(pa.default_memory_pool().max_memory(), before, tracemalloc.get_traced_memory()[1])
"""


@pytest.mark.parametrize("use_dictionary", [False, True])
def test_memory_is_that_of_a_page(use_dictionary: bool, tmp_path: Path) -> None:
    rows = 1 << 21
    numbers = np.arange(rows)
    table = pa.table({"n": numbers, "x": numbers * 0.5, "k": pa.array(numbers % 1000).cast(pa.string())})
    paths = [tmp_path / name for name in ("small.parquet", "large.parquet", "made.parquet")]
    for path, count in zip(paths, (1000, rows), strict=False):
        pq.write_table(table.slice(0, count), path, use_dictionary=use_dictionary and ["k"], row_group_size=rows)
    assert pq.read_metadata(paths[1]).num_row_groups == 1
    done = subprocess.run([sys.executable, "-c", MEMORY, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    arrow, _, python = map(int, done.stdout.split())
    # A column chunk of numbers has 16 MB, a page 1 MB at most.
    assert table["n"].nbytes == 16 << 20
    assert arrow < 10 << 20
    assert python < 6 << 20


@pytest.mark.parametrize("column", ["n", "t", "x", "d", "at", "f"])
def test_bloom_filters(column: str, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet")
    parquet.add_indexes(plain, tmp_path / "made.parquet", bloom=[column], columns=[])
    made = tmp_path / "made.parquet"
    bloom = parquet.bloom_filter(made, 0, column)
    assert bloom is not None
    values = [each for each in TABLE[column].slice(0, 3000).to_pylist() if each is not None]
    assert all(bloom.might_contain(each) for each in values[:200])
    others = {each for each in TABLE[column].slice(3000).to_pylist() if each is not None} - set(values)
    assert sum(bloom.might_contain(each) for each in others) <= len(others) * 0.05
    assert parquet.read_metadata(made).row_groups[0].columns[0].column_index_offset is None
    if column in ("n", "t"):
        value = "4001" if column == "n" else "'é04001'"
        assert duckdb.sql(f"select count(*) from '{made}' where {column} = {value}").fetchall() == [(1,)]


def test_wrong_arguments_and_an_old_file(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet")
    before = plain.read_bytes()
    with pytest.raises(KeyError, match="zz"):
        parquet.add_indexes(plain, plain, columns=["zz"])
    with pytest.raises(TypeError, match="bloom"):
        parquet.add_indexes(plain, plain, bloom="n")
    data = bytearray(before)
    data[200:2000] = b"\xff" * 1800
    plain.write_bytes(bytes(data))
    with pytest.raises((ValueError, OSError)):
        parquet.add_indexes(plain, plain)
    assert plain.read_bytes() == bytes(data)
    assert [path.name for path in tmp_path.iterdir()] == ["plain.parquet"]


def bodies(path: Path) -> list[bytes]:
    """Returns the bytes of all pages without their headers."""
    data, found = path.read_bytes(), []
    for number, group in enumerate(parquet.read_metadata(path).row_groups):
        for column in range(len(group.columns)):
            chunk = locate(path, number, column, None, None)
            found += [data[body : body + header.compressed_page_size] for header, _, body in places(chunk)]
    return found


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("has_indexes", [False, True])
def test_checksums(version: str, has_indexes: bool, tmp_path: Path) -> None:
    plain, made = (
        write(tmp_path / "plain.parquet", data_page_version=version, write_page_index=has_indexes),
        tmp_path / "m.parquet",
    )
    bloom = ["n"]
    parquet.add_indexes(plain, made, checksums=True, bloom=bloom)
    headers = [
        header
        for number, group in enumerate(parquet.read_metadata(made).row_groups)
        for column in range(len(group.columns))
        for header in parquet.page_headers(made, number, column)
    ]
    assert all(header.crc is not None for header in headers)
    # Both signs occur, whose numbers of bytes differ.
    assert {header.crc > 0 for header in headers} == {True, False}
    assert bodies(made) == bodies(plain)
    assert pq.read_table(made, page_checksum_verification=True) == TABLE
    assert duckdb.sql(f"select count(*) from '{made}' where n = 4001").fetchall() == [(1,)]
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []
    # The indexes are those of the same file without checksums, and its pages are where they say.
    parquet.add_indexes(plain, tmp_path / "without", bloom=bloom)
    assert [index for index, _ in indexes(made)] == [index for index, _ in indexes(tmp_path / "without")]
    assert parquet.add_indexes(made, made, checksums=True, bloom=bloom).added == []
    # Where a page is changed, both find it.
    data = bytearray(made.read_bytes())
    place = data.index(bodies(made)[1])
    data[place + 3] ^= 1
    made.write_bytes(bytes(data))
    assert any(each.kind == "checksum" for each in parquet.verify(made, deep=True))
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(made, page_checksum_verification=True)


def test_checksums_of_some_columns_and_those_that_are_there(tmp_path: Path) -> None:
    plain, made = write(tmp_path / "plain.parquet"), tmp_path / "made.parquet"
    report = parquet.add_indexes(
        plain, made, columns=["t"], checksums=True, statistics=False, page_index=False, size_statistics=False
    )
    assert report.added == [(0, "t", "checksums"), (1, "t", "checksums")]
    assert [header.crc for header in parquet.page_headers(made, 0, "n")] == [None] * len(
        list(parquet.page_headers(plain, 0, "n"))
    )
    assert pq.read_table(made, page_checksum_verification=True) == TABLE
    theirs = write(tmp_path / "theirs.parquet", write_page_checksum=True)
    said = list(parquet.page_headers(theirs, 0, "n"))
    parquet.add_indexes(plain, made, checksums=True)
    assert [header.crc for header in parquet.page_headers(made, 0, "n")] == [header.crc for header in said]
    assert all(part != "checksums" for _, _, part in parquet.add_indexes(theirs, made, checksums=True).added)


class Counted(io.RawIOBase):
    """A file that counts the bytes read from it."""

    def __init__(self, path: Path) -> None:
        self._data = io.BytesIO(path.read_bytes())
        self.count = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._data.seek(offset, whence)

    def tell(self) -> int:
        return self._data.tell()

    def read(self, size: int = -1) -> bytes:
        data = self._data.read(size)
        self.count += len(data)
        return data


class CountedFiles(AbstractFileSystem):  # type: ignore[misc]
    """Counts what DuckDB reads."""

    protocol = "counted"
    cachable = False

    def __init__(self, files: dict[str, Path]) -> None:
        super().__init__()
        self._files, self.opened = files, []

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        self.opened.append(Counted(self._files[self._strip_protocol(path)]))
        return self.opened[-1]

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        name = self._strip_protocol(path)
        return {"name": name, "size": self._files[name].stat().st_size, "type": "file"}

    def modified(self, path: str) -> datetime.datetime:
        return datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


def read_by_duckdb(path: Path, where: str) -> tuple[list[Any], int]:
    files = CountedFiles({"file.parquet": path})
    with duckdb.connect() as connection:
        connection.register_filesystem(files)
        connection.execute("set threads = 1")
        rows = connection.sql(f"select * from 'counted://file.parquet' where {where}").fetchall()
    return rows, sum(each.count for each in files.opened)


def test_readers_skip_row_groups(tmp_path: Path) -> None:
    count = 80_000
    table = pa.table(
        {
            "n": range(count),
            "text": [f"{i * 7919 % count:06}" for i in range(count)],
            "x": [i * 0.7 for i in range(count)],
        }
    )
    plain, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    pq.write_table(table, plain, row_group_size=count // 8, write_statistics=False, compression="none")
    parquet.add_indexes(plain, made, bloom=["text"])
    # Values of n are in one row group each; those of text are all over, so that only Bloom filters tell.
    for where in ("n = 70000", f"text = '{7919 * 70000 % count:06}'"):
        (rows, before), (same, after) = read_by_duckdb(plain, where), read_by_duckdb(made, where)
        assert rows == same == [tuple(table.slice(70000, 1).to_pylist()[0].values())]
        assert after < before / 2, where
    read = []
    for path in (plain, made):
        file = Counted(path)
        found = pq.read_table(file, filters=[("n", "=", 70000)], pre_buffer=False)
        assert found["x"].to_pylist() == [70000 * 0.7]
        read.append(file.count)
    assert read[1] < read[0] / 2


def test_pages_that_cannot_be_decoded(tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    pq.write_table(TABLE.select(["t"]), path, compression="zstd", use_dictionary=False, write_statistics=False)
    data = bytearray(path.read_bytes())
    body = data.index(b"\x28\xb5\x2f\xfd")
    data[body + 20 : body + 200] = bytes(180)
    path.write_bytes(bytes(data))
    for options in ({}, {"page_index": False, "statistics": False, "bloom": ["t"]}):
        with pytest.raises((ValueError, OSError)):
            parquet.add_indexes(path, path, **options)
    assert path.read_bytes() == bytes(data)


def test_decimals_of_any_size(tmp_path: Path) -> None:
    """BYTE_ARRAY holds decimals too, and few write them: their statistics are numbers of nulls."""
    path, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    pq.write_table(pa.table({"x": [b"\x01", b"\xff\x00", None]}), path, write_statistics=False, store_schema=False)

    def change(metadata: Any) -> None:
        element = metadata.schema[1]
        element.converted_type, element.scale, element.precision = ConvertedType.DECIMAL, 1, 5

    with_footer(path, change)
    assert pq.read_table(path)["x"].to_pylist() == [Decimal("0.1"), Decimal("-25.6"), None]
    report = parquet.add_indexes(path, made, bloom=["x"])
    assert [reason for _, _, reason in report.skipped] == [
        "DECIMAL of BYTE_ARRAY get no Bloom filter",
        "pages without a minimum or maximum have no column index",
    ]
    (said,) = statistics_of(made)
    assert (said.null_count, said.min_value) == (1, None)
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []


def test_lengths_of_types_that_have_their_own(tmp_path: Path) -> None:
    """fastparquet gives 64-bit numbers a type_length of 64."""
    path = tmp_path / "plain.parquet"
    fastparquet.write(str(path), pd.DataFrame({"a": range(300), "x": [i / 7 for i in range(300)]}), stats=False)
    assert {element.type_length for element in parquet.read_metadata(path).schema[1:]} == {64}
    report = parquet.add_indexes(path, path, bloom=["a", "x"])
    assert report.skipped == []
    assert {part for _, _, part in report.added} >= {"statistics", "bloom_filter", "column_index"}
    assert parquet.row_groups_with(path, "x", 200 / 7)["decided_by"].to_pylist() == ["bloom filter"]


def test_values_that_python_has_no_type_for(tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    table = pa.table(
        {
            "far": pa.array([1, 2**62], pa.timestamp("us")),
            "fine": pa.array([1, 10**18 + 1], pa.timestamp("ns")),
            "clock": pa.array([1, 1001], pa.time64("ns")),
            "day": pa.array([1, 2**30], pa.date32()),
        }
    )
    pq.write_table(table, path, store_schema=False)
    parquet.add_indexes(path, path, bloom=table.column_names)
    assert parquet.verify(path, deep=True) == []

    def change(metadata: Any) -> None:
        for chunk in metadata.row_groups[0].columns:
            chunk.meta_data.statistics.max_value = chunk.meta_data.statistics.min_value

    with_footer(path, change)
    rules = [each.rule for each in parquet.verify(path, deep=True) if "page" not in each.rule]
    assert [rule.partition(" a value is ")[2] for rule in rules] == [
        "<value out of range: 4611686018427387904>",
        "2001-09-09 01:46:40.000000001",
        "00:00:00.000001001",
        "<value out of range: 1073741824>",
    ]


def test_memory_of_a_filter() -> None:
    """Values are not kept: the filter takes two bytes per value here, its copies in the end as much."""
    distinct = 1 << 20
    numbers = pa.array(np.arange(distinct))
    tracemalloc.start()
    try:
        builder = FilterBuilder(LeafType(SchemaElement(name="n", type=Type.INT64)), distinct)
        for start in range(0, distinct, 1 << 15):
            builder.add(numbers[start : start + (1 << 15)])
        assert len(builder.finish()) > 1 << 20
        assert tracemalloc.get_traced_memory()[1] < 4.5 * distinct
    finally:
        tracemalloc.stop()


def test_decimals_of_all_widths_in_filters(tmp_path: Path) -> None:
    """Arrow's decimals have 16 or 32 bytes, those of files as many as their writer chose."""
    for width in (1, 4, 7, 8, 15, 16, 17, 31, 32):
        numbers = [0, 1, -1, *(sign * (10 ** (width * 2) - 9) for sign in (1, -1) if width > 1)]
        raw = pa.array([number.to_bytes(width, "big", signed=True) for number in numbers], pa.binary(width))
        plain = tmp_path / "plain.parquet"
        pq.write_table(pa.table({"x": raw, "l": [[1]] * len(raw)}), plain, write_statistics=False, store_schema=False)

        def change(metadata: Any, precision: int = max(1, width * 2) + 8 * (width > 16)) -> None:
            element = metadata.schema[1]
            element.converted_type, element.scale, element.precision = ConvertedType.DECIMAL, 0, precision

        parquet.add_indexes(plain, tmp_path / "raw.parquet", bloom=["x"])
        with_footer(plain, change)
        parquet.add_indexes(plain, tmp_path / "made.parquet", bloom=["x"])
        found, wanted = (parquet.bloom_filter(tmp_path / f"{name}.parquet", 0, "x") for name in ("made", "raw"))
        assert found is not None
        assert wanted is not None
        assert found.bitset == wanted.bitset, width


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False, "compression": "none"}], ids=str)
def test_texts_that_are_not_utf_8(options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    raw = pa.array([b"\xff\xfe", b"abc", b"\xc3"])
    inner = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    table = pa.table({"s": inner, "l": pa.ListArray.from_arrays([0, 1, 1, 3], inner)})
    pq.write_table(table, path, write_page_index=True, **options)
    expected = stripped(path)
    parquet.add_indexes(path, path, bloom=["s"])
    assert [(index, metas) for (index, _), metas in parts_of(path)] == [
        (index, metas) for (index, _), metas in expected
    ]
    assert parquet.row_groups_with(path, "s", "abc").num_rows == 1
