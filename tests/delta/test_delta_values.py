"""Values handed to a writer, checked in order; values read back; errors with column and value."""

from __future__ import annotations

import math
import pickle
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.delta import PartitionCodec, parse_value, serialize_value
from lakecodec.runtime.errors import DecodeError, EncodeError

NAIVE, AWARE = datetime(2024, 6, 15, 12, 30, 45), datetime(2024, 6, 15, 12, 30, 45, tzinfo=UTC)
MONTHS: Any = pa.MonthDayNano
SCHEMA = pa.schema(
    [
        pa.field("Region", pa.string()),
        pa.field("year", pa.int32(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("data", pa.binary()),
    ]
)
GOOD = {"Region": "US/East", "year": 2024, "name": "x"}


def codec(**options: Any) -> PartitionCodec:
    return PartitionCodec(SCHEMA, ["year", "Region", "name"], **options)


def test_names_are_those_of_the_schema() -> None:
    assert codec().validate({"REGION": "", "Year": 1, "nAmE": "x"}) == {"year": 1, "Region": "", "name": "x"}
    assert list(codec().validate(GOOD)) == ["year", "Region", "name"]
    assert codec().serialize(GOOD) == {"year": "2024", "Region": "US/East", "name": "x"}
    assert codec().directory(GOOD) == "year=2024/Region=US%2FEast/name=x"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "delta: the table is partitioned by year, Region, name, but no values are given"),
        (None, "delta: the table is partitioned by year, Region, name, but no values are given"),
        ({"regio": "x", "YEAR": 1, "year": 2}, "delta: regio: the key is not a partition column: 'x'"),
        ({"data": b"", **GOOD}, "delta: data: the key is not a partition column: b''"),
        ({1: "x"}, "delta: 1: the key is not a partition column: 'x'"),
        ({"Region": "x", "REGION": "y"}, "delta: Region: two keys give this column a value, one of them 'REGION'"),
        ({"Region": None, "year": None}, "delta: name: the partition column has no value"),
        ({**GOOD, "year": None}, "delta: year: the column is not nullable, the value is null or empty: None"),
        ({**GOOD, "name": ""}, "delta: name: the column is not nullable, the value is null or empty: ''"),
        ({**GOOD, "year": b""}, "delta: year: the column is not nullable, the value is null or empty: b''"),
        ({**GOOD, "year": "2024"}, "delta: year: the value is not of the column's type integer: '2024'"),
        ({**GOOD, "year": True}, "delta: year: the value is not of the column's type integer: True"),
        ({**GOOD, "Region": 7}, "delta: Region: the value is not of the column's type string: 7"),
    ],
)
def test_refused_values(values: Any, message: str) -> None:
    for function in (codec().validate, codec().serialize, codec().directory):
        with pytest.raises(EncodeError) as caught:
            function(values)
        assert str(caught.value) == message


def test_null_of_another_type() -> None:
    null = pa.scalar(None, pa.int8())
    for empty in (None, "", b"", null, pa.scalar(""), bytearray()):
        assert codec().serialize({**GOOD, "Region": empty})["Region"] is None
        assert codec().directory({**GOOD, "Region": empty}) == "year=2024/Region=__HIVE_DEFAULT_PARTITION__/name=x"


def test_values_is_a_mapping() -> None:
    with pytest.raises(TypeError, match="values: a mapping"):
        codec().validate([("year", 1)])  # type: ignore[arg-type]


