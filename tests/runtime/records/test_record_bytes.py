"""Bytes inside codecs, of which the native reader makes objects only where it must, and alternatives of which it makes few."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lakecodec import compile_idl

from ..compact.records import Call, check, native

pytestmark = pytest.mark.skipif(native is None, reason="no native reader was built")

module: Any = compile_idl(
    """
    record Parts { u8 n; bytes all[..] via parts; }
    codec parts -> bytes {
      u8    n       = count(value) - 1;
      bytes head[n] = value[:1];
      bytes tail[n] = value[1:] where count(head) < 3 or tail != head;
    } value = head[:1] + tail[1:n] + head + tail[2:];

    record Same { bytes all[..] via same; }
    codec same -> bytes { u8 n = count(value); bytes data[n] = value where count(data) > 1; } value = data;

    record Plain { u8 n = count(entries); Alone entries[n]; }
    record Alone { u8 tag = tag(kind); u8 low; Kind(tag) kind where low < 9 else "too large"; }
    variant Kind(u8 tag) on tag { 0: NONE; 1: SOME; 2: MORE { u8 more; }; }
    """
)


@pytest.mark.parametrize("name", ["Parts", "Same", "Plain"])
def test_random_bytes(name: str) -> None:
    rng = random.Random(name)
    cls = getattr(module, name)
    assert native.program_of(cls) is not None
    counted = sum(
        check(Call(cls, bytes(rng.choice((0, 0, 1, 1, 2, 3, 8, 9)) for _ in range(rng.randint(0, 14)))))
        for _ in range(3000)
    )
    assert counted > 50
