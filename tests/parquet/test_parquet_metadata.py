"""read_metadata and write_metadata against pyarrow, on files of many kinds."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import FileMetaData, KeyValue
from lakecodec.parquet.bounds import decode_value
from lakecodec.parquet.schema import leaves
from lakecodec.runtime.errors import DecodeError, EncodeError
from tests.parquet.files import ARROW_FILES, FASTPARQUET_FILES, FILES, encrypted_file, footer_of, framed


@pytest.mark.parametrize("name", FILES)
def test_agrees_with_pyarrow(name: str) -> None:
    data = FILES[name]()
    ours, theirs = parquet.read_metadata(data), pq.read_metadata(io.BytesIO(data))
    assert len(footer_of(data)) == theirs.serialized_size
    assert (ours.num_rows, ours.created_by, len(ours.row_groups)) == (
        theirs.num_rows,
        theirs.created_by,
        theirs.num_row_groups,
    )
    pairs = {pair.key.encode(): (pair.value or "").encode() for pair in ours.key_value_metadata or ()}
    assert pairs == (theirs.metadata or {})
    columns = leaves(ours.schema)
    assert [path for path, _ in columns] == [theirs.schema.column(n).path for n in range(theirs.num_columns)]
    for number, group in enumerate(ours.row_groups):
        other = theirs.row_group(number)
        assert (group.num_rows, group.total_byte_size) == (other.num_rows, other.total_byte_size)
        assert len(group.columns) == other.num_columns
        for index, chunk in enumerate(group.columns):
            assert_same_chunk(chunk, other.column(index), columns[index][1])


def assert_same_chunk(chunk: Any, other: Any, element: Any) -> None:
    meta = chunk.meta_data
    assert ".".join(meta.path_in_schema) == other.path_in_schema
    assert meta.type.name == other.physical_type
    # pyarrow has one name for both forms of LZ4.
    assert meta.codec.name.removesuffix("_RAW") == other.compression
    assert {encoding.name for encoding in meta.encodings} == set(other.encodings)
    assert meta.num_values == other.num_values
    assert meta.data_page_offset == other.data_page_offset
    assert meta.dictionary_page_offset == other.dictionary_page_offset
    assert meta.total_compressed_size == other.total_compressed_size
    assert meta.total_uncompressed_size == other.total_uncompressed_size
    assert (chunk.offset_index_offset is not None) == other.has_offset_index
    assert (chunk.column_index_offset is not None) == other.has_column_index
    statistics = other.statistics
    if statistics is None:
        return
    mine = meta.statistics
    assert (mine.null_count is not None) == statistics.has_null_count
    assert mine.null_count == statistics.null_count
    assert mine.distinct_count == statistics.distinct_count
    if statistics.has_min_max and mine.min_value is not None:
        expected = (plain(statistics.min, element), plain(statistics.max, element))
        assert (decode_value(mine.min_value, element), decode_value(mine.max_value, element)) == expected


def plain(value: Any, element: Any) -> Any:
    """pyarrow's bound as `decode_value` gives it: nanoseconds as a number, half floats as a float."""
    if type(value).__name__ == "Timestamp":
        return value.value
    if element.logicalType is not None and element.logicalType.kind == "FLOAT16":
        return struct.unpack("<e", value)[0]
    return value


def test_decimal_bounds_of_every_width() -> None:
    """Bounds are read back as the values that were written, whichever physical type holds them."""
    data = ARROW_FILES["decimals as integers"]()
    meta, table = parquet.read_metadata(data), pq.read_table(io.BytesIO(data))
    for (path, element), chunk in zip(leaves(meta.schema), meta.row_groups[0].columns, strict=True):
        if "decimal" in path:
            values = [value for value in table[path].to_pylist() if value is not None]
            statistics = chunk.meta_data.statistics
            assert decode_value(statistics.min_value, element) == min(values)
            assert decode_value(statistics.max_value, element) == max(values)


@pytest.mark.parametrize("name", ARROW_FILES)
def test_footers_are_written_back_unchanged(name: str) -> None:
    data = ARROW_FILES[name]()
    footer = parquet.write_metadata(parquet.read_metadata(data))
    assert footer == data[-len(footer) :]
    assert len(footer) == len(footer_of(data)) + 8


@pytest.mark.parametrize("name", FASTPARQUET_FILES)
def test_fastparquet_footers(name: str) -> None:
    """Unchanged too, but for the header of empty lists, which fastparquet writes without an element type."""
    data = FASTPARQUET_FILES[name]()
    meta = parquet.read_metadata(data)
    written, original = parquet.write_metadata(meta)[:-8], footer_of(data)
    assert len(written) == len(original)
    assert {pair for pair in zip(original, written, strict=True) if pair[0] != pair[1]} <= {(0x00, 0x0C)}
    assert parquet.read_metadata(framed(written)) == meta


def test_pyarrow_reads_what_we_wrote(tmp_path: Path) -> None:
    data = ARROW_FILES["nested page index"]()
    meta = parquet.read_metadata(data)
    assert meta.key_value_metadata is not None
    meta.key_value_metadata.append(KeyValue(key="added", value="hérè"))
    meta.created_by = "someone else"
    path = tmp_path / "changed.parquet"
    path.write_bytes(data[: -8 - len(footer_of(data))] + parquet.write_metadata(meta))
    theirs = pq.read_metadata(path)
    assert theirs.metadata[b"added"] == "hérè".encode()
    assert theirs.created_by == "someone else"
    assert pq.read_table(path).equals(pq.read_table(io.BytesIO(data)))


