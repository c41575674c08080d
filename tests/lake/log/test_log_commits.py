"""Transactions: what is retried, what is refused, what is done once only, and what the history says of it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.lake.log import (
    ConflictError,
    Log,
    LogError,
    SchemaMismatchError,
    Snapshot,
    Transaction,
    VersionNotFoundError,
)
from lakecodec.lake.log.actions import Txn
from tests.lake.log.tables import SCHEMA, append, overwrite, rows, write_file


def lines(root: Path, version: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "_delta_log" / f"{version:020d}.json").read_text().splitlines()]


def start(root: Path, *, remove: bool = False) -> Transaction:
    """A transaction that adds a file to the newest version, and may remove all others."""
    log = Log(root)
    read = log.snapshot()
    transaction = Transaction(log, read, "WRITE")
    transaction.add(write_file(root, rows(500), read.partition_columns))
    for add in read.files if remove else ():
        transaction.remove(add)
    return transaction


def test_the_first_commit(tmp_path: Path) -> None:
    assert not Log(tmp_path).exists()
    assert Log(tmp_path).latest() is None
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    parameters = {"mode": "Append", "partitionBy": ["city"]}
    info = append(tmp_path, rows(0), ("city",), parameters=parameters, metrics={"seconds": 1.5}, txn_id="a")
    assert (info.version, info.operation, info.num_files, info.num_rows, info.txn_id) == (0, "WRITE", 1, 3, "a")
    assert before <= info.timestamp <= datetime.now(UTC)
    assert info.parameters == {"mode": "Append", "partitionBy": '["city"]'}
    assert info.metrics["numOutputRows"] == 3
    assert info.metrics["seconds"] == "1.5"
    assert Log(tmp_path).history() == [info]
    keys = [next(iter(line)) for line in lines(tmp_path, 0)]
    assert keys == ["commitInfo", "protocol", "metaData", "txn", "add"]
    assert lines(tmp_path, 0)[1] == {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}


def test_history_and_time_travel(tmp_path: Path) -> None:
    for number in range(4):
        append(tmp_path, rows(number))
    log = Log(tmp_path)
    history = log.history()
    assert [info.version for info in history] == [3, 2, 1, 0]
    times = [info.timestamp for info in history]
    assert times == sorted(set(times), reverse=True), "no two versions have the same time"
    for info in history:
        assert log.snapshot(timestamp=info.timestamp).version == info.version
        assert log.snapshot(timestamp=info.timestamp.isoformat()).version == info.version
    assert log.snapshot(timestamp=times[0] + timedelta(days=1)).version == 3
    with pytest.raises(VersionNotFoundError, match="oldest version is of"):
        log.snapshot(timestamp=times[-1] - timedelta(milliseconds=1))
    for version in (-1, 4):
        with pytest.raises(VersionNotFoundError, match="versions 0 to 3"):
            log.snapshot(version)
    with pytest.raises(VersionNotFoundError, match="no Delta table"):
        Log(tmp_path / "nothing").snapshot()
    with pytest.raises(ValueError, match="version, timestamp"):
        log.snapshot(1, "2024-01-01")
    with pytest.raises(TypeError, match="version"):
        log.snapshot("1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timestamp"):
        log.snapshot(timestamp="yesterday")


def test_times_grow_whatever_the_clock_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, rows(0))
    monkeypatch.setattr("time.time_ns", lambda: 0)
    append(tmp_path, rows(1))
    first, second = (lines(tmp_path, version)[0]["commitInfo"]["timestamp"] for version in (0, 1))
    assert second == first + 1


def test_snapshots_are_reused_and_pickled(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    first = log.snapshot()
    assert log.snapshot() is first
    append(tmp_path, rows(1))
    second = log.snapshot()
    assert second.version == 1
    assert (len(first.files), len(second.files)) == (1, 2)
    copy: Snapshot = pickle.loads(pickle.dumps(second))
    assert copy.files == second.files
    assert copy.log.latest() == 1


def test_a_commit_reads_what_is_new_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between checkpoints the cost of a commit does not grow with the table or its history."""
    for number in range(25):
        append(tmp_path, rows(number))
    read: list[str] = []
    log = Log(tmp_path)
    original = log.storage.read
    monkeypatch.setattr(log.storage, "read", lambda file: (read.append(file), original(file))[1])
    append(tmp_path, rows(25), log=log)
    assert len(read) == 4, "a new object reads the commits after the checkpoint"
    read.clear()
    append(tmp_path, rows(26), log=log)
    assert len(read) == 1, "afterwards those that are new"
    assert "live_files" not in vars(log.snapshot())


