"""Commits under attack: racing processes, kill -9, a full disk, storage that fails and does not tell."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable

from lakecodec.lake.log import ConflictError, Log, Transaction, UnknownOutcomeError, check, vacuum
from lakecodec.lake.log.atomic_write import LocalDirectory
from tests.lake.log import faults
from tests.lake.log.tables import append, ids, rows, write_file
from tests.paths import ROOT


def test_four_processes_commit_at_once(tmp_path: Path) -> None:
    """Every commit lands exactly once. Also the table is created by all of them at once."""
    own, shared = 8, 3
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=faults.write_many, args=(str(tmp_path), writer, own, shared)) for writer in range(4)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * 4
    log = Log(tmp_path)
    snapshot = log.snapshot()
    assert snapshot.version == 4 * own + shared - 1
    expected = {f"{writer} {number}" for writer in range(4) for number in range(own)}
    expected |= {f"shared {number}" for number in range(shared)}
    assert set(snapshot.transactions) == expected
    assert {info.txn_id for info in log.history()} == expected
    starts = [1000 * (writer + 1) + 10 * number for writer in range(4) for number in range(own)]
    starts += [10 * number for number in range(shared)]
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == sorted(start + row for start in starts for row in range(3))
    assert {problem.kind for problem in check(tmp_path)} <= {"orphaned"}, "files of transactions that others had made"
    assert not [name for name in os.listdir(tmp_path / "_delta_log") if name.endswith(".tmp")]


@pytest.mark.parametrize(("moment", "version"), [("before", 0), ("after", 1)])
def test_kill_in_the_middle_of_a_commit(tmp_path: Path, moment: str, version: int) -> None:
    append(tmp_path, rows(0))
    command = [sys.executable, "-m", "tests.lake.log.faults", str(tmp_path), moment]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    left = [name for name in os.listdir(tmp_path / "_delta_log") if name.endswith(".tmp")]
    assert len(left) == 1
    assert Log(tmp_path).latest() == version
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [0, 1, 2, 70, 71, 72][: 3 + 3 * version]
    assert [problem.kind for problem in check(tmp_path)] == ["orphaned"] * (1 - version)
    assert append(tmp_path, rows(70), txn_id="doomed").version == 1
    assert len(vacuum(tmp_path, retention=timedelta(0), dry_run=False)) == 1
    assert not [name for name in os.listdir(tmp_path / "_delta_log") if name.endswith(".tmp")]
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [0, 1, 2, 70, 71, 72]
    assert check(tmp_path) == []


@pytest.fixture
def full_disk(tmp_path: Path) -> Any:
    """A small file system, almost full."""
    where = tmp_path / "disk"
    where.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(where)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("mounting a tmpfs needs root")
    yield where
    subprocess.run(["umount", str(where)], check=True)


def fill(where: Path) -> None:
    with open(where / ".filler", "wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def test_full_disk(full_disk: Path) -> None:
    root = full_disk / "t"
    append(root, rows(0))
    read = Log(root).snapshot()
    transaction = Transaction(Log(root), read, "WRITE")
    transaction.add(write_file(root, rows(10)))
    fill(full_disk)
    before = sorted(os.listdir(root / "_delta_log"))
    with pytest.raises(OSError, match="space") as caught:
        transaction.commit()
    assert caught.value.errno == errno.ENOSPC
    assert sorted(os.listdir(root / "_delta_log")) == before
    assert Log(root).snapshot().files == read.files
    (full_disk / ".filler").unlink()
    assert transaction.commit().version == 1


@pytest.mark.parametrize("step", ["fsync", "link"])
def test_full_disk_at_any_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    append(tmp_path, rows(0))
    transaction = start(Log(tmp_path))
    before = sorted(os.listdir(tmp_path / "_delta_log"))

    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="space"):
        transaction.commit()
    assert sorted(os.listdir(tmp_path / "_delta_log")) == before
    monkeypatch.undo()
    assert transaction.commit().version == 1


def test_a_checkpoint_that_fails_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(LocalDirectory, "replace", full)
    for number in range(12):
        assert append(tmp_path, rows(number)).version == number
    assert not list((tmp_path / "_delta_log").glob("*checkpoint*"))
    assert len(Log(tmp_path).snapshot().files) == 12


class Broken(OSError):
    """What a storage says that has lost the connection."""


def start(log: Log, **options: Any) -> Transaction:
    transaction = Transaction(log, log.snapshot(), "WRITE", **options)
    transaction.add(write_file(Path(log.path), rows(10)))
    return transaction


def test_landed_though_the_storage_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    put = log.storage.put_if_absent

    def landing(file: str, data: bytes) -> None:
        put(file, data)
        raise Broken("connection lost")

    monkeypatch.setattr(log.storage, "put_if_absent", landing)
    assert start(log).commit().version == 1
    assert log.latest() == 1


def test_a_client_that_repeats_its_request_meets_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    put = log.storage.put_if_absent
    monkeypatch.setattr(log.storage, "put_if_absent", lambda file, data: (put(file, data), put(file, data)))
    assert start(log).commit().version == 1


def test_not_landed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)

    def failing(file: str, data: bytes) -> None:
        raise Broken("no connection")

    monkeypatch.setattr(log.storage, "put_if_absent", failing)
    with pytest.raises(Broken):
        start(log).commit()
    assert log.latest() == 0


@pytest.mark.parametrize("given", ["load 1", None])
@pytest.mark.parametrize("landed", [True, False])
def test_unknown_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, landed: bool) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    put = log.storage.put_if_absent

    def failing(file: str, data: bytes) -> None:
        def unreadable(file: str) -> bytes:
            raise Broken("still no connection")

        if landed:
            put(file, data)
        monkeypatch.setattr(log.storage, "read", unreadable)
        raise Broken("connection lost")

    monkeypatch.setattr(log.storage, "put_if_absent", failing)
    with pytest.raises(UnknownOutcomeError, match="not known whether version 1") as caught:
        start(log, txn_id=given).commit()
    assert caught.value.txn_id in str(caught.value)
    monkeypatch.undo()
    append(tmp_path, rows(20))
    repeated = start(Log(tmp_path), txn_id=caught.value.txn_id)
    assert repeated.commit().version == (1 if landed else 2)
    assert repeated.repeated == landed
    assert len(Log(tmp_path).snapshot().files) == 3
    again = start(Log(tmp_path), txn_id=caught.value.txn_id)
    assert again.commit().version == (1 if landed else 2)


def test_too_many_conflicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)

    def late(version: int, actions: Any) -> None:
        raise ConflictError("too late", [version])

    monkeypatch.setattr(log, "put", late)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises(ConflictError, match="100 attempts"):
        start(log).commit()


def test_put_refuses_a_version_that_is_taken(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    before = (tmp_path / "_delta_log" / f"{0:020d}.json").read_bytes()
    with pytest.raises(FileExistsError) as caught:
        log.put(0, [log.snapshot().metadata])
    assert isinstance(caught.value, ConflictError)
    assert caught.value.versions == (0,)
    assert (tmp_path / "_delta_log" / f"{0:020d}.json").read_bytes() == before
