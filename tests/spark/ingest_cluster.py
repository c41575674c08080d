"""Run by a test: ingests on two executor processes, one of which is killed while it writes; prints JSON."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyspark
from pyspark import TaskContext
from pyspark.sql import SparkSession

from lakecodec.pipeline import ingest
from lakecodec.spark.ingest import plan
from lakecodec.spark.ingest.task import SparkWriteTask

LOGGING = Path(__file__).with_name("log4j2.properties")


class ExecutorDies(SparkWriteTask):
    """The first of all attempts of task 0 kills its executor, which is the parent of the daemon that made this worker."""

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        messages = list(super().run(batches))
        if TaskContext.get().partitionId() == 0 and is_first(Path(f"{self.target}-died")):
            os.kill(parent_of(os.getppid()), signal.SIGKILL)
            signal.pause()
        yield from messages


def is_first(mark: Path) -> bool:
    """Stages are repeated when shuffled rows are lost, and count their attempts anew."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def parent_of(process: int) -> int:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1])


def main(directory: str) -> None:
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.driver.memory", "600m")
        .config("spark.executor.memory", "512m")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.adaptive.coalescePartitions.enabled", False)
        .getOrCreate()
    )
    rows = spark.range(0, 20_000, 1, 4).selectExpr("id", "id % 3 AS part", "xxhash64(id) AS noise")
    options = {"partition_by": "part", "progress": False}
    versions = {"z": ingest(spark, rows, f"{directory}/z", zorder_by=["noise", "id"], **options).num_rows}
    plan.SparkWriteTask = ExecutorDies
    versions["dies"] = ingest(spark, rows, f"{directory}/dies", sort_by="noise", **options).num_rows
    print(json.dumps(versions))
    logs = Path(pyspark.__path__[0]) / "work" / spark.sparkContext.applicationId
    spark.stop()
    shutil.rmtree(logs, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