def test_a_transaction_id_is_committed_once(tmp_path: Path) -> None:
    first = append(tmp_path, rows(0), txn_id="load 1")
    append(tmp_path, rows(1))
    again = append(tmp_path, rows(0), txn_id="load 1")
    assert again == first
    assert Log(tmp_path).latest() == 1
    late = Transaction(Log(tmp_path), Log(tmp_path).snapshot(), "WRITE", txn_id="load 1")
    assert (late.commit(), late.repeated) == (first, True)


def test_ids_of_other_applications(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    Log(tmp_path).put(1, [Txn("stream", 0)])
    with pytest.raises(LogError, match="another application"):
        append(tmp_path, rows(1), txn_id="stream")


def test_committing_twice_changes_nothing(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    transaction = start(tmp_path)
    first = transaction.commit()
    assert transaction.commit() == first
    assert not transaction.repeated
    assert Log(tmp_path).latest() == 1


def test_appends_meet(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    mine = start(tmp_path)
    append(tmp_path, rows(1))
    overwrite(tmp_path, rows(2))
    assert mine.commit().version == 3
    assert len(Log(tmp_path).snapshot().files) == 2


@pytest.mark.parametrize(
    "act",
    [lambda root: append(root, rows(1)), lambda root: overwrite(root, rows(1))],
    ids=["append", "overwrite"],
)
def test_an_overwrite_meets(tmp_path: Path, act: Callable[[Path], Any]) -> None:
    append(tmp_path, rows(0))
    mine = start(tmp_path, remove=True)
    act(tmp_path)
    with pytest.raises(ConflictError, match="version 1") as caught:
        mine.commit()
    assert caught.value.versions == (1,)
    assert Log(tmp_path).latest() == 1


def test_partitions_are_replaced_side_by_side(tmp_path: Path) -> None:
    append(tmp_path, rows(0, city="a"), ("city",))
    append(tmp_path, rows(1, city="b"), ("city",))

    def replace_city(city: str) -> Transaction:
        log = Log(tmp_path)
        read = log.snapshot()
        transaction = Transaction(log, read, "WRITE")
        transaction.depends_on(lambda values: values["city"] == city)
        for add in read.files:
            if add.partition_values["city"] == city:
                transaction.remove(add)
        transaction.add(write_file(tmp_path, rows(7, city=city), ("city",)))
        return transaction

    first, second, third = replace_city("a"), replace_city("b"), replace_city("a")
    assert first.commit().version == 2
    assert second.commit().version == 3
    with pytest.raises(ConflictError, match="version 2 removed"):
        third.commit()
    fourth = replace_city("b")
    append(tmp_path, rows(8, city="b"), ("city",))
    with pytest.raises(ConflictError, match="version 4 added"):
        fourth.commit()


def test_compaction_meets_appends_but_not_deletes(tmp_path: Path) -> None:
    append(tmp_path, rows(0))

    def compact() -> Transaction:
        log = Log(tmp_path)
        read = log.snapshot()
        transaction = Transaction(log, read, "OPTIMIZE")
        transaction.depends_on(lambda values: False)
        for add in read.files:
            transaction.remove(add, data_change=False)
        transaction.add(write_file(tmp_path, rows(0)))
        return transaction

    mine, late = compact(), compact()
    append(tmp_path, rows(1))
    assert mine.commit().version == 2
    with pytest.raises(ConflictError, match="which this one removes, too"):
        late.commit()
    removed = [line["remove"] for line in lines(tmp_path, 2) if "remove" in line]
    assert [remove["dataChange"] for remove in removed] == [False]


def test_others_change_the_definition(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    mine = start(tmp_path)
    widened = Transaction(Log(tmp_path), Log(tmp_path).snapshot(), "ALTER")
    widened.set_schema(SCHEMA.append(pa.field("more", pa.string())))
    assert widened.commit().version == 1
    assert Log(tmp_path).snapshot().schema.names == ["id", "city", "day", "more"]
    with pytest.raises(ConflictError, match="changed the table's definition"):
        mine.commit()


def test_two_create_the_same_table(tmp_path: Path) -> None:
    def create(schema: pa.Schema = SCHEMA, *, exclusive: bool = False) -> Transaction:
        transaction = Transaction(Log(tmp_path), None, "WRITE")
        transaction.set_schema(schema)
        transaction.add(write_file(tmp_path, rows(0)))
        if exclusive:
            transaction.depends_on()
        return transaction

    first, second, third = create(), create(), create(exclusive=True)
    fourth = create(pa.schema({"id": pa.string(), "city": pa.string()}))
    assert (first.commit().version, second.commit().version) == (0, 1)
    assert "metaData" not in {key for line in lines(tmp_path, 1) for key in line}
    with pytest.raises(ConflictError, match="created by another"):
        third.commit()
    with pytest.raises(ConflictError, match="another definition"):
        fourth.commit()


def test_definitions_that_cannot_be(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)

    def define(schema: pa.Schema, *partitions: str) -> Transaction:
        transaction = Transaction(log, log.snapshot(), "ALTER")
        transaction.set_schema(schema, partitions)
        return transaction

    with pytest.raises(LogError, match="only where all files are removed"):
        define(SCHEMA, "city").commit()
    with pytest.raises(SchemaMismatchError, match="'day'") as caught:
        define(SCHEMA.remove(2)).commit()
    assert caught.value.columns == ("day",)
    with pytest.raises(KeyError, match="partition_columns"):
        define(SCHEMA, "town")
    with pytest.raises(ValueError, match="format"):
        Transaction(log, None, "WRITE").set_schema(SCHEMA, format="csv")
    with pytest.raises(LogError, match="needs a schema"):
        Transaction(Log(tmp_path / "new"), None, "WRITE").commit()
    with pytest.raises(ValueError, match="txn_id"):
        Transaction(log, None, "WRITE", txn_id="")
    partitioned = define(SCHEMA, "city")
    for add in log.snapshot().files:
        partitioned.remove(add)
    partitioned.add(write_file(tmp_path, rows(0), ("city",)))
    assert partitioned.commit().version == 1
    assert log.snapshot().partition_columns == ("city",)
    wrong = Transaction(log, log.snapshot(), "WRITE")
    wrong.add(write_file(tmp_path, rows(0)))
    with pytest.raises(LogError, match="partition columns"):
        wrong.commit()
    twice = Transaction(log, log.snapshot(), "WRITE")
    add = write_file(tmp_path, rows(0), ("city",))
    twice.add(add)
    with pytest.raises(ValueError, match="twice"):
        twice.add(add)
    twice.remove(add)
    with pytest.raises(LogError, match="both added and removed"):
        twice.commit()


def test_append_only_tables(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    first = tmp_path / "_delta_log" / f"{0:020d}.json"
    first.write_text(first.read_text().replace('"configuration":{}', '"configuration":{"delta.appendOnly":"true"}'))
    append(tmp_path, rows(1))
    with pytest.raises(LogError, match="append-only"):
        start(tmp_path, remove=True).commit()


def test_in_commit_timestamps_are_kept_up(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    first = tmp_path / "_delta_log" / f"{0:020d}.json"
    text = first.read_text().replace('"configuration":{}', '"configuration":{"delta.enableInCommitTimestamps":"true"}')
    features = '"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["inCommitTimestamp"]'
    first.write_text(text.replace('"minReaderVersion":1,"minWriterVersion":2', features))
    info = append(tmp_path, rows(1))
    described = lines(tmp_path, 1)[0]["commitInfo"]
    assert described["inCommitTimestamp"] == described["timestamp"] == int(info.timestamp.timestamp() * 1000)