ACCEPTED = [
    (np.int8(-5), pa.int64(), "-5"),
    (np.bool_(True), pa.bool_(), "true"),
    (np.float32(0.1), pa.float32(), "0.1"),
    (0.1, pa.float32(), "0.1"),
    (np.float64(1e7), pa.float64(), "1.0E7"),
    (Decimal("42"), pa.decimal128(5, 2), "42.00"),
    (Decimal("4.2E1"), pa.decimal128(5, 2), "42.00"),
    (Decimal("-0.050"), pa.decimal128(3, 2), "-0.05"),
    (Decimal("0E-90"), pa.decimal128(3, 2), "0.00"),
    (Decimal("-0"), pa.decimal128(3, 0), "0"),
    (pa.scalar(Decimal("1.50"), pa.decimal128(3, 2)), pa.decimal128(3, 2), "1.50"),
    (date(2024, 1, 1), pa.date64(), "2024-01-01"),
    (np.datetime64("2024-01-01"), pa.date32(), "2024-01-01"),
    (pd.Timestamp("2024-06-15 12:30:45", tz="Europe/Berlin"), pa.timestamp("us", "UTC"), "2024-06-15T10:30:45.000000Z"),
    (NAIVE.replace(tzinfo=timezone(timedelta(hours=-7))), pa.timestamp("ns", "UTC"), "2024-06-15T19:30:45.000000Z"),
    (np.datetime64("2024-06-15T12:30:45.5"), pa.timestamp("us"), "2024-06-15 12:30:45.500000"),
    (pa.scalar(1, pa.timestamp("s", "Asia/Tokyo")), pa.timestamp("us", "UTC"), "1970-01-01T00:00:01.000000Z"),
    (pa.scalar(5000, pa.timestamp("ns")), pa.timestamp("us"), "1970-01-01 00:00:00.000005"),
    (timedelta(days=-1, seconds=-0.5), pa.duration("ms"), "INTERVAL '-1 00:00:00.5' DAY TO SECOND"),
    (np.timedelta64(90, "m").astype("timedelta64[s]"), pa.duration("us"), "INTERVAL '0 01:30:00' DAY TO SECOND"),
    (MONTHS([-30, 0, 0]), pa.month_day_nano_interval(), "INTERVAL '-2-6' YEAR TO MONTH"),
    (memoryview(b"HELLO"), pa.large_binary(), "HELLO"),
    (pa.scalar("x", pa.large_string()), pa.string_view(), "x"),
    (pa.array(["x"]).dictionary_encode()[0], pa.string(), "x"),
]


@pytest.mark.parametrize(
    ("value", "arrow", "text"), ACCEPTED, ids=lambda item: "memoryview" if isinstance(item, memoryview) else str(item)
)
def test_kinds_of_values(value: Any, arrow: pa.DataType, text: str) -> None:
    assert serialize_value(value, arrow) == text


MISMATCHED = [
    (1.0, pa.int64(), "is not of the column's type long"),
    (np.bool_(True), pa.int8(), "is not of the column's type byte"),
    (128, pa.int8(), "does not fit in the column's type byte"),
    (10**5000, pa.int64(), "does not fit in the column's type long"),
    (pa.scalar(1, pa.int32()), pa.int64(), "is of the type int32, the column is of the type long"),
    (1, pa.float64(), "is not of the column's type double"),
    (1e300, pa.float32(), "does not fit in the column's type float"),
    (pa.scalar(1.0, pa.float32()), pa.float64(), "is of the type float, the column is of the type double"),
    (1, pa.bool_(), "is not of the column's type boolean"),
    (1, pa.decimal128(5, 2), "is not of the column's type decimal\\(5,2\\)"),
    (Decimal("1000"), pa.decimal128(5, 2), "does not fit"),
    (Decimal("1E999999"), pa.decimal128(5, 2), "does not fit"),
    (Decimal("1.005"), pa.decimal128(5, 2), "more than 2 digits after the point"),
    (Decimal("1E-999999"), pa.decimal128(5, 2), "does not fit"),
    (Decimal("NaN"), pa.decimal128(5, 2), "does not fit"),
    (pa.scalar(Decimal("1.5"), pa.decimal128(5, 1)), pa.decimal128(5, 2), "is of the type decimal128\\(5, 1\\)"),
    (NAIVE, pa.date32(), "is not of the column's type date"),
    (date(2024, 1, 1), pa.timestamp("us"), "is not of the column's type timestamp_ntz"),
    (NAIVE, pa.timestamp("us", "UTC"), "the column is a timestamp, the value has no time zone"),
    (AWARE, pa.timestamp("us"), "the column is a timestamp_ntz, the value has a time zone"),
    (np.datetime64("2024-06-15T12:30"), pa.timestamp("us", "UTC"), "is not of the column's type timestamp"),
    (np.datetime64("NaT", "s"), pa.timestamp("us"), "is not of the column's type"),
    (pd.NaT, pa.timestamp("us"), "is not of the column's type"),
    (pd.Timestamp(1, unit="ns"), pa.timestamp("us"), "has nanoseconds"),
    (pa.scalar(1, pa.timestamp("ns")), pa.timestamp("us"), "has nanoseconds"),
    ("x", pa.binary(), "is not of the column's type binary"),
    (b"x", pa.string(), "is not of the column's type string"),
    (b"\xff", pa.binary(), "the bytes are not UTF-8 text \\(byte 0"),
    ("\ud800", pa.string(), "lone surrogate"),
    (MONTHS([1, 1, 0]), pa.month_day_nano_interval(), "has days or nanoseconds"),
    (3, pa.month_day_nano_interval(), "is not of the column's type interval year to month"),
    (3, pa.duration("us"), "is not of the column's type interval day to second"),
    ({"x": 1}, pa.struct([("x", pa.int8())]), "a value of the type struct<x: int8> cannot partition a table"),
    ([1], pa.list_(pa.int8()), "a value of the type list<item: int8> cannot partition a table"),
]


