"""Scans of tables with Spark, against Spark's own Parquet reader and against reading everything. Needs Java.

A query of a key range takes some 0.1 s however little it reads, most of it Spark's. It is therefore measured on two
tables: the one of the full scans, and one four times as large, which the bar is for.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .bench_ingest import make_rows
from .cpu import tree_seconds
from .harness import Result, interleave
from .tables import write_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROWS, _FILES = 4_000_000, 16
_COPIES = 4
_WIDE_COLUMNS, _WIDE_ROWS = 5_000, 20_000
_PLANNED_FILES = 5_000
_QUERIED_ROWS, _QUERIED_FILES = 3_000_000, 4
_KEY_RANGE = "customer BETWEEN 100000 AND 100100"
_SCAN_BAR, _QUERY_BAR, _WIDE_BAR, _RANGE_BAR, _PLAN_SECONDS = 1.3, 1.2, 1 / 5, 1 / 10, 1.0


def run(quick: bool) -> list[Result]:
    """``quick`` takes a twentieth of the rows, once."""
    from lakecodec.pipeline import read
    from lakecodec.spark.local import local_session, missing_java

    if advice := missing_java():
        raise RuntimeError(advice)
    repeat = 1 if quick else 5
    with tempfile.TemporaryDirectory(prefix="bench-scan-") as folder:
        root = Path(folder)
        results = [_planning(root / "many")]
        rows = _ROWS // 20 if quick else _ROWS
        _write_clustered(root, rows)
        _write_clustered(root / "large", rows, _COPIES)
        wide = _WIDE_COLUMNS // 20 if quick else _WIDE_COLUMNS
        _write_wide(root, wide)
        spark = local_session("local[2]")
        formats = ("parquet", "mosaic")
        native = spark.read.parquet(str(root / "parquet"))
        scans = {
            "native": lambda: _noop(native),
            **{name: _scan(lambda name=name: read(spark, root / name)) for name in formats},
        }
        medians = interleave(scans, repeat=repeat, clock=tree_seconds)
        peer = "spark.read.parquet"
        results += [
            Result(f"full scan, {name}, CPU", medians[name], medians["native"], peer, bar=_SCAN_BAR) for name in formats
        ]
        results += _queries(
            spark, root / "queried", _QUERIED_ROWS // 10 if quick else _QUERIED_ROWS, repeat if quick else 3 * repeat
        )
        columns = [f"c{number}" for number in range(0, wide, wide // 10)]
        medians = interleave(
            {
                "ours": _scan(lambda: read(spark, root / "wide-mosaic", columns=columns)),
                "native": _scan(lambda: spark.read.parquet(str(root / "wide-parquet")).select(*columns)),
            },
            repeat=repeat,
        )
        name = f"{len(columns)} of {wide:,} columns, mosaic"
        results.append(Result(name, medians["ours"], medians["native"], peer, bar=_WIDE_BAR))
        for path, count, bar in ((root, rows, None), (root / "large", rows * _COPIES, _RANGE_BAR)):
            for format in formats:
                medians = interleave(
                    {
                        "range": _scan(lambda table=path / format: read(spark, table, where=_KEY_RANGE)),
                        "all": _scan(lambda table=path / format: read(spark, table)),
                    },
                    repeat=repeat,
                )
                name = f"key range of {count / 1e6:g}M rows, {format}"
                results.append(Result(name, medians["range"], medians["all"], "full scan", bar=bar))
        spark.stop()
    return results


def _queries(spark: SparkSession, path: Path, rows: int, repeat: int) -> list[Result]:
    """Queries that name no columns to `read`; making the frames is not measured, which Spark starts a job for."""
    from pyspark.sql import functions as F

    from lakecodec.pipeline import read

    rng = np.random.default_rng(4)
    table = pa.table(
        {
            "id": np.arange(rows),
            "time": pa.array(np.arange(rows) * 1_000_000, pa.timestamp("us", "UTC")),
            "city": pa.array(rng.integers(0, 1000, rows)).cast(pa.string()),
            "amt": rng.random(rows),
            "qty": rng.integers(0, 100, rows).astype(np.int32),
            "kind": pa.array(rng.integers(0, 8, rows)).cast(pa.string()),
        }
    )
    size = rows // _QUERIED_FILES
    write_table(path, "parquet", table.schema, (table.slice(start, size) for start in range(0, rows, size)))
    frames = {"ours": read(spark, path), "native": spark.read.parquet(str(path))}
    queries: dict[str, Callable[[DataFrame], object]] = {
        "count()": lambda frame: frame.count(),
        "sum(amt), count(distinct city)": lambda frame: frame.agg(F.sum("amt"), F.countDistinct("city")).collect(),
    }
    results = []
    for name, query in queries.items():
        runs = {key: lambda frame=frame, query=query: query(frame) for key, frame in frames.items()}
        medians = interleave(runs, repeat=repeat)
        ours, native = medians["ours"], medians["native"]
        results.append(Result(f"{name}, {rows / 1e6:g}M x 6", ours, native, "spark.read.parquet", bar=_QUERY_BAR))
    return results


def _scan(frame: Callable[[], DataFrame]) -> Callable[[], None]:
    return lambda: _noop(frame())


def _noop(frame: DataFrame) -> None:
    frame.write.format("noop").mode("overwrite").save()


def _planning(root: Path) -> Result:
    """Planning without a cache, with a predicate that leaves one file."""
    from lakecodec.lake.log import Add, Log, Transaction
    from lakecodec.lake.read.plan import open_table, plan_table
    from lakecodec.lake.read.sql import parse_sql

    schema = pa.schema({"id": pa.int64(), **{f"x{number}": pa.float64() for number in range(20)}})
    low = ",".join(f'"x{number}":0.5' for number in range(20))
    transaction = Transaction(Log(root), None, "WRITE")
    transaction.set_schema(schema, (), "parquet")
    for number in range(_PLANNED_FILES):
        bounds = [f'{{"id":{number * 10 + end},{low}}}' for end in (0, 9)]
        stats = f'{{"numRecords":10,"minValues":{bounds[0]},"maxValues":{bounds[1]},"nullCount":{{"id":0}}}}'
        transaction.add(Add(f"part-{number:05d}.parquet", {}, 1000, 0, stats=stats))
    transaction.commit()

    def plan() -> int:
        return len(plan_table(open_table(root), None, parse_sql("id = 31415 AND x3 < 1")).files)

    assert plan() == 1
    taken = interleave({"plan": plan}, repeat=5, clock=time.perf_counter)["plan"]
    return Result(f"plan {_PLANNED_FILES:,} files", taken, _PLAN_SECONDS, "limit", bar=1.0)


def _write_clustered(root: Path, rows: int, copies: int = 1) -> None:
    """Tables that are sorted by customer; each copy of the rows has customers above those of the one before."""
    table = make_rows(rows)
    table = table.take(pc.sort_indices(table["customer"])).combine_chunks()
    place, above = table.schema.get_field_index("customer"), pc.add(pc.max(table["customer"]), pa.scalar(1, pa.int32()))
    size = rows // _FILES

    def files() -> Iterator[pa.Table]:
        copied = table
        for _ in range(copies):
            yield from (copied.slice(start, size) for start in range(0, rows, size))
            copied = copied.set_column(place, copied.schema.field(place), pc.add(copied["customer"], above))

    for format in ("parquet", "mosaic"):
        write_table(root / format, format, table.schema, files())


def _write_wide(root: Path, columns: int) -> None:
    rng = np.random.default_rng(2)
    arrays = [pa.array(rng.integers(0, 1000, _WIDE_ROWS).astype(np.float64)) for _ in range(columns)]
    table = pa.table(arrays, names=[f"c{number}" for number in range(columns)])
    for format in ("parquet", "mosaic"):
        parts = (table.slice(start, _WIDE_ROWS // 4) for start in range(0, _WIDE_ROWS, _WIDE_ROWS // 4))
        write_table(root / f"wide-{format}", format, table.schema, parts)
