"""Files changed without decoding pages: other readers find the same data, the pages the same bytes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.parquet.chunk import locate
from lakecodec.parquet.pages import page_range
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import ARROW_FILES, FILES, arrow_file, encrypted_file, flat_table, nested_table


def table_of(data: Any) -> pa.Table:
    return pq.ParquetFile(io.BytesIO(data)).read()


def page_bytes(data: bytes, group: int, column: int) -> bytes:
    start, end = page_range(locate(data, group, column, None, None))
    return data[start:end]


def check_indexes(old: bytes, new: bytes, columns: list[int], new_group: int = 0, old_group: int = 0) -> None:
    """Pages, page indexes and Bloom filters of the new file's columns are those of ``columns`` in the old one."""
    before = parquet.read_metadata(old).row_groups[old_group]
    after = parquet.read_metadata(new).row_groups[new_group]
    assert after.num_rows == before.num_rows
    assert len(after.columns) == len(columns)
    for position, column in enumerate(columns):
        assert page_bytes(new, new_group, position) == page_bytes(old, old_group, column)
        first, _ = page_range(locate(old, old_group, column, None, None))
        moved, _ = page_range(locate(new, new_group, position, None, None))
        assert list(parquet.page_headers(new, new_group, position)) == list(
            parquet.page_headers(old, old_group, column)
        )
        old_index, old_offsets = parquet.page_index(old, old_group, column)
        new_index, new_offsets = parquet.page_index(new, new_group, position)
        assert new_index == old_index
        assert (new_offsets is None) == (old_offsets is None)
        if old_offsets is not None and new_offsets is not None:
            for there, here in zip(old_offsets.page_locations, new_offsets.page_locations, strict=True):
                assert here.offset - moved == there.offset - first
                assert here.first_row_index == there.first_row_index
        there_meta, here_meta = before.columns[column].meta_data, after.columns[position].meta_data
        assert there_meta is not None
        assert here_meta is not None
        assert here_meta.statistics == there_meta.statistics
        assert (here_meta.bloom_filter_offset is None) == (there_meta.bloom_filter_offset is None)
        if here_meta.bloom_filter_offset is not None and there_meta.bloom_filter_offset is not None:
            length = here_meta.bloom_filter_length or 0
            assert length > 32
            assert new[here_meta.bloom_filter_offset :][:length] == old[there_meta.bloom_filter_offset :][:length]


@pytest.mark.parametrize("name", FILES)
def test_update_metadata(name: str, tmp_path: Path) -> None:
    old = FILES[name]()
    path = tmp_path / "t.parquet"
    path.write_bytes(old)
    parquet.update_metadata(path, {"owner": "lake", "empty": None})
    new = path.read_bytes()
    footer = len(old) - 8 - int.from_bytes(old[-8:-4], "little")
    assert new[:footer] == old[:footer]
    assert pq.read_metadata(path).metadata[b"owner"] == b"lake"
    assert table_of(new).equals(table_of(old))
    parquet.update_metadata(path, {}, remove=["owner", "empty"])
    assert parquet.read_metadata(path) == parquet.read_metadata(old)
    assert list(tmp_path.iterdir()) == [path]


def test_the_new_file_has_the_permissions_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    path.chmod(0o640)
    parquet.update_metadata(path, {"owner": "me"})
    assert path.stat().st_mode & 0o777 == 0o640


