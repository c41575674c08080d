"""Elements with places from which places are computed: those of elements behind them, and of other fields."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl
from lakecodec.workbench import diff, dump, load, verify
from lakecodec.workbench.sampling import samples

from ...edits import Source

pytestmark = pytest.mark.usefixtures("each_backend")

LIST = "u8 n = count(ns); u8 first; N ns[i < n] at i == 0 ? first : ns[i - 1].next"
DATA = bytes.fromhex("0303aa 2a06 ff 2b08 2c00")


@pytest.mark.parametrize(
    "clause",
    ["", " from source", " if i == 0 or ns[i - 1].next != 0", " size i == 0 ? 2 : ns[i - 1].next / ns[i - 1].next * 2"],
)
def test_each_element_says_where_the_next_one_is(clause: str) -> None:
    m: Any = compile_idl(f"record F : gaps {{ {LIST}{clause}; }} record N {{ u8 v; u8 next; }}")
    read, opened = m.F.from_bytes(DATA), m.F.open(Source(DATA))
    assert [(each.v, each.next) for each in read.ns] == [(42, 6), (43, 8), (44, 0)]
    assert read.to_bytes() == DATA == opened.to_bytes()
    opened.ns[1].v = 9
    assert opened.to_bytes() == DATA.replace(b"+", b"\t")
    read.ns[-1].next = 10
    read.ns.append(m.N(v=7, next=0))
    assert (
        read.to_bytes() == b"\4" + DATA[1:-1] + bytes.fromhex("0a0700") == m.F.open(Source(read.to_bytes())).to_bytes()
    )
    assert m.F.from_dict(read.to_dict()) == read


def test_the_workbench_follows_chains() -> None:
    m: Any = compile_idl(f"record F : gaps {{ {LIST}; }} record N {{ u8 v; u8 next; }}")
    assert [each.offset for each in verify(DATA, m.F)] == [2, 5]
    assert load(dump(DATA, m.F)) == DATA
    assert [each.path for each in diff(DATA, DATA.replace(b"+", b"\t"), m.F)] == ["ns[1].v"]


def test_long_chains() -> None:
    m: Any = compile_idl(f"record F : gaps {{ {LIST}; }} record N {{ u8 v; u8 next; }}".replace("u8", "u16"))
    count = 5000
    data = struct.pack("<HH", count, 4) + b"".join(
        struct.pack("<HH", i, (i < count - 1) * (8 + 4 * i)) for i in range(count)
    )
    read = m.F.from_bytes(data)
    assert [each.v for each in read.ns] == list(range(count))
    assert read.to_bytes() == data
    assert json.loads(read.to_json())["ns"][-1] == {"v": count - 1, "next": 0}


@pytest.mark.parametrize("size", ["", " size 1"])
@pytest.mark.parametrize("is_opened", [False, True])
def test_elements_from_which_places_of_others_are_computed(size: str, is_opened: bool) -> None:
    m: Any = compile_idl(
        f"record F : gaps {{ u8 p[2]; N ns[i < 2] at p[i]{size}; u8 t at ns[1].v; }} record N {{ u8 v; }}"
    )
    data = bytes.fromhex("0203 0004 07")
    read = m.F.open(Source(data)) if is_opened else m.F.from_bytes(data)
    assert (read.t, read.ns) == (7, [m.N(v=0), m.N(v=4)])
    assert read.to_bytes() == data


GROWING = "N ns[until last(ns).next == 0] at count(ns) == 0 ? first : last(ns).next"


@pytest.mark.parametrize("clause", ["", " from source", " size count(ns) < 9 ? 2 : 3", " if count(ns) < 9"])
@pytest.mark.parametrize("argument", ["", "(count(ns))"])
@pytest.mark.parametrize("word", ["", " : gaps"])
def test_chains_up_to_the_one_that_ends_them(clause: str, argument: str, word: str) -> None:
    parameters = "(u8 before)" if argument else ""
    fields = f"u8 first; {GROWING.replace('N', f'N{argument}', 1)}{clause};"
    text = f"record F{word} {{ {fields} }} record N{parameters} {{ u8 v; u8 next; }}"
    m: Any = compile_idl(text)
    data = bytes.fromhex("01 2a03 2b05 2c00")
    read, opened = m.F.from_bytes(data), m.F.open(Source(data))
    assert [each.v for each in read.ns] == [42, 43, 44]
    if argument:
        assert [each.before for each in read.ns] == [0, 1, 2]
    assert read.to_bytes() == data == opened.to_bytes() == m.F.from_dict(read.to_dict()).to_bytes()
    opened.ns[1].v = 9
    assert opened.to_bytes() == data.replace(b"+", b"\t")
    read.ns[-1].next = 7
    read.ns.append(m.N(v=7, next=0))
    assert m.F.open(Source(read.to_bytes())).ns == read.ns == m.F.from_bytes(read.to_bytes()).ns


@pytest.mark.parametrize("nexts", [[3, 5], [3, 0, 0], [0, 0], []])
def test_chains_that_end_elsewhere_are_refused(nexts: list[int]) -> None:
    m: Any = compile_idl(f"record F : gaps {{ u8 first; {GROWING}; }} record N {{ u8 v; u8 next; }}")
    wanted = r"ns: it (ends after 1 of its|ends after 2 of its|has no element after which it ends)"
    with pytest.raises(EncodeError, match=wanted) as caught:
        m.F(first=1, ns=[m.N(v=1, next=each) for each in nexts]).to_bytes()
    assert caught.value.path == "ns"


def test_circles_are_refused() -> None:
    m: Any = compile_idl(f"record F : gaps {{ u8 first; {GROWING}; }} record N {{ u8 v; u8 next; }}")
    with pytest.raises(DecodeError, match=r"ns: \d+ elements do not fit"):
        m.F.from_bytes(bytes.fromhex("01 2a03 2b01"))


def test_samples_and_texts_of_chains() -> None:
    m: Any = compile_idl(f"record F : gaps {{ u8 first; {GROWING}; }} record N {{ u8 v; u8 next; }}")
    assert m.F.__rows__["ns"].type == "N[until last(ns).next == 0]"
    for each in samples(m.F, 20):
        assert m.F.from_bytes(each.to_bytes()) == each
