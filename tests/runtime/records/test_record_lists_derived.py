"""What is derived from the elements of a list: tags of variants, offsets of elements, sizes of lists of fixed width."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError

from ...memory import traced
from ...oracle.backends import BACKENDS, running
from .. import generated

d: Any = compile_idl(
    """
    variant V(u8 k) on k { 1: A; 2: B { u8 v; }; 3, 4: C { u16 w; }; }
    record Kinds {
      u8 n = count(items);
      u8 kinds[n] = tag(items);
      V(kinds[i]) items[i < n];
      u8 seen where seen == 0 or seen < count(tag_name(items));
    }
    record Item { u8 n = count(v); bytes v[n]; }
    record Offsets : big {
      u8   n = count(items);
      u16  offsets[i < n] = offset(items[i]);
      u32  behind = offset(last_one);
      Item items[n];
      u8   last_one;
    }
    record Nested : little { u8 head; Offsets inner; }
    """,
    name="derived_lists",
)


def both(value: Any) -> bytes:
    """The bytes by the generated writer, which are those of the backend that runs; read again by both."""
    data = value.to_bytes()
    assert data == generated.write(value)
    assert generated.read(type(value), data) == (value, len(data))
    assert type(value).from_bytes(data) == value
    return data


def test_tags_of_a_list() -> None:
    made = d.Kinds(items=[d.V.A(), d.V.B(v=7), d.V.C(w=8, tag=4)], seen=1)
    assert both(made) == b"\3\1\2\4\7\x08\0\1"
    assert made.kinds == [1, 2, 4]


def test_offsets_of_elements() -> None:
    made = d.Offsets(items=[d.Item(v=b"ab"), d.Item(v=b""), d.Item(v=b"c")], last_one=9)
    data = both(made)
    assert made.offsets == [11, 14, 15]
    assert made.behind == 17
    assert data == b"\3\0\x0b\0\x0e\0\x0f\0\0\0\x11\2ab\0\1c\x09"
    assert both(d.Offsets(items=[], last_one=1)) == b"\0\0\0\0\5\1"


def test_offsets_count_from_the_start_of_the_source() -> None:
    made = d.Nested(head=1, inner=d.Offsets(items=[d.Item(v=b"x")], last_one=2))
    assert both(made)[2:8] == b"\0\x08\0\0\0\x0a"


UNREAD: Any = compile_idl(
    """
    record Filled { u64 n; u8 f; bytes xs[n] = 0 if f; }
    record Copied { u64 n; u8 f; u8 xs[n] = ys if f; u8 ys[..]; }
    record Packed { u64 n; u8 f; bits<1> xs[n] = ys if f; u8 ys[..]; }
    record Chosen { u64 n; u8 f; u8 xs[i < (f == 1 ? n : 0)] = i; }
    record Passed { u64 n; u8 f; Inside(n, f) inside; }
    record Inside(u64 n, u8 f) { bytes xs[n] = 0 if f; }
    record Either { u64 n; u8 f = tag(v); V(n, f) v; }
    variant V(u64 n, u8 f) on f { 0: NONE; 1: SOME { u8 xs[i < n] = i; bytes ys[n] = 0; }; }
    record Stored { u64 n; u8 f; bytes xs[n] = 0 size n if f; }
    record Measured { u64 n; u8 f; u8 of = f ? size(xs) : 0; bytes xs[n] = 0 if f; }
    """,
    name="derived_lists_that_are_absent",
)


@pytest.mark.parametrize("name", ["Filled", "Copied", "Packed", "Chosen", "Passed", "Either", "Stored", "Measured"])
def test_numbers_of_derived_lists_from_bytes_have_their_elements_there(name: str) -> None:
    """What is absent is derived by nobody, however large the number that was read; what is there has as many bytes."""
    cls = getattr(UNREAD, name)
    head = struct.pack("<Q", 2**40)
    rest = b"\0" if name == "Measured" else b""
    for backend in BACKENDS:
        with running(backend):

            def again() -> None:
                found = cls.from_bytes(head + b"\0" + rest)
                assert found.to_bytes() == head + b"\0" + rest
                assert cls.from_dict(found.to_dict()).to_bytes() == head + b"\0" + rest
                with pytest.raises(DecodeError):
                    cls.from_bytes(head + b"\1" + rest)

            assert traced(again).peak < 1 << 20
