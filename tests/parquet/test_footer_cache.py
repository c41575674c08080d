"""The cache of footers: the same results from it, nothing stale, nothing damaged, nothing lost by a crash."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from lakecodec import parquet
from lakecodec.generated.parquet import FileMetaData
from lakecodec.parquet import footer_cache
from lakecodec.parquet.searched_column import rest_of
from lakecodec.runtime.errors import DecodeError

from .files import FILES


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written just now are kept, unless a test wants otherwise."""
    monkeypatch.setattr(footer_cache, "_is_time_unique", lambda changed, now: True)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    for number in range(150):
        table = pa.table({"n": range(number * 10, number * 10 + 10), "t": [f"x{number}"] * 10})
        pq.write_table(table, folder / f"{number:03}.parquet", row_group_size=5, write_page_index=number % 2 == 0)
    (folder / "large.parquet").write_bytes(FILES["defaults"]())
    return folder


def results(sources: Any, **options: Any) -> list[pa.Table]:
    return [
        parquet.column_chunks(sources, **options),
        parquet.column_chunks(sources, columns=["t"], fields=["file", "max"], typed=True, **options),
        parquet.statistics(sources, **options),
        parquet.row_groups_with(sources, "n", [77, 1203], **options),
        parquet.row_groups_with(sources, "t", "x20", **options),
    ]


def forbid_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise AssertionError("a footer is read")

    monkeypatch.setattr("lakecodec.parquet.footer_batches._read_files", fail)


