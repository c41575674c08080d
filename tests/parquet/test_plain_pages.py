"""Pages whose bytes are the values get the same indexes without decoding as with it."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.parquet import plain_pages
from lakecodec.parquet.plain_pages import PlainPages
from lakecodec.runtime import text_ends

RNG = np.random.default_rng(5)
ROWS = 3000


def column(kind: pa.DataType) -> pa.Array:
    if pa.types.is_floating(kind):
        numbers = RNG.standard_normal(ROWS)
        numbers[::7], numbers[3::50], numbers[5::90] = np.nan, -0.0, 0.0
        return pa.array(numbers.astype(kind.to_pandas_dtype()), kind)
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        texts = [b"a" * int(n % 11) + bytes([int(n) % 120]) * int(n % 3) for n in RNG.integers(0, 10**6, ROWS)]
        return pa.array(texts, pa.binary()).cast(kind)
    if pa.types.is_fixed_size_binary(kind):
        return pa.array([RNG.bytes(kind.byte_width) for _ in range(ROWS)], kind)
    if pa.types.is_boolean(kind):
        return pa.array(RNG.integers(0, 2, ROWS) == 1)
    if pa.types.is_decimal(kind):
        return pa.array(RNG.integers(-(10**6), 10**6, ROWS)).cast(pa.decimal128(19)).cast(kind)
    low, high = (0, 200) if pa.types.is_unsigned_integer(kind) or kind.bit_width == 8 else (-(2**31), 2**31 - 1)
    if pa.types.is_time(kind):
        low, high = 0, 86_000
    number = RNG.integers(low, high, ROWS) % (100 if kind.bit_width == 8 else 2**62)
    whole = pa.array(number.astype(np.int64) if kind.bit_width == 64 else number.astype(np.int32))
    return whole.cast(kind) if pa.types.is_integer(kind) or kind.bit_width == whole.type.bit_width else whole


KINDS = [
    pa.int32(), pa.int64(), pa.uint32(), pa.uint64(), pa.int8(), pa.float32(), pa.float64(), pa.float16(), pa.bool_(),
    pa.string(), pa.binary(), pa.binary(7), pa.timestamp("us", "UTC"), pa.timestamp("ns"), pa.date32(), pa.time32("ms"),
    pa.time64("us"), pa.decimal128(9, 2), pa.duration("s"),
]  # fmt: skip


#: Dictionaries that become too large are given up after some pages.
_OPTIONS: list[dict[str, Any]] = [
    {"compression": "none", "use_dictionary": False},
    {"compression": "zstd", "use_dictionary": False},
    {"compression": "snappy", "dictionary_pagesize_limit": 900, "write_batch_size": 50},
]


@pytest.fixture(params=[(version, options) for version in ("1.0", "2.0") for options in _OPTIONS], ids=str)
def written(request: pytest.FixtureRequest) -> Any:
    version, options = request.param

    def write(table: pa.Table) -> bytes:
        sink = io.BytesIO()
        pq.write_table(
            table, sink, write_statistics=False, row_group_size=1700, max_rows_per_page=400, data_page_version=version,
            **options,
        )  # fmt: skip
        return sink.getvalue()

    return write


def indexed(data: bytes, **options: Any) -> bytes:
    sink = io.BytesIO()
    parquet.add_indexes(data, sink, **options)
    return sink.getvalue()


@pytest.mark.parametrize("nulls", ["required", "optional", "with nulls"])
def test_the_same_as_with_decoding(written: Any, nulls: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = [column(kind) for kind in KINDS]
    if nulls == "with nulls":
        rare = pa.array([None if at in (5, 2100) else at for at in range(ROWS)], pa.int64())
        arrays = [each.take(rare) for each in arrays]
    fields = [pa.field(f"c{at}", each.type, nullable=nulls != "required") for at, each in enumerate(arrays)]
    data = written(pa.Table.from_arrays(arrays, schema=pa.schema(fields)))
    seen: list[str] = []
    iterate = PlainPages.__iter__

    def noted(self: PlainPages) -> Any:
        for each in iterate(self):
            seen.append(str(self._leaf.arrow))
            if isinstance(each, plain_pages.Ends):
                seen.append(f"ends of {self._leaf.arrow}")
            yield each

    monkeypatch.setattr(PlainPages, "__iter__", noted)
    bloom = [f"c{at}" for at, kind in enumerate(KINDS) if kind != pa.bool_()]
    quick = indexed(data, bloom=bloom)
    monkeypatch.setattr(PlainPages, "of", lambda *arguments: None)
    assert quick == indexed(data, bloom=bloom)
    assert {"int64", "double", "timestamp[ns]", "binary", "fixed_size_binary[7]"} <= set(seen)
    if nulls != "with nulls":
        assert {"ends of binary", "ends of string", "ends of decimal128(9, 2)"} <= set(seen)
    assert "bool" not in seen


def test_bodies_that_are_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that do not fit the bytes: pyarrow decides what that is."""
    sink = io.BytesIO()
    pq.write_table(pa.table({"a": ["x", "y"], "n": [1, 2]}), sink, compression="none", use_dictionary=False)
    data = bytearray(sink.getvalue())
    at = data.index(b"\x01\0\0\0x")
    data[at] = 200
    with pytest.raises((OSError, ValueError)):
        indexed(bytes(data))
    assert plain_pages.ends is text_ends.ends


@pytest.mark.parametrize("ends", [text_ends._ends, text_ends.ends])
def test_ends_of_texts(ends: Any) -> None:
    draw = random.Random(7)
    for _ in range(300):
        letters = draw.choice([b"\0", b"a", b"ab", bytes(range(256))])
        texts = [
            bytes(draw.choices(letters, k=draw.choice([0, 1, 2, 7, 8, 9, 30]))) for _ in range(draw.randint(1, 12))
        ]
        data = b"".join(len(text).to_bytes(4, "little") + text for text in texts)
        low, low_size, high, high_size, total = ends(data, len(texts))
        assert data[low : low + low_size] == min(texts)
        assert data[high : high + high_size] == max(texts)
        assert total == sum(map(len, texts))
        for wrong, count in ((data[:-1], len(texts)), (data, len(texts) + 1), (data + b"\0", len(texts)), (data, 0)):
            with pytest.raises(ValueError):  # noqa: PT011
                ends(wrong, count)
        if len(texts) > 1:
            with pytest.raises(ValueError):  # noqa: PT011
                ends(data, len(texts) - 1)
    with pytest.raises(ValueError, match="texts"):
        ends(b"\xff\xff\xff\xff", 1)
