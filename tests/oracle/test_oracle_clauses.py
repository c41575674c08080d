"""Random bytes for records of every clause.

Both backends and the oracle accept and refuse the same, read the same, and read it again from what is written.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lakecodec.generator.model import Record

from . import turned as _externs  # noqa: F401  (names in clauses.idl)
from .both import Format

CLAUSES = Format(Path(__file__).with_name("clauses.idl"))
RECORDS = [item.name for item in CLAUSES.oracle.module.definitions if isinstance(item, Record) and not item.params]
#: Bytes that make sense more often than others.
_LIKELY = (0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 0x20, 0x41, 0x61, 0x7F, 0x80, 0xC3, 0xFF)

c = CLAUSES.module
#: What random bytes hardly ever are.
SAMPLES = {
    "Numbers": [bytes(51)],
    "Little": [bytes(range(42))],
    "Places": [c.Places(n=2, items=[c.Counted(text="ab"), c.Counted(text="")], end_mark=5).to_bytes()],
    "Following": [c.Following(ahead=3, kind=2, number=7, body=body).to_bytes() for body in (b"", b"ab", bytes(8))],
    "Around": [
        c.Around(
            before=1, n=2 + n, inside=c.Inside(whole=1, place=3, others=[4] * n), tailed=c.Tailed(body=b"ab")
        ).to_bytes()
        for n in (1, 3)
    ],
    "Inside": [bytes([3, 1, 9]), bytes([3, 1, 9, 9])],
    "Tailed": [c.Tailed(body=bytes(n)).to_bytes() for n in (0, 3, 7)],
    "Measured": [c.Measured(measured=9, items=[c.Counted(text="ab"), c.Counted(text="")], mark=2).to_bytes()],
    "Pieces": [
        c.Pieces(n=n, pieces=pieces[:n], names=[b"a", b"b", b"c"][:n], first=2).to_bytes()
        for pieces in ([c.Part(first=1, others=[2] * 3), None, c.Part(first=3, others=[])],)
        for n in (1, 3)
    ],
    "EndedTexts": [
        c.EndedTexts(
            name=name,
            n=2,
            lines=[b"x", b"\r"],
            mark=1,
            padded=padded,
            stored=4,
            turned=b"abc",
            coded=coded,
            names=["é", "b", ""],
            all=[b"", b"ab", b"b"],
        ).to_bytes()
        for name, padded, coded in (("", None, b""), ("aé", "", b"a"), ("a", "abc", b"ab"))
    ],
    "Spans": [
        c.Spans(
            n=n,
            told=c.Told(a=a, others=others),
            m=3,
            sizes=[0, 2, 1],
            each=[None, c.Told(a=3, others=[9]), c.Told(a=1, others=[])],
            halves=[7] * (n // 2),
            sized=sized,
            behind=5,
        ).to_bytes()
        for n, a, others, sized in (
            (0, None, [], c.Sized.NONE()),
            (2, 1, [8], c.Sized.PAIR(x=1, others=[2], tag=2)),
            (4, 4, [8] * 3, c.Sized.MANY(x=1, others=[2, 3], tag=4)),
        )
    ],
    "Sums": [c.Sums(a=a, b=b).to_bytes() for a, b in ((9, 2), (3, 50), (200, 7), (120, 99))],
    "Order": [
        c.Order(n=3, steps=[1, 2, 2], places=[2, 0, 1], names=[9, 3, 4], packed=[1, 2, 5], wide=[1, 7]).to_bytes(),
        c.Order(n=2, steps=[0, 255], places=[1, 0], names=[2, 1], packed=[0, 0], wide=[3, 0]).to_bytes(),
    ],
    "Names": [c.Names(names=[c.Name(text=text, mark=1) for text in ("a", "ba", "ca", "ééa")]).to_bytes()],
    "Drawing": [c.Drawing(shape=c.Shape.NESTED(inside=c.Shape.BOX(width=3, height=2, tag=3))).to_bytes()],
    "Packed": [
        c.Packed(turned=on, body=c.Body(items=[3, 5]), name_size=2, name="é", raw=b"xy").to_bytes()
        for on in (False, True)
    ],
    "Sheet": [bytes([2, 4, 0, 1, 0, 2, 0x61, 0x62]), bytes([1, 2, 0, 0]), bytes([3, 5, 0, 8, 2, 0, 0, 0, 2, 1, 5])],
    "Half": [bytes([2, 1, 2]), bytes([9, 7])],
    "Letter": [
        c.Letter(
            note=c.Note(a=300, b=[-1, 5], s="é", again=c.Note(a=1), choice=c.Choice.y(9), flags={1: True, 2: False}),
            mark=1,
        ).to_bytes(),
        bytes([6, 0x10, 1, 0x10, 4, 0x28, 1, 3]),
    ],
    "Picture": [
        bytes([w, h, *range(w * h * (1 if w > h else 2)), 2, 3, 4, 14 + w * h, 0]) for w, h in ((2, 1), (1, 2))
    ],
    "Peeks": [b"\0\1\2\x80m@\2\1", b"@\4\1\2\3", b"\2\x81@\1\3\1\2"],
    "Song": [bytes([4, 1, 4, 5, 0, 6, 1, 1, 0, 1, 3, 4, 9, 5, 9])],
    "Mixed": [
        c.Mixed(row=c.Row(id=1), n=1, rows=[c.Row(id=-2, name="a", colors=[1, 2, 9])], last=c.Row(id=3)).to_bytes()
    ],
}

#: Read wherever its fields stand; written one after the other.
_OVERLAPPING = ("Located",)


def random_bytes(rng: random.Random) -> bytes:
    size = rng.choice((0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 30, 60))
    return bytes(rng.choice(_LIKELY) if rng.random() < 0.95 else rng.randrange(256) for _ in range(size))


@pytest.mark.parametrize("name", RECORDS)
def test_random_bytes(name: str) -> None:
    rng = random.Random(name)
    accepted = list(SAMPLES.get(name, ()))
    assert not any(CLAUSES.refuses(name, sample) for sample in accepted)
    for _ in range(1500):
        data = random_bytes(rng)
        if accepted and rng.random() < 0.7:
            data = grown(rng, rng.choice(accepted))
        found = CLAUSES.outcome(name, data)
        if found is not None:
            accepted.append(data)
            if name not in _OVERLAPPING:
                CLAUSES.check_written(name, found)
    assert 20 < len(accepted) < 1400, len(accepted)


def grown(rng: random.Random, data: bytes) -> bytes:
    """Bytes that were accepted, with a few changed, added or left out."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(changed))
        changed[place : place + rng.randint(0, 1)] = random_bytes(rng)[: rng.randint(0, 2)]
    return bytes(changed)
