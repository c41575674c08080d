"""Directories that Spark's own partitionBy makes, and Java's text of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.delta import PartitionCodec, encode_uri, escape_path_name, serialize_value, unescape_path_name
from tests.delta.vectors import ZONE, Vector, read_vectors

pytestmark = pytest.mark.spark

#: Rows whose directory Spark cannot make or makes wrong, and why.
WRONG = {
    47: "NUL is not escaped",
    48: "NUL is not escaped",
    50: "bytes that are not UTF-8 are replaced",
    52: "NUL, and bytes that are not UTF-8",
}
#: Rows whose digits depend on the Java version: shortest from 19 on.
OLD_JAVA_DIGITS = {115: "9.999999999999999E22", 118: "5.6843418860808015E-14", 125: "1.17549435E-38"}
JAVA_DIGITS = {18: "4.9E-324", 121: "1.4E-45"}
FAR = {101, 103}
SPARK_TYPES = {
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.date32(): "date",
    pa.timestamp("us", "UTC"): "timestamp",
    pa.timestamp("us"): "timestamp_ntz",
    pa.string(): "string",
    pa.binary(): "binary",
}


@pytest.fixture
def zoned(spark: Any) -> Iterator[Any]:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", ZONE)
    yield spark
    spark.conf.set("spark.sql.session.timeZone", before)


def spark_type(arrow: pa.DataType) -> str:
    if pa.types.is_decimal(arrow):
        return f"decimal({arrow.precision},{arrow.scale})"
    return SPARK_TYPES[arrow]


def by_type() -> dict[pa.DataType, list[Vector]]:
    found: dict[pa.DataType, list[Vector]] = {}
    for vector in read_vectors():
        if vector.row not in WRONG and vector.row not in FAR:
            found.setdefault(vector.type, []).append(vector)
    return found


def written_directories(spark: Any, values: list[Any], name: str, kind: str, path: Path) -> dict[int, str]:
    """The directory of each value: the row's number is in the file, the value in the directory."""
    rows = list(enumerate(values))
    frame = spark.createDataFrame(rows, f"row int, `{name}` {kind}")
    # One row a task: two values of one directory in one task fail in Spark.
    frame.repartition(len(rows), "row").write.partitionBy(name).mode("overwrite").json(str(path))
    found = {}
    for file in path.glob("*/*.json"):
        for line in file.read_text().splitlines():
            found[int(line.partition(":")[2].rstrip("}"))] = file.parent.name
    return found


@pytest.mark.parametrize("arrow", list(by_type()), ids=str)
def test_vectors(zoned: Any, arrow: pa.DataType, tmp_path: Path) -> None:
    vectors = by_type()[arrow]
    # One value for each directory: Spark's writer fails when a task has two.
    chosen = list({vector.directory: vector for vector in vectors}.values())
    values = [vector.value for vector in chosen]
    codec = PartitionCodec(pa.schema([("p", arrow), ("row", pa.int32())]), ["p"], profile="spark", timezone=ZONE)
    found = written_directories(zoned, values, "p", spark_type(arrow), tmp_path / "t")
    assert len(found) == len(chosen)
    for number, vector in enumerate(chosen):
        ours = codec.directory({"p": vector.value})
        assert ours == (f"p={JAVA_DIGITS[vector.row]}" if vector.row in JAVA_DIGITS else vector.directory)
        if vector.row in OLD_JAVA_DIGITS and found[number] != ours:
            assert found[number] == f"p={OLD_JAVA_DIGITS[vector.row]}"
        else:
            assert found[number] == ours
        assert codec.add_path(ours, "f") == java_uri(zoned, f"{ours}/f")


def test_column_names(zoned: Any, tmp_path: Path) -> None:
    for number, name in enumerate(["a b", "d\u00fc=r", "50%/x"]):
        codec = PartitionCodec(pa.schema([(name, pa.int32()), ("row", pa.int32())]), [name], profile="spark")
        found = written_directories(zoned, [1], name, "int", tmp_path / str(number))
        assert found == {0: codec.directory({name: 1})}


