"""What a module of constructs.idl does: random bytes and bytes that it wrote itself, read and written by every record."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from .outcomes import attempt, shown

_RECORDS = (
    "Checked", "Padded", "Bits", "LowBits", "Pointed", "Located", "Set", "Each", "When", "Found", "Folded", "Ended", "Ordered",
    "Groups", "Following",
)  # fmt: skip
_LIKELY = (0, 0, 1, 1, 2, 2, 3, 4, 5, 9, 10, 0x20, 0x61, 0x80, 0xFF)


def _checked(body: bytes, wrong: int = 0) -> bytes:
    head = bytes([len(body)]) + body
    return head + struct.pack(">II", zlib.crc32(head) ^ wrong, zlib.adler32(body))


_MADE = {
    "Checked": [_checked(b""), _checked(b"ab"), _checked(b"ab", 1), _checked(b"ab")[:-1] + b"\0"],
    "Ended": [b"a\n\1\2\1", b"\n\0\1\1\2\x09", b"a\1\2\nb\1\2\1", b"\xc3\xa9\n\1\2\1", b"\xff\n\1\2\1"],
    "Groups": [bytes([a, 5, 0x80 | b, 1, *range(5)]) for a in (0x81, 0x8F, 0x90, 5) for b in (0, 9)],
    "Each": [bytes([2, 2, 0, 1, 3, 1, 7, 0]), bytes([1, 2, 3, 1, 7]), bytes([1, 2, 0, 1, 7]), bytes([1, 0, 0, 0])],
    "Padded": [bytes([1, 0, 0, 0, 5]), bytes([1, 0, 0, 0, 5, 6]), bytes([1, 0, 1, 0, 5])],
}


def outcome(module: Any) -> Iterator[str]:
    """All that a module does with the samples; new objects are written as well."""
    for name in _RECORDS:
        rng = random.Random(name)
        samples = list(_MADE.get(name, ()))
        samples += [bytes(rng.choice(_LIKELY) for _ in range(rng.randrange(12))) for _ in range(120)]
        for data in samples:
            yield attempt(_again, getattr(module, name), data)
    for make in _NEW:
        yield attempt(lambda make=make: make(module).to_bytes().hex())


def _again(cls: Any, data: bytes) -> str:
    found = cls.from_bytes(data)
    if hasattr(found, "_placed"):
        found.to_dict()
    return f"{shown(found)} {attempt(lambda: found.to_bytes().hex())}"


_NEW = [
    lambda m: m.Checked(body=b"abc"),
    lambda m: m.Padded(a=1, b=2, more=[3]),
    lambda m: m.Bits(x=4, y=9, v=[1, 2]),
    lambda m: m.Bits(x=5, y=9, v=[1, 2]),
    lambda m: m.Bits(x=4, y=32, v=[]),
    lambda m: m.LowBits(x=4, y=9, z=2),
    lambda m: m.Pointed(n=2, places=[5, 0], cells=[m.Cell(k=1, v=[3]), None], far=b"\5"),
    lambda m: m.Pointed(n=1, places=[None], cells=[m.Cell(k=1, v=[3])], far=b"\7"),
    lambda m: m.Located(n=1, body=b"abc", last=4),
    lambda m: m.Set(head=m.Head(), b=b"\xfe\5"),
    lambda m: m.Each(
        heads=[m.Head(length=9, total=1), m.Head(length=9, total=3)], b=[m.Cell(k=1, v=[4]), m.Cell(k=0, v=[])]
    ),
    lambda m: m.When(v=[1, 2]),
    lambda m: m.When(n=9, v=[1, 2, 3, 4]),
    lambda m: m.Found(p=[m.Head(length=0, total=4), m.Head(length=1, total=6)]),
    lambda m: m.Found(p=[]),
    lambda m: m.Folded(p=[m.Head(length=1, total=4), m.Head(length=2, total=250), m.Head(length=3, total=9)]),
    lambda m: m.Ended(name="é", b=b"\1\1", mark=3),
    lambda m: m.Ended(name="a\n", b=b"", mark=3),
    lambda m: m.Ended(name="a", b=b"\1\2", mark=3),
    lambda m: m.Groups(a=300, b=-5, c=1 << 39),
    lambda m: m.Following(v=[1, 5, 5]),
]
