"""`pipeline.read` through Spark Connect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spark.lakes import write_lake
from tests.spark.scripts import run_script
from tests.spark.tables import every_type


@pytest.mark.spark
def test_spark_connect(tmp_path: Path) -> None:
    for package in ("grpc", "grpc_status"):
        pytest.importorskip(package, reason="Spark Connect needs grpcio and grpcio-status")
    rows = every_type()
    write_lake(tmp_path / "tables" / "parquet", rows, partition_by=("region", "day"), file_rows=50)
    write_lake(tmp_path / "tables" / "mosaic", rows.drop_columns(["place"]), format="mosaic")
    printed = run_script("read_connect.py", tmp_path)
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
