"""Rows in binary form: every type back and forth, buckets by the peer's hash, damage."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from lakecodec import DecodeError
from lakecodec.paimon.binary_row import EMPTY, buckets_of, decode_row, encode_row, plain
from lakecodec.paimon.paths import bucket_path, java_text, partition_text
from lakecodec.paimon.schemas import new_schema

from .test_read import SCHEMA, data

KINDS = [kind for kind in SCHEMA.types if not pa.types.is_nested(kind)]


def test_all_types() -> None:
    table = data(40).select([field.name for field in SCHEMA if not pa.types.is_nested(field.type)])
    columns = [plain(column) for column in table.columns]
    for row, values in zip(table.to_pylist(), zip(*columns, strict=True), strict=True):
        assert decode_row(encode_row(values, KINDS), KINDS) == list(row.values())


def test_bytes_of_the_specification() -> None:
    assert bytes(12) == EMPTY
    kinds = [pa.string(), pa.int32()]
    assert encode_row(["a b", 1], kinds).hex() == "00000002" + "00" * 8 + "6120620000000083" + "0100000000000000"
    assert encode_row([None, 1], kinds).hex() == "00000002" + "0001" + "00" * 6 + "00" * 8 + "0100000000000000"
    long = encode_row(["12345678", 1], kinds)
    assert long.hex() == "00000002" + "00" * 8 + "0800000018000000" + "0100000000000000" + b"12345678".hex()


def test_damage() -> None:
    chance = random.Random(3)
    row = encode_row(["a longer text", 2**70, 5], [pa.string(), pa.decimal128(38, 2), pa.timestamp("us")])
    kinds = [pa.string(), pa.decimal128(38, 2), pa.timestamp("us")]
    for _ in range(1000):
        broken = bytearray(row)
        broken[chance.randrange(len(row))] ^= 1 << chance.randrange(8)
        try:
            decode_row(bytes(broken[: chance.choice((None, chance.randrange(len(row))))]), kinds)
        except DecodeError:
            continue
    with pytest.raises(DecodeError, match="has 3 fields, its type 1"):
        decode_row(row, kinds[:1])


def test_keys_fall_into_every_bucket() -> None:
    keys = pa.array(range(1000), pa.int64())
    found = buckets_of([keys], [pa.int64()], 7)
    assert isinstance(found, np.ndarray)
    assert set(found) == set(range(7))


@pytest.mark.parametrize(
    ("value", "kind", "legacy", "text"),
    [
        (None, pa.string(), True, "__DEFAULT_PARTITION__"),
        ("  ", pa.string(), True, "__DEFAULT_PARTITION__"),
        (True, pa.bool_(), True, "true"),
        (dt.date(2020, 1, 2), pa.date32(), True, "18263"),
        (dt.date(2020, 1, 2), pa.date32(), False, "2020-01-02"),
        (dt.datetime(2020, 1, 2, 3, 4), pa.timestamp("us"), True, "2020-01-02T03:04"),
        (dt.datetime(2020, 1, 2, 3, 4, 5, 6000), pa.timestamp("us"), True, "2020-01-02T03:04:05.006"),
        (Decimal("1.50"), pa.decimal128(10, 2), True, "1.50"),
        (1.0, pa.float64(), True, "1.0"),
        (1e7, pa.float64(), True, "1.0E7"),
        (0.1, pa.float32(), True, "0.1"),
    ],
)
def test_texts_of_partition_values(value: object, kind: pa.DataType, legacy: bool, text: str) -> None:
    assert partition_text(value, kind, "__DEFAULT_PARTITION__", legacy=legacy) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-3, "0.001"),
        (9.5e-4, "9.5E-4"),
        (1234567.0, "1234567.0"),
        (1.5e300, "1.5E300"),
        (-0.0, "-0.0"),
        (1e-320, "1.0E-320"),
    ],
)
def test_numbers_as_java_writes_them(value: float, text: str) -> None:
    assert java_text(value) == text


def test_directories_are_escaped() -> None:
    schema = new_schema(pa.schema({"a=b": pa.string(), "x": pa.int32()}), ["a=b"], {})
    assert bucket_path(schema, ("x/y z",), 3) == "a%3Db=x%2Fy z/bucket-3"
