"""Tables on other file systems: where a commit is safe, and where it is refused."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem
from pyarrow import fs

from lakecodec.lake.log import Add, CommitRefusedError, ConflictError, Log, Transaction, UnknownOutcomeError
from lakecodec.lake.log import atomic_write as put_module
from lakecodec.lake.log.atomic_write import put_if_absent
from lakecodec.lake.log.storage import Storage
from tests.lake.log.tables import SCHEMA, append, rows


def commit(log: Log, file: str = "part-0.parquet") -> int:
    read = log.snapshot() if log.exists() else None
    transaction = Transaction(log, read, "WRITE")
    if read is None:
        transaction.set_schema(SCHEMA)
    transaction.add(Add(file, {}, 1, 0))
    return transaction.commit().version


@pytest.fixture
def memory() -> Any:
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


def test_memory(memory: Any) -> None:
    log = Log("memory://lake/t")
    assert [commit(log, f"part-{number}") for number in range(12)] == list(range(12))
    assert "/lake/t/_delta_log/00000000000000000010.checkpoint.parquet" in memory.store
    for other in (Log("/lake/t", memory), Log("lake/t", fs.PyFileSystem(fs.FSSpecHandler(memory)))):
        assert other.latest() == 11
        assert len(other.snapshot().files) == 12
        assert other.snapshot(3).version == 3
    with pytest.raises(ConflictError):
        log.put(3, [])
    assert log.history()[0].version == 11


@pytest.mark.parametrize("landed", [True, False])
def test_a_request_that_may_still_be_on_its_way(memory: Any, monkeypatch: pytest.MonkeyPatch, landed: bool) -> None:
    """That the file is not there says nothing where a server may create it a moment later."""
    log = Log("memory://t")
    commit(log)
    pipe_file = memory.pipe_file

    def time_out(path: str, data: bytes, **options: Any) -> None:
        if landed:
            pipe_file(path, data, **options)
        raise TimeoutError("no answer")

    monkeypatch.setattr(memory, "pipe_file", time_out)
    if landed:
        assert commit(log, "part-1") == 1
        return
    with pytest.raises(UnknownOutcomeError, match="not known whether version 1"):
        commit(log, "part-1")
    assert log.latest() == 0


def test_memory_is_put_once(memory: Any) -> None:
    storage = Storage("memory://t")
    landed: list[int] = []

    def put(number: int) -> None:
        try:
            storage.put_if_absent("x", b"%d" % number)
        except FileExistsError:
            return
        landed.append(number)

    threads = [threading.Thread(target=put, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(landed) == 1
    assert storage.read("x") == b"%d" % landed[0]


def test_local_in_other_clothes(tmp_path: Path) -> None:
    append(tmp_path / "a b%c", rows(0))
    wrapped = fs.PyFileSystem(fs.FSSpecHandler(LocalFileSystem()))
    places: list[tuple[Any, Any]] = [
        ((tmp_path / "a b%c").as_uri(), None),
        (tmp_path / "a b%c", None),
        (f"{tmp_path}/a b%c/", fs.LocalFileSystem()),
        (str(tmp_path / "a b%c"), LocalFileSystem()),
        (str(tmp_path / "a b%c"), wrapped),
        ("a b%c", fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())),
    ]
    for version, (path, filesystem) in enumerate(places, 1):
        assert commit(Log(path, filesystem), f"part-{version}") == version
    assert len(list((tmp_path / "a b%c" / "_delta_log").iterdir())) == len(places) + 1


def test_no_put_if_absent() -> None:
    with pytest.raises(CommitRefusedError, match=r"S3FileSystem cannot create .* could be lost"):
        put_if_absent(fs.S3FileSystem(anonymous=True, region="eu-north-1"), "bucket/t/_delta_log/0.json", b"x")
    with pytest.raises(CommitRefusedError, match="could be lost"):
        Storage("bucket/t", fs.S3FileSystem(anonymous=True, region="eu-north-1")).check_put()
    Storage("memory://t").check_put()


def test_local_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(put_module.os, "link", refuse)
    with pytest.raises(CommitRefusedError, match="hard links"):
        commit(Log(tmp_path))
    assert list((tmp_path / "_delta_log").iterdir()) == []


def test_a_link_whose_answer_was_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As network file systems do it: the link is there, the call failed."""
    link = put_module.os.link

    def lose(*args: Any) -> None:
        link(*args)
        raise OSError(5, "no answer")

    monkeypatch.setattr(put_module.os, "link", lose)
    assert commit(Log(tmp_path)) == 0


class Remote:
    """A client of an object store as fsspec has them, with what it was asked."""

    def __init__(self, protocol: Any) -> None:
        self.protocol = protocol
        self.asked: dict[str, Any] = {}

    def pipe_file(self, path: str, data: bytes, **condition: Any) -> None:
        self.asked = condition
        raise ValueError("412: there is one")


class KnowsMode(Remote):
    async def _pipe_file(self, path: str, data: bytes, mode: str = "overwrite") -> None: ...


class KnowsOverwrite(Remote):
    async def _pipe_file(self, path: str, data: bytes, overwrite: bool = True) -> None: ...


class KnowsNothing(Remote):
    async def _pipe_file(self, path: str, data: bytes, **options: Any) -> None: ...


class Wrapped:
    """In place of a pyarrow file system around an fsspec one."""

    def __init__(self, remote: Remote) -> None:
        self.handler = self
        self.fs = remote


@pytest.mark.parametrize(
    ("remote", "condition"),
    [
        (KnowsMode(("s3", "s3a")), {"mode": "create"}),
        (KnowsMode(("gs", "gcs")), {"mode": "create"}),
        (KnowsOverwrite("abfs"), {"overwrite": False}),
    ],
)
def test_conditions_of_object_stores(remote: Remote, condition: dict[str, Any]) -> None:
    with pytest.raises(OSError, match="412"):
        put_if_absent(Wrapped(remote), "bucket/x", b"")
    assert remote.asked == condition


@pytest.mark.parametrize("remote", [KnowsNothing("s3"), KnowsMode("abfs"), KnowsMode("ftp"), KnowsMode("http")])
def test_clients_without_conditions(remote: Remote) -> None:
    with pytest.raises(CommitRefusedError):
        put_if_absent(Wrapped(remote), "bucket/x", b"")
    assert remote.asked == {}


def test_spark_is_not_needed() -> None:
    code = "import sys; sys.modules['pyspark'] = None; import lakecodec.lake.log"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="path"):
        Log(7)
    with pytest.raises(ValueError, match="path"):
        Log("")
    with pytest.raises(TypeError, match="filesystem"):
        Log("t", object())
    with pytest.raises(ValueError, match="nonsense"):
        Log("nonsense://t")
