"""Messages that the native backend reads when they are first asked for are what the others are."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError

from .backends import BACKENDS, running

c: Any = compile_idl(
    """
    enum Kind { NONE = 0; DATA = 1; }
    message Leaf { 1: int32 number; 2: string text; 3: list<Leaflet> leaflets; }
    message Leaflet { 1: bytes data; }
    oneof Choice { 5: Leaf leaf; 6: string text; }
    message Root { 1: Leaf leaf; 2: list<Leaf> leaves; 3: map<string, Leaf> by_name; 4: Kind kind; Choice choice; }
    """,
    name="unread",
)

ROOT = c.Root(
    leaf=c.Leaf(number=1, text="é"),
    leaves=[c.Leaf(number=n, leaflets=[c.Leaflet(data=bytes(n))]) for n in range(5)],
    by_name={"a": c.Leaf(text="b")},
    kind=c.Kind.DATA,
    choice=c.Choice.leaf(c.Leaf(number=7)),
)
DATA = ROOT.to_bytes()

pytestmark = pytest.mark.skipif("native" not in BACKENDS, reason="needs the native backend")


def fresh() -> Any:
    return c.Root.from_bytes(DATA)


def test_values() -> None:
    assert fresh() == ROOT
    assert repr(fresh()) == repr(ROOT)
    assert fresh().to_bytes() == DATA
    assert [leaf.leaflets[0].data for leaf in fresh().leaves] == [bytes(n) for n in range(5)]
    assert pickle.loads(pickle.dumps(fresh())) == copy.deepcopy(fresh()) == copy.copy(fresh()) == ROOT
    assert fresh().to_dict() == ROOT.to_dict()
    with running("pure", c):
        pure = fresh()
    assert fresh() == pure
    found = fresh()
    assert found.leaves[2] is found.leaves[2]


def test_what_was_set_before_stays() -> None:
    found = fresh()
    found.leaf = None
    found.leaves = []
    assert (found.leaf, found.leaves, found.kind) == (None, [], c.Kind.DATA)
    assert found.by_name == ROOT.by_name
    again = c.Root.from_bytes(found.to_bytes())
    assert (again.leaf, again.leaves, again.choice) == (None, [], ROOT.choice)
    found = fresh()
    found.leaves[1].text = "set"
    assert c.Root.from_bytes(found.to_bytes()).leaves[1] == ROOT.leaves[1].replace(text="set")
    found = fresh()
    found.unknown_fields = b"\x78\x01"
    assert found.to_bytes() == DATA + b"\x78\x01"


def test_unknown_fields_are_asked_first() -> None:
    found = c.Root.from_bytes(DATA + b"\x78\x01")
    assert found.unknown_fields == b"\x78\x01"
    assert found.leaf == ROOT.leaf
    assert c.Root.from_bytes(DATA + b"\x78\x01").to_bytes() == DATA + b"\x78\x01"
    assert fresh().unknown_fields == b""


def test_merged_parts() -> None:
    found = c.Root.from_bytes(DATA + b"\x0a\x02\x08\x09" + b"\x2a\x03\x12\x01x")
    assert found.leaf == c.Leaf(number=9, text="é")
    assert found.choice == c.Choice.leaf(c.Leaf(number=7, text="x"))


def test_bytes_that_change_or_go() -> None:
    buffer = bytearray(b".." + DATA)
    found, end = c.Root.read(buffer, 2)
    buffer[:] = bytes(len(buffer))
    assert (found, end) == (ROOT, len(DATA) + 2)
    leaves = c.Root.from_bytes(bytes(bytearray(DATA))).leaves
    gc.collect()
    assert leaves == ROOT.leaves


def test_broken_bytes_are_found_at_once() -> None:
    for size in range(len(DATA)):
        outcomes = []
        for name in BACKENDS:
            with running(name, c):
                try:
                    outcomes.append(repr(c.Root.from_bytes(DATA[:size])))
                except DecodeError as error:
                    outcomes.append(str(error))
        assert len(set(outcomes)) == 1


def test_subclass() -> None:
    class Own(c.Root):  # type: ignore[misc]
        __slots__ = ()

    assert Own.from_bytes(DATA).leaves == ROOT.leaves
