"""The data sources on executors that are processes of their own, found through the packages ``pyspark_lakecodec*``."""

from __future__ import annotations

from pathlib import Path

import pytest

import lakecodec
from tests.spark.corpus import pyarrow_rows, write_corpus
from tests.spark.scripts import run_script


@pytest.mark.spark
def test_executors_import_the_source(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    files = write_corpus(data)
    report = run_script("local_cluster.py", data)
    names = ("file", "row_group", "column", "path", "num_values")
    assert report["rows"] == [[row[name] for name in names] for row in pyarrow_rows(files)]
    assert report["partitions"] == 2
    assert report["counts"] == {"lake": 100, "mosaic": 100, "read": 10}
    assert report["backends"] == [lakecodec.backend()]
