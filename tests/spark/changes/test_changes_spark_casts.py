"""Texts that Spark makes of values are those that tests/lake/test_casts.py expects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from lakecodec import lake, pipeline
from tests.lake.test_casts import QUIET, TEXTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize("name", TEXTS)
def test_texts(spark: SparkSession, tmp_path: Path, name: str) -> None:
    values, expected = TEXTS[name]
    lake.write(pa.table({"id": range(6), name: values, "s": [""] * 6}), tmp_path, **QUIET)
    pipeline.update(spark, tmp_path, {"s": name}, **QUIET)
    assert lake.scan(tmp_path).read_all().sort_by("id")["s"].to_pylist() == expected
