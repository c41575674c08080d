"""Fields with places whose codecs, arguments and alternatives are told by numbers that are derived from them."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from lakecodec import compile_idl

pytestmark = pytest.mark.usefixtures("each_backend")

c: Any = compile_idl(
    """
    codec zlib(i64 n) -> bytes = extern "runtime.codecs:Zlib";

    record Plain { u8 p; u8 s = size(x); u8 n = count(x); bytes x[..] at p size s via zlib(n); }
    record Gaps : gaps { u8 p; u8 s = size(x); u8 n = count(x); bytes x[..] at p size s via zlib(n); }
    record Raw { u8 p; u8 s = size(x); u8 n = raw_size(x); bytes x[..] at p size s via zlib(n); }
    record There { u8 p; u8 s = size(x); u8 n = present(x) ? count(x) : 0; bytes x[..] at p size s via zlib(n) if p != 0; }
    record Halved { u8 p; u8 s = size(x); u8 n = count(x) - m; u8 m = count(x) / 2; bytes x[..] at p size s via zlib(n + m); }

    record E { u8 p; u8 s; u8 n; }
    record With { E e with s = size(x), n = count(x); bytes x[..] at e.p size e.s via zlib(e.n); }
    record Each { E e[i < 1] with s = size(x[i]), n = count(x[i]); bytes x[i < 1][..] at e[i].p size e[i].s via zlib(e[i].n); }
    record RawEach {
      E e[i < 1] with s = size(x[i]), n = raw_size(x[i]);
      bytes x[i < 1][..] at e[i].p size e[i].s via zlib(e[i].n);
    }
    record Behind { bytes x[..] at e.p size e.s via zlib(e.n); E e with s = size(x), n = count(x) at end - 3; }

    codec text(utf8 encoding) -> bytes = extern "runtime.codecs:Text";
    record Text { u8 p; u8 s = size(x); u8 n = raw_size(x); utf8 x[..] at p size s via text("utf-16-le"); }
    record Stored { u8 p; u8 n = raw_size(x); L x at p size n; }
    record L { u8 v[..]; }

    record File { u8 n = count(s); Section s[n]; }
    record Section { u8 p; u8 n = size(x); u8 t = tag(x); X(t) x at p from source size n if p != 0; }
    variant X(u8 t) on t { 1: A { u8 v; u8 w; }; 2: B { bytes v[..]; }; else: C { u8 v[..]; }; }
    """,
    name="arguments",
)


@pytest.mark.parametrize("name", ["Plain", "Gaps", "Raw", "There", "Halved", "With", "Each", "RawEach", "Behind"])
@pytest.mark.parametrize("text", [b"", b"ab", b"abcd" * 20])
def test_lengths_behind_codecs_change(name: str, text: bytes) -> None:
    def described(text: bytes) -> bytes:
        data = zlib.compress(text)
        numbers = (len(data), *((len(text) - len(text) // 2, len(text) // 2) if name == "Halved" else (len(text),)))
        return data + bytes([0, *numbers]) if name == "Behind" else bytes([len(numbers) + 1, *numbers]) + data

    before, after = described(b"abc"), described(text)
    value = getattr(c, name).from_bytes(before)
    value.x = [text] if name.endswith("Each") else text
    assert value.to_bytes() == after + (before[len(after) :] if name == "Gaps" else b"")


def test_sizes_before_codecs() -> None:
    value = c.Text.from_bytes(bytes([3, 4, 3]) + "éa".encode("utf-16-le"))
    value.x = "é"
    assert value.to_bytes() == bytes([3, 2, 2]) + "é".encode("utf-16-le")
    assert c.Stored(p=2, x=c.L(v=[7, 8, 9])).to_bytes() == bytes([2, 3, 7, 8, 9])


SECTIONS = bytes([3, 10, 2, 1, 12, 3, 2, 15, 1, 9]) + b"\7\x08abc\5"


def test_new_sections_get_their_tags() -> None:
    value = c.File.from_bytes(SECTIONS)
    value.s[1] = c.Section(p=12, x=c.X.B(v=b"xyz"))
    assert value.to_bytes() == SECTIONS.replace(b"abc", b"xyz")
    assert c.File.from_dict(value.to_dict()).to_bytes() == value.to_bytes()


def test_sections_become_other_alternatives() -> None:
    value = c.File.from_bytes(SECTIONS)
    value.s[1].x = c.X.C(v=[1, 2, 3], tag=7)
    assert value.to_bytes() == SECTIONS[:6] + b"\7" + SECTIONS[7:12] + b"\1\2\3\5"


def test_sections_are_swapped() -> None:
    value = c.File.from_bytes(SECTIONS)
    value.s[0].x, value.s[1].x = value.s[1].x, value.s[0].x
    value.s[0].p, value.s[1].p = 10, 13
    assert value.to_bytes() == bytes([3, 10, 3, 2, 13, 2, 1, 15, 1, 9]) + b"abc\7\x08\5"
