"""Records with gaps at places of a declared size, such as pages of databases: what no field takes is free."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

pytestmark = pytest.mark.usefixtures("each_backend")

PAGE = """
record P WORD { u8 n = count(pointers); u8 pointers[n]; L l[i < n] at pointers[i]; }
record L { u8 n = count(v); bytes v[n]; }
"""


@pytest.mark.parametrize("word", [": gaps", ": overlaps"])
@pytest.mark.parametrize("outer", ["", ": gaps", ": overlaps"])
@pytest.mark.parametrize(
    ("fields", "head"),
    [
        ("u8 z default 1; P p at 1 size 10;", b"\1"),
        ("u8 z default 10; P p at 1 size z;", b"\n"),
        ("u8 z default 10; P p at 1 size z; u8 t[..] at 11;", b"\n"),
    ],
)
def test_new_pages_are_filled_up(word: str, outer: str, fields: str, head: bytes) -> None:
    m: Any = compile_idl(f"record File {outer} {{ {fields} }} {PAGE.replace('WORD', word)}")
    page = m.P(pointers=[5], l=[m.L(v=b"ab")])
    tail = {"t": [7]} if "u8 t" in fields else {}
    made = m.File(p=page, **tail)
    data = made.to_bytes()
    assert data == head + b"\1\5\0\0\0\2ab\0\0" + b"\7" * bool(tail)
    read = m.File.from_bytes(data)
    assert (read.to_bytes(), read) == (data, made)
    read.p.pointers[0], read.p.l[0] = 4, m.L(v=b"abcdefg")
    with pytest.raises(EncodeError, match="its place is 10 bytes at 1"):
        read.to_bytes()


@pytest.mark.parametrize("outer", ["", ": gaps"])
@pytest.mark.parametrize("fields", ["u8 n = size(p); P p at 1 size n;", "H h with n = size(p); P p at 1 size h.n;"])
def test_sizes_that_are_computed_leave_nothing_free(outer: str, fields: str) -> None:
    m: Any = compile_idl(f"record File {outer} {{ {fields} }} record H {{ u8 n; }} {PAGE.replace('WORD', ': gaps')}")
    head = {"h": m.H()} if "H h" in fields else {}
    assert m.File(p=m.P(pointers=[3], l=[m.L(v=b"ab")]), **head).to_bytes() == b"\6\1\3\0\2ab"
