"""`pipeline.read` through Spark Connect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .spark.lakes import write_lake
from .spark.tables import every_type

SCRIPT = Path(__file__).parent / "spark" / "read_connect.py"


@pytest.mark.spark
def test_spark_connect(tmp_path: Path) -> None:
    for package in ("grpc", "grpc_status"):
        pytest.importorskip(package, reason="Spark Connect needs grpcio and grpcio-status")
    rows = every_type()
    write_lake(tmp_path / "tables" / "parquet", rows, partition_by=("region", "day"), file_rows=50)
    write_lake(tmp_path / "tables" / "mosaic", rows.drop_columns(["place"]), format="mosaic")
    elsewhere = tmp_path / "elsewhere"  # the client may not rely on the project's folder
    elsewhere.mkdir()
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(SCRIPT), str(tmp_path)]
    result = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-4000:]
    printed = json.loads(result.stdout.splitlines()[-1])
    assert all("nope" in refused and refused.startswith("where: ") for refused in printed["refused"])
    assert len(printed["refused"]) == 2
    numbers = range(rows.num_rows)
    expected = {
        "all": list(numbers),
        "decided": [0, 5],
        "undecided": [number for number in numbers if number % 50 == 1],
        "terms": list(range(590, 600)),
        "column": list(range(591, 600)),
        "star": list(range(5)),
        "joined": 7,
    }
    assert printed["found"] == {"parquet": expected, "mosaic": expected}
