"""Numbers of odd widths and in groups of seven bits, by both backends, against bytes that specifications give."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

from .. import generated

n: Any = compile_idl(
    """
    record Big : big { u40 a; i40 b; u48 c; i48 d; }
    record Little { u40 a; i40 b; u48 c; i48 d; }
    record Midi { vlq32 n; }
    record Wide { vlq64 n; }
    record Sqlite { vlq9 n; }
    record Row { ivlq9 n; }
    record Many { u8 count = count(items); vlq9 items[count]; }
    """,
    name="numbers",
)

#: (number, bytes) of the Standard MIDI File's specification.
MIDI = [
    (0, "00"), (0x40, "40"), (0x7F, "7f"), (0x80, "8100"), (0x2000, "c000"), (0x3FFF, "ff7f"), (0x4000, "818000"),
    (0x100000, "c08000"), (0x1FFFFF, "ffff7f"), (0x200000, "81808000"), (0x8000000, "c0808000"), (0xFFFFFFF, "ffffff7f"),
]  # fmt: skip
#: What SQLite's format says of nine bytes, where the last one is whole.
SQLITE = [*MIDI, (1 << 56, "80c080808080808000"), ((1 << 56) - 1, "ffffffffffffff7f"), ((1 << 64) - 1, "ff" * 9)]


def both(value: Any) -> bytes:
    """The bytes of a record by the generated writer, which are those of the backend that runs."""
    data = generated.write(value)
    assert value.to_bytes() == data
    return data


def read(cls: Any, data: bytes) -> Any:
    found, end = generated.read(cls, data)
    assert end == len(data)
    assert cls.from_bytes(data) == found
    return found


@pytest.mark.parametrize(("cls", "vectors"), [(n.Midi, MIDI), (n.Wide, MIDI), (n.Sqlite, SQLITE), (n.Row, MIDI)])
def test_groups_of_seven_bits(cls: Any, vectors: list[tuple[int, str]]) -> None:
    for number, text in vectors:
        assert both(cls(n=number)).hex() == text
        assert read(cls, bytes.fromhex(text)).n == number


def test_signed_numbers_of_sqlite() -> None:
    for number, text in ((-1, "ff" * 9), (-(1 << 63), "c08080808080808000"), ((1 << 63) - 1, "bf" + "ff" * 8)):
        assert both(n.Row(n=number)).hex() == text
        assert read(n.Row, bytes.fromhex(text)).n == number


def test_all_sizes_round_trip() -> None:
    numbers = random.Random(7)
    for bits in range(65):
        value = numbers.getrandbits(bits)
        for cls in (n.Wide, n.Sqlite):
            assert read(cls, both(cls(n=value))).n == value
    many = n.Many(items=[numbers.getrandbits(bits) for bits in range(65)])
    assert read(n.Many, both(many)).items == many.items


@pytest.mark.parametrize(("cls", "order"), [(n.Big, "big"), (n.Little, "little")])
def test_odd_widths(cls: Any, order: Any) -> None:
    for a, b, c, d in ((0, -1, 1, -2), (2**40 - 1, -(2**39), 2**48 - 1, -(2**47)), (1, 2**39 - 1, 2, 2**47 - 1)):
        expected = a.to_bytes(5, order) + b.to_bytes(5, order, signed=True)
        expected += c.to_bytes(6, order) + d.to_bytes(6, order, signed=True)
        assert both(cls(a=a, b=b, c=c, d=d)) == expected
        assert read(cls, expected) == cls(a=a, b=b, c=c, d=d)


@pytest.mark.parametrize(
    ("cls", "value"),
    [(n.Midi, 1 << 32), (n.Midi, -1), (n.Wide, 1 << 64), (n.Sqlite, 1 << 64), (n.Row, 1 << 63), (n.Row, True)],
)
def test_values_that_do_not_fit(cls: Any, value: Any) -> None:
    with pytest.raises(EncodeError):
        cls(n=value).to_bytes()
    with pytest.raises(EncodeError):
        generated.write(cls(n=value))


@pytest.mark.parametrize("value", [-1, 1 << 40, 1.5, None])
def test_widths_that_do_not_fit(value: Any) -> None:
    for write in (lambda record: record.to_bytes(), generated.write):
        with pytest.raises(EncodeError):
            write(n.Big(a=value, b=0, c=0, d=0))


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (n.Midi, "ffffffffff7f"),
        (n.Midi, "9080808000"),
        (n.Midi, "8080808080"),
        (n.Wide, "ff" * 10 + "7f"),
        (n.Wide, ""),
    ],
)
def test_bad_groups(cls: Any, text: str) -> None:
    for data in (bytes.fromhex(text), bytes.fromhex(text)[:2]):
        for take in (cls.from_bytes, lambda data, cls=cls: generated.read(cls, data)):
            with pytest.raises(DecodeError):
                take(data)


def test_numbers_that_end_too_soon() -> None:
    for size in range(9):
        for take in (n.Sqlite.from_bytes, lambda data: generated.read(n.Sqlite, data)):
            with pytest.raises(DecodeError):
                take(b"\xff" * size)
