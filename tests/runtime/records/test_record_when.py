"""`= expr when condition`: values that are computed where a condition holds, and given where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

from .. import generated

w: Any = compile_idl(
    """
    record Counted : little {
      u16 n = count(xs) when n != 0xFFFF;
      u32 more = count(xs) if n == 0xFFFF;
      u8  xs[n == 0xFFFF ? more : n];
    }
    record Header { u8 length; u8 kind; }
    record Body { Header header with length = size(body) when header.kind != 0 else "another length"; bytes body[..]; }
    record Optional { u8 k; u8 v = 7 when k > 2 if k > 1; }
    record Elements { u8 n = count(xs); u8 xs[i < n] = i when xs[i] != 9; }
    record Text { u8 kind; bytes name[2] = "ab" when kind == 1; }
    record Sums : little { u32 crc = crc32(encoded(body)) when crc != 0 else "the checksum is another"; bytes body[..]; }
    variant Choice(u8 kind) on kind { 1: ONE { u8 n = 5 when m == 1; u8 m; }; else: OTHER; }
    record Holder { u8 kind = tag(choice); Choice(kind) choice; }
    """,
    name="when",
)


def written(value: Any) -> bytes:
    """The bytes of either writer, which are read as the same by either reader."""
    data: bytes = value.to_bytes()
    assert generated.write(value) == data
    assert type(value).from_bytes(data) == generated.read(type(value), data)[0] == value
    return data


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (w.Counted(xs=[1, 2]), b"\2\0\1\2"),
        (w.Counted(n=77, xs=[1, 2]), b"\2\0\1\2"),
        (w.Counted(n=0xFFFF, xs=[1, 2]), b"\xff\xff\2\0\0\0\1\2"),
        (w.Body(header=w.Header(kind=1), body=b"abc"), b"\3\1abc"),
        (w.Body(header=w.Header(kind=0, length=44), body=b"abc"), b"\x2c\0abc"),
        (w.Optional(k=1), b"\1"),
        (w.Optional(k=2, v=9), b"\2\x09"),
        (w.Optional(k=3, v=9), b"\3\7"),
        (w.Elements(xs=[5, 9, 5]), b"\3\0\x09\2"),
        (w.Text(kind=1), b"\1ab"),
        (w.Text(kind=2, name=b"xy"), b"\2xy"),
        (w.Sums(crc=0, body=b"abc"), b"\0\0\0\0abc"),
        (w.Sums(body=b"abc"), b"\xc2\x41\x24\x35abc"),
        (w.Holder(choice=w.Choice.ONE(m=1)), b"\1\5\1"),
        (w.Holder(choice=w.Choice.ONE(n=8, m=2)), b"\1\x08\2"),
    ],
    ids=repr,
)
def test_computed_or_given(value: Any, data: bytes) -> None:
    assert written(value) == data


@pytest.mark.parametrize(
    ("record", "data", "rule"),
    [
        (w.Body, b"\1\1abc", "header: another length"),
        (w.Optional, b"\3\6", "v: v must be 7"),
        (w.Elements, b"\1\6", r"xs\[0\]: xs\[i\] must be i"),
        (w.Text, b"\1xy", 'name: name must be "ab"'),
        (w.Sums, b"\1\0\0\0abc", "crc: the checksum is another"),
        (w.Holder, b"\1\6\1", "choice.n: n must be 5"),
    ],
)
def test_bytes_that_say_something_else(record: Any, data: bytes, rule: str) -> None:
    for read in (record.from_bytes, lambda data: generated.read(record, data)):
        with pytest.raises(DecodeError, match=rule):
            read(data)


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (w.Optional(k=1, v=3), "v"),
        (w.Optional(k=2), "v"),
        (w.Text(kind=2), "name"),
        (w.Counted(n=0xFFFF, xs=7), "when.Counted"),
    ],
    ids=repr,
)
def test_values_that_are_missing_or_too_many(value: Any, field: str) -> None:
    with pytest.raises(EncodeError, match=field):
        value.to_bytes()


@pytest.mark.parametrize(
    ("idl", "rule"),
    [
        ("record R { u8 n = n + 1 when n > 3; }", "depends on it: n -> n"),
        ("record H { u8 a; } record R { H h with a = h.a + 1 when h.a > 3; }", "depends on it: h.a -> h.a"),
        ("record R { u8 a = b when true; u8 b = a when true; }", "depends on it: a -> b -> a"),
        ("record R { u8 x = 'a' when true; }", "'x' must be an integer, not a text"),
        ("record R { u8 x = 3 when y; }", "unknown name 'y'"),
        ("record R { u8 h { a : 4 = 3 when b == 1; b : 4; } }", "`when` is not allowed here"),
        ("record R : gaps { u8 p; u8 x = 4 when p > 3 at p; }", "placed with `at` cannot be derived"),
        ("codec c -> i64 { u8 a = value when value > 3; } value = a;", "`when` belongs to fields of records"),
        ("codec c -> i64 { u8 a = value with b = 3; } value = a;", "`with` belongs to fields of records"),
        ("encoding E over arrow { case int8 { i8 v = 3 when v > 3; } }", "`when` belongs to fields of records"),
    ],
)
def test_refused(idl: str, rule: str) -> None:
    with pytest.raises(IdlError, match=rule):
        compile_idl(idl)


def test_an_absent_field_stays_absent() -> None:
    module: Any = compile_idl("record R { u8 k; u8 n = k * 2 when n != 7 if k > 3; u8 m; }")
    assert written(module.R(k=1, m=1)) == b"\1\1"
    assert written(module.R(k=4, m=1)) == b"\4\x08\1"
