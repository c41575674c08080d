"""Features of the log that writers here honour: in-commit timestamps, checkpoints of version 2, row tracking."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.lake.log import Log
from lakecodec.lake.log.deletion_vectors import deleted_positions

QUIET: Any = {"progress": False}


def ids(path: Any) -> list[int]:
    theirs = (
        deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(path))).execute("select id from t").read_all()
    )
    ours = sorted(lake.scan(path).read_all()["id"].to_pylist())
    assert ours == sorted(pa.table(theirs)["id"].to_pylist())
    return ours


def actions(path: Path, version: int, kind: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in Path(path, "_delta_log", f"{version:020}.json").read_text().splitlines()]
    return [line[kind] for line in lines if kind in line]


def test_in_commit_timestamps(tmp_path: Path) -> None:
    lake.write({"id": [0]}, tmp_path / "t", **QUIET)
    lake.set_properties(tmp_path / "t", {"delta.enableInCommitTimestamps": True})
    lake.write({"id": [1]}, tmp_path / "t", **QUIET)
    configuration = lake.properties(tmp_path / "t")
    first = actions(tmp_path / "t", 1, "commitInfo")[0]["inCommitTimestamp"]
    assert configuration["delta.inCommitTimestampEnablementVersion"] == "1"
    assert configuration["delta.inCommitTimestampEnablementTimestamp"] == str(first)
    assert actions(tmp_path / "t", 2, "commitInfo")[0]["inCommitTimestamp"] > first
    assert "inCommitTimestamp" in (deltalake.DeltaTable(tmp_path / "t").protocol().writer_features or ())
    lake.write({"id": [1]}, tmp_path / "new", properties={"delta.enableInCommitTimestamps": True}, **QUIET)
    assert "delta.inCommitTimestampEnablementVersion" not in lake.properties(tmp_path / "new"), (
        "since the first version"
    )
    assert ids(tmp_path / "t") == [0, 1]


def test_checkpoints_of_version_2(tmp_path: Path) -> None:
    properties: dict[str, str | int] = {"delta.checkpointPolicy": "v2", "delta.checkpointInterval": 3}
    path = tmp_path / "t"
    lake.write({"id": [0]}, path, properties=properties, **QUIET)
    for number in range(1, 8):
        lake.write({"id": [number]}, path, **QUIET)
    lake.delete(path, "id = 2", **QUIET)
    log = path / "_delta_log"
    assert len(list(log.glob("*.checkpoint.*-*.parquet"))) == len(list((log / "_sidecars").iterdir())) == 2
    assert not list(log.glob("*.checkpoint.parquet"))
    for version in range(6):
        (log / f"{version:020}.json").unlink()
    assert ids(path) == [0, 1, 3, 4, 5, 6, 7]
    assert len(Log(path).snapshot().checkpoint.header.sidecars) == 1  # type: ignore[union-attr]


def test_sidecars_go_with_their_checkpoints(tmp_path: Path) -> None:
    properties: dict[str, str | int] = {
        "delta.checkpointPolicy": "v2",
        "delta.checkpointInterval": 2,
        "delta.logRetentionDuration": "interval 1 days",
    }
    path = tmp_path / "t"
    lake.write({"id": [0]}, path, properties=properties, **QUIET)
    for number in range(1, 4):
        lake.write({"id": [number]}, path, **QUIET)
    lake.write({"id": [4]}, path, **QUIET)
    old = time.time() - 5 * 86400
    for file in (path / "_delta_log").rglob("*.*"):
        os.utime(file, (old, old))
    for number in range(5, 7):
        lake.write({"id": [number]}, path, **QUIET)
    assert ids(path) == list(range(7))
    kept = {file.name for file in (path / "_delta_log" / "_sidecars").iterdir()}
    assert len(kept) == 2, "of versions 4 and 6"


def test_rows_are_tracked(tmp_path: Path) -> None:
    path = tmp_path / "t"
    properties = {"delta.enableRowTracking": "true", "delta.enableDeletionVectors": "true"}
    lake.write({"id": [0, 1, 2]}, path, properties=properties, **QUIET)
    assert {"rowTracking", "domainMetadata"} <= set(deltalake.DeltaTable(path).protocol().writer_features or ())
    lake.write({"id": [3, 4]}, path, **QUIET)
    found = [(add["baseRowId"], add["defaultRowCommitVersion"]) for v in (0, 1) for add in actions(path, v, "add")]
    assert found == [(0, 0), (3, 1)]
    lake.delete(path, "id = 3", **QUIET)
    (add,) = actions(path, 2, "add")
    assert (add["baseRowId"], add["defaultRowCommitVersion"]) == (3, 1), "a file that only loses rows keeps its numbers"
    said = actions(path, 1, "domainMetadata")[0]
    assert said["domain"] == "delta.rowTracking"
    assert json.loads(said["configuration"]) == {"rowIdHighWaterMark": 4}
    Log(path).checkpoint()
    assert Log(path).snapshot().files[0].base_row_id is not None
    assert ids(path) == [0, 1, 2, 4]
    lake.write({"id": [1]}, tmp_path / "other", **QUIET)
    with pytest.raises(ValueError, match="only a new table can track its rows here"):
        lake.set_properties(tmp_path / "other", {"delta.enableRowTracking": True})


def tracked(path: Path) -> dict[int, tuple[int, int]]:
    """Returns the number and the version of each row by its id, from files and the log alone."""
    snapshot = Log(path).snapshot()
    names = [name for key, name in sorted(snapshot.metadata.configuration.items()) if "materialized" in key]
    found: dict[int, tuple[int, int]] = {}
    for add in snapshot.files:
        assert add.base_row_id is not None
        rows = pq.read_table(path / add.file).to_pylist()
        vector = add.deletion_vector
        gone = set() if vector is None else set(deleted_positions(snapshot.log.storage, json.dumps(vector)).tolist())
        for position, row in enumerate(rows):
            if position not in gone:
                version, number = (row.get(name) for name in names)
                number = add.base_row_id + position if number is None else number
                found[row["id"]] = (number, add.default_row_commit_version if version is None else version)
    assert len({number for number, _ in found.values()}) == len(found), "numbers are there once"
    return found


@pytest.mark.parametrize("vectors", [False, True])
def test_rows_keep_their_numbers_in_other_files(tmp_path: Path, vectors: bool) -> None:
    path = tmp_path / "t"
    properties: dict[str, str | bool] = {"delta.enableRowTracking": True, "delta.enableChangeDataFeed": True}
    lake.write(pa.table({"id": range(10), "v": ["a"] * 10}), path, properties=properties, **QUIET)
    lake.write(pa.table({"id": range(10, 15), "v": ["a"] * 5}), path, **QUIET)
    before = tracked(path)
    assert before == {number: (number, 0 if number < 10 else 1) for number in range(15)}
    lake.delete(path, "id IN (3, 12)", deletion_vectors=vectors, **QUIET)
    lake.update(path, {"v": "'b'"}, "id = 5", deletion_vectors=vectors, **QUIET)
    source = pa.table({"id": [7, 20], "v": ["c", "c"]})
    lake.merge(
        path, source, "id", when_matched_update=True, when_not_matched_insert=True, deletion_vectors=vectors, **QUIET
    )
    wanted = {number: found for number, found in before.items() if number not in (3, 12)} | {5: (5, 3), 7: (7, 4)}
    after = tracked(path)
    new = after.pop(20)
    assert after == wanted
    assert new[0] > 14
    assert new[1] == 4
    for change in (lambda: lake.optimize(path, zorder_by="id", **QUIET), lambda: lake.optimize(path, **QUIET)):
        change()
        assert tracked(path) == wanted | {20: new}
    assert lake.scan_changes(path, 2).read_all().column_names[:2] == ["id", "v"]
    assert all("_row-id" not in (add.stats or "") for add in Log(path).snapshot().files)
    assert ids(path) == sorted([*wanted, 20])
    assert lake.check(path, deep=True) == []
