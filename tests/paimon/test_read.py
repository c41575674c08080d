"""Tables of pypaimon, read."""

from __future__ import annotations

import datetime as dt
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lakecodec import paimon
from lakecodec.generated import paimon as declared
from lakecodec.lake import UnsupportedTableError, VersionNotFoundError
from lakecodec.paimon.avro import read_objects
from lakecodec.paimon.avro_write import schema_of, write_objects

from .peer import Peer, rows

SCHEMA = pa.schema(
    {
        "id": pa.int64(),
        "name": pa.string(),
        "part": pa.string(),
        "day": pa.date32(),
        "small": pa.int8(),
        "short": pa.int16(),
        "whole": pa.int32(),
        "real": pa.float32(),
        "double": pa.float64(),
        "flag": pa.bool_(),
        "price": pa.decimal128(10, 2),
        "large": pa.decimal128(38, 10),
        "millis": pa.timestamp("ms"),
        "micros": pa.timestamp("us"),
        "instant": pa.timestamp("us", "UTC"),
        "raw": pa.binary(),
        "list": pa.list_(pa.int32()),
        "map": pa.map_(pa.string(), pa.int64()),
    }
)


def data(rows: int, start: int = 0) -> pa.Table:
    moment = dt.datetime(1969, 12, 31, 23, 59, 59, 999000)
    found = []
    for n in range(start, start + rows):
        if n % 7 == 6:
            found.append({"id": n, "part": None, "day": dt.date(2020, 1, 1 + n % 3)})
            continue
        at = moment + dt.timedelta(days=n, milliseconds=n)
        found.append(
            {
                "id": n,
                "name": f"the name of number {n}",
                "part": ["a b", "x/y=z", "", "ü%"][n % 4],
                "day": dt.date(2020, 1, 1 + n % 3),
                "small": n % 100 - 50,
                "short": n * 7 % 1000,
                "whole": -n,
                "real": n / 4,
                "double": n / 3,
                "flag": n % 2 == 0,
                "price": Decimal(n) / 4,
                "large": Decimal(-(10**27)) - n,
                "millis": at,
                "micros": at + dt.timedelta(microseconds=n),
                "instant": at.replace(tzinfo=dt.UTC),
                "raw": bytes([n % 256]) * (n % 12),
                "list": list(range(n % 4)),
                "map": [(str(n), n)],
            }
        )
    return pa.Table.from_pylist(found, SCHEMA)


@pytest.mark.parametrize("format", ["mosaic", "parquet", "orc"])
def test_partitioned_tables_of_all_types(peer: Peer, tmp_path: Path, format: str) -> None:
    path = tmp_path / "d.db" / "t"
    options = {"file.format": format, "metadata.stats-mode": "full"}
    peer.create(path, data(0), ["part", "day"], options)
    peer.write(path, data(40))
    peer.write(path, data(30, 40))
    found = paimon.scan(path).read_all()
    assert found.schema.names == SCHEMA.names
    assert rows(found) == rows(peer.read(path))
    assert rows(paimon.scan(path, snapshot=1)) == rows(peer.read(path, snapshot_id=1))
    assert paimon.count(path) == 70
    assert paimon.count(path, snapshot=1) == 40
    assert [each.id for each in paimon.history(path)] == [2, 1]
    assert paimon.history(path)[0].num_rows_added == 30


@pytest.mark.parametrize(
    ("where", "most"),
    [
        ("part = 'a b'", 12),
        ("day = '2020-01-02' and id < 50", 10),
        ("part is null", 6),
        ("whole = -61", 8),
        ("name > 'the name of number 69'", 4),
        ("price >= 17", 6),
        ("micros < '1970-01-02'", 8),
        ("large is null", 20),
        ("id in (1, 69)", 4),
    ],
)
def test_predicates_leave_files_out(peer: Peer, tmp_path_factory: Any, where: str, most: int) -> None:
    path = tmp_path_factory.getbasetemp() / "where.db" / "t"
    if not path.exists():
        peer.create(path, data(0), ["part", "day"], {"file.format": "mosaic", "metadata.stats-mode": "full"})
        for start in range(0, 70, 35):
            peer.write(path, data(35, start))
    duckdb = pytest.importorskip("duckdb")

    every = paimon.scan(path).read_all()  # noqa: F841
    expected = duckdb.sql(f"SELECT id FROM every WHERE {where}").to_arrow_table()
    assert expected.num_rows
    assert rows(paimon.scan(path, columns=["id"], where=where)) == rows(expected)
    assert paimon.count(path, where=where) == expected.num_rows
    assert paimon.files(path, where=where).num_rows <= most < paimon.files(path).num_rows