def test_write_refuses_bad_values() -> None:
    meta = parquet.read_metadata(ARROW_FILES["defaults"]())
    meta.num_rows = 2**63
    with pytest.raises(EncodeError, match="num_rows"):
        parquet.write_metadata(meta)


def test_projection_of_fields() -> None:
    data = ARROW_FILES["page index"]()
    whole = parquet.read_metadata(data)
    part = parquet.read_metadata(data, fields=["num_rows", "row_groups.columns.meta_data.statistics"])
    assert part.num_rows == whole.num_rows
    assert part.schema is None
    for mine, group in zip(part.row_groups, whole.row_groups, strict=True):
        assert mine.num_rows is None
        assert [chunk.meta_data.statistics for chunk in mine.columns] == [
            chunk.meta_data.statistics for chunk in group.columns
        ]
        assert mine.columns[0].meta_data.num_values is None
    with pytest.raises(KeyError, match="no_such_field"):
        parquet.read_metadata(data, fields=["no_such_field"])
    with pytest.raises(TypeError, match="fields"):
        parquet.read_metadata(data, fields="num_rows")


@pytest.mark.parametrize("name", ["nested", "defaults"])
def test_what_was_read_of_some_columns_is_not_written(name: str) -> None:
    """The footer would have all columns in its schema and chunks of some."""
    data = FILES[name]()
    first = leaves(parquet.read_metadata(data).schema)[0][0]
    part = parquet.read_metadata(data, columns=[first])
    with pytest.raises(EncodeError, match=r"1 chunks for the \d+ columns of the schema") as caught:
        parquet.write_metadata(part)
    assert caught.value.path == "row_groups[0].columns"


def test_projection_of_columns() -> None:
    data = ARROW_FILES["many row groups"]()
    whole = parquet.read_metadata(data)
    paths = [path for path, _ in leaves(whole.schema)]
    part = parquet.read_metadata(data, columns=["plain", "struct.at", "map"])
    wanted = [n for n, path in enumerate(paths) if path == "plain" or path.startswith(("struct.at.", "map."))]
    assert len(wanted) == 5
    assert part.schema == whole.schema
    for mine, group in zip(part.row_groups, whole.row_groups, strict=True):
        assert mine.columns == [group.columns[n] for n in wanted]
        assert mine.num_rows == group.num_rows
    both = parquet.read_metadata(data, columns=["plain"], fields=["row_groups.columns.meta_data.num_values"])
    assert [len(group.columns) for group in both.row_groups] == [1] * len(whole.row_groups)
    assert both.row_groups[3].columns[0].meta_data.num_values == whole.row_groups[3].columns[-1].meta_data.num_values
    assert both.schema is None
    with_schema = parquet.read_metadata(data, columns=["plain"], fields=["schema", "row_groups"])
    assert with_schema.schema == whole.schema
    assert with_schema.row_groups[0].num_rows == whole.row_groups[0].num_rows
    assert with_schema.row_groups[0].columns == whole.row_groups[0].columns[-1:]
    with pytest.raises(KeyError, match="no column 'stru'"):
        parquet.read_metadata(data, columns=["stru"])


def test_views_share_the_input() -> None:
    data = ARROW_FILES["defaults"]()
    bound = parquet.read_metadata(data, views=True).row_groups[0].columns[4].meta_data.statistics.min_value
    assert isinstance(bound, memoryview)
    assert bound == parquet.read_metadata(data).row_groups[0].columns[4].meta_data.statistics.min_value


def test_many_files(tmp_path: Path) -> None:
    names = [f"part-{n:02}.parquet" for n in range(30)]
    for number, name in enumerate(names):
        pq.write_table(pa.table({"a": list(range(number))}), tmp_path / name)
    paths = [str(tmp_path / name) for name in names]
    for threads in (None, 1, 7):
        metas = parquet.read_metadatas(paths, threads=threads)
        assert [meta.num_rows for meta in metas] == list(range(30))
    assert [meta.num_rows for meta in parquet.read_metadatas(tmp_path)] == list(range(30))
    (tmp_path / names[3]).write_bytes(b"PAR1 no footer")
    with pytest.raises(DecodeError, match=r"part-03\.parquet"):
        parquet.read_metadatas(paths)
    with pytest.raises(ValueError, match="threads"):
        parquet.read_metadatas(paths, threads=0)


def test_signed_plaintext_footer() -> None:
    data = encrypted_file(plaintext_footer=True)
    meta = parquet.read_metadata(data)
    assert meta.num_rows == 3
    assert meta.encryption_algorithm is not None
    assert meta.encryption_algorithm.kind == "AES_GCM_V1"
    chunk = meta.row_groups[0].columns[1]
    assert chunk.crypto_metadata is not None
    assert chunk.crypto_metadata.kind == "ENCRYPTION_WITH_COLUMN_KEY"
    assert chunk.crypto_metadata.value.path_in_schema == ["secret"]
    signature = 28
    assert meta.to_bytes() == footer_of(data)[:-signature]


def test_encrypted_footer() -> None:
    with pytest.raises(DecodeError, match="footer is encrypted"):
        parquet.read_metadata(encrypted_file(plaintext_footer=False))


def test_import_is_light() -> None:
    """Large packages are imported where they are needed."""
    statement = "import sys, lakecodec.parquet; print(*sys.modules)"
    command = [sys.executable, "-c", statement]
    modules = set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
    assert modules.isdisjoint({"pyarrow", "numpy", "pandas", "fsspec", "rich", "lark", "jinja2"})


def test_metadata_is_a_generated_class() -> None:
    assert isinstance(parquet.read_metadata(ARROW_FILES["no rows"]()), FileMetaData)
