"""Records that are read back when they are written: what they keep beside their fields, and offsets that are not known yet."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

TEXT = 'codec text(utf8 encoding) -> bytes = extern "runtime.codecs:Text";'
PEEKS = "variant V on peek(1)[0] { 1: A { u8 one = 1; u8 v; }; else: B { u8 b; }; }"


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


def test_made_values_behind_codecs() -> None:
    module = compile_idl(
        f"""record R {{ T t; }}
        variant T on peek(1)[0] {{ 1: A {{ u8 one = 1; u8 n = size(x); utf8 x[..] size n via text("utf-16-be"); }}; 2: B; }}
        {TEXT}"""
    )
    made = module.R(t=module.T.A(x="é"))
    assert made.to_bytes() == b"\1\2\0\xe9"
    assert module.R.from_json(made.to_json()).to_bytes() == b"\1\2\0\xe9"
    found = module.R.from_bytes(made.to_bytes())
    found.t.x = "ab"
    assert found.to_bytes() == b"\1\4\0a\0b"


@pytest.mark.parametrize(
    ("idl", "offsets"),
    [
        ("record F { u8 n = count(x); u8 offs[n]; V x[i < n] at offs[i]; }", {"offs": [None, None]}),
        ("record F { u8 n = count(x); u8 p; u8 q; V x[i < n] at i == 0 ? p : q; }", None),
        ("record F { u8 n = count(x); O o[n]; V x[i < n] at o[i].at_; } record O { u8 at_; }", {"o": [None, None]}),
    ],
)
def test_offsets_that_are_computed(idl: str, offsets: dict[str, Any] | None) -> None:
    module = compile_idl(f"{idl} {PEEKS}")
    if offsets is None:
        offsets = {"p": 3, "q": 5}
    elif "o" in offsets:
        offsets = {"o": [module.O(at_=None), module.O(at_=None)]}
    made = module.F(x=[module.V.A(v=3), module.V.B(b=9)], **offsets)
    assert made.to_bytes() == b"\2\3\5\1\3\x09"
    made.x[1] = module.V.B(b=1)  # which its reader takes for an A
    with pytest.raises(EncodeError, match=r"x\[1\].*: the bytes cannot be read back"):
        made.to_bytes()


def test_the_first_field_that_is_read_otherwise_is_named() -> None:
    m: Any = compile_idl(
        """record E { u8 n = count(v); u8 v[n]; }
        record R : gaps { u8 k[peek(1)[0] & 3]; u32 sum = crc32(little_bytes(e.n, 2)); u16 place; E e at place; }"""
    )
    found = m.R.from_bytes(bytes.fromhex("3c41f46a4000") + bytes(58) + b"\3\1\xff\0")
    found.e.v = []  # The checksum becomes another then, and so does the number of elements before it.
    with pytest.raises(EncodeError, match="the bytes cannot be read back") as caught:
        found.to_bytes()
    assert caught.value.path == "k"


def test_an_absent_number_is_no_offset_to_compute() -> None:
    module = compile_idl(f"record F {{ u8 p; V x at p; u8 s if peek(1)[0] == 7; u8 t; }} {PEEKS}")
    with pytest.raises(EncodeError, match="s: the bytes cannot be read back"):
        module.F(p=None, x=module.V.B(b=9), s=None, t=7).to_bytes()


def test_the_tag_of_an_alternative_that_was_peeked_for() -> None:
    module = compile_idl(f"record R {{ V v; u8 tag; }} {PEEKS}")
    made = module.R(v=module.V.B(b=9), tag=5)
    assert made.to_bytes() == b"\x09\5"
    found = module.R.from_bytes(b"\x09\5")
    found.v.b = 10
    with pytest.raises(EncodeError, match=r"v\.tag: .* \(the tag is 10 then: set that, or None\)"):
        found.to_bytes()
    found.v.tag = 10
    assert found.to_bytes() == b"\x0a\5"


def test_places_in_the_source_behind_codecs() -> None:
    """Nothing takes the bytes behind the fields of what a codec makes, so that reading would find them left over."""
    m: Any = compile_idl(
        """
        codec deflate -> bytes = extern "runtime.compress:Deflate";
        record R { u16 s = size(b); R1 b size s via deflate; }
        record R1 : gaps { u8 at_; u8 n = count(x); bytes x[n] at at_ from source; }
        """
    )
    with pytest.raises(EncodeError, match=r"b: the bytes cannot be read back .*bytes are left over"):
        m.R(b=m.R1(at_=6, x=b"hello")).to_bytes()
    found = m.R1(at_=2, x=b"hello")
    assert m.R1.from_bytes(found.to_bytes()) == found


@pytest.mark.parametrize("magic", ["u8 m = 7", 'bytes m[2] = "AB"', 'utf8 m[2] = "AB"', "bytes m[2] = 0", "f64 m = n"])
def test_what_is_derived_beside_what_with_sets(magic: str) -> None:
    """A record with places sets a copy of the header; in the given one nothing is derived."""
    m: Any = compile_idl(
        f"""record File : gaps {{ H h with n = count(x); E x[h.n] at h.place; }}
        record H {{ {magic}; u8 n; u8 place; }} record E {{ u8 a if not at_end; u8 b if not at_end; }}"""
    )
    made = m.File(h=m.H(n=1, place=None), x=[m.E(a=1, b=2)])
    data = made.to_bytes()
    assert m.File.from_bytes(data).x == made.x
    assert m.File.from_dict(m.File.from_bytes(data).to_dict()).to_bytes() == data


@pytest.mark.parametrize(
    "links",
    [
        "Link(0) links[until peek(1)[0] >= 128]; Link(1) final;",
        "Link(0) links[until at_end] size rest - 1; Link(1) final;",
    ],
)
def test_one_object_with_two_arguments(links: str) -> None:
    """The object keeps one of its arguments; what follows from them is checked when the bytes are read."""
    m: Any = compile_idl(
        f"record Chained {{ {links} }} record Link(u8 is_last) {{ u8 head {{ last : 1 = is_last; v : 7; }} }}"
    )
    chained = m.Chained.from_bytes(b"\1\2\x83")
    chained.final = chained.links[0]
    assert chained.to_bytes() == b"\1\2\x81"


FAR = "record H { u8 p; u8 x at p from source; } record G { u8 n; }"


@pytest.mark.parametrize("word", ["", " : gaps", " : overlaps"])
@pytest.mark.parametrize(
    ("idl", "data", "are_refused"),
    [
        ("record File%s { u8 n = rest + 1; u8 p; bytes x[1] at p from source; }", b"\3\2\7", True),
        ("record File%s { E e; } record E { u8 n = rest + 1; H h; }", b"\3\2\7", False),
        (
            "record File%s { E e; } record E { G g with n = rest + 1; O o; } record O { u8 p; u8 x at p from File; }",
            b"\3\2\7",
            True,
        ),
        (
            "record File%s { u8 n; F f size n; } record F { u8 n = rest; u8 p; u8 x at p from source; }",
            b"\2\1\3\7",
            False,
        ),
    ],
)
def test_bytes_behind_that_places_elsewhere_take(idl: str, data: bytes, are_refused: bool, word: str) -> None:
    cls = compile_idl(idl % word + FAR).File
    found = cls.from_bytes(data)
    if are_refused or (" E " in idl and not word):
        with pytest.raises(EncodeError, match="cannot be read back"):
            found.to_bytes()
    else:
        assert found.to_bytes() == data


@pytest.mark.parametrize(
    ("idl", "data"),
    [
        ("record File { u8 n = size(v); V v size n; u8 z; }", b"\4abcdz"),
        ("record File { u8 a; V v at a; }", b"\1abcd"),
        ("record File : gaps { u8 a; V v at a; }", b"\1abcd"),
        ("record File { V v at 0 size end - 1; T t at end - 1; } record T : size(1) { u8 n; }", b"abcd\1"),
    ],
)
def test_tags_that_the_bytes_contradict(idl: str, data: bytes) -> None:
    variant = 'variant V on peek(2) { b"nk": KEY { bytes m[2] = "nk"; u8 a; }; else: RAW { bytes data[..]; }; }'
    cls: Any = compile_idl(idl + variant).File
    found = cls.from_bytes(data)
    found.v.data = b"xycd"
    with pytest.raises(EncodeError, match=r"v\.tag: .*the tag is b'xy' then: set that, or None"):
        found.to_bytes()
    for tag in (None, b"xy"):
        found.v.tag = tag
        assert cls.from_bytes(found.to_bytes()).v.data == b"xycd"
