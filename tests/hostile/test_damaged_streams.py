"""Damaged bytes in random parts: a stream gives the values and the error that one part gives, and no reader leaves its memory."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable
from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError

from ..runtime.test_streams import splits, types

#: Damaged copies per type.
_COPIES = 16


def damaged(data: bytes, choose: random.Random) -> bytes:
    """Returns bytes of which some were changed, left out, doubled, or cut off."""
    made = bytearray(data)
    for _ in range(choose.randint(0, 3)):
        at = choose.randrange(len(made) + 1)
        match choose.randrange(4):
            case 0:
                made[at : at + 1] = choose.choice([b"\x00", b"\xff", b"\x80", b"\x7f", bytes([choose.randrange(256)])])
            case 1:
                del made[at : at + choose.randint(1, 9)]
            case 2:
                made[at:at] = made[at : at + choose.randint(1, 40)]
            case _:
                del made[at:]
    return bytes(made)


def told(cls: Any, parts: Iterable[bytes]) -> tuple[list[Any], Any]:
    """Returns the values of a stream, and the rule, the path and the offset of the error that ends it."""
    found: list[Any] = []
    try:
        found.extend(cls.stream(parts))
    except DecodeError as error:
        return found, (error.rule, error.path, error.offset)
    return found, None


@pytest.mark.parametrize("cls", types())
def test_damage_in_parts(cls: Any) -> None:
    values = lakecodec.samples(cls, 5, seed=7)
    data = b"".join(each.to_bytes() for each in values)
    for number in range(_COPIES):
        choose = random.Random(zlib.crc32(cls.__qualname__.encode()) + number)
        bytes_ = damaged(data, choose)
        expected, expected_error = told(cls, [bytes_])
        found: list[Any] = []
        error = None
        try:
            for value in cls.stream(splits(bytes_, number)):
                found.append(value)
                # Some are looked at at once, others when the bytes of further values have arrived, or never.
                if choose.random() < 0.3:
                    assert repr(value) == repr(expected[len(found) - 1])
        except DecodeError as raised:
            error = (raised.rule, raised.path, raised.offset)
        assert error == expected_error, bytes_.hex()
        # Not the values themselves: NaN is not equal to NaN.
        assert repr(found) == repr(expected)
