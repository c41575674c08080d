"""Table properties: set, unset and shown, and what writers make of them; deltalake reads the tables."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.cli.app import run as lakecodec
from lakecodec.lake.log import ConflictError, Log, LogError, UnsupportedTableError, VersionNotFoundError
from lakecodec.lake.log.properties import LOG_RETENTION, STATISTICS_COLUMNS, TARGET_FILE_SIZE
from lakecodec.lake.log.statistics import indexed_columns
from lakecodec.pipeline import (
    check,
    history,
    ingest,
    properties,
    scan,
    scan_changes,
    set_properties,
    unset_properties,
    vacuum,
)
from tests.lake.log.tables import append, ids, overwrite, rows
from tests.spark.lakes import write_lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_set_unset_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    append(tmp_path, rows(0))
    info = set_properties(tmp_path, {"Delta.CheckpointInterval": 5, "delta.appendOnly": True, "owner": "the team"})
    assert (info.version, info.operation) == (1, "SET TBLPROPERTIES")
    known = {"delta.appendOnly": "true", "delta.checkpointInterval": "5", "owner": "the team"}
    assert properties(tmp_path) == known == DeltaTable(tmp_path).metadata().configuration
    assert properties(tmp_path, version=0) == {}
    assert set_properties(tmp_path, {"owner": "the team"}).version == 1, "nothing changes"
    assert Log(tmp_path).snapshot().protocol.min_writer_version == 2, "which stands for appendOnly"
    with pytest.raises(LogError, match="append-only"):
        overwrite(tmp_path, rows(7))
    assert unset_properties(tmp_path, ["delta.appendonly", "nope"]).version == 2
    overwrite(tmp_path, rows(7))
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [7, 8, 9]

    path = str(tmp_path)
    assert lakecodec(["properties", path, "--set", "owner=me", "--unset", "delta.checkpointInterval"]) == 0
    assert capsys.readouterr().out == "owner=me\n"
    assert lakecodec(["properties", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"owner": "me"}
    assert lakecodec(["properties", path, "--set", "delta.logRetentionDuration=soon"]) != 0
    assert "a time such as 'interval 7 days' is needed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"delta.checkpointIntervall": 5}, KeyError, "did you mean 'delta.checkpointInterval'"),
        ({"delta.enableIcebergCompatV2": True}, KeyError, "unsupported table property"),
        ({"delta.columnMapping.mode": "id"}, ValueError, "from none to name, not from none to id"),
        ({"delta.checkpointInterval": 0}, ValueError, "delta.checkpointInterval: a positive whole number"),
        ({"delta.appendOnly": "yes"}, ValueError, "true or false"),
        ({"delta.targetFileSize": "many"}, ValueError, "128mb"),
        ({"delta.dataSkippingNumIndexedCols": -2}, ValueError, "-1 for all"),
        ({"delta.dataSkippingStatsColumns": "id,nope"}, KeyError, "'nope' is not a column"),
        ({"delta.dataSkippingStatsColumns": "a,,b"}, ValueError, "names of columns"),
        ({"delta.logRetentionDuration": "interval 999999999999 weeks"}, ValueError, "less than 2,700,000 years"),
        ({"owner": 1.5}, TypeError, "'owner'"),
        ({}, TypeError, "properties: a dict"),
    ],
)
def test_wrong_properties(given: dict[str, Any], error: type[Exception], message: str, tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    with pytest.raises(error, match=message):
        set_properties(tmp_path, given)
    assert Log(tmp_path).latest() == 0


def test_texts_that_others_write() -> None:
    assert LOG_RETENTION.parse("interval 1 week 2 days") == timedelta(days=9)
    assert LOG_RETENTION.parse("30 DAYS") == timedelta(days=30)
    assert [TARGET_FILE_SIZE.parse(text) for text in ("1000", "128mb", "1 G", "64KB")] == [
        1000,
        128 << 20,
        1 << 30,
        65536,
    ]
    assert STATISTICS_COLUMNS.parse("a, `b,c`,d.e,`x``y`") == ("a", "b,c", "d.e", "x`y")


def test_features_that_properties_need(tmp_path: Path) -> None:
    append(tmp_path / "t", rows(0))
    set_properties(tmp_path / "t", {"delta.enableChangeDataFeed": True})
    protocol = Log(tmp_path / "t").snapshot().protocol
    assert (protocol.min_reader_version, protocol.reader_features) == (1, None)
    assert protocol.writer_features == ("appendOnly", "invariants", "changeDataFeed")
    set_properties(tmp_path / "t", {"delta.enableTypeWidening": True})
    protocol = Log(tmp_path / "t").snapshot().protocol
    assert (protocol.min_reader_version, protocol.reader_features) == (3, ("typeWidening",))

    write_lake(tmp_path / "m", rows(0), format="mosaic")
    set_properties(tmp_path / "m", {"delta.appendOnly": True})
    assert Log(tmp_path / "m").snapshot().protocol.writer_features == ("lakecodec.mosaic", "appendOnly")
    write_lake(tmp_path / "m", rows(3), format="mosaic")
    assert check(tmp_path / "m") == []


def test_unknown_writer_features_are_refused(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    protocol = {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["appendOnly", "futureThing"]}
    (tmp_path / f"_delta_log/{1:020}.json").write_text(json.dumps({"protocol": protocol}) + "\n")
    assert ids(scan(tmp_path).read_all()) == [0, 1, 2]
    for change in (
        lambda: set_properties(tmp_path, {"owner": "me"}),
        lambda: unset_properties(tmp_path, "owner"),
        lambda: append(tmp_path, rows(3)),
        lambda: vacuum(tmp_path),
    ):
        with pytest.raises(UnsupportedTableError, match="'futureThing' and cannot be written"):
            change()


def test_two_who_set_properties(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    log = Log(tmp_path)
    read = log.snapshot()
    set_properties(tmp_path, {"owner": "me"})
    with pytest.raises(ConflictError, match="changed the table's definition"):
        overwrite_of(log, read)


def overwrite_of(log: Log, read: Any) -> None:
    from lakecodec.lake.log import Transaction

    transaction = Transaction(log, read, "DELETE")
    for add in read.files:
        transaction.remove(add)
    transaction.commit()


def test_columns_with_statistics(tmp_path: Path) -> None:
    data = pa.table({"id": [1], "p": ["x"], "s": [{"a": 1, "b": 2}], "a.b": [3], "z": [4]})
    files = data.drop_columns(["p"]).schema
    write_lake(tmp_path, data, partition_by=("p",))
    assert indexed_columns(None, files, None) is None
    assert indexed_columns(Log(tmp_path).snapshot(), files, None) is None
    for given, expected in [
        ({"delta.dataSkippingNumIndexedCols": 2}, ("id", "s.a")),
        ({"delta.dataSkippingNumIndexedCols": -1}, ("id", "s.a", "s.b", "a.b", "z")),
        ({"delta.dataSkippingNumIndexedCols": 0}, ()),
        ({"delta.dataSkippingStatsColumns": "z,`a.b`,s.b,p"}, ("z", "a.b", "s.b")),
    ]:
        set_properties(tmp_path, given)  # type: ignore[arg-type]
        assert indexed_columns(Log(tmp_path).snapshot(), files, None) == expected
    assert indexed_columns(Log(tmp_path).snapshot(), files, ("id",)) == ("id",)


def test_tables_with_the_feature_clustering(tmp_path: Path) -> None:
    """New files get statistics of the columns that other writers cluster the table by."""
    write_lake(tmp_path, rows(0))
    protocol = {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["domainMetadata", "clustering"]}
    domain = {"domain": "delta.clustering", "configuration": '{"clusteringColumns":[["day"]]}', "removed": False}
    lines = [{"protocol": protocol}, {"domainMetadata": domain}]
    (tmp_path / f"_delta_log/{1:020}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    set_properties(tmp_path, {"delta.dataSkippingNumIndexedCols": 1})
    snapshot = Log(tmp_path).snapshot()
    assert indexed_columns(snapshot, snapshot.schema, None) == ("id", "day")
    assert indexed_columns(snapshot, snapshot.schema, ("city",)) == ("city", "day")
    append(tmp_path, rows(3))
    Log(tmp_path).checkpoint()
    for version in range(4):
        (tmp_path / f"_delta_log/{version:020}.json").unlink()
    snapshot = Log(tmp_path).snapshot()
    assert indexed_columns(snapshot, snapshot.schema, None) == ("id", "day"), "the domain is in the checkpoint"


def aged(root: Path, version: int, days: int) -> None:
    """Makes a commit older."""
    path = root / f"_delta_log/{version:020}.json"
    status = path.stat()
    os.utime(path, (status.st_atime, status.st_mtime - days * 86_400))


def test_the_log_is_cleaned_by_its_retention(tmp_path: Path) -> None:
    for start in range(0, 36, 3):
        append(tmp_path, rows(start))
    for version in range(8):
        aged(tmp_path, version, 40 - version)
    set_properties(tmp_path, {"delta.checkpointInterval": 3, "delta.logRetentionDuration": timedelta(days=20)})
    kept = {path.name for path in (tmp_path / "_delta_log").iterdir()}
    for start in range(36, 42, 3):
        append(tmp_path, rows(start))
    assert kept < {path.name for path in (tmp_path / "_delta_log").iterdir()}, "no checkpoint is as old as that"
    Log(tmp_path).checkpoint(6)
    for start in range(42, 54, 3):
        append(tmp_path, rows(start))
    assert history(tmp_path)[-1].version == 6
    assert ids(scan(tmp_path, version=6).read_all()) == list(range(21))
    with pytest.raises(VersionNotFoundError):
        scan(tmp_path, version=5)
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == list(range(54)) == ids(scan(tmp_path).read_all())
    assert check(tmp_path) == []
    assert vacuum(tmp_path) == []


def test_periods_that_reach_back_before_all_tables(tmp_path: Path) -> None:
    ages = {"delta.logRetentionDuration": timedelta(days=10**6), "delta.deletedFileRetentionDuration": timedelta(10**6)}
    append(tmp_path, rows(0))
    set_properties(tmp_path, {**ages, "delta.checkpointInterval": 1})
    overwrite(tmp_path, rows(3))
    assert vacuum(tmp_path) == vacuum(tmp_path, retention=timedelta.max) == []
    assert len(history(tmp_path)) == 3
    assert DeltaTable(tmp_path).version() == 2


def test_vacuum_by_the_property(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    overwrite(tmp_path, rows(3))
    old = next(path for path in tmp_path.glob("*.parquet") if path.name not in Log(tmp_path).snapshot().files[0].path)
    assert vacuum(tmp_path) == []
    for version in (0, 1):
        aged(tmp_path, version, 5)
    for path in tmp_path.glob("*.parquet"):
        os.utime(path, (0, 0))
    assert vacuum(tmp_path) == [], "a week"
    set_properties(tmp_path, {"delta.deletedFileRetentionDuration": "interval 3 days"})
    removed = tmp_path / f"_delta_log/{1:020}.json"
    lines = [json.loads(line) for line in removed.read_text().splitlines()]
    for line in lines:
        if "remove" in line:
            line["remove"]["deletionTimestamp"] -= 5 * 86_400_000
    removed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    aged(tmp_path, 1, 5)
    assert vacuum(tmp_path) == [old.name]
    assert vacuum(tmp_path, retention=timedelta(days=6)) == []


def test_properties_of_other_writers(tmp_path: Path) -> None:
    """Those that are not known here are kept; texts that mean nothing are taken as if nothing was said, or for ever."""
    configuration = {"delta.randomizeFilePrefixes": "true", "delta.checkpointInterval": "7"}
    write_deltalake(tmp_path, rows(0), configuration=configuration)
    set_properties(tmp_path, {"owner": "me"})
    append(tmp_path, rows(3))
    assert properties(tmp_path) == {**configuration, "owner": "me"}
    assert DeltaTable(tmp_path).metadata().configuration == properties(tmp_path)


@pytest.mark.spark
def test_of_an_ingest(spark: SparkSession, tmp_path: Path) -> None:
    """They hold for the version that sets them, its files included."""
    path, source = tmp_path / "t", spark.range(1000).selectExpr("id", "id % 2 AS n")
    given = {"delta.enableChangeDataFeed": True, "delta.dataSkippingNumIndexedCols": 1, "owner": "me"}
    ingest(spark, source, path, properties=given, progress=False)
    known = {"delta.enableChangeDataFeed": "true", "delta.dataSkippingNumIndexedCols": "1", "owner": "me"}
    assert properties(path) == known == DeltaTable(path).metadata().configuration
    assert {tuple(json.loads(add.stats or "")["minValues"]) for add in Log(path).snapshot().files} == {("id",)}
    assert len(scan_changes(path, 0).read_all()) == 1000
    ingest(spark, source, path, mode="append", properties={"owner": "me"}, progress=False)
    with pytest.raises(ValueError, match="properties: the table exists, set_properties changes its owner"):
        ingest(spark, source, path, mode="append", properties={"owner": "you"}, progress=False)
    ingest(spark, source, path, mode="overwrite", properties={"owner": "you"}, progress=False)
    assert properties(path) == {**known, "owner": "you"}
    with pytest.raises(KeyError, match="'nope' is not a column"):
        ingest(spark, source, tmp_path / "n", properties={"delta.dataSkippingStatsColumns": "nope"}, progress=False)
    feed = {"delta.enableChangeDataFeed": True}
    with pytest.raises(ValueError, match="'_change_type' is a column of the change data feed"):
        ingest(spark, source.selectExpr("id AS _change_type"), tmp_path / "n", properties=feed, progress=False)
    assert not (tmp_path / "n").exists()
