"""Instances that are read from kept bytes when they are asked: users see plain instances."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
from random import Random
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generated.parquet import ColumnChunk, FileMetaData, KeyValue, Statistics
from lakecodec.runtime.compact import base
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.limits import Limits

from .backends import BACKENDS, add, running
from .footers import broken, chunks, eager, footer
from .results import outcome

pytestmark = pytest.mark.skipif("native" not in BACKENDS, reason="what is there is read at once")

FOOTER = footer(40, 4)
#: All that layouts tell apart: flags, numbers of each width, text, unions, lists, absent fields and defaults.
LAYOUTS: Any = add(
    compile_idl(
        """
        namespace py layouts
        struct Leaf { 1: required bool flag; 2: optional string name; 3: optional binary raw }
        union Either { 1: i32 number; 2: Leaf leaf; 3: bool flag }
        struct Row {
          1: required i64 id; 2: optional i16 small; 3: optional i32 middle; 4: optional double real; 5: optional i8 tiny;
          6: optional bool flag; 7: optional string text; 8: optional binary raw; 9: optional Leaf leaf;
          10: optional Either either; 11: optional list<i32> numbers;
          12: optional list<Leaf> leaves; 13: i32 seven = 7; 14: list<string> words = ["a"];
          40: optional list<bool> flags
        }
        struct Rows { 1: required list<Row> rows; 2: optional string after }
        """
    )
)


def test_classes_are_what_they_are_without() -> None:
    metadata, expected = FileMetaData.from_bytes(FOOTER), eager(FOOTER)
    found, other = chunks(metadata), chunks(expected)
    assert all(type(chunk) is ColumnChunk for chunk in found)
    assert found == other
    assert list(map(repr, chunks(FileMetaData.from_bytes(FOOTER)))) == list(map(repr, other))
    assert not hasattr(found[5], "no_such_field")
    with pytest.raises(AttributeError, match="no_such_field"):
        _ = found[5].no_such_field  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        found[5].no_such_field = 1  # type: ignore[attr-defined]
    assert not gc.is_tracked(found[5])
    with pytest.raises(TypeError, match="unhashable"):
        hash(found[5])


def test_copies_and_pickles() -> None:
    expected = eager(FOOTER)
    for duplicate in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert duplicate(FileMetaData.from_bytes(FOOTER)) == expected
        assert duplicate(chunks(FileMetaData.from_bytes(FOOTER))[7]) == chunks(expected)[7]


def test_each_field_may_be_asked_for_first() -> None:
    expected = chunks(eager(FOOTER))[20]
    for name in ColumnChunk.__slots__:
        assert getattr(chunks(FileMetaData.from_bytes(FOOTER))[20], name) == getattr(expected, name)
    for name in type(expected.meta_data).__slots__:
        meta = chunks(FileMetaData.from_bytes(FOOTER))[20].meta_data
        assert getattr(meta, name) == getattr(expected.meta_data, name)
        assert meta == expected.meta_data


def test_what_is_set_stays() -> None:
    metadata = FileMetaData.from_bytes(FOOTER)
    found, expected = chunks(metadata), eager(FOOTER)
    for chunk in (found[30], chunks(expected)[30]):
        chunk.file_path = "elsewhere"
        assert chunk.meta_data is not None
        chunk.meta_data.num_values = 5
        chunk.meta_data.encodings.append(chunk.meta_data.encodings[0])
        chunk.meta_data.statistics = Statistics(null_count=3)
    assert metadata == expected
    assert metadata.to_bytes() == expected.to_bytes() != FOOTER
    found[31].file_path = "elsewhere"
    del found[31].file_path
    assert found[31].meta_data == chunks(expected)[31].meta_data
    _ = found[32].file_offset
    del found[32].file_offset
    with pytest.raises(AttributeError, match="file_offset"):
        _ = found[32].file_offset


def test_written_as_read() -> None:
    for visit in (lambda chunk: None, lambda chunk: chunk.meta_data.statistics.null_count, repr):
        metadata = FileMetaData.from_bytes(FOOTER)
        for chunk in chunks(metadata)[::3]:
            visit(chunk)
        assert metadata.to_bytes() == FOOTER
        metadata.key_value_metadata = [KeyValue(key="edited", value="yes")]
        expected = eager(FOOTER)
        expected.key_value_metadata = [KeyValue(key="edited", value="yes")]
        with running("pure"):
            edited = expected.to_bytes()
        assert metadata.to_bytes() == edited


def test_the_bytes_may_change_or_go() -> None:
    expected = eager(FOOTER)
    data = bytearray(FOOTER)
    metadata = FileMetaData.from_bytes(data)
    data[:] = bytes(len(data))
    del data
    assert metadata == expected
    in_between = memoryview(b"x" * 1000 + FOOTER + b"y" * 100_000)
    value, end = FileMetaData.read(in_between, 1000)
    assert end == 1000 + len(FOOTER)
    del in_between
    assert value == expected


@pytest.mark.parametrize("view", [bytes, memoryview])
@pytest.mark.parametrize(("behind", "is_kept"), [(0, True), (6, True), (8, False)])
def test_bytes_are_kept_unless_few_of_them_are_used(view: Any, behind: int, is_kept: bool) -> None:
    data = FOOTER + bytes(behind * len(FOOTER))
    before = sys.getrefcount(data)
    metadata = FileMetaData.from_bytes(view(data), allow_trailing=True)
    assert (sys.getrefcount(data) > before) is is_kept
    assert metadata.to_bytes() == FOOTER


def test_one_chunk_outlives_the_rest() -> None:
    chunk = chunks(FileMetaData.from_bytes(bytearray(FOOTER)))[13]
    gc.collect()
    assert chunk == chunks(eager(FOOTER))[13]
    meta = chunk.meta_data
    del chunk
    assert sys.getrefcount(meta) == 2


def test_limits_hold_for_all() -> None:
    whole = FileMetaData.from_bytes(FOOTER)
    needed = sum(len(group.columns) for group in whole.row_groups)
    for elements in (needed, 3 * needed, 4 * needed, 5 * needed):
        for depth in range(1, 9):
            limits = Limits(max_depth=depth, max_elements=elements)
            found = outcome(FileMetaData.from_bytes, FOOTER, limits=limits)
            with running("pure"):
                assert found == outcome(FileMetaData.from_bytes, FOOTER, limits=limits)


@pytest.mark.parametrize(
    "fields", [None, ("row_groups.columns.meta_data.statistics",), ("row_groups.columns[1,5].file_path",)]
)
def test_broken_bytes_are_found_at_once(fields: tuple[str, ...] | None) -> None:
    for seed in range(300):
        bad = broken(FOOTER, seed)
        native = outcome(FileMetaData.from_bytes, bad, fields=fields)
        with running("pure"):
            assert native == outcome(FileMetaData.from_bytes, bad, fields=fields), seed


def row(chance: Random) -> Any:
    def leaf() -> Any:
        return LAYOUTS.Leaf(flag=chance.random() < 0.5, name=chance.choice((None, "a", "bc", "é", "n" * 200)))

    def maybe(value: Any) -> Any:
        return value if chance.random() < 0.7 else None

    either = chance.choice(
        (LAYOUTS.Either.number(chance.randrange(2**31)), LAYOUTS.Either.leaf(leaf()), LAYOUTS.Either.flag(True))
    )
    return LAYOUTS.Row(
        id=chance.randrange(2 ** chance.randrange(1, 63)),
        small=maybe(chance.randrange(-(2**15), 2**15)),
        middle=maybe(chance.randrange(-(2**31), 2**31)),
        real=maybe(chance.random()),
        tiny=maybe(chance.randrange(-128, 128)),
        flag=chance.random() < 0.5,
        text=maybe("t" * chance.randrange(140)),
        raw=maybe(chance.randbytes(chance.randrange(140))),
        leaf=maybe(leaf()),
        either=maybe(either),
        numbers=maybe([chance.randrange(1000) for _ in range(chance.randrange(20))]),
        leaves=maybe([leaf() for _ in range(chance.randrange(4))]),
        seven=maybe(8),
        words=maybe(["b"]),
        flags=maybe([True, False]),
    )


@pytest.mark.parametrize("kinds", [1, 3, 60])
def test_rows_of_any_type(kinds: int) -> None:
    """Layouts that are met again, and more of them than are remembered; whole, and damaged."""
    chance = Random(kinds)
    rows = [row(chance) for _ in range(kinds)]
    value = LAYOUTS.Rows(rows=[copy.deepcopy(chance.choice(rows)) for _ in range(80)], after="é")
    for each in value.rows:
        each.id = chance.randrange(2 ** chance.randrange(1, 63))
    data = value.to_bytes()
    found = LAYOUTS.Rows.from_bytes(data)
    assert found.to_bytes() == LAYOUTS.Rows.from_bytes(data).to_bytes()
    with running("pure"):
        expected = LAYOUTS.Rows.from_bytes(data)
        again = expected.to_bytes()
    assert found == expected
    assert LAYOUTS.Rows.from_bytes(data).to_bytes() == again
    for seed in range(150):
        bad = broken(data, seed)
        native = outcome(LAYOUTS.Rows.from_bytes, bad)
        skipped = outcome(LAYOUTS.Rows.from_bytes, bad, fields=("after",))
        with running("pure"):
            assert native == outcome(LAYOUTS.Rows.from_bytes, bad), seed
            assert skipped == outcome(LAYOUTS.Rows.from_bytes, bad, fields=("after",)), seed
        if native[0] == "value":
            encoded = outcome(LAYOUTS.Rows.from_bytes(bad).to_bytes)
            with running("pure"):
                assert encoded == outcome(LAYOUTS.Rows.from_bytes(bad).to_bytes), seed


@pytest.mark.parametrize("seed", range(6))
def test_asked_and_changed_in_any_order(seed: int) -> None:
    """Some fields are read, some set, some set to None, here and in what is nested; the others are copied."""

    def visit(value: Any) -> None:
        chance = Random(seed)
        names = LAYOUTS.Row.__match_args__
        for each in value.rows:
            for name in chance.sample(names, chance.randrange(len(names))):
                _ = getattr(each, name)
            for name in chance.sample(names, chance.randrange(3)):
                setattr(each, name, getattr(source[chance.randrange(len(source))], name))
            if chance.random() < 0.3:
                each.middle = None
            if chance.random() < 0.5 and each.leaf is not None:
                each.leaf.name = chance.choice((None, "changed"))
            if chance.random() < 0.5 and each.leaves:
                each.leaves[0].flag = not each.leaves[0].flag

    chance = Random(seed)
    source = [row(chance) for _ in range(12)]
    data = LAYOUTS.Rows(rows=[chance.choice(source) for _ in range(120)]).to_bytes()
    found = LAYOUTS.Rows.from_bytes(data)
    visit(found)
    with running("pure"):
        expected = LAYOUTS.Rows.from_bytes(data)
        visit(expected)
        encoded = expected.to_bytes()
    assert found.to_bytes() == encoded
    assert found.to_bytes() == encoded
    assert found == expected
    found.rows[3].id = None
    with pytest.raises(EncodeError, match="required") as caught:
        found.to_bytes()
    assert caught.value.path == "rows[3].id"


def test_values_that_are_not_written_as_they_stood() -> None:
    """Varints and headers longer than need be, fields that nobody knows, and absent ones that have a default."""
    plain = bytes([0x16, 2, 0x85, 2, 0])
    odd = [
        bytes([0x16, 0x82, 0, 0x85, 2, 0]),
        bytes([0x06, 2, 2, 0x85, 2, 0]),
        bytes([0x16, 2, 0x85, 2, 0x35, 2, 0]),
        bytes([0x16, 2, 0x85, 2, 0x30]),
    ]
    for each in odd:
        for rows in ([each] * 40, [plain] * 20 + [each] + [plain] * 20):
            data = bytes([0x19, 0xFC, len(rows)]) + b"".join(rows) + bytes(64)[:1]
            found = outcome(LAYOUTS.Rows.from_bytes(data + bytes(0)).to_bytes)
            with running("pure"):
                assert found == outcome(LAYOUTS.Rows.from_bytes(data).to_bytes)


def test_reading_ends_with_the_last_field_that_is_wanted() -> None:
    for name in BACKENDS:
        with running(name):
            cut = FOOTER[: len(FOOTER) // 2]
            part = FileMetaData.from_bytes(cut, fields=["version", "num_rows"], allow_trailing=True)
            assert (part.version, part.num_rows, part.schema) == (2, 40, None)
            with pytest.raises(DecodeError):
                FileMetaData.from_bytes(cut, fields=["version", "num_rows"])
            with pytest.raises(DecodeError):
                FileMetaData.from_bytes(cut, fields=["created_by"], allow_trailing=True)
            assert FileMetaData.from_bytes(FOOTER, fields=["created_by"], allow_trailing=True).created_by


def test_a_choice_of_fields_is_not_written() -> None:
    part = FileMetaData.from_bytes(FOOTER, fields=["row_groups.columns.meta_data"])
    meta = part.row_groups[0].columns[9]
    assert meta.file_path is None
    with pytest.raises(EncodeError, match="required"):
        meta.to_bytes()
    assert base.projected(FileMetaData, ["version"]) is base.projected(FileMetaData, ["version"])


def test_bytes_that_are_read_and_compared_are_counted() -> None:
    from lakecodec.runtime.native import _compact

    def touched(**chosen: Any) -> tuple[int, int]:
        before = _compact.touched()
        FileMetaData.from_bytes(FOOTER, **chosen)
        by_field, compared = _compact.touched()
        return by_field - before[0], compared - before[1]

    by_field, compared = touched()
    assert by_field + compared == len(FOOTER)
    assert compared > by_field
    assert sum(touched(fields=["version"], allow_trailing=True)) < 10