def test_fixed_buckets(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    peer.create(path, data(0), [], {"bucket": "4", "bucket-key": "id,name", "file.format": "mosaic"})
    peer.write(path, data(60))
    assert rows(paimon.scan(path)) == rows(data(60))
    assert sorted(paimon.files(path)["bucket"].to_pylist()) == [0, 1, 2, 3]


@pytest.mark.parametrize("format", ["mosaic", "parquet", "orc"])
def test_columns_are_found_by_their_ids(peer: Peer, tmp_path: Path, format: str) -> None:
    path = tmp_path / "d.db" / "t"
    first = pa.table({"a": pa.array([1, 2], pa.int32()), "b": ["x", "y"], "c": pa.array([1.5, 2.5], pa.float32())})
    peer.create(path, first, [], {"file.format": format})
    peer.write(path, first)
    peer.alter(
        path,
        ["rename_column", "b", "text"],
        ["update_column_type", "a", "BIGINT"],
        ["update_column_type", "c", "DOUBLE"],
    )
    peer.alter(path, ["drop_column", "c"], ["add_column", "b", "INT"])
    second = pa.table({"a": [2**40], "text": ["z"], "b": pa.array([7], pa.int32())})
    peer.write(path, second)
    expected = [
        {"a": 1, "text": "x", "b": None}, {"a": 2, "text": "y", "b": None}, {"a": 2**40, "text": "z", "b": 7},
    ]  # fmt: skip
    assert paimon.scan(path).read_all().to_pylist() == expected
    assert rows(peer.read(path)) == sorted(map(repr, expected))
    assert paimon.scan(path, where="text = 'y' and b is null", columns=["a"]).read_all().to_pylist() == [{"a": 2}]
    assert paimon.scan(path, snapshot=1).read_all().schema.names == ["a", "b", "c"]
    assert paimon.schema(path).names == ["a", "text", "b"]
    assert paimon.schema(path, snapshot=1).names == ["a", "b", "c"]


def test_tags_branches_and_times(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    peer.create(path, data(0), [], {"file.format": "parquet"})
    for start in range(3):
        peer.write(path, data(2, start))
    peer.tag(path, "first", 1)
    assert rows(paimon.scan(path, tag="first")) == rows(data(2))
    assert {name: each.id for name, each in paimon.tags(path).items()} == {"first": 1}
    os.unlink(path / "snapshot" / "snapshot-1")
    assert paimon.count(path, tag="first") == 2
    with pytest.raises(VersionNotFoundError, match="snapshot 1"):
        paimon.scan(path, snapshot=1)
    with pytest.raises(VersionNotFoundError, match="'second'"):
        paimon.scan(path, tag="second")
    second = paimon.history(path)[1]
    assert paimon.count(path, timestamp=second.timestamp) == 4
    with pytest.raises(VersionNotFoundError, match="as old as"):
        paimon.count(path, timestamp="2001-01-01")
    with pytest.raises(ValueError, match="only one"):
        paimon.scan(path, tag="first", snapshot=2)


def test_branches(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    peer.create(path, data(0), [], {"file.format": "parquet"})
    peer.write(path, data(2))
    peer.tag(path, "first", 1)
    assert paimon.branches(path) == []
    peer.branch(path, "side", "first")
    assert paimon.branches(path) == ["side"]
    peer.write(path, data(3, 2))
    side = path.with_name("t$branch_side")
    peer.write(side, data(5, 100))
    expected = rows(pa.concat_tables([data(2), data(5, 100)]))
    assert rows(paimon.scan(path, branch="side")) == rows(peer.read(side)) == expected
    assert rows(paimon.scan(path, branch="main")) == rows(paimon.scan(path)) == rows(data(5))
    assert paimon.count(path, branch="side", where="id >= 100") == 5
    with pytest.raises(VersionNotFoundError, match="no Paimon table"):
        paimon.scan(path, branch="none")


def test_deletion_vectors(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    peer.create(path, data(0), [], {"file.format": "mosaic", "deletion-vectors.enabled": "true", "bucket": "-1"})
    peer.write(path, data(20))
    peer.write(path, data(9, 20))
    peer.delete_rows(path, [0, 3, 4, 19])
    gone = {0, 3, 4, 19, 20, 23, 24}
    assert paimon.scan(path, columns=["id"]).read_all()["id"].to_pylist() == [n for n in range(29) if n not in gone]
    assert rows(paimon.scan(path)) == rows(peer.read(path))
    assert paimon.count(path) == 22
    assert paimon.count(path, where="id < 5") == 2
    assert paimon.count(path, snapshot=2) == 29
    assert sorted(paimon.files(path)["num_deleted"].to_pylist()) == [3, 4]


def test_tables_with_keys_that_are_not_compacted(peer: Peer, tmp_path: Path) -> None:
    path = tmp_path / "d.db" / "t"
    first = pa.table({"k": [1, 2], "v": ["x", "y"]})
    schema = pa.schema([pa.field("k", pa.int64(), nullable=False), pa.field("v", pa.string())])
    peer.create(path, first.cast(schema), [], {"bucket": "1", "file.format": "parquet"}, ["k"])
    peer.write(path, first.cast(schema))
    with pytest.raises(UnsupportedTableError, match="primary key k"):
        paimon.scan(path)


def at_level(path: Path, level: int, **fields: Any) -> None:
    """Gives the files of the manifests a level, as a compaction of Java's writers does."""
    for manifest in (path / "manifest").glob("manifest-*"):
        if "list" in manifest.name:
            continue
        entries = list(read_objects(manifest.read_bytes(), "x"))
        for entry in entries:
            entry["_FILE"] = entry["_FILE"] | {"_LEVEL": level} | fields
        manifest.write_bytes(write_objects(schema_of(declared.MANIFEST_ENTRY), entries))


@pytest.mark.parametrize("format", ["mosaic", "parquet", "orc"])
def test_tables_with_keys_in_one_sorted_run(peer: Peer, tmp_path: Path, format: str) -> None:
    path = tmp_path / "d.db" / "t"
    names = ["id", "name", "part", "day", "price"]
    table = data(30).select(names)
    required = [table.schema.field(name).with_nullable(name not in ("id", "day")) for name in names]
    table = table.cast(pa.schema(required))
    options = {"bucket": "2", "file.format": format}
    peer.create(path, table.slice(0, 0), ["day"], options, ["id", "day"])
    peer.write(path, table)
    at_level(path, 5)
    assert rows(paimon.scan(path)) == rows(peer.read(path)) == rows(table)
    assert paimon.files(path)["level"].to_pylist() == [5] * 6
    assert paimon.count(path) == 30
    some = paimon.scan(path, columns=["name"], where="id >= 20 and day = '2020-01-02'")
    assert rows(some) == rows(
        table.filter((pc.field("id") >= 20) & (pc.field("day") == dt.date(2020, 1, 2))).select(["name"])
    )
    at_level(path, 5, _DELETE_ROW_COUNT=1)
    with pytest.raises(UnsupportedTableError, match="primary key id, day, and some buckets are not fully compacted"):
        paimon.scan(path)
    at_level(path, 5, _DELETE_ROW_COUNT=0)
    assert paimon.count(path) == 30
    peer.write(path, table.slice(0, 3))
    with pytest.raises(UnsupportedTableError, match="compact the table with Paimon first"):
        paimon.count(path)
    assert paimon.count(path, snapshot=1) == 30


def test_what_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(VersionNotFoundError, match="no Paimon table"):
        paimon.scan(tmp_path / "none")
    with pytest.raises(VersionNotFoundError, match="no Paimon table"):
        paimon.history(tmp_path / "none")
