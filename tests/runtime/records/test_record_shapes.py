"""Codecs that the native reader knows by their shape, beside some that only look like them."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records import backend as record_backend

from ..compact.records import Call, check

pytestmark = pytest.mark.skipif(record_backend.native is None, reason="no native reader was built")

CODECS = {
    "prefix": "bytes with bytes prev = b'' { uvarint32 n = common_prefix(prev, value) where n <= count(prev);"
    " uvarint32 m = count(value) - n; bytes s[m] = value[n:]; } value = prev[:n] + s",
    "short_prefix": "bytes with bytes prev = b'ab' { uvarint16 n = common_prefix(prev, value) where n <= count(prev);"
    " uvarint16 m = count(value) - n; bytes s[m] = value[n:]; } value = prev[:n] + s",
    "no_whole_prefix": "bytes with bytes prev = b'xyz' { uvarint32 n = 0 where n < count(prev);"
    " uvarint32 m = count(value) - n; bytes s[m] = value[n:]; } value = prev[:n] + s",
    "fixed_prefix": "bytes with bytes prev = b'' { u8 n = common_prefix(prev, value) where n <= count(prev);"
    " u8 m = count(value) - n; bytes s[m] = value[n:]; } value = prev[:n] + s",
    "repeated": "bytes with bytes prev = b'' { uvarint32 n = count(value) where n <= count(prev);"
    " uvarint32 m = 0; bytes s[n] = value; } value = prev[:m] + s",
    "delta": "i64 with i64 prev = 0 { svarint64 step = value - prev; } value = prev + step",
    "narrow_delta": "i16 with i16 prev = 7 { svarint32 step = value - prev; } value = prev + step",
    "fixed_delta": "i64 with i64 prev = -1 { i64 step = value - prev; } value = prev + step",
    "falling": "i64 with i64 prev = 100 { u16 step = prev - value; } value = prev - step",
    "checked_delta": "i32 with i32 prev = 0 { svarint32 step = value - prev where step != 3; } value = prev + step",
}


#: Codecs that have a shape; what differs from it in anything has none.
SHAPES = {
    "prefix": "front_coded", "short_prefix": "front_coded",
    "delta": "difference", "narrow_delta": "difference", "fixed_delta": "difference",
}  # fmt: skip
CODECS |= {
    "added_zero": "i64 with i64 prev = 0 { svarint64 step = value - prev; } value = prev + step + 0",
    "unsigned": "u64 with u64 prev = 0 { svarint64 step = value - prev; } value = prev + step",
    "doubled_rule": "bytes with bytes prev = b'' { uvarint32 n = common_prefix(prev, value) where n <= count(prev) where n < 999;"
    " uvarint32 m = count(value) - n; bytes s[m] = value[n:]; } value = prev[:n] + s",
    "other_size": "bytes with bytes prev = b'' { uvarint32 n = common_prefix(prev, value) where n <= count(prev);"
    " uvarint32 m = count(value) - n; bytes s[m + 0] = value[n:]; } value = prev[:n] + s",
}
NUMBERS = {name for name in CODECS if name.endswith("delta") or name in ("falling", "added_zero", "unsigned")}


def declared() -> str:
    lines = ["namespace py shapes"]
    for name, body in CODECS.items():
        result = body.split()[0]
        # Others take what they would write alone, and have no shape of beginnings.
        text = body.replace(chr(39), chr(34)).replace(result, f"{result} : normalizes", 1)
        lines.append(f"codec {name} -> {text};")
        field = f"{result} values[n] via {name}" if name in NUMBERS else f"Held_{name} values[n]"
        if name not in NUMBERS:
            lines.append(f"record Held_{name} {{ bytes text via {name}; }}")
        lines.append(f"record Of_{name} {{ u8 n = count(values); {field}; }}")
    return "\n".join(lines)


MODULE: Any = compile_idl(declared(), name="shapes")


def encoded(name: str, values: list[Any]) -> bytes:
    record = getattr(MODULE, f"Of_{name}")
    held = values if name in NUMBERS else [getattr(MODULE, f"Held_{name}")(text=value) for value in values]
    data: bytes = record(values=held).to_bytes()
    return data


def decoded(record: Any) -> list[Any]:
    return [getattr(value, "text", value) for value in record.values]


@pytest.mark.parametrize("name", CODECS)
def test_which_codecs_have_a_shape(name: str) -> None:
    cls = getattr(MODULE, "_" + "".join(part.capitalize() for part in name.split("_")))
    assert cls._table().shape == SHAPES.get(name, "")


def some_values(name: str, rng: random.Random) -> list[Any]:
    if name in NUMBERS:
        number, most = (100, 0) if name == "falling" else (0, 1000)
        numbers = []
        for _ in range(rng.randint(0, 8)):
            number += rng.choice([-2, 0, most, -1000, 4 if most else 0])
            numbers.append(number)
        if name == "unsigned":
            return list(map(abs, numbers))
        return sorted(numbers, reverse=True) if name == "falling" else numbers
    texts = [b"", b"a", b"ab", b"abc", b"abd", b"b" * 200, bytes(range(200))]
    return [rng.choice(texts) for _ in range(rng.randint(0, 8))]


@pytest.mark.parametrize("name", [name for name in CODECS if name not in ("no_whole_prefix", "repeated")])
def test_what_was_written_is_read(name: str) -> None:
    rng = random.Random(name)
    record = getattr(MODULE, f"Of_{name}")
    for _ in range(200):
        values = some_values(name, rng)
        if name == "checked_delta" and 3 in [b - a for a, b in zip([0, *values], values, strict=False)]:
            continue
        data = encoded(name, values)
        assert check(Call(record, data))
        assert decoded(record.from_bytes(data)) == values


@pytest.mark.parametrize("name", CODECS)
def test_any_bytes(name: str) -> None:
    rng = random.Random(name)
    record = getattr(MODULE, f"Of_{name}")
    calls = [Call(record, b"\0")]
    if name not in ("no_whole_prefix", "repeated"):
        calls += [Call(record, encoded(name, [0, 5, 5, 100][:2] if name in NUMBERS and name != "falling" else []))]
    accepted = 0
    for _ in range(3000):
        size = rng.choice([2, 3, 5, 12, 30])
        data = bytes([rng.randint(0, 4), *(rng.choice([0, 1, 2, 3, 5, 127, 128, 255]) for _ in range(size))])
        call = rng.choice([Call(record, data), rng.choice(calls).changed(rng)])
        if check(call):
            accepted += 1
            calls.append(call)
    assert accepted > 100


@pytest.mark.parametrize(
    ("name", "data", "accepted"),
    [
        ("delta", b"\1" + b"\xfe" + b"\xff" * 8 + b"\1", True),
        ("delta", b"\2" + b"\xfe" + b"\xff" * 8 + b"\1" + b"\2", False),
        ("delta", b"\2" + b"\xff" * 9 + b"\1" + b"\1", False),
        ("narrow_delta", b"\1" + b"\xf0\xff\3", True),
        ("narrow_delta", b"\1" + b"\xf2\xff\3", False),
        ("narrow_delta", b"\1" + b"\x8d\x80\4", True),
        ("narrow_delta", b"\1" + b"\x8f\x80\4", False),
        ("fixed_delta", b"\1" + b"\xff" * 7 + b"\x7f", True),
        ("fixed_delta", b"\1" + b"\0" * 7 + b"\x80", False),
        ("checked_delta", b"\1\4", True),
        ("checked_delta", b"\1\6", False),
        ("prefix", b"\2\0\1a\1\0", True),
        ("prefix", b"\2\0\1a\2\0", False),
        ("prefix", b"\1\0\2a", False),
        ("prefix", b"\1\0\xff\xff\xff\xff\x0f", False),
        ("prefix", b"\1\xff\xff\xff\xff\x0f\0", False),
        ("short_prefix", b"\1\2\1c", True),
        ("short_prefix", b"\1\3\1c", False),
        ("no_whole_prefix", b"\1\2\0", True),
        ("no_whole_prefix", b"\1\3\0", False),
    ],
)
def test_ends_of_ranges(name: str, data: bytes, accepted: bool) -> None:
    assert check(Call(getattr(MODULE, f"Of_{name}"), data)) == accepted


def test_the_states_of_lists_are_their_own() -> None:
    both = compile_idl(
        declared() + "\nrecord Both { Of_prefix first; Of_prefix second; Of_delta third; Of_delta fourth; }",
        name="both",
    )
    parts = SimpleNamespace(texts=encoded("prefix", [b"ab", b"abc"]), numbers=encoded("delta", [5, 7]))
    data = parts.texts * 2 + parts.numbers * 2
    assert check(Call(both.Both, data))
    found = both.Both.from_bytes(data)
    assert decoded(found.second) == [b"ab", b"abc"]
    assert decoded(found.fourth) == [5, 7]
