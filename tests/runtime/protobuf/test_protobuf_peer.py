"""Messages are what Google's protobuf makes of the same schema, both ways; broken bytes are refused as it refuses them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..compact.backends import outcome
from .backends import BACKENDS, kinds, running
from .values import messages

pytest.importorskip("google.protobuf")

from google.protobuf.message import DecodeError as PeerError

from .peer import Peer

peer = Peer(kinds)
TYPES = [kinds.Plain, kinds.Present, kinds.Given, kinds.Lists, kinds.Maps, kinds.Needed, kinds.Tree]

#: Those that are written as they were read: of `Given`, a default is written where nothing was read.
AS_READ = [cls for cls in TYPES if cls is not kinds.Given]
#: Without maps, whose entries have no order.
IN_ORDER = [kinds.Plain, kinds.Present, kinds.Given, kinds.Lists]

pytestmark = pytest.mark.parametrize("backend", BACKENDS)


@pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.__name__)
def test_same_bytes(backend: str, cls: Any) -> None:
    @settings(deadline=None, max_examples=30)
    @given(messages(cls))
    def check(message: Any) -> None:
        theirs = peer.of(message)
        data = message.to_bytes()
        assert peer[cls].FromString(data) == theirs
        if cls in IN_ORDER:
            assert data == theirs.SerializeToString()
        found = cls.from_bytes(theirs.SerializeToString())
        assert found == cls.from_bytes(data)
        assert peer.of(found) == theirs

    with running(backend):
        check()


@pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.__name__)
def test_unknown_fields_are_kept(backend: str, cls: Any) -> None:
    @settings(deadline=None, max_examples=10)
    @given(messages(cls))
    def check(message: Any) -> None:
        data = message.to_bytes()
        found = kinds.Nothing.from_bytes(data)
        assert found.unknown_fields == data
        assert found.to_bytes() == data

    with running(backend):
        check()


#: What is refused here and accepted there: varints of more than 64 bits.
STRICTER = ("a varint is longer",)


@pytest.mark.parametrize("cls", AS_READ, ids=lambda cls: cls.__name__)
def test_damage(backend: str, cls: Any) -> None:
    damage = st.tuples(st.integers(0, 2**20), st.integers(0, 255), st.sampled_from(["set", "cut", "insert"]))

    @settings(deadline=None, max_examples=80)
    @given(messages(cls, 2), st.lists(damage, min_size=1, max_size=3))
    def check(message: Any, changes: list[tuple[int, int, str]]) -> None:
        data = bytearray(message.to_bytes())
        for place, byte, how in changes:
            at = place % (len(data) + 1)
            data[at : at + (how == "set")] = b"" if how == "cut" else bytes([byte])
            if how == "cut":
                del data[at:]
        check_bytes(cls, bytes(data))

    with running(backend):
        check()


@pytest.mark.parametrize("cls", AS_READ, ids=lambda cls: cls.__name__)
def test_noise(backend: str, cls: Any) -> None:
    tag = st.builds(
        lambda number, wire: bytes([number << 3 | wire]), st.integers(1, 15), st.sampled_from([0, 1, 2, 3, 4, 5])
    )
    piece = tag | st.binary(max_size=3) | st.builds(bytes, st.integers(0, 9)) | st.just(b"\xff" * 9 + b"\x01")

    @settings(deadline=None, max_examples=80)
    @given(st.lists(piece, max_size=12).map(b"".join))
    def check(data: bytes) -> None:
        check_bytes(cls, data)

    with running(backend):
        check()


def check_bytes(cls: Any, data: bytes) -> None:
    """Both read the same from bytes, or both refuse them."""
    theirs = peer[cls]()
    try:
        theirs.MergeFromString(data)
        refused = not theirs.IsInitialized()
    except PeerError:
        refused = True
    kind, found, *_ = outcome(cls.from_bytes, data)
    if kind != "value":
        assert refused or found.startswith(STRICTER), found
        return
    assert not refused, data
    again = peer[cls]()
    again.MergeFromString(found.to_bytes())
    assert again.SerializeToString(deterministic=True) == theirs.SerializeToString(deterministic=True)
