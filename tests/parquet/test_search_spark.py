"""Search never misses a value in files that Spark writes, with its page indexes and Bloom filters."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lakecodec import parquet
from tests.parquet.test_search_writers import check

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ROWS = 60
_DAY = datetime.date(1969, 12, 1)
#: Spark's types, and the value of a row.
COLUMNS: dict[str, tuple[str, Any]] = {
    "tiny": ("tinyint", lambda n: n % 200 - 100),
    "small": ("smallint", lambda n: n * 100 - 7000),
    "number": ("int", lambda n: n * 10**7 - 10**9),
    "large": ("bigint", lambda n: (n - 30) * 10**16),
    "real": ("float", lambda n: [n / 8 - 5, -0.0, float("nan"), 0.0][n % 4]),
    "double": ("double", lambda n: [n / 7 - 5, float("inf"), -0.0][n % 3]),
    "flag": ("boolean", lambda n: n % 2 == 0),
    "text": ("string", lambda n: f"{'é' * (n % 50)}{n}"),
    "bytes": ("binary", lambda n: b"\xff" * (n % 70) + bytes([n])),
    "decimal4": ("decimal(7,2)", lambda n: Decimal(n - 30) / 100),
    "decimal8": ("decimal(16,3)", lambda n: Decimal(n - 30) * 10**8),
    "decimal16": ("decimal(30,5)", lambda n: Decimal(n - 30) * 10**20),
    "day": ("date", lambda n: _DAY + datetime.timedelta(days=n)),
    "moment": ("timestamp", lambda n: datetime.datetime(1969, 12, 31, 23) + datetime.timedelta(minutes=n)),
    "local": ("timestamp_ntz", lambda n: datetime.datetime(1969, 12, 31, 23) + datetime.timedelta(minutes=n)),
    "list": ("array<int>", lambda n: list(range(n % 3))),
}
_FILTERED = ("number", "large", "real", "double", "text", "bytes", "day", "decimal4", "decimal16", "moment")


@pytest.fixture(scope="module")
def files(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One file as Spark writes it; one with INT96, decimals as bytes, small pages, row groups and Bloom filters."""
    rows = [tuple(None if n % 11 == 5 else value(n) for _, value in COLUMNS.values()) for n in range(_ROWS)]
    frame = spark.createDataFrame(rows, ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())).coalesce(1)
    folder = tmp_path_factory.mktemp("spark")
    frame.write.parquet(str(folder / "plain"))
    options: dict[str, Any] = {
        "parquet.page.row.count.limit": 20,
        "parquet.block.size": 2048,
        "parquet.page.size.row.check.min": 10,
        "parquet.block.size.row.check.min": 10,
        "parquet.block.size.row.check.max": 40,
        "parquet.page.write-checksum.enabled": "true",
        **{f"parquet.bloom.filter.enabled#{name}": "true" for name in _FILTERED},
        **{f"parquet.bloom.filter.expected.ndv#{name}": "200" for name in _FILTERED},
    }
    spark.conf.set("spark.sql.parquet.writeLegacyFormat", "true")
    spark.conf.set("spark.sql.parquet.outputTimestampType", "INT96")
    try:
        frame.write.options(**options).parquet(str(folder / "indexed"))
    finally:
        spark.conf.unset("spark.sql.parquet.writeLegacyFormat")
        spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    return sorted(folder.glob("*/*.parquet"))


def test_never_a_false_negative(files: list[Path]) -> None:
    assert len(files) == 2
    for path in files:
        check(path)


def test_what_decides(files: list[Path]) -> None:
    """Files have what is asked, and it decides: otherwise nothing would be shown by what is found."""
    indexed = next(path for path in files if path.parent.name == "indexed")
    groups = parquet.read_metadata(indexed).row_groups
    assert len(groups) > 1
    column = parquet.page_index(indexed, 0, "number")[0]
    assert column is not None
    assert parquet.bloom_filter(indexed, 0, "text") is not None
    found = parquet.row_groups_with(indexed, "text", "é" * 20 + "20")
    assert found["decided_by"].to_pylist() == ["bloom filter"]
    assert parquet.row_groups_with(indexed, "text", "é" * 20 + "19").num_rows == 0
    assert [each for path in files for each in parquet.verify(path) if each.is_error] == []
