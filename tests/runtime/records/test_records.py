"""Records: every clause both ways, errors with their place, located fields that read no more than they must."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.generated import parquet, parquet_file
from lakecodec.runtime.errors import DecodeError, EncodeError

from ...parquet.files import ARROW_FILES, footer_of
from ..compact.backends import load, outcomes
from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

e = load(Path(__file__).with_name("envelope.idl"))
FILE = ARROW_FILES["nested page index"]()

NUMBERS = {
    "a": st.integers(0, 2**8 - 1), "b": st.integers(-(2**7), 2**7 - 1), "c": st.integers(0, 2**16 - 1),
    "d": st.integers(-(2**15), 2**15 - 1), "e": st.integers(0, 2**32 - 1), "f": st.integers(-(2**31), 2**31 - 1),
    "g": st.integers(0, 2**64 - 1), "h": st.integers(-(2**63), 2**63 - 1), "i": st.floats(width=32, allow_nan=False),
    "j": st.floats(allow_nan=False), "k": st.booleans(),
}  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(values=st.fixed_dictionaries(NUMBERS))
def test_fixed_numbers(values: dict[str, Any]) -> None:
    """As the struct module packs them."""
    data = e.Numbers(**values).to_bytes()
    assert data == struct.pack("<BbHhIiQqfd?", *(values[name] for name in NUMBERS))
    assert e.Numbers.from_bytes(data) == e.Numbers(**values)
    wide = {name: values[name] for name in "cdefghij"}
    data = e.BigNumbers(**wide).to_bytes()
    assert data == struct.pack(">HhIiQqfd", *wide.values())
    assert e.BigNumbers.from_bytes(data) == e.BigNumbers(**wide)


@settings(max_examples=50, deadline=None)
@given(b=NUMBERS["e"], c=NUMBERS["g"], d=NUMBERS["f"], f=NUMBERS["h"])
def test_varints(b: int, c: int, d: int, f: int) -> None:
    value = e.Varints(b=b, c=c, d=d, e=f)
    assert e.Varints.from_bytes(value.to_bytes()) == value
    # The compact protocol writes a signed number in the same way.
    assert e.Varints(b=0, c=0, d=d, e=f).to_bytes()[2:] == _zigzag(d) + _zigzag(f)


def _zigzag(number: int) -> bytes:
    return parquet.PageLocation(offset=number, compressed_page_size=0, first_row_index=0).to_bytes()[1:-5]


def test_varints_that_do_not_fit() -> None:
    for data in (b"\x80\x80\x80\x80\x10", b"\x00" + b"\xff" * 9 + b"\x02", b"\xff" * 50):
        with pytest.raises(DecodeError, match="longer than"):
            e.Varints.from_bytes(data)
    for wrong in ({"b": 2**32}, {"b": -1}, {"c": 2**64}, {"d": 2**31}, {"e": -(2**63) - 1}, {"b": True}, {"b": "1"}):
        values = dict.fromkeys("bcde", 0) | wrong
        with pytest.raises(EncodeError) as caught:
            e.Varints(**values).to_bytes()
        assert caught.value.path == next(iter(wrong))


def counted(**changes: Any) -> Any:
    values = {"name": "né", "points": [e.Point(x=1, y=2), e.Point(x=-1, y=0)], "flags": 1, "rest": b"rest"}
    return e.Counted(**(values | changes))


def test_derived_fields() -> None:
    data = counted().to_bytes()
    assert data == b"ENV1" + b"\x03\0" + "né".encode() + b"\x02" + b"\x02\x04\x01\0" + b"\x01" + b"rest"
    found = e.Counted.from_bytes(data)
    assert found == counted()
    assert (found.magic, found.name_size, found.points_count, found.extra) == (b"ENV1", 3, 2, None)
    assert repr(found) == repr(counted(extra=None))
    assert e.Counted.read(b"...." + data, 4) == (found, 4 + len(data))
    assert e.Counted.skip(data) == len(data)


def test_conditional_fields() -> None:
    data = counted(flags=5, extra=258).to_bytes()
    assert data.endswith(b"\x05\x02\x01\0\0rest")
    assert e.Counted.from_bytes(data).extra == 258
    for wrong in ({"flags": 5}, {"flags": 1, "extra": 3}):
        with pytest.raises(EncodeError) as caught:
            counted(**wrong).to_bytes()
        assert caught.value.path == "extra"


@pytest.mark.parametrize(
    ("data", "rule", "path", "offset"),
    [
        (b"ENV2\0\0", "no envelope", "magic", 0),
        (b"ENV1\0", "unexpected end: 2 bytes needed, 1 left", "name_size", 4),
        (b"ENV", "unexpected end: 4 bytes needed, 3 left", "magic", 0),
        (b"ENV1\x05\0ab", "unexpected end: 5 bytes needed, 2 left", "name", 6),
        (b"ENV1\x01\0\xff", "the text is not valid UTF-8", "name", 6),
        (b"ENV1\0\0\x09\0\0", "9 elements do not fit the 2 bytes left", "points", 7),
        (b"ENV1\0\0\xff\xff\xff\xff\x0f\0", "4294967295 elements do not fit the 1 bytes left", "points", 11),
        (b"ENV1\0\0\x01\x04\x02", "y >= x does not hold", "points[0].y", 8),
        (b"ENV1\0\0\0\x08", "only three flags", "flags", 7),
        (b"ENV1\0\0\0\x07\0", "unexpected end: 4 bytes needed, 1 left", "extra", 8),
    ],
)
def test_bad_bytes(data: bytes, rule: str, path: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        e.Counted.from_bytes(data)
    error = caught.value
    assert (error.rule, error.path, error.offset, error.format) == (rule, path, offset, "envelope.Counted")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"name": 5}, "name"), ({"name": None}, "name"), ({"points": None}, "points"), ({"flags": 8}, "flags"),
        ({"flags": 256}, "flags"), ({"flags": "1"}, "flags"), ({"rest": "text"}, "rest"), ({"rest": None}, "rest"),
        ({"name": "\ud800"}, "name"), ({"name": "x" * 65536}, "name_size"), ({"points": [5]}, "points[0]"),
        ({"points": [e.Point(x=2, y=1)]}, "points[0].y"), ({"points": [e.Point(x=0, y=2**31)]}, "points[0].y"),
    ],
)  # fmt: skip
def test_bad_values(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(EncodeError) as caught:
        counted(**changes).to_bytes()
    assert caught.value.path == path
    assert caught.value.format == "envelope.Counted"


def test_parts_of_known_size() -> None:
    value = e.Framed(inside=e.Inside(number=1, text="t"), items=[1, 300], last=e.Inside(number=2))
    data = value.to_bytes()
    assert data == bytes.fromhex("06 15 02 18 01 74 00  03 01 ac 02  15 04 00")
    found = e.Framed.from_bytes(data)
    assert found == value
    assert (found.inside_size, found.items_size) == (6, 3)
    with pytest.raises(DecodeError) as caught:
        e.Framed.from_bytes(b"\x03" + data[1:])
    assert caught.value.path.startswith("inside")
    assert caught.value.offset == 4
    with pytest.raises(DecodeError) as cut:
        e.Framed.from_bytes(data[:-1])
    assert (cut.value.path, cut.value.offset) == ("last", 13)


def test_parameters() -> None:
    found = e.Blocks.from_bytes(b"\x02\x07\x08")
    assert found.first.values == [7, 8]
    assert e.Block.from_bytes(b"\x01\x02\x03", 3).values == [1, 2, 3]
    with pytest.raises(DecodeError, match="left over"):
        e.Block.from_bytes(b"\x01\x02\x03", 2)
    assert e.Block.read(b"\x01\x02\x03", 1, 2)[0].values == [2, 3]


def test_positions() -> None:
    with pytest.raises(ValueError, match="pos"):
        e.Point.read(b"ab", 3)
    with pytest.raises(DecodeError, match="left over") as caught:
        e.Point.from_bytes(b"\x02\x04\x06")
    assert caught.value.offset == 2
    assert e.Point.from_bytes(b"\x02\x04\x06", allow_trailing=True) == e.Point(x=1, y=2)
    assert e.Point.from_bytes(memoryview(bytearray(b"\x02\x04"))) == e.Point(x=1, y=2)


class CountingSource:
    """Bytes that remember which of them were read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)
        self.reads: list[tuple[int, int]] = []

    def read(self, offset: int, length: int) -> bytes:
        self.reads.append((offset, length))
        return self._data[offset : offset + length]


