"""Numbers of records in lists as arrays: against the records themselves."""

from __future__ import annotations

import random
import struct
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lakecodec import DecodeError, compile_idl
from lakecodec.generated.mosaic import Value
from lakecodec.runtime.columns import ListScan, RecordScan
from lakecodec.runtime.columns import backend as kernels
from lakecodec.runtime.columns.scan.symbols import NotScannable

native_only = pytest.mark.skipif(kernels.offset_scans is None, reason="the pure backend has no offset scans")
IDL = """
record Head { u8 kinds; u16 most; }
record Tree(Head head, list<i32> sizes) where at_end else "bytes left" {
  uvarint32 count = count(branches);
  Branch(head, sizes, count) branches[count] where unique(branches.id) else "the same id twice";
  uvarint32 picked[3];
}
record Branch(Head head, list<i32> sizes, i32 siblings) {
  i16       id      where id != 7 or head.kinds > 3 else "no seven";
  uvarint32 num_leaves = count(leaves)  where num_leaves <= head.most else "too many leaves";
  Leaf(head, num_leaves) leaves[num_leaves]
            where unique(leaves.big) else "the same leaf twice"
            where num_leaves == 0 or leaves[num_leaves - 1].big >= 0 else "the last leaf is negative";
  uvarint32 tail  if num_leaves > 1 and count(sizes) == 2;
}
record Leaf(Head head, i32 siblings) : little {
  i64 big     where min(big, 5) * 2 <= max(head.kinds, 1) * 100 else "too big";
  u8  small   where small - 1 < siblings * 100 or big == 0 or small > 200 else "odd";
  u64 huge;
}
"""
FIELDS = {
    "ids": ("branches", "id"),
    "leaves": ("branches", "num_leaves"),
    "big": ("branches", "leaves", "big"),
    "small": ("branches", "leaves", "small"),
    "huge": ("branches", "leaves", "huge"),
}


