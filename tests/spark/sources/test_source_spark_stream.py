"""Streams out of and into tables: every row once, whatever is restarted."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.errors import AnalysisException, StreamingQueryException

from lakecodec.lake.log import Log
from lakecodec.pipeline import check, history, register
from lakecodec.spark.sources.lake import LakeSource
from lakecodec.spark.sources.lake_stream_read import READ_STREAM_OPTIONS, LakeStreamReader
from lakecodec.spark.sources.lake_stream_write import LakeStreamWriter
from lakecodec.spark.sources.options import Options
from tests.paths import TESTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def append(path: Path, *ids: int) -> None:
    """Appends one version, of one file, with another writer."""
    write_deltalake(path, pa.table({"id": pa.array(ids, pa.int64()), "part": [i % 3 for i in ids]}), mode="append")


def run(source: DataFrame, target: Path, checkpoint: Path, mode: str = "append", **options: str) -> None:
    """Reads all there is, and ends."""
    stream = source.writeStream.format("lake").outputMode(mode).trigger(availableNow=True).options(**options)
    stream.option("checkpointLocation", str(checkpoint)).start(str(target)).awaitTermination()


def read_stream(spark: SparkSession, path: Path, **options: str) -> DataFrame:
    return spark.readStream.format("lake").options(**options).load(str(path))


def ids(path: Path) -> list[int]:
    return sorted(DeltaTable(path).to_pyarrow_table()["id"].to_pylist())


def test_rows_there_are_and_rows_that_come(spark: SparkSession, tmp_path: Path) -> None:
    source, target, checkpoint = (tmp_path / name for name in ("source", "target", "checkpoint"))
    for first in (0, 10, 20):
        append(source, *range(first, first + 10))
    stream = read_stream(spark, source, maxFilesPerTrigger="2")
    run(stream, target, checkpoint, partitionBy="part")
    assert ids(target) == list(range(30))
    assert [info.operation for info in history(target)] == ["STREAMING UPDATE"] * 2  # two files and one
    append(source, 30, 31)
    DeltaTable(source).optimize.compact()  # the same rows in other files
    append(source, 32)
    run(stream, target, checkpoint)
    assert (ids(target), len(history(target))) == (list(range(33)), 3)
    run(stream, target, checkpoint)  # nothing new: no version
    assert len(history(target)) == 3
    (query,) = Log(target).snapshot().transactions  # Delta's own sink counts the same way
    assert DeltaTable(target).transaction_version(query) == 2
    assert check(target) == []
    DeltaTable(source).delete("id < 5")
    append(source, 40)
    with pytest.raises(StreamingQueryException, match=r"\(DELETE\) removes rows.*skipChangeCommits=true"):
        run(stream, target, checkpoint)
    run(read_stream(spark, source, skipChangeCommits="true"), target, checkpoint)
    assert ids(target) == [*range(33), 40]


def test_where_a_stream_begins(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for number in range(4):
        append(source, number)
    when = Log(source).commit_times([2])[2].isoformat()
    wanted = {
        "newest": ({"startingVersion": "latest"}, []),
        "third": ({"startingVersion": "2"}, [2, 3]),
        "time": ({"startingTimestamp": when}, [2, 3]),
        "filter": ({"where": "id % 2 = 1 OR id = 2", "columns": "id"}, None),
        "exact": ({"where": "id >= 1 AND id < 3", "columns": "id"}, [1, 2]),
    }
    for name, (options, expected) in wanted.items():
        stream = read_stream(spark, source, **options)
        if expected is None:
            with pytest.raises(StreamingQueryException, match="only Spark can decide"):
                run(stream, tmp_path / name, tmp_path / f"{name}-checkpoint")
            continue
        run(stream, tmp_path / name, tmp_path / f"{name}-checkpoint")
        assert ids(tmp_path / name) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"startingVersion": "first"}, "startingVersion: a whole number"),
        ({"startingTimestamp": "soon"}, "'soon' is not a time in ISO 8601"),
        ({"startingVersion": "0", "startingTimestamp": "2024-01-01"}, "only one of them can be given"),
        ({"maxFilesPerTrigger": "0"}, "maxFilesPerTrigger: a whole number of at least 1"),
        ({"maxBytesPerTrigger": "1mb"}, "maxBytesPerTrigger: a whole number of at least 1"),
        ({"skipChangeCommits": "maybe"}, "skipChangeCommits: true or false"),
    ],
)
def test_wrong_options(spark: SparkSession, tmp_path: Path, options: dict[str, str], message: str) -> None:
    append(tmp_path, 0)
    with pytest.raises(AnalysisException, match=message):
        read_stream(spark, tmp_path, **options)


def test_a_table_that_gets_columns(spark: SparkSession, tmp_path: Path) -> None:
    source, target, checkpoint = (tmp_path / name for name in ("source", "target", "checkpoint"))
    append(source, 1)
    stream = read_stream(spark, source)
    run(stream, target, checkpoint)
    write_deltalake(source, pa.table({"id": [2], "more": ["x"]}), mode="append", schema_mode="merge")
    with pytest.raises(StreamingQueryException, match=r"columns have changed.*start the query again"):
        run(stream, target, checkpoint)
    with pytest.raises(StreamingQueryException, match="'more': the table has no such column"):
        run(read_stream(spark, source), target, checkpoint)  # the target is as strict as an ingest
    run(read_stream(spark, source).drop("more"), target, checkpoint)
    assert ids(target) == [1, 2]


def test_whole_results(spark: SparkSession, tmp_path: Path) -> None:
    """Output mode "complete" replaces all rows in each version."""
    source, target, checkpoint = (tmp_path / name for name in ("source", "target", "checkpoint"))
    append(source, *range(7))
    counts = read_stream(spark, source).groupBy("part").count()
    run(counts, target, checkpoint, "complete")
    append(source, *range(7, 10))
    run(counts, target, checkpoint, "complete")
    found = DeltaTable(target).to_pyarrow_table().to_pylist()
    assert {row["part"]: row["count"] for row in found} == {0: 4, 1: 3, 2: 3}
    assert check(target) == []


class Dying(LakeStreamWriter):
    """Kills the process that commits a batch, before or after the first commit of the batches 0, 2 and 3."""

    def commit(self, messages: list[Any], batchId: int) -> None:
        mark = Path(self._plan.log.path).with_name(f"died-{batchId}")
        die = batchId in (0, 2, 3) and not mark.exists()
        if die and batchId == 2:
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        super().commit(messages, batchId)
        if die:
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


class DyingSource(LakeSource):
    """The source ``lake`` with a writer that dies."""

    def streamWriter(self, schema: Any, overwrite: bool) -> Any:
        from lakecodec.spark.sources.lake_stream_write import WRITE_STREAM_OPTIONS

        return Dying(Options("lake", self.options, WRITE_STREAM_OPTIONS), schema, overwrite=overwrite)


def test_commits_that_are_killed(spark: SparkSession, tmp_path: Path) -> None:
    """Spark repeats a batch of which it does not know that it was committed: it is not written twice."""
    source, target, checkpoint = (tmp_path / name for name in ("source", "target", "checkpoint"))
    for number in range(5):
        append(source, *range(number * 10, number * 10 + 10))
    deaths = 0
    spark.dataSource.register(DyingSource)
    try:
        for _ in range(4):
            try:
                run(read_stream(spark, source, maxFilesPerTrigger="1"), target, checkpoint)
            except StreamingQueryException:
                deaths += 1
    finally:
        register(spark)
    assert deaths == 3
    assert Counter(ids(target)) == Counter(range(50))
    assert len(history(target)) == 5
    assert {problem.kind for problem in check(target)} <= {"orphaned"}
    shutil.rmtree(checkpoint)  # another query: another id, all rows again
    run(read_stream(spark, source), target, checkpoint)
    assert Counter(ids(target)) == Counter([*range(50)] * 2)


@pytest.mark.spark
@pytest.mark.fuzz
@pytest.mark.timeout(1800)
def test_queries_that_are_killed(tmp_path: Path) -> None:
    """A query is killed with all its processes at random moments while rows come."""
    source, target = tmp_path / "source", tmp_path / "target"
    command = [sys.executable, str(TESTS / "spark" / "stream.py"), str(tmp_path)]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    append(source, -1)
    count = 0
    for _ in range(4):
        query = subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.PIPE)
        try:
            assert query.stdout is not None
            assert query.stdout.readline() == b"running\n"
            end = time.monotonic() + random.uniform(2, 30)
            while time.monotonic() < end:
                append(source, count)
                count += 1
                time.sleep(random.uniform(0, 1))
        finally:
            os.killpg(query.pid, signal.SIGKILL)
            query.wait()
        if Log(target).exists():
            found = ids(target)
            assert found == sorted({*found} & {*range(-1, count)})
    subprocess.run([*command, "end"], env=environment, check=True)
    assert ids(target) == list(range(-1, count))
    assert {problem.kind for problem in check(target)} <= {"orphaned"}


@pytest.mark.parametrize("most", [None, "2"])
def test_a_first_batch_that_is_repeated_when_the_table_has_grown(tmp_path: Path, most: str | None) -> None:
    """Spark logs where the first batch ends, and asks again where it begins."""
    for number in range(3):
        append(tmp_path / "t", number)
    limit = {} if most is None else {"maxFilesPerTrigger": most}
    options = Options("lake", {"path": str(tmp_path / "t"), **limit}, READ_STREAM_OPTIONS)
    schema = LakeSource({"path": str(tmp_path / "t")}).schema()

    def rows(reader: LakeStreamReader, start: dict[str, Any], end: dict[str, Any]) -> list[int]:
        parts = reader.partitions(start, end)
        return sorted(row for part in parts for batch in reader.read(part) for row in batch["id"].to_pylist())

    first = LakeStreamReader(options, schema, 2)
    start = first.initialOffset()
    end = first.latestOffset(start)
    expected = rows(first, start, end)
    assert len(expected) == (3 if most is None else 2)
    for number in range(3, 6):
        append(tmp_path / "t", number)
    again = LakeStreamReader(options, schema, 2)
    assert again.initialOffset() != start
    assert rows(again, again.initialOffset(), end) == expected
    assert sorted(expected + rows(again, end, {"version": 6, "files": 0, "whole": False})) == list(range(6))
    # As Spark 4.1 keeps it.
    assert rows(again, again.initialOffset(), {key: end[key] for key in ("version", "files", "whole")}) == expected


def test_a_first_batch_of_new_rows_that_is_repeated(tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    append(tmp_path / "t", 0)
    options = Options("lake", {"path": path, "startingVersion": "latest"}, READ_STREAM_OPTIONS)
    schema = LakeSource({"path": path}).schema()
    first = LakeStreamReader(options, schema, 2)
    start = first.initialOffset()
    assert first.latestOffset(start) == start
    append(tmp_path / "t", 1)
    end = first.latestOffset(start)
    assert first.latestOffset(end) == end
    append(tmp_path / "t", 2)
    again = LakeStreamReader(options, schema, 2)
    parts = again.partitions(again.initialOffset(), end)
    assert [row for part in parts for batch in again.read(part) for row in batch["id"].to_pylist()] == [1]
