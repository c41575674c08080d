"""`ingest` on executors that are processes of their own, of which one dies, and through Spark Connect."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from deltalake import DeltaTable

from lakecodec.pipeline import check, vacuum
from tests.spark.scripts import run_script


@pytest.mark.spark
def test_executors_write_and_die(tmp_path: Path) -> None:
    assert run_script("ingest_cluster.py", tmp_path) == {"z": 20_000, "dies": 20_000}
    for name in ("z", "dies"):
        rows = DeltaTable(tmp_path / name).to_pyarrow_table()
        assert sorted(rows["id"].to_pylist()) == list(range(20_000))
        assert all(part == id % 3 for id, part in zip(rows["id"].to_pylist(), rows["part"].to_pylist(), strict=True))
    assert check(tmp_path / "z") == []
    assert {problem.kind for problem in check(tmp_path / "dies")} == {"orphaned"}
    assert vacuum(tmp_path / "dies", retention=timedelta(0), dry_run=False)
    assert check(tmp_path / "dies") == []


@pytest.mark.spark
def test_spark_connect(tmp_path: Path) -> None:
    for package in ("grpc", "grpc_status"):
        pytest.importorskip(package, reason="Spark Connect needs grpcio and grpcio-status")
    made = run_script("ingest_connect.py", tmp_path)
    assert "replace_where" in made.pop("refused")
    assert made == {"plain": 5000, "partitioned": 5000, "sorted": 5000, "z": 5000, "replaced": 1667, "written": 5000}
    for name in ("plain", "partitioned", "sorted", "z", "written"):
        assert sorted(DeltaTable(tmp_path / name).to_pyarrow_table()["id"].to_pylist()) == list(range(5000))
        assert check(tmp_path / name) == []
