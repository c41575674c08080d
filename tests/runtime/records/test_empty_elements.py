"""Elements that take no bytes: a call reads a bounded number of them, in whatever lists they are."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import MAX_EMPTY
from tests.bounds import within

from ...oracle.backends import BACKENDS, running

IDL = """
record Nothing {}
record Two { u32 n; u32 m; Nothing first[n]; Nothing second[m] size 0; }
record Named { u32 n; u32 m; Little(n) all[m]; }
record Little(i64 n) { Nothing items[n]; u8 last if n < 0; }
record Constant { u32 n; Many many[n]; }
record Many { Nothing items[1048576]; }
record Absent { u32 n; u32 m; Flags(n) all[m]; }
record Flags(i64 n) { u8 items[i < n] if n < 0; }
record Existing { u32 n; u32 m; u8 bytes[n]; Copies(bytes) all[m]; }
record Copies(list<u8> bytes) { Nothing items[i < count(bytes)]; }
record Tree { u8 height; Branch(height) root; }
record Branch(i64 height) { Branch(height - 1) left if height > 0; Branch(height - 1) right if height > 0; }
record Sized { u32 n; u32 m; bytes items[i < n] size 0; u8 full[m]; }
record Placed { u32 n; u32 m; Little(m) items[i < n] at 0; }
"""
#: Bytes behind two numbers, and as many elements as they allow.
MORE = bytes(92)
MOST = MAX_EMPTY + 100


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("empty") / "empty.idl"
    path.write_text(IDL)
    return compile_idl(path)


def outcome(cls: Any, data: bytes) -> str:
    """What both backends say of the record at the begin of some bytes: where it breaks a rule, or nothing."""
    found = set()
    for backend in BACKENDS:
        for given in (data, memoryview(data)):
            with within(5), running(backend):
                try:
                    cls.read(given)
                    found.add("")
                except DecodeError as error:
                    found.add(f"{error.path} at {error.offset}: {error.rule}")
    (one,) = found
    return one


def numbers(cls: Any, one: int, other: int) -> str:
    """The same where the bytes are two numbers and others."""
    return outcome(cls, struct.pack("<II", one, other) + MORE)


RULE = f"more than {MOST} elements take no bytes"


def test_lists_of_a_record_share_the_bound(module: Any) -> None:
    assert numbers(module.Two, MOST - 30_000, 30_000) == ""
    assert numbers(module.Two, MOST - 30_000, 30_001) == f"second[30000] at 8: {RULE}"


def test_lists_in_lists_share_it(module: Any) -> None:
    # Each inner list is an element without bytes, too.
    assert numbers(module.Named, 99, MOST // 100) == ""
    assert numbers(module.Named, 99, MOST // 100 + 1).endswith(RULE)
    assert numbers(module.Named, 60_000, 60_000) == f"all[1].items[5635] at 8: {RULE}"
    assert outcome(module.Constant, struct.pack("<I", 2) + bytes(96)) == f"many[0].items[{MOST}] at 4: {RULE}"


def test_lists_that_count_others_share_it(module: Any) -> None:
    size, most = 4008, (MAX_EMPTY + 4008) // 4001
    assert outcome(module.Existing, struct.pack("<II", 4000, most) + bytes(4000)) == ""
    found = outcome(module.Existing, struct.pack("<II", 4000, most + 1) + bytes(4000))
    assert found.endswith(f"more than {MAX_EMPTY + size} elements take no bytes")


def test_absent_elements_cost_an_eighth(module: Any) -> None:
    assert numbers(module.Absent, 992, 8 * MOST // 1000) == ""
    assert numbers(module.Absent, 992, 8 * MOST // 1000 + 1).endswith(RULE)


def test_trees_share_it(module: Any) -> None:
    assert outcome(module.Tree, b"\x0f" + bytes(99)) == ""
    assert outcome(module.Tree, b"\x10" + bytes(99)).endswith(f"at 1: {RULE}")
    assert outcome(module.Tree, b"\xb0" + bytes(99)).endswith(f"at 1: {RULE}")


def test_elements_with_bytes_do_not_count(module: Any) -> None:
    data = bytes(3 * MAX_EMPTY)
    assert outcome(module.Sized, struct.pack("<II", MAX_EMPTY, len(data)) + data) == ""


def test_placed_elements_share_it(module: Any) -> None:
    for backend in BACKENDS:
        with running(backend):
            assert len(module.Placed.from_bytes(struct.pack("<II", 100, 600) + MORE).items) == 100
            with pytest.raises(DecodeError, match="elements take no bytes") as caught:
                module.Placed.from_bytes(struct.pack("<II", 200, 600) + MORE)
            assert caught.value.path.startswith("items[109].items[")