@pytest.fixture(scope="module")
def idl(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("idl") / "tree.idl"
    path.write_text(IDL)
    return compile_idl(path)


def tree(idl: Any, rng: random.Random, parameters: tuple[Any, Any]) -> bytes:
    branches = []
    for number in rng.sample(range(-300, 300), rng.choice([0, 1, 5, 40])):
        count = rng.choice([0, 1, 2, 9])
        leaves = [
            idl.Leaf(big=big, small=rng.randrange(1, 100), huge=rng.randrange(2**63))
            for big in sorted(rng.sample(range(-(2**60), 100), count))
        ]
        for leaf in leaves[-1:]:
            leaf.big = rng.randrange(100, 120)
        tail = rng.randrange(2**32) if count > 1 and len(parameters[1]) == 2 else None
        branches.append(idl.Branch(id=number if number != 7 else 8000, leaves=leaves, tail=tail))
    record = idl.Tree(branches=branches, picked=[1, 2**32 - 1, 3])
    data: bytes = record.to_bytes(*parameters)
    return data


def numbers_of(record: Any) -> dict[str, list[int]]:
    leaves = list(chain.from_iterable(branch.leaves for branch in record.branches))
    return {
        "ids": [branch.id for branch in record.branches],
        "leaves": [branch.num_leaves for branch in record.branches],
        **{name: [getattr(leaf, name) for leaf in leaves] for name in ("big", "small", "huge")},
    }


@native_only
@pytest.mark.parametrize("seed", range(30))
def test_numbers_are_those_of_the_records(idl: Any, seed: int) -> None:
    """Of good bytes, and of bytes changed or cut, which are refused where the records are."""
    rng = random.Random(seed)
    parameters = idl.Head(kinds=4, most=50), [1] * rng.choice([2, 3])
    given = dict(zip(("head", "sizes"), parameters, strict=True))
    flat = ListScan(idl.Tree, Value, FIELDS)
    good = tree(idl, rng, parameters)
    for trial in range(100):
        data = bytearray(good)
        if trial:
            for _ in range(rng.randrange(1, 3)):
                data[rng.randrange(len(data))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
            del data[len(data) - rng.choice([0, 0, 0, 1]) :]
        found = flat.read(bytes(data), given, list)
        try:
            record = idl.Tree.from_bytes(bytes(data), *parameters)
        except DecodeError:
            assert found is None
            continue
        expected = numbers_of(record)
        if max(expected["huge"], default=0) >= 2**63 or min(expected["big"], default=0) < -(2**62):
            assert found is None  # numbers of more than 64 bits, or their doubles, are left to the records
        else:
            assert found is not None
            assert {name: numbers.tolist() for name, numbers in found.items()} == expected
            assert all(numbers.dtype == np.int64 for numbers in found.values())


@native_only
def test_parameters_that_are_no_64_bit_numbers_are_left_to_the_records(idl: Any) -> None:
    parameters = idl.Head(kinds=4, most=50), [1]
    data = tree(idl, random.Random(1), parameters)
    flat = ListScan(idl.Tree, Value, FIELDS)
    assert flat.read(data, {"head": parameters[0], "sizes": [1]}, list) is not None
    assert flat.read(data, {"head": idl.Head(kinds=2**64, most=50), "sizes": [1]}, list) is None


def test_fields_that_are_no_numbers_of_elements_have_no_scan(idl: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernels.offset_scans is None:
        assert ListScan(idl.Tree, Value, FIELDS).read(b"", {}, list) is None
        return
    parameters = {"head": idl.Head(kinds=4, most=50), "sizes": [1]}
    for path in [("count",), ("branches", "leaves"), ("branches", "tail")]:
        with pytest.raises(NotScannable):
            ListScan(idl.Tree, Value, {"x": path}).read(b"\0\0\0\0", parameters, list)


EACH = """
record Short(i64 limit, i64 other) : little, size(11) {
  u32   size      where size > 0 and size + 12 <= limit else "too large";
  bytes magic[4]  where magic == "ABCD" or magic == "ABC0" else "another magic"
                  where magic != "ABC0" else "an old one";
  i16   low;
  u8    last      where last != other else "the other";
}
"""


@native_only
@pytest.mark.parametrize("seed", range(5))
def test_numbers_of_each_are_those_of_the_record(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "short.idl"
    path.write_text(EACH)
    short = compile_idl(path).Short
    rng = random.Random(seed)
    records, limits, others = [], [], []
    for _ in range(500):
        magic = rng.choice([b"ABCD", b"ABCD", b"ABC0", b"ABCE", b"\0BCD"])
        records.append(
            struct.pack("<I4shB", rng.choice([0, 1, 90, 2**32 - 1]), magic, rng.randrange(-9, 9), rng.randrange(3))
        )
        limits.append(rng.choice([12, 13, 102, 2**40]))
        others.append(rng.randrange(4))
    data = b"?".join(records)
    starts, sizes = np.arange(500, dtype=np.int64) * 12, np.full(500, 11)
    starts[7], sizes[8], starts[9], sizes[10] = -1, 10, len(data) - 3, 12
    found = RecordScan(short, ["low", "size"]).read(data, starts, sizes, limit=np.array(limits), other=np.array(others))
    assert found is not None
    accepted, numbers = found
    for number, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
        try:
            if start < 0 or start + size > len(data):
                raise DecodeError("outside")
            record = short.from_bytes(data[start : start + size], limits[number], others[number], allow_trailing=True)
        except DecodeError:
            assert not accepted[number]
            assert numbers["low"][number] == numbers["size"][number] == 0
        else:
            assert accepted[number]
            assert (numbers["low"][number], numbers["size"][number]) == (record.low, record.size)
    assert 20 < accepted.sum() < 400


@native_only
def test_bytes_compare_with_as_many_bytes_alone(tmp_path: Path) -> None:
    path = tmp_path / "odd.idl"
    path.write_text('record Odd { bytes magic[4] where magic != "ABC" else "odd"; }\n')
    with pytest.raises(NotScannable):
        RecordScan(compile_idl(path).Odd, []).read(b"ABCD", np.zeros(1, np.int64), np.full(1, 4))
