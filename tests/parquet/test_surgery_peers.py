"""Files of every writer, changed without decoding: every reader finds the data of the original, pages keep their bytes."""

from __future__ import annotations

import datetime
import hashlib
import os
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import (
    BoundingBox,
    EdgeInterpolationAlgorithm,
    FileMetaData,
    GeographyType,
    GeospatialStatistics,
    LogicalType,
)
from lakecodec.parquet.chunk import locate
from lakecodec.parquet.pages import is_old, missing_bytes, page_range
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.ranges import open_ranges
from tests.parquet.files import ARROW_FILES, arrow_file
from tests.parquet.test_surgery_damaged import with_footer

DAYS = [datetime.date(2024, 1, 1) + datetime.timedelta(days=n) for n in range(500)]
TABLE = pa.table(
    {
        "id": pa.array(range(500), pa.int64()),
        "text": [None if n % 7 == 0 else f"é {n % 30}" for n in range(500)],
        "x": pa.array([None if n % 5 == 0 else n / 3 for n in range(500)], pa.float64()),
        "flag": [n % 3 == 0 for n in range(500)],
        "day": pa.array(DAYS),
        "price": pa.array([Decimal(n).scaleb(-2) for n in range(500)], pa.decimal128(9, 2)),
        "list": pa.array([list(range(n % 4)) for n in range(500)], pa.list_(pa.int64())),
    }
)
FLAT = ["id", "text", "x", "flag"]


def by_pyarrow(path: Path) -> None:
    filters = {"id": True, "text": {"ndv": 40}}
    pq.write_table(
        TABLE, path, row_group_size=200, write_page_index=True, max_rows_per_page=50, bloom_filter_options=filters
    )


def by_polars(path: Path) -> None:
    pl.from_arrow(TABLE).write_parquet(path, row_group_size=200)  # type: ignore[union-attr]


def by_duckdb(path: Path) -> None:
    rows = TABLE
    duckdb.sql(f"copy (select * from rows) to '{path}' (format parquet, row_group_size 2048, compression zstd)")
    assert rows.num_rows


