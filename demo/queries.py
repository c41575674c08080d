"""Queries of the tables: what each reads, and how long that takes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lakecodec.lake.read.explain import ScanSummary
from lakecodec.lake.read.scan import open_scan

from .tables import DemoTable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COLUMNS = ("origin", "dest", "time_hour", "carrier", "arr_delay")
#: By what a reader would call them; None for all rows.
QUERIES = {
    "everything": None,
    "one route": "origin = 'JFK' AND dest = 'LAX'",
    "Christmas week": "time_hour BETWEEN timestamp'2013-12-20' AND timestamp'2013-12-26 23:59:59'",
    "Boston in April": "dest = 'BOS' AND time_hour >= timestamp'2013-04-01' AND time_hour < timestamp'2013-05-01'",
}
_REPETITIONS = 3


@dataclass(frozen=True)
class QueryResult:
    """One query of one table.

    Attributes:
        query: its name in `QUERIES`.
        table: asked.
        summary: rows found, and how many files and row groups were read for them.
        seconds: of `lakecodec.pipeline.scan` in this process, the best of some runs.
        spark_rows: rows that `lakecodec.pipeline.read` found; None without Spark.
        spark_seconds: that it took.
    """

    query: str
    table: DemoTable
    summary: ScanSummary
    seconds: float
    spark_rows: int | None = None
    spark_seconds: float | None = None

    @property
    def agrees(self) -> bool:
        """True where Spark found as many rows, or was not asked."""
        return self.spark_rows in (None, self.summary.rows)


def run_query(query: str, table: DemoTable, spark: SparkSession | None) -> QueryResult:
    """Run a query in this process and, where there is a session, on Spark."""
    where = QUERIES[query]
    scan = open_scan(table.path, columns=COLUMNS, where=where)
    times = []
    for _ in range(_REPETITIONS):
        start = time.perf_counter()
        scan.reader().read_all()
        times.append(time.perf_counter() - start)
    if spark is None:
        return QueryResult(query, table, scan.summary(), min(times))

    from lakecodec.spark.read import read

    start = time.perf_counter()
    rows = read(spark, table.path, columns=COLUMNS, where=where).toArrow().num_rows
    return QueryResult(query, table, scan.summary(), min(times), rows, time.perf_counter() - start)
