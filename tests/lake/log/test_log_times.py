"""Time travel by time: by the times of commit files, as Spark and deltalake have it, or by in-commit timestamps."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from deltalake import DeltaTable

from lakecodec.lake.log import CorruptLogError, Log, VersionNotFoundError
from lakecodec.pipeline import history, scan
from tests.lake.log.tables import append, rows
from tests.lake.s3 import BUCKET, server

START = datetime(2024, 5, 6, 7, 8, 9, 123000, UTC)
MILLISECOND = timedelta(milliseconds=1)


def commit_file(root: Path, version: int) -> Path:
    return root / f"_delta_log/{version:020}.json"


def lines(root: Path, version: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in commit_file(root, version).read_text().splitlines()]


def touch(root: Path, *times: datetime) -> None:
    """Sets the times of the first commit files."""
    for version, time in enumerate(times):
        nanoseconds = (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000
        os.utime(commit_file(root, version), ns=(nanoseconds, nanoseconds))


def table(root: Path, versions: int) -> Log:
    for version in range(versions):
        append(root, rows(version))
    return Log(root)


def test_times_of_files(tmp_path: Path) -> None:
    """What commitInfo says is when its writer began; a copy or a slow writer has another time."""
    log = table(tmp_path, 4)
    times = [START + timedelta(hours=number) for number in range(4)]
    touch(tmp_path, *times)
    for version, time in enumerate(times):
        for moment, expected in (
            (time, version),
            (time + timedelta(minutes=59), version),
            (time - MILLISECOND, version - 1),
        ):
            if expected < 0:
                with pytest.raises(VersionNotFoundError, match=r"is of 2024-05-06T07:08:09\.123"):
                    Log(tmp_path).version_at(moment)
                continue
            theirs = DeltaTable(tmp_path)
            theirs.load_as_version(moment)
            assert Log(tmp_path).version_at(moment) == theirs.version() == expected
        assert Log(tmp_path).version_since(time) == version
        assert Log(tmp_path).version_since(time + MILLISECOND) == version + 1
    assert [info.timestamp for info in history(tmp_path)] == times[::-1]
    assert log.commit_times([3, 1]) == {3: times[3], 1: times[1]}, "those of the change feed"
    assert log.snapshot(timestamp=times[1]).version == 1


def test_times_of_files_grow(tmp_path: Path) -> None:
    """As Spark has it: each version is at least a millisecond after the one before, in whole milliseconds."""
    table(tmp_path, 4)
    touch(
        tmp_path, START + timedelta(microseconds=700), START - timedelta(hours=1), START, START + timedelta(seconds=1)
    )
    log = Log(tmp_path)
    assert [info.timestamp for info in reversed(log.history())] == [
        START,
        START + MILLISECOND,
        START + 2 * MILLISECOND,
        START + timedelta(seconds=1),
    ]
    assert [log.version_at(START + number * MILLISECOND) for number in range(4)] == [0, 1, 2, 2]


def test_the_time_that_a_commit_tells(tmp_path: Path) -> None:
    """Time travel to it finds the version, also where the clock of the files is behind."""
    first = append(tmp_path, rows(0))
    touch(tmp_path, datetime.now(UTC) + timedelta(days=1))
    second = append(tmp_path, rows(1))
    assert second.timestamp > first.timestamp + timedelta(hours=23)
    assert Log(tmp_path).history()[0] == second
    assert Log(tmp_path).version_at(second.timestamp) == 1


def stamp(root: Path, version: int, time: datetime, **changes: Any) -> None:
    """Gives a commit an in-commit timestamp, and its metadata properties."""
    found = lines(root, version)
    found[0]["commitInfo"]["inCommitTimestamp"] = int(time.timestamp() * 1000)
    for line in found:
        if "metaData" in line:
            line["metaData"]["configuration"] |= changes
        if "protocol" in line:
            line["protocol"] = {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["inCommitTimestamp"]}
    commit_file(root, version).write_text("".join(json.dumps(line) + "\n" for line in found))


def enabled(root: Path, since: int, versions: int) -> list[datetime]:
    """Makes a table with in-commit timestamps from a version on; returns the times of its versions."""
    table(root, versions)
    metadata = [line for line in lines(root, 0) if {"metaData", "protocol"} & set(line)]
    if since:
        path = commit_file(root, since)
        path.write_text(path.read_text() + "".join(json.dumps(line) + "\n" for line in metadata))
    times = [START + timedelta(hours=number) for number in range(versions)]
    properties = {"delta.enableInCommitTimestamps": "true"}
    if since:
        properties["delta.inCommitTimestampEnablementVersion"] = str(since)
    for version in range(since, versions):
        stamp(root, version, times[version], **properties)
    touch(root, *times[:since])
    return times


@pytest.mark.parametrize("since", [0, 2])
def test_in_commit_timestamps(tmp_path: Path, since: int) -> None:
    """They count whatever becomes of the files, from the version on that enabled them."""
    times = enabled(tmp_path, since, 5)
    log = Log(tmp_path)
    assert [info.timestamp for info in reversed(log.history())] == times
    for version, time in enumerate(times):
        assert log.version_at(time) == log.version_since(time) == version
        assert log.version_since(time + MILLISECOND) == version + 1
    append(tmp_path, rows(9))
    assert Log(tmp_path).info(5).timestamp > datetime.now(UTC) - timedelta(minutes=1)


def test_a_version_without_its_in_commit_timestamp(tmp_path: Path) -> None:
    enabled(tmp_path, 0, 3)
    found = lines(tmp_path, 1)
    del found[0]["commitInfo"]["inCommitTimestamp"]
    commit_file(tmp_path, 1).write_text("".join(json.dumps(line) + "\n" for line in found))
    with pytest.raises(CorruptLogError, match="no inCommitTimestamp"):
        Log(tmp_path).info(1)


def test_few_requests(tmp_path: Path) -> None:
    """The times come with a listing: not one request per version."""
    table(tmp_path, 9)
    for version in range(9, 40):
        shutil.copy(commit_file(tmp_path, 8), commit_file(tmp_path, version))
    with server() as s3:
        log = Log(f"s3://{BUCKET}/{uuid4().hex}")
        client = log.storage.filesystem.handler.fs
        client.put(f"{tmp_path}/", log.storage.root, recursive=True)
        with s3.count() as requests:
            assert log.version_at(datetime.now(UTC) + timedelta(hours=1)) == 39
        assert (requests["LIST"], requests["GET"]) == (2, 1)
        modified = [info.modified for info in log.storage.walk("_delta_log")]
        assert max(modified) < datetime.now(UTC) - MILLISECOND, "those of the store, not now"


def test_rows_of_a_time(tmp_path: Path) -> None:
    table(tmp_path, 3)
    touch(tmp_path, *(START + timedelta(days=number) for number in range(3)))
    found = scan(tmp_path, timestamp="2024-05-07T12:00:00").read_all()
    assert sorted(found["id"].to_pylist()) == sorted(scan(tmp_path, version=1).read_all()["id"].to_pylist())