def test_hive_escapes(spark: Any) -> None:
    """Every character up to U+07FF and samples beyond, against Spark's own functions; it leaves NUL as it is."""
    utils = spark._jvm.org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
    for first in range(1, 0x800, 64):
        text = "".join(map(chr, range(first, first + 64)))
        escaped = escape_path_name(text, profile="spark")
        assert escaped == utils.escapePathName(text)
        assert unescape_path_name(escaped) == text == utils.unescapePathName(escaped)
    for text in ("a%zzb", "a%2", "%", "%%41", "a%4g"):
        assert unescape_path_name(text) == utils.unescapePathName(text)
    assert utils.escapePathName("a\0b") == "a\0b"


def test_uri_of_every_character(spark: Any) -> None:
    """The whole basic plane without surrogates, and samples beyond; `/` alone is not a character of a name."""
    codes = [code for code in range(1, 0x10000) if not 0xD800 <= code < 0xE000 and code != ord("/")]
    codes += [0x1F3B5, 0x10FFFF, 0xE0001]
    for start in range(0, len(codes), 4096):
        name = "x" + "".join(map(chr, codes[start : start + 4096]))
        assert encode_uri(name, profile="spark") == java_uri(spark, name)


def test_float_digits(spark: Any) -> None:
    """Equal digits for ordinary numbers; Java before 19 prints more digits than needed for some others."""
    rng = np.random.default_rng(7)
    ordinary = np.concatenate([rng.uniform(0, 1000, 4000), np.round(rng.uniform(-1e6, 1e6, 4000), 2)])
    bits = rng.integers(0, 2**64, 4000, dtype=np.uint64).view(np.float64)
    small = np.arange(1, 200, dtype=np.uint64).view(np.float64)
    shortest = spark._jvm.java.lang.Runtime.version().feature() >= 19
    for values, exact in ((ordinary, True), (bits[np.isfinite(bits)], shortest), (small, shortest)):
        array = pa.array(values)
        codec = PartitionCodec(pa.schema([("p", pa.float64()), ("x", pa.int8())]), ["p"], profile="spark")
        ours = codec.serialize_array("p", array).to_pylist()
        theirs = [
            row[0] for row in spark.createDataFrame(pa.table({"p": array})).selectExpr("cast(p as string)").collect()
        ]
        assert [float(text) for text in theirs] == [float(text) for text in ours]
        if exact:
            assert theirs == ours
        assert sum(len(a) < len(b) for a, b in zip(theirs, ours, strict=True)) == 0
        assert sum(a != b for a, b in zip(theirs, ours, strict=True)) <= len(ours) // 20


def test_intervals(spark: Any) -> None:
    months = [0, 1, 30, -30, -1, 11, 12, 2**31 - 1]
    micros = [0, 1, -1, 45_045_000_000, 86_400_000_000, -131_445_100_000, 10**15 + 120_000]
    for month in months:
        text = spark.sql(f"select cast(make_ym_interval(0, {month}) as string)").first()[0]
        assert serialize_value(pa.MonthDayNano([month, 0, 0]), pa.month_day_nano_interval()) == text  # type: ignore[call-arg,arg-type]
    for micro in micros:
        seconds = f"{Decimal(micro) / 1_000_000:f}"
        text = spark.sql(f"select cast(make_dt_interval(0, 0, 0, {seconds}) as string)").first()[0]
        assert serialize_value(timedelta(microseconds=micro), pa.duration("us")) == text


def test_years_beyond_python(spark: Any) -> None:
    for day in (2932897, -719528, -719529, 2932896 + 146097 * 10, -719162, 5_000_000):
        text = spark.sql(f"select cast(date_from_unix_date({day}) as string)").first()[0]
        assert serialize_value(pa.scalar(day, pa.date32()), pa.date32(), extended_years=True) == text


def java_uri(spark: Any, path: str) -> str:
    """Hadoop's text of a path's URI, relative to a root."""
    uri = spark._jvm.org.apache.hadoop.fs.Path("/root/" + path).toUri().toString()
    return str(uri).removeprefix("/root/")
