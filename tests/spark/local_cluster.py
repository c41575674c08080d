"""Run by a test: scans on two executor processes, with the data source that Spark finds by itself; prints JSON."""

import json
import shutil
import sys
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

from lakecodec.pipeline import read


def backend(_: int) -> str:
    import lakecodec

    return lakecodec.backend()


def main(directory: str) -> None:
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "700m")
        .config("spark.executor.memory", "512m")
        .getOrCreate()
    )
    frame = spark.read.format("parquet_metadata").option("numPartitions", 2).load(directory)
    rows = sorted(frame.select("file", "row_group", "column", "path", "num_values").collect())
    backends = set(spark.sparkContext.parallelize(range(2), 2).map(backend).collect())
    for source in ("lake", "mosaic"):
        spark.range(100).repartition(2).write.format(source).mode("append").save(f"{directory}-{source}")
    found = {
        "lake": spark.read.format("lake").load(f"{directory}-lake").count(),
        "mosaic": spark.read.format("mosaic").load(f"{directory}-mosaic").count(),
        "read": read(spark, f"{directory}-lake", where="id < 10").count(),
    }
    print(
        json.dumps(
            {"counts": found, "rows": rows, "partitions": frame.rdd.getNumPartitions(), "backends": sorted(backends)}
        )
    )
    logs = Path(pyspark.__path__[0]) / "work" / spark.sparkContext.applicationId
    spark.stop()
    shutil.rmtree(logs, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
