"""Scans that read files and row groups ahead: order, room, errors, ends, forks, and how often a store is waited for."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from lakecodec import lake
from lakecodec.lake.log import Log
from lakecodec.lake.read import parts, prefetch, remote
from lakecodec.lake.read.ahead import Prefetcher
from lakecodec.lake.read.parts import Counts, FilePart, ScanFile, Stretch
from lakecodec.lake.writing import attempt
from lakecodec.runtime.errors import DecodeError
from tests.lake.s3 import BUCKET, Server, server

QUIET: dict[str, Any] = {"progress": False}
ROWS, FILES = 3000, 5


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server() as found:
        yield found


@pytest.fixture(autouse=True)
def small_row_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files have several row groups, each of which is a stretch, as if it had 16 MiB."""
    monkeypatch.setattr(parts, "_STRETCH", 1)
    monkeypatch.setattr(attempt, "_ROW_GROUP_BYTES", 16 << 10)
    monkeypatch.setattr(attempt, "_SMALLEST_ROW_GROUP", 16 << 10)


def rows(number: int, count: int = ROWS) -> pa.Table:
    chance = np.random.default_rng(number)
    ids = np.arange(count) + number * count
    return pa.table({"id": ids, "value": chance.random(count), "text": [f"text {each:012}" for each in ids]})


def write(path: Any, files: int = FILES, count: int = ROWS, **options: Any) -> str:
    for number in range(files):
        lake.write(rows(number, count), path, **QUIET, **options)
    return str(path)


def take(items: Iterator[Any], give: Callable[[Any], object]) -> None:
    for item in items:
        give(item)


def scan_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("lakecodec-scan")]


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
@pytest.mark.parametrize("remote", [False, True])
def test_rows_keep_their_order(tmp_path: Path, format: str, remote: bool) -> None:
    write(tmp_path / "t", format=format)
    lake.delete(tmp_path / "t", "value < 0.1 OR id BETWEEN 3000 AND 5999", deletion_vectors=True, **QUIET)
    for where in (None, "id > 700 AND id < 13000 AND value < 0.5"):
        plan = lake.open_scan(tmp_path / "t", where=where).plan
        counts, expected_counts = Counts(), Counts()
        expected = plan.reader(expected_counts).read([FilePart(file) for file in plan.files])
        found = prefetch.read_ahead(plan.reader(counts, threads=True), plan.files, remote=remote)
        assert pa.Table.from_batches(found).equals(pa.Table.from_batches(expected))
        assert counts == expected_counts
        assert counts.row_groups_read > 2 * len(plan.files)
    assert scan_threads() == []


class Parts:
    """A reader of files that are numbers of batches, which notes what was made."""

    def __init__(self) -> None:
        self.counts = Counts()
        self.opened: list[int] = []
        self.closed: list[int] = []
        self.made = 0
        self.lock = threading.Lock()

    def opener(self) -> Callable[[FilePart[Any]], Any]:
        return lambda part: _Part(self, part.file)


BATCH = pa.record_batch({"number": np.arange(1 << 17)})


class _Part:
    def __init__(self, reader: Parts, file: ScanFile) -> None:
        self.reader, self.file = reader, file.number
        reader.opened.append(file.number)

    def stretches(self) -> list[Stretch]:
        return [Stretch([number], 20 << 20) for number in range(4)]

    def batches(self, row_groups: list[int], *, alone: bool) -> Generator[pa.RecordBatch, None, None]:
        for _ in range(1000):
            with self.reader.lock:
                self.reader.made += 1
            yield BATCH

    def count(self, counts: Counts) -> None:
        counts.row_groups += 4

    def close(self) -> None:
        self.reader.closed.append(self.file)


@pytest.mark.parametrize("remote", [False, True])
def test_room(remote: bool) -> None:
    """A scan that nobody takes rows from holds no more than it says; one that is closed closes its files."""
    reader: Any = Parts()
    files = [ScanFile("", 80 << 20, None, (), number) for number in range(100)]
    batches: Any = prefetch.read_ahead(reader, files, remote=remote)
    for taken in range(50):
        next(batches)
        with reader.lock:
            most = prefetch._WAITING // BATCH.nbytes + 16 + taken + 1
            assert reader.made <= most
    assert len(reader.opened) <= 2 * 16 + 2
    batches.close()
    assert scan_threads() == []
    assert set(reader.opened[:2]) >= set(reader.closed)
    assert reader.closed


