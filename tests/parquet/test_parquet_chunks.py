"""column_chunks against a walk over pyarrow's metadata objects, and what it does with broken files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.parquet.chunk_table import COLUMNS
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import FILES, arrow_file, encrypted_file, flat_table, footer_of

#: The table's columns as api documents them.
NAMES = [
    "file", "row_group", "column", "path", "physical_type", "codec", "encodings", "num_values", "null_count",
    "distinct_count", "data_page_offset", "dictionary_page_offset", "total_compressed_size", "total_uncompressed_size",
    "min", "max", "bloom_filter_offset", "num_rows",
]  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_same_as_objects(name: str) -> None:
    data = FILES[name]()
    rows = parquet.column_chunks(data).to_pylist()
    assert rows == list(walk_objects(data))


def walk_objects(data: bytes) -> Any:
    for group_number, group in enumerate(parquet.read_metadata(data).row_groups):
        for number, chunk in enumerate(group.columns):
            meta: Any = chunk.meta_data
            statistics = meta.statistics
            yield {
                "file": None,
                "row_group": group_number,
                "column": number,
                "path": ".".join(meta.path_in_schema),
                "physical_type": meta.type.name,
                "codec": meta.codec.name,
                "encodings": [encoding.name for encoding in meta.encodings],
                "num_values": meta.num_values,
                "null_count": statistics and statistics.null_count,
                "distinct_count": statistics and statistics.distinct_count,
                "data_page_offset": meta.data_page_offset,
                "dictionary_page_offset": meta.dictionary_page_offset,
                "total_compressed_size": meta.total_compressed_size,
                "total_uncompressed_size": meta.total_uncompressed_size,
                "min": statistics and statistics.min_value,
                "max": statistics and statistics.max_value,
                "bloom_filter_offset": meta.bloom_filter_offset,
                "num_rows": group.num_rows,
            }


@pytest.mark.parametrize("name", FILES)
def test_same_as_pyarrow(name: str) -> None:
    data = FILES[name]()
    theirs = pq.read_metadata(io.BytesIO(data))
    rows = iter(parquet.column_chunks(data).to_pylist())
    for group_number in range(theirs.num_row_groups):
        group = theirs.row_group(group_number)
        for number in range(group.num_columns):
            chunk, row = group.column(number), next(rows)
            assert (row["row_group"], row["column"], row["num_rows"]) == (group_number, number, group.num_rows)
            assert (row["path"], row["physical_type"]) == (chunk.path_in_schema, chunk.physical_type)
            for field in (
                "num_values",
                "data_page_offset",
                "dictionary_page_offset",
                "total_compressed_size",
                "total_uncompressed_size",
                "bloom_filter_offset",
            ):
                assert row[field] == getattr(chunk, field)
            assert row["null_count"] == (chunk.statistics and chunk.statistics.null_count)
    assert next(rows, None) is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(5):
        table = flat_table().slice(0, 100 * (number + 1)).select(["int32", "string"])
        (tmp_path / f"part-{number}.parquet").write_bytes(arrow_file(table, row_group_size=150))
    return tmp_path


def test_columns_of_the_table(folder: Path) -> None:
    table = parquet.column_chunks(folder)
    assert table.column_names == NAMES == list(COLUMNS)
    assert table.schema.field("min").type == pa.binary()
    assert table.schema.field("path").type == pa.string()
    assert table.schema.field("encodings").type == pa.list_(pa.string())
    few = parquet.column_chunks(folder, fields=["num_rows", "file", "path"])
    assert few.equals(table.select(["num_rows", "file", "path"]))
    with pytest.raises(KeyError, match="colour"):
        parquet.column_chunks(folder, fields=["colour"])
    with pytest.raises(ValueError, match="twice"):
        parquet.column_chunks(folder, fields=["path", "path"])
    with pytest.raises(TypeError, match="fields"):
        parquet.column_chunks(folder, fields="path")


def test_files_in_order(folder: Path) -> None:
    paths = [str(folder / f"part-{number}.parquet") for number in (3, 0, 4)]
    for threads in (None, 1, 3):
        table = parquet.column_chunks(paths, threads=threads)
        assert list(dict.fromkeys(table["file"].to_pylist())) == paths
        assert table.num_rows == 2 * (3 + 1 + 4)
    one = parquet.column_chunks(Path(paths[1]))
    assert one["file"].to_pylist() == [paths[1]] * 2


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_more_files_than_a_batch(folder: Path, threads: int | None) -> None:
    paths = [str(folder / f"part-{number % 5}.parquet") for number in range(1100)]
    table = parquet.column_chunks(paths, threads=threads)
    assert table.combine_chunks().equals(pa.concat_tables([parquet.column_chunks(paths[:5])] * 220).combine_chunks())


def test_choice_of_columns(folder: Path) -> None:
    whole = parquet.column_chunks(folder)
    part = parquet.column_chunks(folder, columns=["string"])
    assert part.to_pylist() == [row for row in whole.to_pylist() if row["path"] == "string"]
    assert parquet.column_chunks(folder, columns=["string"], fields=["column"])["column"].to_pylist() == [1] * 12
    other = arrow_file(pa.table({"extra": [1]}))
    both = parquet.column_chunks([folder, other], columns=["extra", "int32"])
    assert both["path"].to_pylist()[-2:] == ["int32", "extra"]
    with pytest.raises(KeyError, match="no_such"):
        parquet.column_chunks(folder, columns=["string", "no_such"])
    with pytest.raises(TypeError, match="columns"):
        parquet.column_chunks(folder, columns="string")


def test_no_files(tmp_path: Path) -> None:
    empty = parquet.column_chunks([])
    assert (empty.num_rows, empty.column_names) == (0, NAMES)
    assert empty.schema == parquet.column_chunks(arrow_file(pa.table({"a": [1]}))).schema
    assert parquet.column_chunks(tmp_path, fields=["path"], errors="column").column_names == ["path", "error"]


def test_broken_files(folder: Path) -> None:
    """Each broken file is an error, or a row in its place; its own chunks are left out whole."""
    good = (folder / "part-4.parquet").read_bytes()
    footer = bytearray(footer_of(good))
    footer[-60:] = b"\xff" * 60
    (folder / "part-1.parquet").write_bytes(b"not Parquet at all")
    (folder / "part-2.parquet").write_bytes(good[: -8 - len(footer)] + footer + good[-8:])
    (folder / "part-3.parquet").write_bytes(encrypted_file(plaintext_footer=False))
    missing = str(folder / "missing.parquet")
    with pytest.raises(DecodeError, match=r"part-1\.parquet"):
        parquet.column_chunks(folder)
    with pytest.raises(FileNotFoundError):
        parquet.column_chunks([missing])
    table = parquet.column_chunks([folder, missing], errors="column")
    assert table.column_names == [*NAMES, "error"]
    assert table.schema.field("error").type == pa.string()
    broken = {Path(row["file"]).name: row for row in table.to_pylist() if row["error"] is not None}
    assert list(broken) == ["part-1.parquet", "part-2.parquet", "part-3.parquet", "missing.parquet"]
    assert "PAR1 is expected" in broken["part-1.parquet"]["error"]
    assert "part-2.parquet" in broken["part-2.parquet"]["error"]
    assert "footer is encrypted" in broken["part-3.parquet"]["error"]
    assert all(value is None for row in broken.values() for key, value in row.items() if key not in ("file", "error"))
    assert [Path(file).name for file in dict.fromkeys(table["file"].to_pylist())] == [
        *(f"part-{number}.parquet" for number in range(5)),
        "missing.parquet",
    ]
    assert table.num_rows == 2 + 1 + 1 + 1 + 8 + 1
    with pytest.raises(ValueError, match="errors"):
        parquet.column_chunks(folder, errors="ignore")  # type: ignore[arg-type]


def test_encrypted_columns_are_shown(tmp_path: Path) -> None:
    """A signed plaintext footer keeps the metadata of encrypted columns, without their statistics."""
    table = parquet.column_chunks(encrypted_file(plaintext_footer=True))
    assert table["path"].to_pylist() == ["open", "secret", "other"]
    assert table["min"].to_pylist()[1:] == [None, None]
    assert table["min"].to_pylist()[0] == (1).to_bytes(8, "little")
