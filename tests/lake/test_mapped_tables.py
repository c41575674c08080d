"""Tables with column mapping, in the modes name and id: whatever is written is read by others, and keeps ids and names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.lake.log import Log

QUIET: Any = {"progress": False}
INNER = pa.struct({"x": pa.int64(), "y": pa.list_(pa.struct({"z": pa.string()}))})


def data(start: int, count: int = 3) -> pa.Table:
    ids = range(start, start + count)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "part": [["a", "b", None][i % 3] for i in ids],
            "s": pa.array([{"x": i, "y": [{"z": f"t{i}"}]} for i in ids], INNER),
        }
    )


def rows(path: Any) -> list[dict[str, Any]]:
    """Returns the rows by id, as we and deltalake read them."""
    ours = lake.scan(path).read_all()
    engine = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(path))
    theirs = pa.table(engine.execute("select * from t").read_all()).select(ours.column_names)
    found, expected = (sorted(table.to_pylist(), key=lambda row: row["id"]) for table in (ours, theirs))
    assert found == expected
    return found


def fields(path: str) -> dict[str, Any]:
    return {each["name"]: each for each in json.loads(deltalake.DeltaTable(path).schema().to_json())["fields"]}


@pytest.fixture(params=["name", "id"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = str(tmp_path / "t")
    lake.write(data(0), path, partition_by="part", properties={"delta.columnMapping.mode": request.param}, **QUIET)
    return path


def test_files_have_physical_names_and_ids(table: str) -> None:
    known = fields(table)
    mapped = [each["metadata"] for each in known.values()]
    assert [each["delta.columnMapping.id"] for each in mapped] == list(
        dict.fromkeys(each["delta.columnMapping.id"] for each in mapped)
    ), "ids differ"
    file = next(Path(table).rglob("*.parquet"))
    stored = pq.read_schema(file)
    assert stored.names == [known[name]["metadata"]["delta.columnMapping.physicalName"] for name in ("id", "s")]
    wanted = [known[name]["metadata"]["delta.columnMapping.id"] for name in ("id", "s")]
    assert [int((field.metadata or {})[b"PARQUET:field_id"]) for field in stored] == wanted
    adds = [json.loads(line)["add"] for line in Path(table, "_delta_log", f"{0:020}.json").read_text().splitlines()[3:]]
    for add in adds:
        assert list(add["partitionValues"]) == [known["part"]["metadata"]["delta.columnMapping.physicalName"]]
        assert stored.names[0] in json.loads(add["stats"])["minValues"]
    largest = lake.properties(table)["delta.columnMapping.maxColumnId"]
    assert int(largest) == 6, "nested fields have ids too"


def test_an_overwritten_table_keeps_the_names_of_nested_fields(tmp_path: Path) -> None:
    """So that the change feed can show both versions."""
    rows = pa.table({"id": [1], "st": [{"x": 1, "in": [{"y": "a"}]}]})
    properties: Any = {"delta.columnMapping.mode": "id", "delta.enableChangeDataFeed": True}
    lake.write(rows, tmp_path, properties=properties, **QUIET)
    before = Log(tmp_path).snapshot().schema
    lake.write(rows, tmp_path, mode="overwrite", **QUIET)
    assert Log(tmp_path).snapshot().schema.equals(before, check_metadata=True)
    assert lake.scan_changes(tmp_path, 0).read_all().num_rows == 3
    assert lake.scan(tmp_path).read_all().to_pylist() == rows.to_pylist()


def test_changes(table: str) -> None:
    lake.set_properties(table, {"delta.enableChangeDataFeed": True})
    before = fields(table)
    for vectors in (False, True):
        lake.write(data(10, 6), table, **QUIET)
        lake.delete(table, "id = 11 OR id = 12", deletion_vectors=vectors, **QUIET)
        lake.update(table, {"part": "'c'"}, "id = 13", deletion_vectors=vectors, **QUIET)
        source = data(13, 4)
        lake.merge(
            table,
            source,
            "id",
            when_matched_update=True,
            when_not_matched_insert=True,
            deletion_vectors=vectors,
            **QUIET,
        )
        assert [row["id"] for row in rows(table)] == [0, 1, 2, 10, 13, 14, 15, 16]
        assert [row["part"] for row in rows(table)][4:] == ["b", None, "a", "b"]
        changes = lake.scan_changes(table, 1).read_all()
        assert changes.num_rows
        assert set(changes.column_names) >= {"id", "part", "s", "_change_type"}
        lake.optimize(table, zorder_by="id", **QUIET)
        lake.purge(table, **QUIET)
        assert [row["id"] for row in rows(table)] == [0, 1, 2, 10, 13, 14, 15, 16]
        assert lake.check(table, deep=True) == []
        assert lake.doctor(table) == []
        lake.delete(table, "id >= 10", **QUIET)
    assert fields(table) == before
    assert lake.scan(table, where="id = 1 AND part = 'b'").read_all().num_rows == 1


def test_columns_that_come_later(table: str) -> None:
    more = data(5, 1).append_column("new", pa.array([1.5]))
    lake.write(more, table, schema_mode="merge", **QUIET)
    found = fields(table)["new"]["metadata"]
    assert found["delta.columnMapping.id"] == 7
    assert found["delta.columnMapping.physicalName"].startswith("col-")
    assert lake.properties(table)["delta.columnMapping.maxColumnId"] == "7"
    assert [row["new"] for row in rows(table)] == [None, None, None, 1.5]
    version = lake.write(data(7, 1), table, mode="overwrite", **QUIET).version
    assert [row["id"] for row in rows(table)] == [7]
    lake.restore(table, version - 2)
    assert lake.properties(table)["delta.columnMapping.maxColumnId"] == "7", "no id is given again"
    assert [row["id"] for row in rows(table)] == [0, 1, 2]


def test_replaced_partitions(table: str) -> None:
    lake.write(data(3, 1), table, mode="overwrite", replace_where="part = 'a'", **QUIET)
    lake.write(data(4, 1), table, mode="overwrite_partitions", **QUIET)
    assert [row["id"] for row in rows(table)] == [2, 3, 4]


def test_a_table_that_becomes_mapped(tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    lake.write(data(0), path, partition_by="part", **QUIET)
    lake.set_properties(path, {"delta.columnMapping.mode": "name"})
    lake.write(data(3), path, **QUIET)
    assert [row["id"] for row in rows(path)] == list(range(6))
    for mode in ("id", "none"):
        with pytest.raises(ValueError, match=rf"from none to name, not from name to {mode}"):
            lake.set_properties(path, {"delta.columnMapping.mode": mode})
