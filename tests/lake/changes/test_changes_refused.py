"""Tables that are read and not written here: each way of writing says why, before anything is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.lake.log import Log, Transaction, UnsupportedTableError
from lakecodec.pipeline import restore, scan, set_properties, unset_properties, vacuum
from lakecodec.spark.changes.rewriting import Rewrite
from tests.spark.lakes import write_lake

#: `delete`, `update`, `merge` and `optimize` begin with a `Rewrite`, `ingest` and the sources end with a `Transaction`.
WRITERS: dict[str, Callable[[Path], Any]] = {
    "ingest": lambda path: Transaction(Log(path), Log(path).snapshot(), "WRITE"),
    "rewrite": lambda path: Rewrite(None, path, progress=False),  # type: ignore[arg-type]
    "restore": lambda path: restore(None, path, 0),
    "set_properties": lambda path: set_properties(path, {"note": "x"}),
    "unset_properties": lambda path: unset_properties(path, "note"),
    "vacuum": lambda path: vacuum(path, retention=timedelta(0), dry_run=False),
}


def table_with(path: Path, feature: str, configuration: dict[str, str]) -> None:
    """A table of two versions, the second of which lists a writer feature."""
    write_lake(path, pa.table({"id": [1]}))
    metadata = Log(path).snapshot().metadata.to_json()
    metadata |= {"configuration": configuration}
    protocol = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": []}
    actions = [{"protocol": {**protocol, "writerFeatures": [feature]}}, {"metaData": metadata}]
    lines = "".join(f"{json.dumps(action)}\n" for action in actions)
    (path / "_delta_log" / f"{1:020d}.json").write_text(lines)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("feature", "configuration"),
    [
        ("icebergCompatV2", {"delta.enableIcebergCompatV2": "true"}),
        ("checkpointProtection", {}),
    ],
)
def test_features(tmp_path: Path, writer: str, feature: str, configuration: dict[str, str]) -> None:
    table_with(tmp_path, feature, configuration)
    assert scan(tmp_path).read_all().to_pylist() == [{"id": 1}]
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UnsupportedTableError, match=f"feature '{feature}'.* cannot be written here"):
        WRITERS[writer](tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["delta.enableIcebergCompatV2", "delta.coordinatedCommits.commitCoordinator-preview"])
def test_properties_that_would_need_them(tmp_path: Path, name: str) -> None:
    write_lake(tmp_path, pa.table({"id": [1]}))
    with pytest.raises(KeyError, match=name):
        set_properties(tmp_path, {name: "true"})
