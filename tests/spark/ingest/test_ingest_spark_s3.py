"""Tables on S3 with Spark: driver and workers find the store by their environment."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from lakecodec.pipeline import check, scan, vacuum
from tests.lake.s3 import server
from tests.spark.scripts import run_script


@pytest.mark.spark
def test_a_table_on_s3(tmp_path: Path) -> None:
    with server():
        assert run_script("s3.py", tmp_path) == {"rows": 663, "files": 3}
        url, copy = "s3://lake/spark", "s3://lake/copy"
        every = scan(url).read_all().sort_by("id")
        assert every["id"].to_pylist() == list(range(10, 2000))
        assert scan(copy).read_all().sort_by("id") == every
        assert scan(url, version=0).read_all().num_rows == 1000
        assert len(vacuum(url, retention=timedelta(0), dry_run=False)) > 12
        assert check(url, deep=True) == check(copy, deep=True) == []
