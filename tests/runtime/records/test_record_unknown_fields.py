"""Structs within records keep the fields that their classes do not know, and the bytes behind them, and write them back."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError

from ...oracle import backends as of_records
from ..compact import backends as of_structs

RECORDS = """
record One { S s via compact; u8 t; }
record Many { u8 n = count(ss); S ss[n] via compact; u8 t; }
record Sized { u8 n = size(s); S s size n via compact; u8 t; }
record Padded { S s size 40 via compact; u8 t; }
record Each { u8 n; S ss[i < n] size 12 via compact; }
record Whole { u8 n; S ss[2] size n via compact; }
record OfUnion { u8 n; U u size n via compact; }
record Placed { u8 at_; S s at at_ via compact; }
"""
old: Any = of_structs.load(
    """
struct Empty {}
struct Inner { 2: required i32 y }
union U { 1: Empty e  2: Inner i  3: i32 n }
struct S { 1: required i32 x  4: optional Inner i  5: optional list<Inner> l  6: optional map<string, Inner> m
           7: optional Empty e  8: optional U u  9: optional list<U> us  10: optional bool b }
"""
    + RECORDS,
    name="older",
)
new: Any = compile_idl(
    """
struct Empty { 1: optional i32 a  20: optional bool c }
struct Inner { 1: optional i32 x  2: required i32 y  3: optional list<string> z }
union U { 1: Empty e  2: Inner i  3: i32 n }
struct S { 1: required i32 x  2: optional bool q  4: optional Inner i  5: optional list<Inner> l
           6: optional map<string, Inner> m  7: optional Empty e  8: optional U u  9: optional list<U> us
           10: optional bool b  3000: optional bool v  3001: optional string w }
"""
    + RECORDS,
    name="newer",
)
INNER, EMPTY = new.Inner(x=1, y=2, z=["a", "b"]), new.Empty(a=4, c=False)
FULL = new.S(
    x=1, q=True, i=INNER, l=[INNER] * 20, m={"a": INNER}, e=EMPTY, u=new.U.e(EMPTY),
    us=[new.U.i(INNER), new.U.e(new.Empty()), new.U.e(EMPTY), new.U.n(4)], b=True, v=False, w="hello",
)  # fmt: skip
PLAIN = new.S(x=1, l=[new.Inner(y=3)] * 20, e=new.Empty(), b=False)


@pytest.fixture(params=[(one, two) for one in of_records.BACKENDS for two in of_structs.BACKENDS])
def backends(request: pytest.FixtureRequest) -> Iterator[None]:
    with of_records.running(request.param[0]), of_structs.running(request.param[1]):
        yield


VALUES = {
    "One": [new.One(s=FULL, t=9), new.One(s=PLAIN, t=9), new.One(s=new.S(x=1, e=EMPTY), t=9)],
    "Many": [new.Many(ss=[FULL] * 3 + [PLAIN] * 20, t=1)],
    "Sized": [new.Sized(s=new.S(x=1, i=INNER, e=EMPTY, w="hello"), t=1)],
    "Placed": [new.Placed(s=new.S(x=1, q=False))],
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.usefixtures("backends")
def test_the_same_bytes_are_written(name: str) -> None:
    for value in VALUES[name]:
        data = value.to_bytes()
        found = getattr(old, name).from_bytes(data)
        assert found.to_bytes() == data
        assert found == getattr(old, name).from_bytes(data)
        for made in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            assert made == found
            assert made.to_bytes() == data


@pytest.mark.usefixtures("backends")
def test_edits_go_beside_them() -> None:
    one = old.One.from_bytes(new.One(s=FULL, t=9).to_bytes())
    one.s.i.y = 77
    one.s.l[3:] = [old.Inner(y=5)]
    found = new.One.from_bytes(one.to_bytes()).s
    assert (found.i, found.l) == (new.Inner(x=1, y=77, z=["a", "b"]), [INNER] * 3 + [new.Inner(y=5)])
    assert (found.q, found.v, found.w, found.e) == (True, False, "hello", EMPTY)
    many = old.Many.from_bytes(new.Many(ss=[PLAIN, FULL, PLAIN], t=1).to_bytes())
    del many.ss[0]
    assert new.Many.from_bytes(many.to_bytes()).ss == [FULL, PLAIN]
    one.s = old.S(x=5)
    assert new.One.from_bytes(one.to_bytes()).s == new.S(x=5)


@pytest.mark.usefixtures("backends")
def test_they_take_part_in_comparisons() -> None:
    one, other = (old.One.from_bytes(new.One(s=new.S(x=1, w=text), t=1).to_bytes()) for text in "ab")
    assert one != other
    assert one.s != old.S(x=1)
    assert old.S(x=1) != one.s
    assert isinstance(one.s, old.S)
    assert one.s.replace(x=2) == old.One.from_bytes(new.One(s=new.S(x=2, w="a"), t=1).to_bytes()).s
    assert one.s.unknown_fields + b"\0" == new.S(x=1, w="a").to_bytes()[2:]
    assert old.S(x=1).unknown_fields == b""
    assert repr(one.s) == r"S(x=1, unknown_fields=b'\x08\xf2.\x01a')"
    assert one.s.to_dict() == {"x": 1}


@pytest.mark.usefixtures("backends")
def test_a_struct_of_its_own_has_none() -> None:
    assert old.S.from_bytes(new.S(x=1, w="a").to_bytes()) == old.S(x=1)


@pytest.mark.parametrize("s", [new.S(x=1), new.S(x=1, w="ab"), new.S(x=1, e=EMPTY)], ids=str)
@pytest.mark.usefixtures("backends")
def test_bytes_behind_a_struct_are_kept(s: Any) -> None:
    behind = s.to_bytes() + b"padding"
    data = bytes([len(behind)]) + behind + b"T"
    assert old.Sized.from_bytes(data).to_bytes() == data
    padded = behind.ljust(40, b"\xff") + b"T"
    assert old.Padded.from_bytes(padded).to_bytes() == padded
    found = old.Sized.from_bytes(data)
    found.s.x = 1000
    s = s.replace(x=1000).to_bytes() + b"padding"
    assert found.to_bytes() == bytes([len(s)]) + s + b"T"
    each = b"\2" + behind.ljust(12, b"-")[:12] + s.ljust(12, b"+")[:12]
    if len(behind) <= 12:
        assert old.Each.from_bytes(each).to_bytes() == each


@pytest.mark.parametrize("name", ["Whole", "OfUnion"])
@pytest.mark.usefixtures("backends")
def test_bytes_that_nothing_can_keep_are_refused(name: str) -> None:
    inside = {"Whole": old.S(x=1).to_bytes() * 2, "OfUnion": old.U.n(1).to_bytes()}[name]
    cls = getattr(old, name)
    whole = bytes([len(inside)]) + inside
    assert cls.from_bytes(whole).to_bytes() == whole
    with pytest.raises(DecodeError, match="2 bytes are left over"):
        cls.from_bytes(bytes([len(inside) + 2]) + inside + b"zz")
