"""A year in the life of a table: flights appended month by month, corrected, optimized, and looked at as they were."""

from __future__ import annotations

import calendar
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.lake.log import CommitInfo, Log, check
from lakecodec.spark.ingest import ingest

from .queries import COLUMNS, QUERIES
from .tables import CLUSTERED_BY, FILE_BYTES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Small, so that a month is some files.
_ROWS_PER_FILE = 4_000
_REPETITIONS = 3
#: Months that end with an optimization.
_OPTIMIZED = (3, 6, 9, 12)


@dataclass(frozen=True)
class Month:
    """A month and the table at its end.

    Attributes:
        name: of the month.
        done: what was done in it, in short.
        version: of the table.
        rows: of the table.
        files: of the version.
        bytes: of these.
        seconds: of a query of one route, the best of some runs.
    """

    name: str
    done: tuple[str, ...]
    version: int
    rows: int
    files: int
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Year:
    """The months, and what was found out at the end, each with whether it is as it should be."""

    months: list[Month]
    said: list[tuple[str, bool]]

    @property
    def good(self) -> bool:
        """True where every check of the year holds."""
        return all(right for _, right in self.said)


def live_a_year(spark: SparkSession, rows: pa.Table, target: Path) -> Year:
    """Make a table and keep it for a year; an earlier ``target`` is replaced.

    In April the carrier US becomes AA, in August cancelled flights are deleted, in November late news of October are merged.
    """
    from lakecodec.pipeline import delete, merge, optimize, set_properties, update

    shutil.rmtree(target, ignore_errors=True)
    months: list[Month] = []
    expected = rows.slice(0, 0)
    for number in range(1, 13):
        part = rows.filter(pc.equal(rows["month"], number))
        ingest(
            spark, spark.createDataFrame(part), target, mode="append", max_rows_per_file=_ROWS_PER_FILE, progress=False
        )
        expected = pa.concat_tables([expected, part])
        done = [f"{part.num_rows:,} rows"]
        match number:
            case 1:
                set_properties(target, {"delta.enableChangeDataFeed": True})
            case 4:
                update(spark, target, {"carrier": "'AA'"}, "carrier = 'US'", progress=False)
                carrier = pc.if_else(pc.equal(expected["carrier"], "US"), "AA", expected["carrier"])
                expected = expected.set_column(expected.schema.get_field_index("carrier"), "carrier", carrier)
                done.append("updated")
            case 8:
                delete(spark, target, "dep_time IS NULL", progress=False)
                expected = expected.filter(pc.is_valid(expected["dep_time"]))
                done.append("deleted")
            case 11:
                news, expected = _late_news(expected)
                merge(
                    spark, target, spark.createDataFrame(news), list(_KEY), when_matched_update=True,
                    when_not_matched_insert=True, progress=False,
                )  # fmt: skip
                done.append("merged")
        if number in _OPTIMIZED:
            optimize(spark, target, hilbert_by=CLUSTERED_BY, target_file_bytes=FILE_BYTES, progress=False)
            done.append("optimized")
        months.append(_month(target, calendar.month_abbr[number], done))
    return Year(months, _findings(target, months, expected, rows))


_KEY = ("time_hour", "carrier", "flight", "origin", "dest")


def _late_news(rows: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Returns 500 flights of October with a corrected arrival, and all rows after that correction."""
    chosen = np.zeros(len(rows), bool)
    chosen[np.flatnonzero(pc.equal(rows["month"], 10))[:500]] = True
    place = rows.schema.get_field_index("arr_delay")
    after = rows.set_column(place, "arr_delay", pc.if_else(pa.array(chosen), 0.0, rows["arr_delay"]))
    return after.filter(pa.array(chosen)), after


def _month(target: Path, name: str, done: list[str]) -> Month:
    from lakecodec.lake.read.scan import open_scan

    snapshot = Log(target).snapshot()
    scan = open_scan(target, columns=COLUMNS, where=QUERIES["one route"])
    times = []
    for _ in range(_REPETITIONS):
        start = time.perf_counter()
        scan.reader().read_all()
        times.append(time.perf_counter() - start)
    sizes = snapshot.live_files["size"].to_pylist()
    counts = sum(add.num_records or 0 for add in snapshot.files)
    return Month(name, tuple(done), snapshot.version, counts, len(sizes), sum(sizes), min(times))


def _findings(target: Path, months: list[Month], expected: pa.Table, rows: pa.Table) -> list[tuple[str, bool]]:
    from lakecodec.pipeline import history, scan, scan_changes

    found = _in_order(scan(target).read_all()) == _in_order(expected)
    march = scan(target, version=months[2].version).read_all()
    then = rows.filter(pc.less_equal(rows["month"], 3))
    changes = scan_changes(target, 2, columns=["_change_type"]).read_all()["_change_type"].to_pylist()
    counts = {kind: changes.count(kind) for kind in dict.fromkeys(changes)}
    written = _bytes_written(history(target))
    return [
        (f"{expected.num_rows:,} rows, each as it should be after all changes", found),
        (f"as of March: {march.num_rows:,} rows, as they were before any change", _in_order(march) == _in_order(then)),
        (f"changes since January: {', '.join(f'{count:,} {kind}' for kind, count in counts.items())}", bool(counts)),
        (f"bytes written for each byte that was appended: {written:.1f}", True),
        ("log and files agree", not check(target)),
    ]


def _bytes_written(commits: list[CommitInfo]) -> float:
    appended = sum(info.num_bytes for info in commits if info.operation == "WRITE")
    return sum(info.num_bytes for info in commits) / max(1, appended)


def _in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([(name, "ascending") for name in table.column_names]).combine_chunks()
