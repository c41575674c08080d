"""Lengths that are computed from fields that are themselves derived from the bytes they measure: writing compares them."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

m: Any = compile_idl(
    """
    record Halves { u8 half = size(text) / 2; bytes text[..] size half * 2; }
    record Most   { u8 n = min(size(s), 3); Held s size n; }
    record Held   { u8 n = count(x); u8 x[n]; }
    record List   { u8 half = size(x) / 2; u8 x[..] size half * 2; }
    record Inside { Head h with half = size(text) / 2; bytes text[..] size h.half * 2; }
    record Head   { u8 half; }
    record Ahead  { Lead h with n = size(text) + 3; bytes text[..] size h.n - 3; }
    record Lead   { u8 n; }
    record Escape {
      u8 short = size(t) < 15 ? size(t) : 15;
      u8 long = size(t) if short == 15;
      utf8 t[..] size short == 15 ? long : short;
    }
    record Each   { u8 n = count(x); u8 halves[i < n] = size(x[i]) / 2; bytes x[i < n][..] size halves[i] * 2; }
    record Some   {
      u8 n = count(x);
      u8 halves[i < n] = size(x[i]) / 2;
      bytes x[i < n][..] size halves[i] * 2 + 2 if halves[i] > 0;
    }
    record First  { u8 n = size(x[0]); bytes x[i < 2][..] size n; }
    record Counts { u8 half = count(x) / 2; u8 x[half * 2]; }
    """,
    name="derived_lengths",
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (m.Halves(text=b"abcd"), b"\2abcd"),
        (m.Most(s=m.Held(x=[7, 8])), b"\3\2\7\x08"),
        (m.List(x=[1, 2]), b"\1\1\2"),
        (m.Inside(h=m.Head(), text=b"ab"), b"\1ab"),
        (m.Ahead(h=m.Lead(), text=b"abc"), b"\6abc"),
        (m.Escape(t="a" * 14), b"\x0e" + b"a" * 14),
        (m.Escape(t="a" * 15), b"\x0f\x0f" + b"a" * 15),
        (m.Counts(x=[1, 2]), b"\1\1\2"),
        (m.Each(x=[b"ab", b""]), b"\2\1\0ab"),
        (m.Some(x=[None, None]), b"\2\0\0"),
        (m.First(x=[b"ab", b"cd"]), b"\2abcd"),
    ],
)
def test_lengths_that_agree_are_written(value: Any, expected: bytes) -> None:
    data = value.to_bytes()
    assert data == expected
    assert type(value).from_bytes(data) == value


@pytest.mark.parametrize(
    "value",
    [
        m.Halves(text=b"abc"),
        m.Most(s=m.Held(x=[7, 8, 9])),
        m.List(x=[1, 2, 3]),
        m.Inside(h=m.Head(), text=b"abc"),
        m.Counts(x=[1, 2, 3]),
        m.Each(x=[b"ab", b"c"]),
        m.Some(x=[b"ab", None]),
        m.First(x=[b"ab", b"c"]),
    ],
)
def test_lengths_that_do_not_agree_are_refused(value: Any) -> None:
    with pytest.raises(EncodeError, match=r": (text|s|x|x\[[01]\]): "):
        value.to_bytes()


def test_a_circle_of_a_length_names_the_remedy() -> None:
    with pytest.raises(IdlError, match=r"half -> half; `text\[\.\.\] size n` takes a computed length n"):
        compile_idl("record R { u8 half = size(text) / 2; bytes text[half * 2]; }")


coded: Any = compile_idl(
    """
    codec text(utf8 encoding) -> bytes = extern "runtime.codecs:Text";
    codec hex -> bytes = extern "runtime.codecs:Hex";
    record Text  { u8 n = count(s); utf8 s[n] via text("latin-1"); u8 z[..]; }
    record Hex   { u8 n = count(s); bytes s[n] via hex; u8 z[..]; }
    record Sized { u8 n = size(s); utf8 s[n] via text("latin-1"); u8 z[..]; }
    record Each  { u8 k = count(xs); u8 ns[i < k] = count(xs[i]); utf8 xs[i < k][ns[i]] via text("latin-1"); u8 z[..]; }
    record Lists { u8 n = count(xs); utf8 xs[i < n][n]; u8 z[..]; }
    record Bytes { u8 n = size(xs); u8 xs[n]; u8 z[..]; }
    """,
    name="coded_lengths",
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (coded.Text(s="ee", z=[1]), b"\2ee\1"),
        (coded.Sized(s="éé", z=[1]), b"\2\xe9\xe9\1"),
        (coded.Each(xs=["e"], z=[1]), b"\1\1e\1"),
        (coded.Lists(xs=["ab", "cd"], z=[1]), b"\2abcd\1"),
        (coded.Bytes(xs=[9], z=[1]), b"\1\x09\1"),
        (coded.Text(s="éé", z=[1]), "s: 4 bytes are needed, not 2"),
        (coded.Hex(s=b"abc", z=[1]), "s: 3 bytes are needed, not 6"),
        (coded.Each(xs=["é"], z=[1]), r"xs\[0\]: 2 bytes are needed, not 1"),
        (coded.Lists(xs=["abc", "cde"], z=[1]), r"xs\[0\]: 2 bytes are needed, not 3"),
    ],
)
def test_lengths_are_those_of_the_stored_bytes(value: Any, expected: bytes | str) -> None:
    if isinstance(expected, str):
        with pytest.raises(EncodeError, match=expected):
            value.to_bytes()
    else:
        assert value.to_bytes() == expected
        assert type(value).from_bytes(expected) == value


def test_a_number_of_elements_is_no_size() -> None:
    with pytest.raises(
        IdlError, match=r"a dimension counts elements, as `count\(xs\)` does: `xs\[..\] size n` takes n bytes"
    ):
        compile_idl("record File { u8 n = size(xs); uvarint32 xs[n]; u8 z[..]; }", name="sizes")


def test_a_length_of_decoded_bytes_is_no_stored_size() -> None:
    hex_ = 'codec hex -> bytes = extern "runtime.codecs:Hex";'
    with pytest.raises(IdlError, match="what 'n' is derived from depends on it"):
        compile_idl(f"record File {{ u8 n = size(s); bytes s[n] size n via hex; }} {hex_}", name="sizes")


@pytest.mark.parametrize("measure", ["size", "count"])
@pytest.mark.parametrize(("kind", "longer"), [("bytes", b"abcdef"), ("utf8", "\u00e9\u20acx")])
def test_a_placed_text_may_change_its_length(measure: str, kind: str, longer: Any) -> None:
    m = compile_idl(f"record R {{ u8 off; u8 len = {measure}(d); u8 twice = 2 * {measure}(d); {kind} d[len] at off; }}")
    data = b"\3\3\6abc"
    made = m.R.from_bytes(data)
    assert made.to_bytes() == data
    made.d = longer
    assert made.to_bytes() == m.R(d=longer).to_bytes() == b"\3\6\14" + (longer if kind == "bytes" else longer.encode())
    with pytest.raises(DecodeError, match=rf"twice: .*{measure}\(d\)"):
        m.R.from_bytes(b"\3\3\5abc")


@pytest.mark.parametrize("word", ["", ": gaps"])
@pytest.mark.parametrize("source", ["", "from source"])
@pytest.mark.parametrize(
    "fields",
    [
        "u8 len = size(x) + 2; u8 f = present(x) ? 1 : 0; u8 p; bytes x[len - 2] at p SOURCE if f == 1;",
        "u8 len = count(x) + 2; u8 f = present(x) ? 1 : 0; u8 p; u8 x[len - 2] at p SOURCE if f == 1;",
        "Long h with len = size(x) - 1, f = present(x) ? 1 : 0; u8 p; bytes x[h.len + 1] at p SOURCE if h.f == 1;",
    ],
)
def test_lengths_with_a_number_added_at_places(word: str, source: str, fields: str) -> None:
    module: Any = compile_idl(
        f"record R {word} {{ {fields.replace('SOURCE', source)} }} record Long {{ u8 len; u8 f; }}"
    )
    head = {"h": module.Long()} if "Long h" in fields else {}
    first = 2 if head else 5
    made = module.R(x=b"abc" if "bytes" in fields else [97, 98, 99], **head)
    data = made.to_bytes()
    assert data == bytes([first, 1, 3]) + b"abc"
    read = module.R.from_bytes(data)
    assert read.to_bytes() == data
    read.x = b"longer" if "bytes" in fields else list(b"longer")
    assert read.to_bytes() == bytes([first + 3, 1, 3]) + b"longer"
