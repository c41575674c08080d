"""Tasks, workers and drivers that die: the table reads as before or as after, and nothing is lost or doubled."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.lake.log import Log
from lakecodec.pipeline import check, ingest, vacuum
from tests.paths import TESTS

SCRIPT = TESTS / "spark" / "ingest_faults.py"
BEFORE = list(range(-3, 0))
AFTER = sorted([*BEFORE, *range(4000)])


def run(directory: Path, *faults: str) -> subprocess.CompletedProcess[str]:
    """Ingests into a table for each fault, in one process."""
    for fault in faults:
        if not (directory / fault).exists():
            write_deltalake(directory / fault, pa.table({"id": pa.array(BEFORE, pa.int64())}))
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(SCRIPT), str(directory), *faults]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def ids(table: Path) -> list[int]:
    return sorted(DeltaTable(table).to_pyarrow_table()["id"].to_pylist())


def clean_up(table: Path) -> int:
    """Vacuums; returns how many orphans there were. Nothing else may be wrong."""
    problems = check(table)
    orphans = vacuum(table, retention=timedelta(0), dry_run=False)
    assert sorted(problem.path for problem in problems if problem.kind == "orphaned") == sorted(orphans)
    assert {problem.kind for problem in problems} <= {"orphaned"}
    assert check(table) == []
    return len(orphans)


@pytest.mark.spark
def test_tasks_that_fail(tmp_path: Path) -> None:
    result = run(tmp_path, "task-fails-twice", "worker-dies")
    assert result.stdout.splitlines() == ["task-fails-twice 1 4000", "worker-dies 1 4000"], result.stderr[-4000:]
    # The first attempt of the one was told to fail with all files complete; the second one cleaned up after itself.
    for fault, orphans in (("task-fails-twice", 8), ("worker-dies", 2)):
        assert ids(tmp_path / fault) == AFTER
        assert clean_up(tmp_path / fault) == orphans
        assert ids(tmp_path / fault) == AFTER


@pytest.mark.spark
def test_a_driver_that_is_killed_during_the_commit(tmp_path: Path) -> None:
    result = run(tmp_path, "driver-dies-during-commit")
    assert result.returncode == -9, result.stderr[-4000:]
    table = tmp_path / "driver-dies-during-commit"
    assert Log(table).latest() == 0
    assert ids(table) == BEFORE
    assert clean_up(table) == 8
    assert ids(table) == BEFORE


@pytest.mark.spark
def test_a_driver_that_is_killed_after_the_commit(tmp_path: Path) -> None:
    """Repeating the transaction finds that it is done, without any work."""
    result = run(tmp_path, "driver-dies-after-commit")
    assert result.returncode == -9, result.stderr[-4000:]
    table = tmp_path / "driver-dies-after-commit"
    assert ids(table) == AFTER
    no_session: Any = None
    again = ingest(no_session, "no source", table, mode="append", txn_id="load")
    assert (again.version, again.num_rows) == (1, 4000)
    assert clean_up(table) == 0


@pytest.mark.spark
@pytest.mark.fuzz
def test_four_processes_at_once(tmp_path: Path) -> None:
    """Four drivers append to a table that none of them finds; every one makes a version."""
    (tmp_path / "nothing").mkdir()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: run(tmp_path, "nothing"), range(4)))
    assert sorted(result.stdout.split()[1] for result in results) == ["0", "1", "2", "3"], results[0].stderr[-4000:]
    assert ids(tmp_path / "nothing") == sorted([*range(4000)] * 4)
    assert check(tmp_path / "nothing") == []
