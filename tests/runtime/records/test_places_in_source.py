"""Offsets that count from the start of the source: of the outermost record they are computed, of others they are needed."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

pytestmark = pytest.mark.usefixtures("each_backend")

m: Any = compile_idl(
    """
    record File { Part h; u8 z; }
    record Part { u8 p; u8 n = count(x); bytes x[n] at p from source; }
    record Node { u8 v; u8 q; Node node at q from source if q != 0; }
    record Two { u8 p[2]; u8 x[i < 2] at p[i] from source; }
    """,
    name="in_source",
)


def test_outermost_records_compute_offsets() -> None:
    assert m.Part(p=None, x=b"ab").to_bytes() == bytes([2, 2]) + b"ab"
    assert m.Node(v=1, q=None, node=m.Node(v=2, q=0)).to_bytes() == bytes([1, 2, 2, 0])
    assert m.Two(p=[None, None], x=[7, 8]).to_bytes() == bytes([2, 3, 7, 8])
    read = m.Part.from_bytes(bytes([2, 2]) + b"ab")
    read.p, read.x = None, b"abc"
    assert read.to_bytes() == bytes([2, 3]) + b"abc"


@pytest.mark.parametrize(
    ("make", "path", "field"),
    [
        (lambda: m.File(h=m.Part(p=None, x=b"ab"), z=1), "h.p", "x"),
        (lambda: m.Node(v=1, q=2, node=m.Node(v=2, q=None, node=m.Node(v=3, q=0))), "node.q", "node"),
    ],
)
def test_others_name_the_offset_that_they_need(make: Any, path: str, field: str) -> None:
    value = make()
    for _ in range(2):
        with pytest.raises(EncodeError, match=f"{path}: None is .* of the outermost record.* of '{field}'"):
            value.to_bytes()
    assert m.File(h=m.Part(p=None, x=b""), z=1).to_bytes() == bytes([0, 0, 1])
