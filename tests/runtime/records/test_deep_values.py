"""Values nested as deep as reading accepts are written, compared and copied wherever Python's stack stands."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl, explore

pytestmark = pytest.mark.usefixtures("each_backend")

IDL = """
record File { u8 type = tag(payload); Payload(type) payload; }
record Tag { u8 type = tag(payload); u8 n = count(name); utf8 name[n]; Payload(type) payload; }
variant Payload(u8 type) on type {
  3: NUMBER   { u8 value; };
  9: LIST     { u8 item_type = tag(first(items)) when count(items) > 0; u8 n = count(items); Payload(item_type) items[n]; };
  10: COMPOUND { Tag tags[until peek(1)[0] == 0] if peek(1)[0] != 0; u8 end = 0; };
}
record Node { u8 kind = tag(body); Body(kind) body; u8 after; }
variant Body(u8 kind) on kind { 0: LEAF { u8 value; }; 1: MORE { u8 n = count(nodes); Node nodes[n]; }; }
"""
m = compile_idl(IDL)
LISTS = b"\x09" + b"\x09\1" * 190 + b"\x09\0"
COMPOUNDS = b"\x0a" + b"\x0a\0" * 95 + b"\0" * 96
NODES = b"\1\1" * 95 + b"\0\7" + b"\5" * 96
VALUES = pytest.mark.parametrize(
    ("name", "data"), [("File", LISTS), ("File", COMPOUNDS), ("Node", NODES)], ids=["lists", "compounds", "nodes"]
)
#: How many frames of Python stand around a call: none, half of the stack, nearly all of it.
FRAMES = pytest.mark.parametrize("frames", [0, 500, 900])


def within(frames: int, call: Callable[[], Any]) -> Any:
    """Calls a function within that many frames."""
    return call() if frames == 0 else within(frames - 1, call)


@FRAMES
@VALUES
def test_the_deepest_values_are_read_and_written(name: str, data: bytes, frames: int) -> None:
    assert sys.getrecursionlimit() == 1000
    cls = getattr(m, name)
    value = within(frames, lambda: cls.from_bytes(data))
    assert within(frames, value.to_bytes) == data
    part = value.payload if name == "File" else value.body
    assert data.startswith(within(frames, part.to_bytes), 1)


@FRAMES
@VALUES
def test_the_deepest_values_are_compared_copied_and_shown(name: str, data: bytes, frames: int) -> None:
    cls = getattr(m, name)
    value, other = cls.from_bytes(data), cls.from_bytes(data)
    assert within(frames, lambda: value == other)
    copied = within(frames, lambda: copy.deepcopy(value))
    assert copied == value
    assert copied.to_bytes() == data
    assert within(frames, lambda: repr(value)).startswith(name)
    assert within(frames, lambda: cls.from_dict(value.to_dict())) == value
    assert within(frames, lambda: cls.from_json(value.to_json())) == value
    assert explore(data, name, idl=IDL).errors() == []


@VALUES
def test_one_level_more_is_refused_by_the_limit(name: str, data: bytes) -> None:
    deeper = {
        LISTS: b"\x09\x09\1" + LISTS[1:],
        COMPOUNDS: b"\x0a\x0a\0" + COMPOUNDS[1:] + b"\0",
        NODES: b"\1\1" + NODES + b"\5",
    }
    cls = getattr(m, name)
    with pytest.raises(DecodeError, match="nested more than 192 deep"):
        cls.from_bytes(deeper[data])
    value = cls.from_bytes(data)
    outer = {
        LISTS: lambda: m.File(payload=m.Payload.LIST(items=[value.payload])),
        COMPOUNDS: lambda: m.File(payload=m.Payload.COMPOUND(tags=[m.Tag(name="", payload=value.payload)])),
        NODES: lambda: m.Node(body=m.Body.MORE(nodes=[value]), after=5),
    }[data]()
    for frames in (0, 500, 900):
        with pytest.raises(EncodeError, match="nested more than 192 deep"):
            within(frames, outer.to_bytes)


def test_values_that_contain_themselves_are_refused() -> None:
    loop = m.Payload.LIST(items=[])
    loop.items.append(loop)
    with pytest.raises(EncodeError, match="nested more than 192 deep"):
        m.File(payload=loop).to_bytes()
    value = m.File(payload=loop)
    for show in (value.to_dict, value.to_json):
        with pytest.raises(EncodeError, match="does it contain itself") as caught:
            show()
        assert caught.value.format == "idl.File"
    copied = copy.deepcopy(loop)
    assert copied.items[0] is copied is not loop


def test_copies_share_what_the_value_shares() -> None:
    leaf = m.Node(body=m.Body.LEAF(value=7), after=1)
    value = m.Node(body=m.Body.MORE(nodes=[leaf, leaf]), after=2)
    for _ in range(90):
        value = m.Node(body=m.Body.MORE(nodes=[value, leaf]), after=2)
    copied = within(800, lambda: copy.deepcopy(value))
    assert copied == value
    assert copied.body.nodes[1] is not leaf
    first = copied.body.nodes[1]
    while isinstance(copied.body, m.Body.MORE):
        assert copied.body.nodes[1] is first
        copied = copied.body.nodes[0]
    assert copied is first


def test_an_empty_list_is_no_level() -> None:
    module = compile_idl(
        "record N { u8 n = count(k); N k[n]; } record F { N r; } record P { u8 n = count(k); P k[i < n]; }"
    )
    for name, levels in (("N", 191), ("F", 190), ("P", 191)):
        data = b"\1" * levels + b"\0"
        assert getattr(module, name).from_bytes(data).to_bytes() == data
        with pytest.raises(DecodeError, match="nested more than 192 deep"):
            getattr(module, name).from_bytes(b"\1" + data)


def test_messages_about_chains_are_short() -> None:
    module = compile_idl(
        "record N : gaps { u8 n = count(v); u8 next; N child at next from source if next != 0; u8 v[n]; }"
    )
    made = module.N(next=0, v=[300])
    for at in range(90, 0, -1):
        made = module.N(next=2 * at, v=[], child=made)
    with pytest.raises(EncodeError) as caught:
        made.to_bytes()
    path = "child." * 90 + "v[0]"
    assert caught.value.path == path
    begin, _, end = str(caught.value).partition(" ... ")
    assert f"idl.N: {path}".startswith(begin.rstrip("."))
    assert ".child.v[0]: " in end
    assert len(str(caught.value)) < 3000


@pytest.mark.parametrize("values", [12, 13, 100])
def test_errors_name_some_of_many_values(values: int) -> None:
    names = [f"x{number}" for number in range(values)]
    module = compile_idl(f"record R {{ {' '.join(f'u8 {name};' for name in names)} u8 a if {' + '.join(names)} > 0; }}")
    with pytest.raises(EncodeError) as caught:
        module.R(**dict.fromkeys(names, 0), a=1).to_bytes()
    said = caught.value.rule
    assert all(f"{name} is 0" in said for name in (names[:6] + names[-6:]))
    assert said.count(" is 0") == 12
    assert (f"{values - 12} others" in said) is (values > 12)
