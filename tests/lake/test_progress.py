"""Progress of writes and changes without Spark: to a function, and as a bar."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.cli.app import run as lakecodec

ROWS = pa.table({"id": pa.array(range(400_000), pa.int64()), "p": [["a", "b"][i % 2] for i in range(400_000)]})


class Told:
    """What a function was told, by steps; numbers must grow to the end."""

    def __init__(self) -> None:
        self.reports: list[tuple[str, int, int | None]] = []

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        self.reports.append((stage, done, total))

    def steps(self) -> list[tuple[str, int, int | None]]:
        """Returns the last report of each step in their order."""
        last: dict[str, tuple[str, int, int | None]] = {}
        for report in self.reports:
            assert report[1] >= last.get(report[0], report)[1]
            last[report[0]] = report
        return list(last.values())


def test_writes_tell_a_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    lake.write(ROWS, tmp_path / "t", progress=told)
    assert told.steps() == [("Writing", 400_000, 400_000)]
    assert len(told.reports) > 3
    told = Told()
    lake.write(ROWS, tmp_path / "sorted", sort_by="-id", partition_by="p", progress=told)
    assert told.steps() == [("Sorting", 400_000, 400_000), ("Writing", 400_000, 400_000)]
    told = Told()
    lake.write(ROWS.to_reader(50_000), tmp_path / "t", progress=told)
    assert told.steps() == [("Writing", 400_000, None)]
    (tmp_path / "in").mkdir()
    for name in ("1", "2"):
        pyarrow.csv.write_csv(ROWS.slice(0, 70_000), tmp_path / "in" / f"{name}.csv")
    pq.write_table(ROWS.slice(0, 10), tmp_path / "in" / "3.parquet")
    told = Told()
    lake.write(tmp_path / "in", tmp_path / "t", progress=told)
    assert told.steps() == [("Reading types", 140_000, None), ("Writing", 140_010, 140_010)]
    assert capsys.readouterr().err == ""


def test_changes_tell_a_function(tmp_path: Path) -> None:
    path = tmp_path / "t"
    for part in range(0, 400_000, 200_000):
        lake.write(ROWS.slice(part, 200_000), path, max_rows_per_file=100_000, progress=False)
    steps: dict[str, Iterable[Any]] = {}
    for name, change in {
        "delete": lambda told: lake.delete(path, "id < 10", progress=told),
        "update": lambda told: lake.update(path, {"p": "'c'"}, "id < 20", progress=told),
        "merge": lambda told: lake.merge(
            path, ROWS.slice(5, 20), "id", when_matched_update=True, when_not_matched_insert=True, progress=told
        ),
        "vectors": lambda told: lake.delete(path, "id = 99", deletion_vectors=True, progress=told),
        "purge": lambda told: lake.purge(path, progress=told),
        "optimize": lambda told: lake.optimize(path, progress=told),
        "cluster": lambda told: lake.optimize(path, zorder_by="id", progress=told),
    }.items():
        told = Told()
        change(told)
        steps[name] = told.steps()
    assert steps == {
        "delete": [("Reading", 100_000, 100_000), ("Writing", 99_990, None)],
        "update": [("Reading", 99_990, 99_990), ("Writing", 99_990, None)],
        "merge": [("Reading", 99_990, 99_990), ("Writing", 99_995, None)],
        "vectors": [("Reading", 99_995, 99_995)],
        "purge": [("Writing", 99_994, 99_994)],
        "optimize": [("Writing", 300_000, 300_000)],
        "cluster": [("Sorting", 399_994, 399_994), ("Writing", 399_994, 399_994)],
    }


def test_what_the_function_raises_ends_the_call_and_changes_nothing(tmp_path: Path) -> None:
    lake.write(ROWS, tmp_path / "t", progress=False)
    files = sorted(file.name for file in tmp_path.rglob("*"))

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "Writing" and done:
            raise KeyboardInterrupt

    for change in (
        lambda: lake.write(ROWS, tmp_path / "t", progress=stop),
        lambda: lake.write(ROWS, tmp_path / "t", sort_by="id", progress=stop),
        lambda: lake.delete(tmp_path / "t", "id = 5", progress=stop),
        lambda: lake.optimize(tmp_path / "t", zorder_by="id", progress=stop),
    ):
        with pytest.raises(KeyboardInterrupt):
            change()
        assert sorted(file.name for file in tmp_path.rglob("*")) == files
    with pytest.raises(TypeError, match="progress: True, False or a function is needed, not 'yes'"):
        lake.write(ROWS, tmp_path / "t", progress="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress: True, False or a function of 3 values is needed, not <class"):
        lake.write(ROWS, tmp_path / "t", progress=Terminal)  # type: ignore[arg-type]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_and_a_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(ROWS, tmp_path / "rows.parquet")
    monkeypatch.setenv("TERM", "xterm")
    command = ["ingest", str(tmp_path / "rows.parquet"), str(tmp_path / "t"), "--engine", "local", "--sort-by", "id"]
    for quiet in (False, True):
        shown = Terminal()
        monkeypatch.setattr(sys, "stderr", shown)
        assert lakecodec([*command, "--mode", "append", *(["--quiet"] if quiet else [])]) == 0
        told = [text in shown.getvalue() for text in ("Writing", "400000/400000", "version 0: 400,000 rows")]
        assert told == [not quiet] * 3


def test_a_summary_says_what_was_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "t")
    lake.write({"id": [1, 2, 3]}, path, progress=False)
    lake.delete(path, "id = 2")
    lake.update(path, {"id": "id + 5"}, "id = 3")
    lake.merge(path, pa.table({"id": [1, 9]}), "id", when_matched_update=True, when_not_matched_insert=True)
    found = [line.partition(" written in ")[0] for line in capsys.readouterr().err.splitlines()]
    assert found == [
        "version 1: 1 row deleted, 2 rows",
        "version 2: 1 row updated, 2 rows",
        "version 3: 1 row matched, 3 rows",
    ]
