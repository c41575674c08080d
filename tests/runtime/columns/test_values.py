"""Where encoded values end, and what they compare as, on both backends."""

from __future__ import annotations

import random

import pytest

from lakecodec import DecodeError, EncodeError
from lakecodec.runtime.columns import ValueLayout, Values, read_values
from lakecodec.runtime.columns.integers import Shortest

from .shapes import BYTES, INTEGER, PAIR, SHAPES, TEXT, number

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize("name", SHAPES)
def test_values_end_after_the_last_one(name: str) -> None:
    shape = SHAPES[name]
    for count in (0, 1, 3, 500):
        data = b"".join(map(shape.encode, random.Random(count).choices(shape.values[:8], k=count)))
        values = read_values(shape.layout, b"\xff\xff" + data + b"\1\1\1", 2, len(data) + 5, count)
        assert (values.start, values.end, values.nbytes, len(values)) == (2, len(data) + 2, len(data), count)
        assert values.to_bytes() == data


@pytest.mark.parametrize(
    ("layout", "data", "count", "rule", "offset"),
    [
        (number(4), bytes(7), 2, "the bytes end within the values", 1),
        (PAIR, bytes(23), 2, "the bytes end within the values", 1),
        (number(8), b"", 2**62, "the bytes end within the values", 1),
        (TEXT, b"\1a\2b", 2, "the bytes end within the values", 3),
        (TEXT, b"\1a", 2, "the bytes end within the values", 3),
        (TEXT, b"", 1, "the bytes end within the values", 1),
        (TEXT, b"\1a", 2**70, "the bytes end within the values", 1),
        (BYTES, b"\1a\x80", 2, "the bytes end within the values", 3),
        (BYTES, b"\1a\xff\xff\xff\xff\xff\1", 2, "a length is longer than 32 bits", 3),
        (INTEGER, b"\1a\0", 2, INTEGER.rule, 3),
    ],
)
def test_values_must_fit(layout: ValueLayout, data: bytes, count: int, rule: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        read_values(layout, b"\0" + data + b"\0" * 100, 1, 1 + len(data), count)
    assert (caught.value.rule, caught.value.offset) == (rule, offset)


def test_longer_prefixes_than_needed_are_read() -> None:
    assert read_values(TEXT, b"\x81\x80\x80\x80\x00a", 0, 6, 1).to_bytes() == b"\x81\x80\x80\x80\x00a"


def test_equality_is_of_layout_and_bytes() -> None:
    one = Values(number(1), b"\1\2\3", 0, 2, 2)
    assert one == Values(number(1), bytearray(b"\0\1\2"), 1, 3, 2)
    assert one != Values(number(1), b"\1\3", 0, 2, 2)
    assert one != Values(number(2), b"\1\2", 0, 2, 1)
    assert one != b"\1\2"


@pytest.mark.parametrize(("start", "end", "count"), [(2, 1, 0), (-1, 1, 0), (0, 3, 1), (0, 1, -1)])
def test_values_must_lie_in_the_buffer(start: int, end: int, count: int) -> None:
    with pytest.raises(DecodeError, match="do not fit the bytes left"):
        Values(number(1), b"\0\0", start, end, count)
    with pytest.raises(ValueError, match=r"^(start, end|count): "):
        read_values(number(1), b"\0\0", start, end, count)


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("0000", "00"), ("007f", "7f"), ("0080", "0080"), ("ffff", "ff"), ("ff80", "80"), ("ff7f", "ff7f"),
        ("00" * 16, "00"), ("ff" * 8 + "7f" + "00" * 7, "ff7f" + "00" * 7), ("01", "01"),
    ],
)  # fmt: skip
def test_integers_are_written_as_short_as_possible(long: str, short: str) -> None:
    codec = Shortest()
    assert codec.encode(bytes.fromhex(long)).hex() == short
    assert codec.decode(memoryview(bytes.fromhex(long))) == bytes.fromhex(long)


def test_integers_have_bytes() -> None:
    with pytest.raises(DecodeError, match=r"^a number has no bytes$"):
        Shortest().decode(b"")
    with pytest.raises(EncodeError, match=r"^a number has no bytes$"):
        Shortest().encode(b"")
