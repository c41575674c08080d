"""Tables on S3: conditional puts decide between writers, and few requests are made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.lake.files import file_format
from lakecodec.lake.files.base import WriterOptions
from lakecodec.lake.log import Add, CommitRefusedError, Log, Statistics, Transaction, atomic_write, footer_statistics
from lakecodec.lake.log.storage import Storage
from lakecodec.lake.writing.orphans import begin
from lakecodec.parquet import read_metadata
from lakecodec.pipeline import check, count, explain, history, scan, vacuum
from tests.lake.s3 import BUCKET, Server, server

SCHEMA = pa.schema({"id": pa.int64(), "name": pa.string()})


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server() as found:
        yield found


@pytest.fixture
def url(s3: Server) -> str:
    return f"s3://{BUCKET}/{uuid4().hex}"


def append(url: str, *ids: int, files: int = 1) -> int:
    """Appends files of these rows each."""
    log = Log(url)
    transaction = Transaction(log, log.snapshot() if log.exists() else None, "WRITE")
    if transaction.read is None:
        transaction.set_schema(SCHEMA)
    rows = pa.table([list(ids), [f"name {number}" * 50 for number in ids]], schema=SCHEMA)
    for _ in range(files):
        name = f"{uuid4().hex}.parquet"
        with log.storage.filesystem.open_output_stream(log.storage.path(name)) as sink:
            pq.write_table(rows, sink, row_group_size=1000)
        stats = Statistics(SCHEMA)
        stats.update(rows)
        info = log.storage.info(log.storage.path(name))
        assert info is not None
        transaction.add(Add(name, {}, info.size, int(info.modified.timestamp() * 1000), stats=stats.to_json()))
    return transaction.commit().version


def ids(url: str, **where: Any) -> list[int]:
    return sorted(scan(url, columns=["id"], **where).read_all()["id"].to_pylist())


def other_process(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Runs code that may call `append` as ``append``."""
    source = f"from tests.lake.log.test_log_s3 import *\n{code}"
    return subprocess.Popen([sys.executable, "-c", source, *arguments], stdout=subprocess.PIPE, text=True)


def test_a_table(url: str) -> None:
    for number in range(12):
        append(url, number, number + 100)
    assert ids(url) == [*range(12), *range(100, 112)]
    assert ids(url, version=2) == [0, 1, 2, 100, 101, 102]
    assert (count(url), len(history(url)), explain(url, where="id = 105").files) == (24, 12, 7)
    assert ids(url, where="id > 109") == [110, 111]
    assert check(url, deep=True) == []


def test_versions_of_other_processes_are_seen(url: str) -> None:
    """The client keeps listings, which must not hide what others commit."""
    append(url, 1)
    log = Log(url)
    assert log.latest() == 0
    assert other_process("append(sys.argv[1], 2)", url).wait() == 0
    assert (log.latest(), Log(url).latest(), ids(url)) == (1, 1, [1, 2])


def test_four_writers_at_once(url: str) -> None:
    append(url, -1)
    code = "for number in range(4): append(sys.argv[1], int(sys.argv[2]) + number)"
    writers = [other_process(code, url, str(first)) for first in (0, 100, 200, 300)]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert ids(url) == [-1, *(first + number for first in (0, 100, 200, 300) for number in range(4))]
    assert sorted(info.version for info in history(url)) == list(range(17))
    assert check(url) == []


def test_writers_that_are_killed(url: str) -> None:
    """Before and after the commit; what no version has is found, and vacuumed."""
    append(url, 1)
    die = "put = Log.put\nLog.put = lambda *args: ({}os.kill(os.getpid(), 9))\nappend(sys.argv[1], 2)"
    assert other_process(die.format(""), url).wait() == -9
    assert (ids(url), [problem.kind for problem in check(url)]) == ([1], ["orphaned"])
    assert other_process(die.format("put(*args), "), url).wait() == -9
    assert ids(url) == [1, 2]
    assert len(vacuum(url, retention=timedelta(0), dry_run=False)) == 1
    assert (ids(url), check(url)) == ([1, 2], [])


