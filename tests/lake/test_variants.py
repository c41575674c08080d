"""Variants in tables: what goes in comes out, shredded or not, at any depth, and other readers find it."""

from __future__ import annotations

import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from lakecodec import lake, variant
from lakecodec.lake.log import Log
from lakecodec.lake.log.variant_statistics import bounds_of
from lakecodec.parquet import read_metadata
from lakecodec.variant import Variant

from ..archives import unpack

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
    stats = json.loads(Log(tmp_path).snapshot().files[0].stats or "")
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
    kinds = json.loads(Log(tmp_path).snapshot().metadata.schema_string)["fields"]
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
    lake.delete(tmp_path, "n IN (2, 4)", progress=False)
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


#: Predicates over parts of variants, and what they mean for a value of Python.
PREDICATES: dict[str, Any] = {
    "v.id > 5": lambda v: is_number(part(v, "id")) and part(v, "id") > 5,
    "v.id = 7 OR v.id = 1.0": lambda v: is_number(part(v, "id")) and part(v, "id") in (7, 1),
    "v.at.x <= 1.5": lambda v: is_number(part(v, "at", "x")) and part(v, "at", "x") <= 1.5,
    "NOT v.at.x > 1": lambda v: is_number(part(v, "at", "x")) and not part(v, "at", "x") > 1,
    "v.price = 1.5": lambda v: is_number(part(v, "price")) and part(v, "price") == Decimal("1.5"),
    "v.name LIKE 'o%'": lambda v: isinstance(part(v, "name"), str) and part(v, "name").startswith("o"),
    "v.name IN ('one', '')": lambda v: part(v, "name") in ("one", ""),
    "v.id = '2'": lambda v: part(v, "id") == "2",
    "v.day = DATE'2020-01-02'": lambda v: part(v, "day") == date(2020, 1, 2),
    "v.time >= TIMESTAMP'2020-01-01'": lambda v: part(v, "time") is not None,
    "v.at IS NOT NULL AND n < 3": lambda v: part(v, "at") is not None and VALUES.index(v) < 3,
    "v.more IS NULL": lambda v: True,
    "v.nothing.there = 1": lambda v: False,
    "v.id NOT IN (1, 8)": lambda v: is_number(part(v, "id")) and part(v, "id") not in (1, 8),
}


