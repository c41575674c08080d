"""Records that are checked when they are decoded, and read when they are asked for: as those that are read at once."""

from __future__ import annotations

import copy
import gc
import pickle
import struct
import sys
import threading
from typing import Any

import pytest

from lakecodec import DecodeError, backend, compile_idl

from .. import generated

native_only = pytest.mark.skipif(backend() != "native", reason="the pure backend reads at once")

m: Any = compile_idl("""
    namespace py unread_records
    record File : little {
      u32   version where version == 1 else "version";
      u32   n = count(items);
      Item(version) items[n];
      Names names;
      bytes data[..];
    }
    record Item(u32 version) : little {
      u32   number;
      u32   size = count(data);
      bytes data[size] where number < 1000 else "too large a number";
      f64   weights[version];
      Point at;
    }
    record Point : little, size(8) { i32 x; i32 y; }
    record Names : little { u8 n = count(names); Name names[n]; }
    record Name : little { u8 n = count(name); utf8 name[n]; bool8 known; }
    record Tree : little { u8 kind = tag(node); Node(kind) node; }
    variant Node(u8 kind) on kind : little {
      0: LEAF { u8 v; bytes rest[2]; };
      1: BRANCH { u8 n = count(below); Tree below[n]; bytes rest[2]; };
    }
    record Measured : big {
      u8    n;
      u16   numbers[n] where ascending(numbers) else "numbers do not ascend";
      i8    signed[n] where sum(signed) < 10 and max(numbers) > 3 else "too much";
      u64   wide[n] where ascending(wide) else "wide";
      Point points[i < n] if i == 0 or not present(points[i - 1]) or points[i - 1].x != 7 size 8;
      Point first;
      u8    last if first.y == 1;
    }
""")


def file(count: int = 5) -> Any:
    return m.File(
        version=1,
        items=[m.Item(number=n, data=bytes([n]) * n, weights=[n / 2], at=m.Point(x=n, y=-n)) for n in range(count)],
        names=m.Names(names=[m.Name(name=f"n\xe4me {n}", known=True) for n in range(count)]),
        data=b"rest",
    )


DATA = file().to_bytes()


def is_waiting(record: Any) -> bool:
    """None of its slots has a value."""
    return all(isinstance(each, type) for each in gc.get_referents(record))


@native_only
def test_fields_are_read_when_they_are_asked_for() -> None:
    found = m.File.from_bytes(DATA)
    assert is_waiting(found)
    assert found.version == 1
    assert not is_waiting(found)
    assert all(map(is_waiting, found.items))
    assert found.items[3].at == m.Point(x=3, y=-3)
    assert [is_waiting(each) for each in found.items] == [True, True, True, False, True]
    assert found.items[3] is found.items[3]
    assert found.items[3].data is found.items[3].data


def test_they_are_what_was_encoded() -> None:
    found = m.File.from_bytes(DATA)
    assert found == file()
    assert m.File.from_bytes(DATA) == m.File.from_bytes(DATA)
    assert repr(m.File.from_bytes(DATA)) == repr(file())
    assert m.File.from_bytes(DATA).to_dict() == file().to_dict()
    assert [each.version for each in m.File.from_bytes(DATA).items] == [1] * 5
    assert m.File.from_bytes(DATA).to_bytes() == DATA


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies(copied: Any) -> None:
    found = m.File.from_bytes(DATA)
    other = copied(found)
    assert other == file()
    assert other.to_bytes() == DATA
    item = copied(m.File.from_bytes(DATA).items[2])
    item.data = b"other"
    assert item.to_bytes() != file().items[2].to_bytes(1)
    assert m.File.from_bytes(DATA).items[2].data == b"\2\2"


def test_what_is_set_stays() -> None:
    found = m.File.from_bytes(DATA)
    found.data = b""
    found.items[1].number = 17
    found.items[1].at.x = 5
    assert found.data == b""
    assert found.items[1].number == 17
    assert (found.items[1].data, found.items[1].at) == (b"\1", m.Point(x=5, y=-1))
    expected = file()
    expected.data, expected.items[1].number, expected.items[1].at.x = b"", 17, 5
    assert found.to_bytes() == expected.to_bytes()
    found.items.pop()
    assert len(m.File.from_bytes(found.to_bytes()).items) == 4


def test_parameters_are_those_of_reading() -> None:
    item = m.File.from_bytes(DATA).items[4]
    with pytest.raises(AttributeError, match="version of Item is a parameter"):
        item.version = 0
    assert item.weights == [2.0]
    assert item.version == m.File.from_bytes(DATA).items[4].version != 0


