"""Change data feeds of tables that Delta's own library and deltalake wrote; deltalake reads them, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.cli.app import run as lakecodec
from lakecodec.lake.log import Log, LogError, SchemaMismatchError, Transaction, VersionNotFoundError
from lakecodec.pipeline import check, history, open_changes, scan, scan_changes, set_properties, vacuum
from tests.lake.log.tables import append, rows
from tests.lake.read.test_read_golden import NAMES, rows_of, table_of
from tests.spark.lakes import write_lake

FEED = {"delta.enableChangeDataFeed": "true"}
#: deltalake says no time zone.
TIME = ["_commit_timestamp"]
#: Tables whose files of changes say what their other files do not.
MADE_UP = ("cdf-table-simple", "cdf-table-update-ops")
#: Tables whose changes deltalake cannot read: percent signs in names of files, mapped columns.
NOT_THERE = {
    "cdf-table-backtick-column-names": {"insert": 5},
    "cdf-table-data-change": {"insert": 10},
    "cdf-table-delete-conditional-all-rows": {"insert": 10, "delete": 10},
    "cdf-table-delete-conditional-two-rows": {"insert": 10, "delete": 2},
    "cdf-table-delete-unconditional": {"insert": 10, "delete": 10},
    "cdf-table-partitioned": {"insert": 6, "delete": 4, "update_preimage": 1, "update_postimage": 1},
    "cdf-table-simple": {"insert": 15, "delete": 10},
    "cdf-table-update-ops": {"insert": 10, "update_pre": 5, "update_post": 5},
}


def kinds(table: pa.Table) -> dict[str, int]:
    found = table["_change_type"].to_pylist()
    return {kind: found.count(kind) for kind in dict.fromkeys(found)}


def replayed(changes: pa.Table, before: Sequence[str] = ()) -> list[str]:
    """The rows that a table has after its changes."""
    found = list(before)
    own = ["_change_type", "_commit_version", "_commit_timestamp"]
    for version in sorted(set(changes["_commit_version"].to_pylist())):
        part = changes.filter(pa.compute.equal(changes["_commit_version"], version))
        for kind in ("delete", "update_preimage", "insert", "update_postimage"):
            chosen = rows_of(part.filter(pa.compute.equal(part["_change_type"], kind)).drop_columns(own))
            for row in chosen:
                found.remove(row) if kind in ("delete", "update_preimage") else found.append(row)
    return sorted(found)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("cdf-table")])
def test_golden_tables(name: str, tmp_path: Path) -> None:
    path = table_of(name, tmp_path)
    latest = Log(path).latest() or 0
    for first in range(latest + 1):
        ours = scan_changes(path, first).read_all()
        assert ours["_commit_version"].to_pylist() == sorted(ours["_commit_version"].to_pylist())
        if name not in NOT_THERE:
            theirs = pa.table(DeltaTable(path).load_cdf(starting_version=first))
            assert rows_of(ours, TIME) == rows_of(theirs.select(ours.schema.names), TIME)
    every = scan_changes(path, 0).read_all()
    if name in NOT_THERE:
        assert kinds(every) == NOT_THERE[name]
    if name not in MADE_UP:
        assert replayed(every) == rows_of(scan(path).read_all())


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("cdf-column-mapping")])
def test_golden_tables_with_column_mapping(name: str, tmp_path: Path) -> None:
    """Delta's deltas of a mapped table: version 0 has no feed, later ones lead from its rows to those of the last."""
    path = table_of(name, tmp_path)
    with pytest.raises(LogError, match=r"version 0 was made without delta\.enableChangeDataFeed"):
        scan_changes(path, 0)
    changes = scan_changes(path, 1).read_all()
    assert replayed(changes, rows_of(scan(path, version=0).read_all())) == rows_of(scan(path).read_all())


