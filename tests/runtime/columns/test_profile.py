"""Profiles of columns against a plain rendering of what they mean, on both backends."""

from __future__ import annotations

import os
import random
import struct
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec import EncodeError
from lakecodec.runtime.columns import ValueLayout, encoded_sizes, profile, profile_columns

from .profiled import (
    BOOLEAN,
    BYTES,
    FRESH,
    INTEGER,
    PAIR,
    SHAPES,
    TEXT,
    UNLIMITED,
    check,
    chunked,
    number,
    prefixed,
    signed,
)

pytestmark = pytest.mark.usefixtures("profiling")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(12))
def test_random_columns(shape: str, seed: int) -> None:
    rng = random.Random(f"{shape} {seed}")
    type, layout, samples, encode = SHAPES[shape]
    columns, expected = [], []
    for _ in range(8):
        pool = rng.sample(samples, rng.randint(1, len(samples)))
        if shape in FRESH:
            pool += [FRESH[shape](rng) for _ in range(rng.choice([0, 0, 3, 260, 1000]))]
        missing = rng.choice([0, 0, 0.01, 0.3, 0.97, 1])
        values = [None if rng.random() < missing else rng.choice(pool) for _ in range(rng.choice([0, 1, 9, 256, 700]))]
        chunks = chunked(values, type, rng)
        assert encoded_sizes([layout] * len(chunks), chunks)[0] == sum(len(encode(v)) for v in values if v is not None)
        columns.append((layout, chunks))
        expected.append(values)
    entries, nbytes = rng.choice([0, 1, 2, 255, 256, 257, UNLIMITED]), rng.choice([0, 1, 9, 200, UNLIMITED])
    for found, values in zip(profile_columns(columns, max_entries=entries, max_nbytes=nbytes), expected, strict=True):
        check(found, values, encode, entries, nbytes)


@pytest.mark.parametrize("distinct", [255, 256, 257, 65536, 65537, 100_000])
def test_dictionaries_grow(distinct: int) -> None:
    values = [k * 0x9E3779B97F4A7C15 % 2**63 for k in range(distinct)] * 2
    texts = [str(value) for value in values]
    columns = [(number(8), [pa.array(values)]), (TEXT, [pa.array(texts)])]
    found = profile_columns(columns, max_entries=distinct, max_nbytes=UNLIMITED)
    check(found[0], values, signed(8), distinct, 0)
    check(found[1], texts, lambda v: prefixed(v.encode()), distinct, UNLIMITED)
    for dropped in profile_columns(columns, max_entries=distinct - 1, max_nbytes=UNLIMITED):
        assert dropped.entries is None
        assert not dropped.constant


def test_limits_hold_for_good_even_where_a_column_is_constant() -> None:
    columns = [(TEXT, [pa.array(["long"] * 5)]), (number(4), [pa.array([1] * 5, pa.int32())])]
    text, numbers = profile_columns(columns, max_entries=9, max_nbytes=4)
    assert (text.constant, text.entries, text.first().to_bytes()) == (True, None, b"\4long")
    assert (numbers.constant, numbers.entries) == (True, 1)
    text, numbers = profile_columns(columns, max_entries=0, max_nbytes=5)
    assert (text.constant, text.entries, numbers.constant, numbers.entries) == (True, None, True, None)
    assert numbers.first().to_bytes() == b"\0\0\0\1"


def test_float_bits_are_kept_and_told_apart() -> None:
    patterns = [0x7FF8000000000000, 0x7FF8000000000001, 0xFFF0DEADBEEF0000, 0x8000000000000000, 0] * 3
    array = pa.array(patterns, pa.uint64()).view(pa.float64())
    (found,) = profile_columns([(number(8), [array])], max_entries=255, max_nbytes=0)
    check(found, patterns, lambda v: struct.pack(">Q", v), 255, 0)


def test_bytes_under_nulls_do_not_count() -> None:
    offsets, data = pa.py_buffer(struct.pack("<4i", 0, 3, 203, 204)), pa.py_buffer(b"abc" + b"?" * 200 + b"d")
    array = pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(b"\x05"), offsets, data])
    (found,) = profile_columns([(TEXT, [array])], max_entries=255, max_nbytes=UNLIMITED)
    check(found, ["abc", None, "d"], lambda v: prefixed(v.encode()), 255, UNLIMITED)
    wide = pa.array([Decimal(1), Decimal(10**30)], pa.decimal128(38, 0)).buffers()[1]
    hidden = pa.Array.from_buffers(pa.decimal128(18, 0), 2, [pa.py_buffer(b"\x01"), wide])
    (found,) = profile_columns([(number(8), [hidden])], max_entries=255, max_nbytes=0)
    check(found, [1, None], signed(8), 255, 0)


def test_bytes_under_few_nulls_do_not_count() -> None:
    texts = [None if row in (3, 64, 129) else "x" * (row % 150) for row in range(130)]
    sizes = [200 if text is None else len(text) for text in texts]
    offsets = [sum(sizes[:row]) for row in range(131)]
    valid = sum(1 << row for row, text in enumerate(texts) if text is not None).to_bytes(17, "little")
    buffers = [
        valid,
        struct.pack("<131i", *offsets),
        b"".join(("?" * 200 if text is None else text).encode() for text in texts),
    ]
    array = pa.Array.from_buffers(pa.string(), 130, list(map(pa.py_buffer, buffers)))
    for start in (0, 5):
        (found,) = profile_columns([(TEXT, [array.slice(start)])], max_entries=255, max_nbytes=UNLIMITED)
        check(found, texts[start:], lambda v: prefixed(v.encode()), 255, UNLIMITED)


