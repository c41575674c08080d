"""Delta tables of the deltalake package: its log where it is right, and our values in tables that it and polars read."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec.delta import PartitionCodec, decode_uri
from tests.delta.vectors import Vector, read_vectors

GOOD = [vector for vector in read_vectors() if not vector.fails]
#: Rows in which deltalake 1.6 writes another text: floats without `.0`, lower-case infinities and plain digits of any length,
#: broken negative decimals, times without a zone, "" for null, and escape sequences for bytes.
OTHER_TEXT = {15, 16, 17, 18, 20, 21, 23, 25, 26, 33, 40, 41, 42, 49, 51, 53, 65}
#: Rows of deltalake's own texts that are values all the same, by the rules for reading.
OTHER_FORM = {15, 16, 20, 21, 23, 25, 26, 40, 41, 42}
DELTA_NAMES = {
    pa.bool_(): "boolean",
    pa.int8(): "byte",
    pa.int16(): "short",
    pa.int32(): "integer",
    pa.int64(): "long",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.date32(): "date",
    pa.timestamp("us", "UTC"): "timestamp",
    pa.timestamp("us"): "timestamp_ntz",
    pa.string(): "string",
    pa.binary(): "binary",
}


def codec(arrow: pa.DataType) -> PartitionCodec:
    return PartitionCodec(pa.schema([("p", arrow), ("row", pa.int32())]), ["p"])


def adds(table: Path) -> list[dict[str, Any]]:
    lines = [
        json.loads(line) for log in sorted(table.glob("_delta_log/*.json")) for line in log.read_text().splitlines()
    ]
    return [line["add"] for line in lines if "add" in line]


def written(vector: Vector, path: Path) -> dict[str, Any]:
    """What deltalake commits for one row with the vector's value."""
    table = pa.table({"p": pa.array([vector.value], vector.type), "row": pa.array([0], pa.int32())})
    write_deltalake(path, table, partition_by=["p"])
    (add,) = adds(path)
    return add


@pytest.mark.parametrize(
    "vector", [v for v in GOOD if v.row <= 68 and v.row not in OTHER_TEXT], ids=lambda vector: str(vector.row)
)
def test_log(vector: Vector, tmp_path: Path) -> None:
    add = written(vector, tmp_path / "t")
    assert add["partitionValues"] == codec(vector.type).serialize({"p": vector.value})
    assert (tmp_path / "t" / decode_uri(add["path"])).is_file()
    ours = codec(vector.type).parse_directory(decode_uri(add["path"]))
    assert repr(ours) == repr(codec(vector.type).parse({"p": vector.text}))


@pytest.mark.parametrize("vector", [v for v in GOOD if v.row in OTHER_FORM], ids=lambda vector: str(vector.row))
def test_other_forms_are_read(vector: Vector, tmp_path: Path) -> None:
    add = written(vector, tmp_path / "t")
    text = add["partitionValues"]["p"]
    assert text != vector.text
    assert codec(vector.type).parse({"p": text}) == codec(vector.type).parse({"p": vector.text})


def create_table(path: Path, vectors: list[Vector]) -> None:
    """A table with one file a vector, its log and paths written by us."""
    arrow = vectors[0].type
    one = codec(arrow)
    fields = [
        {"name": "p", "type": name_of(arrow), "nullable": True, "metadata": {}},
        {"name": "row", "type": "integer", "nullable": True, "metadata": {}},
    ]
    ntz = arrow == pa.timestamp("us")
    features = {"readerFeatures": ["timestampNtz"], "writerFeatures": ["timestampNtz"]} if ntz else {}
    actions: list[dict[str, Any]] = [
        {"protocol": {"minReaderVersion": 3 if ntz else 1, "minWriterVersion": 7 if ntz else 2, **features}},
        {
            "metaData": {
                "id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
                "format": {"provider": "parquet", "options": {}},
                "schemaString": json.dumps({"type": "struct", "fields": fields}),
                "partitionColumns": ["p"],
                "configuration": {},
                "createdTime": 0,
            }
        },
    ]
    for vector in vectors:
        values = {"p": vector.value}
        directory, name = one.directory(values), f"part-{vector.row}.parquet"
        file = path / directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"row": pa.array([vector.row], pa.int32())}), file)
        add = {
            "path": one.add_path(directory, name),
            "partitionValues": one.serialize(values),
            "size": file.stat().st_size,
            "modificationTime": 0,
            "dataChange": True,
        }
        actions.append({"add": add})
    log = path / "_delta_log" / "00000000000000000000.json"
    log.parent.mkdir()
    log.write_text("".join(json.dumps(action) + "\n" for action in actions))


def name_of(arrow: pa.DataType) -> str:
    return f"decimal({arrow.precision},{arrow.scale})" if pa.types.is_decimal(arrow) else DELTA_NAMES[arrow]


def by_type() -> dict[pa.DataType, list[Vector]]:
    """Without the dates that no Python reader takes, and the row that deltalake's pyarrow path cannot read (33)."""
    found: dict[pa.DataType, list[Vector]] = {}
    for vector in GOOD:
        if not isinstance(vector.value, pa.Scalar) and vector.row not in {33, 142}:
            found.setdefault(vector.type, []).append(vector)
    return found


@pytest.mark.parametrize("arrow", list(by_type()), ids=str)
def test_deltalake_reads_our_tables(arrow: pa.DataType, tmp_path: Path) -> None:
    vectors = by_type()[arrow]
    create_table(tmp_path / "t", vectors)
    found = DeltaTable(tmp_path / "t").to_pyarrow_table().to_pylist()
    assert len(found) == len(vectors)
    values = {row["row"]: row["p"] for row in found}
    for vector in vectors:
        expected = codec(arrow).parse(codec(arrow).serialize({"p": vector.value}))["p"]
        got = values[vector.row]
        assert got == expected or (got != got and expected != expected) or (got in ("", b"") and expected is None)
        if isinstance(expected, float):
            assert math.copysign(1, got) == math.copysign(1, expected)


@pytest.mark.parametrize("arrow", [arrow for arrow in by_type() if arrow != pa.binary()], ids=str)
def test_polars_reads_our_directories(arrow: pa.DataType, tmp_path: Path) -> None:
    """polars takes the values from the directory names; it cannot tell null from the text that stands for it."""
    vectors = [vector for vector in by_type()[arrow] if vector.row != 150]
    create_table(tmp_path / "t", vectors)
    values = {row["row"]: row["p"] for row in pl.read_delta(str(tmp_path / "t")).to_dicts()}
    for vector in vectors:
        expected = codec(arrow).parse(codec(arrow).serialize({"p": vector.value}))["p"]
        got = values[vector.row]
        assert got == expected or (got != got and expected != expected)
