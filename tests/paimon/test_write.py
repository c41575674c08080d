"""Tables written here: read again, and by pypaimon."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError, lake, paimon
from lakecodec.lake import ConflictError, SchemaMismatchError, UnsupportedTableError

from .peer import Peer, rows
from .test_read import data


@pytest.mark.parametrize("format", ["mosaic", "parquet", "orc"])
def test_pypaimon_reads_all_types(peer: Peer, tmp_path: Path, format: str) -> None:
    path = tmp_path / "d.db" / "t"
    first = paimon.write(data(40), path, partition_by=["part", "day"], file_format=format)
    assert (first.id, first.kind, first.num_rows, first.num_rows_added) == (1, "APPEND", 40, 40)
    assert rows(peer.read(path)) == rows(paimon.scan(path)) == rows(peer.read(path, snapshot_id=1))
    second = paimon.write(data(5, 40), path)
    assert rows(peer.read(path)) == rows(paimon.scan(path))
    peer.write(path, data(9, 50))
    assert paimon.count(path) == 54
    third = paimon.write(data(1), path, mode="overwrite")
    assert (second.num_rows, third.kind) == (45, "OVERWRITE")
    before = paimon.scan(path, snapshot=3).read_all().to_pylist()
    expected = [row for row in before if (row["part"], str(row["day"])) != ("a b", "2020-01-01")]
    assert rows(paimon.scan(path)) == sorted(map(repr, expected + data(1).to_pylist()))
    assert rows(peer.read(path)) == rows(paimon.scan(path))


@pytest.mark.parametrize("key", ["id", "name", "price", "large", "micros", "day", "real", "flag", "short,name"])
def test_buckets_are_those_of_pypaimon(peer: Peer, tmp_path: Path, key: str) -> None:
    options = {"bucket": "5", "bucket-key": key}
    ours, theirs = tmp_path / "d.db" / "ours", tmp_path / "d.db" / "theirs"
    paimon.write(data(60), ours, options=options)
    peer.create(theirs, data(0), [], options | {"file.format": "mosaic"})
    peer.write(theirs, data(60))

    def buckets(path: Path) -> dict[int, list[str]]:
        found = {}
        for bucket in range(5):
            file = next(iter((path / f"bucket-{bucket}").glob("*.mosaic")), None)
            if file is not None:
                from lakecodec import mosaic

                found[bucket] = sorted(map(str, mosaic.read_table(file)["id"].to_pylist()))
        return found

    assert buckets(ours) == buckets(theirs)
    assert rows(peer.read(ours)) == rows(data(60))


def test_statistics_leave_files_out(tmp_path: Path) -> None:
    for start in range(0, 100, 10):
        paimon.write(data(10, start), tmp_path / "t")
    assert paimon.files(tmp_path / "t", where="id = 25").num_rows == 1
    assert paimon.files(tmp_path / "t", where="name = 'the name of number 71' or price > 24.5").num_rows == 3
    assert paimon.count(tmp_path / "t", where="id >= 30 and id < 50") == 20


def test_refused(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "t"
    paimon.write(pa.table({"a": [1], "b": ["x"]}), path)
    with pytest.raises(SchemaMismatchError, match="no column 'c'"):
        paimon.write(pa.table({"c": [1]}), path)
    with pytest.raises(SchemaMismatchError, match="'a' is string"):
        paimon.write(pa.table({"a": ["x"]}), path)
    with pytest.raises(FileExistsError, match="there is a table"):
        paimon.write(pa.table({"a": [1]}), path, mode="error")
    with pytest.raises(ValueError, match="partition_by"):
        paimon.write(pa.table({"a": [1]}), path, partition_by=["b"])
    with pytest.raises(ValueError, match="mode: 'x'"):
        paimon.write(pa.table({"a": [1]}), path, mode="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="which Paimon does not have"):
        paimon.write(pa.table({"a": pa.array([1], pa.uint64())}), tmp_path / "u")
    with pytest.raises(KeyError, match="'z' is not a column"):
        paimon.write(pa.table({"a": [1], "b": [1]}), tmp_path / "u", partition_by=["z"])
    with pytest.raises(ValueError, match="bucket needs bucket-key"):
        paimon.write(pa.table({"a": [1]}), tmp_path / "u", options={"bucket": "2"})
    for arguments, error, message in (
        ({"options": {"bucket": "x"}}, ValueError, "options: bucket = 'x'"),
        ({"options": {"bucket": "0"}}, ValueError, "options: bucket = 0"),
        ({"options": "bucket=2"}, TypeError, "options: a dict"),
        ({"options": {"bucket": None}}, TypeError, "options: a name and a text"),
        ({"partition_by": "a"}, TypeError, "partition_by: an iterable of names is needed, not one str"),
        ({"partition_by": [1]}, TypeError, "partition_by: a str is needed, not int"),
        ({"file_format": "csv"}, ValueError, "file_format: 'csv'"),
        ({"commit_user": 3}, TypeError, "commit_user: a name"),
        ({"commit_identifier": 3}, ValueError, "commit_identifier: commit_user"),
        ({"commit_user": "me", "commit_identifier": "3"}, TypeError, "commit_identifier: a whole number"),
        ({"commit_user": "me", "commit_identifier": -1}, ValueError, "commit_identifier: a number from 0"),
        ({"branch": "a/b"}, ValueError, "branch: 'a/b'"),
    ):
        with pytest.raises(error, match=message):
            paimon.write(pa.table({"a": [1]}), tmp_path / "u", **arguments)  # type: ignore[arg-type]
    assert not (tmp_path / "u").exists()
    keyed = tmp_path / "d.db" / "keyed"
    schema = pa.schema([pa.field("k", pa.int64(), nullable=False)])
    peer.create(keyed, schema.empty_table(), [], {"bucket": "1"}, ["k"])
    with pytest.raises(UnsupportedTableError, match="primary key"):
        paimon.write(pa.table({"k": [1]}), keyed)
    assert rows(paimon.scan(path)) == [repr({"a": 1, "b": "x"})]
    assert not [file for file in path.rglob("*.mosaic") if file.name not in str(paimon.files(path)["path"].to_pylist())]


def test_options_of_a_table_that_is_there(tmp_path: Path) -> None:
    """Those that it has are no error, so that a program may be run again; others are."""
    path, options = tmp_path / "t", {"bucket": 2, "bucket-key": "a"}
    for _ in range(2):
        paimon.write(pa.table({"a": [1]}), path, options=options, file_format="mosaic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="options: bucket is '2' in the table, not '3'"):
        paimon.write(pa.table({"a": [1]}), path, options={"bucket": "3"})
    with pytest.raises(ValueError, match="options: target-file-size is not set in the table, not '1 mb'"):
        paimon.write(pa.table({"a": [1]}), path, options={"target-file-size": "1 mb"})
    assert paimon.count(path) == 2


def test_a_commit_is_made_once(tmp_path: Path) -> None:
    table = pa.table({"a": [1]})
    first = paimon.write(table, tmp_path / "t", commit_user="me", commit_identifier=7)
    paimon.write(table, tmp_path / "t", commit_user="me", commit_identifier=8)
    assert paimon.write(table, tmp_path / "t", commit_user="me", commit_identifier=7).id == first.id
    assert paimon.count(tmp_path / "t") == 2
    assert len(list((tmp_path / "t" / "bucket-0").iterdir())) == 2


def test_compaction(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    for start in range(0, 50, 5):
        paimon.write(data(5, start), path, partition_by=["day"])
    found = paimon.compact(path)
    assert found is not None
    assert (found.kind, found.num_rows, found.num_rows_added) == ("COMPACT", 50, 0)
    assert paimon.files(path).num_rows == 3
    assert rows(paimon.scan(path)) == rows(peer.read(path)) == rows(data(50))
    assert paimon.compact(path) is None


def test_compaction_drops_deleted_rows(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    peer.create(path, data(0), [], {"file.format": "mosaic", "deletion-vectors.enabled": "true"})
    peer.write(path, data(20))
    peer.delete_rows(path, [1, 2])
    before = rows(paimon.scan(path))
    assert paimon.compact(path)
    assert rows(paimon.scan(path)) == rows(peer.read(path)) == before
    assert paimon.files(path)["num_deleted"].to_pylist() == [0]


@pytest.mark.parametrize("name", ["compact", "of delta", "to delta"])
def test_a_wrong_value_gets_no_right_checksum(tmp_path: Path, name: str) -> None:
    """Whatever writes rows of a damaged file again refuses to, as in tables of Delta."""
    path, copy = tmp_path / "t", tmp_path / "copy"
    rows = pa.table({"x": [1.5 * number for number in range(300)], "at": pa.array(range(300), pa.timestamp("ms"))})
    if name == "of delta":  # names of columns that only their ids tell
        lake.write(rows, path, properties={"delta.columnMapping.mode": "name"}, progress=False)
    else:
        for _ in range(2):
            paimon.write(rows, path, file_format="parquet")
    file = max(path.rglob("*.parquet"))
    plain: Any = {"write_page_checksum": True, "compression": "none", "use_dictionary": False}
    pq.write_table(pq.read_table(file), file, **plain)
    chunk = pq.read_metadata(file).row_group(0).column(0)
    data = bytearray(file.read_bytes())
    data[chunk.data_page_offset + chunk.total_compressed_size - 9] ^= 1
    file.write_bytes(data)
    with pytest.raises(DecodeError, match="CRC"):
        paimon.compact(path) if name == "compact" else paimon.convert(path, copy)


def test_many_manifests_become_one(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    for number in range(35):
        paimon.write(pa.table({"a": [number]}), path)
    assert rows(paimon.scan(path)) == rows(peer.read(path)) == rows(pa.table({"a": range(35)}))
    assert rows(peer.read(path, snapshot_id=20)) == rows(pa.table({"a": range(20)}))


def test_expiry_keeps_what_snapshots_and_tags_need(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    paimon.write(data(5), path)
    paimon.write(data(5, 5), path)
    peer.tag(path, "kept", 2)
    paimon.write(data(3, 10), path)
    paimon.write(data(1), path, mode="overwrite")
    assert paimon.expire_snapshots(path, older_than=timedelta(hours=1)) == []
    assert paimon.expire_snapshots(path, retain_last=2) == [1, 2]
    assert rows(paimon.scan(path, snapshot=3)) == rows(data(13))
    assert paimon.expire_snapshots(path) == [3]
    assert rows(paimon.scan(path)) == rows(peer.read(path)) == rows(data(1))
    assert rows(paimon.scan(path, tag="kept")) == rows(data(10))
    assert len(list((path / "bucket-0").iterdir())) == 3
    (path / "bucket-0" / "data-lost-0.mosaic").write_bytes(b"x")
    (path / "bucket-0" / "somebody.txt").write_bytes(b"x")
    assert paimon.remove_orphans(path) == []
    assert paimon.remove_orphans(path, older_than=timedelta(0), dry_run=False) == ["bucket-0/data-lost-0.mosaic"]
    assert paimon.remove_orphans(path, older_than=timedelta(0)) == []
    assert rows(paimon.scan(path, tag="kept")) == rows(data(10))


def life(peer: Peer, path: Path, seed: int, steps: int) -> None:
    """Random operations by both sides; after each, both read the table as the model says, and each snapshot that is left."""
    chance = random.Random(seed)
    parts = chance.choice(([], ["day"], ["part"], ["day", "flag"]))
    # pypaimon cannot write into buckets of tables with manifests whose partitions are null alone.
    options = {} if "flag" in parts or "part" in parts else chance.choice(({}, {"bucket": "3", "bucket-key": "id"}))
    format = chance.choice(("mosaic", "parquet", "orc"))
    if chance.random() < 0.5:
        peer.create(path, data(0), parts, {**options, "file.format": format, "metadata.stats-mode": "full"})
    else:
        paimon.write(data(0), path, partition_by=parts, options=options, file_format=format)
    model: list[dict[str, Any]] = []
    snapshots: dict[int, list[str]] = {}
    place = 0
    for _ in range(steps):
        count = chance.randint(1, 12)
        new = data(count, place)
        place += count
        operation = chance.choice(("append", "append", "overwrite", "compact", "expire"))
        if operation in ("append", "overwrite"):
            if operation == "overwrite":
                touched = {tuple(row[name] for name in parts) for row in new.to_pylist()}
                model = [row for row in model if parts and tuple(row[name] for name in parts) not in touched]
            model = model + new.to_pylist()
            if chance.random() < 0.5:
                peer.write(path, new, {} if operation == "overwrite" else None)
            else:
                paimon.write(new, path, mode=operation)  # type: ignore[arg-type]
        elif operation == "compact":
            paimon.compact(path)
        elif paimon.history(path):
            for number in paimon.expire_snapshots(path, retain_last=chance.randint(1, 4)):
                del snapshots[number]
        expected = sorted(map(repr, model))
        assert rows(paimon.scan(path)) == expected, (seed, operation)
        assert rows(peer.read(path)) == expected, (seed, operation)
        for each in paimon.history(path):
            snapshots.setdefault(each.id, expected)
    for number, expected in snapshots.items():
        assert rows(paimon.scan(path, snapshot=number)) == expected, (seed, number)
        assert rows(peer.read(path, snapshot_id=number)) == expected, (seed, number)


@pytest.mark.parametrize("seed", range(4))
def test_lives(peer: Peer, tmp_path: Path, seed: int) -> None:
    life(peer, tmp_path / "d.db" / "t", seed, 7)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("seed", range(100, 200))
def test_long_lives(peer: Peer, tmp_path: Path, seed: int) -> None:
    life(peer, tmp_path / "d.db" / "t", seed, 40)


def _write_many(path: str, number: int, count: int) -> None:
    for each in range(count):
        paimon.write(pa.table({"writer": [number], "n": [each]}), path, commit_user=str(number))


def _compact_many(path: str, count: int) -> None:
    for _ in range(count):
        try:
            paimon.compact(path)
        except ConflictError:
            continue
        time.sleep(0.02)


def test_writers_race(tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    paimon.write(pa.table({"writer": [9], "n": [9]}), path)
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(path, number, 8)) for number in range(4)]
    writers.append(context.Process(target=_compact_many, args=(path, 4)))
    for process in writers:
        process.start()
    for process in writers:
        process.join(120)
        assert process.exitcode == 0
    expected = [{"writer": number, "n": each} for number in range(4) for each in range(8)] + [{"writer": 9, "n": 9}]
    assert rows(paimon.scan(path)) == sorted(map(repr, expected))
    assert [each.id for each in paimon.history(path)] == list(range(len(paimon.history(path)), 0, -1))
    assert paimon.remove_orphans(path, older_than=timedelta(0)) == []


def test_a_killed_writer_leaves_the_table_whole(tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    chance = random.Random(1)
    paimon.write(pa.table({"writer": [9], "n": [9]}), path)
    context = multiprocessing.get_context("fork")
    for _ in range(8):
        before = paimon.history(path)[0]
        process = context.Process(target=_write_many, args=(path, 1, 100))
        process.start()
        time.sleep(chance.uniform(0.01, 0.2))
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        after = paimon.history(path)[0]
        assert paimon.count(path) == after.num_rows == paimon.scan(path).read_all().num_rows
        assert after.num_rows - before.num_rows == after.id - before.id
    paimon.remove_orphans(path, older_than=timedelta(0), dry_run=False)
    assert paimon.count(path) == paimon.scan(path).read_all().num_rows


def test_data_of_other_libraries(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    paimon.write(polars.DataFrame({"a": [1, 2], "b": ["x", None]}), tmp_path / "t")
    paimon.write({"b": ["y"], "a": [3]}, tmp_path / "t")
    assert paimon.scan(tmp_path / "t").read_all().to_pylist() == [
        {"a": 1, "b": "x"}, {"a": 2, "b": None}, {"a": 3, "b": "y"},
    ]  # fmt: skip
