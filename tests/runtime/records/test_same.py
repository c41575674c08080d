"""The native comparison of records that were written and read back."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records import backend
from lakecodec.runtime.records.difference import difference
from lakecodec.runtime.records.values import Fields

pytestmark = pytest.mark.skipif(backend.native is None, reason="the native backend is not built")

m: Any = compile_idl(
    """
record File { u8 n = count(items); Item items[n]; f32 x; utf8 t[..]; }
record Item { u8 a; u8 b if a != 0; }
record Placed { u8 at; u8 x at at; }
""",
    name="same",
)
DATA = b"\x02\x00\x01\x05\x00\x00\x80\x3fab"


def is_same(a: Any, b: Any) -> bool:
    native: Any = backend.native
    found: bool = native.same(a, b, Fields)
    # What is the same has no difference; what differs, Python finds.
    assert not found or difference(a, b) is None
    return found


def read() -> Any:
    return m.File.from_bytes(DATA)


def test_records_that_were_read_alike_are_the_same() -> None:
    first, second = read(), read()
    first.x = second.x
    assert is_same(first, second)
    assert is_same(first.items[1], m.Item(a=1, b=5))


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.items.append(m.Item(a=0)),
        lambda file: setattr(file.items[1], "b", 6),
        lambda file: setattr(file.items[1], "b", None),
        lambda file: setattr(file, "t", b"ab"),
        lambda file: setattr(file, "x", float("nan")),
        lambda file: setattr(file, "items", tuple(file.items)),
    ],
)
def test_what_differs_is_left_to_python(change: Any) -> None:
    changed, other = read(), read()
    changed.x = other.x
    change(changed)
    assert not is_same(changed, other)


def test_records_with_places_are_left_to_python() -> None:
    data = b"\x01\x07"
    assert not is_same(m.Placed.from_bytes(data), m.Placed.from_bytes(data))
