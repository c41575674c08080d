"""What broken columns raise: the same rule and offset from both backends, and never more memory than the limit."""

from __future__ import annotations

import mmap
import pickle
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import DecodeError
from lakecodec.runtime.columns import Bits, ColumnDecode, ColumnError, ValueLayout, Values, decode_columns, pure_read

from .shapes import BOOLEAN, BYTES, INTEGER, PAIR, SHAPES, TEXT, Shape, constant, dictionary, number, plain

pytestmark = pytest.mark.usefixtures("kernels")

ROW_LIMIT = "the columns take more memory than the limit beyond the bytes that hold them"
OFFSETS = "the column takes more bytes than 32-bit offsets hold"


def values(layout: ValueLayout, data: bytes, count: int) -> Values:
    """``data`` with other bytes around it; the values begin at offset 2."""
    return Values(layout, b"\x01\x01" + data + b"\x01" * 20, 2, 2 + len(data), count)


def request(layout: ValueLayout, type: Any, data: bytes, count: int) -> ColumnDecode:
    return ColumnDecode(layout, type, count, values=values(layout, data, count))


def pair(whole: int, part: int) -> bytes:
    return whole.to_bytes(8, "big", signed=True) + part.to_bytes(4, "big", signed=True)


INT, TIME = number(4), pa.timestamp("ns")
GOOD = values(INT, b"\0\0\0\1\0\0\0\2", 2)
HIGH, LOW = (2**63 - 1) // 10**6, -(2**63) // 10**6
BROKEN: dict[str, tuple[ColumnDecode, str, int | None]] = {
    "short": (request(INT, pa.int32(), b"\0" * 7, 2), "the bytes end within the values", 2),
    "long": (request(INT, pa.int32(), b"\0" * 9, 2), "bytes are left over after the last value", 10),
    "one too few": (
        ColumnDecode(INT, pa.int32(), 3, values=GOOD),
        "there are more or fewer values than rows that are not null",
        2,
    ),
    "nulls not counted": (
        ColumnDecode(INT, pa.int32(), 2, Bits(b"\1", 0, 2, 1), GOOD),
        "there are more or fewer values than rows that are not null",
        2,
    ),
    "two constants": (
        ColumnDecode(INT, pa.int32(), 2, None, GOOD, constant=True),
        "there are more or fewer values than rows that are not null",
        2,
    ),
    "nulls of other rows": (
        ColumnDecode(INT, pa.int32(), 3, Bits(b"..\1", 2, 2, 1), GOOD),
        "the null bitmap has another number of rows than the column",
        2,
    ),
    "nulls of two bits": (
        ColumnDecode(INT, pa.int32(), 2, Bits(b"..\1", 2, 2, 2), GOOD),
        "the null bitmap has another number of rows than the column",
        2,
    ),
    "one code too few": (
        ColumnDecode(INT, pa.int32(), 3, None, GOOD, Bits(b"..\0", 2, 2, 1)),
        "there are more or fewer indexes than rows that are not null",
        2,
    ),
    "codes of nothing": (
        ColumnDecode(INT, pa.int32(), 2, codes=Bits(b"..\0", 2, 2, 1)),
        "there are more or fewer indexes than rows that are not null",
        2,
    ),
    "code": (
        ColumnDecode(INT, pa.int32(), 2, None, GOOD, Bits(b"..\x08", 2, 2, 2)),
        "an index is outside the dictionary",
        2,
    ),
    "code of text": (
        ColumnDecode(TEXT, pa.string(), 2, None, values(TEXT, b"\1a", 1), Bits(b"..\x02", 2, 2, 1)),
        "an index is outside the dictionary",
        2,
    ),
    "code of an empty dictionary": (
        ColumnDecode(TEXT, pa.string(), 2, None, values(TEXT, b"", 0), Bits(b"..", 2, 2, 0)),
        "an index is outside the dictionary",
        2,
    ),
    "boolean": (request(BOOLEAN, pa.bool_(), b"\0\1\2\3", 4), "a boolean is neither 0 nor 1", 4),
    "remainder": (request(PAIR, TIME, pair(1, 0) + pair(0, 10**6), 2), PAIR.rule, 14),
    "negative remainder": (request(PAIR, TIME, pair(0, -1), 1), PAIR.rule, 2),
    "too late": (request(PAIR, TIME, pair(HIGH, 775808), 1), "a number is outside 64 bits", 2),
    "too early": (request(PAIR, TIME, pair(LOW, 224191), 1), "a number is outside 64 bits", 2),
    "far too late": (request(PAIR, TIME, pair(2**63 - 1, 0), 1), "a number is outside 64 bits", 2),
    "text ends": (request(TEXT, pa.string(), b"\1a\2b", 2), "the bytes end within the values", 4),
    "text missing": (request(TEXT, pa.string(), b"\1a", 2), "the bytes end within the values", 4),
    "text over later prefixes": (
        request(TEXT, pa.string(), b"\xe0\x12" + bytes(2400) + b"\1", 1500),
        "the bytes end within the values",
        2404,
    ),
    "text left": (request(TEXT, pa.string(), b"\1a\1b", 1), "bytes are left over after the last value", 4),
    "prefix ends": (request(TEXT, pa.string(), b"\x80", 1), "the bytes end within the values", 2),
    "prefix of 33 bits": (request(TEXT, pa.string(), b"\xff\xff\xff\xff\x1f", 1), "a length is longer than 32 bits", 2),
    "prefix of 6 bytes": (request(BYTES, pa.binary(), b"\x80" * 5 + b"\0", 1), "a length is longer than 32 bits", 2),
    "longest text": (request(TEXT, pa.string(), b"\xff\xff\xff\xff\x0f", 1), "the bytes end within the values", 2),
    "not UTF-8": (request(TEXT, pa.string(), b"\1a\2\xc3(\1b", 3), "the text is not valid UTF-8", 4),
    "a character in two values": (request(TEXT, pa.string(), b"\1\xc3\1\xa9", 2), "the text is not valid UTF-8", 2),
    "a surrogate": (request(TEXT, pa.string(), b"\3\xed\xa0\x80", 1), "the text is not valid UTF-8", 2),
    "bytes as text": (request(BYTES, pa.string(), b"\1\xff", 1), "the text is not valid UTF-8", 2),
    "end before text": (request(TEXT, pa.string(), b"\1\xff\2b", 2), "the bytes end within the values", 4),
    "text in a dictionary": (
        ColumnDecode(TEXT, pa.string(), 1, None, values(TEXT, b"\1a\1\xff", 2), Bits(b"\0", 0, 1, 1)),
        "the text is not valid UTF-8",
        4,
    ),
    "integer without bytes": (request(INTEGER, pa.decimal128(38), b"\1\0\0", 2), INTEGER.rule, 4),
    "integer of 17 bytes": (request(INTEGER, pa.decimal128(38), b"\x11" + b"\0" * 17, 1), INTEGER.rule, 2),
    "integer ends": (request(INTEGER, pa.decimal128(38), b"\2\0", 1), "the bytes end within the values", 2),
    "constant ends": (replace(request(INT, pa.int32(), b"\0\0\0", 1), constant=True), "the bytes end within the values", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_columns(name: str) -> None:
    broken, rule, offset = BROKEN[name]
    good = plain(SHAPES["string"], ["a", None])
    with pytest.raises(ColumnError) as caught:
        decode_columns([good, good, broken, good])
    assert (caught.value.rule, caught.value.offset, caught.value.request) == (rule, offset, 2)


def test_the_first_broken_column_is_named() -> None:
    broken = BROKEN["code"][0]
    with pytest.raises(DecodeError) as caught:
        decode_columns([BROKEN["short"][0], broken])
    assert str(caught.value) == "the bytes end within the values (at byte 2)"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.rule, again.offset) == (ColumnError, caught.value.rule, 2)


@pytest.mark.parametrize("name", ["not UTF-8", "boolean", "remainder", "integer ends"])
def test_broken_values_far_behind_good_ones(name: str) -> None:
    broken, rule, offset = BROKEN[name]
    assert broken.values is not None
    assert offset is not None
    shape = next(shape for shape in SHAPES.values() if shape.layout == broken.layout)
    before = shape.encode(shape.values[1]) * 1300
    column = request(broken.layout, broken.arrow_type, before + broken.values.to_bytes(), 1300 + len(broken.values))
    with pytest.raises(ColumnError) as caught:
        decode_columns([column])
    assert (caught.value.rule, caught.value.offset) == (rule, offset + len(before))


LIMITED: list[tuple[ColumnDecode, int]] = [
    (ColumnDecode(number(8), pa.int64(), 1000), 8000),
    (ColumnDecode(BOOLEAN, pa.bool_(), 1000), 125),
    (ColumnDecode(TEXT, pa.string(), 1000), 4000),
    (ColumnDecode(number(8), pa.int64(), 1000, values=values(number(8), bytes(8), 1), constant=True), 8000),
    (ColumnDecode(TEXT, pa.string(), 1000, values=values(TEXT, b"\3abc", 1), constant=True), 7000),
    (ColumnDecode(TEXT, pa.string(), 1000, None, values(TEXT, b"\3abc\0", 2), Bits(bytes(125), 0, 1000, 1)), 7000),
    (ColumnDecode(number(8), pa.int64(), 1000, Bits(b"\xff" * 125, 0, 1000, 1), values(number(8), b"", 0)), 8000),
    (ColumnDecode(INTEGER, pa.decimal128(38), 1000, None, values(INTEGER, b"\1\0", 1), Bits(b"", 0, 1000, 0)), 16000),
]


@pytest.mark.parametrize(("column", "size"), LIMITED)
def test_rows_without_bytes_of_their_own_are_limited(column: ColumnDecode, size: int) -> None:
    assert len(decode_columns([column], limit=size)[0]) == 1000
    assert len(decode_columns([column] * 3, limit=size * 3)) == 3
    for count, limit in ((1, size - 1), (3, size * 3 - 1), (1, 0)):
        with pytest.raises(ColumnError) as caught:
            decode_columns([column] * count, limit=limit)
        assert (caught.value.rule, caught.value.request, caught.value.offset) == (ROW_LIMIT, count - 1, None)


@pytest.mark.parametrize("rows", [2**32, 2**62, 2**63, 2**70])
@pytest.mark.parametrize("column", [LIMITED[0][0], LIMITED[2][0], LIMITED[3][0], LIMITED[4][0]])
def test_absurd_numbers_of_rows(column: ColumnDecode, rows: int) -> None:
    with pytest.raises(ColumnError, match="more memory than the limit"):
        decode_columns([replace(column, rows=rows)])


@pytest.mark.parametrize("name", ["int64", "string", "decimal38", "bool"])
def test_values_that_lie_in_the_input_are_not_limited(name: str) -> None:
    column = plain(SHAPES[name], list(SHAPES[name].values[:2]) * 500)
    assert len(decode_columns([column], limit=0)[0]) == 1000


def test_text_that_32_bit_offsets_cannot_hold() -> None:
    entry = values(TEXT, b"\x80\x80\x40" + b"a" * 2**20, 1)
    codes = Bits(bytes(2**8), 0, 2**11, 1)
    for column in (
        ColumnDecode(TEXT, pa.string(), 2**11, values=entry, constant=True),
        ColumnDecode(TEXT, pa.string(), 2**11, None, entry, codes),
    ):
        with pytest.raises(ColumnError) as caught:
            decode_columns([column], limit=2**33)
        assert caught.value.rule == OFFSETS


def test_one_value_of_two_gigabytes() -> None:
    # Memory of which only the first page is ever touched.
    data = mmap.mmap(-1, 2**31 + 5)
    data[:5] = b"\x80\x80\x80\x80\x08"
    with pytest.raises(ColumnError) as caught:
        decode_columns([ColumnDecode(BYTES, pa.binary(), 1, values=Values(BYTES, data, 0, len(data), 1))])
    assert caught.value.rule == OFFSETS


def test_negative_rows() -> None:
    with pytest.raises(ValueError, match="a number of rows is negative"):
        decode_columns([ColumnDecode(INT, pa.int32(), -1)])


@pytest.mark.parametrize("rounds", [40, pytest.param(4000, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize("encoding", [plain, dictionary, constant])
@pytest.mark.parametrize("name", SHAPES)
def test_damaged_columns_are_read_alike(name: str, encoding: Callable[..., ColumnDecode], rounds: int) -> None:
    rng = random.Random(f"{name} {encoding.__name__}")
    for _ in range(rounds):
        column = damaged(SHAPES[name], encoding, rng)
        assert outcome(decode_columns, column) == outcome(lambda requests: pure_read.decode(requests, 2**31), column)


def damaged(shape: Shape, encoding: Callable[..., ColumnDecode], rng: random.Random) -> ColumnDecode:
    """A column with some bytes, counts, bounds, nulls or codes changed, or with none."""
    pool = rng.choices(shape.values[:9], k=1 if encoding is constant else rng.choice([1, 2, 9]))
    share = rng.choice([0, 0, 0.1, 0.9])
    rows = rng.choice([1, 5, 63, 65, 130, 513])
    column = encoding(shape, [*(None if rng.random() < share else rng.choice(pool) for _ in range(rows)), pool[0]])
    values = column.values
    assert values is not None
    data = bytearray(values.data)
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        data[rng.randrange(len(data))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
    end = min(max(values.start, values.end + rng.choice([0] * 6 + [1, -1, -3])), len(data))
    count = min(max(0, values.count + rng.choice([0] * 6 + [1, -1])), end - values.start)
    # Now and then nothing follows the values.
    column.values = Values(shape.layout, bytes(data[: end if rng.random() < 0.2 else None]), values.start, end, count)
    if column.codes is not None and rng.random() < 0.3:
        column.codes = replace_bits(column.codes, rng)
    if column.nulls is not None and rng.random() < 0.2:
        column.nulls = replace_bits(column.nulls, rng)
    return column


def replace_bits(bits: Bits, rng: random.Random) -> Bits:
    data = bytearray(bits.data)
    data[rng.randrange(len(data))] = rng.randrange(256)
    return Bits(data, bits.start, bits.count, bits.width)


def outcome(decode: Callable[[list[ColumnDecode]], list[Any]], column: ColumnDecode) -> tuple[Any, ...]:
    try:
        (array,) = decode([column])
    except ColumnError as error:
        return error.rule, error.offset
    array.validate()
    if pa.types.is_floating(array.type) or pa.types.is_temporal(array.type):
        # By their bits: NaN is not equal to itself, and not every number is a time to Python.
        array = array.view(pa.int32() if array.type.bit_width == 32 else pa.int64())
    return tuple(array.to_pylist())
