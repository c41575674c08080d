"""Run by a test: tables on S3 whose options are arguments; prints how many rows were read in which way, as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from lakecodec import pipeline

LOGGING = Path(__file__).with_name("log4j2.properties")


def main(directory: str) -> None:
    given = json.loads(Path(directory, "options.json").read_text())
    url, options = given["url"], given["options"]
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "600m")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        .getOrCreate()
    )
    pipeline.register(spark)
    rows = spark.range(1000).selectExpr("id", "id % 3 AS part")
    pipeline.ingest(spark, rows, url, partition_by="part", storage_options=options, progress=False)
    frame = pipeline.read(spark, url, storage_options=options)
    found = {"rows": frame.count()}
    found["part"] = pipeline.read(spark, url, where="part = 1", storage_options=options).count()
    texts = {f"storage.{name}": json.dumps(v) if isinstance(v, dict) else v for name, v in options.items()}
    some = spark.read.format("lake").options(**texts).option("where", "part < 2").load(url)
    found["source"] = some.count() - 1
    some.where("part = 1").write.format("lake").options(**texts).mode("append").save(url)
    stream = spark.readStream.format("lake").options(**texts).load(url).writeStream.format("lake").options(**texts)
    stream = stream.option("checkpointLocation", f"{directory}/checkpoint").trigger(availableNow=True)
    stream.start(f"{url}-copy").awaitTermination()
    found["stream"] = pipeline.count(pipeline.StoreUrl(f"{url}-copy", **options))
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
