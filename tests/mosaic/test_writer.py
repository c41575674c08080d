"""MosaicWriter: what it accepts, what it refuses, and what is left when it fails."""

from __future__ import annotations

import gc
import io
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pytest

from lakecodec import EncodeError, mosaic

from .sources import written

TABLE = pa.table({"a": pa.array([1, 2, None], pa.int32()), "b": ["x", "y", None]})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"compression": "gzip"}, ValueError, "compression"),
        ({"compression_level": "1"}, TypeError, "compression_level"),
        ({"num_buckets": 0}, ValueError, "num_buckets"),
        ({"num_buckets": True}, TypeError, "num_buckets"),
        ({"row_group_max_bytes": -1}, ValueError, "row_group_max_bytes"),
        ({"max_dict_entries": 2**32}, ValueError, "max_dict_entries"),
        ({"max_dict_bytes": 1.5}, TypeError, "max_dict_bytes"),
        ({"page_size_threshold": -1}, ValueError, "page_size_threshold"),
        ({"checksum": 1}, TypeError, "checksum"),
        ({"checksum": True, "compression": "none"}, ValueError, "checksum"),
        ({"stats_columns": "a"}, TypeError, "stats_columns"),
        ({"stats_columns": ["zz"]}, ValueError, "zz"),
        ({"stats_columns": [1]}, TypeError, "stats_columns"),
        ({"unknown": 1}, TypeError, "unknown"),
    ],
)
def test_options_that_are_refused(
    options: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        mosaic.write_table(TABLE, tmp_path / "x.mosaic", **options)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "type", [pa.binary(), pa.decimal128(19, 0), pa.list_(pa.int8()), pa.map_(pa.int8(), pa.int8())], ids=str
)
def test_columns_without_statistics(type: pa.DataType) -> None:
    with pytest.raises(ValueError, match=r"'x' is .* no statistics"):
        mosaic.MosaicWriter(io.BytesIO(), pa.schema([("x", type)]), stats_columns=["x"])


@pytest.mark.parametrize("level", [0, 22, 23, 1000, -(10**6)])
def test_levels_beyond_the_range_of_zstd(level: int) -> None:
    assert mosaic.read_table(written(TABLE, compression_level=level)).equals(TABLE)


def test_columns_are_matched_by_name() -> None:
    file = io.BytesIO()
    with mosaic.MosaicWriter(file, TABLE.schema) as writer:
        writer.write(TABLE)
        writer.write(TABLE.select(["b", "a"]))
        writer.write(TABLE.to_batches()[0].select(["b", "a"]))
        writer.write(TABLE.set_column(1, "b", TABLE["b"].cast(pa.large_string())))
    assert mosaic.read_table(file.getvalue()).equals(pa.concat_tables([TABLE] * 4))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (TABLE.select(["a"]), "'b' is missing"),
        (TABLE.append_column("c", [[1, 2, 3]]), "'c' is not in the schema"),
        (TABLE.rename_columns(["a", "a"]), "duplicate column name 'a'"),
        (TABLE.set_column(0, "a", [[1.5, 2.5, 3.5]]), "'a' is double, not int32"),
    ],
)
def test_tables_that_do_not_fit_the_schema(table: pa.Table, message: str) -> None:
    writer = mosaic.MosaicWriter(io.BytesIO(), TABLE.schema)
    with pytest.raises(ValueError, match=message):
        writer.write(table)
    writer.abort()


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="table: "):
        mosaic.write_table([1, 2], io.BytesIO())
    with pytest.raises(TypeError, match="schema: "):
        mosaic.MosaicWriter(io.BytesIO(), {"a": pa.int8()})
    with pytest.raises(TypeError, match="where: "):
        mosaic.write_table(TABLE, 7)
    with pytest.raises(TypeError, match="where: "):
        mosaic.write_table(TABLE, io.StringIO())


