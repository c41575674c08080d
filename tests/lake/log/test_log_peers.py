"""Our tables read by deltalake and polars, theirs read by us: versions, checkpoints, types, partitions, fences."""

from __future__ import annotations

import json
import random
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import CommitProperties, DeltaTable, write_deltalake

from lakecodec.lake.log import CorruptLogError, Log, Transaction, check, parse_statistics
from tests.lake.log.tables import SCHEMA, append, ids, overwrite, rows, write_file

EVERY_TYPE = pa.schema(
    [
        pa.field("byte", pa.int8()),
        pa.field("short", pa.int16()),
        pa.field("integer", pa.int32()),
        pa.field("long", pa.int64()),
        pa.field("float", pa.float32()),
        pa.field("double", pa.float64()),
        pa.field("decimal", pa.decimal128(38, 18)),
        pa.field("boolean", pa.bool_()),
        pa.field("binary", pa.binary()),
        pa.field("string", pa.string(), nullable=False),
        pa.field("date", pa.date32()),
        pa.field("timestamp", pa.timestamp("us", "UTC")),
        pa.field("ntz", pa.timestamp("us")),
        pa.field("array", pa.list_(pa.field("element", pa.struct({"x": pa.int32(), "y": pa.string()})))),
        pa.field("map", pa.map_(pa.string(), pa.int64())),
        pa.field("struct", pa.struct({"a": pa.int64(), "b": pa.struct({"c": pa.date32(), "d": pa.string()})})),
    ]
)
ROW: dict[str, Any] = {
    "byte": -128,
    "short": 32767,
    "integer": -(2**31),
    "long": 2**63 - 1,
    "float": 0.1,
    "double": -1e300,
    "decimal": Decimal("-12345678901234567890.123456789012345678"),
    "boolean": True,
    "binary": b"\x00\xff",
    "string": "x" * 40 + "ü",
    "date": date(2024, 2, 29),
    "timestamp": datetime(2024, 6, 15, 12, 30, 45, 123456, UTC),
    "ntz": datetime(1969, 12, 31, 23, 59, 59, 999999),
    "array": [{"x": 1, "y": None}],
    "map": [("k", 1)],
    "struct": {"a": 1, "b": {"c": date(2000, 1, 1), "d": "z"}},
}


def test_versions_and_checkpoints(tmp_path: Path) -> None:
    root = tmp_path / "t"
    for number in range(25):
        append(root, rows(10 * number, city="São/Paulo" if number % 2 else None), ("city",))
    assert overwrite(root, rows(1000)).version == 25
    names = {path.name for path in (root / "_delta_log").iterdir()}
    assert {f"{version:020d}.checkpoint.parquet" for version in (10, 20)} <= names
    assert json.loads((root / "_delta_log" / "_last_checkpoint").read_text())["version"] == 20

    for version, count in ((0, 1), (9, 10), (10, 11), (11, 12), (20, 21), (24, 25)):
        expected = sorted(10 * number + row for number in range(count) for row in range(3))
        assert ids(DeltaTable(root, version=version).to_pyarrow_table()) == expected
        assert ids(pl.read_delta(str(root), version=version)) == expected
        assert len(Log(root).snapshot(version).files) == count
    assert ids(DeltaTable(root).to_pyarrow_table()) == ids(pl.read_delta(str(root))) == [1000, 1001, 1002]
    assert len(Log(root).snapshot().files) == 1
    cities = {row["city"] for row in DeltaTable(root, version=24).to_pyarrow_table().to_pylist()}
    assert cities == {None, "São/Paulo"}


def test_peers_read_through_our_checkpoints_alone(tmp_path: Path) -> None:
    for number in range(12):
        append(tmp_path, rows(10 * number), ("city",), txn_id=f"load {number}")
    for version in range(10):
        (tmp_path / "_delta_log" / f"{version:020d}.json").unlink()
    expected = sorted(10 * number + row for number in range(12) for row in range(3))
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == expected
    assert ids(pl.read_delta(str(tmp_path))) == expected
    assert DeltaTable(tmp_path).transaction_version("load 3") == 3
    ours = Log(tmp_path).snapshot()
    assert sum(ours.files_table()["num_records"].to_pylist()) == 36
    assert ours.transactions["load 3"] == 3
    assert append(tmp_path, rows(0), ("city",), txn_id="load 3").version == 3, "its commit is gone, its version is not"


def test_peers_commit_to_our_tables(tmp_path: Path) -> None:
    append(tmp_path, rows(0), ("city",))
    write_deltalake(tmp_path, rows(10, city="Bern"), mode="append")
    DeltaTable(tmp_path).delete("id = 11")
    assert append(tmp_path, rows(20), ("city",)).version == 3
    assert ids(DeltaTable(tmp_path).to_pyarrow_table()) == [0, 1, 2, 10, 12, 20, 21, 22]
    files = Log(tmp_path).snapshot().files_table()
    assert sum(files["num_records"].to_pylist()) == 8
    assert [info.operation for info in Log(tmp_path).history()] == ["WRITE", "DELETE", "WRITE", "WRITE"]
    assert check(tmp_path) == []