def test_items_ahead() -> None:
    """They come in order, errors behind the items before them, and a closed one closes what it reads."""
    ended = threading.Event()

    def items() -> Generator[int, None, None]:
        try:
            yield from range(1000)
            raise KeyError("the end")
        finally:
            ended.set()

    with ThreadPoolExecutor(1) as pool:
        found: list[int] = []
        with pytest.raises(KeyError, match="the end"):
            take(Prefetcher(pool, items(), lambda item: 1, 3), found.append)
        assert found == list(range(1000))
        ended.clear()
        ahead = Prefetcher(pool, items(), lambda item: 1, 3)
        assert next(ahead) == 0
        ahead.close()
        assert ended.wait(10)


def _missing(path: Path) -> None:
    path.unlink()


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _damaged_footer(path: Path) -> None:
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[-8:-4], "little")
    data[-8 - size : -8] = b"\xff" * size
    path.write_bytes(data)


def _damaged_page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[1000:3000] = b"\xff" * 2000
    path.write_bytes(data)


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("harm", [_missing, _cut, _damaged_footer, _damaged_page])
@pytest.mark.parametrize("where", [None, "id >= 0"])
def test_a_file_is_broken(tmp_path: Path, format: str, remote: bool, harm: Any, where: str | None) -> None:
    """All rows of the files before it are given out, the error names it, and no thread or descriptor is left."""
    table = write(tmp_path / "t", format=format)
    plan = lake.open_scan(table, where=where).plan
    broken = plan.files[3].path
    harm(tmp_path / "t" / broken)
    before = set(os.listdir("/proc/self/fd"))
    found: list[int] = []
    with pytest.raises(FileNotFoundError if harm is _missing else DecodeError) as caught:
        take(
            prefetch.read_ahead(plan.reader(threads=True), plan.files, remote=remote),
            lambda batch: found.extend(batch["id"].to_pylist()),
        )
    assert broken in str(caught.value)
    assert found[: 3 * ROWS] == list(range(3 * ROWS))
    assert not set(found) & set(range(4 * ROWS, 5 * ROWS))
    assert scan_threads() == []
    del caught
    gc.collect()  # an error holds what its traceback goes through
    assert set(os.listdir("/proc/self/fd")) <= before


