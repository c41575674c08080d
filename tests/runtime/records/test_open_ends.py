"""Clauses that ask for the end of the span: what is written is refused, or read as the same."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, IdlError, compile_idl

from ...oracle.backends import BACKENDS, running

#: A record R with a clause that asks for the end, and the arguments of values that may be written.
CLAUSES: dict[str, tuple[str, list[str]]] = {
    "size": ("u8 n; bytes v[..] size n == 0 ? rest : n;", ["n=0, v=b'abc'", "n=1, v=b'x'"]),
    "length": ("u8 n; bytes v[rest > 3 ? 2 : 1];", ["n=0, v=b'a'", "n=1, v=b'ab'"]),
    "end": ("u8 n; bytes v[end > 4 ? 2 : 1];", ["n=0, v=b'a'", "n=1, v=b'ab'"]),
    "half": ("u8 n; u8 v[rest / 2];", ["n=0, v=[1]", "n=1, v=[1, 2]"]),
    "some": ("u8 n; bytes v[n == 0 ? rest : n];", ["n=0, v=b'abc'", "n=1, v=b'a'"]),
    "before": ("u8 n; bytes v[..]; bytes z[n];", ["n=0, v=b'abc', z=b''", "n=1, v=b'a', z=b'b'"]),
    "text": ("u8 n; utf8 v[rest > 3 ? 2 : 1];", ["n=0, v='a'", "n=1, v='ab'"]),
    "index": ("u8 n; u8 v[i < (rest > 3 ? 2 : 1)];", ["n=0, v=[1]", "n=1, v=[1, 2]"]),
    "each": ("u8 n; bytes v[i < 2][..] size (n == 0 and i == 1 ? rest : 1);", ["n=0, v=[b'a', b'bc']", "n=1, v=[b'a', b'b']"]),
    "each if": ("u8 n; u8 v[i < 2] if rest > 2;", ["n=0, v=[1, None]", "n=1, v=[1, 2]", "n=1, v=[None, None]"]),
    "bits": ("u8 n; bits<3> v[rest > 3 ? 2 : 1];", ["n=0, v=[1]", "n=1, v=[1, 2]"]),
    "bits of rest": ("u8 n; bits<1> v[rest * 8];", ["n=0, v=[1] * 8", "n=1, v=[1, 1]"]),
    "on": ("u8 n; V v;", ["n=0, v=m.V.A(a=1, b=2)", "n=1, v=m.V.B(a=1)"]),
    "if": ("u8 n; u8 a if rest > 2; u8 b;", ["n=0, a=None, b=3", "n=1, a=2, b=3"]),
    "last if": ("u8 n; u8 b; u8 a if rest > 2;", ["n=0, a=None, b=3", "n=1, a=2, b=3"]),
    "two if": ("u8 n; u8 a if not at_end; u8 b if not at_end;", ["n=0, a=None, b=3", "n=1, a=2, b=3", "n=1, a=1, b=None"]),
    "if, and rest": ("u8 n; u16 a if not at_end; bytes v[..];", ["n=0, a=None, v=b'ab'", "n=1, a=2, v=b''"]),
    "if, and list": ("u8 n; u8 a if not at_end; Pair v[..];", ["n=0, a=None, v=[m.Pair(a=1)]", "n=1, a=2, v=[m.Pair(a=1)]"]),
    "if, and text": ("u8 n; bytes a[n] if not at_end; utf8 v[..];", ["n=0, a=None, v='é'", "n=1, a=b'x', v='é'"]),
    "if, and codec": ("u8 n; u8 a if not at_end; bytes v[..] via deflate;", ["n=0, a=None, v=b''", "n=1, a=1, v=b''"]),
    "empty": ("u8 n; bytes a[n] if not at_end;", ["n=0, a=b''", "n=0, a=None", "n=1, a=b'x'"]),
    "inner size": ("u8 n; Any a size rest > 3 ? 2 : 1;", ["n=0, a=m.Any(v=[1])", "n=1, a=m.Any(v=[1, 2])"]),
    "function": ("u8 n; u8 v[f(rest)];", ["n=0, v=[1]", "n=1, v=[1, 2]"]),
    "message": ("u8 n; M x via protobuf if n > 0;", ["n=0, x=None", "n=1, x=m.M(a=3)"]),
    "message in front": ("u8 n; M x via protobuf if n > 0; u8 z;", ["n=0, x=None, z=1", "n=1, x=m.M(a=3), z=1"]),
    "until": ("u8 n; utf8 v[rest > 3 ? 2 : 1] until '\\0';", ["n=0, v=['a']", "n=1, v=['a', '']"]),
}  # fmt: skip
SHARED = """
    variant V on rest > 3 { true: A { u8 a; u8 b; }; false: B { u8 a; }; }
    record Any { u8 v[..]; }
    record Pair { u8 a; u8 b = a; }
    codec deflate -> bytes = extern "runtime.compress:Deflate";
    message M { 1: uint32 a }
    fn f(i64 k) -> i64 = k > 3 ? 2 : 1;
