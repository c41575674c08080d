"""Damaged files: surgery raises DecodeError or copies, and leaves no broken file behind."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import FileMetaData
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import ARROW_FILES, arrow_file


def first_leaf(metadata: FileMetaData) -> str:
    assert metadata.row_groups[0].columns[0].meta_data is not None
    return metadata.row_groups[0].columns[0].meta_data.path_in_schema[0]


def operations(column: str) -> dict[str, Callable[[Any, Any], object]]:
    return {
        "rename": lambda source, target: parquet.rename_columns(source, target, {column: "renamed"}),
        "select": lambda source, target: parquet.select_columns(source, target, [column]),
        "drop": lambda source, target: parquet.drop_indexes(source, target, page_indexes=False),
        "concat": lambda source, target: parquet.concat([source, source], target),
    }


SMALL = pa.table({"a": range(300), "b": [f"{n % 7}" for n in range(300)], "c": [{"d": [n]} for n in range(300)]})


def small_file() -> bytes:
    return arrow_file(SMALL, row_group_size=100, write_page_index=True, bloom_filter_options={"a": True, "b": True})


def with_footer(data: bytes, change: Callable[[FileMetaData], object]) -> bytes:
    metadata = parquet.read_metadata(data)
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    change(metadata)
    return data[:start] + parquet.write_metadata(metadata)


def check_all(data: bytes, folder: Path, wanted: type[Exception] | None = None) -> int:
    """Runs every operation on a file; returns how many raised DecodeError. What is written can be read again."""
    target = folder / "target.parquet"
    before = b"what was there"
    failed = 0
    for name, operation in operations("a").items():
        target.write_bytes(before)
        try:
            operation(data, target)
        except DecodeError:
            assert target.read_bytes() == before, name
            failed += 1
        except (KeyError, ValueError):
            # A damaged name in the schema.
            assert target.read_bytes() == before, name
        else:
            parquet.read_metadata(target)
        assert [path.name for path in folder.iterdir()] == ["target.parquet"], name
    return failed


def test_random_damage(tmp_path: Path) -> None:
    data = small_file()
    footer = int.from_bytes(data[-8:-4], "little")
    numbers = random.Random(18)
    failed = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(numbers.choice([1, 1, 1, 3])):
            place = len(data) - 8 - numbers.randrange(1, footer + 600)
            damaged[place] = numbers.choice([0, 1, 0x7F, 0x80, 0xFF, damaged[place] ^ (1 << numbers.randrange(8))])
        failed += check_all(bytes(damaged), tmp_path) > 0
    assert failed > 40


def test_cut_files(tmp_path: Path) -> None:
    data = small_file()
    for length in range(0, len(data), 397):
        assert check_all(data[:length], tmp_path) == 4


@pytest.mark.parametrize("value", [-1, 0, 3, 5, 2**31, 2**62, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize(
    "name",
    [
        "data_page_offset",
        "dictionary_page_offset",
        "index_page_offset",
        "total_compressed_size",
        "total_uncompressed_size",
        "bloom_filter_offset",
        "bloom_filter_length",
        "column_index_offset",
        "column_index_length",
        "offset_index_offset",
        "offset_index_length",
    ],
)
def test_wrong_offsets_and_sizes(name: str, value: int, tmp_path: Path) -> None:
    if name.endswith("_length") and not -(2**31) <= value < 2**31:
        return

    def change(metadata: FileMetaData) -> None:
        chunk = metadata.row_groups[1].columns[0]
        setattr(chunk if hasattr(chunk, name) else chunk.meta_data, name, value)

    check_all(with_footer(small_file(), change), tmp_path)


def test_ranges_that_overlap_do_not_multiply() -> None:
    data = arrow_file(pa.table({f"c{n}": range(1000) for n in range(50)}), compression="none", use_dictionary=False)

    def change(metadata: FileMetaData) -> None:
        (group,) = metadata.row_groups
        for chunk in group.columns:
            assert chunk.meta_data is not None
            chunk.meta_data.data_page_offset = 4
            chunk.meta_data.total_compressed_size = len(data) // 2

    with pytest.raises(DecodeError, match="pages: its bytes belong to another part"):
        parquet.concat([with_footer(data, change)], io.BytesIO())


def test_too_many_rows_for_one_footer() -> None:
    def change(metadata: FileMetaData) -> None:
        for group in metadata.row_groups:
            group.num_rows = 2**62

    with pytest.raises(DecodeError, match="too many rows"):
        parquet.concat([with_footer(small_file(), change)], io.BytesIO())


def test_chunks_in_other_files_and_missing_chunks() -> None:
    def elsewhere(metadata: FileMetaData) -> None:
        metadata.row_groups[1].columns[0].file_path = "other.parquet"

    data = with_footer(small_file(), elsewhere)
    for operation in operations("a").values():
        with pytest.raises(DecodeError, match="data is in another file"):
            operation(data, io.BytesIO())

    metadata = parquet.read_metadata(small_file())
    del metadata.row_groups[0].columns[-1]
    encoded = metadata.to_bytes()
    data = b"PAR1" + encoded + len(encoded).to_bytes(4, "little") + b"PAR1"
    for operation in operations("a").values():
        with pytest.raises(DecodeError, match="2 chunks for the 3 columns"):
            operation(data, io.BytesIO())


def test_bloom_filters_of_unknown_length() -> None:
    """Older writers do not say how long a filter is."""
    data = small_file()

    def change(metadata: FileMetaData) -> None:
        for group in metadata.row_groups:
            for chunk in group.columns:
                assert chunk.meta_data is not None
                chunk.meta_data.bloom_filter_length = None

    sink = io.BytesIO()
    parquet.concat([with_footer(data, change)], sink)
    for group in range(3):
        old, new = (parquet.bloom_filter(file, group, "b") for file in (data, sink))
        assert old is not None
        assert new is not None
        assert all(new.might_contain(value) == old.might_contain(value) for value in map(str, range(100)))


def old_file(created_by: str = "parquet-mr version 1.2.8 (build abc)") -> bytes:
    """A file as parquet-mr before 1.2.9 wrote it: sizes of column chunks lack the dictionary page's header."""
    data = ARROW_FILES["no Arrow schema"]()

    def change(metadata: FileMetaData) -> None:
        metadata.created_by = created_by
        for column, chunk in enumerate(metadata.row_groups[0].columns):
            meta = chunk.meta_data
            assert meta is not None
            if meta.dictionary_page_offset is None:
                continue
            header = next(iter(parquet.page_headers(data, 0, column)))
            size = meta.data_page_offset - meta.dictionary_page_offset - header.compressed_page_size
            meta.total_compressed_size -= size
            meta.total_uncompressed_size -= size

    return with_footer(data, change)