@pytest.mark.parametrize(("value", "arrow", "message"), MISMATCHED, ids=lambda item: type(item).__name__)
def test_mismatched_values(value: Any, arrow: pa.DataType, message: str) -> None:
    with pytest.raises(EncodeError, match=message):
        serialize_value(value, arrow)


def test_null_of_any_type() -> None:
    for arrow in (pa.int8(), pa.struct([]), pa.list_(pa.int8()), pa.string()):
        assert serialize_value(None, arrow) is None
        assert parse_value(None, arrow) is None
        assert parse_value("", arrow) is None


def test_types_that_are_not_deltas() -> None:
    for arrow in (pa.uint8(), pa.float16(), pa.time64("us"), pa.null(), pa.decimal256(40, 0)):
        with pytest.raises(ValueError, match="type: Delta has no type for"):
            serialize_value(1, arrow)
    with pytest.raises(TypeError, match=r"type: a pyarrow\.DataType is needed"):
        serialize_value(1, "long")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="type: list<item: int8> cannot partition a table"):
        parse_value("1", pa.list_(pa.int8()))


def test_years_need_permission() -> None:
    far = pa.scalar(2932897, pa.date32())
    with pytest.raises(EncodeError, match=r"the year \+10000 is outside 0001 to 9999: <pyarrow\.lib\.Date32Scalar"):
        serialize_value(far, pa.date32())
    assert serialize_value(far, pa.date32(), extended_years=True) == "+10000-01-01"
    assert serialize_value(far.cast(pa.date64()), pa.date32(), extended_years=True) == "+10000-01-01"
    for arrow in (pa.date32(), pa.timestamp("us", "UTC"), pa.timestamp("us")):
        for extended in (False, True):
            text = "+10000-01-01" if arrow == pa.date32() else "+10000-01-01 00:00:00"
            with pytest.raises(DecodeError, match="outside 0001 to 9999"):
                parse_value(text, arrow, extended_years=extended)
    table = PartitionCodec(pa.schema([("d", pa.date32()), ("x", pa.int8())]), ["d"], extended_years=True)
    assert table.parse_array("d", pa.array(["+10000-01-01"]))[0] == far
    assert table.directory({"d": far}) == "d=+10000-01-01"


def test_too_long_for_a_directory() -> None:
    table = PartitionCodec(pa.schema([("p", pa.string()), ("x", pa.int8())]), ["p"])
    assert len(table.directory({"p": "ü" * 126}).encode()) == 254
    with pytest.raises(
        EncodeError, match="delta: p: the directory name has 256 bytes, file systems take at most 255: 'ü"
    ):
        table.directory({"p": "ü" * 127})
    with pytest.raises(EncodeError, match="the directory name has 302 bytes"):
        table.directory({"p": "/" * 100})
    assert table.serialize({"p": "/" * 1000}) == {"p": "/" * 1000}