def test_requests(s3: Server, url: str) -> None:
    """Opening a table, planning and reading take few requests, however many files and versions there are."""
    log = Log(url)
    transaction = Transaction(log, None, "WRITE")
    transaction.set_schema(SCHEMA)
    for number in range(5000):
        stats = f'{{"numRecords":1,"minValues":{{"id":{number}}},"maxValues":{{"id":{number}}},"nullCount":{{"id":0}}}}'
        transaction.add(Add(f"{number}.parquet", {}, 100, 0, stats=stats))
    transaction.commit()
    log.checkpoint()
    with s3.count() as requests:
        assert explain(url, where="id < 0").files_total == 5000
    assert requests["LIST"] == 1
    assert requests["GET"] <= 5  # the checkpoint
    assert sum(requests.values()) <= 10  # a range read asks for the size first

    other = f"{url}-rows"
    append(other, *range(5000), files=2)
    with s3.count() as requests:
        assert ids(other, where="id = 4321") == [4321, 4321]
    assert requests["LIST"] == 1
    assert requests["GET"] == 1 + 2  # the log; each file once, as their ends are all of them
    assert requests["HEAD"] == 0  # the log knows their sizes
    with s3.count() as requests:
        assert explain(other, where="id = 4321").row_groups == 2
    assert (requests["GET"], requests["HEAD"]) == (1 + 2, 0)
    with s3.count() as requests:
        append(other, 1)
    assert requests["PUT"] == 2  # a file and a version


def test_files_are_not_read_back(s3: Server, url: str) -> None:
    """Statistics of a new file come from the footer that was written."""
    storage = Storage(url)
    with s3.count() as requests:
        writer = file_format("parquet").open_writer(
            storage.filesystem, storage.path("a.parquet"), SCHEMA, WriterOptions(1 << 20)
        )
        writer.write(pa.table([[1, 2], ["a", "b"]], schema=SCHEMA))
        stats = writer.close()
    assert dict(requests) == {"PUT": 1}
    with storage.open("a.parquet") as file:
        assert footer_statistics(read_metadata(file), SCHEMA) == stats


def test_a_store_that_ignores_conditions(s3: Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused before anything of the table is written; one that obeys is tried once."""
    monkeypatch.setattr(atomic_write, "_PROVEN", {})
    s3.unconditional = True
    try:
        with pytest.raises(
            CommitRefusedError, match=r"overwrites a file .* use a store that supports conditional writes"
        ):
            Log(url).storage.check_put()
        with pytest.raises(CommitRefusedError, match="overwrites a file"):
            append(url, 1)
        assert not Log(url).exists()
        assert Log(url).storage.names("_delta_log") == []
    finally:
        s3.unconditional = False
    append(url, 1)
    s3.unconditional = True  # not asked again
    try:
        append(url, 2)
    finally:
        s3.unconditional = False
    assert ids(url) == [1, 2]


def test_a_store_that_cannot_be_tried(s3: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was put, so the outcome is known."""
    monkeypatch.setattr(atomic_write, "_PROVEN", {})
    log = Log(f"s3://no-such-bucket-{uuid4().hex}/t")
    with pytest.raises(OSError, match="bucket"):
        log.put(0, [])
    assert not log.unsettled


def test_answers_that_come_late(s3: Server, url: str) -> None:
    append(url, *range(100), files=4)
    s3.seconds = 0.05
    try:
        with s3.count() as requests:
            assert len(ids(url)) == 400
        assert sum(requests.values()) < 40
    finally:
        s3.seconds = 0


assert os  # used by the code of other processes


def test_files_of_a_first_write_that_died(url: str) -> None:
    """They are no reason to refuse the next one; somebody's files are."""
    log = Log(url)
    for name, foreign in ((f"part-00000-{'0' * 32}-{'1' * 12}.c000.zstd.parquet", False), ("data.parquet", True)):
        with log.storage.filesystem.open_output_stream(log.storage.path(name)) as sink:
            sink.write(b"PAR1")
        if foreign:
            with pytest.raises(FileExistsError, match="has files but is not a table"):
                begin(log.storage)
        else:
            assert begin(log.storage)
