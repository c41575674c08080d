"""Descriptions of files, the tables made of them, and bounds as Python values."""

from __future__ import annotations

import datetime
import io
import json
import uuid
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from rich.console import Console

from lakecodec.generated.parquet import (
    ConvertedType,
    DecimalType,
    IntType,
    LogicalType,
    SchemaElement,
    TimestampType,
    TimeType,
    TimeUnit,
    Type,
)
from lakecodec.parquet.bounds import decode_value
from lakecodec.parquet.inspect import describe, render
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import ARROW_FILES, FILES, arrow_file, encrypted_file


def shown(description: dict[str, Any], width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width)
    render(description, console)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


@pytest.mark.parametrize("name", FILES)
def test_every_file_can_be_described(name: str) -> None:
    description = describe(FILES[name]())
    assert json.loads(json.dumps(description, allow_nan=False)) == description
    text = shown(description)
    for group in description["row_groups"][:2]:
        for column in group["columns"]:
            assert column["path"][:20] in text


def test_description() -> None:
    table = pa.table({"id": [3, 1, None], "when": [datetime.date(2024, 5, n) for n in (1, 2, 3)], "t": ["b", "a", "c"]})
    description = describe(arrow_file(table.replace_schema_metadata({"k": "v"}), compression="zstd"))
    assert {key: description[key] for key in ("format", "num_rows", "num_row_groups", "num_columns")} == {
        "format": "parquet",
        "num_rows": 3,
        "num_row_groups": 1,
        "num_columns": 3,
    }
    assert {"key": "k", "value": "v"} in description["key_value_metadata"]
    assert [(field["name"], field["depth"], field["logical_type"]) for field in description["schema"]] == [
        ("id", 0, None),
        ("when", 0, "DATE"),
        ("t", 0, "STRING"),
    ]
    columns = description["row_groups"][0]["columns"]
    assert [(column["min"], column["max"], column["null_count"]) for column in columns] == [
        (1, 3, 1),
        ("2024-05-01", "2024-05-03", 0),
        ("a", "c", 0),
    ]
    assert {column["codec"] for column in columns} == {"ZSTD"}
    text = shown(description)
    for expected in ("2024-05-03", "ZSTD", "RLE_DICTIONARY", "Row group 0: 3 rows", "parquet-cpp-arrow"):
        assert expected in text


def test_nested_schema() -> None:
    description = describe(ARROW_FILES["nested"]())
    depths = {
        field["name"]: field["depth"] for field in description["schema"] if field["name"] in ("struct", "at", "x")
    }
    assert depths == {"struct": 0, "at": 1, "x": 2}


def test_encrypted_files() -> None:
    description = describe(encrypted_file(plaintext_footer=True))
    assert description["encryption"] == "AES_GCM_V1"
    assert [column["encrypted"] for column in description["row_groups"][0]["columns"]] == [False, True, True]
    assert "secret (encrypted)" in shown(description)
    with pytest.raises(DecodeError, match="footer is encrypted"):
        describe(encrypted_file(plaintext_footer=False))


UTC = datetime.UTC
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
SIXTEEN = bytes(range(16))
UNITS = {"MILLIS": TimeUnit.MILLIS(), "MICROS": TimeUnit.MICROS(), "NANOS": TimeUnit.NANOS()}


def timestamp(unit: str, utc: bool) -> LogicalType:
    return LogicalType.TIMESTAMP(TimestampType(isAdjustedToUTC=utc, unit=UNITS[unit]))


def int_bytes(value: int, width: int) -> bytes:
    return value.to_bytes(width, "little", signed=True)


