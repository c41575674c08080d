"""What checkpoints hold, when they are written, and what they must not lose."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.lake.log import Log, Transaction
from lakecodec.lake.log.actions import Action, DomainMetadata, Protocol, Txn
from lakecodec.lake.log.file_actions import Remove
from lakecodec.lake.log.names import Listing
from tests.lake.log.tables import append, ids, overwrite, rows

DAY = 24 * 3600 * 1000


def put(root: Path, *actions: Action) -> int:
    log = Log(root)
    version = (log.latest() or 0) + 1
    log.put(version, actions)
    return version


def checkpoints(root: Path) -> list[int]:
    return [int(path.name[:20]) for path in sorted((root / "_delta_log").glob("*.checkpoint.parquet"))]


def test_everything_but_files(tmp_path: Path) -> None:
    append(tmp_path, rows(0), txn_id="mine")
    features = ("domainMetadata", "appendOnly")
    put(
        tmp_path,
        Protocol(1, 7, None, features),
        DomainMetadata("kept", '{"a":1}'),
        DomainMetadata("changed", "1"),
        DomainMetadata("removed", "1"),
        Txn("stream", 7, 123),
    )
    put(tmp_path, DomainMetadata("changed", "2"), DomainMetadata("removed", "", True), Txn("stream", 8))
    before = Log(tmp_path).snapshot()
    Log(tmp_path).checkpoint()
    for version in range(3):
        (tmp_path / "_delta_log" / f"{version:020d}.json").unlink()
    after = Log(tmp_path).snapshot()
    assert after.checkpoint is not None
    assert after.protocol == before.protocol == Protocol(1, 7, None, features)
    assert after.metadata == before.metadata
    assert after.domains == before.domains
    assert {name: domain.configuration for name, domain in after.domains.items()} == {"kept": '{"a":1}', "changed": "2"}
    assert after.txns == before.txns
    assert after.transactions == {"mine": 0, "stream": 8}
    assert after.files == before.files
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [0, 1, 2]


def test_removed_files_are_remembered_for_their_time(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    now = int(time.time() * 1000)
    put(tmp_path, Remove("old", now - 8 * DAY), Remove("young", now - 6 * DAY, True, {}, 7))
    Log(tmp_path).checkpoint()
    table = pq.read_table(tmp_path / "_delta_log" / f"{1:020d}.checkpoint.parquet")
    removes = [row for row in table["remove"].to_pylist() if row is not None]
    assert [row["path"] for row in removes] == ["young"]
    assert (removes[0]["size"], removes[0]["extendedFileMetadata"]) == (7, True)
    assert not {row["dataChange"] for row in table["add"].to_pylist() if row is not None} - {False}


def test_a_file_comes_back(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    first = Log(tmp_path).snapshot().files
    overwrite(tmp_path, rows(10))
    log = Log(tmp_path)
    restore = Transaction(log, log.snapshot(), "RESTORE")
    for add in log.snapshot().files:
        restore.remove(add)
    restore.add(first[0])
    restore.commit()
    for _ in range(2):
        snapshot = Log(tmp_path).snapshot()
        assert [add.path for add in snapshot.files] == [first[0].path]
        assert first[0].path not in {remove.path for remove in snapshot.tombstones}
        log.checkpoint()
    assert snapshot.version == 2
    assert Log(tmp_path).snapshot().checkpoint is not None


def configured(root: Path, **configuration: str) -> None:
    append(root, rows(0))
    first = root / "_delta_log" / f"{0:020d}.json"
    settings = json.dumps({f"delta.{name.replace('_', '.')}": value for name, value in configuration.items()})
    first.write_text(first.read_text().replace('"configuration":{}', f'"configuration":{settings}'))


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ({}, [10]),
        ({"checkpointInterval": "3"}, [3, 6, 9]),
        ({"checkpointInterval": "0"}, [10]),
        ({"checkpoint_writeStatsAsStruct": "true"}, []),
        ({"checkpoint_writeStatsAsJson": "false"}, []),
    ],
)
def test_when_they_are_written(tmp_path: Path, configuration: dict[str, str], expected: list[int]) -> None:
    configured(tmp_path, **configuration)
    for number in range(1, 11):
        append(tmp_path, rows(number))
    assert checkpoints(tmp_path) == expected


def test_a_table_without_files(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    delete = Transaction(log, log.snapshot(), "DELETE")
    for add in log.snapshot().files:
        delete.remove(add)
    delete.commit()
    log.checkpoint()
    empty = Log(tmp_path).snapshot()
    assert empty.checkpoint is not None
    assert empty.files == []
    assert empty.files_table().num_rows == 0
    assert DeltaTable(tmp_path).to_pyarrow_table().num_rows == 0


def test_statistics_of_deltalake_survive_our_checkpoint(tmp_path: Path) -> None:
    write_deltalake(tmp_path, rows(0), configuration={"delta.checkpoint.writeStatsAsJson": "true"})
    DeltaTable(tmp_path).create_checkpoint()
    before = Log(tmp_path).snapshot().files
    append(tmp_path, rows(10))
    Log(tmp_path).checkpoint()
    after = {add.path: add.stats for add in Log(tmp_path).snapshot().files}
    assert before[0].stats is not None
    assert after[before[0].path] == before[0].stats


def test_listings() -> None:
    assert Listing.of(["_last_checkpoint", "x.json", "1.json", "_sidecars"]).latest is None
    hostile = [f"{1:020d}.checkpoint.{1:010d}.{9999999999}.parquet", f"{2:020d}.checkpoint.{0:010d}.{1:010d}.parquet"]
    assert Listing.of(hostile).checkpoints == ()
    names = [f"{version:020d}.json" for version in range(5, 9)] + [
        f"{version:020d}.checkpoint.parquet" for version in (4, 7)
    ]
    listing = Listing.of([*names, f"{6:020d}.crc", f"{5:020d}.{6:020d}.compacted.json"])
    assert (listing.earliest, listing.latest) == (4, 8)
    segment = listing.segment(8)
    assert [files.version for files in segment.checkpoints] == [7, 4]
    assert not segment.from_start
    assert [files.version for files in listing.segment(6).checkpoints] == [4]
    with pytest.raises(LookupError, match="versions 4 to 8"):
        listing.segment(3)


def test_a_small_checkpoint_is_kept_for_other_logs_of_the_table(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    Log(tmp_path).checkpoint()
    first = Log(tmp_path).snapshot()
    assert Log(tmp_path).snapshot().checkpoint is first.checkpoint is not None
    shutil.rmtree(tmp_path)
    append(tmp_path, rows(7))
    Log(tmp_path).checkpoint()
    second = Log(tmp_path).snapshot()
    assert second.checkpoint is not first.checkpoint
    assert second.files != first.files


def test_a_part_without_files(tmp_path: Path) -> None:
    """Some writers leave out the columns of a part that has no such action."""
    append(tmp_path, rows(0), txn_id="a")
    log = Log(tmp_path)
    log.checkpoint()
    (path,) = (tmp_path / "_delta_log").glob("*.checkpoint.parquet")
    whole = pq.read_table(path)
    path.unlink()
    parts = [whole.select([name for name in whole.column_names if name != "txn"]), whole.select(["txn"])]
    for number, part in enumerate(parts, 1):
        pq.write_table(part, path.with_name(f"{0:020}.checkpoint.{number:010}.{2:010}.parquet"))
    (tmp_path / f"_delta_log/{0:020}.json").unlink()
    assert len(Log(tmp_path).snapshot().files) == 1
    assert set(Log(tmp_path).snapshot().txns) == {"a"}
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [0, 1, 2]
