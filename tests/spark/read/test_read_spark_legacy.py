"""Files in Spark's legacy calendar: every reader finds the rows that Spark finds, and nothing writes the shift."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.convert import convert as convert_file
from lakecodec.lake.log import Log, parse_statistics
from lakecodec.parquet import update_metadata
from lakecodec.parquet.legacy_calendar import FIRST_DAY, LegacyCalendar, gregorian_days
from lakecodec.pipeline import (
    check,
    convert,
    count,
    delete,
    merge,
    optimize,
    read,
    scan,
    scan_changes,
    set_properties,
    update,
)
from lakecodec.runtime.errors import DecodeError
from tests.spark.tables import by_id, files_in

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEY = "spark.sql.parquet"
#: 29 February 1500 is a day of the Julian calendar alone; the last and first days of both; year 1; a day of today.
ROWS = """
    SELECT id, CAST(day AS DATE) AS day, CAST(CONCAT(day, ' 12:34:56') AS TIMESTAMP) AS at,
        CAST(day AS TIMESTAMP_NTZ) AS local, ARRAY(CAST(day AS DATE), NULL) AS days,
        NAMED_STRUCT('x', CAST(day AS DATE), 'y', CAST(day AS TIMESTAMP)) AS one,
        MAP(COALESCE(CAST(day AS DATE), DATE'1300-01-01'), CAST(day AS TIMESTAMP)) AS many, id AS n
    FROM VALUES (0, '1500-02-28'), (1, '1500-03-01'), (2, '1582-10-04'), (3, '1582-10-15'), (4, '0001-01-01'),
        (5, '0999-12-31'), (6, '1899-12-31'), (7, '2024-02-29'), (8, NULL) AS t(id, day)
