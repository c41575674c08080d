"""Run by a test: reads through Spark Connect; prints JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from lakecodec.pipeline import read


def main(directory: str) -> None:
    spark = (
        SparkSession.builder.remote("local[2]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "700m")
        .getOrCreate()
    )
    wheres: dict[str, Any] = {
        "all": None,
        "decided": "id < 10 AND region = 'north'",
        "undecided": "upper(name) = 'NAME 01'",
        "terms": [("id", ">=", 590)],
        "column": (F.col("id") > 590) & (F.length("name") > 3),
        "star": "isnotnull(struct(*)) AND id < 5",
    }
    found: dict[str, Any] = {}
    for table in sorted(path.name for path in Path(directory, "tables").iterdir()):
        path = f"{directory}/tables/{table}"
        found[table] = {
            name: sorted(row["id"] for row in read(spark, path, columns=["name", "id"], where=where).collect())
            for name, where in wheres.items()
        }
        every = read(spark, path)
        found[table]["joined"] = every.join(read(spark, path, columns=["id"], where="id < 7"), "id").count()
    refused = []
    for where in ("nope = 1", "upper(nope) = 'X'"):
        try:
            read(spark, path, where=where)
        except ValueError as error:
            refused.append(str(error))
    print(json.dumps({"found": found, "refused": refused}))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
