"""Files joined without decoding pages: pages keep their bytes, other readers find the rows of all files."""

from __future__ import annotations

import io
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import ARROW_FILES, FASTPARQUET_FILES, FILES, arrow_file, encrypted_file
from tests.parquet.test_surgery import check_indexes, table_of


@pytest.mark.parametrize("name", FILES)
def test_concat(name: str) -> None:
    old = FILES[name]()
    sink = io.BytesIO()
    parquet.concat([old, old], sink)
    new = sink.getvalue()
    table = table_of(old)
    assert table_of(new).equals(pa.concat_tables([table, table]))
    groups = parquet.read_metadata(old).row_groups
    for number, group in enumerate(groups[:3]):
        columns = list(range(len(group.columns)))[:40]
        if len(columns) == len(group.columns):
            check_indexes(old, new, columns, number, number)
            check_indexes(old, new, columns, number + len(groups), number)
    if table.num_columns and name not in FASTPARQUET_FILES:
        assert pl.read_parquet(io.BytesIO(new)).height == 2 * table.num_rows


def test_concat_of_different_files(tmp_path: Path) -> None:
    for number in range(3):
        rows = pa.table({"a": range(number * 10, number * 10 + 10), "b": [f"{number}"] * 10})
        pq.write_table(rows, tmp_path / f"{number}.parquet", compression=["none", "zstd", "gzip"][number])
    target = tmp_path / "_all.parquet"
    parquet.concat(tmp_path, target)
    assert duckdb.sql(f"select a, b from '{target}' where a >= 18 and a < 21").fetchall() == [
        (18, "1"),
        (19, "1"),
        (20, "2"),
    ]
    assert pq.read_table(target)["a"].to_pylist() == list(range(30))


def test_schemas_differ() -> None:
    first = arrow_file(pa.table({"a": pa.array([1, 2], pa.int32())}))
    renamed = arrow_file(pa.table({"b": pa.array([-3, 4], pa.int32())}))
    unsigned = arrow_file(pa.table({"a": pa.array([3, 2**31 + 4], pa.uint32())}))
    longer = arrow_file(pa.table({"a": pa.array([3, 4], pa.int64())}))
    sink = io.BytesIO()
    with pytest.raises(ValueError, match=r"sources\[1\]: name of 'b' is 'b', in the first file 'a'"):
        parquet.concat([first, renamed], sink)
    with pytest.raises(ValueError, match=r"sources\[1\]: .*type of 'a'"):
        parquet.concat([first, unsigned], sink)
    with pytest.raises(ValueError, match=r"sources\[1\]: type of 'a' is"):
        parquet.concat([first, longer], sink, check_schema=False)
    with pytest.raises(ValueError, match="sources: at least one"):
        parquet.concat([], sink)
    with pytest.raises(DecodeError, match="encrypted"):
        parquet.concat([encrypted_file(plaintext_footer=True)], sink)
    sink = io.BytesIO()
    parquet.concat([first, renamed, unsigned], sink, check_schema=False)
    assert table_of(sink.getvalue())["a"].to_pylist() == [1, 2, -3, 4, 3, 4 - 2**31]
    groups = parquet.read_metadata(sink).row_groups
    kept = [chunk.meta_data.statistics is not None for group in groups for chunk in group.columns if chunk.meta_data]
    assert kept == [True, True, False]


def test_a_failed_concat_leaves_nothing(tmp_path: Path) -> None:
    first = arrow_file(pa.table({"a": [1]}))
    with pytest.raises(ValueError, match="sources"):
        parquet.concat([first, arrow_file(pa.table({"b": [1]}))], tmp_path / "new.parquet")
    assert list(tmp_path.iterdir()) == []


def test_merge_metadata(tmp_path: Path) -> None:
    data = ARROW_FILES["page index"]()
    for name in ("x=1/a.parquet", "x=2/b.parquet"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(data)
    merged = parquet.merge_metadata(tmp_path)
    assert merged == parquet.merge_metadata([tmp_path / "x=1/a.parquet", tmp_path / "x=2/b.parquet"])
    (tmp_path / "_metadata").write_bytes(b"PAR1" + parquet.write_metadata(merged))
    metadata = pq.read_metadata(tmp_path / "_metadata")
    paths = [metadata.row_group(number).column(0).file_path for number in range(metadata.num_row_groups)]
    assert paths == ["x=1/a.parquet"] * 3 + ["x=2/b.parquet"] * 3
    import pyarrow.dataset as ds

    table = ds.parquet_dataset(tmp_path / "_metadata").to_table()
    assert table.equals(pa.concat_tables([table_of(data)] * 2))
    with pytest.raises(ValueError, match=r"base: .*a.parquet' is not below"):
        parquet.merge_metadata(tmp_path, base=tmp_path / "x=2")
    with pytest.raises(TypeError, match="sources"):
        parquet.merge_metadata([data])
