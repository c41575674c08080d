"""What can go wrong with a change: data that do not fit, a full disk, a kill at any moment. The table is as before or after."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import EncodeError, lake

from ..paths import ROOT
from .killed import CHANGES, KILLS

QUIET: Any = {"progress": False}
ROWS = pa.table({"id": pa.array(range(1000), pa.int64()), "v": [float(i) for i in range(1000)]})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.parametrize("change", CHANGES)
def test_killed_at_any_moment(tmp_path: Path, change: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.lake.killed", change, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    killed, changed, differs = done.stdout.split()
    assert int(killed) > KILLS
    assert (int(changed) < int(killed)) or differs == "False"


FULL = """
import resource, signal, sys, pyarrow as pa
from lakecodec import lake
path, change = sys.argv[1:]
quiet = {"progress": False}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
source = pa.table({"id": range(500, 2000), "v": [float(i) for i in range(1500)]})
changes = {
    "delete": lambda: lake.delete(path, "id < 10", **quiet),
    "vectors": lambda: lake.delete(path, [("id", "in", list(range(0, 100000, 7)))], deletion_vectors=True, **quiet),
    "update": lambda: lake.update(path, {"v": "v * 1.1"}, **quiet),
    "merge": lambda: lake.merge(path, source, "id", when_matched_update=True, when_not_matched_insert=True, **quiet),
    "optimize": lambda: lake.optimize(path, zorder_by="id", **quiet),
    "sorted": lambda: lake.write(pa.concat_tables([source] * 60), path, sort_by="v", memory_limit=1 << 20, **quiet),
}
try:
    changes[change]()
except OSError as error:
    print("refused", error.errno is not None or str(error))
"""


@pytest.mark.parametrize("change", ["delete", "vectors", "update", "merge", "optimize", "sorted"])
def test_a_full_disk(tmp_path: Path, change: str) -> None:
    """Files may not grow beyond 4 kB: what a full disk says to a writer. No file of the change is left."""
    path = tmp_path / "t"
    rows = pa.table({"id": pa.array(range(20_000), pa.int64()), "v": [float(i * 7919 % 20_000) for i in range(20_000)]})
    lake.write(rows.slice(0, 10_000), path, **QUIET)
    lake.write(rows.slice(10_000), path, **QUIET)
    before = sorted(path.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), change], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout.startswith("refused"), done.stderr
    assert sorted(path.rglob("*")) == before
    assert lake.count(path) == 20_000


def test_sources_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "t"
    lake.write(ROWS, path, **QUIET)
    before = sorted(path.rglob("*"))
    clauses: Any = {"when_matched_update": True, "when_not_matched_insert": True, **QUIET}
    bad: list[tuple[Any, type[Exception], str]] = [
        (pa.table({"id": ["x"], "v": [1.0]}), ValueError, "source: 'id' does not fit the table's 'id', int64"),
        (pa.table({"id": [1], "v": ["x"]}), EncodeError, "v: a value does not fit"),
        (pa.table({"v": [1.0]}), KeyError, "on: 'id' is not a column of the source"),
        (pa.table({"id": [1, 1], "v": [1.0, 2.0]}), ValueError, "source: multiple source rows match one target row"),
        (tmp_path / "none.parquet", FileNotFoundError, "source: there is nothing"),
    ]
    for source, error, message in bad:
        with pytest.raises(error, match=message):
            lake.merge(path, source, "id", **clauses)
        assert sorted(path.rglob("*")) == before
    with pytest.raises(ValueError, match="source: 'v' has NaN, which cannot be a key"):
        lake.merge(path, pa.table({"id": [1], "v": [float("nan")]}), "v", **clauses)
    assert sorted(path.rglob("*")) == before


def test_files_of_a_source_need_not_have_the_same_columns(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table({"id": pa.array([1], pa.int32())}), tmp_path / "in" / "1.parquet")
    pq.write_table(pa.table({"v": [7.5], "id": pa.array([5000], pa.int64())}), tmp_path / "in" / "2.parquet")
    lake.write(ROWS, tmp_path / "t", **QUIET)
    lake.merge(tmp_path / "t", tmp_path / "in", "id", when_matched_update=True, when_not_matched_insert=True, **QUIET)
    found = lake.scan(tmp_path / "t", where="id IN (1, 5000)").read_all().sort_by("id").to_pydict()
    assert found == {"id": [1, 5000], "v": [None, 7.5]}
