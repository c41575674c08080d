"""Records that were opened, and edited before their placed fields were read, are written as those that were read whole."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import CodecError, EncodeError

pytestmark = pytest.mark.usefixtures("each_backend")


class Source:
    """A source that is not in memory."""

    def __init__(self, data: bytes) -> None:
        self.size, self._data = len(data), data

    def read(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


IDLS = {
    "places in the source inside of fields": (
        """
        record File : gaps { u8 a; u8 b; Part x at a; Part y[1] at b; u8 z at 6; }
        record Part { u8 p; u8 v at p from source; }
        """,
        "02 03 04 05 0a 0b 0c",
        ["r.x.p, r.x.v = 5, 99", "r.x.p, r.x.v = 6, 99", "r.x.p, r.x.v = 5, 11", "r.x.v = 99", "r.z = 1"],
    ),
    "places and counts": (
        """
        record File : gaps { Head head; u16 xs[head.n] at head.at_; u8 ys[2] at 10; }
        record Head : size(4) { u8 n; u8 at_; u16 pad; }
        """,
        "03 04 0000 0100 0200 0300 07 08 09 09 09 09 09 09",
        [f"r.head.{name} = {value}" for name in ("n", "at_", "pad") for value in (0, 2, 12, 200, None, "'x'")],
    ),
    "parameters of elements": (
        """
        record File : gaps { Head head; Item(head) items[2] at 2; } record Head : size(2) { u8 base; u8 pad; }
        record Item(Head head) : gaps { u8 n; bytes v[2] at head.base + n from source; }
        """,
        "06 00 00 02 2e2e 61626364 2e2e2e2e",
        [f"r.head.base = {value}" for value in (0, 7, 10, 12, 40)],
    ),
    "clauses": (
        """
        codec xor(u8 k) -> bytes = extern "runtime.codecs:Xor";
        record File : gaps {
          u8 k; bytes q[3] at 8 via xor(k); X x at 3 size 2 + k / 4; u8 w at 30 where w != k; u8 o at 31 if k < 6;
          Y(k) y at 33; let twice = k / 2; bytes t[twice] at 40;
        }
        record X { u8 z[..]; } record Y(u8 k) { u8 a if k < 5; u8 b; }
        """,
        bytes([3, *range(1, 50)]).hex(),
        [f"r.k = {value}" for value in range(9)] + ["r.k = 30"],
    ),
    "shared bytes": (
        "record File : overlaps { u8 at_; u8 pool_at; bytes name[2] at at_; bytes pool[4] at pool_at; }",
        "03 02 61626364",
        ["r.name = b'XY'", "r.name = b'bc'", "r.at_ = 4", "r.pool = b'aXYd'", "r.pool_at = 1"],
    ),
    "set by `with` in a list": (
        """
        record E { u8 p; u8 k; } record D { u8 m = count(v); u8 v[m]; }
        record File { u8 n = count(e); E e[i < n] with k = count(d[i].v); D d[i < n] at e[i].p; }
        """,
        "01 03 01 01 05",
        ["r.e[0].k = None", "r.e[0].k = 2", "r.e[0].p = None"],
    ),
    "places that are derived": (
        """
        record File : gaps {
          u8 p; u8 n = count(x) when n != 255; u8 k = size(x); let e = p + k; bytes x[..] at p size k; u8 q at e;
        }
        """,
        "03 02 02 0506 09",
        ["r.x = b'abc'", "r.x = b'a'", "r.q = 8", "r.n = None"],
    ),
    "about the whole": (
        """
        record File : gaps { bytes x[..] at 0 size end - 4; C c with s = sum(all_but(c.s)) at end - 4; u8 y at end - 1; }
        record C : size(3) { u8 s; u16 t; }
        """,
        "01 02 0c 04 00 05",
        ["r.x = b'ab'", "r.x = b'abc'", "r.y = 7", "r.c.t = 9"],
    ),
}


def _written(record: Any, edit: str) -> object:
    exec(edit, {"r": record})
    try:
        return record.to_bytes()
    except EncodeError as error:
        return str(error)


@pytest.mark.parametrize("form", IDLS)
def test_edits_before_reading(form: str) -> None:
    idl, text, edits = IDLS[form]
    module: Any = compile_idl(idl)
    data, written = bytes.fromhex(text), 0
    for edit in edits:
        wanted = _written(module.File.from_bytes(data), edit)
        assert _written(module.File.open(Source(data)), edit) == wanted, edit
        written += isinstance(wanted, bytes)
    assert written


def test_fields_are_read_as_they_were_stored() -> None:
    module: Any = compile_idl(IDLS["clauses"][0])
    data = bytes.fromhex(IDLS["clauses"][1])
    found, wanted = module.File.open(Source(data)), module.File.from_bytes(data)
    found.k = 200
    for name in module.File._placed:
        assert getattr(found, name) == getattr(wanted, name)
    with pytest.raises(CodecError):
        found.to_bytes()


UNEDITED = {
    "a number derived from a field": (
        "record File : gaps { u8 p; u8 n = present(x) ? count(x) : 0; u8 y; bytes x[..] at p size 2 if p != 0; }",
        "03 02 05 0707",
    ),
    "a `with` of a field": (
        """
        record File : gaps { E e with n = present(x) ? count(x) : 0; u8 y; bytes x[..] at e.p size e.n if e.p != 0; }
        record E { u8 p; u8 n; }
        """,
        "03 02 05 0707",
    ),
    "bytes that a codec ignores": (
        """
        codec filled(i64 length, bytes fill, bool behind, i64 least) -> bytes = extern "runtime.codecs:Filled";
        record File { u8 p; utf8 t[..] at p size 4 via filled(4, b"\\0", false, 0); }
        """,
        "01 61007a7a",
    ),
    "fields in another order": ("record File { u8 p; u8 q; bytes a[2] at p; bytes b[2] at q; }", "04 02 6262 6161"),
    "a message in another form": (
        "record File : gaps { u8 p; u8 s = size(m); M m at p size s via protobuf; u8 q; u8 x at q; } message M { 1: string b; }",
        "03 02 05 0a00 07",
    ),
}


@pytest.mark.parametrize("form", UNEDITED)
def test_records_that_were_not_edited(form: str) -> None:
    idl, text = UNEDITED[form]
    module: Any = compile_idl(idl)
    data = bytes.fromhex(text)
    assert module.File.open(Source(data)).to_bytes() == data == module.File.from_bytes(data).to_bytes()
    found = module.File.open(Source(data))
    copied = copy(found)
    found.to_dict()
    assert found.to_bytes() == data == copied.to_bytes()


@pytest.mark.parametrize("words", ["", " : gaps"])
def test_bytes_behind_a_struct_with_a_place(words: str) -> None:
    module: Any = compile_idl(
        f"record File{words} {{ u8 p; u8 n; S t at p size n via compact; }} struct S {{ 1: optional byte a }}"
    )
    data = bytes.fromhex("02 04 1305 0009")
    for found in (module.File.from_bytes(data), module.File.open(Source(data))):
        assert found.to_bytes() == data
        found.t.a = 6
        assert found.to_bytes() == bytes.fromhex("02 04 1306 0009")


NODES: Any = compile_idl(
    """
    record File { u8 first; Node node at first if first != 0; }
    record Node { u8 v; u8 a; u8 b; Node x at a from source if a != 0; Node y at b from source if b != 0; }
    """,
    name="nodes",
)


@pytest.mark.parametrize("read", [NODES.File.from_bytes, lambda data: NODES.File.open(Source(data))])
@pytest.mark.parametrize(
    "make",
    [
        deepcopy,
        lambda node: NODES.Node.from_dict(node.to_dict()),
        lambda node: NODES.Node(v=node.v, a=node.a, b=node.b, x=node.x, y=node.y),
        lambda node: pickle.loads(pickle.dumps(node)),
    ],
)
def test_copies_of_placed_records_are_written(make: Any, read: Any) -> None:
    data = bytes([1, 5, 4, 10, 6, 7, 0, 7, 0, 0, 8, 0, 0])
    value = read(data)
    value.node = make(value.node)
    assert value.to_bytes() == data
    value.node = NODES.Node(v=9, a=0, b=0)
    assert value.to_bytes() == bytes([1, 9, 0, 0])


@pytest.mark.parametrize("read", [NODES.File.from_bytes, lambda data: NODES.File.open(Source(data))])
def test_bytes_of_no_field_are_lost_with_a_placed_record(read: Any) -> None:
    value = read(bytes([1, 5, 4, 1, 6, 4, 0, 9]))
    value.node = NODES.Node(v=9, a=0, b=0)
    with pytest.raises(EncodeError, match="1 bytes that it was read from, at 7, belong to no field"):
        value.to_bytes()
