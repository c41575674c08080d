"""Run by a test: ingests in which something dies: each fault named has a table of that name in the directory given first.

Prints the versions made. Each table gets 4,000 rows, in files of 500.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession

from lakecodec.lake.log import Log
from lakecodec.pipeline import ingest
from lakecodec.spark.ingest import plan
from lakecodec.spark.ingest.task import SparkWriteTask

LOGGING = Path(__file__).with_name("log4j2.properties")
ROWS = 4000


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class FailsTwice(SparkWriteTask):
    """The first attempt fails when its files are complete, the second one on the way."""

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        attempt = TaskContext.get().attemptNumber()
        messages = list(super().run(broken(batches) if attempt == 1 else batches))
        if attempt == 0:
            raise RuntimeError("first attempt")
        yield from messages


class WorkerDies(SparkWriteTask):
    """The worker of the first attempt is killed on the way."""

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from super().run(killed(batches) if TaskContext.get().attemptNumber() == 0 else batches)


def broken(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for number, batch in enumerate(batches):
        if number == 2:
            raise RuntimeError("second attempt")
        yield batch


def killed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for number, batch in enumerate(batches):
        if number == 2:
            die()
        yield batch


def die_during_commit(source: str, target: Path) -> None:
    die()


def die_after_commit(log: Log, version: int, actions: Any) -> None:
    put(log, version, actions)
    die()


put = Log.put


def inject(fault: str) -> None:
    match fault:
        case "task-fails-twice":
            plan.SparkWriteTask = FailsTwice
        case "worker-dies":
            plan.SparkWriteTask = WorkerDies
        case "driver-dies-during-commit":
            os.link = die_during_commit  # the temporary file is there, the version is not
        case "driver-dies-after-commit":
            Log.put = die_after_commit
        case "nothing":
            pass
        case _:
            raise ValueError(f"unknown fault {fault!r}")


def main(directory: str, *faults: str) -> None:
    spark = (
        SparkSession.builder.master("local[2,3]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.memory", "600m")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 500)
        .getOrCreate()
    )
    rows = spark.range(0, ROWS, 1, 1).repartition(1)
    for fault in faults:
        inject(fault)
        target = Path(directory, fault)
        options: dict[str, Any] = {"mode": "append", "sort_by": "id", "max_rows_per_file": 500, "progress": False}
        txn_id = None if fault == "nothing" else "load"
        info = ingest(spark, rows, target, txn_id=txn_id, **options)
        print(fault, info.version, info.num_rows, flush=True)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
