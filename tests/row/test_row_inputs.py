"""What row functions take: tables of any library, by name; sort keys in every spelling; converters in pickles."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.row import RowConverter, SortOptions, sort_indices, sort_table, zorder_keys

duckdb, pd, pl = (pytest.importorskip(name) for name in ("duckdb", "pandas", "polars"))

TABLE = pa.table({"name": ["b", "a", None, "b"], "id": pa.array([1, 2, 3, 0], pa.int64())})
COLUMNS = {"name": TABLE["name"], "id": np.array([1, 2, 3, 0])}
#: An index that a careless conversion makes a column of.
FRAME = pd.DataFrame({"name": ["b", "a", None, "b"], "id": [1, 2, 3, 0]}, index=[5, 6, 7, 8])


class Stream:
    """Nothing but the C stream interface."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


class Batch:
    """Nothing but the C data interface of arrays."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._batch.__arrow_c_array__(requested_schema)


def tables() -> dict[str, Any]:
    """Each in turn: a reader is read once."""
    return {
        "table": TABLE,
        "batch": TABLE.to_batches()[0],
        "reader": TABLE.to_reader(),
        "stream": Stream(TABLE),
        "array": Batch(TABLE.to_batches()[0]),
        "polars": pl.from_arrow(TABLE),
        "pandas": FRAME,
        "duckdb": duckdb.from_arrow(TABLE),
        "dict": COLUMNS,
        "dict of series": {"name": pl.Series(["b", "a", None, "b"]), "id": pd.Series([1, 2, 3, 0])},
        "other order": TABLE.select(["id", "name"]),
    }


@pytest.mark.parametrize("kind", tables())
def test_tables_of_any_library(kind: str) -> None:
    given = tables()
    converter = RowConverter(TABLE.schema)
    assert converter.convert_columns(given[kind]).equals(converter.convert_columns(TABLE))
    given = tables()
    assert sort_indices(given[kind], ["name", "-id"]).to_pylist() == [1, 0, 3, 2]
    given = tables()
    assert sort_table(given[kind], "id")["id"].to_pylist() == [0, 1, 2, 3]
    if kind != "other order":
        given = tables()
        assert zorder_keys(given[kind]).equals(zorder_keys(TABLE))


def test_arrays_without_names_go_by_position() -> None:
    converter = RowConverter(TABLE.schema)
    wanted = converter.convert_columns(TABLE)
    assert converter.convert_columns([TABLE["name"], TABLE["id"]]).equals(wanted)
    assert converter.convert_columns([pl.Series(["b", "a", None, "b"]), np.array([1, 2, 3, 0])]).equals(wanted)
    unnamed = RowConverter([pa.string(), pa.int64()])
    assert unnamed.names is None
    assert unnamed.convert_columns(TABLE.rename_columns(["x", "y"])).equals(wanted)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["name", "idd"], "columns: 'id' is missing; did you mean 'idd'"),
        (["name"], "columns: 'id' is missing"),
        (["name", "id", "more"], "columns: 'more' is not a column of the converter"),
        (["name", "id", "id"], "columns: a name is given twice"),
    ],
)
def test_names_that_do_not_match(names: list[str], message: str) -> None:
    table = pa.Table.from_arrays([TABLE["name"], TABLE["id"], TABLE["id"]][: len(names)], names=names)
    with pytest.raises(ValueError, match=message):
        RowConverter(TABLE.schema).convert_columns(table)


def test_types_are_those_of_the_names() -> None:
    converter = RowConverter(TABLE.schema)
    assert converter.convert_columns(TABLE.cast(pa.schema({"name": pa.large_string(), "id": pa.int64()}))).equals(
        converter.convert_columns(TABLE)
    )
    with pytest.raises(ValueError, match=r"columns\['id'\]: int64 is needed, not int32"):
        converter.convert_columns(TABLE.cast(pa.schema({"name": pa.string(), "id": pa.int32()})).select(["id", "name"]))


@pytest.mark.parametrize("data", ["text", b"bytes", 1, None, {"a": 1}, [[1, 2]], [1]])
def test_what_is_no_table(data: Any) -> None:
    for call in (RowConverter([pa.int64()]).convert_columns, zorder_keys, lambda data: sort_indices(data, "a")):
        with pytest.raises(TypeError, match=r"(columns|table)"):
            call(data)


@pytest.mark.parametrize(
    "fields",
    [
        TABLE.schema,
        TABLE,
        [TABLE.schema.field("name"), TABLE.schema.field("id")],
        {"name": pa.string(), "id": (pa.int64(), SortOptions())},
    ],
)
def test_fields_with_names(fields: Any) -> None:
    converter = RowConverter(fields)
    assert converter.names == ["name", "id"]
    assert converter.convert_columns(TABLE).equals(RowConverter(TABLE.schema).convert_columns(TABLE))


SPELLINGS: list[Any] = [
    "-id",
    ["-id"],
    [("id", "descending")],
    ("id", "descending"),
    [("id", SortOptions(descending=True))],
    ("id", SortOptions(True)),
]


@pytest.mark.parametrize("keys", SPELLINGS)
def test_sort_keys_are_spelled_alike_everywhere(keys: Any) -> None:
    assert sort_indices(TABLE, keys).to_pylist() == [2, 1, 0, 3]
    converter = RowConverter(TABLE.schema, sort_keys=keys)
    assert (converter.names, converter.fields) == (["id"], [(pa.int64(), SortOptions(True))])
    wanted = RowConverter([(pa.int64(), SortOptions(True))]).convert_columns([TABLE["id"]])
    # Fields that are not asked for may be there, others may not.
    assert converter.convert_columns(TABLE).equals(wanted)
    with pytest.raises(ValueError, match="'other' is not a column"):
        converter.convert_columns(TABLE.rename_columns(["other", "id"]))
    from lakecodec.lake.writing.request import _orders

    assert [str(order) for order in _orders("sort_by", keys)] == ["-id"]


def test_sort_keys_choose_the_place_of_nulls() -> None:
    assert sort_indices(TABLE, [("name", SortOptions(nulls_first=True)), "id"]).to_pylist() == [2, 1, 3, 0]
    assert sort_indices(TABLE, [("name", "ascending", "at_start"), "id"]).to_pylist() == [2, 1, 3, 0]
    assert sort_indices(TABLE, ["name", "id"]).to_pylist() == [1, 3, 0, 2]
    assert sort_indices(TABLE, ["name", "id"], null_placement="at_start").to_pylist() == [2, 1, 3, 0]


def test_sort_keys_that_are_wrong() -> None:
    with pytest.raises(KeyError, match="there is no column 'idd'; did you mean 'id'"):
        sort_indices(TABLE, "idd")
    with pytest.raises(KeyError, match="there is no column 'idd'; did you mean 'id'"):
        RowConverter(TABLE.schema, sort_keys=["idd"])
    with pytest.raises(ValueError, match="'ascending' or 'descending' is needed, not 'down'"):
        sort_indices(TABLE, [("id", "down")])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="sort_keys"):
        sort_indices(TABLE, [1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="fields with names"):
        RowConverter([pa.int64()], sort_keys=["a"])
    with pytest.raises(ValueError, match="twice"):
        RowConverter(TABLE.schema, sort_keys=["id", "-id"])


def test_prefixes_take_the_table_of_the_whole() -> None:
    converter = RowConverter(TABLE.schema)
    assert (
        converter.prefix(1).convert_columns(TABLE).equals(RowConverter([pa.string()]).convert_columns([TABLE["name"]]))
    )


@pytest.mark.parametrize("variant", ["arrow", "legacy", "polars", "sql"])
def test_pickles_hold_no_data(variant: Any) -> None:
    converter = RowConverter(TABLE.schema, variant=variant)
    secret = pa.table({"name": ["secret " * 1000] * 100, "id": range(100)}, schema=TABLE.schema)
    rows = converter.convert_columns(secret)
    converter.convert_rows(rows)
    pickled = pickle.dumps(converter)
    assert len(pickled) < 2000
    assert b"secret" not in pickled
    again = pickle.loads(pickled)
    assert (again.fields, again.names, again.variant) == (converter.fields, converter.names, converter.variant)
    assert again.convert_columns(secret.select(["id", "name"])).equals(rows)


def test_dictionary_keys_travel_with_the_converter_that_gave_them() -> None:
    dictionaries = [pa.array(values).dictionary_encode() for values in (["m", "z"], ["a", "m"])]
    converter = RowConverter([dictionaries[0].type], variant="legacy")
    first = converter.convert_columns([dictionaries[0]])
    again = pickle.loads(pickle.dumps(converter))
    assert again.convert_columns([dictionaries[1]])[1] == first[0]
    assert again.convert_rows(first)[0].to_pylist() == ["m", "z"]