def test_wrong_updates_leave_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    old = arrow_file(pa.table({"a": [1]}).replace_schema_metadata({"owner": "x"}))
    path.write_bytes(old)
    with pytest.raises(KeyError, match="remove: there is no key 'ownr'; did you mean 'owner'"):
        parquet.update_metadata(path, {}, remove=["ownr"])
    with pytest.raises(ValueError, match="remove: 'owner' is in values"):
        parquet.update_metadata(path, {"owner": "y"}, remove=["owner"])
    with pytest.raises(TypeError, match="values"):
        parquet.update_metadata(path, {"owner": 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="remove"):
        parquet.update_metadata(path, {}, remove="owner")
    with pytest.raises(TypeError, match="path"):
        parquet.update_metadata(old, {})  # type: ignore[arg-type]
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("plaintext_footer", [False, True])
def test_encrypted_files_are_refused(plaintext_footer: bool, tmp_path: Path) -> None:
    data = encrypted_file(plaintext_footer=plaintext_footer)
    target = tmp_path / "new.parquet"
    with pytest.raises(DecodeError, match="encrypted"):
        parquet.rename_columns(data, target, {"open": "b"})
    with pytest.raises(DecodeError, match="encrypted"):
        parquet.select_columns(data, target, ["open"])
    assert list(tmp_path.iterdir()) == []


def test_rename_columns(tmp_path: Path) -> None:
    old = ARROW_FILES["page index"]()
    target = tmp_path / "new.parquet"
    parquet.rename_columns(old, target, {"string": "text", "large_string": "string", "name.with.dots": "dots"})
    table = flat_table()
    new_names = {"string": "text", "large_string": "string", "name.with.dots": "dots"}
    names = [new_names.get(name, name) for name in table.column_names]
    # Types that only Arrow's stored schema tells, as large_string, are still there.
    assert pq.ParquetFile(target).read().equals(table_of(old).rename_columns(names))
    assert pl.read_parquet(target)["text"].to_list() == table["string"].to_pylist()
    rows = duckdb.sql(f"select count(*) from '{target}' where text = 'name 7'").fetchall()
    assert rows == [(30,)]
    check_indexes(old, target.read_bytes(), list(range(len(names))), 1, 1)


def test_rename_nested_columns() -> None:
    old = ARROW_FILES["nested"]()
    sink = io.BytesIO()
    parquet.rename_columns(old, sink, {"struct.at.x": "z", "list_of_struct": "pairs"})
    new = table_of(sink.getvalue())
    assert new.column_names == ["list", "lists", "struct", "map", "pairs", "plain"]
    assert new["struct"].type.field("at").type.field(0).name == "z"
    assert new["plain"].equals(nested_table()["plain"])
    with pytest.raises(ValueError, match=r"names: there would be two columns 'struct.at.y'"):
        parquet.rename_columns(old, io.BytesIO(), {"struct.at.x": "y"})
    with pytest.raises(KeyError, match="names: there is no column 'plan'; did you mean 'plain'"):
        parquet.rename_columns(old, io.BytesIO(), {"plan": "y"})


def test_pandas_index_follows(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, 2], "b": [3.0, 4.0]}, index=pd.Index(["x", "y"], name="key"))
    path = tmp_path / "t.parquet"
    frame.to_parquet(path)
    parquet.rename_columns(path, path, {"key": "id", "a": "c"})
    renamed = pd.read_parquet(path)
    assert renamed.index.name == "id"
    assert list(renamed.columns) == ["c", "b"]
    parquet.select_columns(path, path, ["b", "id"])
    assert list(pd.read_parquet(path).index) == ["x", "y"]


@pytest.mark.parametrize("name", ARROW_FILES)
def test_select_columns(name: str) -> None:
    old = ARROW_FILES[name]()
    table = table_of(old)
    if table.num_columns == 0:
        return
    names = table.column_names[1::3]
    sink = io.BytesIO()
    parquet.select_columns(old, sink, iter(names))
    assert table_of(sink.getvalue()).equals(table.select(names))
    chunks = pq.ParquetFile(io.BytesIO(old)).metadata
    chosen = [
        column
        for column in range(chunks.num_columns)
        if chunks.schema.column(column).path in names or chunks.schema.column(column).path.split(".")[0] in names
    ]
    if chunks.num_row_groups:
        check_indexes(old, sink.getvalue(), chosen)
    assert pl.read_parquet(io.BytesIO(sink.getvalue())).columns == names


def test_select_parts_of_nested_columns() -> None:
    old = ARROW_FILES["nested page index"]()
    sink = io.BytesIO()
    parquet.select_columns(old, sink, ["struct.at.y", "list_of_struct.list.element.a"])
    new = table_of(sink.getvalue())
    at = [
        None if person is None else {"at": {"y": person["at"]["y"]}} for person in nested_table()["struct"].to_pylist()
    ]
    assert new["struct"].to_pylist() == at
    assert new["list_of_struct"].to_pylist()[2] == [{"a": 2}, {"a": 2}]
    with pytest.raises(ValueError, match=r"columns: 'map.key_value.value' cannot be left out of its map"):
        parquet.select_columns(old, sink, ["map.key_value.key"])
    with pytest.raises(ValueError, match="columns: at least one"):
        parquet.select_columns(old, sink, [])
    with pytest.raises(KeyError, match="columns: there is no column 'plan'"):
        parquet.select_columns(old, sink, ["plan"])
    with pytest.raises(TypeError, match="columns"):
        parquet.select_columns(old, sink, "plain")


def test_sorting_columns_up_to_the_first_left_out() -> None:
    old = ARROW_FILES["sorting columns"]()
    names = flat_table().column_names
    sink = io.BytesIO()
    parquet.select_columns(old, sink, [names[0], names[1]])
    (sorting,) = pq.ParquetFile(sink).metadata.row_group(0).sorting_columns
    assert (sorting.column_index, sorting.descending) == (0, True)
    sink = io.BytesIO()
    parquet.select_columns(old, sink, [names[1], names[2]])
    assert parquet.read_metadata(sink).row_groups[0].sorting_columns is None