@pytest.mark.parametrize("harm", ["missing", "denied", "cut"])
def test_a_file_of_a_store_is_broken(s3: Server, harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores' own errors do not name files."""
    url = write(f"s3://{BUCKET}/{uuid4().hex}", 3)
    scan = lake.open_scan(url)
    broken = scan.plan.files[1].path
    from lakecodec.lake.log.storage import Storage, fsspec_client

    storage = Storage(url)
    client = fsspec_client(storage.filesystem)
    if harm == "missing":
        client.rm_file(storage.path(broken))
    elif harm == "cut":
        client.pipe_file(storage.path(broken), client.cat_file(storage.path(broken))[:-1000])
    else:
        read = client.cat_file

        def cat_file(path: str, *args: Any, **options: Any) -> Any:
            if broken in path:
                raise PermissionError("access denied")
            return read(path, *args, **options)

        monkeypatch.setattr(client, "cat_file", cat_file)
    kind: Any = {"missing": FileNotFoundError, "denied": PermissionError, "cut": (DecodeError, OSError)}[harm]
    batches = scan.batches()
    found: list[int] = []
    with pytest.raises(kind, match=broken):
        take(batches, lambda batch: found.extend(batch["id"].to_pylist()))
    assert found == list(range(ROWS))
    assert scan_threads() == []


def test_a_scan_that_is_dropped(tmp_path: Path) -> None:
    table = write(tmp_path / "t")
    scan = lake.open_scan(table)
    before = set(os.listdir("/proc/self/fd"))
    batches = scan.batches()
    next(batches)
    assert scan_threads()
    del batches
    assert scan_threads() == []
    assert set(os.listdir("/proc/self/fd")) <= before


def test_small_files_are_read_without_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = write(tmp_path / "t")
    monkeypatch.setattr(parts, "_STRETCH", 16 << 20)
    batches = lake.open_scan(table).batches()
    first = next(batches)
    assert scan_threads() == []
    assert pa.Table.from_batches([first, *batches])["id"].to_pylist() == list(range(FILES * ROWS))


def test_a_small_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening it again, or waking threads for its columns, takes longer than decoding it."""
    monkeypatch.setattr(parts, "_STRETCH", 16 << 20)
    opened, threads = list[Any](), set[bool]()

    class Counted(pq.ParquetFile):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            opened.append(self)

        def iter_batches(self, *arguments: Any, use_threads: bool, **options: Any) -> Any:
            threads.add(use_threads)
            return super().iter_batches(*arguments, use_threads=use_threads, **options)

    path = write(tmp_path / "table", format="parquet")
    monkeypatch.setattr(pq, "ParquetFile", Counted)
    assert lake.scan(path).read_all().num_rows == FILES * ROWS
    assert len(opened) == FILES
    assert threads == {False}


def test_a_process_ends_amid_a_scan(tmp_path: Path) -> None:
    """No thread waits for a scan that nobody goes on with."""
    table = write(tmp_path / "t")
    code = (
        "import sys; from lakecodec import lake; from lakecodec.lake.read import prefetch, parts\n"
        "prefetch._WAITING = parts._STRETCH = 1\n"
        "reader = lake.scan(sys.argv[1]); print(reader.read_next_batch().num_rows > 0)\n"
        "others = lake.open_scan(sys.argv[1]).batches(); next(others)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, table], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_a_fork_amid_a_scan(tmp_path: Path) -> None:
    """The child can scan anew; to go on with its parent's scan is an error there, and none in the parent."""
    table = write(tmp_path / "t")
    expected = lake.scan(table).read_all()
    batches = lake.open_scan(table).batches()
    first = next(batches)
    child = os.fork()
    if not child:
        code = 1
        try:
            signal.alarm(60)
            try:
                next(batches)
            except RuntimeError as error:
                code = 2 if "begin another after the fork" in str(error) else 3
            del batches
            if code == 2 and lake.scan(table).read_all().equals(expected):
                code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert pa.Table.from_batches([first, *batches]).equals(expected)


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_rounds_of_requests(s3: Server, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most three per file that depend on each other, deletion vectors included, as many for eight files as for one.

    To plan a scan takes as many whatever the number of versions.
    """
    from lakecodec.lake.read import remote

    monkeypatch.setattr(remote, "_TAIL", 8 << 10)  # the footer, and no rows
    monkeypatch.setattr(parts, "_STRETCH", 16 << 20)
    rounds = []
    for files in (1, 8):
        url = write(f"s3://{BUCKET}/{uuid4().hex}", files, 10 * ROWS, format=format)
        lake.delete(url, "value < 0.01", deletion_vectors=True, **QUIET)
        scan = lake.open_scan(url, where="value < 0.9")
        with s3.rounds() as reading, s3.count() as requests:
            assert scan.reader().read_all().num_rows
        assert (requests["HEAD"], requests["LIST"]) == (0, 0)
        with s3.rounds() as explaining:
            assert lake.explain(url).files == files
        rounds.append((reading.number, explaining.number))
    assert max(reading for reading, _ in rounds) <= 3
    assert max(explaining for _, explaining in rounds) <= 4  # the list of the log, its commits, vectors and footers


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_writing_asks_for_nothing_that_it_wrote(s3: Server, format: str) -> None:
    """A file is a PUT, and so is a version; the log is listed and read before, not after."""
    url = write(f"s3://{BUCKET}/{uuid4().hex}", 2, format=format)
    with s3.count() as requests:
        lake.write(rows(2), url, **QUIET)
    assert requests == {
        "LIST": 2,
        "GET": 2,
        "PUT": 2,
    }  # the newest version is looked for at the begin and at the commit
    info = lake.write(rows(3), url, **QUIET)
    assert info.timestamp == lake.history(url)[0].timestamp
    for add in Log(url).snapshot().files:
        found = Log(url).storage.info(Log(url).storage.path(add.path))
        assert found is not None
        assert found.size == add.size


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_footers_beside_a_table(s3: Server, monkeypatch: pytest.MonkeyPatch, format: Any) -> None:
    """One file in place of the ends of all; what is new is added, what is damaged read anew; vacuum leaves it."""
    from lakecodec.lake.read import remote

    monkeypatch.setattr(remote, "_TAIL", 8 << 10)  # the footer, and no rows
    monkeypatch.setattr(parts, "_STRETCH", 16 << 20)
    url = write(f"s3://{BUCKET}/{uuid4().hex}", 3, 10 * ROWS, format=format)
    storage = Log(url).storage

    def requests(**options: Any) -> Any:
        scan = lake.open_scan(url, where="id >= 0", **options)
        with s3.count() as found:
            assert scan.reader().read_all().num_rows == 30_000 * files
        return found

    files = 3
    without = requests()
    assert requests(footer_cache=True) == {"GET": without["GET"] + 1, "PUT": 1}
    assert requests(footer_cache=True) == {"GET": 1 + files}
    lake.write(rows(3, 10 * ROWS), url, **QUIET)
    files = 4
    assert requests(footer_cache=True) == {"GET": 1 + files + 1, "PUT": 1}
    assert requests(footer_cache=True) == {"GET": 1 + files}
    data = bytearray(storage.read("_footers.arrow"))
    footer = pa.ipc.open_file(data).read_all()["metadata"][1].as_py()
    data[data.index(footer) + len(footer) // 2] ^= 1
    storage.replace("_footers.arrow", bytes(data))
    assert requests(footer_cache=True)["PUT"] == 1
    for broken in (b"", b"no such file", bytes(data[: len(data) // 2])):
        storage.replace("_footers.arrow", broken)
        assert requests(footer_cache=True)["PUT"] == 1
    assert requests(footer_cache=True) == {"GET": 1 + files}
    assert lake.check(url, deep=True) == []
    lake.vacuum(url, retention=timedelta(0), dry_run=False)
    assert storage.read("_footers.arrow")


def test_footers_that_cannot_be_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path / "t", 1)
    (tmp_path / "t" / "_footers.arrow").mkdir()
    assert lake.scan(tmp_path / "t", footer_cache=True).read_all().num_rows == ROWS
    assert "not kept" in caplog.text
    write(tmp_path / "m", 1, format="mosaic")
    assert lake.scan(tmp_path / "m", footer_cache=True).read_all().num_rows == ROWS
    assert not list(tmp_path.glob("m/_footers*"))
    with pytest.raises(TypeError, match="footer_cache"):
        lake.scan(tmp_path / "t", footer_cache="yes")  # type: ignore[arg-type]


def _delete(path: str) -> None:
    lake.delete(path, "value < 0.5", deletion_vectors=False, **QUIET)


_SOME = pa.concat_tables([rows(number).slice(0, 10) for number in range(FILES)])


@pytest.mark.parametrize(
    "change",
    [
        lambda path: lake.optimize(path, zorder_by=["id", "value"], **QUIET),
        lambda path: lake.optimize(path, **QUIET),
        lambda path: lake.update(path, {"value": "value + 1"}, "value < 0.5", deletion_vectors=False, **QUIET),
        lambda path: lake.update(path, {"value": "value + 1"}, "value < 0.5", deletion_vectors=True, **QUIET),
        _delete,
        lambda path: lake.merge(path, _SOME, "id", when_matched_update=True, deletion_vectors=False, **QUIET),
    ],
)
def test_changes_read_ahead(monkeypatch: pytest.MonkeyPatch, change: Callable[[str], Any]) -> None:
    """Also files that are read twice: to search for rows, and to write the others again."""
    path = write(f"memory://{uuid4().hex}")
    left = "value >= 0.5" if change is _delete else None
    before = lake.scan(path, columns=["id", "text"], where=left).read_all().sort_by("id")
    begun: list[int] = []
    running = [0]
    lock, read = threading.Lock(), MemoryFileSystem.cat_file

    def slow(self: Any, file: str, *args: Any, **options: Any) -> Any:
        if not file.endswith(".parquet"):
            return read(self, file, *args, **options)
        with lock:
            running[0] += 1
            begun.append(running[0])
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        return read(self, file, *args, **options)

    monkeypatch.setattr(remote, "_TAIL", 1)
    monkeypatch.setattr(MemoryFileSystem, "cat_file", slow)
    change(path)
    assert all(max(begun[at : at + FILES]) > 2 for at in range(0, len(begun), FILES))
    monkeypatch.undo()
    assert lake.scan(path, columns=["id", "text"]).read_all().sort_by("id") == before
