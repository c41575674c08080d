"""Tables of statistics as polars, pandas and DuckDB read them."""

from __future__ import annotations

import datetime
import uuid
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from lakecodec import parquet

from .files import arrow_file

_MOMENT = datetime.datetime(2024, 2, 29, 1, 2, 3, 4)
#: One column of each kind: (family, its type in the pair, values from the smallest to the largest).
COLUMNS: dict[str, tuple[str, pa.DataType, pa.Array]] = {
    "bool": ("bool", pa.bool_(), pa.array([False, True])),
    "i8": ("integer", pa.decimal128(20, 0), pa.array([-5, 7], pa.int8())),
    "u64": ("integer", pa.decimal128(20, 0), pa.array([1, 2**64 - 1], pa.uint64())),
    "half": ("real", pa.float64(), pa.array(np.array([-1.5, 2.5], np.float16))),
    "double": ("real", pa.float64(), pa.array([-1e300, 1e300])),
    "cents": ("decimal", pa.decimal128(18, 4), pa.array([Decimal("-1.50"), Decimal("9.25")], pa.decimal128(16, 2))),
    "mills": ("decimal", pa.decimal128(18, 4), pa.array([Decimal("0.0001")], pa.decimal128(9, 4))),
    "text": ("string", pa.string(), pa.array(["a", "é"])),
    "bytes": ("binary", pa.binary(), pa.array([b"\x00", b"\xff"])),
    "fixed": ("binary", pa.binary(), pa.array([b"ab", b"cd"], pa.binary(2))),
    "uuid": ("binary", pa.binary(), pa.array([uuid.UUID(int=7).bytes], pa.uuid())),
    "date": ("date", pa.date32(), pa.array([datetime.date(2024, 2, 29)])),
    "time": ("time", pa.time64("us"), pa.array([datetime.time(1, 2, 3)], pa.time32("ms"))),
    "ms": ("timestamp", pa.timestamp("ns"), pa.array([_MOMENT], pa.timestamp("us"))),
    "ns": ("timestamp", pa.timestamp("ns"), pa.array([1, 2**60], pa.timestamp("ns"))),
    "utc": ("timestamp_utc", pa.timestamp("us", "UTC"), pa.array([_MOMENT], pa.timestamp("us", "UTC"))),
    "none": ("integer", pa.decimal128(20, 0), pa.array([None], pa.int32())),
}


def _read_by_all(table: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """Returns the rows as each library reads them; DuckDB's by way of its own Arrow table."""
    found = duckdb.sql("select * from tbl", connection=_connection(table)).to_arrow_table()
    return {
        "polars": pl.DataFrame(table).to_dicts(),
        "pandas": table.to_pandas().to_dict("records"),
        "duckdb": found.to_pylist(),
    }


def _connection(table: pa.Table) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("tbl", table)
    return connection


def _file(name: str) -> bytes:
    return arrow_file(pa.table({name: COLUMNS[name][2]}))


def _equal(found: Any, expected: Any) -> bool:
    """Returns whether a library has a value; pandas has NaN or NaT for null, and integers with nulls as floats."""
    if expected is None:
        return found is None or found != found
    return bool(found == expected or found == getattr(expected, "value", expected))


@pytest.mark.parametrize("name", COLUMNS)
def test_one_type_is_kept(name: str) -> None:
    column = COLUMNS[name][2]
    table = parquet.statistics(_file(name))
    assert table["min"].type == (pa.float32() if column.type == pa.float16() else column.type)
    whole = column.drop_null().to_pylist() or [None]
    assert (table["min"][0].as_py(), table["max"][0].as_py()) == (whole[0], whole[-1])
    for library, (row,) in _read_by_all(table).items():
        if name not in ("uuid", "ns"):
            assert [_equal(row["min"], whole[0]), _equal(row["max"], whole[-1])] == [True, True], (library, row)


def test_several_types_are_text_and_a_pair_per_family() -> None:
    table = parquet.statistics([_file(name) for name in COLUMNS])
    assert table["min"].type == table["max"].type == pa.string()
    assert {name for name in table.column_names if name.startswith("min_")} == {
        f"min_{f}" for f, _, _ in COLUMNS.values()
    }
    for end, position in (("min", 0), ("max", -1)):
        for number, (family, kind, column) in enumerate(COLUMNS.values()):
            assert table[f"{end}_{family}"].type == kind
            storage = column.storage if isinstance(column, pa.ExtensionArray) else column
            expected = (storage.drop_null().cast(kind).to_pylist() or [None])[position]
            assert table[f"{end}_{family}"][number].as_py() == expected
            assert (table[end][number].as_py() is None) == (expected is None)
            others = {each for each, _, _ in COLUMNS.values()} - {family}
            assert all(table[f"{end}_{each}"][number].as_py() is None for each in others)
    for library, rows in _read_by_all(table).items():
        assert [row["min"] for row in rows if isinstance(row["min"], str)] == table["min"].drop_null().to_pylist(), (
            library
        )
        largest = [Decimal(row["max_integer"]) for row in rows if not _equal(row["max_integer"], None)]
        assert largest == [7, 2**64 - 1], library


def test_libraries_filter_by_a_family() -> None:
    table = parquet.statistics([_file("cents"), _file("mills"), _file("text")])
    limit = Decimal("9.2")
    assert pl.DataFrame(table).filter(pl.col("max_decimal") > limit)["path"].to_list() == ["cents"]
    frame = table.to_pandas()
    assert frame.path[frame.max_decimal.map(lambda value: value is not None and value > limit)].tolist() == ["cents"]
    rows = duckdb.sql("select path from tbl where max_decimal > 9.2", connection=_connection(table)).fetchall()
    assert rows == [("cents",)]


def test_what_a_pair_cannot_hold_is_text_alone() -> None:
    far = pa.array([2**60], pa.timestamp("ms"))
    near = pa.array([5], pa.timestamp("ns"))
    table = parquet.statistics([arrow_file(pa.table({"t": each})) for each in (far, near)])
    assert table["min_timestamp"].type == pa.timestamp("ns")
    assert table["min_timestamp"].cast(pa.int64()).to_pylist() == [None, 5]
    assert table["min"][1].as_py() == "1970-01-01 00:00:00.000000005"
    assert table["min"][0].as_py() is not None


def test_types_that_not_all_libraries_read() -> None:
    wide = arrow_file(pa.table({"d": pa.array([Decimal(10**45)], pa.decimal256(50, 2))}))
    table = parquet.statistics(wide)
    assert table["min"].to_pylist() == [str(10**45) + ".00"]
    assert "min_decimal" not in table.column_names
    exact = arrow_file(pa.table({"t": pa.array([1001], pa.time64("ns"))}))
    table = parquet.statistics(exact)
    assert table["min"].to_pylist() == ["00:00:00.000001001"]
    assert table["min_time"].to_pylist() == [None]
    assert parquet.statistics(exact, union=True)["min"].type == pa.time64("ns")
    for each in (table, parquet.statistics(wide), parquet.statistics([])):
        assert set(_read_by_all(each)) == {"polars", "pandas", "duckdb"}
