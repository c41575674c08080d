"""Run by a test: ingests through Spark Connect, all layouts and a replaced partition; prints JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from pyspark.sql import SparkSession

from lakecodec import EncodeError
from lakecodec.pipeline import ingest, register


def main(directory: str) -> None:
    spark = (
        SparkSession.builder.remote("local[2]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "700m")
        .getOrCreate()
    )
    rows = spark.range(0, 5000, 1, 4).selectExpr("id", "cast(id % 3 AS string) AS part", "xxhash64(id) AS noise")
    layouts: dict[str, dict[str, Any]] = {
        "plain": {},
        "partitioned": {"partition_by": "part"},
        "sorted": {"partition_by": "part", "sort_by": "-noise"},
        "z": {"partition_by": "part", "zorder_by": ["noise", "id"]},
    }
    made: dict[str, Any] = {
        name: ingest(spark, rows, f"{directory}/{name}", **layout).num_rows for name, layout in layouts.items()
    }
    replacing: dict[str, Any] = {"mode": "overwrite", "replace_where": "part = '1'"}
    made["replaced"] = ingest(spark, rows.where("part = '1'"), f"{directory}/sorted", **replacing).num_rows
    try:
        ingest(spark, rows, f"{directory}/sorted", **replacing)
    except EncodeError as error:
        made["refused"] = str(error)
    register(spark)
    writer = rows.write.format("lake").option("partitionBy", "part").option("sortBy", "-noise")
    writer.mode("append").save(f"{directory}/written")
    part = rows.where("part = '1'").write.format("lake").option("replaceWhere", "part = '1'")
    part.mode("overwrite").save(f"{directory}/written")
    made["written"] = spark.read.format("lake").load(f"{directory}/written").count()
    print(json.dumps(made))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
