"""Variants in tables: what goes in comes out, shredded or not, at any depth, and other readers find it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake, variant
from lakecodec.parquet import read_metadata
from lakecodec.variant import Variant

QUIET: Any = {"progress": False}
SHREDDED: Any = {"properties": {"delta.enableVariantShredding": True}}
VALUES: list[Any] = [
    {"id": 1, "name": "one", "at": {"x": 1.5, "tags": ["a", "b"]}, "price": Decimal("1.50")},
    {"id": "2", "at": {"x": 2, "tags": []}, "more": None},
    [1, 2, 3],
    None,
    "text",
    {},
    {"id": 2**40, "name": "é" * 40, "at": [{"x": 1}], "z": {"q": [1, {"r": False}]}},
    {"id": 7, "at": {"x": 0.25}, "day": date(2020, 1, 2), "time": datetime(2020, 1, 2, tzinfo=UTC)},
    {"id": 8, "name": "", "price": Decimal("123.4")},
]
FORMS = [pytest.param({}, id="whole"), pytest.param(SHREDDED, id="shredded")]


def rows(values: list[Any]) -> pa.Table:
    column = variant.array(values)
    schema = pa.schema([pa.field("n", pa.int64()), variant.field("v")])
    return pa.Table.from_arrays([pa.array(range(len(values)), pa.int64()), column], schema=schema)


def plain(column: Any) -> list[Any]:
    """The values of a column of variants."""
    storage = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return [row and Variant(row["metadata"], row["value"]).to_python() for row in storage.to_pylist()]


def data_files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.parquet"))


def protocol(path: Path) -> dict[str, Any]:
    lines = (path / "_delta_log/00000000000000000000.json").read_text().splitlines()
    found: dict[str, Any] = next(line["protocol"] for line in map(json.loads, lines) if "protocol" in line)
    return found


@pytest.mark.parametrize("form", FORMS)
def test_what_goes_in_comes_out(form: Any, tmp_path: Path) -> None:
    lake.write(rows(VALUES), tmp_path, **form, **QUIET)
    lake.write(rows(VALUES[:3]), tmp_path, **QUIET)
    found = lake.scan(tmp_path).read_all()
    assert found.schema.field("v").equals(variant.field("v"), check_metadata=True)
    assert plain(found["v"]) == VALUES + VALUES[:3]
    assert lake.check(tmp_path, deep=True) == []
    features = protocol(tmp_path)["readerFeatures"]
    assert features == (["variantType"] if not form else ["variantShredding", "variantType"])
    assert protocol(tmp_path)["writerFeatures"] == features
    assert plain(lake.scan(tmp_path, where="n = 6 OR v IS NULL").read_all()["v"]) == [None, VALUES[6]]
    stats = json.loads(lake.log.Log(tmp_path).snapshot().files[0].stats or "")
    assert stats["nullCount"]["v"] == 1


@pytest.mark.parametrize("form", FORMS)
def test_files_are_those_that_others_read(form: Any, tmp_path: Path) -> None:
    lake.write(rows(VALUES), tmp_path, **form, **QUIET)
    (file,) = data_files(tmp_path)
    groups = {each.name: each for each in read_metadata(file).schema}
    assert groups["v"].logicalType is not None
    assert groups["v"].logicalType.kind == "VARIANT"
    assert ("typed_value" in groups) is bool(form)
    # Without shredding, Spark wants both to be required.
    assert groups["value"].repetition_type.name == ("OPTIONAL" if form else "REQUIRED")
    texts = duckdb.sql(f"select v::json::varchar from '{file}'").fetchall()
    expected = [json.loads(variant.from_python(value).to_json()) for value in VALUES]
    found = [None if text is None else json.loads(text) for (text,) in texts]
    assert [each for place, each in enumerate(found) if place != 7] == [
        each for place, each in enumerate(expected) if place != 7
    ]


def test_shredded_data_is_stored_whole_unless_the_table_says_otherwise(tmp_path: Path) -> None:
    column = variant.shred(variant.array(VALUES), pa.struct({"id": pa.int64()}))
    table = pa.Table.from_arrays([column], schema=pa.schema([variant.field("v", column.type)]))
    lake.write(table, tmp_path, **QUIET)
    (file,) = data_files(tmp_path)
    assert "typed_value" not in {each.name for each in read_metadata(file).schema}
    assert plain(lake.scan(tmp_path).read_all()["v"]) == VALUES


def test_variants_inside_of_columns(tmp_path: Path) -> None:
    storage = variant.array([{"a": 1}, None, [2], "x"])
    part = variant.field("v")
    struct = pa.StructArray.from_arrays([storage], fields=[part])
    items = pa.ListArray.from_arrays(
        pa.array([0, 1, 1, 3, 4], pa.int32()), storage, pa.list_(part.with_name("element"))
    )
    pairs = pa.MapArray.from_arrays(
        pa.array([0, 1, 1, 3, 4], pa.int32()), pa.array(["p", "q", "r", "s"]), storage,
        pa.map_(pa.field("key", pa.string(), False), part.with_name("value")),
    )  # fmt: skip
    table = pa.table({"s": struct, "l": items, "m": pairs})
    lake.write(table, tmp_path, **QUIET)
    found = lake.scan(tmp_path).read_all()
    for name in table.schema.names:
        assert found[name].to_pylist() == table[name].to_pylist()
    assert found.schema.field("l").type.value_field.metadata[b"ARROW:extension:name"] == b"arrow.parquet.variant"
    kinds = json.loads(lake.log.Log(tmp_path).snapshot().metadata.schema_string)["fields"]
    assert kinds[0]["type"]["fields"][0]["type"] == "variant"
    assert kinds[1]["type"]["elementType"] == kinds[2]["type"]["valueType"] == "variant"
    (file,) = data_files(tmp_path)
    marks = [each.logicalType.kind for each in read_metadata(file).schema if each.logicalType is not None]
    assert marks.count("VARIANT") == 3
    assert lake.check(tmp_path, deep=True) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_table_lives(form: Any, tmp_path: Path) -> None:
    """Deletes, updates, merges, small files joined, and reads of older versions and of changes."""
    properties = {"delta.enableChangeDataFeed": True, **form.get("properties", {})}
    lake.write(rows(VALUES), tmp_path, properties=properties, **QUIET)
    lake.delete(tmp_path, "n IN (2, 4)")
    lake.update(tmp_path, {"n": "n + 100"}, where="n = 1")
    source = rows(["new", {"id": 0}])
    source = source.set_column(0, "n", pa.array([0, 500], pa.int64()))
    lake.merge(tmp_path, source, on="n", when_matched_update=True, when_not_matched_insert=True)
    lake.optimize(tmp_path)
    expected = {0: "new", 500: {"id": 0}, 101: VALUES[1], **{n: VALUES[n] for n in (3, 5, 6, 7, 8)}}
    found = lake.scan(tmp_path).read_all()
    assert dict(zip(found["n"].to_pylist(), plain(found["v"]), strict=True)) == expected
    assert lake.count(tmp_path) == len(expected)
    assert plain(lake.scan(tmp_path, version=0).read_all()["v"]) == VALUES
    changes = lake.scan_changes(tmp_path, 1, 1).read_all()
    assert sorted(map(repr, plain(changes["v"]))) == sorted(map(repr, [VALUES[2], VALUES[4]]))
    assert lake.check(tmp_path, deep=True) == []


def test_what_is_refused(tmp_path: Path) -> None:
    table = rows(VALUES)
    with pytest.raises((ValueError, TypeError), match="v"):
        lake.write(table, tmp_path / "a", partition_by="v", **QUIET)
    for order in ("sort_by", "zorder_by"):
        with pytest.raises(ValueError, match=f"{order}: .*'v'"):
            lake.write(table, tmp_path / "b", **{order: "v"}, **QUIET)
    with pytest.raises(ValueError, match="v"):
        lake.write(table, tmp_path / "c", format="mosaic", **QUIET)
    lake.write(table, tmp_path / "d", **QUIET)
    with pytest.raises(lake.SchemaMismatchError, match="'v': it is string, in the table variant"):
        lake.write(pa.table({"n": pa.array([1], pa.int64()), "v": ["x"]}), tmp_path / "d", **QUIET)
    assert not any((tmp_path / name).exists() and data_files(tmp_path / name) for name in "abc")
    assert len(data_files(tmp_path / "d")) == 1
    assert pq.read_table(data_files(tmp_path / "d")[0]).num_rows == len(VALUES)