"""


@pytest.fixture
def settings(spark: SparkSession) -> Iterator[dict[str, str]]:
    """Settings of the session, as they were after the test."""
    names = ("datetimeRebaseModeInWrite", "int96RebaseModeInWrite", "outputTimestampType")
    before = {name: spark.conf.get(f"{KEY}.{name}") for name in names}
    yield {f"{KEY}.{name}": str(value) for name, value in before.items()}
    for name, value in before.items():
        spark.conf.set(f"{KEY}.{name}", str(value))
    spark.conf.set("spark.sql.session.timeZone", "UTC")


def written(spark: SparkSession, path: Path, kind: str, mode: str, sql: str = ROWS) -> pa.Table:
    """What Spark reads of the files that it wrote to ``path``, by ids."""
    for name, value in (
        ("datetimeRebaseModeInWrite", mode),
        ("int96RebaseModeInWrite", mode),
        ("outputTimestampType", kind),
    ):
        spark.conf.set(f"{KEY}.{name}", value)
    spark.sql(sql).coalesce(1).write.parquet(str(path))
    return spark.read.parquet(str(path)).toArrow()


def rows(table: pa.Table) -> list[dict[str, Any]]:
    return by_id(table.select(sorted(table.column_names)))


@pytest.mark.parametrize("mode", ["LEGACY", "CORRECTED"])
@pytest.mark.parametrize("kind", ["TIMESTAMP_MICROS", "TIMESTAMP_MILLIS", "INT96"])
def test_all_readers(spark: SparkSession, settings: dict[str, str], tmp_path: Path, kind: str, mode: str) -> None:
    expected = rows(written(spark, tmp_path / "t", kind, mode))
    (file,) = (tmp_path / "t").glob("*.parquet")
    stored = pq.read_table(file, coerce_int96_timestamp_unit="us")["day"][0].as_py()
    assert (stored == date(1500, 2, 28)) == (mode == "CORRECTED")
    convert(None, tmp_path / "t")
    assert rows(scan(tmp_path / "t").read_all()) == expected
    assert rows(read(spark, tmp_path / "t").toArrow()) == expected  # Spark's own reader
    assert rows(read(spark, tmp_path / "t", verify=True).toArrow()) == expected
    assert check(tmp_path / "t", deep=True) == []
    for row in expected[:-1]:
        where = [("day", "=", row["day"])]
        found = [other for other in expected if other["day"] == row["day"]]
        assert rows(scan(tmp_path / "t", where=where).read_all()) == found
        assert count(tmp_path / "t", where=where) == len(found)
        where = [("at", "=", row["at"])]
        assert [each["id"] for each in rows(scan(tmp_path / "t", where=where).read_all())] == [row["id"]]
    (add,) = Log(tmp_path / "t").snapshot().files
    stats = parse_statistics(add.stats, pa.schema({"day": pa.date32(), "n": pa.int32()}))
    assert stats.max[("n",)] == 8
    assert (("day",) in stats.min) == (mode == "CORRECTED")


@pytest.mark.parametrize("kind", ["TIMESTAMP_MICROS", "INT96"])
def test_changes_of_other_rows(spark: SparkSession, settings: dict[str, str], tmp_path: Path, kind: str) -> None:
    path = tmp_path / "t"
    expected = rows(written(spark, path, kind, "LEGACY"))
    convert(None, path)
    set_properties(path, {"delta.enableChangeDataFeed": "true"})
    for name, value in settings.items():
        spark.conf.set(name, value)
    update(spark, path, {"n": "n + 100"}, "id = 7", progress=False)
    expected[7]["n"] += 100
    assert rows(scan(path).read_all()) == expected
    assert rows(read(spark, path).toArrow()) == expected
    spark.range(1).selectExpr("CAST(6 AS INT) AS id", "CAST(-6 AS INT) AS n").createOrReplaceTempView("source")
    merge(spark, path, spark.table("source"), on="id", when_matched_update={"n": "source.n"}, progress=False)
    expected[6]["n"] = -6
    assert rows(scan(path).read_all()) == expected
    delete(spark, path, "id = 0", progress=False)
    assert rows(scan(path).read_all()) == expected[1:]
    (deleted,) = scan_changes(path, 4, 4).read_all().select(["id", "day", "at"]).to_pylist()
    assert deleted == {name: expected[0][name] for name in ("id", "day", "at")}
    assert check(path, deep=True) == []


def test_optimize(spark: SparkSession, settings: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "t"
    expected = rows(written(spark, path, "TIMESTAMP_MICROS", "LEGACY"))
    spark.sql(ROWS).where("id = 0").selectExpr("id + 10 AS id", "* EXCEPT (id)").write.mode("append").parquet(str(path))
    expected += rows(spark.read.parquet(str(path)).where("id = 10").toArrow())
    convert(None, path)
    optimize(spark, path, progress=False)
    (file,) = (file for file in files_in(path) if file.name.endswith(".zstd.parquet"))
    assert LegacyCalendar.of_arrow(pq.read_metadata(file), "") is None
    assert rows(scan(path).read_all()) == expected
    optimize(spark, path, zorder_by=["day"], progress=False)
    assert rows(scan(path).read_all()) == expected


def test_another_time_zone(spark: SparkSession, settings: dict[str, str], tmp_path: Path) -> None:
    """Days are converted in any zone; old times in others than UTC are refused, before they are written anywhere."""
    spark.conf.set("spark.sql.session.timeZone", "America/Los_Angeles")
    expected = rows(written(spark, tmp_path / "t", "TIMESTAMP_MICROS", "LEGACY"))
    recent = "SELECT 1 AS id, DATE'1500-02-28' AS day, TIMESTAMP'1900-01-02 00:00:00' AS at"
    late = rows(written(spark, tmp_path / "u", "TIMESTAMP_MICROS", "LEGACY", recent))
    convert(None, tmp_path / "t")
    convert(None, tmp_path / "u")
    days = rows(scan(tmp_path / "t", columns=["id", "day", "days"]).read_all())
    assert days == [{name: row[name] for name in ("day", "days", "id")} for row in expected]
    refused = r"times before 1900 are in .* the time zone America/Los_Angeles, .* read the file by Spark"
    with pytest.raises(DecodeError, match=refused) as caught:
        scan(tmp_path / "t", columns=["at"]).read_all()
    assert caught.value.path.startswith(str(tmp_path))
    with pytest.raises(Exception, match=refused):
        update(spark, tmp_path / "t", {"n": "0"}, "id = 7", progress=False)
    assert Log(tmp_path / "t").latest() == 0
    assert rows(read(spark, tmp_path / "t").toArrow()) == expected
    assert rows(scan(tmp_path / "u").read_all()) == late


@pytest.mark.parametrize(
    ("values", "is_legacy"),
    [
        ({"org.apache.spark.version": "2.4.8"}, True),
        ({"org.apache.spark.version": "3.0.1"}, False),
        ({"org.apache.spark.version": "3.0.1", "org.apache.spark.legacyDateTime": ""}, True),
        ({"org.apache.spark.legacyDateTime": ""}, False),  # without a version the session decides, and `read` says so
    ],
)
def test_what_keys_mean(spark: SparkSession, tmp_path: Path, values: dict[str, str | None], is_legacy: bool) -> None:
    path = tmp_path / "t"
    path.mkdir()
    pq.write_table(pa.table({"id": [1], "day": [date(1500, 1, 10)]}), path / "a.parquet")
    update_metadata(path / "a.parquet", values)
    convert(None, path)
    found = scan(path).read_all()["day"].to_pylist()
    assert found == [date(1500, 1, 1) if is_legacy else date(1500, 1, 10)]
    assert [row.day for row in read(spark, path).collect()] == found


def test_days_of_spark(spark: SparkSession) -> None:
    inside: Any = spark
    spark_days = inside._jvm.org.apache.spark.sql.catalyst.util.RebaseDateTime.rebaseJulianToGregorianDays
    days = [*range(-1_000_000, FIRST_DAY, 997), *range(-536_900, -536_800), *range(FIRST_DAY - 30, FIRST_DAY)]
    assert gregorian_days(pa.array(days).to_numpy()).tolist() == [spark_days(day) for day in days]


def test_files_of_other_formats(spark: SparkSession, settings: dict[str, str], tmp_path: Path) -> None:
    written(
        spark,
        tmp_path / "t",
        "TIMESTAMP_MICROS",
        "LEGACY",
        "SELECT DATE'1500-02-28' AS day, TIMESTAMP'1500-02-28 00:00:00' AS at",
    )
    (file,) = (tmp_path / "t").glob("*.parquet")
    convert_file(file, tmp_path / "found.mosaic")
    from lakecodec.mosaic import MosaicFile

    with MosaicFile(tmp_path / "found.mosaic") as found:
        (row,) = found.read().to_pylist()
    assert row == {"day": date(1500, 2, 28), "at": datetime(1500, 2, 28, tzinfo=UTC)}
