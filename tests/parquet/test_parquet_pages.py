"""Page headers and page indexes of files that pyarrow and fastparquet wrote."""

from __future__ import annotations

import io
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import BoundaryOrder, Encoding, PageHeader, PageType
from lakecodec.parquet.bounds import decode_value
from lakecodec.parquet.schema import leaves
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import ARROW_FILES, FILES, arrow_file, encrypted_file, footer_of, nested_table


@pytest.mark.parametrize("name", FILES)
def test_headers_cover_every_chunk(name: str) -> None:
    """Headers and bodies fill each chunk exactly, and add up to its values and its sizes."""
    data = FILES[name]()
    for group_number, group in enumerate(parquet.read_metadata(data).row_groups):
        for number, chunk in enumerate(group.columns[:40]):
            headers = list(parquet.page_headers(data, group_number, number))
            meta = chunk.meta_data
            assert meta is not None
            values = [count_of(header) for header in headers if header.type != PageType.DICTIONARY_PAGE]
            assert sum(values) == meta.num_values
            stored = sum(len(header.to_bytes()) + header.compressed_page_size for header in headers)
            whole = sum(len(header.to_bytes()) + header.uncompressed_page_size for header in headers)
            assert stored == meta.total_compressed_size
            if not name.startswith("fastparquet"):
                assert whole == meta.total_uncompressed_size
            dictionaries = [header.type == PageType.DICTIONARY_PAGE for header in headers]
            assert dictionaries == [bool(meta.dictionary_page_offset)] * (len(headers) > 0) + [False] * (
                len(headers) - 1
            )
            # pyarrow counts data pages of version 2 as DATA_PAGE.
            dictionary_pages = Counter(encoding_of(h) for h in headers if h.type == PageType.DICTIONARY_PAGE)
            data_pages = Counter(encoding_of(h) for h in headers if h.type != PageType.DICTIONARY_PAGE)
            for stats in meta.encoding_stats or ():
                pages = dictionary_pages if stats.page_type == PageType.DICTIONARY_PAGE else data_pages
                assert pages[stats.encoding] == stats.count


def count_of(header: PageHeader) -> int:
    page = header.data_page_header or header.data_page_header_v2
    assert page is not None
    return page.num_values


def encoding_of(header: PageHeader) -> Encoding | int:
    page = header.data_page_header or header.data_page_header_v2 or header.dictionary_page_header
    assert page is not None
    return page.encoding


def test_checksums_are_those_of_the_bodies() -> None:
    data = ARROW_FILES["checksums"]()
    chunk = parquet.read_metadata(data).row_groups[0].columns[4].meta_data
    assert chunk is not None
    position = chunk.dictionary_page_offset
    assert position is not None
    for header in parquet.page_headers(data, 0, "string"):
        body = position + len(header.to_bytes())
        position = body + header.compressed_page_size
        assert header.crc is not None
        assert zlib.crc32(data[body:position]) == header.crc % 2**32


def test_absent_is_compressed_stays_absent() -> None:
    """Fields with a default keep the difference between absent and the default."""
    header = next(h for h in parquet.page_headers(ARROW_FILES["data pages 2.0"](), 0, "int32") if h.data_page_header_v2)
    assert header.data_page_header_v2 is not None
    assert header.data_page_header_v2.is_compressed is not None
    header.data_page_header_v2.is_compressed = None
    again = PageHeader.from_bytes(header.to_bytes())
    assert again.data_page_header_v2 is not None
    assert again.data_page_header_v2.is_compressed is None


@pytest.mark.parametrize("name", ["page index", "nested page index", "wide"])
def test_page_index(name: str) -> None:
    """Places are those that walking the pages finds; null pages, counts and bounds fit the chunk's statistics."""
    data = ARROW_FILES[name]()
    meta = parquet.read_metadata(data)
    columns = leaves(meta.schema)
    for number, chunk in enumerate(meta.row_groups[0].columns[:40]):
        column_index, offset_index = parquet.page_index(data, 0, number)
        assert (column_index is not None) == (chunk.column_index_offset is not None)
        assert offset_index is not None
        assert chunk.meta_data is not None
        pages = [h for h in parquet.page_headers(data, 0, number) if h.type == PageType.DATA_PAGE]
        places = offset_index.page_locations
        assert [len(h.to_bytes()) + h.compressed_page_size for h in pages] == [p.compressed_page_size for p in places]
        assert places[0].offset == chunk.meta_data.data_page_offset
        for place, page in zip(places, pages, strict=True):
            assert PageHeader.read(data, place.offset)[0] == page
        if column_index is None or (statistics := chunk.meta_data.statistics) is None:
            continue
        assert column_index.null_counts is not None
        assert sum(column_index.null_counts) == statistics.null_count
        bounds = [
            bound for bound, null in zip(column_index.min_values, column_index.null_pages, strict=True) if not null
        ]
        if bounds and statistics.min_value is not None:
            element = columns[number][1]
            assert min(decode_value(b, element) for b in bounds) == decode_value(statistics.min_value, element)


