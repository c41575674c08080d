"""Frames that are not what they should be, and mutated footers: nothing but DecodeError comes out."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec import parquet
from lakecodec.generated.parquet import FileMetaData
from lakecodec.parquet.inspect import describe
from lakecodec.parquet.schema import leaves
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import Limits
from tests.parquet.files import ARROW_FILES, arrow_file, flat_table, footer_of, framed

#: Version 1, a root and one required INT32 leaf "a", no rows and no row groups.
SMALLEST = bytes.fromhex("1502 192c 4806736368656d61 150200 1502 2500 180161 00 1600 190c 00".replace(" ", ""))


def test_smallest_footer() -> None:
    meta = parquet.read_metadata(framed(SMALLEST))
    assert (meta.version, meta.num_rows, meta.row_groups) == (1, 0, [])
    assert [path for path, _ in leaves(meta.schema)] == ["a"]
    assert parquet.write_metadata(meta) == framed(SMALLEST)[4:]


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "0 bytes are less than the 12"),
        (b"PAR1", "4 bytes are less than the 12"),
        (b"PAR1PAR1PAR", "11 bytes"),
        (framed(b""), "footer is empty"),
        (b"PAR1" + b"\1" * 40, "PAR1 is expected here"),
        (b"XXXX" + framed(SMALLEST)[4:], "PAR1 is expected here"),
        (framed(SMALLEST)[:-4] + b"PARE", "footer is encrypted"),
        (b"PARE" + framed(SMALLEST)[4:], "footer is encrypted"),
        (b"PAR1" + SMALLEST + (len(SMALLEST) + 1).to_bytes(4, "little") + b"PAR1", "is over the size of the file"),
        (b"PAR1" + SMALLEST + b"\xff\xff\xff\xffPAR1", "footer length is over the size"),
        (framed(b"\0"), "required field is missing"),
    ],
)
def test_broken_frames(data: bytes, rule: str, tmp_path: Path) -> None:
    with pytest.raises(DecodeError, match=rule) as caught:
        parquet.read_metadata(data)
    assert caught.value.format == "parquet"
    path = tmp_path / "broken.parquet"
    path.write_bytes(data)
    with pytest.raises(DecodeError, match=r"broken\.parquet") as caught:
        parquet.read_metadata(path)
    assert str(path) in caught.value.path


@pytest.mark.parametrize(
    "footer",
    [
        bytes.fromhex("29fcffffffff07"),
        bytes.fromhex("29fc8080808020"),
        bytes.fromhex("68ffffffffffffffff3f"),
        b"\x15" + b"\xff" * 4000,
        b"\xfc" + b"\x1c" * 100_000,
        b"\xf9" + b"\x19" * 100_000,
        b"\x29\xfc\x80\xad\xe2\x04" + b"\0" * 10_000_000,
        bytes.fromhex("29f115"),
    ],
    ids=["count", "size", "length", "varint", "deep structs", "deep lists", "empty elements", "element type"],
)
def test_attacks(footer: bytes) -> None:
    """The attacks that a footer can make on a reader, all refused quickly."""
    with pytest.raises(DecodeError):
        parquet.read_metadata(framed(footer))


def test_offsets_count_from_the_start_of_the_file() -> None:
    data = ARROW_FILES["defaults"]()
    footer = bytearray(footer_of(data))
    start = len(data) - 8 - len(footer)
    cut = data[:start] + footer[:100] + (100).to_bytes(4, "little") + b"PAR1"
    with pytest.raises(DecodeError) as inner:
        FileMetaData.from_bytes(footer[:100])
    with pytest.raises(DecodeError) as caught:
        parquet.read_metadata(cut)
    assert inner.value.offset is not None
    assert caught.value.offset == start + inner.value.offset
    assert caught.value.path == inner.value.path
    assert caught.value.path.startswith("schema[")


def test_truncation_at_every_byte() -> None:
    table = flat_table().select(["int32", "string", "decimal"])
    footer = footer_of(arrow_file(table, write_page_index=True, store_schema=False, row_group_size=900))
    assert len(footer) > 600
    for length in range(1, len(footer)):
        with pytest.raises(DecodeError):
            parquet.read_metadata(framed(footer[:length]))


CHANGES = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6)


def mutated(data: bytes, changes: list[tuple[float, int]]) -> bytes:
    changed = bytearray(data)
    for where, value in changes:
        changed[int(where * len(changed))] = value
    return bytes(changed)


def read_everything(data: bytes) -> None:
    """Only DecodeError may come out, and ValueError where there is no such row group or column."""
    try:
        meta = parquet.read_metadata(data)
        leaves(meta.schema)
        describe(data)
        parquet.column_chunks(data)
    except DecodeError:
        return
    for column in range(4):
        for read in (lambda n: list(parquet.page_headers(data, 0, n)), lambda n: parquet.page_index(data, 0, n)):
            try:
                read(column)
            except DecodeError:
                pass
            except ValueError as error:
                if not str(error).startswith(("row_group: ", "column: ")):
                    raise


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["defaults", "nested page index", "sorting columns"]), CHANGES)
def test_mutated_footers(name: str, changes: list[tuple[float, int]]) -> None:
    read_everything(framed(mutated(footer_of(ARROW_FILES[name]()), changes)))


@settings(max_examples=300, deadline=None)
@given(CHANGES)
def test_mutated_files(changes: list[tuple[float, int]]) -> None:
    """A file that is little but page headers, indexes and footer."""
    table = pa.table({"a": range(40), "b": [str(n) for n in range(40)], "c": [None] * 40})
    options = {"data_page_size": 1, "write_batch_size": 1, "store_schema": False, "compression": "none"}
    read_everything(mutated(arrow_file(table, write_page_index=True, **options), changes))


def test_limits() -> None:
    data = ARROW_FILES["defaults"]()
    with pytest.raises(DecodeError, match="max_elements"):
        parquet.read_metadata(data, limits=Limits(max_elements=10))
    with pytest.raises(DecodeError, match="max_depth"):
        parquet.read_metadata(data, limits=Limits(max_depth=3))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda schema: schema.clear(), "no root"),
        (lambda schema: setattr(schema[0], "num_children", -1), "num_children is negative"),
        (lambda schema: setattr(schema[0], "num_children", 2), "num_children is negative or over"),
        (lambda schema: setattr(schema[0], "num_children", 0), "belong to no group"),
        (lambda schema: setattr(schema[1], "type", None) or setattr(schema[1], "num_children", 1), "ends before all"),
    ],
)
def test_broken_schema_trees(change: object, rule: str) -> None:
    meta = parquet.read_metadata(framed(SMALLEST))
    change(meta.schema)  # type: ignore[operator]
    with pytest.raises(DecodeError, match=rule):
        leaves(meta.schema)


def test_deep_schema_chain() -> None:
    """A chain of 10,000 groups is a legal tree and needs no recursion."""
    meta = parquet.read_metadata(framed(SMALLEST))
    root, leaf = meta.schema
    schema = [root, *[type(root)(name="g", num_children=1) for _ in range(10_000)], leaf]
    ((path, found),) = leaves(schema)
    assert path.count(".") == 10_000
    assert found is leaf


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"\x28\xb5\x2f\xfd" + bytes(90000), "zstd"), (bytes(90000) + b"MOSA", "Mosaic"), (b"ORC" * 9, "ORC")],
)
def test_files_of_other_formats_are_named(data: bytes, name: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(DecodeError, match=f"not a Parquet file but a {name} one"):
        parquet.read_metadata(tmp_path / "f")
    (error,) = parquet.column_chunks([tmp_path / "f"], errors="column")["error"].to_pylist()
    assert f"a {name} one" in error