def part(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def shown(value: Any) -> str:
    """A value as text, whatever the order of its fields."""
    if isinstance(value, dict):
        return repr({name: shown(inner) for name, inner in sorted(value.items())})
    if isinstance(value, list):
        return repr([shown(inner) for inner in value])
    return repr(value.normalize() if isinstance(value, Decimal) else value)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


@pytest.mark.parametrize("where", PREDICATES)
@pytest.mark.parametrize("form", FORMS)
def test_predicates_over_parts(form: Any, where: str, tmp_path: Path) -> None:
    lake.write(rows(VALUES), tmp_path, **form, **QUIET)
    lake.write(rows(VALUES), tmp_path, max_rows_per_file=2, **QUIET)
    expected = [place for place, value in enumerate(VALUES) if PREDICATES[where](value)]
    found = lake.scan(tmp_path, where=where).read_all()
    assert sorted(found["n"].to_pylist()) == sorted(expected * 2)
    assert sorted(map(shown, plain(found["v"]))) == sorted([shown(VALUES[n]) for n in expected] * 2)
    assert sorted(lake.scan(tmp_path, columns=["n"], where=where).read_all()["n"].to_pylist()) == sorted(expected * 2)
    assert lake.count(tmp_path, where=where) == 2 * len(expected)
    lake.delete(tmp_path, where, progress=False)
    assert lake.count(tmp_path) == 2 * (len(VALUES) - len(expected))


class Reads:
    """What is read of the columns of files, by their names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.columns: set[str] = set()
        original = pq.ParquetFile.iter_batches

        def iter_batches(file: Any, *args: Any, **kwargs: Any) -> Any:
            wanted = args[2] if len(args) > 2 else kwargs["columns"]
            every = [file.metadata.schema.column(n).path for n in range(len(file.metadata.schema))]
            self.columns.update(p for p in every if any(p == name or p.startswith(f"{name}.") for name in wanted))
            return original(file, *args, **kwargs)

        monkeypatch.setattr(pq.ParquetFile, "iter_batches", iter_batches)


def test_shredded_fields_are_read_without_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither names nor what is left of the objects; files and row groups are skipped by statistics."""
    values = [{"id": n, "at": {"x": n / 2}, "more": "x" * (n % 5)} for n in range(3000)]
    values[2999]["odd"] = [1]
    lake.write(rows(values), tmp_path, max_rows_per_file=1000, **SHREDDED, **QUIET)
    reads = Reads(monkeypatch)
    found = lake.scan(tmp_path, columns=["n"], where="v.at.x BETWEEN 600.5 AND 601").read_all()
    assert found["n"].to_pylist() == [1201, 1202]
    assert reads.columns == {"n", "v.typed_value.at.typed_value.x.typed_value"}
    assert lake.explain(tmp_path, where="v.at.x BETWEEN 600.5 AND 601").files == 1
    assert lake.explain(tmp_path, where="v.id = 5000").files == 0
    assert lake.explain(tmp_path, where="v.id >= 2000").files == 1
    assert lake.explain(tmp_path, where="v.more > 'y'").files == 0
    assert lake.explain(tmp_path, where="v.odd = 'y'").files == 3
    # Only row groups in which a field has values of other types are read with these.
    values[5]["at"]["x"] = "text"
    lake.write(rows(values[:1000]), tmp_path / "mixed", **SHREDDED, **QUIET)
    found = lake.scan(tmp_path / "mixed", columns=["n"], where="v.at.x = 'text' OR v.at.x = 3.5").read_all()
    assert found["n"].to_pylist() == [5, 7]
    assert "v.typed_value.at.typed_value.x.value" in reads.columns
    # Names of objects are not read even then.
    assert not {"v.metadata", "v.value"} & reads.columns


def test_row_groups_are_skipped_by_shredded_fields(tmp_path: Path) -> None:
    """By footers alone, where the log has no statistics of them."""
    values = [{"id": n, "tag": f"t{n:04}", "d": n / 4, "p": Decimal(n) / 100} for n in range(4000)]
    lake.write(rows(values), tmp_path, target_file_bytes=300_000, stats_columns=["n"], **SHREDDED, **QUIET)
    every = lake.explain(tmp_path, where="v.id >= 0")
    assert every.row_groups_total >= 3
    for where in ("v.id = 1234", "v.tag = 't1234'", "v.d = 308.5", "v.p = 12.34", "v.id = 1234.0"):
        assert lake.explain(tmp_path, where=where).row_groups == 1
        assert lake.scan(tmp_path, columns=["n"], where=where).read_all()["n"].to_pylist() == [1234]
    for where in ("v.id = '1234'", "v.nothing = 1", "v.tag = 5", "v.id IS NULL", "v.id = DATE'2020-01-01'"):
        assert lake.explain(tmp_path, where=where).row_groups == 0


GOLDEN = Path(__file__).parent / "data/variants"


def golden(name: str, folder: Path) -> Path:
    data = zstandard.ZstdDecompressor().stream_reader((GOLDEN / f"{name}.tar.zst").read_bytes()).read()
    unpack(io.BytesIO(data), folder)
    return folder / name


@pytest.mark.parametrize(
    ("name", "where", "files", "rows"),
    [
        ("variant-stats-no-checkpoint", "v.id < 3", 1, 3),
        ("variant-stats-no-checkpoint", "v.id > 9", 0, 0),
        ("variant-stats-no-checkpoint", "nv.v.name < '20'", 1, None),
        ("variant-stats-nested-no-checkpoint", "s.v.value = 104", 1, 1),
        ("variant-stats-nested-no-checkpoint", "s.v.name >= 'item_105'", 1, 5),
        ("variant-stats-with-struct-no-checkpoint", "v.key < 205 AND s.i > 201", 1, 3),
        ("variant-stats-with-struct-no-checkpoint", "v.key = 0", 0, 0),
        ("spark-shredded-variant-preview-delta", "v.key = 5", 4, 1),
    ],
)
def test_tables_of_delta_with_statistics(name: str, where: str, files: int, rows: int | None, tmp_path: Path) -> None:
    """Delta's own statistics of variants skip files, and its shredded and whole columns are read."""
    path = golden(name, tmp_path)
    summary = lake.explain(path, where=where)
    assert summary.files == files <= summary.files_total
    found = lake.scan(path, where=where).read_all()
    assert rows is None or found.num_rows == rows
    every = lake.scan(path).read_all()
    assert set(map(repr, found.to_pylist())) <= set(map(repr, every.to_pylist()))
    assert {problem.kind for problem in lake.check(path, deep=True)} <= {"orphaned"}


def test_statistics_are_those_of_delta(tmp_path: Path) -> None:
    """Rows of Delta's table, written again, get bounds of the same paths and values as its own."""
    path = golden("variant-stats-no-checkpoint", tmp_path)
    theirs = json.loads(Log(path).snapshot().files[0].stats or "")
    lake.write(lake.scan(path).read_all(), tmp_path / "ours", **SHREDDED, **QUIET)
    ours = json.loads(Log(tmp_path / "ours").snapshot().files[0].stats or "")
    for side in ("minValues", "maxValues"):
        expected = bounds_of(theirs[side]["v"])
        assert set(expected) == {"$['id']", "$['name']"}
        assert bounds_of(ours[side]["v"]) == expected


@pytest.mark.parametrize("shredded", [True, False])
def test_predicates_of_whole_floats(tmp_path: Path, shredded: bool) -> None:
    ids = [1.0, 2.0, 2.5, 2.0**60, float("inf"), float("nan")]
    rows = pa.table([variant.array([{"id": id} for id in ids] * 5)], schema=pa.schema([variant.field("event")]))
    lake.write(rows, tmp_path / "t", properties={"delta.enableVariantShredding": shredded}, progress=False)
    (file,) = (tmp_path / "t").glob("*.parquet")
    assert ("typed_value" in str(pq.read_schema(file))) == shredded
    for text, count in (("= 2", 5), ("< 3", 15), ("= 2.5", 5), (f"= {2**60}", 5), (f"= {2**60 + 1}", 0)):
        assert lake.scan(tmp_path / "t", where=f"event.id {text}").read_all().num_rows == count, text


@pytest.mark.parametrize("shredded", [True, False])
def test_variants_that_become_null(tmp_path: Path, shredded: bool) -> None:
    """By an update, and as a column that new rows lack."""
    schema = pa.schema([pa.field("k", pa.int64()), variant.field("v")])
    rows = pa.table([pa.array([1, 2]), variant.array([{"a": 1}, {"a": 2}])], schema=schema)
    lake.write(rows, tmp_path / "t", properties={"delta.enableVariantShredding": shredded}, progress=False)
    lake.write(pa.table({"k": [3]}), tmp_path / "t", progress=False)
    lake.update(tmp_path / "t", {"v": "NULL"}, "k = 1", progress=False)
    found = lake.scan(tmp_path / "t").read_all().sort_by("k")
    assert found["v"].is_null().to_pylist() == [True, False, True]
    assert variant.to_columns(found["v"], {"$.a": pa.int64()})["$.a"].to_pylist() == [None, 2, None]
    assert lake.check(tmp_path / "t", deep=True) == []


def test_numbers_that_sql_lacks(tmp_path: Path) -> None:
    lake.write(pa.table({"k": [1.0, float("nan")]}), tmp_path / "t", progress=False)
    with pytest.raises(ValueError, match="set: '1e400': not a number of any type: 1e400"):
        lake.update(tmp_path / "t", {"k": "1e400"}, progress=False)
    for value in ("nan", "inf", "-inf"):
        with pytest.raises(ValueError, match=rf"only Spark can decide \"`k` = CAST\('{value}' AS DOUBLE\)\""):
            lake.delete(tmp_path / "t", [("k", "=", float(value))], progress=False)