def test_sorted_column_is_said_to_be_sorted() -> None:
    data = arrow_file(pa.table({"a": range(1000)}), write_page_index=True, max_rows_per_page=100)
    column_index, offset_index = parquet.page_index(data, 0, "a")
    assert column_index is not None
    assert offset_index is not None
    assert column_index.boundary_order == BoundaryOrder.ASCENDING
    assert [place.first_row_index for place in offset_index.page_locations] == list(range(0, 1000, 100))


def test_without_page_index() -> None:
    assert parquet.page_index(ARROW_FILES["defaults"](), 0, 0) == (None, None)


def test_arguments() -> None:
    data = ARROW_FILES["nested"]()
    by_path = list(parquet.page_headers(data, 0, "struct.at.x"))
    number = [path for path, _ in leaves(parquet.read_metadata(data).schema)].index("struct.at.x")
    assert by_path == list(parquet.page_headers(data, 0, number))
    for call in (parquet.page_headers, parquet.page_index):
        with pytest.raises(KeyError, match="column"):
            call(data, 0, "struct.at")
        with pytest.raises(ValueError, match="row_group"):
            call(data, 1, 0)
        with pytest.raises(ValueError, match="column"):
            call(data, 0, 99)
        with pytest.raises(ValueError, match="row_group"):
            call(data, -1, 0)
        with pytest.raises(TypeError, match="row_group"):
            call(data, "0", 0)  # type: ignore[arg-type]


def test_encrypted_columns() -> None:
    data = encrypted_file(plaintext_footer=True)
    assert [header.type for header in parquet.page_headers(data, 0, "open")] == [
        PageType.DICTIONARY_PAGE,
        PageType.DATA_PAGE,
    ]
    for call in (parquet.page_headers, parquet.page_index):
        with pytest.raises(DecodeError, match="column is encrypted"):
            call(data, 0, "secret")


def changed(name: str, change: Callable[[Any], object]) -> bytes:
    """A file whose first column chunk's metadata was changed."""
    data = ARROW_FILES[name]()
    meta = parquet.read_metadata(data)
    change(meta.row_groups[0].columns[0])
    return data[: -8 - len(footer_of(data))] + parquet.write_metadata(meta)


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("data_page_offset", -1, "page offset is negative"),
        ("dictionary_page_offset", -5, "page offset is negative"),
        ("dictionary_page_offset", 3, "outside the file's data"),
        ("total_compressed_size", -1, "outside the file's data"),
        ("total_compressed_size", 2**62, "outside the file's data"),
        ("total_compressed_size", 100, "runs past the end of its column chunk"),
    ],
)
def test_bad_places_of_pages(field: str, value: int, rule: str) -> None:
    data = changed("nested page index", lambda chunk: setattr(chunk.meta_data, field, value))
    with pytest.raises(DecodeError, match=rule) as caught:
        list(parquet.page_headers(data, 0, 0))
    assert "row_groups[0].columns[0]" in caught.value.path


def test_zero_offset_means_no_dictionary() -> None:
    """Some writers store 0 for a page that is not there."""
    data = changed("no dictionary", lambda chunk: setattr(chunk.meta_data, "dictionary_page_offset", 0))
    assert list(parquet.page_headers(data, 0, 0)) == list(parquet.page_headers(ARROW_FILES["no dictionary"](), 0, 0))


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("column_index_offset", None, "must both be present"),
        ("offset_index_length", None, "must both be present"),
        ("column_index_offset", -4, "outside the file's data"),
        ("offset_index_offset", 2**60, "outside the file's data"),
        ("column_index_length", -1, "outside the file's data"),
        ("column_index_length", 5, "ends inside a value|past the end|more elements"),
        ("offset_index_length", 3, "ends inside a value|more elements"),
    ],
)
def test_bad_places_of_indexes(field: str, value: int | None, rule: str) -> None:
    data = changed("nested page index", lambda chunk: setattr(chunk, field, value))
    with pytest.raises(DecodeError, match=rule):
        parquet.page_index(data, 0, 0)


def test_indexes_that_disagree() -> None:
    """An offset index of another column has another number of pages."""
    data = ARROW_FILES["short pages"]()
    other = parquet.read_metadata(data).row_groups[0].columns
    lengths = [len(parquet.page_index(data, 0, n)[1].page_locations) for n in range(len(other))]  # type: ignore[union-attr]
    wanted = next(n for n, length in enumerate(lengths) if length != lengths[0])

    def swap(chunk: Any) -> None:
        chunk.offset_index_offset = other[wanted].offset_index_offset
        chunk.offset_index_length = other[wanted].offset_index_length

    with pytest.raises(DecodeError, match="differ in length"):
        parquet.page_index(changed("short pages", swap), 0, 0)


def test_summary_file() -> None:
    """The chunks of a summary file are in other files."""
    collected: list[Any] = []
    table = nested_table().slice(0, 10)
    pq.write_table(table, io.BytesIO(), metadata_collector=collected)
    collected[0].set_file_path("part-0.parquet")
    sink = pa.BufferOutputStream()
    collected[0].write_metadata_file(sink)
    data = sink.getvalue().to_pybytes()
    assert parquet.read_metadata(data).row_groups[0].columns[0].file_path == "part-0.parquet"
    with pytest.raises(DecodeError, match=r"another file: part-0\.parquet"):
        parquet.page_headers(data, 0, 0)