def test_values_that_share_a_directory_differ_in_the_log() -> None:
    table = PartitionCodec(
        pa.schema([("p", pa.string()), ("t", pa.timestamp("us", "UTC")), ("x", pa.int8())]),
        ["p", "t"],
        profile="spark",
        timezone="America/Los_Angeles",
    )
    fold = [datetime(2024, 11, 3, hour, 30, tzinfo=UTC) for hour in (8, 9)]
    literal = "__HIVE_DEFAULT_PARTITION__"
    pairs = [({"p": None, "t": fold[0]}, {"p": literal, "t": fold[1]})]
    for first, second in pairs:
        assert table.directory(first) == table.directory(second)
        assert table.serialize(first) != table.serialize(second)
        assert table.parse(table.serialize(first)) == first
        assert table.parse(table.serialize(second)) == second


def test_negative_zero_is_a_value_of_its_own() -> None:
    assert [serialize_value(zero, pa.float64()) for zero in (0.0, -0.0)] == ["0.0", "-0.0"]
    assert math.copysign(1, parse_value("-0.0", pa.float64())) == -1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"year": "x"}, "delta: year: an integer is an optional sign and digits (column of the type integer): 'x'"),
        ({"year": 5}, "delta: year: a partition value is a string or null: 5"),
        ({"YEAR": "5"}, "delta: YEAR: the key is not a partition column"),
    ],
)
def test_broken_logs(values: Any, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        codec().parse(values)
    assert str(caught.value) == message


def test_parsed_values() -> None:
    assert codec().parse({"year": "+7"}) == {"year": 7, "Region": None, "name": None}
    assert codec().parse({"year": None, "Region": "", "name": "x"}) == {"year": None, "Region": None, "name": "x"}
    assert codec().parse_directory("year=7/Region=US%2FEast/part-0.parquet") == {
        "year": 7,
        "Region": "US/East",
        "name": None,
    }
    with pytest.raises(DecodeError, match="delta: other: the directory is not of a partition column"):
        codec().parse_directory("year=7/other=1")
    assert repr(parse_value("0.1", pa.float32())) == repr(float(np.float32(0.1)))
    assert parse_value("2024-06-15 12:30:45", pa.timestamp("us", "UTC")) == AWARE
    spark = parse_value("2024-06-15 12:30:45", pa.timestamp("us", "UTC"), timezone="America/Los_Angeles")
    assert spark == AWARE + timedelta(hours=7)
    assert parse_value("2024-06-15 12:30:45", pa.timestamp("us")) == NAIVE
    assert parse_value("INTERVAL '1-2' YEAR TO MONTH", pa.month_day_nano_interval()) == MONTHS([14, 0, 0])


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.sampled_from([a for _, a, _ in ACCEPTED]))
def test_any_text_parses_or_is_a_decode_error(text: str, arrow: pa.DataType) -> None:
    try:
        value = parse_value(text, arrow)
    except DecodeError:
        return
    again = serialize_value(value, arrow)
    assert again is not None
    assert serialize_value(parse_value(again, arrow), arrow) == again


def test_codecs_travel_to_other_processes() -> None:
    fields = [pa.field("p", pa.string(), metadata={"delta.columnMapping.physicalName": "c"}), ("x", pa.int8())]
    for one in (codec(), PartitionCodec(pa.schema(fields), ["p"], profile="spark", timezone="Europe/Berlin")):
        copy = pickle.loads(pickle.dumps(one))
        assert copy.columns == one.columns
        values = GOOD if one.columns[0].name == "year" else {"p": "a/b"}
        assert copy.serialize(values) == one.serialize(values)


def test_time_zones() -> None:
    with pytest.raises(ValueError, match="timezone: 'Mars/Olympus' is not a known time zone"):
        parse_value("2024-06-15 12:30:45", pa.timestamp("us", "UTC"), timezone="Mars/Olympus")


def test_file_names() -> None:
    for file in ("", "a/b"):
        with pytest.raises(ValueError, match="file: "):
            codec().add_path("year=1", file)
