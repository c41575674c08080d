"""Footers whose column chunks leave their paths to the schema, as the newest writers may."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.lake.log import footer_statistics
from lakecodec.parquet.inspect import describe

from .files import FILES, footer_of, framed


def without_paths(data: bytes) -> bytes:
    """The file with another footer: no chunk says its path."""
    metadata = parquet.read_metadata(data)
    for group in metadata.row_groups:
        for chunk in group.columns:
            assert chunk.meta_data is not None
            chunk.meta_data.path_in_schema = None
    return data[: -8 - len(footer_of(data))] + parquet.write_metadata(metadata)


@pytest.mark.parametrize("name", ["page index", "nested", "many row groups", "wide", "fastparquet"])
def test_the_same_is_read(name: str, tmp_path: Path) -> None:
    data = FILES[name]()
    bare = without_paths(data)
    assert len(bare) < len(data)
    metadata = parquet.read_metadata(bare)
    assert metadata.row_groups[0].columns[0].meta_data.path_in_schema is None  # type: ignore[union-attr]
    assert parquet.write_metadata(metadata) == bare[-len(parquet.write_metadata(metadata)) :]
    rows = parquet.column_chunks(data)
    assert parquet.column_chunks(bare) == rows
    assert parquet.statistics(bare) == parquet.statistics(data)
    assert describe(bare)["row_groups"] == describe(data)["row_groups"]
    paths = rows["path"].unique().to_pylist()
    for chosen in (paths[:1], paths[-2:], paths[::3]):
        expected = parquet.column_chunks(data, columns=chosen, typed=True)
        assert parquet.column_chunks(bare, columns=chosen, typed=True) == expected
        assert parquet.statistics(bare, chosen) == parquet.statistics(data, chosen)
        assert parquet.read_metadata(bare, columns=chosen).num_rows == metadata.num_rows
        for path in chosen:
            assert parquet.row_groups_with(bare, path, None) == parquet.row_groups_with(data, path, None)
            assert len(list(parquet.page_headers(bare, 0, path))) == len(list(parquet.page_headers(data, 0, path)))
    assert [each for each in parquet.verify(bare) if each.is_error] == []


def test_beside_files_that_have_them(tmp_path: Path) -> None:
    """Rows keep the order of the files, and files that have other columns stay out."""
    for number in range(5):
        pq.write_table(pa.table({"a": [number], "b": [1]}), tmp_path / f"{number}.parquet")
    pq.write_table(pa.table({"b": [1]}), tmp_path / "3.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no parquet")
    before = [parquet.column_chunks(tmp_path, columns=columns, errors="column") for columns in (None, ["a"])]
    for number in (1, 4):
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(without_paths(path.read_bytes()))
    after = [parquet.column_chunks(tmp_path, columns=columns, errors="column") for columns in (None, ["a"])]
    assert after == before
    assert after[1].num_rows == 5


def test_surgery_adds_no_paths(tmp_path: Path) -> None:
    """What comes out leaves its paths to the schema, too, beside files that name them."""
    data = FILES["page index"]()
    bare, new = without_paths(data), tmp_path / "new.parquet"
    first, second = pq.read_schema(pa.BufferReader(data)).names[:2]

    def paths() -> list[bool]:
        groups = parquet.read_metadata(new).row_groups
        return [group.columns[0].meta_data.path_in_schema is not None for group in groups]  # type: ignore[union-attr]

    count = len(parquet.read_metadata(data).row_groups)
    parquet.rename_columns(bare, new, {first: "other"})
    assert paths() == [False] * count
    assert parquet.column_chunks(new)["path"][0].as_py() == "other"
    parquet.select_columns(bare, new, [second])
    assert paths() == [False] * count
    assert parquet.column_chunks(new)["path"].unique().to_pylist() == [second]
    parquet.concat([data, bare], new)
    assert paths() == [True] * count + [False] * count
    twice = parquet.column_chunks(new, fields=["path"])["path"].to_pylist()
    assert twice == parquet.column_chunks(data, fields=["path"])["path"].to_pylist() * 2
    assert [each for each in parquet.verify(new) if each.is_error] == []


def test_statistics_of_the_log() -> None:
    data = FILES["defaults"]()
    schema = pq.read_schema(pa.BufferReader(data))
    schema = pa.schema([schema.field(name) for name in ("int32", "string", "date")])
    expected = footer_statistics(parquet.read_metadata(data), schema)
    assert "maxValues" in expected
    assert footer_statistics(parquet.read_metadata(without_paths(data)), schema) == expected


def test_cut_footers() -> None:
    """Bytes that are wrong stay DecodeErrors."""
    footer = footer_of(without_paths(FILES["nested"]()))
    for size in range(1, len(footer), 97):
        table = parquet.column_chunks([framed(footer[:size])], errors="column")
        assert table["error"].null_count in (0, table.num_rows)
