"""Features of the log that writers here honour: in-commit timestamps, checkpoints of version 2, row tracking."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pytest

from lakecodec import lake
from lakecodec.lake.log import Log

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
    for change in (
        lambda: lake.update(path, {"id": "id + 1"}, **QUIET),
        lambda: lake.purge(path, **QUIET),
        lambda: lake.delete(path, "id = 0", deletion_vectors=False, **QUIET),
    ):
        with pytest.raises(lake.UnsupportedTableError, match="rows keep their numbers"):
            change()
    Log(path).checkpoint()
    assert Log(path).snapshot().files[0].base_row_id is not None
    assert ids(path) == [0, 1, 2, 4]
    lake.write({"id": [1]}, tmp_path / "other", **QUIET)
    with pytest.raises(ValueError, match="only a new table can track its rows here"):
        lake.set_properties(tmp_path / "other", {"delta.enableRowTracking": True})
