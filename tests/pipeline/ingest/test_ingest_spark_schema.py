"""Ingest into a table of other columns: `schema_mode`, against Spark's union by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lakecodec.lake.log import Log, SchemaMismatchError
from lakecodec.pipeline import explain, ingest, read, scan

from ..spark.tables import by_id

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_schemas_that_grow(spark: SparkSession, tmp_path: Path, format: str) -> None:
    root = tmp_path / "t"
    # Mosaic has no nested types.
    narrow_s, wide_s, new = (
        ("named_struct('x', id)", "named_struct('y', 'text', 'x', id)", "array(id)")
        if format == "parquet"
        else ("CAST(id AS float)", "id + 0.5D", "'text'")
    )
    first = spark.sql(f"SELECT CAST(id AS int) AS id, {narrow_s} AS s, id % 2 AS p FROM range(20)")
    ingest(spark, first, root, format=format, partition_by="p", progress=False)  # type: ignore[arg-type]
    narrow = spark.sql("SELECT CAST(100 AS byte) AS id, 0L AS p")
    ingest(spark, narrow, root, mode="append", progress=False)
    more = spark.sql(f"SELECT {wide_s} AS s, id + 10000000000 AS id, {new} AS l, 1L AS p FROM range(3)")
    with pytest.raises(SchemaMismatchError, match="'l': the table has no such column"):
        ingest(spark, more, root, mode="append", progress=False)
    ingest(spark, more, root, mode="append", schema_mode="merge", progress=False)
    expected = first.unionByName(narrow, allowMissingColumns=True).unionByName(more, allowMissingColumns=True)
    assert by_id(read(spark, root).select(*expected.columns).toArrow()) == by_id(expected.toArrow())
    assert scan(root, where="id > 9999999999").read_all().num_rows == 3
    assert explain(root, where="id < 3").files < explain(root).files_total
    assert Log(root).snapshot().metadata.configuration == {"delta.enableTypeWidening": "true"}
    version = Log(root).latest()
    with pytest.raises(SchemaMismatchError, match="'id': it is string, in the table long"):
        ingest(spark, spark.sql("SELECT 'x' AS id, 1L AS p"), root, mode="append", schema_mode="merge", progress=False)
    with pytest.raises(SchemaMismatchError, match="'p': it is string"):
        ingest(spark, spark.sql("SELECT 1L AS id, 'x' AS p"), root, mode="append", schema_mode="merge", progress=False)
    assert Log(root).latest() == version
