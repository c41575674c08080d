"""MosaicFile: columns, row groups, batches, statistics, and what is read for them."""

from __future__ import annotations

import datetime
import decimal
import io
import os
import random
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.fs
import pytest

from lakecodec import DecodeError, backend, mosaic
from lakecodec.runtime.ranges import MappedReader

from .sources import Recorded, written
from .tables import random_table, same


def noise(rows: int, seed: int) -> pa.Array:
    """Values that do not compress."""
    rng = random.Random(seed)
    return pa.array([rng.randrange(-(2**63), 2**63) for _ in range(rows)])


TABLE = pa.table({"b": [1, 2, 3, 4], "a": ["x", None, "y", "x"], "c": pa.array([[1], None, [], [2, 3]])})
GROUPS = pa.Table.from_batches([TABLE.slice(start, 2).combine_chunks().to_batches()[0] for start in (0, 2)])


def test_schema_and_order() -> None:
    file = mosaic.MosaicFile(written(TABLE))
    assert file.schema.equals(TABLE.schema)
    assert mosaic.read_schema(written(TABLE)).equals(TABLE.schema)
    assert (file.num_rows, file.num_row_groups) == (4, 1)
    assert file.read().equals(TABLE)


def test_columns() -> None:
    file = mosaic.MosaicFile(written(TABLE))
    assert file.read(["c", "b"]).equals(TABLE.select(["c", "b"]))
    none = file.read([])
    assert (none.num_rows, none.num_columns) == (4, 0)
    for columns, error in ((["b", "b"], ValueError), (["zz"], KeyError), ("b", TypeError), ([1], TypeError)):
        with pytest.raises(error, match="columns: "):
            file.read(columns)


def test_row_groups() -> None:
    file = mosaic.MosaicFile(written(GROUPS, row_group_max_bytes=1))
    assert file.num_row_groups == 2
    assert file.read().equals(GROUPS)
    assert file.read_row_group(1).equals(TABLE.slice(2))
    assert file.read_row_group(0, ["c"]).equals(TABLE.slice(0, 2).select(["c"]))
    for number in (-1, 2):
        with pytest.raises(IndexError):
            file.read_row_group(number)
    with pytest.raises(TypeError):
        file.read_row_group("0")  # type: ignore[arg-type]


def test_batches() -> None:
    table = random_table(random.Random(5), columns=9, rows=300)
    data = written(table, row_group_max_bytes=1)
    file = mosaic.MosaicFile(data)
    batches = list(file.iter_batches(50))
    assert max(batch.num_rows for batch in batches) <= 50
    assert same(pa.Table.from_batches(batches, table.schema), table)
    last = file.num_row_groups - 1
    both = pa.concat_tables([file.read_row_group(last), file.read_row_group(0)])
    assert same(pa.Table.from_batches(file.iter_batches(row_groups=[last, 0]), table.schema), both)
    assert sum(batch.num_rows for batch in file.iter_batches(7, columns=[])) == table.num_rows
    for size, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="batch_size"):
            file.iter_batches(size)
    with pytest.raises(KeyError):
        file.iter_batches(columns=["not there"])


def test_batches_stop_early() -> None:
    data = written(pa.concat_tables([GROUPS] * 50), row_group_max_bytes=1)
    source = Recorded(data)
    batches = mosaic.MosaicFile(source).iter_batches(1)
    assert next(batches).num_rows == 1
    batches.close()
    before = threading.active_count()
    assert next(mosaic.MosaicFile(source).iter_batches(1)).num_rows == 1
    assert threading.active_count() <= before + 1


def test_sources(tmp_path: Path) -> None:
    data = written(TABLE)
    path = tmp_path / "x.mosaic"
    path.write_bytes(data)
    with open(path, "rb") as file:
        sources = [
            data,
            bytearray(data),
            memoryview(data),
            pa.py_buffer(data),
            pa.BufferReader(data),
            io.BytesIO(data),
            file,
            path,
            str(path),
            path.as_uri(),
            pa.memory_map(str(path)),
        ]
        for source in sources:
            assert mosaic.read_table(source).equals(TABLE)
    assert mosaic.read_table(path, memory_map=False).equals(TABLE)
    assert mosaic.read_table(str(path), filesystem=pyarrow.fs.LocalFileSystem()).equals(TABLE)
    with pytest.raises(TypeError, match="source"):
        mosaic.read_table(7)
    with pytest.raises(FileNotFoundError):
        mosaic.read_table(tmp_path / "missing")
    for empty in (b"", tmp_path / "empty"):
        (tmp_path / "empty").write_bytes(b"")
        with pytest.raises(DecodeError):
            mosaic.read_table(empty)


