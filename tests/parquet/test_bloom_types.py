"""Bloom filters of every type that pyarrow and DuckDB write are used in searches: they decide, and miss nothing."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet

#: Values that are in a file have even numbers.
HELD, ABSENT = range(0, 60, 2), range(1, 60, 2)
_DAY = datetime.date(1969, 11, 1)
_MOMENT = datetime.datetime(1969, 11, 1, 23, 59, 59, 123456)


def _bytes(n: int, size: int) -> bytes:
    return (n * 2654435761).to_bytes(size, "big")


def _moment(n: int) -> datetime.datetime:
    return _MOMENT + datetime.timedelta(hours=n * 37)


def _time(n: int) -> datetime.time:
    return datetime.time(n % 24, n % 60, n % 59, n * 1000)


def _decimal(scale: int, factor: int) -> Any:
    return lambda n: Decimal((n - 100) * factor).scaleb(-scale)


def check(path: Path, column: str, value: Any, *, is_used: bool = True) -> None:
    """Values that are in a file are found by its Bloom filter, and hardly any other is."""
    for number in HELD:
        (row,) = parquet.row_groups_with(path, column, value(number)).to_pylist()
        assert row["decided_by"] == ("bloom filter" if is_used else None), (column, value(number))
    if is_used:
        wrong = [value(n) for n in ABSENT if parquet.row_groups_with(path, column, value(n)).num_rows]
        assert len(wrong) < 8, (column, wrong)


def without_bounds(path: Path) -> None:
    """Takes statistics and page indexes away, so that Bloom filters are asked."""
    parquet.drop_indexes(path, path, bloom_filters=False)
    metadata = parquet.read_metadata(path)
    for group in metadata.row_groups:
        for chunk in group.columns:
            chunk.meta_data.statistics = None
    data = path.read_bytes()
    path.write_bytes(data[: -8 - int.from_bytes(data[-8:-4], "little")] + bytes(parquet.write_metadata(metadata)))


#: Arrow's types, the value of a number, and options of the writer.
ARROW: dict[str, tuple[pa.DataType, Any]] = {
    "int8": (pa.int8(), lambda n: n - 100),
    "int16": (pa.int16(), lambda n: n * 300 - 30_000),
    "int32": (pa.int32(), lambda n: n * 10**7 - 10**9),
    "int64": (pa.int64(), lambda n: (n - 100) * 10**16),
    "uint8": (pa.uint8(), lambda n: n),
    "uint16": (pa.uint16(), lambda n: 2**16 - 1 - n),
    "uint32": (pa.uint32(), lambda n: 2**32 - 1 - n),
    "uint64": (pa.uint64(), lambda n: 2**64 - 1 - n),
    "half": (pa.float16(), lambda n: np.float16(n / 2 - 50)),
    "float": (pa.float32(), lambda n: n / 8 - 5),
    "double": (pa.float64(), lambda n: n / 7 - 5),
    "string": (pa.string(), lambda n: f"é{n}" * (n % 7 + 1)),
    "large_string": (pa.large_string(), lambda n: f"é{n}"),
    "binary": (pa.binary(), lambda n: _bytes(n, 9)),
    "fixed": (pa.binary(9), lambda n: _bytes(n, 9)),
    "uuid": (pa.uuid(), lambda n: UUID(bytes=_bytes(n, 16))),
    "decimal4": (pa.decimal128(7, 2), _decimal(2, 77)),
    "decimal8": (pa.decimal128(16, 3), _decimal(3, 10**10)),
    "decimal16": (pa.decimal128(38, 5), _decimal(5, 10**30)),
    "decimal32": (pa.decimal256(70, 8), _decimal(8, 10**60)),
    "date": (pa.date32(), lambda n: _DAY + datetime.timedelta(n)),
    "time_ms": (pa.time32("ms"), _time),
    "time_us": (pa.time64("us"), _time),
    "time_ns": (pa.time64("ns"), _time),
    "at_ms": (pa.timestamp("ms"), lambda n: _moment(n).replace(microsecond=123000)),
    "at_us": (pa.timestamp("us"), _moment),
    "at_ns": (pa.timestamp("ns", "UTC"), lambda n: _moment(n).replace(tzinfo=datetime.UTC)),
    "duration": (pa.duration("us"), lambda n: n * 1_000_003),
}  # fmt: skip


_OPTIONS: list[dict[str, bool]] = [{}, {"store_decimal_as_integer": True}, {"use_deprecated_int96_timestamps": True}]


@pytest.mark.parametrize("options", _OPTIONS, ids=str)
def test_pyarrow(options: dict[str, bool], tmp_path: Path) -> None:
    path, columns = tmp_path / "a.parquet", {}
    for name, (kind, value) in ARROW.items():
        if options and not name.startswith("decimal" if "store_decimal_as_integer" in options else "at_"):
            continue
        values = [value(n) for n in HELD]
        storage = [each.bytes for each in values] if kind == pa.uuid() else values
        array = pa.array(storage, pa.binary(16) if kind == pa.uuid() else kind)
        columns[name] = pa.ExtensionArray.from_storage(kind, array) if kind == pa.uuid() else array
    pq.write_table(
        pa.table(columns), path, write_statistics=False, **options,
        bloom_filter_options={name: {"ndv": 200, "fpp": 0.01} for name in columns},
    )  # fmt: skip
    for name in columns:
        assert parquet.bloom_filter(path, 0, name) is not None
        check(path, name, ARROW[name][1])
    kinds = {chunk.meta_data.type.name for chunk in parquet.read_metadata(path).row_groups[0].columns}
    if options:
        assert {"INT32", "INT64"} < kinds or kinds == {"INT96"}
    # Filters that are made here are those that searches use.
    if not options:
        parquet.drop_indexes(path, path)
        parquet.add_indexes(path, path, columns=[], bloom=list(columns))
        for name in columns:
            check(path, name, ARROW[name][1])


#: DuckDB's types, the value as SQL has it by its number, and as a search takes it.
DUCKDB: dict[str, tuple[str, str, Any]] = {
    "tiny": ("TINYINT", "n - 100", lambda n: n - 100),
    "small": ("SMALLINT", "n * 150 - 15000", lambda n: n * 150 - 15000),
    "whole": ("INTEGER", "n * 1000003", lambda n: n * 1_000_003),
    "big": ("BIGINT", "(n - 100) * 10000000000000", lambda n: (n - 100) * 10**13),
    "utiny": ("UTINYINT", "n", lambda n: n),
    "usmall": ("USMALLINT", "65535 - n", lambda n: 65535 - n),
    "uwhole": ("UINTEGER", "4294967295 - n", lambda n: 2**32 - 1 - n),
    "ubig": ("UBIGINT", "18446744073709551615 - n", lambda n: 2**64 - 1 - n),
    "huge": ("HUGEINT", "n * 3 - 100", lambda n: float(n * 3 - 100)),
    "real": ("FLOAT", "n / 8 - 5", lambda n: n / 8 - 5),
    "double": ("DOUBLE", "n / 8 - 5", lambda n: n / 8 - 5),
    "text": ("VARCHAR", "'é' || n", lambda n: f"é{n}"),
    "blob": ("BLOB", "('x' || n)::blob", lambda n: f"x{n}".encode()),
    "decimal2": ("DECIMAL(4, 1)", "(n - 100) / 10", _decimal(1, 1)),
    "decimal4": ("DECIMAL(9, 2)", "(n - 100) * 77 / 100", _decimal(2, 77)),
    "decimal8": ("DECIMAL(18, 3)", "(n - 100)::decimal(18, 3) * 1000000", _decimal(3, 10**9)),
    "decimal16": ("DECIMAL(38, 5)", "(n - 100)::decimal(38, 5) * 1000000", _decimal(5, 10**11)),
    "day": ("DATE", "date '1969-11-01' + n", lambda n: _DAY + datetime.timedelta(n)),
    "at": ("TIMESTAMP", "timestamp '1969-11-01 23:59:59.123456' + to_hours(n * 37)", _moment),
    "at_tz": (
        "TIMESTAMPTZ", "(timestamp '1969-11-01 23:59:59.123456' + to_hours(n * 37)) at time zone 'UTC'",
        lambda n: _moment(n).replace(tzinfo=datetime.UTC),
    ),
    "at_ms": (
        "TIMESTAMP_MS", "timestamp '1969-11-01 23:59:59.123' + to_hours(n * 37)",
        lambda n: _moment(n).replace(microsecond=123000),
    ),
    "at_ns": ("TIMESTAMP_NS", "timestamp '1969-11-01 23:59:59.123456' + to_hours(n * 37)", _moment),
    "time": ("TIME", "make_time(n % 24, n % 60, n % 59)", lambda n: datetime.time(n % 24, n % 60, n % 59)),
    "uuid": ("UUID", "('00000000-0000-0000-0000-' || lpad(n::varchar, 12, '0'))::uuid", lambda n: UUID(f"{n:032}")),
    "span": (
        "INTERVAL", "to_months(n) + to_days(n * 3)",
        lambda n: n.to_bytes(4, "little") + (n * 3).to_bytes(4, "little") + bytes(4),
    ),
    "flag": ("BOOLEAN", "n % 4 = 0", lambda n: n % 4 == 0),
}  # fmt: skip


@pytest.mark.parametrize("version", ["V1", "V2"])
def test_duckdb(version: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    selected = ", ".join(f"({sql})::{kind} as {name}" for name, (kind, sql, _) in DUCKDB.items())
    # DuckDB makes filters of columns that have a dictionary, which values that occur often have.
    duckdb.sql(
        f"set timezone = 'UTC'; copy (select {selected} from "
        f"(select i::integer as n from range(0, 60, 2) t(i)), range(20)) to '{path}' "
        f"(format parquet, parquet_version {version})"
    )
    without_bounds(path)
    used = [name for name in DUCKDB if parquet.bloom_filter(path, 0, name) is not None]
    # DuckDB makes none of booleans, and of decimals with more than 18 digits.
    assert set(DUCKDB) - set(used) == {"flag", "decimal16"}
    for name in used:
        check(path, name, DUCKDB[name][2])
    check(path, "flag", DUCKDB["flag"][2], is_used=False)
