"""Places that count from what is derived inside of another placed field, where that one is a new object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lakecodec import compile_idl

from ...edits import Source
from ...oracle.backends import BACKENDS, running

DECLARED = """
record File : gaps { u8 list_at; u8 y; List list at list_at; bytes tail[..] at list_at + 1 + WHERE; }
record List { u8 n = count(own); Own own[n]; }
record Own { u8 n = count(v); bytes v[n]; }
"""
DATA = bytes.fromhex("02aa 0101617265")


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize("where", ["count(list.own) + sum(list.own.n)", "list.n * 2"])
@pytest.mark.parametrize("is_opened", [False, True])
def test_equal_objects_change_nothing(where: str, is_opened: bool) -> None:
    m: Any = compile_idl(DECLARED.replace("WHERE", where))
    read: Callable[[], Any] = lambda: m.File.open(Source(DATA)) if is_opened else m.File.from_bytes(DATA)  # noqa: E731
    whole = read()
    whole.list = m.List(own=[m.Own(v=b"a")])
    assert whole.to_bytes() == DATA == whole.to_bytes()
    one = read()
    one.list.own[0] = m.Own(v=b"b")
    assert one.to_bytes() == DATA.replace(b"a", b"b")


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
def test_the_end_of_a_new_record_is_behind_what_its_elements_place(word: str) -> None:
    m: Any = compile_idl(
        f"""record File : {word} {{ u8 a_at; u8 n = count(list); bytes a[2] at a_at; Part list[n] at 8; }}
        record Part : {word} {{ u8 x_at; bytes x[2] at x_at from source if x_at != 0; }}"""
    )
    parts = [m.Part(x_at=20, x=b"xx"), m.Part(x_at=12, x=b"yy")]
    made = m.File(a_at=None, a=b"aa", list=parts)
    data = made.to_bytes()
    assert (data[0], data[12:14], data[20:]) == (22, b"yy", b"xxaa")
    assert m.File.from_bytes(data).to_bytes() == data


PAIRS = "record E { u8 at_; } record V { u8 n = count(x); bytes x[n]; }"
EDITS: dict[str, Callable[[Any, Any], Any]] = {
    "one None": lambda module, read: setattr(read.e[1], "at_", None),
    "all None": lambda module, read: [setattr(each, "at_", None) for each in read.e],
    "new": lambda module, read: setattr(read, "e", [module.E(), module.E()]),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize(
    "place", ["n + e[i].at_", "n * 2 + e[i].at_ - 2", "n + 1 + e[i].at_", "base + e[i].at_", "e[i].at_ + base"]
)
def test_an_offset_beside_derived_numbers_is_computed(place: str, edit: str) -> None:
    module: Any = compile_idl(f"record H {{ u8 n = count(e); u8 base = 1; E e[n]; V v[i < n] at {place}; }} {PAIRS}")
    before = {"n + 1 + e[i].at_": 3, "base + e[i].at_": 1, "e[i].at_ + base": 1}.get(place, 2)
    data = bytes([2, 1, 4 - before, 6 - before, 1, 7, 1, 8])
    for backend in BACKENDS:
        with running(backend):
            read = module.H.from_bytes(data)
            EDITS[edit](module, read)
            assert read.to_bytes() == data


@pytest.mark.parametrize("word", ["", ": gaps"])
@pytest.mark.parametrize("place", ["e[i].at_ * 4", "4 * e[i].at_", "e[i].at_ * 4 align 4", "4 + (e[i].at_ - 1) * 4"])
def test_offsets_in_units(word: str, place: str) -> None:
    module: Any = compile_idl(f"record H {word} {{ u8 n = count(e); E e[n]; V v[i < n] at {place}; }} {PAIRS}")
    data = bytes([2, 1, 2, 0, 1, 7, 0, 0, 2, 8, 9])
    for backend in BACKENDS:
        with running(backend):
            read = module.H.from_bytes(data)
            assert read.to_bytes() == data
            made = module.H(e=[module.E(), module.E()], v=read.v)
            assert made.to_bytes() == data
            read.v[0].x, read.e[0].at_ = b"abcd", None
            written = module.H.from_bytes(read.to_bytes())
            assert [each.x for each in written.v] == [b"abcd", b"\x08\x09"]


@pytest.mark.parametrize("word", ["", ": gaps", ": overlaps"])
@pytest.mark.parametrize("given", [{}, {"d_at": 1}])
def test_offsets_in_a_chain_of_new_records_are_computed(word: str, given: dict[str, int]) -> None:
    m: Any = compile_idl(
        f"""record File {word} {{ u8 d_at; D d at d_at; T t at d.table_at; B b[i < 2] at t.at_[i] if t.at_[i] != 255; }}
        record D {{ u8 table_at; }} record T {{ u8 at_[2]; }} record B {{ u8 v; }}"""
    )
    made = m.File(d=m.D(), t=m.T(at_=[None, 255]), b=[m.B(v=7), None], **given)
    assert made.to_bytes() == bytes.fromhex("010204ff07")


@pytest.mark.parametrize("setting", ["u8 p = offset(x) - 2;", "H h with p = offset(x) - 2;"])
def test_numbers_below_an_offset_that_is_not_known_yet(setting: str) -> None:
    place = "p + 2" if setting.startswith("u8") else "h.p + 2"
    m: Any = compile_idl(f"record File {{ u8 z; {setting} bytes x[2] at {place}; }} record H {{ u8 p; }}")
    file = m.File.from_bytes(b"\1\0ab")
    assert file.to_bytes() == b"\1\0ab"
    assert m.File(z=2, x=b"cd", **({} if place == "p + 2" else {"h": m.H()})).to_bytes() == b"\2\0cd"


@pytest.mark.parametrize("word", ["", ": gaps", ": overlaps"])
@pytest.mark.parametrize("around", ["", "record File { u8 z; Page page; }"])
@pytest.mark.parametrize("is_opened", [False, True])
def test_offsets_that_are_absent_with_their_elements(word: str, around: str, is_opened: bool) -> None:
    m: Any = compile_idl(
        f"""record Page {word} {{ u8 packed; u8 n; u8 pointers[n] if packed == 0; L list[i < n] at pointers[i] if packed == 0; }}
        record L {{ u8 v; }} {around}"""
    )
    cls, data = (m.File, b"\7\1\2") if around else (m.Page, b"\1\2")
    file = cls.open(Source(data)) if is_opened and not around else cls.from_bytes(data)
    page = file.page if around else file
    assert page.list == [None, None]
    assert file.to_bytes() == data == cls.from_dict(file.to_dict()).to_bytes()
    page.packed, page.pointers, page.list = 0, None, [m.L(v=8), m.L(v=9)]
    assert file.to_bytes()[-6:] == b"\0\2\4\5\x08\x09"
