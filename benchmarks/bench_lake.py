"""A table that gets rows every day of a year and is optimized every week, against one that is clustered afresh. Needs Java.

Queries ask for boxes of customers and times, for rows of customers, and for days. Draws files and query times over the weeks.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from .harness import Result, interleave
from .tables import write_table

_DAYS, _DAY_ROWS = 364, 2_000
_TARGET_BYTES = 512 << 10
_BY = ("customer", "time")
_START = np.datetime64("2024-01-01", "us")
_DAY = np.timedelta64(86_400_000_000, "us")
_QUERIES = 40
_QUERY_BAR, _WRITE_BAR, _CURVE_BAR = 1.2, 3.0, 1.0


@dataclass
class Year:
    """What became of the table: bytes of all commits, and a row of numbers a week."""

    appended: int = 0
    written: int = 0
    files: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def run(quick: bool) -> list[Result]:
    """``quick`` lives through a week."""
    from lakecodec.lake.log import Log
    from lakecodec.pipeline import explain, ingest, optimize, read
    from lakecodec.spark.local import local_session, missing_java

    if advice := missing_java():
        raise RuntimeError(advice)
    days = _DAYS // 52 if quick else _DAYS
    spark = local_session("local[2]")
    found = Year()
    queries = make_queries(days)
    with tempfile.TemporaryDirectory(prefix="bench-lake-") as folder:
        lived = Path(folder) / "lived"
        for day in range(days):
            write_table(lived, "parquet", SCHEMA, [day_rows(day)])
            found.appended += Log(lived).info(Log(lived).latest() or 0).num_bytes
            if day % 7 == 6:
                info = optimize(spark, lived, hilbert_by=_BY, target_file_bytes=_TARGET_BYTES, progress=False)
                found.written += info.num_bytes
                found.files.append(Log(lived).snapshot().live_files.num_rows)
                found.seconds.append(seconds(lived, queries))
        fresh = {}
        for curve in ("hilbert", "zorder"):
            fresh[curve] = Path(folder) / curve
            ingest(
                spark, read(spark, lived), fresh[curve], target_file_bytes=_TARGET_BYTES, progress=False,
                **{f"{curve}_by": _BY},  # type: ignore[arg-type]
            )  # fmt: skip
        spark.stop()
        medians = interleave(
            {"lived": lambda: seconds(lived, queries), "fresh": lambda: seconds(fresh["hilbert"], queries)},
            repeat=3 if quick else 9,
            clock=time.process_time,
        )
        skipped = {
            curve: statistics.mean(explain(path, where=where).files for where in queries)
            for curve, path in fresh.items()
        }
        lived_files = statistics.mean(explain(lived, where=where).files for where in queries)
    _plot(found, Path("bench-output"))
    every = found.appended + found.written
    return [
        Result("queries of a lived table, CPU", medians["lived"], medians["fresh"], "clustered afresh", bar=_QUERY_BAR),
        Result("files that a query reads", lived_files, skipped["hilbert"], "clustered afresh", unit="files"),
        Result("bytes written", every, found.appended, "bytes appended", bar=_WRITE_BAR, unit="bytes"),
        Result(
            "files that a query reads", skipped["hilbert"], skipped["zorder"], "z-order", bar=_CURVE_BAR, unit="files"
        ),
    ]


SCHEMA = pa.schema({"time": pa.timestamp("us"), "customer": pa.int64(), "amount": pa.float64(), "text": pa.string()})


def day_rows(day: int) -> pa.Table:
    """The rows of a day: times of that day, customers of which some buy often."""
    rng = np.random.default_rng(day)
    times = _START + day * _DAY + np.sort(rng.integers(0, 86_400_000_000, _DAY_ROWS)).astype("timedelta64[us]")
    customers = (100_000 * rng.power(2, _DAY_ROWS)).astype(np.int64)
    texts = [f"order {number:x}" for number in rng.integers(0, 1 << 40, _DAY_ROWS)]
    return pa.table([times, customers, rng.random(_DAY_ROWS).round(2), texts], schema=SCHEMA)


def make_queries(days: int) -> list[str]:
    """Predicates: boxes of both columns, ranges of one alone."""
    rng = np.random.default_rng(7)
    found = []
    for number in range(_QUERIES):
        low, day = int(rng.integers(20_000, 95_000)), int(rng.integers(0, max(1, days - 30)))
        times = f"time >= timestamp'{_START + day * _DAY}' AND time < timestamp'{_START + (day + 14) * _DAY}'"
        customers = f"customer BETWEEN {low} AND {low + 2_000}"
        found.append((f"{customers} AND {times}", times, customers, f"{customers} AND {times}")[number % 4])
    return found


def seconds(path: Path, queries: Sequence[str]) -> float:
    """CPU seconds of all queries."""
    from lakecodec.pipeline import scan

    start = time.process_time()
    for where in queries:
        scan(path, where=where).read_all()
    return time.process_time() - start


def _plot(found: Year, folder: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    weeks = range(1, len(found.files) + 1)
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(9, 6), sharex=True, layout="constrained")
    above.step(weeks, found.files, where="post")
    above.set_ylabel("files")
    above.set_title(
        f"appended daily, optimized weekly: {found.written / max(1, found.appended):.2f} bytes rewritten for each"
    )
    below.plot(weeks, [value / _QUERIES * 1000 for value in found.seconds])
    below.set_ylabel("ms CPU a query")
    below.set_xlabel("week")
    below.set_ylim(bottom=0)
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "lake.png", dpi=110)
    pyplot.close(figure)
