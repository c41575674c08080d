"""`ingest` on executors that are processes of their own, of which one dies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from deltalake import DeltaTable

from lakecodec.pipeline import check, vacuum

SCRIPT = Path(__file__).parent / "spark" / "ingest_cluster.py"


@pytest.mark.spark
def test_executors_write_and_die(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"  # neither driver nor executors may rely on the project's folder
    elsewhere.mkdir()
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(SCRIPT), str(tmp_path)]
    result = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-4000:]
    assert json.loads(result.stdout.splitlines()[-1]) == {"z": 20_000, "dies": 20_000}
    for name in ("z", "dies"):
        rows = DeltaTable(tmp_path / name).to_pyarrow_table()
        assert sorted(rows["id"].to_pylist()) == list(range(20_000))
        assert all(part == id % 3 for id, part in zip(rows["id"].to_pylist(), rows["part"].to_pylist(), strict=True))
    assert check(tmp_path / "z") == []
    assert {problem.kind for problem in check(tmp_path / "dies")} == {"orphaned"}
    assert vacuum(tmp_path / "dies", retention=timedelta(0), dry_run=False)
    assert check(tmp_path / "dies") == []