def by_fastparquet(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import fastparquet

        fastparquet.write(str(path), TABLE.select(FLAT).to_pandas(), row_group_offsets=200, stats=True)


WRITERS: dict[str, Callable[[Path], None]] = {
    "pyarrow": by_pyarrow,
    "polars": by_polars,
    "duckdb": by_duckdb,
    "fastparquet": by_fastparquet,
}


def with_pyarrow(path: Path) -> Any:
    return pq.ParquetFile(path).read().to_pylist()


def with_polars(path: Path) -> Any:
    return pl.read_parquet(path).to_dicts()


def with_duckdb(path: Path) -> Any:
    return duckdb.sql(f"select * from '{path}'").to_arrow_table().to_pylist()


def with_fastparquet(path: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import fastparquet

        file = fastparquet.ParquetFile(str(path))
        frame = file.to_pandas(columns=[name for name in file.columns if "list" not in name])
        return frame.astype(object).where(frame.notna(), None).to_dict("records")


READERS: dict[str, Callable[[Path], Any]] = {
    "pyarrow": with_pyarrow,
    "polars": with_polars,
    "duckdb": with_duckdb,
    "fastparquet": with_fastparquet,
}


def hashes(path: Path, columns: list[int] | None = None) -> list[str]:
    """The bytes of the pages of all column chunks."""
    found = []
    metadata = parquet.read_metadata(path)
    data = path.read_bytes()
    with open_ranges(data) as ranges:
        for number, group in enumerate(metadata.row_groups):
            for column in range(len(group.columns)) if columns is None else columns:
                located = locate(data, number, column, None, None)
                start, end = page_range(located)
                end += missing_bytes(located, ranges) if is_old(metadata.created_by) else 0
                found.append(hashlib.sha256(data[start:end]).hexdigest())
    return found


@pytest.mark.parametrize("writer", WRITERS)
def test_every_reader_finds_the_same(writer: str, tmp_path: Path) -> None:
    old, new, copy = tmp_path / "old.parquet", tmp_path / "new.parquet", tmp_path / "copy.parquet"
    WRITERS[writer](old)
    names = parquet.read_metadata(old, fields=["schema"]).schema
    columns = [path.split(".")[0] for path in parquet.column_chunks(old, fields=["path"])["path"].to_pylist()]
    columns = columns[: len(columns) // len(parquet.read_metadata(old).row_groups)]
    kept = ["text", "x", "id"]
    before = {reader: read(old) for reader, read in READERS.items()}

    def check(expected: Callable[[list[Any]], list[Any]], wanted: list[str]) -> None:
        assert hashes(new) == wanted
        assert [finding for finding in parquet.verify(new) if finding.is_error] == []
        for reader, read in READERS.items():
            assert read(new) == expected(before[reader]), reader

    assert len(names) > 4
    copy.write_bytes(old.read_bytes())
    parquet.update_metadata(copy, {"owner": "me"})
    copy.replace(new)
    check(lambda rows: rows, hashes(old))
    parquet.rename_columns(old, new, {"text": "words", "id": "key"})
    renamed = {"text": "words", "id": "key"}
    check(lambda rows: [{renamed.get(name, name): value for name, value in row.items()} for row in rows], hashes(old))
    parquet.select_columns(old, new, kept)
    positions = [number for number, name in enumerate(columns) if name in kept]
    check(lambda rows: [{name: row[name] for name in row if name in kept} for row in rows], hashes(old, positions))
    parquet.drop_indexes(old, new)
    check(lambda rows: rows, hashes(old))
    parquet.concat([old, old], new)
    check(lambda rows: rows + rows, hashes(old) * 2)


CORPUS = Path(os.environ.get("PARQUET_TEST_DATA", "nowhere"))


@pytest.mark.skipif(
    "PARQUET_TEST_DATA" not in os.environ, reason="PARQUET_TEST_DATA names no checkout of parquet-testing"
)
@pytest.mark.parametrize("name", sorted(str(path.relative_to(CORPUS)) for path in CORPUS.glob("*data/**/*.parquet")))
def test_corpus(name: str, tmp_path: Path) -> None:
    """Files that pyarrow reads keep their data; what is damaged is a DecodeError or is copied."""
    old, new = CORPUS / name, tmp_path / "new.parquet"
    try:
        rows = pq.ParquetFile(old).read()
    except (OSError, NotImplementedError, pa.ArrowException):
        rows = None
    try:
        first = parquet.column_chunks(old, fields=["path"])["path"][0].as_py()
        parquet.concat([old, old], new)
        parquet.select_columns(old, tmp_path / "first.parquet", [first.split(".")[0]])
    except (DecodeError, IndexError):
        assert rows is None or name.startswith("bad_data") or rows.num_columns == 0 or "encrypt" in name
        return
    assert hashes(new) == hashes(old) * 2
    if rows is not None:
        assert same(pq.ParquetFile(new).read(), pa.concat_tables([rows, rows]))
        assert same(pq.ParquetFile(tmp_path / "first.parquet").read(), rows.select([first.split(".")[0]]))


def same(one: pa.Table, other: pa.Table) -> bool:
    """NaN is the same as NaN."""
    return bool(one.equals(other)) or (one.schema == other.schema and repr(one.to_pylist()) == repr(other.to_pylist()))


def surgery(data: bytes, folder: Path) -> dict[str, FileMetaData]:
    """Footers after each operation that keeps all columns."""
    new = folder / "new.parquet"
    made = {}
    first = parquet.read_metadata(data).schema[1].name
    for name, operation in {
        "rename": lambda: parquet.rename_columns(data, new, {first: "first"}),
        "select": lambda: parquet.select_columns(data, new, [first]),
        "drop": lambda: parquet.drop_indexes(data, new),
        "concat": lambda: parquet.concat([data, data], new),
    }.items():
        operation()
        made[name] = parquet.read_metadata(new)
    return made


def test_size_statistics_and_sorting_columns_are_kept(tmp_path: Path) -> None:
    data = ARROW_FILES["sorting columns"]()
    before = parquet.read_metadata(data).row_groups[0]
    assert before.columns[0].meta_data is not None
    text = next(
        n for n, chunk in enumerate(before.columns) if chunk.meta_data and chunk.meta_data.path_in_schema == ["string"]
    )
    expected = before.columns[text].meta_data
    assert expected is not None
    assert expected.size_statistics is not None
    for name, footer in surgery(data, tmp_path).items():
        for group in footer.row_groups:
            kept = before.sorting_columns if name != "select" else (before.sorting_columns or [])[:1]
            assert group.sorting_columns == kept, name
            if name != "select":
                meta = group.columns[text].meta_data
                assert meta is not None
                assert meta.size_statistics == expected.size_statistics
                assert meta.encoding_stats == expected.encoding_stats


def test_geospatial_statistics(tmp_path: Path) -> None:
    """They are kept; where files give geometries another meaning than the first file, they are dropped."""
    point = b"\1\1\0\0\0" + bytes(16)
    statistics = GeospatialStatistics(bbox=BoundingBox(xmin=0.0, xmax=0.0, ymin=0.0, ymax=0.0), geospatial_types=[1])

    def geography(metadata: FileMetaData) -> None:
        metadata.schema[1].logicalType = LogicalType.GEOGRAPHY(
            GeographyType(algorithm=EdgeInterpolationAlgorithm.SPHERICAL)
        )
        chunk = metadata.row_groups[0].columns[0]
        assert chunk.meta_data is not None
        chunk.meta_data.statistics = None
        chunk.meta_data.geospatial_statistics = statistics

    plain = arrow_file(pa.table({"place": [point, point], "n": [1, 2]}), store_schema=False)
    data = with_footer(plain, geography)
    for footer in surgery(data, tmp_path).values():
        for group in footer.row_groups:
            assert group.columns[0].meta_data is not None
            assert group.columns[0].meta_data.geospatial_statistics == statistics
    assert pq.read_metadata(tmp_path / "new.parquet").row_group(1).column(0).geo_statistics.xmax == 0.0
    parquet.concat([plain, data], tmp_path / "new.parquet", check_schema=False)
    kept = parquet.read_metadata(tmp_path / "new.parquet").row_groups[1].columns[0].meta_data
    assert kept is not None
    assert kept.geospatial_statistics is None


def test_stored_arrow_schema(tmp_path: Path) -> None:
    """It follows changes of columns, since types as large_string stand only there; parts of nested columns drop it."""
    table = pa.table({"a": pa.array(["x"], pa.large_string()), "s": pa.array([{"b": 1, "c": 2}])})
    data = arrow_file(table.replace_schema_metadata({"note": "kept"}))
    new = tmp_path / "new.parquet"
    parquet.drop_indexes(data, new)
    assert pq.read_schema(new).equals(pq.read_schema(pa.BufferReader(data)), check_metadata=True)
    parquet.select_columns(data, new, ["a"])
    assert pq.read_schema(new).equals(pa.schema([("a", pa.large_string())], {"note": "kept"}), check_metadata=True)
    parquet.rename_columns(data, new, {"a": "z"})
    assert pq.read_schema(new).field("z").type == pa.large_string()
    parquet.select_columns(data, new, ["a", "s.b"])
    keys = [entry.key for entry in parquet.read_metadata(new).key_value_metadata or ()]
    assert "ARROW:schema" not in keys
    assert pq.read_table(new).to_pylist() == [{"a": "x", "s": {"b": 1}}]


@pytest.mark.parametrize("kind", ["pyarrow", "fsspec"])
def test_file_systems(kind: str, tmp_path: Path) -> None:
    import fsspec
    from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

    system: Any
    if kind == "pyarrow":
        system, root = SubTreeFileSystem(str(tmp_path), LocalFileSystem()), ""
    else:
        system, root = fsspec.filesystem("memory"), "/surgery/"
        system.makedirs(root, exist_ok=True)
    pq.write_table(TABLE, f"{root}a.parquet", filesystem=system, row_group_size=200)

    def rows(name: str) -> pa.Table:
        return pq.read_table(f"{root}{name}", filesystem=system, partitioning=None)

    parquet.update_metadata(f"{root}a.parquet", {"owner": "me"}, filesystem=system)
    assert parquet.read_metadata(f"{root}a.parquet", filesystem=system).key_value_metadata
    parquet.rename_columns(f"{root}a.parquet", f"{root}b.parquet", {"id": "key"}, filesystem=system)
    parquet.select_columns(f"{root}b.parquet", f"{root}c.parquet", ["key"], filesystem=system)
    parquet.concat([f"{root}c.parquet"] * 2, f"{root}d.parquet", filesystem=system)
    parquet.drop_indexes(f"{root}d.parquet", f"{root}d.parquet", filesystem=system)
    assert rows("d.parquet")["key"].to_pylist() == TABLE["id"].to_pylist() * 2
    merged = parquet.merge_metadata([f"{root}c.parquet", f"{root}d.parquet"], filesystem=system)
    assert {group.columns[0].file_path for group in merged.row_groups} == {"c.parquet", "d.parquet"}
    # A source of bytes goes to a path of the file system, too.
    with open(tmp_path / "local.parquet", "wb") as file:
        pq.write_table(TABLE, file)
    parquet.drop_indexes((tmp_path / "local.parquet").read_bytes(), f"{root}e.parquet", filesystem=system)
    assert rows("e.parquet") == TABLE