@pytest.mark.parametrize("created_by", ["parquet-mr version 1.2.8 (build abc)", "parquet-mr"])
def test_sizes_without_the_header_of_the_dictionary(created_by: str) -> None:
    old, whole = old_file(created_by), ARROW_FILES["no Arrow schema"]()
    table = pq.read_table(io.BytesIO(whole))
    assert pq.read_table(io.BytesIO(old)) == table
    names = table.column_names
    for column in range(len(names)):
        assert list(parquet.page_headers(old, 0, column)) == list(parquet.page_headers(whole, 0, column))
    sink = io.BytesIO()
    parquet.select_columns(old, sink, names[::-2])
    assert pq.read_table(sink) == table.select([name for name in names if name in names[::-2]])
    other = io.BytesIO()
    parquet.concat([sink, sink], other)
    found = parquet.read_metadata(other).row_groups[1].columns
    sizes = {
        chunk.meta_data.path_in_schema[0]: chunk.meta_data.total_compressed_size for chunk in found if chunk.meta_data
    }
    for chunk in parquet.read_metadata(whole).row_groups[0].columns:
        assert chunk.meta_data is not None
        name = chunk.meta_data.path_in_schema[0]
        assert sizes.get(name, chunk.meta_data.total_compressed_size) == chunk.meta_data.total_compressed_size


def test_sizes_of_newer_writers_are_taken_at_their_word() -> None:
    data = old_file("parquet-mr version 1.2.9 (build abc)")
    with pytest.raises(DecodeError, match=r"runs past the end of its column chunk|the data ends inside"):
        list(parquet.page_headers(data, 0, "string"))
