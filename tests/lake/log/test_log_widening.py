"""Schemas that grow: which types hold the values of others, and what of it the log and old files show."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError
from lakecodec.lake.log import (
    Add,
    Log,
    SchemaMismatchError,
    Transaction,
    check_fits,
    from_delta,
    merged_schema,
    to_delta,
)
from lakecodec.lake.log.widening import widens
from lakecodec.pipeline import check, count, scan
from lakecodec.runtime.arrow_nested import as_type
from tests.lake.log.tables import append

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
    for where, matching in [
        ("n > 100", 2),
        ("d = '1970-01-02'", 1),
        ("n = 10000000000", 1),
        ("s.y IS NULL", 3),
        ("extra = 'e'", 1),
    ]:
        assert scan(tmp_path, where=where).read_all().num_rows == matching, where
    assert check(tmp_path, deep=True) == []


OLD_VALUES: dict[str, list[Any]] = {
    "byte": [-5, 100], "short": [-300, 300], "integer": [-(2**31), 2**31 - 1], "float": [-1.1, 3.4], "long": [-(2**63), 2**60],
    "date": [date(1999, 12, 31), date(2024, 2, 29)], "decimal(5,2)": [Decimal("-1.50"), Decimal("999.99")],
}  # fmt: skip


def _arrow(kind: str) -> pa.DataType:
    fields = [{"name": "v", "type": kind, "nullable": True, "metadata": {}}]
    return from_delta(json.dumps({"type": "struct", "fields": fields})).field("v").type


@pytest.mark.parametrize("partition", [(), ("v",)])
@pytest.mark.parametrize(("narrow", "wide"), STEPS)
def test_every_widening_of_a_column_with_values(
    tmp_path: Path, narrow: str, wide: str, partition: tuple[str, ...]
) -> None:
    """Rows are found by their values in the new type, by scans, counts and deep checks, in data and in partitions."""
    old = pa.table({"v": pa.array(OLD_VALUES[narrow], _arrow(narrow)), "id": [0, 1]})
    for number in range(2):
        append(tmp_path, old.slice(number, 1), partition)
    if narrow == "float" and not partition:
        rewrite_log(
            tmp_path, lambda text: text.replace("3.4000000953674316", "3.4").replace("-1.100000023841858", "-1.1")
        )
    log = Log(tmp_path)
    transaction = Transaction(log, log.snapshot(), "WRITE")
    transaction.evolve_schema(merged_schema(log.snapshot().schema, pa.schema({"v": _arrow(wide)})))
    transaction.commit()
    expected = old["v"].cast(_arrow(wide)).to_pylist()
    if narrow == "float" and partition:
        expected = OLD_VALUES["float"]  # the texts of the partitions are those of doubles now
    found = scan(tmp_path).read_all().sort_by("id")
    assert found.schema.field("v").type == _arrow(wide)
    assert found["v"].to_pylist() == expected
    for number, value in enumerate(expected):
        assert scan(tmp_path, where=[("v", "=", value)]).read_all()["id"].to_pylist() == [number]
        assert count(tmp_path, where=[("v", "=", value)]) == 1
        assert count(tmp_path, where=[("v", "<=", value)]) == number + 1
    assert check(tmp_path, deep=True) == []
    log.checkpoint()
    assert scan(tmp_path).read_all().sort_by("id")["v"].to_pylist() == expected


def rewrite_log(root: Path, change: Callable[[str], str]) -> None:
    for file in (root / "_delta_log").glob("*.json"):
        file.write_text(change(file.read_text()))


def test_partition_values_that_no_type_of_the_column_has(tmp_path: Path) -> None:
    append(tmp_path, pa.table({"v": pa.array([1], pa.int8()), "id": [0]}), ("v",))
    log = Log(tmp_path)
    transaction = Transaction(log, log.snapshot(), "WRITE")
    transaction.evolve_schema(merged_schema(log.snapshot().schema, pa.schema({"v": pa.decimal128(12, 2)})))
    transaction.commit()
    for text in ("1.5", "300", "x"):
        written = f'"partitionValues":{{"v":"{text}"}}'
        rewrite_log(tmp_path, functools.partial(re.sub, r'"partitionValues":{"v":"[^"]*"}', written))
        with pytest.raises(DecodeError, match="v"):
            scan(tmp_path).read_all()


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
