"""Fields with places that are there if what is measured of them is not 0: the value decides, and the condition is compared."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

#: Declarations of a field `x` with a place, and what they make of b"ab" at the end and of None, with and without `: gaps`.
DECLARED = {
    "u8 p; u8 n = size(x); bytes x[n] at p if n > 0;": (b"\2\2ab", b"\2\0"),
    "u8 p; u8 n = size(x); bytes x[..] at p size n if n != 0;": (b"\2\2ab", b"\2\0"),
    "H h with n = size(x); bytes x[..] at h.p size h.n if h.n > 0;": (b"\2\2ab", b"\2\0"),
    "u8 p = offset(x); bytes x[2] at p if p != 0;": (b"\1ab", b"\0"),
    "u8 p; u8 n = offset(x); bytes x[2] at p if n > 0;": (b"\2\2ab", b"\2\0"),
}


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize(
    # With gaps, what says where a field goes is not where it is.
    ("word", "fields"),
    [*(("", each) for each in DECLARED), *((" : gaps", each) for each in DECLARED if "p = offset" not in each)],
)
def test_the_value_decides(word: str, fields: str) -> None:
    m: Any = compile_idl(f"record File{word} {{ {fields} }} record H {{ u8 p; u8 n; }}")
    there, absent = DECLARED[fields]
    made = m.File(x=b"ab", **({"h": m.H(p=2)} if "h" in m.File._given else {"p": 2} if "p" in m.File._given else {}))
    assert made.to_bytes() == there
    found = m.File.from_bytes(there)
    assert found.to_bytes() == there == m.File.from_dict(found.to_dict()).to_bytes()
    found.x = b"cd"
    assert found.to_bytes() == there.replace(b"ab", b"cd")
    found.x = None
    assert found.to_bytes().removesuffix(b"ab") == absent
    empty = m.File.from_bytes(absent)
    assert (empty.x, empty.to_bytes()) == (None, absent)


def test_lists_of_which_some_are_absent() -> None:
    m: Any = compile_idl(
        "record File { u8 n = count(p); u8 p[n]; u8 s[i < n] = size(x[i]); bytes x[i < n][s[i]] at p[i] if s[i] > 0; }"
    )
    data = m.File(p=[None, 0], x=[b"ab", None]).to_bytes()
    assert data == b"\2\5\0\2\0ab"
    found = m.File.from_bytes(data)
    found.x[0] = b"abc"
    assert found.to_bytes() == b"\2\5\0\3\0abc"


def test_an_empty_value_contradicts() -> None:
    m: Any = compile_idl("record File { u8 p; u8 n = size(x); bytes x[n] at p if n > 0; }")
    with pytest.raises(EncodeError, match="x: the field's condition does not agree with its value"):
        m.File(p=2, x=b"").to_bytes()


def test_bytes_that_stay_unread() -> None:
    m: Any = compile_idl("record File : gaps { u8 p; u8 n = size(x); bytes x[n] at p if n > 0; }")

    class Source:
        size = 2

        def read(self, offset: int, length: int) -> bytes:
            return b"\0\0"[offset : offset + length]

    assert m.File.open(Source()).to_bytes() == b"\0\0"


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
@pytest.mark.parametrize("front", ["", "bytes more[2];"])
def test_a_place_that_counts_its_own_size_from_the_end(word: str, front: str) -> None:
    """Before the size is known, the field would stand behind the end."""
    m: Any = compile_idl(
        f"record File : {word} {{ u8 n = size(x); {front} R x at end - n size n; }} record R {{ u8 v[..]; }}"
    )
    data = b"\3" + b"--" * bool(front) + b"abc"
    found = m.File.from_bytes(data)
    assert found.to_bytes() == data
    found.x.v[2] = 7
    assert found.to_bytes() == data[:-1] + b"\7"
    del found.x.v[:2]
    assert found.to_bytes() == b"\1" + data[1:-1] + b"\7"


def test_sizes_of_absent_fields_are_read_as_0() -> None:
    m: Any = compile_idl(
        "record File { u8 p; u8 q; u8 n = size(a) + size(b); R a at p if p != 0; R b at q; } record R { u16 v; }"
    )
    data = m.File(p=0, q=3, b=m.R(v=1)).to_bytes()
    assert m.File.from_bytes(data).to_bytes() == data == b"\0\3\2\1\0"
