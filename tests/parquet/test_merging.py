"""Row groups joined without decoding: what pyarrow reads and what is said of the pages stay the same."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError, parquet
from lakecodec.generated.parquet import SortingColumn
from lakecodec.parquet.chunk import locate
from lakecodec.parquet.pages import places

ROWS = 3000
TABLE = pa.table(
    {
        "n": pa.array(range(ROWS), pa.int64()),
        "u": pa.array([2**32 - 1 - i for i in range(ROWS)], pa.uint32()),
        "f": pa.array([None if i % 5 == 0 else float(i % 100) - 50 for i in range(ROWS)]),
        "t": pa.array([f"é{i:05}" for i in range(ROWS)]),
        "x": pa.array([Decimal(i - 1000) / 4 for i in range(ROWS)], pa.decimal128(20, 2)),
        "at": pa.array([datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=i) for i in range(ROWS)]),
        "none": pa.array([None] * ROWS, pa.string()),
        "s": pa.array([{"y": i, "z": None if i % 3 else "z"} for i in range(ROWS)]),
        "l": pa.array([[i] * (i % 3) for i in range(ROWS)]),
    }
)


def write(path: Path, table: pa.Table = TABLE, **options: Any) -> Path:
    options = {"use_dictionary": False, "write_page_index": True, **options}
    pq.write_table(table, path, row_group_size=300, max_rows_per_page=100, **options)
    return path


def bodies(path: Path, column: int, kinds: tuple[str, ...] = ("DATA_PAGE", "DATA_PAGE_V2")) -> list[bytes]:
    """Returns the bytes of a column's pages without their headers."""
    data, found = path.read_bytes(), []
    for number in range(len(parquet.read_metadata(path).row_groups)):
        for header, _, body in places(locate(path, number, column, None, None)):
            if header.type.name in kinds:
                found.append(data[body : body + header.compressed_page_size])
    return found


def check(old: Path, new: Path, table: pa.Table = TABLE) -> None:
    """The rows are the same for all readers, and so are the bytes of data pages."""
    assert pq.read_table(new) == table
    assert duckdb.sql(f"select * from read_parquet('{new}')").arrow().read_all().num_rows == table.num_rows
    assert pl.read_parquet(new).equals(pl.read_parquet(old))
    for column in range(len(parquet.read_metadata(old).row_groups[0].columns)):
        assert bodies(new, column) == bodies(old, column)
    assert [each for each in parquet.verify(new, deep=True) if each.is_error] == []


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_all_that_is_said_is_joined(version: str, compression: str, tmp_path: Path) -> None:
    old, new = write(tmp_path / "old.parquet", data_page_version=version, compression=compression), tmp_path / "new"
    report = parquet.merge_row_groups(old, new, max_rows=1000)
    assert (report.before, report.after, report.kept) == (10, 4, [])
    check(old, new)
    # Where pyarrow writes the same rows as one row group of the same pages, it says the same.
    pq.write_table(
        TABLE, tmp_path / "theirs", row_group_size=900, max_rows_per_page=100, use_dictionary=False,
        write_page_index=True, data_page_version=version, compression=compression,
    )  # fmt: skip
    ours, theirs = parquet.read_metadata(new), parquet.read_metadata(tmp_path / "theirs")
    assert [group.num_rows for group in ours.row_groups] == [900, 900, 900, 300]
    for number, (one, two) in enumerate(zip(ours.row_groups, theirs.row_groups, strict=True)):
        for column, (made, said) in enumerate(zip(one.columns, two.columns, strict=True)):
            # The deprecated bounds of decimals are not trusted, and so are left out.
            if said.meta_data.path_in_schema == ["x"]:
                for each in (made, said):
                    each.meta_data.statistics.min = each.meta_data.statistics.max = None
            if said.meta_data.path_in_schema != ["none"]:
                assert made.meta_data.statistics == said.meta_data.statistics
            assert made.meta_data.size_statistics == said.meta_data.size_statistics
            assert made.meta_data.num_values == said.meta_data.num_values
            index, found = parquet.page_index(new, number, column)
            their_index, their_places = parquet.page_index(tmp_path / "theirs", number, column)
            assert index == their_index
            assert [each.first_row_index for each in found.page_locations] == [
                each.first_row_index for each in their_places.page_locations
            ]
            assert found.unencoded_byte_array_data_bytes == their_places.unencoded_byte_array_data_bytes
    row = parquet.row_groups_with(new, "n", 2000).to_pylist()[0]
    assert (row["row_group"], row["rows"]) == (2, [{"start": 200, "stop": 300}])


def test_dictionaries(tmp_path: Path) -> None:
    words = pa.array(["a", "b", "c"] * 1000)
    changing = pa.array(["x" if i < 1000 else "y" for i in range(ROWS)])
    empty = pa.array([None if i < 600 else "z" for i in range(ROWS)], pa.string())
    table = pa.table({"words": words, "empty": empty})
    old, new = write(tmp_path / "old", table, use_dictionary=True), tmp_path / "new"
    assert parquet.merge_row_groups(old, new).after == 1
    check(old, new, table)
    # One dictionary is left, that with values, and the columns are smaller by the others.
    (kept,) = bodies(new, 0, ("DICTIONARY_PAGE",))
    assert bodies(old, 0, ("DICTIONARY_PAGE",)) == [kept] * 10
    assert bodies(new, 1, ("DICTIONARY_PAGE",)) == bodies(old, 1, ("DICTIONARY_PAGE",))[-1:]
    assert new.stat().st_size < old.stat().st_size
    stats = parquet.read_metadata(new).row_groups[0].columns[0].meta_data.encoding_stats
    assert {(each.page_type.name, each.count) for each in stats} == {("DICTIONARY_PAGE", 1), ("DATA_PAGE", 30)}
    table = table.append_column("changing", changing)
    old = write(tmp_path / "changing", table, use_dictionary=True)
    report = parquet.merge_row_groups(old, new)
    # Rows 900 to 1200 have both values.
    assert report.kept == [(3, "changing", "its dictionaries differ"), (4, "changing", "its dictionaries differ")]
    assert report.after == 3
    check(old, new, table)


