"""A dump that Redis wrote: a key of each kind, in two databases."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import DecodeError

from ..paths import TESTS
from .gallery import Gallery

REDIS = Gallery("redis_rdb", oracle=False)
DATA = (TESTS / "data" / "gallery" / "dump.rdb").read_bytes()


def value(text: Any) -> bytes | int:
    """What a text stands for."""
    numbers = [each for each in (text.i8, text.i16, text.i32) if each is not None]
    if numbers:
        return int(numbers[0])
    found: bytes = text.packed.text if text.packed is not None else text.text
    return found


def test_keys() -> None:
    contents = [entry.content for entry in REDIS.round_trip(DATA).entries]
    texts = {value(each.key): value(each.value) for each in contents if each.kind == "TEXT"}
    assert texts == {
        b"text": b"hello", b"num": 12345, b"small": 7, b"wide": -70000, b"long": b"ab" * 200, b"gone": b"x", b"db3": b"yes",
    }  # fmt: skip
    assert [each.number.value for each in contents if each.kind == "DATABASE"] == [0, 3]
    (scores,) = [each.members for each in contents if each.kind == "SORTED"]
    assert [(value(each.name), each.score) for each in scores] == [(b"q" * 70, 1.0), (b"r" * 70, -2.5)]
    hashes = [each.pairs for each in contents if each.kind == "HASH"]
    assert [
        (value(each.name), value(each.value)) for each in sorted(hashes[0], key=lambda each: str(value(each.name)))
    ] == [(b"f%d" % n, b"%d" % n * 70) for n in range(3)]
    assert {each.kind for each in contents} >= {"ABOUT", "SIZES", "EXPIRES", "NODES", "PACKED", "END"}


def test_an_edit_changes_the_checksum() -> None:
    found = REDIS.module.File.from_bytes(DATA)
    text = next(
        each.content.value
        for each in found.entries
        if each.content.kind == "TEXT" and value(each.content.key) == b"long"
    )
    text.packed.text = b"cd" * 200
    # What is written anew is not compressed.
    text.packed.stored.low, text.packed.stored.next = len(b"cd" * 200) + 13 >> 8, len(b"cd" * 200) + 13 & 255
    text.packed.stored.form = 1
    again = REDIS.module.File.from_bytes(REDIS.write(found))
    assert again.checksum != REDIS.module.File.from_bytes(DATA).checksum


def test_bad_bytes() -> None:
    with pytest.raises(DecodeError, match="the checksum is another"):
        REDIS.module.File.from_bytes(DATA.replace(b"hello", b"hallo"))
    assert REDIS.damage(DATA, rounds=60) > 50
