"""The data sources on executors that are processes of their own, found through the packages ``pyspark_lakecodec*``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lakecodec

from .spark.corpus import pyarrow_rows, write_corpus

SCRIPT = Path(__file__).parent / "spark" / "local_cluster.py"


@pytest.mark.spark
def test_executors_import_the_source(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    files = write_corpus(data)
    elsewhere = tmp_path / "elsewhere"  # neither driver nor executors may rely on the project's folder
    elsewhere.mkdir()
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    result = subprocess.run(
        [sys.executable, str(SCRIPT), str(data)], cwd=elsewhere, env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr[-4000:]
    report = json.loads(result.stdout.splitlines()[-1])
    names = ("file", "row_group", "column", "path", "num_values")
    assert report["rows"] == [[row[name] for name in names] for row in pyarrow_rows(files)]
    assert report["partitions"] == 2
    assert report["counts"] == {"lake": 100, "mosaic": 100, "read": 10}
    assert report["backends"] == [lakecodec.backend()]
