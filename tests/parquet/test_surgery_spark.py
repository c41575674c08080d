"""Spark reads what surgery made, and its own files are sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lakecodec import parquet
from tests.parquet.test_surgery_peers import TABLE, WRITERS, hashes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_spark_reads_and_writes(spark: SparkSession, tmp_path: Path) -> None:
    written = tmp_path / "written"
    spark.createDataFrame(TABLE.to_pandas()).repartition(1).sortWithinPartitions("id").write.parquet(str(written))
    files = {name: tmp_path / f"{name}.parquet" for name in WRITERS}
    for name, path in files.items():
        WRITERS[name](path)
    (files["Spark"],) = written.glob("*.parquet")
    for name, old in files.items():
        new = tmp_path / "new.parquet"
        rows = spark.read.parquet(str(old)).orderBy("id").collect()
        assert len(rows) == TABLE.num_rows
        parquet.rename_columns(old, new, {"text": "words"})
        renamed = spark.read.parquet(str(new))
        assert renamed.columns == ["words" if column == "text" else column for column in rows[0].asDict()]
        assert [tuple(row) for row in renamed.orderBy("id").collect()] == [tuple(row) for row in rows]
        parquet.select_columns(new, new, ["id", "words"])
        narrow = spark.read.parquet(str(new)).where("id >= 490").orderBy("id")
        assert [tuple(row) for row in narrow.collect()] == [(row["id"], row["text"]) for row in rows[490:]]
        parquet.concat([old, old], new)
        assert hashes(new) == hashes(old) * 2
        parquet.drop_indexes(new, new)
        parquet.update_metadata(new, {"owner": "me"})
        doubled = spark.read.parquet(str(new)).orderBy("id").collect()
        assert [tuple(row) for row in doubled[::2]] == [tuple(row) for row in rows], name