@pytest.mark.parametrize("statistics", [True, False])
def test_tables_of_deltalake(tmp_path: Path, statistics: bool) -> None:
    path = tmp_path / "t"
    configuration = {"delta.dataSkippingNumIndexedCols": "32" if statistics else "0"}
    for number in range(13):
        properties = CommitProperties(app_transactions=None, custom_metadata={"run": str(number)})
        data = rows(10 * number, city=None if number % 2 else "ä b%c/d")
        write_deltalake(
            path, data, mode="append", partition_by=["city"], configuration=configuration, commit_properties=properties
        )
        if number == 7:
            DeltaTable(path).create_checkpoint()
    DeltaTable(path).delete("id = 31")
    theirs = DeltaTable(path)
    theirs.create_checkpoint()
    log = Log(path)
    for version in (0, 7, 8, 13):
        snapshot = log.snapshot(version)
        assert {add.file for add in snapshot.files} == {
            name.removeprefix(f"{path}/") for name in DeltaTable(path, version=version).file_uris()
        }
        assert all((path / add.file).is_file() for add in snapshot.files)
    snapshot = log.snapshot()
    assert snapshot.checkpoint is not None
    assert snapshot.checkpoint.version == 13
    assert snapshot.schema.equals(pa.schema(theirs.schema().to_arrow()), check_metadata=False)
    assert snapshot.partition_columns == ("city",)
    assert snapshot.metadata.id == str(theirs.metadata().id)
    assert {add.partition_values["city"] for add in snapshot.files} == {None, "ä b%c/d"}
    info = log.history()[0]
    assert (info.version, info.operation, info.num_files) == (13, "DELETE", 1)
    assert log.snapshot(timestamp=log.history()[4].timestamp).version == 9
    if statistics:
        assert [problem for problem in check(path) if problem.kind != "orphaned"] == []


def test_every_type(tmp_path: Path) -> None:
    values = pa.Table.from_pylist([ROW, {"string": ""}], EVERY_TYPE)
    append(tmp_path, values)
    theirs = DeltaTable(tmp_path)
    assert theirs.protocol().reader_features == ["timestampNtz"]
    assert theirs.to_pyarrow_table().select(EVERY_TYPE.names).to_pylist() == values.to_pylist()
    assert pl.read_delta(str(tmp_path)).select("long", "decimal", "timestamp", "ntz").to_dicts() == (
        values.select(["long", "decimal", "timestamp", "ntz"]).to_pylist()
    )
    assert Log(tmp_path).snapshot().schema.equals(EVERY_TYPE)
    assert check(tmp_path) == []
    adds = pa.table(theirs.get_add_actions(flatten=True)).to_pylist()[0]
    assert adds["min.long"] == adds["max.long"] == ROW["long"]
    assert adds["min.decimal"] == adds["max.decimal"] == ROW["decimal"]
    assert adds["min.struct.b.c"] == ROW["struct"]["b"]["c"]
    assert adds["null_count.struct.b.d"] == 1
    assert adds["min.timestamp"] == ROW["timestamp"].replace(microsecond=123000)
    assert adds["max.timestamp"] == ROW["timestamp"].replace(microsecond=124000)
    assert adds["max.ntz"] == datetime(1970, 1, 1)
    assert adds["max.string"] == "x" * 31 + "y"


def test_statistics_of_deltalake(tmp_path: Path) -> None:
    values = pa.Table.from_pylist([ROW, {"string": ""}], EVERY_TYPE)
    write_deltalake(tmp_path, values)
    (add,) = Log(tmp_path).snapshot().files
    found = parse_statistics(add.stats, EVERY_TYPE)
    assert found.num_records == 2
    for name in ("long", "date", "timestamp", "ntz", "float", "double"):
        actual = values[name][0].as_py()
        assert found.min[name,] <= actual <= found.max[name,], name
    assert found.max["float",] == values["float"][0].as_py()
    assert check(tmp_path) == []


def test_peers_refuse_mosaic_tables(tmp_path: Path) -> None:
    log = Log(tmp_path)
    transaction = Transaction(log, None, "WRITE")
    transaction.set_schema(SCHEMA, format="mosaic")
    transaction.add(write_file(tmp_path, rows(0)))
    transaction.commit()
    snapshot = log.snapshot()
    assert (snapshot.format, snapshot.protocol.reader_features) == ("mosaic", ("lakecodec.mosaic",))
    with pytest.raises(Exception, match=r"lakecodec\.mosaic"):
        DeltaTable(tmp_path).to_pyarrow_table()
    with pytest.raises(Exception, match=r"lakecodec\.mosaic"):
        pl.read_delta(str(tmp_path))


