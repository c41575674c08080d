"""Packed numbers against sums of powers of two, on both backends."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lakecodec import DecodeError, EncodeError
from lakecodec.runtime.columns import Bits

pytestmark = pytest.mark.usefixtures("kernels")

WIDTHS = range(33)
COUNTS = [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1030]


def numbers(count: int, width: int) -> list[int]:
    rng = random.Random(count * 33 + width)
    return [rng.choice([0, (1 << width) - 1, rng.randrange(1 << width)]) for _ in range(count)]


def packed(values: list[int], width: int) -> bytes:
    stream = sum(value << k * width for k, value in enumerate(values))
    return stream.to_bytes((len(values) * width + 7) // 8, "little")


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_lie_lowest_bit_first(width: int) -> None:
    for count in COUNTS:
        values = numbers(count, width)
        data = packed(values, width)
        bits = Bits(b"\xff" + data + b"\xff", 1, count, width)
        assert list(bits) == values
        assert bits.to_numpy().tolist() == values
        assert (len(bits), bits.sum(), bits.max()) == (count, sum(values), max(values, default=0))
        assert (bits.to_bytes(), bits.nbytes) == (data, len(data))
        assert [bits[i] for i in range(-count, count)] == values * 2
        assert Bits.pack(values, width).to_bytes() == data


def test_numbers_may_end_where_the_buffer_ends() -> None:
    for width in WIDTHS:
        for count in COUNTS:
            values = numbers(count, width)
            assert list(Bits(packed(values, width), 0, count, width)) == values


@pytest.mark.parametrize(
    ("width", "dtype"), [(0, "uint8"), (8, "uint8"), (9, "uint16"), (16, "uint16"), (17, "uint32")]
)
def test_arrays_are_as_small_as_the_width_allows(width: int, dtype: str) -> None:
    assert Bits.pack([0, 0], width).to_numpy().dtype == dtype


def test_bits_after_the_last_number_are_ignored_and_not_written() -> None:
    bits = Bits(b"\xff", 0, 3, 1)
    assert bits.to_bytes() == b"\x07"
    assert bits == Bits(b"\x07", 0, 3, 1)
    assert (bits.sum(), list(bits)) == (3, [1, 1, 1])


def test_equality_is_of_numbers_and_width() -> None:
    assert Bits.pack([1, 2], 2) == Bits(b"x" + Bits.pack([1, 2], 2).to_bytes(), 1, 2, 2)
    assert Bits.pack([1, 2], 2) != Bits.pack([1, 2], 3)
    assert Bits.pack([0], 1) != Bits.pack([0, 0], 1)
    assert Bits.pack([1], 1) != [1]


@pytest.mark.parametrize("data", [b"\x05", bytearray(b"\x05"), memoryview(b"\x05"), np.array([5], np.int8)])
def test_any_buffer_is_borrowed(data: object) -> None:
    assert list(Bits(data, 0, 3, 1)) == [1, 0, 1]


def test_arrays_and_booleans_can_be_packed() -> None:
    assert Bits.pack(np.array([3, 1], np.int64), 2).to_bytes() == b"\x07"
    assert Bits.pack([True, False, True], 1).to_bytes() == b"\x05"
    assert Bits.pack([], 7).to_bytes() == b""


@pytest.mark.parametrize(
    ("start", "count", "width"), [(0, 9, 1), (1, 1, 1), (0, 1, 9), (-1, 1, 1), (2, 0, 0), (0, -1, 1), (0, 2**70, 0)]
)
def test_numbers_must_lie_in_the_buffer(start: int, count: int, width: int) -> None:
    with pytest.raises(DecodeError, match="do not fit the bytes left") as caught:
        Bits(b"\0", start, count, width)
    assert caught.value.offset == start


@pytest.mark.parametrize(("values", "width"), [([2], 1), ([-1], 8), ([1], 0), ([1 << 32], 32), (["a"], 8), ([0.5], 8)])
def test_values_must_fit(values: list[int], width: int) -> None:
    with pytest.raises(EncodeError, match=r"fit|whole numbers"):
        Bits.pack(values, width)


@pytest.mark.parametrize("width", [-1, 33])
def test_widths_are_limited(width: int) -> None:
    with pytest.raises(ValueError, match=r"^width: 0 to 32 bits"):
        Bits(b"", 0, 0, width)
    with pytest.raises(ValueError, match=r"^width: 0 to 32 bits"):
        Bits.pack([], width)


def test_an_index_must_be_inside() -> None:
    for index in (3, -4):
        with pytest.raises(IndexError, match="outside the 3 numbers"):
            Bits.pack([0, 0, 0], 1)[index]
