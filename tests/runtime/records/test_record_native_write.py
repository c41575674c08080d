"""The native writer of records: the bytes and the derived values of generated writers, and nothing where they refuse."""

from __future__ import annotations

import gc
import random
import sys
import weakref
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generated import mosaic as m
from lakecodec.runtime.errors import CodecError, EncodeError
from lakecodec.runtime.records import backend as record_backend
from lakecodec.runtime.records.values import Fields
from lakecodec.runtime.records.writer import Writer

from ...oracle.test_oracle_clauses import SAMPLES, random_bytes
from .. import generated
from ..compact.records import Call, contents, native, writer_of
from .test_record_native import CLAUSES, MADE, RANDOM

pytestmark = pytest.mark.skipif(record_backend.native is None, reason="no native writer was built")

#: Values that some fields take and most refuse.
ODD: list[Any] = [
    None,
    0,
    1,
    -1,
    2,
    127,
    128,
    255,
    256,
    2**31,
    2**40,
    2**63,
    -(2**63),
    2**64,
    True,
    False,
    1.5,
    "x",
    "é\udc80",
]
ODD += [b"", b"abc", bytearray(b"xy"), "", [], [1], [0, 300], [None], (1, 2), object(), memoryview(b"abcd")[::2]]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(holder, attribute or index) of all that a caller can set."""
    if isinstance(value, Fields):
        for name in value._given:
            yield value, name
            yield from _places(getattr(value, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield value, index
            yield from _places(item)


def _set(value: Any, number: int, odd: Any) -> None:
    holder, name = list(_places(value))[number]
    if isinstance(holder, list):
        holder[name] = odd
    else:
        setattr(holder, name, odd)


def _natively(value: Any, parameters: tuple[Any, ...]) -> bytes | None:
    return native.write(value, {}, 0, 192, parameters)  # type: ignore[no-any-return]


def _generated(value: Any, parameters: tuple[Any, ...]) -> bytes | None:
    try:
        return generated.write(value, *parameters)
    except CodecError:
        return None


def _read(call: Call) -> Any:
    try:
        return generated.read(call.cls, call.data, call.pos, *call.parameters)[0]
    except CodecError:
        return None


@pytest.mark.parametrize(("cls", "parameters"), RANDOM, ids=[cls.__name__ for cls, _ in RANDOM])
def test_random_values(cls: Any, parameters: tuple[Any, ...]) -> None:
    rng = random.Random(cls.__name__)
    known = [Call(cls, data, 0, parameters) for data in (*MADE.get(cls, ()), *SAMPLES.get(cls.__name__, ()))]
    known = [call for call in known if cls.__module__ == CLAUSES.module.__name__ or cls in MADE]
    written = refused = 0
    for _ in range(250):
        call = (
            rng.choice(known).changed(rng)
            if known and rng.random() < 0.6
            else Call(cls, random_bytes(rng), 0, parameters)
        )
        mine, theirs = _read(call), _read(call)
        if mine is None:
            continue
        known.append(call)
        places = len(list(_places(mine)))
        is_odd = rng.random() < 0.6 and places
        if is_odd:
            number, odd = rng.randrange(places), rng.choice(ODD)
            _set(mine, number, odd)
            _set(theirs, number, odd)
        found, wanted = _natively(mine, parameters), _generated(theirs, parameters)
        if found is None:
            refused += 1
            # Bytes of an unusual class and the like are left to the generated writer.
            assert is_odd or wanted is None or writer_of(type(mine)) is None
        else:
            written += 1
            assert found == wanted, (mine, call)
            assert contents(mine) == contents(theirs)
    assert written or writer_of(cls) is None


def test_what_is_written_natively() -> None:
    """Few records are left to the generated writers."""
    left = {cls.__name__ for cls, _ in RANDOM if writer_of(cls) is None}
    assert left <= LEFT, left
    assert writer_of(m.Columns) is not None
    assert writer_of(m.SchemaBlock) is not None


#: Why: offsets of elements, sizes of elements before their codecs, values that are derived under a condition, lists that end
#: with an element.
LEFT = {"Half", "Pieces", "Sparse", "Chunks", "Ended", "EndedTexts"}

w: Any = compile_idl(
    """
    enum Color { RED = 1, GREEN = 2 }
    record Leaf { u8 n = count(items); i16 items[n]; }
    record Numbers : big {
      u8 a; i8 b; u16 c; i16 d; u24 e; i24 f; u32 g; i32 h; u64 i; i64 j; f16 k; f32 l; f64 m;
      uvarint16 n; uvarint32 o; uvarint64 p; svarint16 q; svarint32 r; svarint64 s; bool8 t; u8 u via enum(Color);
    }
    record Sections : little {
      bytes magic[4] = b"SECT";
      u32   at_body  = offset(body);
      u16   size_of  = size(body);
      u8    flags    = present(extra);
      Leaf  first;
      Leaf  body;
      Leaf  extra if flags == 1;
      u8    n        = count(lengths);
      u8    lengths[n];
      bytes blobs[i < n] size lengths[i];
      u16   following = rest;
      utf8  tail[..];
    }
    """,
    name="writes",
)


@pytest.mark.parametrize("field", list("abcdefghijklmnopqrstu"))
def test_limits_of_numbers(field: str) -> None:
    values = dict.fromkeys("abcdefghijklmnopqrstu", 1) | {"t": True}
    for exponent in (7, 8, 15, 16, 23, 24, 31, 32, 63, 64):
        for number in (2**exponent - 1, 2**exponent, -(2**exponent), -(2**exponent) - 1):
            found, wanted = w.Numbers(**values | {field: number}), w.Numbers(**values | {field: number})
            assert _natively(found, ()) == _generated(wanted, ())
    for odd in (w.Color.GREEN, True, 1.5, float("inf"), 1e300, None, "1", b"1"):
        found, wanted = w.Numbers(**values | {field: odd}), w.Numbers(**values | {field: odd})
        assert _natively(found, ()) == _generated(wanted, ())


def sections(**changes: Any) -> Any:
    values: dict[str, Any] = {
        "first": w.Leaf(items=[1]),
        "body": w.Leaf(items=[2, -3]),
        "extra": None,
        "lengths": [0, 2],
        "blobs": [b"", b"xy"],
        "tail": "né",
    }
    return w.Sections(**values | changes)


@pytest.mark.parametrize("extra", [None, w.Leaf(items=[])])
def test_measures(extra: Any) -> None:
    found, wanted = sections(extra=extra), sections(extra=extra)
    data = _natively(found, ())
    assert data is not None
    assert data == _generated(wanted, ()) == found.to_bytes()
    assert (found.at_body, found.size_of, found.following) == (14, 5, 3)
    assert w.Sections.from_bytes(data) == found
    out = Writer(base=100)
    found._encode(out)
    assert found.at_body == 114
    assert bytes(out.data) == _natively(sections(extra=extra), ()).replace(b"\x0e\0\0\0", b"\x72\0\0\0")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"blobs": [b"", b"xyz"]}, "blobs[1]", "its encoded size 3 is not its declared size 2"),
        ({"blobs": [b""]}, "blobs", "2 elements are needed"),
        ({"body": w.Leaf(items=[2**15])}, "body.items[0]", "does not fit"),
        ({"first": w.Sections()}, "first", "Leaf is needed"),
        ({"tail": b"x"}, "tail", "a str is needed"),
    ],
)
def test_errors_are_those_of_generated_writers(changes: dict[str, Any], path: str, rule: str) -> None:
    assert _natively(sections(**changes), ()) is None
    with pytest.raises(EncodeError, match=rule) as caught:
        sections(**changes).to_bytes()
    assert (caught.value.path, caught.value.format) == (path, "writes.Sections")


def test_lists_that_shrink_meanwhile() -> None:
    """A codec may do anything to what is being written."""
    lengths: list[Any] = []

    class Sly:
        def __index__(self) -> int:
            lengths.clear()
            return 0

    lengths += [Sly(), 1, 2]
    assert _natively(sections(lengths=lengths, blobs=[b"", b"a", b"bc"]), ()) is None


def test_programs_do_not_keep_their_classes() -> None:
    """What was compiled can be forgotten."""
    module: Any = compile_idl("record Short { u8 n = count(v); u8 v[n]; }", name="short")
    assert module.Short(v=[1]).to_bytes() == b"\1\1"
    found = weakref.ref(module.Short)
    package = module.__name__.rpartition(".")[0]
    for name in [name for name in sys.modules if name.startswith(package)]:
        del sys.modules[name]
    del module
    gc.collect()
    assert found() is None


def test_enum_members_are_numbers() -> None:
    assert isinstance(w.Color.RED, IntEnum)
    values = dict.fromkeys("abcdefghijklmnopqrstu", 1) | {"t": True, "u": w.Color.RED}
    assert _natively(w.Numbers(**values), ()) == _natively(w.Numbers(**values | {"u": 1}), ())
