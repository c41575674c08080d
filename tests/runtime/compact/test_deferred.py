"""Long lists of structs, and long texts, which are made when they are asked for: users see plain lists and strings."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import compile_idl, parquet
from lakecodec.runtime.compact.backend import list_length
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import Limits

from .backends import BACKENDS, add, running

pytestmark = pytest.mark.skipif("native" not in BACKENDS, reason="what is there is read at once")

MODULE: Any = add(
    compile_idl(
        """
        namespace py deferred
        struct Item { 1: required i32 id; 2: optional string text; 3: optional list<i32> numbers }
        struct Held { 1: optional i32 first; 2: optional list<Item> items; 4: optional list<Item> others; 5: optional i32 last }
        struct Alone { 1: optional list<Item> items }
        struct Note { 1: required string text; 2: optional string other; 3: optional i32 number; 4: optional list<Item> items }
        """
    )
)
Item, Held, Alone, Note = MODULE.Item, MODULE.Held, MODULE.Alone, MODULE.Note


def items(count: int, first: int = 0) -> list[Any]:
    """Items of three layouts, and varints of each length."""
    return [
        Item(
            id=number * 17, text=f"text {number}" if number % 3 else None, numbers=[number] if number % 5 == 0 else None
        )
        for number in range(first, first + count)
    ]


def held() -> Any:
    return Held(first=1, items=items(300), others=items(40, 5000), last=9)


DATA = held().to_bytes()


def pure(cls: Any, data: bytes, **options: Any) -> Any:
    with running("pure"):
        return cls.from_bytes(data, **options)


@pytest.mark.parametrize("count", [31, 32, 33, 300, 9000])
def test_lists_are_those_that_reading_at_once_gives(count: int) -> None:
    for value in (Alone(items=items(count)), Held(items=items(count)), Held(others=items(count), last=3)):
        data = value.to_bytes()
        found = type(value).from_bytes(data)
        assert found == pure(type(value), data) == value
        assert found.to_bytes() == data == type(value).from_bytes(data).to_bytes()
        assert type(found.items or found.others) is list


def test_a_list_is_made_once_and_is_the_users() -> None:
    found = Held.from_bytes(DATA)
    assert found.items is found.items
    found.items[3].text = "changed"
    found.items.append(Item(id=5))
    del found.items[:2]
    expected = held()
    expected.items[3].text = "changed"
    expected.items = [*expected.items[2:], Item(id=5)]
    assert found == expected
    assert found.to_bytes() == expected.to_bytes()
    assert Held.from_bytes(found.to_bytes()) == expected


def test_setting_before_and_after_asking() -> None:
    found, expected = Held.from_bytes(DATA), held()
    found.items = expected.items = items(3)
    found.last = expected.last = None
    assert found.to_bytes() == expected.to_bytes()
    assert found.items == expected.items
    found = Held.from_bytes(DATA)
    assert len(found.others) == 40
    found.first = None
    expected = held()
    expected.first = None
    assert found.to_bytes() == expected.to_bytes()


def test_deleting() -> None:
    found = Held.from_bytes(DATA)
    assert found.items[0].id == 0
    del found.items
    with pytest.raises(AttributeError):
        _ = found.items
    del found.first
    with pytest.raises(AttributeError):
        _ = found.first


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies(copied: Any) -> None:
    found = copied(Held.from_bytes(DATA))
    assert found == held()
    assert found.to_bytes() == DATA


def test_instances_outlive_what_they_were_read_from() -> None:
    found = Held.from_bytes(bytearray(DATA))
    kept, last = found.items, found.others[-1]
    del found
    gc.collect()
    assert kept == held().items
    assert last == held().others[-1]


def test_lengths_without_elements() -> None:
    found = Held.from_bytes(DATA)
    before = sys.getallocatedblocks()
    assert (list_length(found, "items"), list_length(found, "others")) == (300, 40)
    assert sys.getallocatedblocks() < before + 40
    assert list_length(found, "first") is None
    found.others = None
    assert list_length(found, "others") == 0
    found.items.pop()
    assert list_length(found, "items") == 299
    with running("pure"):
        assert [list_length(held(), name) for name in ("items", "others", "first")] == [300, 40, None]
    with pytest.raises(AttributeError):
        list_length(found, "nothing")


@pytest.mark.parametrize("place", [0, 1, 40, 299])
def test_an_element_that_is_like_no_other(place: int) -> None:
    """What has no layout, being too long, is read at once, and so is what follows."""
    value = held()
    value.items[place].text = "long " * 300
    data = value.to_bytes()
    found = Held.from_bytes(data)
    assert found == value
    assert found.to_bytes() == data


def test_elements_that_are_all_different() -> None:
    value = Alone(items=[Item(id=n, text="x" * (n % 7), numbers=list(range(n % 90))) for n in range(600)])
    data = value.to_bytes()
    assert Alone.from_bytes(data) == value
    assert Alone.from_bytes(data).to_bytes() == data


def test_bytes_that_encoding_would_not_give() -> None:
    """Unknown fields, long headers, counts with too many bytes, fields that come twice, in another order."""
    body = Alone(items=items(40)).to_bytes()[3:-1]
    assert Alone(items=items(40)).to_bytes()[:3] == b"\x19\xfc\x28"
    other = Alone(items=items(33, 7)).to_bytes()[3:-1]
    for data in (
        b"\x19\xfc\x28" + body + b"\x25\x02\x00",
        b"\x09\x02\xfc\x28" + body + b"\x00",
        b"\x19\xfc\xa8\x00" + body + b"\x00",
        b"\x19\xfc\x21" + other + b"\x09\x02\xfc\x28" + body + b"\x00",
        b"\x19\xfc\x28" + body + b"\x09\x02\x0c\x00",
        b"\x19\x0c\x09\x02\xfc\x28" + body + b"\x00",
        b"\x29\xfc\x28" + body + b"\x05\x02\x06\x00",
        b"\x49\xfc\x28" + body + b"\x09\x04\xfc\x21" + other + b"\x00",
    ):
        for cls in (Alone, Held):
            found, expected = cls.from_bytes(data), pure(cls, data)
            assert found.to_bytes() == cls.from_bytes(expected.to_bytes()).to_bytes(), data[:4]
            assert found == expected, data[:4]
            assert found.to_bytes() == expected.to_bytes(), data[:4]


def test_limits() -> None:
    """The elements of lists in elements count, in whatever way they are read."""
    inside = sum(len(item.numbers or ()) for item in held().items + held().others)
    total = 340 + inside
    assert Held.from_bytes(DATA, limits=Limits(max_elements=total)) == held()
    for most in (total - 1, 340, 301, 299):
        with pytest.raises(DecodeError) as native:
            Held.from_bytes(DATA, limits=Limits(max_elements=most))
        with pytest.raises(DecodeError) as expected:
            pure(Held, DATA, limits=Limits(max_elements=most))
        assert str(native.value) == str(expected.value)


def test_damaged_lists() -> None:
    for end in range(0, len(DATA), 61):
        with pytest.raises(DecodeError) as native:
            Held.from_bytes(DATA[:end])
        with pytest.raises(DecodeError) as expected:
            pure(Held, DATA[:end])
        assert str(native.value) == str(expected.value)


def test_nothing_leaks() -> None:
    broken = DATA[:-200]
    odd = held()
    odd.items[200].text = "long " * 300
    odd_data = odd.to_bytes()
    note = Note(text="t" * 5000, items=items(40)).to_bytes()

    def use() -> None:
        Held.from_bytes(DATA)
        _ = Held.from_bytes(DATA).others
        Held.from_bytes(DATA).to_bytes()
        Held.from_bytes(odd_data)
        _ = Note.from_bytes(note).text
        Note.from_bytes(note)
        with pytest.raises(DecodeError):
            Note.from_bytes(note[:-1])
        with pytest.raises(DecodeError):
            Held.from_bytes(broken)

    for _ in range(10):
        use()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(50):
        use()
    gc.collect()
    assert sys.getallocatedblocks() < before + 200


@pytest.mark.parametrize("text", ["a" * 4095, "b" * 4096, "c" * 70_001, "é" * 3000, "\U0001f600" * 1025 + "x"])
@pytest.mark.parametrize("count", [0, 40])
def test_long_texts(text: str, count: int) -> None:
    value = Note(text=text, other=text[1:], number=5, items=items(count))
    data = value.to_bytes()
    found = Note.from_bytes(bytearray(data))
    assert list_length(found, "text") is None
    assert found.to_bytes() == data
    found.number = value.number = None
    assert found.to_bytes() == value.to_bytes()
    assert (found.text, found.other) == (text, text[1:])
    assert found == value
    assert found.to_bytes() == value.to_bytes()
    assert found.text is found.text
    del found.text
    with pytest.raises(AttributeError):
        _ = found.text
    assert pickle.loads(pickle.dumps(Note.from_bytes(data))) == pure(Note, data)


def test_long_texts_that_encoding_would_not_give_or_that_are_broken() -> None:
    text = b"t" * 5000
    fields = b"\x88\x27" + text
    for data in (
        b"\x18\x88\xa7\x00" + text + b"\x00",
        b"\x08\x02" + fields + b"\x00",
        b"\x18" + fields + b"\x08\x02\x01u\x00",
        b"\x18" + fields + b"\x08\x02" + fields.replace(b"t", b"v") + b"\x00",
        b"\x28" + fields + b"\x08\x02\x01u\x00",
    ):
        found, expected = Note.from_bytes(data), pure(Note, data)
        assert found.to_bytes() == expected.to_bytes()
        assert found == expected
    for broken in (
        b"\x18" + fields,
        b"\x18" + fields[:-1],
        b"\x28" + fields + b"\x00",
        b"\x18" + fields[:4000] + b"\xff" + fields[4001:],
    ):
        with pytest.raises(DecodeError) as native:
            Note.from_bytes(broken)
        with pytest.raises(DecodeError) as other:
            pure(Note, broken)
        assert str(native.value) == str(other.value)


def test_write_metadata_counts_chunks_that_are_not_made() -> None:
    metadata = parquet.read_metadata(b"PAR1" + parquet.write_metadata(_metadata(40)))
    assert parquet.write_metadata(metadata)[:-8] == metadata.to_bytes()
    metadata.row_groups[0].columns.pop()
    with pytest.raises(ValueError, match="39 chunks for the 40 columns"):
        parquet.write_metadata(metadata)


def _metadata(columns: int) -> Any:
    sink = io.BytesIO()
    pq.write_table(pa.table({f"c{n}": [n] for n in range(columns)}), sink)
    return parquet.read_metadata(sink.getvalue())
