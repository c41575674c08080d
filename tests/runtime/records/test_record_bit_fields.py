"""Named bit fields inside of one number."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import IdlError
from lakecodec.runtime.errors import DecodeError, EncodeError

from ...oracle.backends import BACKENDS, running

b: Any = compile_idl(
    """
    /** As in the headers of ORC's compressed blocks, with the bits of the length first. */
    record Block : little { u24 head : low { original : 1; stored : 23 = size(body); } Body body size stored; }
    record Body { bytes data[..]; }
    record Flags : big { u16 flags { a : 4 where a != 15 else "a is 15"; b : 1; c : 11; } u8 after if b == 1; }
    """,
    name="bit_fields",
)


def test_from_the_lowest_bit() -> None:
    made = b.Block(original=1, body=b.Body(data=b"abcde"))
    assert made.to_bytes() == b"\x0b\0\0abcde"
    assert (made.head, made.stored) == (11, 5)
    found = b.Block.from_bytes(made.to_bytes())
    assert (found, found.head, found.original, found.stored) == (made, 11, 1, 5)
    assert b.Block(original=0, body=b.Body(data=bytes(100_000))).to_bytes()[:3] == bytes.fromhex("400d03")


def test_from_the_highest_bit() -> None:
    for a, bit, c in ((0, 1, 2), (14, 0, 2047), (3, 1, 0)):
        made = b.Flags(a=a, b=bit, c=c, after=9 if bit else None)
        data = made.to_bytes()
        assert data[:2] == (a << 12 | bit << 11 | c).to_bytes(2, "big")
        assert b.Flags.from_bytes(data) == made


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"a": 16}, "16 is not from 0 to 15"), ({"c": -1}, "-1 is not from 0 to 2047"), ({"b": 2}, "2 is not from 0 to 1"),
        ({"a": 15}, "a is 15"), ({"b": None}, "an int is needed, not NoneType"), ({"c": "x"}, "an int is needed, not str"),
        ({"b": 1 << 70}, "is not from 0 to 1"), ({"a": 1.0}, "an int is needed, not float"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("each_backend")
def test_values_that_do_not_fit(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(EncodeError, match=rule) as caught:
        b.Flags(**({"a": 1, "b": 0, "c": 0, "after": None} | changes)).to_bytes()
    assert caught.value.path == next(iter(changes))


@pytest.mark.usefixtures("each_backend")
def test_a_derived_field_that_does_not_fit() -> None:
    with pytest.raises(EncodeError, match="8388608 is not from 0 to 8388607") as caught:
        b.Block(original=0, body=b.Body(data=bytes(1 << 23))).to_bytes()
    assert caught.value.path == "stored"


def test_bad_bytes() -> None:
    with pytest.raises(DecodeError, match="a is 15"):
        b.Flags.from_bytes(b"\xf0\0")
    with pytest.raises(DecodeError):
        b.Block.from_bytes(b"\x0b\0\0abcd")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("clause", ["where a < 3", "= 2", "where a < t", "= t"])
def test_errors_are_at_the_number(backend: Any, clause: str) -> None:
    module: Any = compile_idl(f"record R {{ u8 z; u24 h {{ a : 4 {clause}; c : 20; }} u8 t; }}\n")
    with running(backend), pytest.raises(DecodeError) as caught:
        module.R.from_bytes(b"\0\0\0\xf0\1")
    assert (caught.value.path, caught.value.offset) == ("a", 1)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ("u8 x { a : 3; b : 4; }", "have 7 bits, not 8"),
        ("i8 x { a : 8; }", "unsigned number"),
        ("u8 x : middle { a : 8; }", "bit fields begin at the `high` or at the `low` bit"),
        ("u8 x { a : 8 if true; }", "a bit field has a value"),
    ],
)
def test_refused(fields: str, rule: str) -> None:
    with pytest.raises(IdlError, match=rule):
        compile_idl(f"record R {{ {fields} }}")


def test_enums() -> None:
    module = compile_idl(
        "enum E { ONE = 1; TWO = 2; } record R { u8 x { a : 4 via enum(E); b : 4 via enum(E) where b == E.TWO; } "
        "let c = member(E, a - 1); }"
    )
    for backend in BACKENDS:
        with running(backend):
            found = module.R.from_bytes(b"\x12")
            assert (found.a, found.b, found.c) == (module.E.ONE, module.E.TWO, 0)
            assert (type(found.a), type(found.b), type(found.c)) == (module.E, module.E, int)
            assert module.R.from_bytes(b"\x22").c is module.E.ONE
            assert module.R.from_bytes(b"\x52").a == 5
            assert module.R(a=module.E.TWO, b=2).to_bytes() == b"\x22"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("is_behind", [False, True])
@pytest.mark.parametrize(
    "fields", ["head, data", "head", "n, data", "n, head", "head, last", "data, last", "n, last", "last"]
)
def test_checksums_over_numbers_with_parts(backend: str, fields: str, is_behind: bool) -> None:
    parts = {"n": "u8 n = count(data);", "head": "u8 head { a : 3; b : 5; }", "data": "u8 data[n];"}
    own = {**parts, "other": "u16 other { c : 15; d : 1; }", "last": "u8 last;"}
    crc = f"u32 crc = crc32(encoded({fields}));"
    first, _, last = fields.partition(", ")
    names = list(own)
    sizes = [1, 1, 2, 2, 1]
    begin, end = names.index(first), names.index(last or first) + 1
    with running(backend):
        module: Any = compile_idl(
            f"record R {{ {' '.join([*own.values(), crc] if is_behind else [crc, *own.values()])} }}"
        )
        data = module.R(a=5, b=9, data=[1, 2], c=300, d=1, last=7).to_bytes()
        plain, found = (data[:-4], data[-4:]) if is_behind else (data[4:], data[:4])
        assert found == zlib.crc32(plain[sum(sizes[:begin]) : sum(sizes[:end])]).to_bytes(4, "little")
        assert module.R.from_bytes(data).to_bytes() == data
        with pytest.raises(DecodeError, match="crc"):
            module.R.from_bytes(found[:-1] + bytes([found[-1] ^ 1]) + plain if not is_behind else plain + bytes(4))
