"""Schemas that grow: which types hold the values of others, and what of it the log and old files show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.pipeline import check, scan
from lakecodec.pipeline.log import Add, Log, SchemaMismatchError, Transaction, check_fits, merged_schema, to_delta
from lakecodec.pipeline.log.widening import widens
from lakecodec.pipeline.read.nested import as_type

from .tables import append

STEPS = [
    ("byte", "short"), ("short", "integer"), ("integer", "long"), ("byte", "long"), ("integer", "double"), ("float", "double"),
    ("date", "timestamp_ntz"), ("short", "decimal(10,0)"), ("long", "decimal(22,2)"), ("decimal(5,2)", "decimal(7,4)"),
]  # fmt: skip
REFUSED = [
    ("long", "integer"), ("long", "double"), ("double", "float"), ("date", "timestamp"), ("integer", "string"),
    ("integer", "decimal(10,1)"), ("long", "decimal(19,0)"), ("decimal(5,2)", "decimal(6,4)"), ("timestamp", "timestamp_ntz"),
]  # fmt: skip


@pytest.mark.parametrize(("narrow", "wide"), STEPS + REFUSED)
def test_the_protocols_widenings(narrow: str, wide: str) -> None:
    assert widens(narrow, wide) == ((narrow, wide) in STEPS)
    assert not widens(wide, narrow) or (wide, narrow) in STEPS
    nested: list[Any] = [
        {"type": "array", "elementType": {"type": "map", "keyType": "string", "valueType": kind, "valueContainsNull": True},
         "containsNull": True} for kind in (narrow, wide)
    ]  # fmt: skip
    assert widens(*nested) == ((narrow, wide) in STEPS)


def test_merged_schemas() -> None:
    table = pa.schema(
        {"id": pa.int32(), "s": pa.struct({"x": pa.int16()}), "l": pa.list_(pa.struct({"f": pa.float32()}))}
    )
    data = pa.schema(
        {"new": pa.string(), "l": pa.list_(pa.struct({"f": pa.float64(), "g": pa.int8()})), "id": pa.int8(),
         "s": pa.struct({"y": pa.string(), "x": pa.int64()})}
    )  # fmt: skip
    found = merged_schema(table, data)
    assert found.names == ["id", "s", "l", "new"]
    assert found.field("id").type == pa.int32()
    assert found.field("s").type == pa.struct({"x": pa.int64(), "y": pa.string()})
    assert found.field("l").type.value_type == pa.struct({"f": pa.float64(), "g": pa.int8()})
    (x, _) = json.loads(to_delta(found))["fields"][1]["type"]["fields"]
    assert x["metadata"] == {"delta.typeChanges": [{"fromType": "short", "toType": "long"}]}
    again = merged_schema(found, pa.schema({"m": pa.map_(pa.string(), pa.int8())}))
    widened = merged_schema(again, pa.schema({"m": pa.map_(pa.string(), pa.int32())}))
    (change,) = json.loads(to_delta(widened))["fields"][4]["metadata"]["delta.typeChanges"]
    assert change == {"fromType": "byte", "toType": "integer", "fieldPath": "value"}
    check_fits(widened, pa.schema({"id": pa.int8()}), narrower=True)
    with pytest.raises(SchemaMismatchError, match=r"'s.x': it is string, in the table short"):
        merged_schema(table, pa.schema({"s": pa.struct({"x": pa.string()})}))
    with pytest.raises(SchemaMismatchError, match="'ID': the table spells it 'id'"):
        merged_schema(table, pa.schema({"ID": pa.int32()}))


def test_old_files_of_a_widened_table(tmp_path: Path) -> None:
    """Rows, skipping by the log and by footers, and checks; deltalake does not know the feature and must refuse."""
    old = pa.table(
        {"n": pa.array([1, 200, None], pa.int16()), "d": pa.array([0, 1, 2], pa.date32()),
         "s": [{"x": 1}, None, {"x": 3}], "m": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int8()))}
    )  # fmt: skip
    append(tmp_path, old.slice(0, 3).combine_chunks())
    new = pa.table(
        {"n": pa.array([10**10], pa.int64()), "d": pa.array([10**6], pa.timestamp("us")), "s": [{"x": 5, "y": "new"}],
         "m": pa.array([[("b", 1000)]], pa.map_(pa.string(), pa.int32())), "extra": ["e"]}
    )  # fmt: skip
    log = Log(tmp_path)
    transaction = Transaction(log, log.snapshot(), "WRITE")
    transaction.evolve_schema(merged_schema(log.snapshot().schema, new.schema))
    pq.write_table(new, tmp_path / "new.parquet")
    transaction.add(Add("new.parquet", {}, (tmp_path / "new.parquet").stat().st_size, 0))
    transaction.commit()
    snapshot = Log(tmp_path).snapshot()
    assert "typeWidening" in (snapshot.protocol.reader_features or ())
    assert snapshot.metadata.configuration["delta.enableTypeWidening"] == "true"
    rows = scan(tmp_path).read_all().sort_by([("n", "ascending")]).to_pylist()
    assert [row["n"] for row in rows] == [1, 200, 10**10, None]
    assert [row["s"] for row in rows] == [{"x": 1, "y": None}, None, {"x": 5, "y": "new"}, {"x": 3, "y": None}]
    assert [row["m"] for row in rows] == [[("a", 1)], None, [("b", 1000)], []]
    assert [row["extra"] for row in rows] == [None, None, "e", None]
    for where, count in [
        ("n > 100", 2),
        ("d = '1970-01-02'", 1),
        ("n = 10000000000", 1),
        ("s.y IS NULL", 3),
        ("extra = 'e'", 1),
    ]:
        assert scan(tmp_path, where=where).read_all().num_rows == count, where
    assert check(tmp_path, deep=True) == []


def test_sliced_and_null_nested_arrays() -> None:
    kind = pa.map_(pa.string(), pa.list_(pa.struct({"x": pa.int16()})))
    wide = pa.map_(pa.string(), pa.list_(pa.struct({"x": pa.int64(), "y": pa.string()})))
    values = [[("a", [{"x": 1}, None])], None, [("b", None), ("c", [])], [], [("d", [{"x": 4}])]]
    array = pa.array(values, kind)
    for start in range(5):
        found = as_type(array.slice(start, 3), wide)
        found.validate(full=True)
        expected = [
            None
            if row is None
            else [
                (key, None if items is None else [item and {**item, "y": None} for item in items]) for key, items in row
            ]
            for row in values[start : start + 3]
        ]
        assert found.to_pylist() == expected