def test_nulls_in_a_column_that_allows_none(tmp_path: Path) -> None:
    schema = pa.schema([pa.field("a", pa.int32(), False), ("b", pa.string())])
    path = tmp_path / "x.mosaic"
    with pytest.raises(EncodeError, match=r'columns\["a"\]'), mosaic.MosaicWriter(path, schema) as writer:
        writer.write(TABLE)
    assert os.listdir(tmp_path) == []


def test_null_elements_where_the_type_allows_none() -> None:
    array = pa.array([1, None], pa.int8())
    required = pa.field("item", pa.int8(), False)
    lists = pa.ListArray.from_arrays([0, 2], array, type=pa.list_(required))
    maps = pa.MapArray.from_arrays([0, 2], pa.array(["a", "b"]), array, type=pa.map_(pa.string(), required))
    for column in (lists, maps):
        with pytest.raises(EncodeError, match="an element is null") as raised:
            written(pa.table({"fine": [1], "bad": column}))
        assert raised.value.path == 'columns["bad"]'


def test_a_file_shows_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "x.mosaic"
    path.write_bytes(b"before")
    writer = mosaic.MosaicWriter(path, TABLE.schema, row_group_max_bytes=1)
    writer.write(TABLE)
    assert path.read_bytes() == b"before"
    writer.close()
    writer.close()
    assert os.listdir(tmp_path) == ["x.mosaic"]
    assert mosaic.read_table(path).equals(TABLE)
    with pytest.raises(ValueError, match="closed"):
        writer.write(TABLE)


def interrupted(writer: mosaic.MosaicWriter, error: type[BaseException]) -> None:
    writer.write(TABLE)
    raise error


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_exception_leaves_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "x.mosaic"
    path.write_bytes(b"before")
    with pytest.raises(error), mosaic.MosaicWriter(path, TABLE.schema, row_group_max_bytes=1) as writer:
        interrupted(writer, error)
    assert os.listdir(tmp_path) == ["x.mosaic"]
    assert path.read_bytes() == b"before"


def test_a_forgotten_writer_leaves_nothing(tmp_path: Path) -> None:
    writer = mosaic.MosaicWriter(tmp_path / "x.mosaic", TABLE.schema)
    writer.write(TABLE)
    del writer
    gc.collect()
    assert os.listdir(tmp_path) == []


class Full(io.BytesIO):
    """A stream that fails after some bytes."""

    def __init__(self, room: int, error: BaseException) -> None:
        super().__init__()
        self.room, self.error = room, error

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self.room:
            raise self.error
        return super().write(data)


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failed_write_is_final(error: BaseException) -> None:
    stream = Full(20, error)
    writer = mosaic.MosaicWriter(stream, TABLE.schema, row_group_max_bytes=1, num_buckets=2)
    with pytest.raises(type(error)) as raised:
        writer.write(pa.concat_tables([TABLE] * 9))
    assert raised.value is error
    before = stream.getvalue()
    for call in (lambda: writer.write(TABLE), writer.close):
        with pytest.raises(ValueError, match="failed before") as again:
            call()
        assert again.value.__cause__ is error
    assert stream.getvalue() == before


#: 12 batches of these estimated bytes are a row group; 100 buckets have a bitmap of a byte a row each.
WIDE = pa.record_batch({f"c{number}": pa.array(range(number, number + 10)) for number in range(300)})
OF_TWELVE = 12 * (300 * 10 * 8 + 100 * 10)


def test_a_row_group_is_written_by_the_calls_after_it() -> None:
    stream = io.BytesIO()
    with mosaic.MosaicWriter(stream, WIDE.schema, row_group_max_bytes=OF_TWELVE) as writer:
        ends = [(writer.write(WIDE), stream.tell())[1] for _ in range(36)]
        grown = [after - before for before, after in itertools.pairwise([0, *ends])]
        assert [size > 0 for size in grown] == [False] * 11 + ([True] * 4 + [False] * 8) * 2 + [True]
        assert max(grown) < 1.5 * ends[14] / 4
        # One that knows the size knows what was compressed.
        writer.estimated_size()
        assert stream.tell() == 3 * ends[14]
    assert stream.getvalue() == written(pa.Table.from_batches([WIDE] * 36), row_group_max_bytes=OF_TWELVE)
    assert [group.num_rows for group in mosaic.read_metadata(stream.getvalue()).row_groups] == [120] * 3


