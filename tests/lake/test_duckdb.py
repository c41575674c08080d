"""Tables of every feature that is written here, as DuckDB's extension delta reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import lake
from tests.lake.life.duckdb_peer import MISSING, PYTHON, duckdb_rows

pytestmark = pytest.mark.skipif(not PYTHON.exists(), reason=MISSING)
QUIET: Any = {"progress": False}
ROWS = pa.table({"id": pa.array(range(300), pa.int64()), "p": [["a", None, "x/y=%"][i % 3] for i in range(300)]})
FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "vectors": {"delta.enableDeletionVectors": True},
    "name": {"delta.columnMapping.mode": "name", "delta.enableDeletionVectors": True},
    "id": {"delta.columnMapping.mode": "id"},
    "v2": {"delta.checkpointPolicy": "v2", "delta.enableInCommitTimestamps": True},
    "tracked": {"delta.enableRowTracking": True, "delta.enableDeletionVectors": True},
}


@pytest.mark.parametrize("partition_by", [[], ["p"]], ids=["flat", "partitioned"])
@pytest.mark.parametrize("name", FEATURES)
def test_tables_are_read(tmp_path: Path, name: str, partition_by: list[str]) -> None:
    path = tmp_path / "t"
    properties = {"delta.checkpointInterval": 3, **FEATURES[name]}
    lake.write(ROWS, path, partition_by=partition_by, properties=properties, max_rows_per_file=60, **QUIET)
    lake.delete(path, "id IN (1, 5, 120)", **QUIET)
    lake.update(path, {"p": "'b'"}, "id IN (0, 50, 100, 150, 200, 250)", **QUIET)
    source = pa.table({"id": [7, 400], "p": ["c", "d"]})
    lake.merge(path, source, "id", when_matched_update=True, when_not_matched_insert=True, **QUIET)
    lake.optimize(path, zorder_by="id", where="p = 'a'" if partition_by else None, **QUIET)
    # Of mapped tables it gives nulls for partition columns, of those that Spark wrote, too.
    names = ["id"] if "delta.columnMapping.mode" in properties and partition_by else ["id", "p"]
    ours = lake.scan(path, columns=names).read_all().sort_by("id").to_pydict()
    assert len(ours["id"]) == 298
    assert duckdb_rows(path, names).sort_by("id").to_pydict() == ours
