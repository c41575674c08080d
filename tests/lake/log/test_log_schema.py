"""Arrow schemas and schemaStrings: every type both ways, what is refused, what fits."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from deltalake import Schema
from hypothesis import given
from hypothesis import strategies as st

from lakecodec.lake.log import (
    CorruptLogError,
    SchemaMismatchError,
    UnsupportedTableError,
    check_fits,
    from_delta,
    to_delta,
)

SAME = [
    pa.bool_(),
    pa.int8(),
    pa.int16(),
    pa.int32(),
    pa.int64(),
    pa.float32(),
    pa.float64(),
    pa.decimal128(1, 0),
    pa.decimal128(38, 38),
    pa.string(),
    pa.binary(),
    pa.date32(),
    pa.timestamp("us", "UTC"),
    pa.timestamp("us"),
]
OTHERS = {
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
    pa.binary(7): pa.binary(),
    pa.date64(): pa.date32(),
    pa.timestamp("ns", "Europe/Berlin"): pa.timestamp("us", "UTC"),
    pa.timestamp("s"): pa.timestamp("us"),
    pa.dictionary(pa.int32(), pa.string()): pa.string(),
    pa.decimal256(38, 2): pa.decimal128(38, 2),
}
REFUSED = [
    pa.null(),
    pa.uint8(),
    pa.uint64(),
    pa.float16(),
    pa.time32("s"),
    pa.time64("us"),
    pa.duration("us"),
    pa.month_day_nano_interval(),
    pa.decimal256(39, 0),
]


def fields(depth: int) -> st.SearchStrategy[Any]:
    return st.builds(lambda kind, nullable: (kind, nullable), types(depth), st.booleans())


def types(depth: int = 3) -> st.SearchStrategy[Any]:
    plain = st.sampled_from(SAME)
    if depth == 0:
        return plain
    inner = fields(depth - 1)
    return st.one_of(
        plain,
        inner.map(lambda item: pa.list_(pa.field("element", *item))),
        st.tuples(types(depth - 1), inner).map(lambda pair: pa.map_(pair[0], pa.field("value", *pair[1]))),
        st.dictionaries(st.text(min_size=1, max_size=3, alphabet='abü .%"'), inner, min_size=1, max_size=3).map(
            lambda found: pa.struct([pa.field(name, *item) for name, item in found.items()])
        ),
    )


@given(st.lists(fields(3), min_size=1, max_size=4))
def test_round_trip(columns: list[Any]) -> None:
    schema = pa.schema([pa.field(f"c{index}", *column) for index, column in enumerate(columns)])
    text = to_delta(schema)
    assert from_delta(text).equals(schema)
    assert to_delta(from_delta(text)) == text
    check_fits(schema, schema)
    assert pa.schema(Schema.from_json(text).to_arrow()).equals(schema, check_metadata=False)


@pytest.mark.parametrize(("given_", "expected"), OTHERS.items(), ids=str)
def test_types_that_become_others(given_: pa.DataType, expected: pa.DataType) -> None:
    assert from_delta(to_delta(pa.schema({"x": given_}))).field("x").type == expected
    check_fits(pa.schema({"x": expected}), pa.schema({"x": given_}))


@pytest.mark.parametrize("kind", REFUSED, ids=str)
def test_types_that_delta_has_not(kind: pa.DataType) -> None:
    with pytest.raises(SchemaMismatchError, match=r"'s\.deep\.element'") as caught:
        to_delta(pa.schema({"ok": pa.int32(), "s": pa.struct({"deep": pa.list_(kind)})}))
    assert caught.value.columns == ("s.deep.element",)


@pytest.mark.parametrize("names", [["a", "A"], [""], ["x", "y", "x"]])
def test_names_that_cannot_be(names: list[str]) -> None:
    columns = [pa.field(name, pa.int32()) for name in names]
    for schema in (pa.schema(columns), pa.schema({"s": pa.struct(columns)})):
        with pytest.raises(SchemaMismatchError):
            to_delta(schema)


def test_metadata_of_columns() -> None:
    text = json.dumps(
        {
            "type": "struct",
            "fields": [
                {
                    "name": "x",
                    "type": "long",
                    "nullable": False,
                    "metadata": {"comment": "7", "delta.columnMapping.id": 3, "delta.invariants": '{"a":1}'},
                }
            ],
        },
        separators=(",", ":"),
    )
    assert to_delta(from_delta(text)) == text
    assert '"metadata":{}' in to_delta(pa.schema([pa.field("x", pa.int8(), metadata={"PARQUET:field_id": "1"})]))


def test_schema_strings_of_others() -> None:
    def of(kind: Any) -> str:
        return json.dumps({"type": "struct", "fields": [{"name": "x", "type": kind, "nullable": True, "metadata": {}}]})

    assert from_delta(of("void")).field("x").type == pa.null()
    assert from_delta(of("decimal")).field("x").type == pa.decimal128(10, 0)
    for kind in ("geometry", "char(3)", "interval year to month"):
        with pytest.raises(UnsupportedTableError, match=kind.partition("(")[0]):
            from_delta(of(kind))
    for broken in ("decimal(0,0)", {"type": "list"}, {"type": "array"}, 7, None):
        with pytest.raises((CorruptLogError, UnsupportedTableError)):
            from_delta(of(broken))
    with pytest.raises(CorruptLogError):
        from_delta("[" * 100_000)


def test_fitting() -> None:
    table = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("City", pa.string()), ("n", pa.int32())])
    check_fits(table, pa.schema([("n", pa.int32()), pa.field("id", pa.int64(), nullable=False)]))
    with pytest.raises(SchemaMismatchError) as caught:
        check_fits(table, pa.schema({"id": pa.int64(), "city": pa.string(), "n": pa.int64(), "more": pa.int8()}))
    assert caught.value.columns == ("id", "city", "n", "more")
    assert str(caught.value) == (
        "the data does not fit the table: 'id': it may be null, in the table it must not; "
        "'city': the table spells it 'City'; 'n': it is long, in the table integer; "
        "'more': the table has no such column"
    )
    with pytest.raises(SchemaMismatchError, match="'id': it is missing"):
        check_fits(table, pa.schema({"n": pa.int32()}))
