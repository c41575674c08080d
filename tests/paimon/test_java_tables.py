"""Tables that Paimon's Java writers made: the README of each says which rows its snapshots added."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import paimon
from lakecodec.lake import UnsupportedTableError

from ..paths import DATA
from .peer import Peer, rows

_EPOCH = dt.date(1970, 1, 1)


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("java")
    with zipfile.ZipFile(DATA / "paimon" / "java_tables.zip") as archive:
        archive.extractall(folder)
    return folder


def table(java: Path, name: str) -> Path:
    return java / f"{name}.db" / name.rpartition("/")[2]


def added(path: Path) -> dict[int, list[str]]:
    """The rows that the README adds and deletes, as texts, of each snapshot that it names: with all before it."""
    found: dict[int, list[str]] = {}
    every: list[str] = []
    snapshot = 0
    for line in (path / "README").read_text().splitlines():
        if line.startswith("data_split"):
            break
        if line.startswith("snapshot-"):
            snapshot = int(re.findall(r"\d+", line.partition("(")[0])[-1])
        elif line.startswith("Add: "):
            every = [*every, line.removeprefix("Add: ").strip()]
        elif line.startswith("Delete: "):
            every = [each for each in every if each != line.removeprefix("Delete: ").strip()]
        if snapshot:
            found[snapshot] = every
    return found


def text(value: Any) -> str:
    """A value as the READMEs have it."""
    match value:
        case None:
            return "null"
        case str():
            return value if value.strip() else f'"{value}"'
        case bytes():
            return value.decode()
        case Decimal() | int() | float():
            return str(value)
        case dt.datetime():
            nanos = value.nanosecond if hasattr(value, "nanosecond") else 0
            fraction = f"{value.microsecond:06d}{nanos:03d}".rstrip("0") or "0"
            return f"{value.replace(microsecond=0):%Y-%m-%d %H:%M:%S}.{fraction}"
        case dt.date():
            return str((value - _EPOCH).days)
    raise TypeError(value)


def texts(data: Any) -> list[str]:
    found: pa.Table = data.read_all()
    return sorted(", ".join(map(text, row.values())) for row in found.to_pylist())


@pytest.mark.parametrize(
    "name",
    [
        "parquet/append_09",
        "orc/append_09",
        "append_table_with_multiple_file_format",
        "parquet/append_with_empty_partition_with_empty_value",
        "orc/append_with_empty_partition_with_specific_name",
    ],
)
def test_append_tables(java: Path, name: str) -> None:
    """Manifests in ORC; files of two formats; partitions that are empty, blank and null."""
    path = table(java, name)
    expected = added(path)
    assert len(expected) == len(paimon.history(path)) - ("append_09" in name)  # two of that are one line
    for snapshot, lines in expected.items():
        wanted = sorted(re.sub(r'"(\w+)"', r"\1", line) for line in lines)
        assert texts(paimon.scan(path, snapshot=snapshot)) == wanted
        assert paimon.count(path, snapshot=snapshot) == len(lines)


def test_times_with_nanoseconds(java: Path) -> None:
    """In INT96, which older writers use for all that milliseconds and microseconds do not hold."""
    path = table(java, "parquet/append_complex_data")
    for snapshot, lines in added(path).items():
        wanted = sorted(line.replace("-0.00000", "0.00000") for line in lines)
        assert texts(paimon.scan(path, snapshot=snapshot)) == wanted


@pytest.mark.parametrize("name", ["parquet/pk_09", "orc/pk_09"])
def test_tables_with_keys(java: Path, name: str) -> None:
    """Read after a full compaction; of others a sentence says why not. In Parquet its manifests are of a writer before 1.0."""
    path = table(java, name)
    lines = added(table(java, "orc/pk_09"))[2]  # the other has the same rows and no README
    assert len(lines) == 9
    assert texts(paimon.scan(path, snapshot=2)) == sorted(line.strip() for line in lines)
    assert paimon.count(path, snapshot=2, where="f1 = 10 and f2 = 0") == 5
    for snapshot in (1, 3, 4, 5, 6):
        with pytest.raises(
            UnsupportedTableError, match="primary key f0, f1, f2, and some buckets are not fully compacted"
        ):
            paimon.scan(path, snapshot=snapshot)


def test_a_table_with_keys_after_deletions(java: Path) -> None:
    path = table(java, "parquet/pk_with_bitmap_dv")
    expected = added(path)
    assert texts(paimon.scan(path)) == sorted(expected[4])
    assert texts(paimon.scan(path, snapshot=2)) == sorted(expected[2])
    assert (len(expected[2]), len(expected[4])) == (8, 6)


def test_branches(java: Path) -> None:
    path = table(java, "parquet/append_table_with_append_pt_branch")
    assert paimon.branches(path) == ["test"]
    with pytest.raises(
        UnsupportedTableError, match="the branch 'test' has partitions that the table lacks: name a branch"
    ):
        paimon.scan(path)
    assert texts(paimon.scan(path, branch="main")) == ["1, 110, null", "1, 120, 1200"]
    assert texts(paimon.scan(path, branch="test")) == ["2, 210, null", "2, 220, 2200"]


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("parquet/append_complex_data", 4),
        ("parquet/append_with_multiple_ts_precision_and_timezone", 1),
        ("parquet/pk_with_bitmap_dv", 2),
        ("parquet/pk_table_with_alter_table", 1),
    ],
)
def test_pypaimon_reads_the_same(peer: Peer, java: Path, name: str, least: int) -> None:
    """Of tables whose manifests are in Avro: pypaimon reads no others."""
    path = table(java, name)
    equal = 0
    for snapshot in paimon.history(path):
        try:
            found = rows(paimon.scan(path, snapshot=snapshot.id))
        except UnsupportedTableError:
            continue
        assert found == rows(peer.read(path, snapshot_id=snapshot.id))
        equal += 1
    assert equal >= least
