"""Vacuum deletes what nobody needs, check finds what is wrong."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.lake.log import Add, Log, Statistics, Transaction, VersionNotFoundError, check, vacuum
from lakecodec.mosaic import write_table
from tests.lake.log.tables import append, ids, overwrite, rows, write_file

NOTHING = timedelta(0)


def age(root: Path, **by: float) -> None:
    """Makes everything older: the files, and the times in the log."""
    seconds = timedelta(**by).total_seconds()
    for path in root.rglob("*"):
        status = path.stat()
        if path.suffix == ".json" and path.stem.isdigit():
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            for line in lines:
                for action, field in (("commitInfo", "timestamp"), ("remove", "deletionTimestamp")):
                    if action in line:
                        line[action][field] -= int(seconds * 1000)
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        if path.is_file():
            os.utime(path, (status.st_atime - seconds, status.st_mtime - seconds))


def data_files(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*.parquet") if "_delta_log" not in path.parts}


def test_vacuum_keeps_what_retained_versions_need(tmp_path: Path) -> None:
    append(tmp_path, rows(0, city="a b"), ("city",))
    first = data_files(tmp_path)
    overwrite(tmp_path, rows(10, city=None))
    second = data_files(tmp_path) - first
    age(tmp_path, days=10)
    overwrite(tmp_path, rows(20, city="c"))
    orphan = write_file(tmp_path, rows(30, city="d"), ("city",)).file
    age(tmp_path, hours=1)

    assert vacuum(tmp_path, retention=timedelta(days=30)) == []
    assert vacuum(tmp_path, retention=timedelta(days=5)) == sorted(first), "version 1 was the newest until an hour ago"
    assert vacuum(tmp_path, retention=timedelta(minutes=30)) == sorted({*first, *second, orphan})
    assert vacuum(tmp_path, retention=NOTHING) == sorted({*first, *second, orphan})
    assert len(data_files(tmp_path)) == 4, "nothing was deleted so far"

    assert vacuum(tmp_path, retention=timedelta(days=5), dry_run=False) == sorted(first)
    assert ids(DeltaTable(tmp_path, version=1).to_pyarrow_table()) == [10, 11, 12]
    assert vacuum(tmp_path, retention=NOTHING, dry_run=False) == sorted({*second, orphan})
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [20, 21, 22]
    assert vacuum(tmp_path, retention=NOTHING) == []
    assert check(tmp_path) == []


def test_vacuum_spares_transactions_under_way(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    young = write_file(tmp_path, rows(10)).file
    assert vacuum(tmp_path, retention=timedelta(hours=1)) == []
    assert vacuum(tmp_path, retention=NOTHING) == [young]


def test_what_is_no_data_stays(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    for name in (
        "_SUCCESS",
        ".hidden",
        ".staging/part-0.parquet",
        "notes.txt",
        "_k=1/x.parquet",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert vacuum(tmp_path, retention=NOTHING, dry_run=False) == ["_k=1/x.parquet", "notes.txt"]


def test_vacuum_behind_a_cleaned_log(tmp_path: Path) -> None:
    """What checkpoints remember of removed files is kept as long as the times say."""
    for number in range(9):
        append(tmp_path, rows(number))
    overwrite(tmp_path, rows(100))
    append(tmp_path, rows(200))
    removed = {remove.path for remove in Log(tmp_path).snapshot().tombstones}
    assert len(removed) == 9
    for version in range(10):
        (tmp_path / "_delta_log" / f"{version:020d}.json").unlink()
    assert {remove.path for remove in Log(tmp_path).snapshot().tombstones} == removed
    assert vacuum(tmp_path, retention=timedelta(days=1)) == []
    assert vacuum(tmp_path, retention=NOTHING) == sorted(removed)
    assert check(tmp_path) == []


def test_tables_of_deltalake(tmp_path: Path) -> None:
    for number in range(6):
        data = rows(10 * number, city=f"ä {number % 2}")
        write_deltalake(tmp_path, data, mode="append", partition_by=["city"])
    table = DeltaTable(tmp_path)
    table.optimize.compact()
    table.delete("id = 0")
    ours = vacuum(tmp_path, retention=NOTHING)
    theirs = table.vacuum(retention_hours=0, enforce_retention_duration=False)
    assert len(ours) == 7
    assert {name.rpartition("/")[2] for name in ours} == {name.rpartition("/")[2] for name in theirs}
    before = ids(table.to_pyarrow_table())
    vacuum(tmp_path, retention=NOTHING, dry_run=False)
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == before
    assert len(data_files(tmp_path)) == 2


def test_arguments(tmp_path: Path) -> None:
    with pytest.raises(VersionNotFoundError, match="no Delta table"):
        vacuum(tmp_path, retention=NOTHING)
    with pytest.raises(VersionNotFoundError, match="no Delta table"):
        check(tmp_path)
    (tmp_path / "file.parquet").touch()
    with pytest.raises(VersionNotFoundError, match=r"no Delta table at '.*file.parquet'"):
        check(tmp_path / "file.parquet")
    (tmp_path / "file.parquet").unlink()
    append(tmp_path, rows(0))
    with pytest.raises(TypeError, match="retention"):
        vacuum(tmp_path, retention=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="retention"):
        vacuum(tmp_path, retention=timedelta(seconds=-1))


def rewrite(root: Path, **changes: Any) -> None:
    """Changes the statistics of the only file in the log."""
    path = root / "_delta_log" / f"{0:020d}.json"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    stats = json.loads(lines[-1]["add"]["stats"])
    for name, value in changes.items():
        stats[name] = stats[name] | value if isinstance(value, dict) else value
    lines[-1]["add"]["stats"] = json.dumps(stats)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_check_finds_files(tmp_path: Path) -> None:
    for number in range(3):
        append(tmp_path, rows(number))
    missing, longer, broken = (add.file for add in Log(tmp_path).snapshot().files)
    (tmp_path / missing).unlink()
    with (tmp_path / longer).open("ab") as file:
        file.write(b"PAR1")
    content = bytearray((tmp_path / broken).read_bytes())
    content[-8:-4] = b"\xff\xff\xff\x7f"
    (tmp_path / broken).write_bytes(content)
    orphan = write_file(tmp_path, rows(9)).file
    found = [(problem.kind, problem.path) for problem in check(tmp_path)]
    assert found == [
        ("missing", missing),
        ("size", longer),
        ("unreadable", longer),
        ("unreadable", broken),
        ("orphaned", orphan),
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"numRecords": 4}, "the log says 4 rows, the file has 3"),
        ({"nullCount": {"city": 1}}, "city: the log says 1 nulls, the file has 0"),
        ({"minValues": {"id": 1}}, "id: the log says a minimum of 1, the file has 0"),
        ({"maxValues": {"id": 1}}, "id: the log says a maximum of 1, the file has 2"),
        ({"minValues": {"city": "a"}}, "city: the log says a minimum of 'a', the file has 'Zürich'"),
        ({"maxValues": {"day": "1970-01-02"}}, "day: the log says a maximum of"),
    ],
)
def test_check_finds_lies(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    append(tmp_path, rows(0))
    assert check(tmp_path) == []
    rewrite(tmp_path, **changes)
    (problem,) = check(tmp_path)
    assert problem.kind == "statistics"
    assert problem.message.startswith(message)
    assert problem.path == Log(tmp_path).snapshot().files[0].file


def test_check_looks_at_the_data_where_footers_are_silent(tmp_path: Path) -> None:
    append(tmp_path, pa.table({"x": [1.0, 2.0], "l": [[1], None]}))
    rewrite(tmp_path, maxValues={"x": 1.5})
    assert [problem.message for problem in check(tmp_path)] == ["x: the log says a maximum of 1.5, the file has 2.0"]
    rewrite(tmp_path, maxValues={"x": 2.0}, nullCount={"l": 0})
    assert [problem.message for problem in check(tmp_path)] == ["l: the log says 0 nulls, the file has 1"]
    rewrite(tmp_path, nullCount={"l": 1})
    (add,) = Log(tmp_path).snapshot().files
    assert check(tmp_path) == []
    pq.write_table(pa.table({"x": [1.0, float("nan")], "l": [[1], None]}), tmp_path / add.file)
    assert "x: the log says a maximum of 2.0, the file has nan" in [problem.message for problem in check(tmp_path)]


def test_check_of_mosaic_files(tmp_path: Path) -> None:
    values = rows(0)
    write_table(values, tmp_path / "part-0.mosaic")
    statistics = Statistics(values.schema)
    statistics.update(values)
    size = (tmp_path / "part-0.mosaic").stat().st_size
    log = Log(tmp_path)
    transaction = Transaction(log, None, "WRITE")
    transaction.set_schema(values.schema, format="mosaic")
    transaction.add(Add("part-0.mosaic", {}, size, 0, stats=statistics.to_json()))
    transaction.commit()
    assert check(tmp_path) == []
    rewrite(tmp_path, minValues={"id": 1}, numRecords=2)
    messages = [problem.message for problem in check(tmp_path)]
    assert messages == ["the log says 2 rows, the file has 3", "id: the log says a minimum of 1, the file has 0"]
    (tmp_path / "part-0.mosaic").write_bytes(bytes(size))
    assert [problem.kind for problem in check(tmp_path)] == ["unreadable"]


def test_check_looks_behind_checkpoints(tmp_path: Path) -> None:
    for number in range(11):
        append(tmp_path, rows(number))
    path = tmp_path / "_delta_log" / f"{3:020d}.json"
    path.write_bytes(path.read_bytes()[:-20])
    (problem,) = check(tmp_path)
    assert (problem.kind, problem.path) == ("log", f"_delta_log/{3:020d}.json")
    assert "cut off" in problem.message
