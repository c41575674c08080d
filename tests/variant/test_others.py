"""Variants beside those of pyspark and DuckDB."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from lakecodec import variant
from lakecodec.parquet import read_metadata
from lakecodec.variant import Variant

pyspark = pytest.importorskip("pyspark.sql.variant_utils")

TEXTS = ["", "a", "é" * 31, "é" * 32, "x" * 63, "x" * 64, "x" * 300, '🐢\u2028"\\']
NUMBERS: list[Any] = [
    0,
    127,
    128,
    -128,
    -129,
    32768,
    2**31,
    -(2**63),
    2**63,
    10**25,
    1.5,
    -0.25,
    1e300,
    1.1,
    True,
    None,
]


def some_value(dice: random.Random, depth: int = 0) -> Any:
    kind = dice.randrange(6 if depth < 3 else 3)
    if kind == 0:
        return dice.choice(TEXTS)
    if kind < 3:
        return dice.choice(NUMBERS)
    count = dice.choice([0, 1, 3, 5, 300]) if depth == 0 else dice.randrange(4)
    if kind < 5:
        return {f"{dice.choice('abcz')}{n}": some_value(dice, depth + 1) for n in range(count)}
    return [some_value(dice, depth + 1) for _ in range(count)]


@pytest.mark.parametrize("seed", range(60))
def test_the_bytes_of_json_are_those_of_pyspark(seed: int) -> None:
    text = json.dumps(some_value(random.Random(seed)))
    value, metadata = pyspark.VariantUtils.parse_json(text)
    ours = variant.from_json(text)
    assert ours.value == value
    # Ours says of sorted names that they are; nothing else differs.
    assert ours.metadata[1:] == metadata[1:]
    assert ours.metadata[0] & ~16 == metadata[0]
    assert ours.to_python() == pyspark.VariantUtils.to_python(value, metadata)
    assert json.loads(ours.to_json()) == json.loads(pyspark.VariantUtils.to_json(value, metadata))


def test_pyspark_reads_values_of_python() -> None:
    from datetime import UTC, date, datetime
    from decimal import Decimal

    value = {
        "d": date(1, 1, 1), "t": datetime(2020, 1, 2, 3, 4, 5, 6, UTC), "n": datetime(2020, 1, 2), "b": b"\0\xff",
        "x": Decimal("-0.000000000000000001"), "y": Decimal("9999999999999999999999999.99"),
        "l": [Decimal("1.50"), 2.5, "z" * 70],
    }  # fmt: skip
    ours = variant.from_python(value)
    assert pyspark.VariantUtils.to_python(ours.value, ours.metadata) == value == ours.to_python()


ROWS = [
    {"id": 1, "name": "one", "at": {"x": 1.5, "tags": ["a", "b"]}},
    {"id": "2", "at": {"x": 2, "tags": []}, "more": None},
    [1, 2, 3],
    None,
    "text",
    {},
    {"id": 2**40, "name": "é" * 40, "at": [{"x": 1}], "z": {"q": [1, {"r": False}]}},
]
SCHEMA = pa.struct(
    {"id": pa.int64(), "name": pa.string(), "at": pa.struct({"x": pa.float64(), "tags": pa.list_(pa.string())})}
)


@pytest.mark.parametrize("shredded", [False, True])
def test_duckdb_reads_our_files(shredded: bool, tmp_path: Path) -> None:
    column = variant.array(ROWS)
    if shredded:
        column = variant.shred(column, SCHEMA)
    path = tmp_path / "v.parquet"
    table = pa.Table.from_arrays([column], schema=pa.schema([variant.field("v", column.type)]))
    variant.write_table(table, path)
    assert read_metadata(path).schema[1].logicalType.kind == "VARIANT"
    texts = duckdb.sql(f"select v::json::varchar from '{path}'").fetchall()
    assert [text and json.loads(text) for (text,) in texts] == ROWS
    back = variant.unshred(pq.read_table(path)["v"])
    assert [row and Variant(**row).to_python() for row in back.to_pylist()] == ROWS


def test_we_read_files_of_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    rows = ", ".join("('" + json.dumps(row).replace("'", "''") + "')" for row in ROWS if row is not None)
    duckdb.sql(f"copy (select t.j::json::variant v from (values {rows}) t(j)) to '{path}' (format parquet)")
    back = variant.unshred(pq.read_table(path)["v"])
    assert [Variant(**row).to_python() for row in back.to_pylist()] == [row for row in ROWS if row is not None]


class Extension(pa.ExtensionType):  # type: ignore[misc]
    """Arrow's extension type, as other libraries give it to pyarrow."""

    def __init__(self, storage: pa.DataType) -> None:
        super().__init__(storage, "arrow.parquet.variant")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""


@pytest.mark.parametrize("shredded", [False, True])
def test_the_extension_type_of_arrow(shredded: bool, tmp_path: Path) -> None:
    plain = variant.array([{"a": 1}, None, "text"])
    storage = variant.shred(plain, pa.struct({"a": pa.int64()})) if shredded else plain
    array = pa.ExtensionArray.from_storage(Extension(storage.type), storage)
    assert variant.to_columns(array, {"$.a": pa.int64()})["$.a"].to_pylist() == [1, None, None]
    rows = variant.unshred(storage)
    assert variant.unshred(array) == rows
    inner = pa.StructArray.from_arrays([array], ["v"])
    several = pa.LargeListArray.from_arrays(pa.array([0, 2, 3, 3]), array)
    # pyarrow crashes where it writes a type of this name.
    variant.write_table(pa.table({"v": array, "s": inner, "l": several}), tmp_path / "v.parquet")
    found = pq.read_table(tmp_path / "v.parquet")
    assert found.schema.field("v").equals(variant.field("v", storage.type), check_metadata=True)
    for column in (found["v"], pc.struct_field(found["s"], "v"), pc.list_flatten(found["l"])):
        assert variant.unshred(column) == rows
    marks = [each.logicalType and each.logicalType.kind for each in read_metadata(tmp_path / "v.parquet").schema]
    assert marks.count("VARIANT") == 3