def test_codecs_that_differ(tmp_path: Path) -> None:
    for name in ("none", "snappy"):
        write(tmp_path / name, TABLE.slice(0, 600), compression=name)
    parquet.concat([tmp_path / "none", tmp_path / "snappy"], tmp_path / "both")
    report = parquet.merge_row_groups(tmp_path / "both", tmp_path / "both")
    assert report.kept == [(2, "n", "its codecs differ")]
    assert report.after == 2
    assert pq.read_table(tmp_path / "both") == pa.concat_tables([TABLE.slice(0, 600)] * 2)


@pytest.mark.parametrize("rows", [(600, 600), (300, 1200, 300)])
def test_bloom_filters(rows: tuple[int, ...], tmp_path: Path) -> None:
    files, start = [], 0
    for number, count in enumerate(rows):
        files.append(tmp_path / str(number))
        part = TABLE.select(["t", "n"]).slice(start, count)
        pq.write_table(
            part,
            files[-1],
            use_dictionary=False,
            bloom_filter_options={"t": {"ndv": 2000, "fpp": 0.001}, "n": {"ndv": 100}},
        )
        start += count
    parquet.concat(files, tmp_path / "all")
    report = parquet.merge_row_groups(tmp_path / "all", tmp_path / "new")
    # Filters that were too small before would rule nothing out.
    assert report.lost == [(0, "n", "bloom_filter")]
    check(tmp_path / "all", tmp_path / "new", TABLE.select(["t", "n"]).slice(0, start))
    assert parquet.bloom_filter(tmp_path / "new", 0, "n") is None
    filters = [parquet.bloom_filter(path, 0, "t") for path in (*files, tmp_path / "new")]
    held, others = (TABLE["t"].slice(*place).to_pylist() for place in ((0, start), (start, 2000)))
    assert all(filters[-1].might_contain(value) for value in held)
    assert len(filters[-1].bitset) == max(len(each.bitset) for each in filters[:-1])
    # It has more values than it was made for.
    assert sum(map(filters[-1].might_contain, others)) < len(others) * 0.15
    assert duckdb.sql(f"select count(*) from read_parquet('{tmp_path / 'new'}') where t = 'é00700'").fetchall() == [
        (1,)
    ]


@pytest.mark.parametrize(
    ("names", "descending", "nulls_first", "kept"),
    [
        (["n", "t"], False, False, ["n", "t"]),
        (["same", "n"], False, False, ["same"]),
        (["down", "n"], True, True, ["down", "n"]),
        (["head", "n"], False, True, ["head", "n"]),
        (["tail", "n"], False, False, []),
        (["f", "n"], False, False, []),
    ],
)
def test_sorting_columns(
    names: list[str], descending: bool, nulls_first: bool, kept: list[str], tmp_path: Path
) -> None:
    table = pa.table(
        {
            "n": TABLE["n"],
            "t": TABLE["t"],
            "f": pa.array([float(i) for i in range(ROWS)]),
            "same": pa.array([i // 450 for i in range(ROWS)]),
            "down": pa.array([-i for i in range(ROWS)]),
            "head": pa.array([None if i < 10 else i for i in range(ROWS)]),
            # Nulls of the first row group are before values of the second.
            "tail": pa.array([None if 290 < i < 300 else i for i in range(ROWS)]),
        }
    )
    keys = [
        SortingColumn(column_idx=table.column_names.index(name), descending=descending, nulls_first=nulls_first)
        for name in names
    ]
    sorting = [pq.SortingColumn(each.column_idx, each.descending, each.nulls_first) for each in keys]
    old = write(tmp_path / "old", table, sorting_columns=sorting)
    parquet.merge_row_groups(old, tmp_path / "new")
    (group,) = parquet.read_metadata(tmp_path / "new").row_groups
    assert group.sorting_columns == ([each for each, name in zip(keys, names, strict=True) if name in kept] or None)


def test_limits_and_wrong_arguments(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old"), tmp_path / "new"
    assert parquet.merge_row_groups(old, new, max_rows=599).after == 10
    # Nothing is joined: the file is a copy with the same metadata.
    one, two = (parquet.read_metadata(path).row_groups[3].columns[2].meta_data for path in (old, new))
    assert one == two
    size = sum(chunk.meta_data.total_compressed_size for chunk in parquet.read_metadata(old).row_groups[0].columns)
    assert parquet.merge_row_groups(old, new, max_bytes=int(2.5 * size)).after == 5
    for name, value, error in (
        ("max_rows", 0, ValueError),
        ("max_bytes", "1", TypeError),
    ):
        with pytest.raises(error, match=name):
            parquet.merge_row_groups(old, new, **{name: value})
    before = new.read_bytes()
    data = bytearray(old.read_bytes())
    data[4:200] = b"\xff" * 196
    old.write_bytes(bytes(data))
    with pytest.raises(DecodeError):
        parquet.merge_row_groups(old, new)
    assert new.read_bytes() == before
