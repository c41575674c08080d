"""Indexes added to files: equal to those that pyarrow writes for the same pages, and used by readers."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec import AbstractFileSystem

from lakecodec import parquet
from lakecodec.parquet.chunk import locate
from lakecodec.parquet.pages import places

ROWS = 5000
TABLE = pa.table(
    {
        "n": pa.array([i if i % 7 else None for i in range(ROWS)], pa.int64()),
        "down": pa.array([-i for i in range(ROWS)], pa.int32()),
        "u": pa.array([2**32 - 1 - i for i in range(ROWS)], pa.uint32()),
        "f": pa.array([float(i % 100) for i in range(ROWS)]),
        "t": pa.array([f"é{i:05}" for i in range(ROWS)]),
        "b": pa.array([i % 2 == 0 for i in range(ROWS)]),
        "d": pa.array([datetime.date(2000, 1, 1) + datetime.timedelta(i) for i in range(ROWS)]),
        "x": pa.array([Decimal(i) / 4 for i in range(ROWS)], pa.decimal128(20, 2)),
        "at": pa.array([datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=i) for i in range(ROWS)]),
        "none": pa.array([None] * ROWS, pa.string()),
        "s": pa.array([{"y": i, "z": None if i % 3 else "z"} for i in range(ROWS)]),
        "l": pa.array([[i] * (i % 3) for i in range(ROWS)]),
    }
)


def write(path: Path, **options: Any) -> Path:
    pq.write_table(TABLE, path, row_group_size=3000, data_page_size=2000, write_batch_size=200, **options)
    return path


def indexes(path: Path) -> list[tuple[Any, Any]]:
    metadata = parquet.read_metadata(path)
    return [
        parquet.page_index(path, row_group=number, column=column)
        for number, group in enumerate(metadata.row_groups)
        for column in range(len(group.columns))
    ]


@pytest.mark.parametrize(
    "options", [{"data_page_version": "2.0"}, {"use_dictionary": False, "data_page_version": "2.0"}], ids=str
)
def test_parts_are_those_of_pyarrow(options: dict[str, Any], tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", write_statistics=False, **options)
    expected = write(tmp_path / "expected.parquet", write_page_index=True, **options)
    report = parquet.add_indexes(plain, tmp_path / "made.parquet")
    assert report.skipped == []
    for (index, found), (said_index, said_places) in zip(
        indexes(tmp_path / "made.parquet"), indexes(expected), strict=True
    ):
        assert index == said_index
        # Pages with statistics in their headers are longer, so that their offsets are others.
        assert [each.first_row_index for each in found.page_locations] == [
            each.first_row_index for each in said_places.page_locations
        ]
        assert found.unencoded_byte_array_data_bytes == said_places.unencoded_byte_array_data_bytes
    made, said = parquet.read_metadata(tmp_path / "made.parquet"), parquet.read_metadata(expected)
    for ours, theirs in zip(made.row_groups, said.row_groups, strict=True):
        for one, other in zip(ours.columns, theirs.columns, strict=True):
            assert one.meta_data.statistics == other.meta_data.statistics
            assert one.meta_data.size_statistics == other.meta_data.size_statistics
    assert pq.read_table(tmp_path / "made.parquet") == TABLE
    assert [each for each in parquet.verify(tmp_path / "made.parquet", deep=True) if each.is_error] == []
    start, end = 4, min(chunk.column_index_offset for group in made.row_groups for chunk in group.columns)
    assert (tmp_path / "made.parquet").read_bytes()[start:end] == plain.read_bytes()[start:end]


def test_first_version_of_pages(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", write_statistics=False)
    report = parquet.add_indexes(plain, plain, columns=["n", "l"], size_statistics=False)
    assert {(path, reason) for _, path, reason in report.skipped} == {
        ("l.list.element", "pages of the first version do not say where rows of lists begin")
    }
    assert {part for _, path, part in report.added if path == "n"} == {"statistics", "column_index", "offset_index"}
    found = parquet.row_groups_with(plain, "n", 4001)
    assert found["row_group"].to_pylist() == [1]
    assert pq.read_table(plain) == TABLE
    again = parquet.add_indexes(plain, plain, columns=["n"], size_statistics=False)
    assert again.added == []


@pytest.mark.parametrize("column", ["n", "t", "x", "d", "at", "f"])
def test_bloom_filters(column: str, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet")
    parquet.add_indexes(plain, tmp_path / "made.parquet", bloom=[column], columns=[])
    made = tmp_path / "made.parquet"
    bloom = parquet.bloom_filter(made, 0, column)
    assert bloom is not None
    values = [each for each in TABLE[column].slice(0, 3000).to_pylist() if each is not None]
    assert all(bloom.might_contain(each) for each in values[:200])
    others = {each for each in TABLE[column].slice(3000).to_pylist() if each is not None} - set(values)
    assert sum(bloom.might_contain(each) for each in others) <= len(others) * 0.05
    assert parquet.read_metadata(made).row_groups[0].columns[0].column_index_offset is None
    if column in ("n", "t"):
        value = "4001" if column == "n" else "'é04001'"
        assert duckdb.sql(f"select count(*) from '{made}' where {column} = {value}").fetchall() == [(1,)]


def test_wrong_arguments_and_an_old_file(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet")
    before = plain.read_bytes()
    with pytest.raises(KeyError, match="zz"):
        parquet.add_indexes(plain, plain, columns=["zz"])
    with pytest.raises(TypeError, match="bloom"):
        parquet.add_indexes(plain, plain, bloom="n")
    data = bytearray(before)
    data[200:2000] = b"\xff" * 1800
    plain.write_bytes(bytes(data))
    with pytest.raises((ValueError, OSError)):
        parquet.add_indexes(plain, plain)
    assert plain.read_bytes() == bytes(data)
    assert [path.name for path in tmp_path.iterdir()] == ["plain.parquet"]


def bodies(path: Path) -> list[bytes]:
    """Returns the bytes of all pages without their headers."""
    data, found = path.read_bytes(), []
    for number, group in enumerate(parquet.read_metadata(path).row_groups):
        for column in range(len(group.columns)):
            chunk = locate(path, number, column, None, None)
            found += [data[body : body + header.compressed_page_size] for header, _, body in places(chunk)]
    return found


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("has_indexes", [False, True])
def test_checksums(version: str, has_indexes: bool, tmp_path: Path) -> None:
    plain, made = (
        write(tmp_path / "plain.parquet", data_page_version=version, write_page_index=has_indexes),
        tmp_path / "m.parquet",
    )
    bloom = ["n"]
    parquet.add_indexes(plain, made, checksums=True, bloom=bloom)
    headers = [
        header
        for number, group in enumerate(parquet.read_metadata(made).row_groups)
        for column in range(len(group.columns))
        for header in parquet.page_headers(made, number, column)
    ]
    assert all(header.crc is not None for header in headers)
    # Both signs occur, whose numbers of bytes differ.
    assert {header.crc > 0 for header in headers} == {True, False}
    assert bodies(made) == bodies(plain)
    assert pq.read_table(made, page_checksum_verification=True) == TABLE
    assert duckdb.sql(f"select count(*) from '{made}' where n = 4001").fetchall() == [(1,)]
    assert [each for each in parquet.verify(made, deep=True) if each.is_error] == []
    # The indexes are those of the same file without checksums, and its pages are where they say.
    parquet.add_indexes(plain, tmp_path / "without", bloom=bloom)
    assert [index for index, _ in indexes(made)] == [index for index, _ in indexes(tmp_path / "without")]
    assert parquet.add_indexes(made, made, checksums=True, bloom=bloom).added == []
    # Where a page is changed, both find it.
    data = bytearray(made.read_bytes())
    place = data.index(bodies(made)[1])
    data[place + 3] ^= 1
    made.write_bytes(bytes(data))
    assert any(each.kind == "checksum" for each in parquet.verify(made, deep=True))
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(made, page_checksum_verification=True)


def test_checksums_of_some_columns_and_those_that_are_there(tmp_path: Path) -> None:
    plain, made = write(tmp_path / "plain.parquet"), tmp_path / "made.parquet"
    report = parquet.add_indexes(
        plain, made, columns=["t"], checksums=True, statistics=False, page_index=False, size_statistics=False
    )
    assert report.added == [(0, "t", "checksums"), (1, "t", "checksums")]
    assert [header.crc for header in parquet.page_headers(made, 0, "n")] == [None] * len(
        list(parquet.page_headers(plain, 0, "n"))
    )
    assert pq.read_table(made, page_checksum_verification=True) == TABLE
    theirs = write(tmp_path / "theirs.parquet", write_page_checksum=True)
    said = list(parquet.page_headers(theirs, 0, "n"))
    parquet.add_indexes(plain, made, checksums=True)
    assert [header.crc for header in parquet.page_headers(made, 0, "n")] == [header.crc for header in said]
    assert all(part != "checksums" for _, _, part in parquet.add_indexes(theirs, made, checksums=True).added)


class Counted(io.RawIOBase):
    """A file that counts the bytes read from it."""

    def __init__(self, path: Path) -> None:
        self._data = io.BytesIO(path.read_bytes())
        self.count = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._data.seek(offset, whence)

    def tell(self) -> int:
        return self._data.tell()

    def read(self, size: int = -1) -> bytes:
        data = self._data.read(size)
        self.count += len(data)
        return data


class CountedFiles(AbstractFileSystem):  # type: ignore[misc]
    """Counts what DuckDB reads."""

    protocol = "counted"
    cachable = False

    def __init__(self, files: dict[str, Path]) -> None:
        super().__init__()
        self._files, self.opened = files, []

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        self.opened.append(Counted(self._files[self._strip_protocol(path)]))
        return self.opened[-1]

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        name = self._strip_protocol(path)
        return {"name": name, "size": self._files[name].stat().st_size, "type": "file"}

    def modified(self, path: str) -> datetime.datetime:
        return datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


def read_by_duckdb(path: Path, where: str) -> tuple[list[Any], int]:
    files = CountedFiles({"file.parquet": path})
    with duckdb.connect() as connection:
        connection.register_filesystem(files)
        connection.execute("set threads = 1")
        rows = connection.sql(f"select * from 'counted://file.parquet' where {where}").fetchall()
    return rows, sum(each.count for each in files.opened)


def test_readers_skip_row_groups(tmp_path: Path) -> None:
    count = 80_000
    table = pa.table(
        {
            "n": range(count),
            "text": [f"{i * 7919 % count:06}" for i in range(count)],
            "x": [i * 0.7 for i in range(count)],
        }
    )
    plain, made = tmp_path / "plain.parquet", tmp_path / "made.parquet"
    pq.write_table(table, plain, row_group_size=count // 8, write_statistics=False, compression="none")
    parquet.add_indexes(plain, made, bloom=["text"])
    # Values of n are in one row group each; those of text are all over, so that only Bloom filters tell.
    for where in ("n = 70000", f"text = '{7919 * 70000 % count:06}'"):
        (rows, before), (same, after) = read_by_duckdb(plain, where), read_by_duckdb(made, where)
        assert rows == same == [tuple(table.slice(70000, 1).to_pylist()[0].values())]
        assert after < before / 2, where
    read = []
    for path in (plain, made):
        file = Counted(path)
        found = pq.read_table(file, filters=[("n", "=", 70000)], pre_buffer=False)
        assert found["x"].to_pylist() == [70000 * 0.7]
        read.append(file.count)
    assert read[1] < read[0] / 2