def test_mapped_memory_that_was_given_back_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    data = random.Random(1).randbytes(100_001)
    path.write_bytes(data)
    with MappedReader(str(path)) as ranges:
        view = ranges.read(5, 90_000)
        assert view == data[5:90_005]
        for _ in range(100):
            assert ranges.read(0, len(data)) == data
            assert view == data[5:90_005]


@pytest.mark.parametrize("native", [True, False])
def test_ranges_of_a_mapped_file_are_gathered(tmp_path: Path, native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr("lakecodec.runtime.ranges._file_reads", None)
    path = tmp_path / "x.bin"
    data = random.Random(1).randbytes(100_001)
    path.write_bytes(data)
    ranges = MappedReader(str(path))
    ranges.close()
    for spans in (
        [(5, 10), (90_000, 3), (100_001, 0)],
        [(0, 90_000), (90_000, 10_001)],
        [(7, 0)],
        [(100_000, 1), (0, 1)],
    ):
        starts, sizes = (np.array(numbers, np.int64) for numbers in zip(*spans, strict=True))
        found, places = ranges.gather(starts, sizes)
        for (start, size), place in zip(spans, places.tolist(), strict=True):
            assert found[place : place + size] == data[start : start + size]


def test_pieces_of_a_mapped_file_outlive_it_and_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.bin"
    data = random.Random(1).randbytes(100_001)
    path.write_bytes(data)
    for copied in (2**20, 1000):
        monkeypatch.setattr("lakecodec.runtime.ranges._COPIED", copied)
        ranges = MappedReader(str(path))
        ranges.close()
        pieces = [(start, size, ranges.piece(start, size)) for start, size in [(5, 10), (0, 100_001), (7, 0)]]
        del ranges
        assert all(found == data[start : start + size] for start, size, found in pieces)
    if hasattr(os, "pread"):
        ranges = MappedReader(str(path))
        os.truncate(path, 1000)
        assert ranges.piece(990, 20) == data[990:1000]


@pytest.mark.skipif(backend() == "pure", reason="nothing was built")
def test_ranges_are_gathered_whole_or_not_at_all(tmp_path: Path) -> None:
    from lakecodec.runtime.native import file_reads

    def gather(*spans: tuple[int, int]) -> bytes | None:
        return file_reads.gather(file.fileno(), *(np.array(numbers, np.int64) for numbers in zip(*spans, strict=True)))

    (tmp_path / "x.bin").write_bytes(b"0123456789")
    with open(tmp_path / "x.bin", "rb") as file:
        assert gather((8, 2), (0, 3), (10, 0)) == b"89012"
        assert gather((8, 2), (9, 2)) is None
        with pytest.raises(ValueError, match="range"):
            gather((-1, 2))
        with pytest.raises(ValueError, match="range"):
            gather((0, 2**62), (0, 2**62))
    with pytest.raises(ValueError, match="one of each"):
        file_reads.gather(0, np.zeros(1, np.int64), np.zeros(2, np.int64))


def test_a_file_opens_with_one_read() -> None:
    source = Recorded(written(TABLE))
    file = mosaic.MosaicFile(source)
    assert file.schema.equals(TABLE.schema)
    assert file.metadata.num_rows == 4
    assert source.reads == [(0, len(source.getvalue()))]


def test_a_long_schema_takes_a_second_read() -> None:
    table = pa.table({random.Random(number).randbytes(20).hex(): [number] for number in range(4000)})
    source = Recorded(written(table))
    file = mosaic.MosaicFile(source)
    assert file.schema.equals(table.schema)
    assert len(source.reads) == 2


def test_only_wanted_buckets_are_read() -> None:
    rows = 30_000
    table = pa.table({f"c{number:02}": noise(rows, number) for number in range(20)})
    source = Recorded(written(table, num_buckets=20))
    file = mosaic.MosaicFile(source)
    _ = file.metadata
    source.reads.clear()
    assert file.read(["c03", "c17"]).equals(table.select(["c03", "c17"]))
    buckets = {bucket.columns: bucket for bucket in file.metadata.row_groups[0].buckets}
    wanted = [buckets[(name,)] for name in ("c03", "c17")]
    assert sorted(source.reads) == [(bucket.offset, bucket.stored_size) for bucket in wanted]


def test_neighbours_are_read_together() -> None:
    table = pa.table({f"c{number:02}": noise(10_000, number) for number in range(10)})
    source = Recorded(written(table, num_buckets=10))
    file = mosaic.MosaicFile(source)
    _ = file.metadata
    source.reads.clear()
    file.read(["c02", "c03", "c05"])
    assert len(source.reads) == 1


def test_only_wanted_slots_of_paged_buckets_are_read() -> None:
    rows = 200_000
    table = pa.table({f"c{number}": noise(rows, number) for number in range(4)} | {"l": pa.array([[1, None]] * rows)})
    source = Recorded(written(table, num_buckets=1, page_size_threshold=1))
    file = mosaic.MosaicFile(source)
    (bucket,) = file.metadata.row_groups[0].buckets
    assert bucket.layout == "paged"
    source.reads.clear()
    assert file.read(["c1", "l"]).equals(table.select(["c1", "l"]))
    assert sum(size for _, size in source.reads) < 0.5 * bucket.stored_size
    # The directory, then two distant blocks; the lists' lengths and elements are neighbours.
    assert len(source.reads) == 3


def test_row_groups_are_fetched_together() -> None:
    batches = [
        pa.record_batch({f"c{number}": noise(100, 10 * group + number) for number in range(8)}) for group in range(40)
    ]
    table = pa.Table.from_batches(batches)
    source = Recorded(written(table, num_buckets=8, row_group_max_bytes=1))
    file = mosaic.MosaicFile(source)
    assert file.num_row_groups == 40
    source.reads.clear()
    assert file.read(["c4"]).equals(table.select(["c4"]))
    assert len(source.reads) <= 2


def test_statistics() -> None:
    table = pa.table(
        {
            "i": pa.array([3, None, -5]),
            "s": ["b", "a", None],
            "d": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], pa.decimal128(10, 2)),
            "t": pa.array([1, 2, None], pa.timestamp("us", "UTC")),
            "day": pa.array([datetime.date(2024, 1, 1), None, datetime.date(1969, 12, 31)]),
            "clock": pa.array([0, 1000, None], pa.time32("ms")),
            "b": [True, None, False],
            "n": pa.array([None, None, None], pa.float32()),
            "none": [1, 2, 3],
        }
    )
    names = [name for name in table.column_names if name != "none"]
    file = mosaic.MosaicFile(written(table, stats_columns=names))
    stats = file.statistics(0)
    assert set(stats) == set(names)
    for name in names:
        values = [value for value in table[name].to_pylist() if value is not None]
        found = stats[name]
        assert found.null_count == 3 - len(values)
        assert found.has_min_max == bool(values)
        assert (found.min, found.max) == ((min(values), max(values)) if values else (None, None))
    with pytest.raises(IndexError):
        file.statistics(1)