def test_a_row_group_is_complete_when_the_file_is() -> None:
    for calls in (12, 13):
        stream = io.BytesIO()
        with mosaic.MosaicWriter(stream, WIDE.schema, row_group_max_bytes=OF_TWELVE) as writer:
            for _ in range(calls):
                writer.write(WIDE)
        assert mosaic.read_table(stream.getvalue()).equals(pa.Table.from_batches([WIDE] * calls))


@pytest.mark.parametrize("last", [mosaic.MosaicWriter.close, mosaic.MosaicWriter.estimated_size])
def test_a_row_group_that_fails_later(last: Callable[[mosaic.MosaicWriter], Any]) -> None:
    full = OSError("disk full")
    stream = Full(0, full)
    writer = mosaic.MosaicWriter(stream, WIDE.schema, row_group_max_bytes=OF_TWELVE)
    for _ in range(11):
        writer.write(WIDE)
    stream.room = 2**20
    writer.write(WIDE)
    stream.room = stream.tell()
    with pytest.raises(OSError, match="disk full"):
        last(writer)
    with pytest.raises(ValueError, match="failed before") as raised:
        writer.write(WIDE)
    assert raised.value.__cause__ is full
    assert stream.tell() == stream.room


def test_streams_that_take_less_than_they_are_given() -> None:
    class Slow(io.RawIOBase):
        data = b""

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.data += bytes(data[:7])
            return min(7, len(data))

    stream = Slow()
    mosaic.write_table(TABLE, stream)
    assert stream.data == written(TABLE)


def test_file_systems(tmp_path: Path) -> None:
    import fsspec

    mosaic.write_table(TABLE, str(tmp_path / "a.mosaic"), filesystem=pyarrow.fs.LocalFileSystem())
    mosaic.write_table(TABLE, (tmp_path / "b.mosaic").as_uri())
    mosaic.write_table(TABLE, "memory://folder/c.mosaic")
    assert sorted(os.listdir(tmp_path)) == ["a.mosaic", "b.mosaic"]
    memory = fsspec.filesystem("memory")
    assert memory.ls("/folder", detail=False) == ["/folder/c.mosaic"]
    for source in (tmp_path / "a.mosaic", tmp_path / "b.mosaic", "memory://folder/c.mosaic"):
        assert mosaic.read_table(source).equals(TABLE)
    with pytest.raises(RuntimeError), mosaic.MosaicWriter("memory://folder/d.mosaic", TABLE.schema):
        raise RuntimeError
    assert memory.ls("/folder", detail=False) == ["/folder/c.mosaic"]


def test_threads_change_nothing() -> None:
    wide = pa.table({f"c{number}": list(range(number, number + 500)) for number in range(300)})
    data = {written(wide, page_size_threshold=size) for size in (32768, 32768)}
    assert len(data) == 1
    assert mosaic.read_table(data.pop()).equals(wide)


def test_batches_with_blocks_that_no_reader_inflates_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lakecodec.mosaic.writer.MAX_BLOCK", 10_000)
    table = pa.table({"a": list(range(5000)), "b": [f"{number} {'x' * 9}" for number in range(5000)], "c": [1] * 5000})
    data = written(table)
    sizes = [group.num_rows for group in mosaic.read_metadata(data).row_groups]
    assert sum(sizes) == 5000
    assert max(sizes) <= 1000
    assert mosaic.read_table(data).equals(table)
    assert mosaic.read_metadata(written(table, compression="none")).num_row_groups == 1
    batches = pa.concat_tables([table.slice(start, 300) for start in range(0, 3000, 300)])
    assert [group.num_rows for group in mosaic.read_metadata(written(batches)).row_groups] == [600] * 5
