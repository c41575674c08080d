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