def test_the_same_without_reading(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = results(lake)
    path = tmp_path / "footers.arrow"
    assert results(lake, cache=parquet.FooterCache(path)) == expected
    assert pa.ipc.open_file(path).read_all().num_rows == 151
    forbid_reads(monkeypatch)
    cache = parquet.FooterCache(path)
    for _ in range(2):
        assert results(lake, cache=cache) == expected
    os.chdir(lake)
    names = sorted(os.listdir("."))
    assert parquet.column_chunks(names, cache=cache).drop(["file"]) == expected[0].drop(["file"])


def test_some_are_known(lake: Path, tmp_path: Path) -> None:
    cache = parquet.FooterCache(tmp_path / "footers.arrow")
    parquet.statistics([lake / f"{number:03}.parquet" for number in range(0, 150, 3)], cache=cache)
    before = results(lake)
    assert results(lake, cache=cache) == before
    assert results(lake, cache=parquet.FooterCache(cache.path)) == before


def test_changed_files_are_read_again(lake: Path, tmp_path: Path) -> None:
    cache = parquet.FooterCache(tmp_path / "footers.arrow")
    parquet.column_chunks(lake, cache=cache)
    path = lake / "007.parquet"
    old = path.stat()
    size = len(path.read_bytes())
    pq.write_table(pa.table({"n": range(5000, 5010), "t": ["x7"] * 10}), path, row_group_size=5)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert len(path.read_bytes()) == size
    (lake / "008.parquet").unlink()
    for each in (cache, parquet.FooterCache(cache.path), cache):
        assert results(lake, cache=each) == results(lake)
    assert parquet.row_groups_with(lake, "n", 5003, cache=cache).num_rows == 1


def test_files_that_changed_just_now_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    cache, path = parquet.FooterCache(tmp_path / "footers.arrow"), tmp_path / "a.parquet"
    pq.write_table(pa.table({"n": [1]}), path)
    now = time.time_ns()
    assert not footer_cache._is_time_unique(now - 10_000_001, now)
    assert not footer_cache._is_time_unique(now // 1_000_000_000 * 1_000_000_000, now)
    assert footer_cache._is_time_unique(now - 3_000_000_000, now)
    os.utime(path, (0, 0))
    parquet.column_chunks(path, cache=cache)
    assert not os.path.exists(cache.path), "the time of the content is not all that counts"


@pytest.mark.parametrize("kind", ["arrow", "fsspec", "url"])
def test_other_file_systems(kind: str, lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filesystem = {"arrow": pyarrow.fs.LocalFileSystem(), "fsspec": fsspec.filesystem("file"), "url": None}[kind]
    where = lake.as_uri() if kind == "url" else str(lake)
    options: dict[str, Any] = {"filesystem": filesystem}
    expected = results(where, **options)
    cache = parquet.FooterCache(tmp_path / "footers.arrow")
    assert results(where, cache=cache, **options) == expected
    one = f"{where}/003.parquet"
    alone = parquet.column_chunks(one, **options)
    forbid_reads(monkeypatch)
    assert results(where, cache=cache, **options) == expected
    assert parquet.column_chunks(one, cache=cache, **options) == alone


def test_buffers_and_broken_files(lake: Path, tmp_path: Path) -> None:
    cache = parquet.FooterCache(tmp_path / "footers.arrow")
    sources = [lake / "003.parquet", FILES["defaults"](), lake / "004.parquet", lake / "gone.parquet"]
    (lake / "text.parquet").write_bytes(b"no Parquet, only text")
    sources.insert(1, lake / "text.parquet")
    expected = parquet.column_chunks(sources, errors="column")
    for _ in range(2):
        assert parquet.column_chunks(sources, errors="column", cache=cache) == expected
    with pytest.raises(DecodeError, match="not a Parquet file"):
        parquet.column_chunks(sources, cache=cache)
    assert parquet.column_chunks([], cache=cache).num_rows == 0


def test_damage_is_never_trusted(lake: Path, tmp_path: Path) -> None:
    path = tmp_path / "footers.arrow"
    sources = [lake / f"{number:03}.parquet" for number in range(3)]
    expected = parquet.column_chunks(sources)
    parquet.column_chunks(sources, cache=parquet.FooterCache(path))
    sound = path.read_bytes()
    for place in [*range(0, len(sound), 41), len(sound) - 1]:
        path.write_bytes(sound[:place] + bytes([sound[place] ^ (1 << place % 8)]) + sound[place + 1 :])
        assert parquet.column_chunks(sources, cache=parquet.FooterCache(path)) == expected, place
    for size in range(0, len(sound), 311):
        path.write_bytes(sound[:size])
        assert parquet.column_chunks(sources, cache=parquet.FooterCache(path)) == expected, size
    assert pa.ipc.open_file(path).read_all().num_rows == 3


def test_another_arrow_file_is_replaced(lake: Path, tmp_path: Path) -> None:
    path = tmp_path / "footers.arrow"
    with pa.ipc.new_file(path, pa.schema([("file", pa.string())])) as writer:
        writer.write_table(pa.table({"file": ["x"]}))
    parquet.column_chunks(lake / "000.parquet", cache=parquet.FooterCache(path))
    assert pa.ipc.open_file(path).read_all().num_rows == 1


KILLED = """
import sys
from lakecodec import parquet
from lakecodec.parquet import footer_cache
footer_cache._is_time_unique = lambda changed, now: True
print("begun", flush=True)
number = 0
while True:
    number += 1
    parquet.column_chunks([f"{sys.argv[1]}/{each:03}.parquet" for each in range(number % 150)],
                          cache=parquet.FooterCache(sys.argv[2]))
    if number % 150 == 0:
        import os
        os.unlink(sys.argv[2])
"""


class Remote(MemoryFileSystem):  # type: ignore[misc]
    """A store whose requests take a while; counts them, and how many there are at once."""

    cachable = False

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[tuple[str, str]] = []
        self.now = self.most = 0
        self.lock = threading.Lock()

    def _wait(self, kind: str, path: str) -> None:
        with self.lock:
            self.requests.append((kind, path))
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.003)
        with self.lock:
            self.now -= 1

    def info(self, path: str, **options: Any) -> Any:
        self._wait("info", path)
        return {**super().info(path, **options), "ETag": "1"}

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> Any:
        self._wait("read", path)
        return super().cat_file(path, start=start, end=end, **options)


def test_remote_files_are_asked_side_by_side(lake: Path, tmp_path: Path) -> None:
    store = Remote()
    paths = [f"/side/{number:03}.parquet" for number in range(60)]
    for path in paths:
        store.pipe_file(path, (lake / path[6:]).read_bytes())
    expected = parquet.column_chunks(paths, filesystem=store)
    for known in (False, True):
        store.requests, store.most = [], 0
        cache = parquet.FooterCache(tmp_path / "footers.arrow")
        assert parquet.column_chunks(paths, cache=cache, filesystem=store) == expected
        kinds = [kind for kind, _ in store.requests]
        assert kinds.count("read") == (0 if known else len(paths))
        assert kinds.count("info") == len(paths)
        assert store.most > 2


def test_a_killed_writer_leaves_a_whole_file(lake: Path, tmp_path: Path) -> None:
    path = tmp_path / "footers.arrow"
    for number in range(6):
        with subprocess.Popen([sys.executable, "-c", KILLED, str(lake), str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.05 + 0.037 * number)
            process.kill()
        if path.exists():
            assert pa.ipc.open_file(path).read_all().num_rows > 0
    assert results(lake, cache=parquet.FooterCache(path)) == results(lake)


def test_the_cache_cannot_be_written(lake: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        parquet.column_chunks(lake, cache=parquet.FooterCache(tmp_path / "nowhere" / "footers.arrow"))


@pytest.mark.parametrize("place", range(4))
def test_column_orders_are_those_of_each_file(place: int, tmp_path: Path) -> None:
    """Bounds of a file that names no order are not trusted, wherever it comes among files that do."""
    paths = [tmp_path / f"{number}.parquet" for number in range(4)]
    for number, path in enumerate(paths):
        pq.write_table(pa.table({"t": ["a", "b"]}), path, compression="none")
        metadata = parquet.read_metadata(path)
        if number == place:
            metadata.column_orders = None
        data = path.read_bytes()
        end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
        path.write_bytes(data[:end] + parquet.write_metadata(metadata))
    cache = parquet.FooterCache(tmp_path / "footers.arrow")
    for _ in range(2):
        found = parquet.row_groups_with(paths, "t", "z", cache=cache)
        assert found["file"].to_pylist() == [str(paths[place])]


def test_what_follows_the_row_groups() -> None:
    metadata = parquet.read_metadata(FILES["defaults"]())
    encoded = metadata.to_bytes()
    rest = rest_of(encoded)
    without = encoded[:rest] + b"\0"
    assert FileMetaData.from_bytes(without).row_groups == metadata.row_groups
    assert FileMetaData.from_bytes(without).column_orders is None
    assert 0 < rest < len(encoded)
    assert rest_of(encoded[: rest - 1]) == rest_of(b"") == 0
    # Field 7, an empty list, before the others: fields in any order are valid, and the rest does not say all.
    assert rest_of(b"\x79\x0c" + b"\x05\x02" + encoded[1:]) == 0