def whole(note: bytes = b"note") -> bytes:
    inside = e.Inside(number=9, text="x").to_bytes()
    return b"ENV1" + note + inside + e.Trailer(start=4 + len(note), length=len(inside)).to_bytes()


def test_located_fields_are_read_when_needed() -> None:
    data = whole()
    source = CountingSource(data)
    found = e.Whole.open(source)
    assert source.reads == []
    assert found.inside == e.Inside(number=9, text="x")
    assert source.reads == [(len(data) - 8, 8), (8, 6)]
    assert found.inside is found.inside
    assert found.note == "note"
    assert found.span("note") == (4, 4)
    assert source.reads == [(len(data) - 8, 8), (8, 6), (4, 4)]
    assert found.head == b"ENV1"
    assert len(source.reads) == 4
    assert e.Whole.from_bytes(data) == found


def test_located_errors() -> None:
    data = whole()
    cases = [
        (b"ENV2" + data[4:], "head", 0),
        (data[:-4] + b"\0\0\0\0", "trailer.length", len(data) - 4),
        (data[:-8] + b"\xff\xff\xff\xff\x01\0\0\0", "inside", None),
        (data[:-4] + b"\xff\xff\xff\xff", "inside", None),
        (data[:-8] + b"\0\0\0\0" + data[-4:], None, None),
        (whole(b"n\xff"), "note", 4),
        (b"", "head", None),
        (b"ENV1", "trailer", None),
        (data[:8] + b"\x1e\xff" + data[10:], "inside", 8),
    ]
    for bad, path, offset in cases:
        with pytest.raises(DecodeError) as caught:
            e.Whole.from_bytes(bad)
        assert caught.value.format == "envelope.Whole"
        if path is not None:
            assert caught.value.path.startswith(path)
        if offset is not None:
            assert caught.value.offset == offset