"""
#: Records around R, and the values that hold one or two of it.
AROUND: dict[str, tuple[str, Callable[[ModuleType, Any], list[Any]]]] = {
    "alone": ("record File { R r; }", lambda m, r: [m.File(r=r)]),
    "list": ("record File { R r[..]; }", lambda m, r: [m.File(r=[r, r]), m.File(r=[r])]),
    "in front": (
        "record File { H h; u8 z[..]; } record H { u8 a; R r; }",
        lambda m, r: [m.File(h=m.H(a=1, r=r), z=z) for z in ([], [1, 2, 3])],
    ),
    "counted": (
        "record File { u8 k = count(r); R r[k]; u8 z[..]; }",
        lambda m, r: [m.File(r=[r, r], z=[]), m.File(r=[r], z=[1, 2, 3])],
    ),
    "span": (
        "record File { u8 k = size(r); R r size k; u8 z[..]; }",
        lambda m, r: [m.File(r=r, z=z) for z in ([], [1, 2])],
    ),
    "places": (
        "record File { u8 p = offset(r); u8 q = offset(z); R r at p; u8 z[2] at q; }",
        lambda m, r: [m.File(r=r, z=[1, 2])],
    ),
    "last place": ("record File { u8 p = offset(r); R r at p; }", lambda m, r: [m.File(r=r)]),
    "placed": ("record File { u8 k = size(r); R r at 1 size k; }", lambda m, r: [m.File(r=r)]),
}


def _outcomes(around: str, clause: str) -> list[str]:
    """Returns "refused" or "read" per value; a value that is written and read otherwise fails."""
    (holder, values), (fields, made) = AROUND[around], CLAUSES[clause]
    try:
        m = compile_idl(f"{holder} record R {{ {fields} }} {SHARED}", name="open_ends")
    except IdlError:
        return []
    found = []
    for each in made:
        for value in values(m, eval(f"m.R({each})", {"m": m})):
            try:
                data = value.to_bytes()
            except EncodeError:
                found.append("refused")
                continue
            found.append("read")
            try:
                assert repr(m.File.from_bytes(data).to_dict()) == repr(value.to_dict())
            except DecodeError as error:
                raise AssertionError(f"{value} was written as {data!r}") from error
    return found


def test_an_empty_list_at_the_end_of_a_record_that_normalizes() -> None:
    module: Any = compile_idl("record R : normalizes { u8 n; u8 x[n] if not at_end; }")
    assert module.R(n=0, x=[]).to_bytes() == b"\0"
    assert module.R.from_bytes(b"\0").x is None


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("clause", CLAUSES)
def test_what_is_written_is_read_as_the_same(clause: str, backend: str) -> None:
    with running(backend):
        found = {around: _outcomes(around, clause) for around in AROUND}
    outcomes = {each for outcome in found.values() for each in outcome}
    assert outcomes == {"refused", "read"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_follows_an_absent_field_is_named(backend: str) -> None:
    m: Any = compile_idl(
        "record File { u8 k = size(r); R r size k; } record R { u8 a if not at_end; u8 b if not at_end; bytes v[..]; }",
        name="absent",
    )
    with running(backend):
        assert m.File(r=m.R(a=None, b=None, v=b"")).to_bytes() == b"\0"
        assert m.File(r=m.R(a=1, b=None, v=b"")).to_bytes() == b"\1\1"
        for value, path, absent in ((m.R(a=1, b=None, v=b"x"), "r.v", "b"), (m.R(a=None, b=1, v=b""), "r.b", "a")):
            with pytest.raises(EncodeError, match=f"'{absent}' is None, so that no bytes can follow it") as caught:
                m.File(r=value).to_bytes()
            assert caught.value.path == path


def test_records_in_a_list_that_take_the_rest() -> None:
    m = compile_idl(
        "record File { Box boxes[..]; } record Box { u8 n; bytes v[..] size n == 0 ? rest : n; }", name="boxes"
    )
    boxes = [m.Box(n=0, v=b"abc"), m.Box(n=1, v=b"x")]
    with pytest.raises(EncodeError, match=r"boxes.*: the bytes cannot be read back"):
        m.File(boxes=boxes).to_bytes()
    assert m.File.from_bytes(m.File(boxes=boxes[::-1]).to_bytes()).boxes == boxes[::-1]


@pytest.mark.parametrize(
    "text",
    [
        "record File { u8 n; bytes v[..]; }",
        "record File { u8 n; bytes v[rest]; }",
        "record File { u8 n; u16 v[rest / 2]; }",
        "record File { u8 n; bytes v[..] size rest; }",
        "const i32 TAIL = 2 record File { bytes v[..] size rest - TAIL; bytes tail[TAIL]; }",
        "record File { u8 n; R r size n; u8 z[..]; } record R { bytes v[rest]; }",
        "record File { u8 n; u8 v if not at_end; }",
        "record File { u8 n; u8 v if not at_end; bytes more[..]; }",
        "record File { u8 n; u8 v if not at_end; bytes w[2] if not at_end; u16 more[..]; }",
        "record File { u8 k = size(r); R r size k; } record R { u8 v if not at_end; bytes more[..]; }",
        "record File { u8 n; u8 a[..] if n > 1; u16 b[..] if not (n > 1); }",
        "record File { u8 n; T(end) t at 1; } record T(i64 k) { u8 a; u8 b if k > 3; }",
        "record File { u8 n; u8 x[n]; u8 b at 1 + n if end > 3; }",
        "record File { u8 n; R r[n]; } record R { u8 n; T(rest) t size n; } record T(i64 k) { u8 v[k]; }",
    ],
)
def test_settled_clauses_cost_no_reading_back(text: str) -> None:
    assert not compile_idl(text, name="settled").File._reads_back


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("field", "empty"),
    [
        ("bytes x[..] at p", "b''"),
        ("u16 x[..] at p", "[]"),
        ("Any x at p", "m.Any(v=[])"),
        ("Any x at p from source", "m.Any(v=[])"),
        ("M x at p via protobuf", "m.M()"),
        ("Any x[i < 1] at p", "[m.Any(v=[])]"),
    ],
)
def test_empty_fields_stand_where_no_bytes_follow(field: str, empty: str, backend: str) -> None:
    m: Any = compile_idl(f"record File {{ u8 p; u8 q = 7; {field}; }} {SHARED}", name="empty")
    with running(backend):
        value = m.File.from_bytes(b"\2\7")
        assert value == m.File(p=2, x=eval(empty, {"m": m}))
        assert value.to_bytes() == b"\2\7"
        value.p = 1
        with pytest.raises(EncodeError, match=r"x.*: the bytes cannot be read back"):
            value.to_bytes()