@pytest.mark.parametrize(
    ("type_", "options", "data", "expected"),
    [
        (Type.BOOLEAN, {}, b"\1", True),
        (Type.INT32, {}, int_bytes(-5, 4), -5),
        (Type.INT64, {}, int_bytes(-5, 8), -5),
        (Type.INT32, {"converted_type": ConvertedType.UINT_32}, b"\xff" * 4, 2**32 - 1),
        (Type.INT64, {"logicalType": LogicalType.INTEGER(IntType(bitWidth=64, isSigned=False))}, b"\xff" * 8, 2**64 - 1),
        (Type.FLOAT, {}, b"\0\0\xc0\x3f", 1.5),
        (Type.BYTE_ARRAY, {}, b"\xff\0", b"\xff\0"),
        (Type.BYTE_ARRAY, {"converted_type": ConvertedType.UTF8}, "é".encode(), "é"),
        (Type.BYTE_ARRAY, {"logicalType": LogicalType.STRING()}, b"a\xc3", "a\\xc3"),
        (Type.INT32, {"converted_type": ConvertedType.DATE}, int_bytes(-1, 4), datetime.date(1969, 12, 31)),
        (Type.INT32, {"converted_type": ConvertedType.DATE}, int_bytes(2**31 - 1, 4), 2**31 - 1),
        (
            Type.INT32,
            {"converted_type": ConvertedType.TIME_MILLIS},
            int_bytes(3_723_004, 4),
            datetime.time(1, 2, 3, 4000, UTC),
        ),
        (
            Type.INT64,
            {"logicalType": LogicalType.TIME(TimeType(isAdjustedToUTC=False, unit=UNITS["MICROS"]))},
            int_bytes(1, 8),
            datetime.time(0, 0, 0, 1),
        ),
        (Type.INT64, {"logicalType": timestamp("MICROS", True)}, int_bytes(-1, 8), EPOCH - datetime.timedelta(microseconds=1)),
        (Type.INT64, {"logicalType": timestamp("MILLIS", False)}, int_bytes(86_400_000, 8), datetime.datetime(1970, 1, 2)),
        (Type.INT64, {"logicalType": timestamp("NANOS", False)}, int_bytes(7, 8), 7),
        (Type.INT64, {"logicalType": timestamp("MILLIS", True)}, int_bytes(2**62, 8), 2**62),
        (Type.INT96, {}, int_bytes(1_000_000, 8) + int_bytes(2_440_589, 4), datetime.datetime(1970, 1, 2, 0, 0, 0, 1000)),
        (Type.INT32, {"converted_type": ConvertedType.DECIMAL, "scale": 2, "precision": 9}, int_bytes(-105, 4), Decimal("-1.05")),
        (
            Type.FIXED_LEN_BYTE_ARRAY,
            {"type_length": 16, "logicalType": LogicalType.DECIMAL(DecimalType(scale=1, precision=38))},
            (10**38 - 1).to_bytes(16, "big"),
            Decimal("9999999999999999999999999999999999999.9"),
        ),
        (Type.FIXED_LEN_BYTE_ARRAY, {"type_length": 16, "logicalType": LogicalType.UUID()}, SIXTEEN, uuid.UUID(bytes=SIXTEEN)),
        (Type.BYTE_ARRAY, {"converted_type": ConvertedType.TIME_MILLIS}, b"ab", b"ab"),
        (Type.INT32, {"converted_type": ConvertedType.UTF8}, int_bytes(7, 4), 7),
        (Type.INT32, {"converted_type": ConvertedType.DECIMAL, "scale": -(2**31)}, int_bytes(7, 4), 7),
        (Type.FIXED_LEN_BYTE_ARRAY, {"type_length": 2, "logicalType": LogicalType.FLOAT16()}, b"\0\x3e", 1.5),
    ],
)  # fmt: skip
def test_bounds(type_: Type, options: dict[str, Any], data: bytes, expected: object) -> None:
    value = decode_value(data, SchemaElement(name="x", type=type_, **options))
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("type_", "length", "data"),
    [(Type.INT32, None, b"123"), (Type.DOUBLE, None, b""), (Type.FIXED_LEN_BYTE_ARRAY, 4, b"12345")],
)
def test_bounds_of_wrong_width(type_: Type, length: int | None, data: bytes) -> None:
    with pytest.raises(DecodeError, match="a bound of"):
        decode_value(data, SchemaElement(name="x", type=type_, type_length=length))
