"""CHECK constraints, which deltalake adds to tables: what is written fulfils them, or nothing is written."""

from __future__ import annotations

from pathlib import Path

import deltalake
import pyarrow as pa
import pytest

from lakecodec import EncodeError, lake


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = str(tmp_path / "t")
    lake.write(pa.table({"id": [1, 2], "v": [0.5, None], "s": ["a", "b"]}), path, progress=False)
    deltalake.DeltaTable(path).alter.add_constraint({"positive": "id > 0 AND (v IS NULL OR v < 10)"})
    return path


def unchanged(path: str, version: int = 1, rows: int = 2) -> bool:
    found = deltalake.DeltaTable(path)
    files = {Path(path, name).name for name in found.to_pyarrow_dataset().files}
    left = {file.name for file in Path(path).glob("*.parquet")}
    return found.version() == version and found.to_pyarrow_table().num_rows == rows and len(left) == len(files)


def test_rows_fulfil_them(table: str) -> None:
    lake.write(pa.table({"id": [3], "v": [9.0], "s": ["c"]}), table, progress=False)
    lake.update(table, {"v": "v + 0.5"}, "id = 3", progress=False)
    lake.optimize(table, progress=False)
    assert sorted(lake.scan(table).read_all()["id"].to_pylist()) == [1, 2, 3]
    assert deltalake.DeltaTable(table).to_pyarrow_table().num_rows == 3


@pytest.mark.parametrize("id", [0, None])
def test_a_row_that_does_not_is_an_error(table: str, id: int | None) -> None:
    rows = pa.table({"id": pa.array([7, id], pa.int64()), "v": [1.0, 2.0], "s": ["x", "y"]})
    with pytest.raises(EncodeError, match=rf"constraint 'positive' \(.*\) does not hold for id = {id}, v = 2.0"):
        lake.write(rows, table, progress=False)
    assert unchanged(table)


def test_changes_fulfil_them(table: str) -> None:
    with pytest.raises(EncodeError, match=r"id = 1, v = 10\.5"):
        lake.update(table, {"v": "v + 10"}, progress=False)
    source = pa.table({"id": [1, -1], "v": [1.0, 1.0], "s": ["x", "y"]})
    with pytest.raises(EncodeError, match="id = -1"):
        lake.merge(table, source, "id", when_matched_update=True, when_not_matched_insert=True, progress=False)
    assert unchanged(table)


def test_columns_that_a_new_schema_leaves_out(table: str) -> None:
    with pytest.raises(
        lake.UnsupportedTableError, match=r"constraint 'positive' .* cannot be checked here: .*'v' is not a column"
    ):
        lake.write(pa.table({"id": [1]}), table, mode="overwrite", progress=False)
    assert unchanged(table)


def test_sql_that_is_not_computed_here(table: str) -> None:
    deltalake.DeltaTable(table).alter.add_constraint({"other": "regexp_like(s, '[a-z]')"})
    with pytest.raises(lake.UnsupportedTableError, match=r"constraint 'other' .* cannot be checked here"):
        lake.write(pa.table({"id": [3], "v": [9.0], "s": ["c"]}), table, progress=False)
    assert unchanged(table, version=2)
