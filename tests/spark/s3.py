"""Run by a test: a table on S3 that is written, read, changed, compacted and streamed; prints what it was like, as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from lakecodec import pipeline

LOGGING = Path(__file__).with_name("log4j2.properties")


def main(directory: str) -> None:
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "600m")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        .getOrCreate()
    )
    pipeline.register(spark)
    url, copy = "s3://lake/spark", "s3://lake/copy"
    rows = spark.range(1000).selectExpr("id", "id % 3 AS part")
    pipeline.ingest(spark, rows, url, partition_by="part", sort_by="id", max_rows_per_file=100, progress=False)
    pipeline.ingest(spark, rows.selectExpr("id + 1000 AS id", "part"), url, mode="append", progress=False)
    pipeline.delete(spark, url, "id < 10")
    optimized = pipeline.optimize(spark, url, progress=False)
    found = {"rows": pipeline.read(spark, url, where="part = 1").count(), "files": optimized.num_files}
    stream = spark.readStream.format("lake").load(url).writeStream.format("lake").trigger(availableNow=True)
    stream.option("checkpointLocation", f"{directory}/checkpoint").start(copy).awaitTermination()
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
