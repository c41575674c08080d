"""Everything a file may be passed as, and how often it is read."""

from __future__ import annotations

import io
import mmap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.parquet.pages import page_headers
from lakecodec.parquet.sources import expand
from lakecodec.parquet.threads import map_threads
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.ranges import RangeReader, open_ranges
from lakecodec.runtime.tail_cache import TAIL_SIZE, TailCache
from tests.memory import traced
from tests.parquet.files import ARROW_FILES

NAME = "nested page index"
DATA = ARROW_FILES[NAME]()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a file.parquet"
    path.write_bytes(DATA)
    return path


@pytest.fixture
def memory() -> Iterator[Any]:
    filesystem = fsspec.filesystem("memory")
    filesystem.pipe_file("/folder/a.parquet", DATA)
    yield filesystem
    filesystem.rm("/folder", recursive=True)


def local(path: Path) -> pafs.FileSystem:
    return pafs.SubTreeFileSystem(str(path.parent), pafs.LocalFileSystem())


def mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


SOURCES: dict[str, Callable[[Path], Any]] = {
    "str": str,
    "Path": lambda path: path,
    "file URL": lambda path: path.as_uri(),
    "bytes": lambda path: DATA,
    "bytearray": lambda path: bytearray(DATA),
    "memoryview": lambda path: memoryview(DATA),
    "array": lambda path: np.frombuffer(DATA, np.uint8),
    "pyarrow buffer": lambda path: pa.py_buffer(DATA),
    "mmap": lambda path: mapped(path),
    "BytesIO": lambda path: io.BytesIO(DATA),
    "buffered file": lambda path: path.open("rb"),
    "raw file": lambda path: path.open("rb", buffering=0),
    "pyarrow file": lambda path: pa.OSFile(str(path)),
    "pyarrow memory map": lambda path: pa.memory_map(str(path)),
    "pyarrow buffer reader": lambda path: pa.BufferReader(DATA),
    "pyarrow input file": lambda path: local(path).open_input_file(path.name),
    "Python file in pyarrow": lambda path: pa.PythonFile(io.BytesIO(DATA), "r"),
    "fsspec file": lambda path: fsspec.open(f"file://{path}", "rb").open(),
    "fsspec open file": lambda path: fsspec.open(f"file://{path}", "rb"),
    "range reader": lambda path: open_ranges(str(path)),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_sources(kind: str, path: Path) -> None:
    expected = parquet.read_metadata(DATA)
    assert parquet.read_metadata(SOURCES[kind](path)) == expected
    source = SOURCES[kind](path)
    # A file object that the caller passed stays open and can be used again.
    for _ in range(2):
        assert list(parquet.page_headers(source, 0, 1)) == list(parquet.page_headers(DATA, 0, 1))
        assert parquet.page_index(source, 0, 1) == parquet.page_index(DATA, 0, 1)


def test_file_systems(path: Path, memory: Any) -> None:
    expected = parquet.read_metadata(DATA)
    assert parquet.read_metadata(path.name, filesystem=local(path)) == expected
    assert parquet.read_metadata("/folder/a.parquet", filesystem=memory) == expected
    assert parquet.read_metadata("memory://folder/a.parquet") == expected
    assert parquet.read_metadata(memory.open("/folder/a.parquet", "rb")) == expected
    assert list(parquet.page_headers("memory://folder/a.parquet", 0, 0)) == list(parquet.page_headers(DATA, 0, 0))


def test_directories(tmp_path: Path, memory: Any) -> None:
    wanted = ["a.parquet", "b=1/c.parquet", "b=1/d.parquet", "_e=2/f"]
    hidden = ["_metadata", ".crc", "_delta_log/0.checkpoint.parquet", "b=1/_SUCCESS"]
    for name in wanted + hidden:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(DATA)
        memory.pipe_file(f"/folder/tree/{name}", DATA)
    expected = sorted(str(tmp_path / name) for name in wanted)
    assert sorted(source.name or "" for source in expand(tmp_path)) == expected
    assert len(parquet.read_metadatas(tmp_path)) == 4
    urls = sorted(source.name or "" for source in expand(tmp_path.as_uri()))
    assert urls == sorted(f"{tmp_path.as_uri()}/{name}" for name in wanted)
    found = [source.name for source in expand("memory://folder/tree")]
    assert found == sorted(f"memory://folder/tree/{name}" for name in wanted)
    parent = pafs.SubTreeFileSystem(str(tmp_path.parent), pafs.LocalFileSystem())
    found = [source.name for source in expand(tmp_path.name, parent)]
    assert found == sorted(f"{tmp_path.name}/{name}" for name in wanted)
    both = expand([tmp_path / "a.parquet", DATA, str(tmp_path / "b=1")])
    assert [source.name for source in both] == [
        str(tmp_path / "a.parquet"),
        None,
        str(tmp_path / "b=1/c.parquet"),
        str(tmp_path / "b=1/d.parquet"),
    ]


def test_wrong_sources(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        parquet.read_metadata(tmp_path / "missing.parquet")
    with pytest.raises(IsADirectoryError):
        parquet.read_metadata(tmp_path)
    with pytest.raises(TypeError, match="source"):
        parquet.read_metadata(17)
    with pytest.raises(TypeError, match="text mode"):
        parquet.read_metadata(io.StringIO("PAR1"))
    with pytest.raises(TypeError, match="filesystem"):
        parquet.read_metadata("a.parquet", filesystem=object())
    with pytest.raises(TypeError, match="contiguous"):
        parquet.read_metadata(memoryview(DATA)[::2])


def counting(data: bytes) -> RangeReader:
    """A reader of data that is not in memory, as far as anyone can tell."""
    return RangeReader("counted", len(data), lambda offset, length: data[offset : offset + length], lambda: None)


def test_one_read_for_a_footer_that_fits() -> None:
    for name in ("defaults", "many row groups", "no rows"):
        reader = counting(ARROW_FILES[name]())
        parquet.read_metadata(reader)
        assert reader.reads == 1


def test_one_call_of_a_file_object() -> None:
    calls: list[int] = []

    class Counting(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            calls.append(size or 0)
            return super().read(size)

    data = ARROW_FILES["defaults"]()
    assert len(data) > TAIL_SIZE
    parquet.read_metadata(Counting(data))
    assert calls == [TAIL_SIZE]
    calls.clear()
    parquet.read_metadata(pa.PythonFile(Counting(data), "r"))
    assert calls == [TAIL_SIZE]


def test_two_reads_for_a_longer_footer() -> None:
    data = ARROW_FILES["wide"]()
    assert int.from_bytes(data[-8:-4], "little") > TAIL_SIZE
    reader = counting(data)
    assert parquet.read_metadata(reader) == parquet.read_metadata(data)
    assert reader.reads == 2


def test_no_reads_of_what_the_tail_holds() -> None:
    """The page index usually stands just before the footer."""
    reader = counting(DATA)
    assert len(DATA) < TAIL_SIZE
    parquet.page_index(reader, 0, 0)
    list(page_headers(reader, 0, 0))
    assert reader.reads == 2


def test_pages_are_not_read_whole() -> None:
    table = pa.table({"a": np.random.default_rng(1).random(400_000)})
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="none", use_dictionary=False, data_page_size=1024 * 1024)
    data = sink.getvalue()
    fetched: list[int] = []

    def fetch(offset: int, length: int) -> bytes:
        fetched.append(length)
        return data[offset : offset + length]

    reader = RangeReader("counted", len(data), fetch, lambda: None)
    headers = list(parquet.page_headers(reader, 0, 0))
    assert headers == list(parquet.page_headers(data, 0, 0))
    assert len(fetched) <= len(headers) + 1
    assert sum(fetched) < 2 * TAIL_SIZE + 4096 * len(headers) < len(data) / 4


def test_long_headers_are_read_on() -> None:
    """A header longer than one read: statistics may hold whole values."""
    table = pa.table({"a": ["x" * 200_000, "y" * 200_000]})
    sink = io.BytesIO()
    pq.write_table(table, sink, use_dictionary=False, write_statistics=True, compression="none")
    data = sink.getvalue()
    padded = counting(data)
    assert list(parquet.page_headers(padded, 0, 0)) == list(parquet.page_headers(data, 0, 0))


def test_range_reader() -> None:
    reader = counting(b"0123456789")
    assert reader.read(2, 3) == b"234"
    assert reader.read(10, 0) == b""
    assert reader.reads == 2
    for offset, length in ((-1, 2), (0, -1), (5, 6), (11, 0)):
        with pytest.raises(ValueError, match="offset"):
            reader.read(offset, length)
    short = RangeReader("short", 10, lambda offset, length: b"01", lambda: None)
    with pytest.raises(DecodeError, match="ends early"):
        short.read(0, 5)


def test_tail_cache() -> None:
    reader = counting(bytes(range(100)))
    tail = TailCache(reader, 10)
    assert (tail.start, reader.reads) == (90, 1)
    assert tail.read(92, 3) == bytes([92, 93, 94])
    assert reader.reads == 1
    assert tail.read(50, 45) == bytes(range(50, 95))
    assert reader.reads == 2
    tail.extend(60)
    assert tail.read(60, 40) == bytes(range(60, 100))
    assert tail.reads == 3


def test_a_long_footer_of_a_local_file_is_not_joined(tmp_path: Path) -> None:
    """What is longer than the first read comes with one more, into the memory that the result keeps."""
    path, data = tmp_path / "long", bytes(range(256)) * 2048
    path.write_bytes(data)
    with open_ranges(path) as ranges:
        tail = TailCache(ranges)

        def extend() -> None:
            tail.extend(100)
            assert (tail.start, tail.reads) == (100, 2)

        assert traced(extend).peak < 1.1 * len(data)
        extend()
        assert tail.read(100, len(data) - 100) == data[100:]


def test_long_footers_lie_in_memory_that_serves_again(tmp_path: Path) -> None:
    """What is left of one footer stays as it is while others are read, dropped, and read in their memory."""
    paths = [tmp_path / name for name in "abc"]
    tables = [pa.table({f"{path.name} {number:0200}": [number] for number in range(3000)}) for path in paths]
    for path, table in zip(paths, tables, strict=True):
        pq.write_table(table, path)
    kept = parquet.read_metadata(paths[0])
    for path in [*paths[1:], *paths]:
        metadata = parquet.read_metadata(path)
        chunk = metadata.row_groups[0].columns[2999].meta_data
        assert chunk is not None
        assert chunk.path_in_schema == [f"{path.name} {2999:0200}"]
        assert metadata == parquet.read_metadata(path.read_bytes())
        del metadata, chunk
    assert kept == parquet.read_metadata(paths[0].read_bytes())
    assert [chunk.meta_data.path_in_schema for chunk in kept.row_groups[0].columns] == [
        [name] for name in tables[0].column_names
    ]


def test_threads_where_storage_is_slow() -> None:
    """Slow files are read side by side, quick ones one after the other; results and errors keep their order."""
    seen: set[int] = set()

    def slow(item: int) -> int:
        seen.add(threading.get_ident())
        time.sleep(0.005)
        return item

    assert map_threads(slow, range(40), None) == list(range(40))
    assert len(seen) > 2
    seen.clear()

    def quick(item: int) -> int:
        seen.add(threading.get_ident())
        return item

    assert map_threads(quick, range(40), None) == list(range(40))
    assert seen == {threading.get_ident()}

    def failing(item: int) -> int:
        time.sleep(0.002 if item % 2 else 0.004)
        if item >= 10:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="10"):
        map_threads(failing, range(40), 4)
