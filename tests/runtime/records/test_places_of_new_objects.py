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