@pytest.mark.parametrize("seed", range(3))
def test_any_history(tmp_path: Path, seed: int) -> None:
    """Two libraries take turns on one table; afterwards both see the same files in every version."""
    choice = random.Random(seed)
    append(tmp_path, rows(0, city="start"), ("city",))
    for number in range(1, 24):
        data = rows(10 * number, city=choice.choice(["ä b", "c%d/e", None, "f"]))
        match choice.randrange(6):
            case 0 | 1:
                append(tmp_path, data, ("city",))
            case 2:
                write_deltalake(tmp_path, data, mode="append")
            case 3:
                DeltaTable(tmp_path).delete(f"id = {10 * choice.randrange(number)}")
            case 4:
                DeltaTable(tmp_path).create_checkpoint()
            case _:
                write_deltalake(tmp_path, data, mode="overwrite") if choice.random() < 0.3 else append(
                    tmp_path, data, ("city",), txn_id=f"load {choice.randrange(4)}"
                )
    log = Log(tmp_path)
    for version in range((log.latest() or 0) + 1):
        snapshot = log.snapshot(version)
        theirs = DeltaTable(tmp_path, version=version)
        assert {str(tmp_path / add.file) for add in snapshot.files} == set(theirs.file_uris())
        assert sum(add.num_records or 0 for add in snapshot.files) == theirs.to_pyarrow_table().num_rows
    assert check(tmp_path) == [] or {problem.kind for problem in check(tmp_path)} == {"orphaned"}


def multi_part(log: Path, version: int) -> None:
    """Splits a classic checkpoint in two parts."""
    whole = log / f"{version:020d}.checkpoint.parquet"
    table = pq.read_table(whole)
    for part, data in ((1, table.slice(0, 3)), (2, table.slice(3))):
        pq.write_table(data, log / f"{version:020d}.checkpoint.{part:010d}.{2:010d}.parquet")
    whole.unlink()


def with_sidecars(log: Path, version: int, suffix: str) -> None:
    """Makes a V2 checkpoint of a classic one, its files in a sidecar."""
    whole = log / f"{version:020d}.checkpoint.parquet"
    table = pq.read_table(whole)
    files = table.select(["add", "remove"])
    (log / "_sidecars").mkdir()
    pq.write_table(files.filter(files["add"].is_valid()), log / "_sidecars" / "files-1.parquet")
    others = [
        {key: value for key, value in row.items() if value is not None}
        for row in table.drop_columns(["add", "remove"]).to_pylist(maps_as_pydicts="strict")
    ]
    lines = [row for row in others if row]
    lines.append({"checkpointMetadata": {"version": version, "tags": {}}})
    lines.append({"sidecar": {"path": "files-1.parquet", "sizeInBytes": 1, "modificationTime": 0, "tags": {}}})
    main = log / f"{version:020d}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.{suffix}"
    if suffix == "json":
        main.write_text("".join(json.dumps(line) + "\n" for line in lines))
    else:
        extra = pa.array([line.get("sidecar") for line in lines], pa.struct({"path": pa.string()}))
        kinds = [table.schema.field(name) for name in ("protocol", "metaData")]
        columns = [pa.array([line.get(kind.name) for line in lines], kind.type) for kind in kinds]
        pq.write_table(pa.table([*columns, extra], names=["protocol", "metaData", "sidecar"]), main)
    whole.unlink()


@pytest.mark.parametrize("form", ["parts", "json", "parquet"])
def test_other_forms_of_checkpoints(tmp_path: Path, form: str) -> None:
    for number in range(12):
        append(tmp_path, rows(10 * number), ("city",))
    expected = {add.path for add in Log(tmp_path).snapshot().files}
    log = tmp_path / "_delta_log"
    if form == "parts":
        multi_part(log, 10)
    else:
        with_sidecars(log, 10, form)
    for version in range(10):
        (log / f"{version:020d}.json").unlink()
    snapshot = Log(tmp_path).snapshot()
    assert {add.path for add in snapshot.files} == expected
    assert len(expected) == 12
    if form == "parts":
        (log / f"{10:020d}.checkpoint.{2:010d}.{2:010d}.parquet").unlink()
        with pytest.raises(CorruptLogError, match="no version 9"):
            Log(tmp_path).snapshot()


def test_tables_that_list_deletion_vectors_are_written_mapped_ones_are_refused(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    first = tmp_path / "_delta_log" / f"{0:020d}.json"
    lines = [json.loads(line) for line in first.read_text().splitlines()]

    def change(**fields: dict[str, Any]) -> None:
        changed = [{key: {**value, **fields.get(key, {})} for key, value in line.items()} for line in lines]
        first.write_text("".join(json.dumps(line) + "\n" for line in changed))

    features = {"minReaderVersion": 3, "minWriterVersion": 7}
    vectors = {**features, "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}
    change(protocol=vectors)
    assert len(Log(tmp_path).snapshot().files) == 1, "the feature alone does not matter to readers"
    assert append(tmp_path, rows(1)).version == 1
    change(protocol={"minReaderVersion": 2, "minWriterVersion": 5})
    assert append(tmp_path, rows(1)).version == 2, "column mapping is supported, but off"
    change(
        protocol={"minReaderVersion": 2, "minWriterVersion": 5},
        metaData={"configuration": {"delta.columnMapping.mode": "name"}},
    )
    with pytest.raises(CorruptLogError, match=r"no 'delta\.columnMapping\.physicalName'"):
        _ = Log(tmp_path).snapshot().schema
