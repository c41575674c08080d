"""Tasks, workers and drivers that die: the table reads as before or as after, and nothing is lost or doubled."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.pipeline import check, vacuum
from lakecodec.pipeline.log import Log

from .spark.tables import files_in

SCRIPT = Path(__file__).parent / "spark" / "ingest_faults.py"
BEFORE = list(range(-3, 0))
AFTER = sorted([*BEFORE, *range(4000)])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    write_deltalake(tmp_path / "table", pa.table({"id": pa.array(BEFORE, pa.int64())}))
    return tmp_path / "table"


def run(fault: str, table: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(SCRIPT), fault, str(table)]
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
def test_a_task_that_fails_twice(table: Path) -> None:
    result = run("task-fails-twice", table)
    assert result.stdout.split() == ["1", "4000"], result.stderr[-4000:]
    assert ids(table) == AFTER
    assert clean_up(table) == 8  # of the first attempt, which was told to leave them; the second one cleaned up
    assert ids(table) == AFTER


@pytest.mark.spark
def test_a_worker_that_is_killed(table: Path) -> None:
    result = run("worker-dies", table)
    assert result.stdout.split() == ["1", "4000"], result.stderr[-4000:]
    assert ids(table) == AFTER
    assert clean_up(table) == 2
    assert ids(table) == AFTER


@pytest.mark.spark
@pytest.mark.parametrize("moment", ["before", "during"])
def test_a_driver_that_is_killed_too_early(table: Path, moment: str) -> None:
    result = run(f"driver-dies-{moment}-commit", table)
    assert result.returncode == -9, result.stderr[-4000:]
    assert ids(table) == BEFORE
    assert Log(table).latest() == 0
    assert clean_up(table) == 8
    assert ids(table) == BEFORE


@pytest.mark.spark
def test_a_driver_that_is_killed_after_the_commit(table: Path) -> None:
    """Repeating the transaction finds that it is done."""
    result = run("driver-dies-after-commit", table)
    assert result.returncode == -9, result.stderr[-4000:]
    assert ids(table) == AFTER
    before = files_in(table)
    again = run("driver-dies-after-commit", table)
    assert again.stdout.split() == ["1", "4000"], again.stderr[-4000:]
    assert files_in(table) == before
    assert clean_up(table) == 0
