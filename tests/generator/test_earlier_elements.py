"""The elements before one, in the arguments of its type: in lists of all kinds, read and written, on both backends."""

from __future__ import annotations

from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError, EncodeError, compile_idl

from ..oracle.backends import BACKENDS, running

#: Events that leave their status out where it is that of the one before, as in MIDI; sums; and two elements back.
IDL = """
record Song {
  u8 n = count(events);
  Event(count(events) > 0 ? last(events).now : 0) events[n];
  Delta(sum(deltas.by)) deltas[until last(deltas).by == 0];
  Back(count(backs) < 2 ? 0 : backs[count(backs) - 2].x, count(backs) == 0 ? 9 : backs[0].x) backs[..];
}
record Event(u8 running) {
  bool8 has_status;
  u8    status if has_status;
  u8    note   if now > 130;
  let now = present(status) ? status : running;
}
record Delta(i64 before) { i8 by where before + by >= 0; let position = before + by; }
record Back(u8 two, u8 first) { u8 x where x >= two; u8 y where y == first; }
table positions from Song { for d in deltas  i64 by = d.by; }
table notes from Song { for e in events  i64 now = e.now; }
"""
DATA = bytes([4, 1, 140, 5, 0, 6, 1, 130, 0, 3, 254, 0, 5, 9, 6, 5, 7, 5])


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL, name="earlier")


@pytest.mark.parametrize("backend", BACKENDS)
def test_read_and_written(module: Any, backend: str) -> None:
    with running(backend):
        found = module.Song.from_bytes(DATA)
        assert [each.now for each in found.events] == [140, 140, 130, 130]
        assert [each.note for each in found.events] == [5, 6, None, None]
        assert [(each.before, each.position) for each in found.deltas] == [(0, 3), (3, 1), (1, 1)]
        assert [each.two for each in found.backs] == [0, 0, 5]
        assert found.to_bytes() == DATA
        events = [
            module.Event(has_status=bool(status), status=status, note=note) for status, note in ((140, 5), (None, 6))
        ]
        made = module.Song(events=events, deltas=[module.Delta(by=0)], backs=[])
        assert made.to_bytes() == bytes([2, 1, 140, 5, 0, 6, 0])
        assert events[1].running == 140


@pytest.mark.parametrize("backend", BACKENDS)
def test_edits_that_contradict_later_elements(module: Any, backend: str) -> None:
    with running(backend):
        found = module.Song.from_bytes(DATA)
        found.events[0].status = 1
        with pytest.raises(EncodeError, match=r"events\[0\].note"):
            found.to_bytes()
        found = module.Song.from_bytes(DATA)
        found.backs[0].x = 8
        with pytest.raises(EncodeError, match=r"backs\[1\].y"):
            found.to_bytes()
        found = module.Song.from_bytes(DATA)
        found.deltas[0].by = 1
        with pytest.raises(EncodeError, match=r"deltas\[1\].by"):
            found.to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_bad_bytes(module: Any, backend: str) -> None:
    with running(backend):
        with pytest.raises(DecodeError, match=r"deltas\[0\].by"):
            module.Song.from_bytes(bytes([0, 255, 0]))
        with pytest.raises(DecodeError, match=r"backs\[1\].y: y == first does not hold"):
            module.Song.from_bytes(DATA[:-3] + b"\x06" + DATA[-2:])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("argument", ["last(b).x", "b[count(b) - 1].x", "b[count(b) - 2].x", "first(b).x", "b[0].x"])
@pytest.mark.parametrize("dimension", ["..", "2", "until count(b) == 2", "i < 2"])
def test_elements_that_are_not_there(backend: str, argument: str, dimension: str) -> None:
    module = compile_idl(f"record R {{ B({argument}) b[{dimension}]; }} record B(u8 p) {{ u8 x; }}")
    with running(backend):
        with pytest.raises(DecodeError, match=r"b\[0\]") as caught:
            module.R.from_bytes(b"\1\2")
        assert caught.value.offset == 0
        with pytest.raises(EncodeError, match=r"b\[0\]"):
            module.R(b=[module.B(x=1), module.B(x=2)]).to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_indexes_of_their_own_name_them_too(backend: str) -> None:
    module = compile_idl(
        "record R { u8 n = count(b); B(i, count(b), i == 0 ? 0 : last(b).x, sum(b.x)) b[i < n]; }"
        "record B(u8 i, u8 n, u8 before, u8 total) { u8 x where x > before and i == n; }"
    )
    with running(backend):
        found = module.R.from_bytes(b"\3\1\2\4")
        assert [(each.before, each.total) for each in found.b] == [(0, 0), (1, 1), (2, 3)]
        assert found.to_bytes() == b"\3\1\2\4"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_computed_attribute_names_them(backend: str) -> None:
    module = compile_idl("record R { let total = sum(b.x); B(total) b[..]; } record B(u8 p) { u8 x; }")
    with running(backend):
        found = module.R.from_bytes(b"\1\2\3")
        assert [each.p for each in found.b] == [0, 1, 3]
        assert found.total == 6


