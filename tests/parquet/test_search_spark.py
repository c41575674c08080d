"""Search never misses a value in files that Spark writes, with its page indexes and Bloom filters."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from tests.parquet.test_bloom_types import without_bounds
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


@pytest.mark.parametrize("is_legacy", [False, True])
def test_bloom_filters_of_every_type(spark: SparkSession, tmp_path: Path, is_legacy: bool) -> None:
    """Values that are in a file are found by its Bloom filters, and hardly any other is."""
    names = [name for name in COLUMNS if name not in ("flag", "list")]
    values = {name: [COLUMNS[name][1](n) for n in range(_ROWS)] for name in names}
    rows = list(zip(*(values[name][::2] for name in names), strict=True))
    frame = spark.createDataFrame(rows, ", ".join(f"{name} {COLUMNS[name][0]}" for name in names)).coalesce(1)
    options = {f"parquet.bloom.filter.enabled#{name}": "true" for name in names}
    options |= {f"parquet.bloom.filter.expected.ndv#{name}": "200" for name in names}
    spark.conf.set("spark.sql.parquet.writeLegacyFormat", str(is_legacy).lower())
    spark.conf.set("spark.sql.parquet.outputTimestampType", "INT96" if is_legacy else "TIMESTAMP_MICROS")
    try:
        frame.write.options(**options).option("parquet.enable.dictionary", "false").parquet(str(tmp_path / "bloom"))
    finally:
        spark.conf.unset("spark.sql.parquet.writeLegacyFormat")
        spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    (path,) = (tmp_path / "bloom").glob("*.parquet")
    kinds = {chunk.meta_data.type.name for chunk in parquet.read_metadata(path).row_groups[0].columns}
    assert ("INT96" in kinds) == is_legacy
    without_bounds(path)
    for name in names:
        assert parquet.bloom_filter(path, 0, name) is not None, name
        held = values[name][::2]
        for value in held:
            if value == value:
                # Spark's timestamps without a zone are those of its session.
                said = value.astimezone(datetime.UTC) if name == "moment" and not is_legacy else value
                said = value.astimezone(datetime.UTC).replace(tzinfo=None) if name == "moment" and is_legacy else said
                assert parquet.row_groups_with(path, name, said)["decided_by"].to_pylist() == ["bloom filter"], name
        absent = [value for value in values[name][1::2] if value == value and value not in held]
        assert len([1 for value in absent if parquet.row_groups_with(path, name, value).num_rows]) < 8, name


def test_spark_skips_pages_by_added_indexes(spark: SparkSession, tmp_path: Path) -> None:
    """The rows that Spark's scan decodes: those of a row group without indexes, those of a page with them."""
    plain, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    table = pa.table({"n": range(80_000), "text": [f"{n * 7919 % 80_000:06}" for n in range(80_000)]})
    # Without dictionaries, by which Spark skips row groups too.
    options = {"row_group_size": 20_000, "max_rows_per_page": 1000, "use_dictionary": False}
    pq.write_table(table, plain, write_statistics=False, **options)
    assert parquet.add_indexes(plain, made, bloom=["text"]).skipped == []

    def scanned(path: Path, where: str) -> int:
        frame = spark.read.parquet(str(path)).where(where)
        assert [row["n"] for row in frame.collect()] == [70_000]
        leaves = frame._jdf.queryExecution().executedPlan().collectLeaves()
        return int(leaves.apply(0).metrics().get("numOutputRows").get().value())

    assert scanned(plain, "n = 70000") == 80_000
    assert scanned(made, "n = 70000") == 1000
    text = f"text = '{70_000 * 7919 % 80_000:06}'"
    assert scanned(plain, text) == 80_000
    assert scanned(made, text) <= 20_000
    # Row groups joined by what was added are skipped within too.
    parquet.merge_row_groups(made, made)
    parquet.select_columns(made, made, ["n"])
    assert scanned(made, "n = 70000") == 1000


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
