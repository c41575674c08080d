"""Values that writers compute and that a caller has set: they are in the bytes, or refused, wherever they stand."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.runtime.records.rows import Settled

from ...oracle.backends import BACKENDS, running
from ...paths import SPECS
from ...round_trips import _at

#: Records with an inner record, bytes of File, what is edited, the computed value, and another edit that changes it.
CASES = {
    "inside": ("record File { H h with n = count(xs); u8 xs[h.n]; }", b"\7\2ab", "h.n", 2, ("xs", [1])),
    "element": ("record File { u8 c = count(hs); H hs[i < c] with n = i; }", b"\2\7\0\7\1", "hs[1].n", 1, None),
    "inner list": ("record File { Hs g with hs[i].n = i * 3; } record Hs { H hs[2]; }", b"\7\0\7\3", "g.hs[1].n", 3, None),
    "deep": ("record File { A a with h.n = count(xs); u8 xs[a.h.n]; } record A { H h; }", b"\7\2ab", "a.h.n", 2, ("xs", [])),
    "when": ("record File { u8 n = count(xs) when n < 9; u8 m; u8 xs[m]; }", b"\2\2ab", "n", 2, None),
    "placed": ("record File { H h with n = offset(x); u8 x at h.kind; }", b"\2\2a", "h.n", 2, None),
    "behind": ("record File { u8 k; u8 x[end - 3] at 1; H h with n = size(x) at end - 2; }", b"\0ab\7\2", "h.n", 2, ("x", [1])),
    "offset": ("record File { H h; u8 x at h.n; }", b"\7\2a", "h.n", 2, None),
    "offsets": ("record File { u8 at_[2]; u8 x[i < 2] at at_[i]; }", b"\2\3ab", "at_[1]", 3, None),
    "settled": ("record File { u8 a; u16 n = offset(x) when a == 1; u8 x at n; }", b"\1\3\0a", "n", 3, None),
}  # fmt: skip


def read(name: str) -> Any:
    idl, data, *_ = CASES[name]
    return compile_idl(f"{idl} record H {{ u8 kind; u8 n; }}").File.from_bytes(data)


def put(value: Any, path: str, new: Any) -> None:
    *holder, last = path.split(".")
    inside = _at(value, ".".join(holder)) if holder else value
    name, _, index = last.rstrip("]").partition("[")
    if index:
        getattr(inside, name)[int(index)] = new
    else:
        setattr(inside, name, new)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CASES)
def test_edits_of_computed_values(name: str, backend: str) -> None:
    _, data, path, own, other = CASES[name]
    with running(backend):
        value = read(name)
        put(value, path, own + 5)
        assert _at(value, path) == own + 5
        for again in (value, copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            with pytest.raises(EncodeError, match=rf"{own + 5} was set, but .* {own}: set that, or None") as caught:
                again.to_bytes()
            assert caught.value.path == path
        for right in (own, None):
            put(value, path, right)
            assert value.to_bytes() == data
        if other is not None:
            value = read(name)
            setattr(value, *other)
            assert type(value).from_bytes(value.to_bytes()) != type(value).from_bytes(data)
            put(value, path, own)
            with pytest.raises(EncodeError, match=f"{own} was set, but it is computed as {own - 1 if other[1] else 0}"):
                value.to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("text", "data", "path"),
    [
        ("record File { D d; }", b"\4\5", "d.n"),
        ("record File { u8 c = count(ds); D ds[c]; }", b"\2\4\5\6\7", "ds[1].n"),
        ("record File : gaps { u8 place; D d at place; }", b"\1\4\5", "d.n"),
        ("record File { D d; u8 x at d.n; }", b"\1\2a", "d.n"),
    ],
)
def test_values_that_are_refused_stay_set(text: str, data: bytes, path: str, backend: str) -> None:
    with running(backend):
        value = compile_idl(f"{text} record D {{ u8 k; u8 n = k + 1 when k > 0; }}").File.from_bytes(data)
        put(value, path, 9)
        for _ in range(2):
            with pytest.raises(EncodeError, match="9 was set, but"):
                value.to_bytes()
            assert _at(value, path) == 9


@pytest.mark.parametrize("backend", BACKENDS)
def test_given_values_are_proposals(backend: str) -> None:
    module: Any = compile_idl("record File { H h with n = count(xs); u8 xs[h.n]; } record H { u8 kind; u8 n; }")
    with running(backend):
        assert module.File(h=module.H(kind=7, n=99), xs=[1]).to_bytes() == b"\7\1\1"
        assert module.H(kind=7, n=99).to_bytes() == b"\7\x63"
        header = module.H.from_bytes(b"\7\1")
        header.n = 5
        assert header.to_bytes() == b"\7\5"
        assert isinstance(module.H.n, Settled)
        del header.n
        with pytest.raises(AttributeError):
            _ = header.n


def test_members_of_json() -> None:
    module: Any = compile_idl(SPECS / "gallery" / "puffin.idl")
    make = partial(module.File, tail=module.Tail(flags=0))
    metadata: Any = {
        "blobs": [{"type": "t", "fields": [], "snapshot-id": 1, "sequence-number": 1, "offset": 0, "length": 0}]
    }
    value = make(blobs=[b"abc"], footer=module.Footer.from_dict({"metadata": metadata}))
    data = value.to_bytes()
    value.footer.metadata.blobs[0].length = 7
    for again in (value, copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        with pytest.raises(EncodeError, match="7 was set, but it is computed as 3") as caught:
            again.to_bytes()
        assert caught.value.path == "footer.metadata.blobs[0].length"
    value.footer.metadata.blobs[0].length = 3
    assert value.to_bytes() == data


LISTS = {
    "with": ("u8 k; u8 a[2]; H h with xs = a; record H { u8 xs[2]; }", b"\1\1\2\1\2", "h.xs"),
    "when": ("u8 k; u8 a[2]; u8 xs[2] = a when k == 1;", b"\1\1\2\1\2", "xs"),
    "each": ("u8 k; u8 xs[i < 2] = i + k when k == 1;", b"\1\1\2", "xs"),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", LISTS)
def test_edits_within_computed_lists(name: str, backend: str) -> None:
    body, data, path = LISTS[name]
    body, found, others = body.partition(" record")
    module: Any = compile_idl(f"record File {{ {body} }} {found}{others}")
    with running(backend):
        value = module.File.from_bytes(data)
        xs = _at(value, path)
        assert value.to_bytes() == data
        xs[0] = 9
        for again in (value, copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            with pytest.raises(
                EncodeError, match=r"\[9, 2\] was set, but it is computed as \[1, 2\]: set that, or None"
            ):
                again.to_bytes()
        xs[0] = 1
        assert value.to_bytes() == data
        put(value, path, [1, 3])
        with pytest.raises(EncodeError, match=r"\[1, 3\] was set, but it is computed as \[1, 2\]"):
            value.to_bytes()
        put(value, path, [1, 2])
        assert value.to_bytes() == data
        _at(value, path)[1] = 7
        with pytest.raises(EncodeError, match=r"\[1, 7\] was set, but it is computed as \[1, 2\]"):
            value.to_bytes()
        if name != "each":
            # What was only looked at is computed anew.
            value = module.File.from_bytes(data)
            assert _at(value, path) == [1, 2]
            value.a = [3, 4]
            assert value.to_bytes() == b"\1\3\4\3\4"
            assert _at(value, path) == [3, 4] if name == "when" else True
            value.a = [5, 6]
            assert value.to_bytes() == b"\1\5\6\5\6"