def test_metadata() -> None:
    data = written(GROUPS, row_group_max_bytes=1, num_buckets=2, stats_columns=["b"])
    meta = mosaic.read_metadata(data)
    assert (meta.num_rows, meta.num_columns, meta.num_buckets, meta.num_row_groups) == (4, 3, 2, 2)
    assert (meta.compression, meta.version, meta.size) == ("zstd", 1, len(data))
    assert meta.schema.equals(GROUPS.schema)
    first, second = meta.row_groups
    assert (first.num_rows, second.num_rows) == (2, 2)
    assert [bucket.columns for bucket in first.buckets] == [("a", "b"), ("c",)]
    assert {bucket.layout for bucket in first.buckets} == {"monolithic"}
    assert first.buckets[0].offset == 0
    assert sum(group.stored_size for group in meta.row_groups) == meta.schema_offset
    assert second.statistics["b"].min == 3
    assert meta.row_groups[-1].num_rows == 2
    assert len(meta.row_groups[:5]) == 2
    assert "num_rows=4" in repr(meta)


def test_a_file_is_read_from_several_threads() -> None:
    table = random_table(random.Random(8), columns=30)
    file = mosaic.MosaicFile(written(table, row_group_max_bytes=1))
    results: list[bool] = []
    threads = [threading.Thread(target=lambda: results.append(same(file.read(), table))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_limit() -> None:
    data = written(pa.table({"x": [7] * 100_000}))
    assert mosaic.MosaicFile(data, limit=10**6).read().num_rows == 100_000
    with pytest.raises(DecodeError, match="limit"):
        mosaic.MosaicFile(data, limit=10**5).read()
    with pytest.raises(TypeError, match="limit"):
        mosaic.MosaicFile(data, limit="1")  # type: ignore[arg-type]
