"""A table's life in fast motion: changes of all kinds, readers, vacuums and killed writers, with invariants after each step.

Opt in with ``-m fuzz``; LAKECODEC_SOAK_MINUTES says for how long (2), LAKECODEC_SOAK_SEED which life.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from lakecodec.lake.log import Log
from lakecodec.pipeline import (
    check,
    count,
    delete,
    history,
    merge,
    optimize,
    read,
    restore,
    scan,
    scan_changes,
    set_properties,
    update,
    vacuum,
)

from ...paths import TESTS
from ..read.test_read_changes import FEED, replayed
from ..read.test_read_golden import rows_of
from ..spark.lakes import write_lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MINUTES = float(os.environ.get("LAKECODEC_SOAK_MINUTES", "2"))
SEED = int(os.environ.get("LAKECODEC_SOAK_SEED", "1"))
APPEND = TESTS / "pipeline" / "spark" / "append.py"
QUIET = False


class Life:
    """A table and the rows that it ought to have, by version since the last vacuum."""

    def __init__(self, spark: SparkSession, root: Path, chance: random.Random) -> None:
        self.spark, self.root, self.chance = spark, root, chance
        self.next_id = 0
        self.rows: dict[int, int] = {}
        self.known: dict[int, dict[int, int]] = {}
        self.killed = 0
        self.append()
        set_properties(root, {**FEED, "delta.checkpointInterval": 7})

    def _new(self) -> pa.Table:
        number = self.chance.randint(1, 300)
        first, self.next_id = self.next_id, self.next_id + number
        return pa.table(
            {"id": pa.array(range(first, first + number), pa.int64()), "n": pa.array([0] * number, pa.int64())}
        )

    def append(self) -> None:
        new = self._new()
        write_lake(self.root, new, file_rows=self.chance.randint(20, 200))
        self.rows |= dict.fromkeys(new["id"].to_pylist(), 0)

    def append_killed(self) -> None:
        """A process that is killed at some moment: its version is there with all rows, or is not."""
        new, txn = self._new(), f"txn-{self.next_id}"
        command = [sys.executable, str(APPEND), str(self.root), str(new["id"][0]), str(len(new)), txn]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(self.chance.uniform(0, 0.05))
        process.kill()
        process.wait()
        if txn in Log(self.root).snapshot().transactions:
            self.rows |= dict.fromkeys(new["id"].to_pylist(), 0)
        else:
            self.killed += 1

    def _range(self) -> tuple[int, int]:
        low = self.chance.randrange(max(1, self.next_id))
        return low, low + self.chance.randint(0, 200)

    def delete(self) -> None:
        low, high = self._range()
        delete(self.spark, self.root, f"id BETWEEN {low} AND {high} AND id % 3 <> 0", progress=QUIET)
        self.rows = {id: n for id, n in self.rows.items() if not (low <= id <= high and id % 3)}

    def update(self) -> None:
        low, high = self._range()
        update(self.spark, self.root, {"n": "n + id"}, f"id BETWEEN {low} AND {high}", progress=QUIET)
        self.rows = {id: n + id if low <= id <= high else n for id, n in self.rows.items()}

    def merge(self) -> None:
        low, _ = self._range()
        source = self.spark.range(low, low + 20).selectExpr("id", "7L AS n")
        merge(self.spark, self.root, source, "id", when_matched_update={"n": "target.n + source.n"},
              when_not_matched_insert=True, progress=QUIET)  # fmt: skip
        self.rows |= {id: self.rows[id] + 7 if id in self.rows else 7 for id in range(low, low + 20)}
        self.next_id = max(self.next_id, low + 20)

    def optimize(self) -> None:
        if self.chance.random() < 0.5:
            optimize(self.spark, self.root, target_file_bytes=20_000, progress=QUIET)
        else:
            optimize(self.spark, self.root, hilbert_by=["id", "n"], target_file_bytes=20_000, progress=QUIET)

    def optimize_beside_appends(self) -> None:
        appender = threading.Thread(target=lambda: [self.append() for _ in range(3)])
        appender.start()
        self.optimize()
        appender.join()

    def restore(self) -> None:
        version = self.chance.choice(list(self.known))
        restore(None, self.root, version)
        self.rows = dict(self.known[version])

    def vacuum(self) -> None:
        vacuum(self.root, retention=timedelta(0), dry_run=False)
        self.known.clear()
        assert check(self.root, deep=True) == []

    def is_sound(self, step: int) -> None:
        """The invariants, and that older versions are what they were."""
        latest = Log(self.root).latest() or 0
        expected = sorted(self.rows.items())
        assert rows(scan(self.root).read_all()) == expected
        assert count(self.root) == len(expected)
        assert {problem.kind for problem in check(self.root)} <= {"orphaned"}
        if step % 5 == 0:
            assert rows(DeltaTable(self.root).to_pyarrow_table()) == expected
            assert rows(read(self.spark, self.root).toArrow()) == expected
        if self.known:
            version = self.chance.choice(list(self.known))
            before = scan(self.root, version=version).read_all()
            assert rows(before) == sorted(self.known[version].items())
            if version < latest:
                changes = scan_changes(self.root, version + 1).read_all()
                assert replayed(changes, rows_of(before)) == rows_of(scan(self.root).read_all())
        self.known[latest] = dict(self.rows)


def rows(table: pa.Table) -> list[tuple[int, int]]:
    return sorted(zip(table["id"].to_pylist(), table["n"].to_pylist(), strict=True))


@pytest.mark.fuzz
@pytest.mark.timeout(0)
def test_soak(spark: SparkSession, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    life = Life(spark, tmp_path / "t", chance)
    steps: dict[Callable[[], None], int] = {
        life.append: 6, life.append_killed: 4, life.delete: 2, life.update: 2, life.merge: 2, life.optimize: 2,
        life.optimize_beside_appends: 1, life.restore: 1, life.vacuum: 1,
    }  # fmt: skip
    until = time.monotonic() + 60 * MINUTES
    done: list[str] = []
    while time.monotonic() < until:
        life.is_sound(len(done))
        (step,) = chance.choices(list(steps), list(steps.values()))
        done.append(step.__name__)
        step()
    life.is_sound(0)
    counts = {name: done.count(name) for name in dict.fromkeys(done)}
    print(f"{len(history(life.root))} versions, {len(life.rows)} rows, {life.killed} writers killed; {counts}")