def test_tables_of_deltalake(tmp_path: Path) -> None:
    data = pa.table({"id": range(40), "p": [f"p{i % 4}" for i in range(40)], "x": [float(i) for i in range(40)]})
    write_deltalake(tmp_path, data, partition_by=["p"], configuration=FEED)
    table = DeltaTable(tmp_path)
    table.delete("id < 5")
    table.update(updates={"x": "x + 100"}, predicate="id > 30")
    source = pa.table({"id": [7, 8, 99], "p": ["p3", "p0", "p9"], "x": [1.0, 2.0, 3.0]})
    merge = table.merge(source, "target.id = source.id", "source", "target")
    merge.when_matched_update_all().when_not_matched_insert_all().execute()
    table.delete("p = 'p1'")
    write_deltalake(tmp_path, data.slice(0, 3), mode="overwrite")
    table = DeltaTable(tmp_path)
    table.optimize.compact()
    last = Log(tmp_path).latest() or 0
    for first in range(last + 1):
        for end in range(first, last + 1):
            ours = scan_changes(tmp_path, first, end).read_all()
            theirs = pa.table(DeltaTable(tmp_path).load_cdf(starting_version=first, ending_version=end))
            assert rows_of(ours, TIME) == rows_of(theirs.select(ours.schema.names), TIME)
    every = scan_changes(tmp_path, 0).read_all()
    assert replayed(every) == rows_of(scan(tmp_path).read_all())
    assert {problem.kind for problem in check(tmp_path)} <= {"orphaned"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of four versions: created, with the feed, appended to, overwritten."""
    append(tmp_path, rows(0, city="Basel"), ("city",))
    set_properties(tmp_path, FEED)
    append(tmp_path, rows(3, city="Bern"), ("city",))
    overwrite_all(tmp_path)
    return tmp_path


def overwrite_all(path: Path) -> None:
    from ..log.tables import write_file

    log = Log(path)
    transaction = Transaction(log, log.snapshot(), "WRITE")
    for add in log.snapshot().files:
        transaction.remove(add)
    transaction.add(write_file(path, rows(9, 1, "Chur"), ("city",)))
    transaction.commit()


def test_ranges_columns_and_predicates(table: Path) -> None:
    every = scan_changes(table, 1).read_all()
    names = ["id", "city", "day", "_change_type", "_commit_version", "_commit_timestamp"]
    assert every.schema.names == names
    assert every.schema.field("_commit_timestamp").type == pa.timestamp("us", "UTC")
    assert kinds(every) == {"insert": 4, "delete": 6}
    theirs = pa.table(DeltaTable(table).load_cdf(starting_version=1))
    assert rows_of(every, TIME) == rows_of(theirs.select(names), TIME)
    assert scan_changes(table, 2, 2).read_all()["id"].to_pylist() == [3, 4, 5]
    times = [info.timestamp for info in history(table)[::-1]]
    assert scan_changes(table, times[2], times[2]).read_all()["id"].to_pylist() == [3, 4, 5]
    assert scan_changes(table, times[1].isoformat(), times[2].isoformat()).read_all().num_rows == 3
    assert scan_changes(table, 2, columns=["_commit_version", "ID"]).schema.names == ["_commit_version", "id"]
    assert scan_changes(
        table, 1, columns=["id"], where="_change_type = 'delete' AND id > 3"
    ).read_all().to_pylist() == [
        {"id": 4},
        {"id": 5},
    ]
    only = open_changes(table, 1, where="_commit_version = 2")
    assert (len(only.plan.files), only.plan.files_total) == (1, 4)
    assert only.reader().read_all()["_change_type"].to_pylist() == ["insert"] * 3
    assert open_changes(table, 1, where="city = 'Basel' AND _change_type = 'delete'").reader().read_all().num_rows == 3
    first = open_changes(table, 1)
    assert sum(batch.num_rows for batch in first.batches(limit=4)) == 4
    for start, end, error, message in [
        (0, None, LogError, "version 0 was made without"),
        (5, None, VersionNotFoundError, "start: the table has versions up to 3, not 5"),
        (1, 7, VersionNotFoundError, "end: "),
        (times[3] + timedelta(days=1), None, VersionNotFoundError, "start: "),
        (3, 2, ValueError, "version 3 is after version 2"),
        (1.5, None, TypeError, "start: "),
        ("yesterday", None, ValueError, "ISO 8601"),
    ]:
        with pytest.raises(error, match=message):
            scan_changes(table, start, end)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="'_change_typ' is not a column"):
        scan_changes(table, 1, where="_change_typ = 'x'")


def test_command(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = ["--columns", "_change_type,id", "--format", "csv"]
    assert lakecodec(["scan", str(table), "--changes", "2..2", *columns]) == 0
    assert capsys.readouterr().out.splitlines() == ['"_change_type","id"', '"insert",3', '"insert",4', '"insert",5']
    assert lakecodec(["scan", str(table), "--changes", "1", "--where", "id = 9", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["id"], row["_change_type"], row["_commit_version"]) == (9, "insert", 3)
    assert lakecodec(["scan", str(table), "--changes", "1", "--version", "2"]) != 0
    assert lakecodec(["scan", str(table), "--changes", "0"]) != 0
    assert "version 0 was made without" in capsys.readouterr().err


def test_columns_that_came_later_and_names_of_the_feed(tmp_path: Path) -> None:
    append(tmp_path / "t", rows(0))
    set_properties(tmp_path / "t", FEED)
    append(tmp_path / "t", rows(3))
    write_deltalake(tmp_path / "t", pa.table({"id": [9], "more": ["x"]}), mode="append", schema_mode="merge")
    found = scan_changes(tmp_path / "t", 1).read_all()
    assert found["more"].to_pylist() == [None, None, None, "x"]
    overwritten = pa.table({"id": ["text"]})
    write_deltalake(tmp_path / "t", overwritten, mode="overwrite", schema_mode="overwrite")
    with pytest.raises(LogError, match="version 1 has columns that version 4 cannot show"):
        scan_changes(tmp_path / "t", 1)
    assert scan_changes(tmp_path / "t", 1, 3).read_all().num_rows == 4

    write_lake(tmp_path / "u", pa.table({"_change_type": [1]}))
    with pytest.raises(SchemaMismatchError, match="'_change_type' is a column of the change data feed"):
        set_properties(tmp_path / "u", FEED)
    transaction = Transaction(Log(tmp_path / "v"), None, "CREATE TABLE")
    transaction.set_schema(pa.schema({"_Commit_Version": pa.int64()}), properties=FEED)
    with pytest.raises(SchemaMismatchError, match="'_Commit_Version' is a column of the change data feed"):
        transaction.commit()


def test_vacuum_and_check_know_files_of_changes(tmp_path: Path) -> None:
    data = pa.table({"id": range(10)})
    write_deltalake(tmp_path, data, configuration=FEED)
    DeltaTable(tmp_path).delete("id = 3")
    (changes,) = (tmp_path / "_change_data").iterdir()
    stray = changes.with_name("part-stray.parquet")
    stray.write_bytes(changes.read_bytes())
    assert [problem.path for problem in check(tmp_path)] == [f"_change_data/{stray.name}"]
    assert vacuum(tmp_path, retention=timedelta(0))[0] == f"_change_data/{stray.name}"
    vacuum(tmp_path, retention=timedelta(0), dry_run=False)
    assert not stray.exists()
    assert scan_changes(tmp_path, 1).read_all()["id"].to_pylist() == [3]
    append_more(tmp_path)
    assert f"_change_data/{changes.name}" in vacuum(tmp_path, retention=timedelta(0))


def append_more(path: Path) -> None:
    write_deltalake(path, pa.table({"id": [77]}), mode="append")


def test_removes_that_say_nothing(tmp_path: Path) -> None:
    """A remove without partition values: the version before has them."""
    append(tmp_path, rows(0), ("city",))
    set_properties(tmp_path, FEED)
    log = tmp_path / "_delta_log"
    path = Log(tmp_path).snapshot().files[0].path
    remove: Any = {"remove": {"path": path, "deletionTimestamp": 1, "dataChange": True}}
    (log / f"{2:020}.json").write_text(json.dumps(remove) + "\n")
    found = scan_changes(tmp_path, 2).read_all()
    assert found.select(["id", "city", "_change_type"]).to_pylist() == [
        {"id": i, "city": "Zürich", "_change_type": "delete"} for i in range(3)
    ]