@pytest.mark.parametrize("backend", BACKENDS)
def test_alternatives_of_a_variant(backend: str) -> None:
    module = compile_idl(
        "record R { Item(count(items) == 0 ? 0 : last(items).next) items[until last(items).next == 255]; }"
        "variant Item(u8 kind) on kind { 0: A { u8 next; }; 1: B { u16 v; u8 next; }; else: C { u8 next; }; }"
    )
    data = b"\1\7\0\5\xff"
    with running(backend):
        found = module.R.from_bytes(data)
        assert [each.kind for each in found.items] == ["A", "B", "C"]
        assert found.to_bytes() == data


@pytest.mark.parametrize("backend", BACKENDS)
def test_tables(module: Any, backend: str) -> None:
    with running(backend):
        assert module.positions.decode([DATA])[0].to_pydict() == {"by": [3, -2, 0]}
        assert module.notes.decode([DATA])[0].to_pydict() == {"now": [140, 140, 130, 130]}


def test_samples_and_trees(module: Any) -> None:
    found = lakecodec.samples(module.Song, 30)
    assert max(len(each.deltas) for each in found) > 2
    assert all(module.Song.from_bytes(each.to_bytes()) == each for each in found)
    tree = lakecodec.explore(DATA, module.Song)
    assert tree.find("events[1].now").value == 140
    assert tree.find("backs").type == "Back[..]"
    assert not tree.errors()


#: Codecs with arguments of their own.
CODECS = """
codec moved(i64 by) -> i64 { i32 d = value - by; } value = d + by;
codec counted(i64 n) -> bytes { u8 k = count(value) + n; bytes b[k - n] = value; } value = b;
codec mixed(i64 key) -> bytes = extern "runtime.codecs:Xor";
record Point { u8 x; u8 y; }
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dimension", ["[n]", "[i < n]", "[..]", "[until count(x) == 3]"])
@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("i64 x{} via moved(count(x) == 0 ? 0 : last(x))", [5, 7, -9]),
        ("i64 x{} via moved(sum(x))", [5, 7, -9]),
        ("i64 x{} via moved(count(x) < 2 ? 1 : x[count(x) - 2])", [5, 7, -9]),
        ("bytes x{} via counted(count(x) == 0 ? 0 : count(last(x)))", [b"a", b"bcd", b""]),
        ('bytes x{} until "!" via mixed(count(x))', [b"aa", b"b", b"cc"]),
        ("bytes x{}[2] via mixed(count(x) == 0 ? 9 : last(x)[1])", [b"aa", b"bb", b"cd"]),
    ],
)
def test_arguments_of_codecs(backend: str, dimension: str, field: str, values: list[Any]) -> None:
    if "x{}[" in field and dimension not in ("[n]", "[i < n]"):
        return
    with running(backend):
        module = compile_idl(f"{CODECS} record R {{ u8 n; {field.format(dimension)}; }}")
        for _ in range(12):
            data = module.R(n=3, x=values).to_bytes()
            found = module.R.from_bytes(data)
            assert found.x == values
            assert found.to_bytes() == data
            found.x[0] = values[1]
            assert module.R.from_bytes(found.to_bytes()).x == found.x


@pytest.mark.parametrize("backend", BACKENDS)
def test_arguments_of_codecs_of_records(backend: str) -> None:
    with running(backend):
        module = compile_idl(f"{CODECS} record R {{ u8 n; Point x[i < n] size 2 via mixed(i == 0 ? 1 : x[i - 1].y); }}")
        found = module.R.from_bytes(b"\2\0\2\1\1")
        assert [(each.x, each.y) for each in found.x] == [(1, 3), (2, 2)]
        found.x[0].y = 7
        assert found.to_bytes() == b"\2\0\6\5\5"
        assert module.R.from_bytes(b"\2\0\6\5\5") == found


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("i64 x via moved(x)", "the argument of 'x' uses the field itself"),
        ("i64 x via moved(y); u8 y", "the argument of 'x' uses 'y', which is read later"),
        ("Point x[n] size 4 via mixed(count(x))", "the argument of 'x' uses the field itself"),
        ("bytes x[n] via mixed(count(x))", "the argument of 'x' uses the field itself"),
    ],
)
def test_arguments_of_codecs_that_are_not_read_yet(field: str, message: str) -> None:
    with pytest.raises(lakecodec.IdlError, match=message):
        compile_idl(f"{CODECS} record R {{ u8 n; {field}; }}")
