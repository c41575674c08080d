"""Paimon tables beside pypaimon, which runs in an environment of its own (`.ci/pypaimon` makes it).

Both open the table anew for each measurement, as a program does that reads one. CPU time is that of all threads.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lakecodec import paimon
from lakecodec.generated.paimon import ADD
from lakecodec.paimon.binary_row import EMPTY, encode_row
from lakecodec.paimon.data_write import described_file, entry_of
from lakecodec.paimon.schemas import new_schema
from lakecodec.paimon.table import PaimonTable
from lakecodec.paimon.writing import commit_entries

from .harness import Result

_PYTHON = Path(os.environ.get("LAKECODEC_PYPAIMON") or Path(__file__).parents[1] / ".venv-pypaimon/bin/python")
_PEER = "pypaimon"
_FILES = 4
_COLUMNS, _ROWS = 5_000, 2_000
_LONG_ROWS = 2_000_000
_PLANNED, _PLANNED_COLUMNS = 5_000, 20
_BAR = 1.0


def run(quick: bool) -> list[Result]:
    """Nothing where pypaimon is missing, which is said; ``quick`` takes a tenth of the rows and columns."""
    if not _PYTHON.exists():
        print(f"paimon: there is no pypaimon at {_PYTHON}: run .ci/pypaimon", file=sys.stderr)
        return []
    repeat = 2 if quick else 7
    part = 10 if quick else 1
    with tempfile.TemporaryDirectory(prefix="bench-paimon-") as folder, _Peer() as peer:
        root = Path(folder) / "d.db"
        results = []
        planned = _planned(root / "planned")
        predicates = {"": (None, None), ", one of them": ("id = 31415", ["equal", "id", 31415]),
                      ", none of them": ("id < 0", ["less_than", "id", 0])}  # fmt: skip
        for what, (where, theirs) in predicates.items():
            ours = partial(_plan, planned, where)
            results += _compare(f"plan {_PLANNED:,} files{what}", ours, peer, 3 * repeat, "plan", planned, where=theirs)
        for format in ("mosaic", "parquet"):
            columns = _COLUMNS // part
            path = _write(root / f"wide-{format}", _wide(columns), format)
            ten = [f"c{number}" for number in range(7, columns, columns // 10)]
            ours = partial(_read, path, ten)
            name = f"{len(ten)} of {columns:,} columns, {format}"
            results += _compare(name, ours, peer, repeat, "scan", path, columns=ten)
            path = _write(root / f"long-{format}", _long(_LONG_ROWS // part), format)
            ours = partial(_read, path, None)
            results += _compare(f"full scan, 8 columns, {format}", ours, peer, repeat, "scan", path)
    return results


def _plan(path: Path, where: str | None) -> int:
    return len(paimon.open_scan(path, where=where).files)


def _read(path: Path, columns: list[str] | None) -> int:
    return len(paimon.scan(path, columns=columns).read_all())


class _Peer:
    """The other process."""

    def __enter__(self) -> _Peer:
        program = str(Path(__file__).with_name("paimon_process.py"))
        self._log = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [str(_PYTHON), program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._log.close()

    def ask(self, operation: str, path: Path, **options: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"operation": operation, "path": str(path), **options}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            raise RuntimeError(f"pypaimon has ended: {self._log.read().decode()[-2000:]}")
        found: dict[str, Any] = json.loads(line)
        return found


def _compare(
    name: str, ours: Callable[[], int], peer: _Peer, repeat: int, operation: str, path: Path, **options: Any
) -> list[Result]:
    """The two take turns; both must find as much."""
    mine: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    for turn in range(repeat + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        found = ours()
        took = time.process_time() - cpu, time.perf_counter() - wall
        answer = peer.ask(operation, path, **options)
        if found != answer["found"] and operation == "scan":
            raise AssertionError(f"{name}: {found} and {answer['found']}")
        if turn:  # the first call loads modules
            mine.append(took)
            theirs.append((answer["cpu"], answer["wall"]))
    (cpu, wall), (their_cpu, their_wall) = (
        tuple(map(statistics.median, zip(*each, strict=True))) for each in (mine, theirs)
    )
    return [
        Result(f"{name}, CPU", cpu, their_cpu, _PEER, bar=_BAR, wall=wall / their_wall),
        Result(f"{name}, wall", wall, their_wall, _PEER, bar=_BAR),
    ]


def _write(path: Path, table: pa.Table, format: str) -> Path:
    size = -(-table.num_rows // _FILES)
    for start in range(0, table.num_rows, size):
        paimon.write(table.slice(start, size), path, file_format=format)
    return path


def _wide(columns: int) -> pa.Table:
    chance = np.random.default_rng(1)
    kinds = (lambda: chance.random(_ROWS), lambda: chance.integers(0, 1000, _ROWS))
    return pa.table({f"c{number}": kinds[number % 2]() for number in range(columns)})


def _long(rows: int) -> pa.Table:
    chance = np.random.default_rng(2)
    words = pa.array([f"word {number}" for number in range(1000)])
    return pa.table(
        {
            "id": np.arange(rows),
            "word": words.take(pa.array(chance.integers(0, 1000, rows))),
            "time": pa.array(np.arange(rows) * 1_000_000, pa.timestamp("us")),
            "flag": chance.random(rows) < 0.5,
            **{f"x{number}": chance.random(rows).round(3) for number in range(2)},
            **{f"n{number}": chance.integers(0, 10_000, rows).astype(np.int32) for number in range(2)},
        }
    )


def _planned(path: Path) -> Path:
    """A table of many files, none of which exists: plans look at manifests."""
    data = pa.schema({"id": pa.int64(), **{f"x{number}": pa.float64() for number in range(_PLANNED_COLUMNS)}})
    table, schema = PaimonTable(path), new_schema(data, (), {"file.format": "mosaic"})
    table.storage.put_if_absent("schema/schema-0", schema.to_json())
    kinds, names = list(data.types), list(data.names)
    entries = []
    for number in range(_PLANNED):
        low, high = ([number * 10 + end] + [0.5] * _PLANNED_COLUMNS for end in (0, 9))
        stats = {
            "_MIN_VALUES": encode_row(low, kinds),
            "_MAX_VALUES": encode_row(high, kinds),
            "_NULL_COUNTS": [0] * len(names),
        }
        described = described_file(f"data-{number:032}-0.mosaic", 1000, 10, 0, names, stats)
        entries.append(entry_of(ADD, EMPTY, 0, -1, described))
    commit_entries(table, schema, entries, "append", None, None, discard=lambda: None)
    return path