def test_short_values_are_told_apart() -> None:
    values = [bytes(length) for length in range(20)]
    values += [
        b"a" * length + last + b"a" * after for length in range(18) for after in (0, 1) for last in (b"b", b"\0")
    ]
    columns = [(BYTES, [pa.array(values * 2)]), (BYTES, [pa.array([value]) for value in values * 2])]
    for found in profile_columns(columns, max_entries=255, max_nbytes=UNLIMITED):
        check(found, values * 2, prefixed, 255, UNLIMITED)


def test_unaligned_buffers() -> None:
    data = pa.py_buffer(b"?" + struct.pack("<5q", *range(5))).slice(1)
    array = pa.Array.from_buffers(pa.int64(), 5, [None, data])
    (found,) = profile_columns([(number(8), [array])], max_entries=255, max_nbytes=0)
    check(found, list(range(5)), signed(8), 255, 0)


def test_a_decimal_that_does_not_fit() -> None:
    for value in (2**63, -(2**63) - 1):
        array = pa.array([None, Decimal(1), Decimal(value)], pa.decimal128(19, 0))
        with pytest.raises(EncodeError, match="a decimal does not fit 64 bits") as caught:
            profile_columns([(number(8), []), (number(8), [array])], max_entries=0, max_nbytes=0)
        assert caught.value.path == "[1]"


def test_columns_without_values() -> None:
    columns = [(TEXT, []), (number(8), [pa.nulls(3, pa.int64())]), (number(2), [pa.array([], pa.int16())])]
    for found, rows in zip(profile_columns(columns, max_entries=255, max_nbytes=9), (0, 3, 0), strict=True):
        assert (found.rows, found.live, found.nbytes, found.constant, found.entries) == (rows, 0, 0, False, 0)
        assert found.plain().to_bytes() == b""
        assert [part.to_bytes() for part in found.dictionary()] == [b"", b""]
        with pytest.raises(ValueError, match=r"^first: all rows are null$"):
            found.first()


@pytest.mark.parametrize(
    ("layout", "type"),
    [
        (number(4), pa.int64()), (number(8), pa.int32()), (number(8), pa.decimal256(40, 0)), (number(1), pa.bool_()),
        (number(8), pa.string()), (BOOLEAN, pa.int8()), (PAIR, pa.int32()), (PAIR, pa.decimal128(9, 0)),
        (INTEGER, pa.int64()), (INTEGER, pa.decimal256(40, 0)), (TEXT, pa.large_string()), (TEXT, pa.string_view()),
        (BYTES, pa.binary(4)), (BYTES, pa.int8()), (TEXT, pa.list_(pa.int8())), (number(4), pa.dictionary(pa.int32(), pa.int8())),
    ],
)  # fmt: skip
def test_types_that_cannot_hold_values(layout: ValueLayout, type: Any) -> None:
    array = pa.nulls(3, type)
    with pytest.raises(TypeError):
        profile_columns([(layout, [array])], max_entries=1, max_nbytes=1)
    with pytest.raises(TypeError):
        encoded_sizes([layout], [array])


def test_the_backend_that_is_expected_runs() -> None:
    """``LAKECODEC_REQUIRE_NATIVE=1`` says that everything was built."""
    if lakecodec.backend() == "pure" or os.environ.get("LAKECODEC_REQUIRE_NATIVE") == "1":
        assert lakecodec.backend() == profile.BACKEND


def test_limits_beyond_any_number_of_values() -> None:
    (found,) = profile_columns([(TEXT, [pa.array(["a", "b"])])], max_entries=1 << 80, max_nbytes=1 << 80)
    assert found.entries == 2


def test_negative_limits() -> None:
    with pytest.raises(ValueError, match=r"^max_entries: -1 is negative"):
        profile_columns([], max_entries=-1, max_nbytes=0)
    with pytest.raises(ValueError, match=r"^max_nbytes: -1 is negative"):
        profile_columns([], max_entries=0, max_nbytes=-1)


def test_profiles_outlive_the_arrays_that_callers_hold() -> None:
    chunks = [pa.array([f"value {k % 5}" for k in range(1000)])]
    found = profile_columns([(TEXT, chunks)], max_entries=255, max_nbytes=UNLIMITED)[0]
    chunks.clear()
    check(found, [f"value {k % 5}" for k in range(1000)], lambda v: prefixed(v.encode()), 255, UNLIMITED)


def test_threads() -> None:
    rng = random.Random(5)
    texts = [[str(rng.randrange(10 ** rng.randrange(1, 9))) for _ in range(5000)] for _ in range(16)]

    def run(values: list[str]) -> bytes:
        columns = [(TEXT, [pa.array(values)]), (number(8), [pa.array(values).cast(pa.int64())])]
        return b"".join(p.plain().to_bytes() for p in profile_columns(columns, max_entries=255, max_nbytes=32768))

    with ThreadPoolExecutor(4) as pool:
        for values, found in zip(texts, pool.map(run, texts), strict=True):
            encoded = [v.encode() for v in values]
            assert found == b"".join(map(prefixed, encoded)) + b"".join(signed(8)(int(v)) for v in values)
