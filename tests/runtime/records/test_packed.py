"""Packed numbers whose count is larger than what there is: refused before memory or time is taken for them."""

from __future__ import annotations

import struct
import tracemalloc
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

m: Any = compile_idl(
    """
    record Wide { u64 n; bits<32> numbers[n]; }
    record Asked { u64 n; bits<32> numbers[n] where max(numbers) < 5; }
    record Empty { u64 n; bits<0> numbers[n] where max(numbers) < 5; }
    record Each { u64 n; u8 width; bits<width> numbers[i < n] = i % 2; }
    record Flags { u64 n; bits<1> flags[i < n] = given[i]; u8 given[..]; }
    """,
    name="packed_numbers",
)


@pytest.mark.parametrize("count", [1, 2**40, 2**58, 2**59, 2**60, 2**61, 2**63, 2**64 - 1])
@pytest.mark.parametrize("cls", [m.Wide, m.Asked])
def test_more_numbers_than_bytes(cls: Any, count: int) -> None:
    with pytest.raises(DecodeError, match=f"{count} numbers of 32 bits do not fit the bytes left") as caught:
        cls.from_bytes(struct.pack("<QH", count, 0))
    assert (caught.value.path, caught.value.offset) == ("numbers", 8)


def test_numbers_of_no_bits_are_counted() -> None:
    found = m.Empty.from_bytes(struct.pack("<Q", 2**40))
    assert (len(found.numbers), found.numbers.max()) == (2**40, 0)
    assert found.to_bytes() == struct.pack("<Q", 2**40)
    with pytest.raises(DecodeError, match="do not fit"):
        m.Empty.from_bytes(struct.pack("<Q", 2**61))


def test_numbers_of_no_bits_that_are_verified_one_by_one() -> None:
    with pytest.raises(DecodeError, match=f"{2**40} elements do not fit the 9 bytes left"):
        m.Each.from_bytes(struct.pack("<QB", 2**40, 0))
    with pytest.raises(DecodeError, match="numbers must be i % 2"):
        m.Each.from_bytes(struct.pack("<QB", 1000, 0))
    assert list(m.Each.from_bytes(struct.pack("<QBB", 4, 1, 0b1010)).numbers) == [0, 1, 0, 1]


def test_derived_numbers_take_memory_as_they_are_made() -> None:
    assert m.Flags(n=3, given=[1, 0, 1]).to_bytes() == struct.pack("<QB", 3, 5) + b"\1\0\1"
    long = m.Flags(n=1000, given=[1] * 1000)
    assert m.Flags.from_bytes(long.to_bytes()) == long
    tracemalloc.start()
    with pytest.raises(EncodeError) as caught:
        m.Flags(n=2**33, given=[1, 0, 1]).to_bytes()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.path == "flags"
    assert peak < 1 << 20
