"""Run by a test: a query from the table "source" in a directory to "target", until it is killed or, with "end", all is read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from lakecodec.pipeline import register

LOGGING = Path(__file__).with_name("log4j2.properties")


def main(directory: str, end: str = "") -> None:
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "600m")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        .getOrCreate()
    )
    register(spark)
    rows = spark.readStream.format("lake").option("maxFilesPerTrigger", 3).load(f"{directory}/source")
    trigger: dict[str, Any] = {"availableNow": True} if end else {"processingTime": "0 seconds"}
    stream = rows.writeStream.format("lake").trigger(**trigger)
    query = stream.option("checkpointLocation", f"{directory}/checkpoint").start(f"{directory}/target")
    print("running", flush=True)
    query.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
