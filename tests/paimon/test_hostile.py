"""Metadata of tables that is damaged or lies: errors of the documented types, in bounded time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

from lakecodec import DecodeError, paimon
from lakecodec.generated import paimon as declared
from lakecodec.lake import UnsupportedTableError, VersionNotFoundError
from lakecodec.paimon.avro import read_objects
from lakecodec.paimon.avro_write import schema_of, write_objects


@pytest.fixture
def table(tmp_path: Path) -> Path:
    data = pa.table({"a": range(10), "p": ["x", "y"] * 5})
    paimon.write(data, tmp_path / "t", partition_by=["p"])
    return tmp_path / "t"


def metadata(path: Path) -> Iterator[Path]:
    for folder in ("schema", "snapshot", "manifest"):
        yield from sorted((path / folder).iterdir())


def test_damaged_metadata(table: Path) -> None:
    chance = random.Random(11)
    refused = 0
    for file in metadata(table):
        if file.name == "LATEST":
            continue
        whole = file.read_bytes()
        for _ in range(25):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 3)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            file.write_bytes(bytes(data[: chance.choice((None, chance.randrange(len(data))))]))
            try:
                paimon.scan(table, where="p = 'x' and a > 3").read_all()
                paimon.count(table)
            except (DecodeError, UnsupportedTableError, VersionNotFoundError, FileNotFoundError, KeyError):
                refused += 1
        file.write_bytes(whole)
    assert refused > 80
    assert paimon.count(table) == 10


def changed(table: Path, **fields: Any) -> None:
    """Changes fields of the data files in the manifest."""
    manifest = next(file for file in (table / "manifest").glob("manifest-*") if "list" not in file.name)
    entries = list(read_objects(manifest.read_bytes(), "x"))
    for entry in entries:
        for name, value in fields.items():
            (entry if name in entry else entry["_FILE"])[name] = value
    manifest.write_bytes(write_objects(schema_of(declared.MANIFEST_ENTRY), entries))


def without_null(kind: Any) -> Any:
    """A type with text in place of the type of columns that only have nulls, which ORC does not have."""
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(without_null(each.type)) for each in kind])
    if pa.types.is_list(kind):
        return pa.list_(without_null(kind.value_type))
    return pa.string() if pa.types.is_null(kind) else kind


@pytest.mark.parametrize("format", ["orc", "parquet"])
def test_damaged_manifests_of_other_formats(table: Path, format: str) -> None:
    """Tables with the option ``manifest.format`` have such; those of Java are in test_java_tables.py."""
    for manifest in sorted((table / "manifest").iterdir(), key=lambda path: "list" not in path.name):
        name = declared.MANIFEST_FILE if "list" in manifest.name else declared.MANIFEST_ENTRY
        objects = list(read_objects(manifest.read_bytes(), "x"))
        schema = pa.Table.from_pylist(objects).schema
        found = pa.Table.from_pylist(objects, pa.schema([each.with_type(without_null(each.type)) for each in schema]))
        assert set(found.column_names) <= set(name)
        writer = orc.write_table if format == "orc" else pq.write_table
        writer(found, manifest)
        entries = found
    assert paimon.count(table, where="a > 3") == 6
    whole = manifest.read_bytes()
    writer(entries.take(pa.array(np.zeros(300_000, np.int64))), manifest, compression="zstd")
    with pytest.raises(DecodeError, match="300000 objects in"):
        paimon.count(table)
    manifest.write_bytes(whole)
    chance = random.Random(3)
    refused = 0
    for file in sorted((table / "manifest").iterdir()):
        whole = file.read_bytes()
        for _ in range(20):
            data = bytearray(whole)
            data[chance.randrange(4, len(data))] = chance.randrange(256)
            file.write_bytes(bytes(data[: chance.choice((None, chance.randrange(4, len(data))))]))
            try:
                paimon.count(table, where="a > 3")
            except (DecodeError, FileNotFoundError, KeyError):
                refused += 1
        file.write_bytes(whole)
    assert refused > 20


@pytest.mark.parametrize("name", ["../../secret.mosaic", "a/b.mosaic", "..", "x\0.mosaic", ""])
def test_names_that_lead_elsewhere(table: Path, name: str) -> None:
    changed(table, _FILE_NAME=name)
    with pytest.raises(DecodeError, match="is not a name of a file"):
        paimon.count(table)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"_PARTITION": b""}, "unexpected end|ends|needed"),
        ({"_PARTITION": bytes(12)}, "has 0 fields, its type 1"),
        ({"_SCHEMA_ID": 77}, "does not exist"),
        ({"_VALUE_STATS_COLS": ["a", "a", "a"]}, "its type 3|counts of nulls"),
    ],
)
def test_entries_that_lie(table: Path, fields: dict[str, Any], rule: str) -> None:
    changed(table, **fields)
    with pytest.raises(DecodeError, match=rule):
        paimon.scan(table, where="a = 1").read_all()


def test_snapshots_that_lie(table: Path) -> None:
    file = table / "snapshot" / "snapshot-1"
    whole = json.loads(file.read_text())
    for change in (
        {"deltaManifestList": "../x"},
        {"schemaId": 9},
        {"version": 99},
        {"id": "x"},
        {"timeMillis": 10**40},
    ):
        file.write_text(json.dumps(whole | change))
        with pytest.raises(DecodeError):
            paimon.scan(table, snapshot=1).read_all()
