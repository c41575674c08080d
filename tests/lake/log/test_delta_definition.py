"""Table definitions: what a PartitionCodec accepts, schemaStrings, column mapping, random prefixes."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.delta import PartitionCodec
from lakecodec.runtime.errors import DecodeError, EncodeError

SCHEMA = pa.schema(
    [
        ("a", pa.int32()),
        ("B", pa.string()),
        ("s", pa.struct([("x", pa.int32())])),
        ("l", pa.list_(pa.int32())),
        ("m", pa.map_(pa.string(), pa.int32())),
        ("u", pa.uint32()),
        ("t", pa.time64("us")),
        ("d", pa.decimal256(50, 2)),
        ("a.b", pa.int32()),
        ("data", pa.int64()),
    ]
)
PHYSICAL = "delta.columnMapping.physicalName"


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ([], ValueError, "partition_columns: empty"),
        (["a", "a"], ValueError, "partition_columns: 'a' is given twice"),
        (["nope"], KeyError, "partition_columns: there is no column 'nope'; there "),
        (["b"], KeyError, "partition_columns: there is no column 'b'; did you mean 'B'"),
        (["s.x"], ValueError, "partition_columns: 's.x' is a nested path"),
        ([("s", "x")], ValueError, "partition_columns: .* is not the name of a top-level column"),
        (["s"], ValueError, "partition_columns: 's' has the type struct<x: int32>, which cannot partition a table"),
        (["l"], ValueError, "partition_columns: 'l' has the type list"),
        (["m"], ValueError, "partition_columns: 'm' has the type map"),
        (["u"], ValueError, "partition_columns: 'u' has the type uint32"),
        (["t"], ValueError, "partition_columns: 't' has the type time64"),
        (["d"], ValueError, "partition_columns: 'd' has the type decimal256"),
        ("a", TypeError, "partition_columns: a list of column names is needed"),
    ],
)
def test_bad_partition_columns(columns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        PartitionCodec(SCHEMA, columns)


def test_all_columns() -> None:
    schema = pa.schema([("a", pa.int32()), ("b", pa.int32())])
    with pytest.raises(ValueError, match="partition_columns: all columns of the schema"):
        PartitionCodec(schema, ["b", "a"])


def test_spark_compares_names_by_its_case_rule() -> None:
    with pytest.raises(ValueError, match="partition_columns: 'b' is given twice"):
        PartitionCodec(SCHEMA, ["B", "b"], profile="spark")
    assert PartitionCodec(SCHEMA, ["b"], profile="spark").directory({"B": "x"}) == "B=x"


def test_a_dot_in_a_name_is_no_path() -> None:
    assert PartitionCodec(SCHEMA, ["a.b"]).directory({"A.B": 1}) == "a.b=1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "flink"}, "profile: 'flink'"),
        ({"profile": "spark", "timezone": "Mars/Olympus"}, "timezone: 'Mars/Olympus' is not a known time zone"),
        ({"timezone": "America/Los_Angeles"}, "timezone: .* 'kernel' reads and writes UTC only"),
        ({"column_mapping": "yes"}, "column_mapping: 'yes'"),
        ({"column_mapping": "name"}, "column_mapping: the column 'a' has no physical name"),
        ({"random_prefix_length": -1}, "random_prefix_length: "),
        ({"random_prefix_length": True}, "random_prefix_length: "),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PartitionCodec(SCHEMA, ["a"], **options)


def test_schema_of_another_kind() -> None:
    with pytest.raises(TypeError, match="schema: "):
        PartitionCodec({"a": "int"}, ["a"])  # type: ignore[arg-type]
    for text in ("", "[]", "{}", '{"fields": [{"name": 1, "type": "long"}]}', '{"fields": [{"type": "long"}]}'):
        with pytest.raises(ValueError, match="schema: not a Delta schemaString"):
            PartitionCodec(text, ["a"])


def schema_string(*fields: tuple[str, Any], physical: bool = False) -> str:
    described = [
        {"name": name, "type": kind, "nullable": True, "metadata": {PHYSICAL: f"col-{i}"} if physical else {}}
        for i, (name, kind) in enumerate(fields)
    ]
    return json.dumps({"type": "struct", "fields": described})


@pytest.mark.parametrize(
    ("name", "value", "text", "arrow"),
    [
        ("boolean", True, "true", pa.bool_()),
        ("byte", 1, "1", pa.int8()),
        ("short", 1, "1", pa.int16()),
        ("integer", 1, "1", pa.int32()),
        ("long", 1, "1", pa.int64()),
        ("float", 1.0, "1.0", pa.float32()),
        ("double", 1.0, "1.0", pa.float64()),
        ("string", "x", "x", pa.string()),
        ("binary", b"x", "x", pa.binary()),
        (
            "interval year to month",
            pa.MonthDayNano([30, 0, 0]),
            "INTERVAL '2-6' YEAR TO MONTH",
            pa.month_day_nano_interval(),
        ),  # type: ignore[call-arg,arg-type]
    ],
)
def test_schema_string_types(name: str, value: Any, text: str, arrow: pa.DataType) -> None:
    codec = PartitionCodec(schema_string(("p", name), ("x", "long")), ["p"])
    assert codec.serialize({"p": value}) == {"p": text}
    assert codec.parse({"p": text}) == {"p": value}
    assert codec.parse_array("p", pa.array([text, None])).type == arrow
    assert codec.serialize_array("p", pa.array([value], arrow)).to_pylist() == [text]


def test_schema_string_decimals_and_times() -> None:
    fields = [("d", "decimal(5,2)"), ("t", "timestamp"), ("n", "timestamp_ntz"), ("day", "date"), ("x", "long")]
    codec = PartitionCodec(schema_string(*fields, ("i", "interval day to second")), ["d", "t", "n", "day", "i"])
    texts = {
        "d": "-0.05",
        "t": "2024-06-15T19:30:45.000000Z",
        "n": "2024-06-15 12:30:45.000000",
        "day": "2024-06-15",
        "i": "INTERVAL '1 12:30:45' DAY TO SECOND",
    }
    assert codec.serialize(codec.parse(texts)) == texts


@pytest.mark.parametrize("kind", [{"type": "array", "elementType": "long"}, "variant", "geometry(OGC:CRS84)", "void"])
def test_schema_string_types_that_cannot_partition(kind: Any) -> None:
    text = schema_string(("p", kind), ("x", "long"))
    assert PartitionCodec(text, ["x"]).directory({"x": 1}) == "x=1"
    with pytest.raises(ValueError, match=r"partition_columns: 'p' has the type .*, which cannot partition a table"):
        PartitionCodec(text, ["p"])


@pytest.mark.parametrize("arrow", [True, False])
def test_column_mapping(arrow: bool) -> None:
    schema: Any = schema_string(("Region", "string"), ("n", "long"), physical=True)
    if arrow:
        fields = [
            pa.field("Region", pa.string(), metadata={PHYSICAL: "col-0"}),
            pa.field("n", pa.int64(), metadata={PHYSICAL: "col-1"}),
        ]
        schema = pa.schema(fields)
    codec = PartitionCodec(schema, ["Region"], rng=random.Random(1))
    assert codec.serialize({"region": "US"}) == {"col-0": "US"}
    assert codec.parse({"col-0": "US"}) == {"Region": "US"}
    assert codec.serialize_array("Region", pa.array(["US", ""])).to_pylist() == ["US", None]
    with pytest.raises(DecodeError, match="delta: Region: the key is not a partition column"):
        codec.parse({"Region": "US"})
    prefixes = {codec.directory({"Region": "US"}) for _ in range(50)}
    assert len(prefixes) > 40
    assert all(len(prefix) == 2 and prefix.isalnum() and prefix.isascii() for prefix in prefixes)
    with pytest.raises(ValueError, match="columns: this table's directories are random"):
        codec.directory_array({"Region": pa.array(["US"])})
    with pytest.raises(EncodeError, match="delta: Region: the value is not of the column's type string: 1"):
        codec.directory({"Region": 1})
    ignored = PartitionCodec(schema, ["Region"], column_mapping="none")
    assert ignored.serialize({"Region": "US"}) == {"Region": "US"}
    assert ignored.directory({"Region": "US"}) == "Region=US"
    hive = PartitionCodec(schema, ["Region"], column_mapping="name", random_prefix_length=0)
    assert hive.directory({"Region": "US"}) == "Region=US"


def test_random_prefix_without_mapping() -> None:
    codec = PartitionCodec(SCHEMA, ["a"], random_prefix_length=5)
    assert codec.serialize({"a": 1}) == {"a": "1"}
    assert len(codec.directory({"a": 1})) == 5


def test_not_partitioned() -> None:
    codec = PartitionCodec(SCHEMA, None)
    for nothing in (None, {}):
        assert codec.validate(nothing) == {}
        assert codec.serialize(nothing) == {}
        assert codec.directory(nothing) == ""
    assert codec.add_path("", "a b.parquet") == "a%20b.parquet"
    assert codec.parse({}) == {}
    with pytest.raises(EncodeError, match=r"delta: the table is not partitioned, but values are given for \['a'\]"):
        codec.serialize({"a": 1})
    with pytest.raises(ValueError, match="columns: this table is not partitioned"):
        codec.directory_array({})