def test_parquet_tail_and_footer() -> None:
    footer = footer_of(FILE)
    tail = parquet_file.Tail.from_bytes(FILE[-8:], len(FILE))
    assert (tail.meta_size, tail.magic) == (len(footer), b"PAR1")
    assert tail.to_bytes(len(FILE)) == FILE[-8:]
    with pytest.raises(DecodeError, match="over the size of the file"):
        parquet_file.Tail.from_bytes(FILE[-8:], len(footer) + 11)
    made = parquet_file.Footer(meta=parquet.FileMetaData.from_bytes(footer)).to_bytes()
    assert made == FILE[-8 - len(footer) :]
    assert parquet_file.Footer.from_bytes(made).meta_size == len(footer)


def test_parquet_file_reads_what_it_needs() -> None:
    source = CountingSource(FILE)
    file = parquet_file.File.open(source)
    theirs = pq.read_metadata(io.BytesIO(FILE))
    assert file.meta.num_rows == theirs.num_rows
    assert source.reads == [(len(FILE) - 8, 8), (len(FILE) - 8 - file.tail.meta_size, file.tail.meta_size)]


def test_parquet_chunk() -> None:
    meta = parquet_file.File.from_bytes(FILE).meta.row_groups[0].columns[0].meta_data
    start = meta.dictionary_page_offset or meta.data_page_offset
    chunk = parquet_file.Chunk.open(CountingSource(FILE), start=start, stored=meta.total_compressed_size)
    assert chunk.pages[0].header.type == parquet.PageType.DICTIONARY_PAGE
    data_pages = [page.header.data_page_header for page in chunk.pages[1:]]
    assert sum(header.num_values for header in data_pages) == meta.num_values
    assert b"".join(page.to_bytes() for page in chunk.pages) == FILE[start : start + meta.total_compressed_size]


@pytest.mark.parametrize("length", [0, 1, 7, 8, 11, 12, 100])
def test_cut_parquet_files(length: int) -> None:
    found = outcomes(parquet_file.File.from_bytes, FILE[:length])
    assert found[0][0] == "DecodeError"
    assert found == [found[0]] * len(found)


def test_parquet_file_errors_agree() -> None:
    """A footer broken at any byte: the same error from both backends, with the place in the file."""
    start = len(FILE) - 8 - len(footer_of(FILE))
    for at in range(start, len(FILE), 89):
        bad = FILE[:at] + bytes([FILE[at] ^ 0xFF]) + FILE[at + 1 :]
        found = outcomes(parquet_file.File.from_bytes, bad)
        if found[0][0] == "DecodeError":
            assert found == [found[0]] * len(found)
            assert found[0][4] == "parquet_file.File"