@pytest.mark.parametrize("place", range(len(DATA)))
def test_broken_bytes_are_found_at_once(place: int) -> None:
    """Whatever is decoded can be visited to its end; both backends refuse the same."""
    for change in (1, 128, 255):
        data = DATA[:place] + bytes([DATA[place] ^ change]) + DATA[place + 1 :]
        try:
            found = m.File.from_bytes(data)
        except DecodeError:
            with pytest.raises(DecodeError):
                generated.read(m.File, data)
        else:
            assert repr(found) == repr(generated.read(m.File, data)[0])
    with pytest.raises(DecodeError):
        m.File.from_bytes(DATA[: min(place, len(DATA) - 5)])


@pytest.mark.parametrize("numbers", [[1, 2, 5], [5, 4, 9], [4, 4, 4], [1, 2, 3], []])
@pytest.mark.parametrize("wide", [[1, 2, 3], [1, 2**63, 2**64 - 1], [2**64 - 1, 1, 2]])
@pytest.mark.parametrize("x", [[1, 2, 3], [7, 8, 9], [1, 7, 3]])
def test_what_is_measured_without_objects(numbers: list[int], wide: list[int], x: list[int]) -> None:
    """Numbers in lists, elements before, fields of records: both backends accept and refuse the same."""
    n = len(numbers)
    for signed, y in (([-1, -128, 100], 1), ([5, 5, 5], 0), ([1, 2, 3], 1)):
        there = [k for k in range(n) if k == 0 or x[k - 1] != 7 or (k > 1 and x[k - 2] == 7)]
        data = bytes([n]) + struct.pack(f">{n}H{n}b{n}Q", *numbers, *signed[:n], *wide[:n])
        data += b"".join(struct.pack("<ii", x[k], 0) for k in there) + struct.pack("<ii", 0, y) + b"\4" * (y == 1)
        try:
            wanted = generated.read(m.Measured, data)[0]
        except DecodeError:
            with pytest.raises(DecodeError):
                m.Measured.from_bytes(data)
        else:
            assert repr(m.Measured.from_bytes(data)) == repr(wanted)
            assert m.Measured.from_bytes(data).points == wanted.points


def span(data: bytes) -> Any:
    from lakecodec.runtime.records.reader import Reader

    return Reader(data)


@native_only
def test_records_that_hold_themselves_wait_at_each_level() -> None:
    tree = m.Tree(node=m.Node.LEAF(v=7, rest=b"ab"))
    for _ in range(60):
        tree = m.Tree(node=m.Node.BRANCH(below=[tree], rest=b"ab"))
    found = m.Tree.from_bytes(tree.to_bytes())
    assert is_waiting(found.node)
    assert found.node.kind == "BRANCH"
    assert len(found.node.below) == 1
    assert is_waiting(found.node.below[0].node)
    assert found == tree


@native_only
def test_few_of_many_bytes_are_copied() -> None:
    item = file().items[4].to_bytes(1)
    data = bytes(10) + item + bytes(1000)
    before = sys.getrefcount(data)
    found, end = m.Item.read(data, 10, 1)
    assert (is_waiting(found), end) == (True, 10 + len(item))
    assert sys.getrefcount(data) == before
    del data
    assert (found.number, found.data, found.at.y) == (4, b"\4" * 4, -4)


@native_only
def test_bytes_are_kept_as_long_as_they_are_needed() -> None:
    data = DATA[:-1] + b"!"
    before = sys.getrefcount(data)
    found = m.File.from_bytes(data)
    assert sys.getrefcount(data) == before + 1
    items = found.items
    del found
    assert items[1].number == 1
    assert sys.getrefcount(data) == before + 1
    del items
    assert sys.getrefcount(data) == before


@native_only
def test_what_can_change_is_read_at_once() -> None:
    data = bytearray(DATA)
    found = m.File.from_bytes(data)
    data[:] = bytes(len(data))
    assert found == file()


@native_only
def test_nothing_leaks() -> None:
    def visit() -> None:
        found = m.File.from_bytes(DATA)
        assert found.items[2].data
        found.names.names[1].name = "x"
        repr(found.items[1])
        m.File.from_bytes(DATA)

    for _ in range(10):
        visit()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(200):
        visit()
    gc.collect()
    assert sys.getallocatedblocks() - before < 50


def test_threads_ask_at_the_same_time() -> None:
    found = m.File.from_bytes(file(200).to_bytes())
    seen: list[Any] = []
    threads = [threading.Thread(target=lambda: seen.append([each.data for each in found.items])) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all(each == seen[0] for each in seen)
    assert len({id(each[100]) for each in seen}) == 1
