"""Structs, unions and messages nested deeper than Python's stack are compared, copied and converted as records are."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from lakecodec import compile_idl

from .fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

m = compile_idl(
    "struct S { 1: optional S next  2: i32 x } union U { 1: U more  2: i32 x } struct V { 1: optional list<U> us }"
    "message M { 1: M next; 2: int32 x; } record R { u8 f; R next if f > 0; }"
)
#: Levels that are written, and levels that are only held.
DEPTHS = pytest.mark.parametrize("depth", [300, 1000])


def nested(name: str, depth: int) -> Any:
    value = m.U.x(7) if name == "U" else m.R(f=0) if name == "R" else getattr(m, name)(x=7)
    for _ in range(depth):
        match name:
            case "U":
                value = m.U.more(value)
            case "R":
                value = m.R(f=1, next=value)
            case _:
                value = getattr(m, name)(next=value)
    return value


@DEPTHS
@pytest.mark.parametrize("name", ["S", "U", "M", "R"])
def test_deep_values(name: str, depth: int) -> None:
    value, other = nested(name, depth), nested(name, depth)
    assert value == other
    assert value != nested(name, depth - 1)
    assert copy.deepcopy(value) == value is not copy.deepcopy(value)
    assert type(value).from_dict(value.to_dict()) == value
    assert repr(value).startswith(name)


def test_copies_share_what_structs_share() -> None:
    shared = m.U.more(m.U.x(1))
    copied = copy.deepcopy(m.V(us=[shared, shared]))
    assert copied.us[0] is copied.us[1] is not shared
    assert copied == m.V(us=[shared, shared])
