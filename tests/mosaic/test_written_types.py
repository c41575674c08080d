"""Types and names of columns that MosaicWriter takes, casts and refuses."""

from __future__ import annotations

import decimal
import io
import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pytest

from lakecodec import EncodeError, mosaic
from lakecodec.generated.mosaic import TypeParams

from ..oracle.backends import BACKENDS, running
from .raw import TWO, column, one_bucket
from .sources import written
from .tables import reference_read


@pytest.mark.parametrize(
    ("array", "type"),
    [
        (pa.array(["a", None], pa.large_string()), pa.string()),
        (pa.array(["a", None], pa.string_view()), pa.string()),
        (pa.array([b"a", None], pa.large_binary()), pa.binary()),
        (pa.array([b"a", None], pa.binary_view()), pa.binary()),
        (pa.array([b"a", None], pa.binary(1)), pa.binary()),
        (pa.array(["a", None]).dictionary_encode(), pa.string()),
        (pa.array(["a", None], pa.large_string()).dictionary_encode(), pa.string()),
        (pa.array([["a"], None], pa.large_list(pa.large_string())), pa.list_(pa.string())),
        (pa.array([["a"], None], pa.list_(pa.string_view(), 1)), pa.list_(pa.string())),
        (pa.array([["a"], None], pa.list_view(pa.string())), pa.list_(pa.string())),
        (pa.array([["a"], None], pa.large_list_view(pa.string())), pa.list_(pa.string())),
        (pa.array([[("k", 1)], None], pa.map_(pa.large_string(), pa.int8())), pa.map_(pa.string(), pa.int8())),
        (pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int8(), True)), pa.map_(pa.string(), pa.int8())),
        (pa.array([decimal.Decimal("1.2"), None], pa.decimal32(3, 1)), pa.decimal128(3, 1)),
        (pa.array([decimal.Decimal("1.2"), None], pa.decimal256(30, 1)), pa.decimal128(30, 1)),
        (pa.array([1.5, None], pa.float16()), pa.float32()),
        (pa.array([1, None], pa.timestamp("s", "UTC")), pa.timestamp("ms", "UTC")),
        (pa.array([1, None], pa.time32("s")), pa.time32("ms")),
        (pa.array([86_400_000, None], pa.date64()), pa.date32()),
        (pa.array([b"0123456789abcdef", None], pa.uuid()), pa.binary()),
        (pa.array(["{}", None], pa.json_()), pa.string()),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_types_that_are_cast(array: pa.Array, type: pa.DataType) -> None:
    data = written(pa.table({"x": array}))
    read = mosaic.read_table(data)
    assert read.schema == pa.schema([("x", type)])
    plain = array.storage if isinstance(array, pa.ExtensionArray) else array
    # Arrow's own casts of list views are not valid.
    assert read["x"].to_pylist() == (array if "list_view" in str(array.type) else plain.cast(type)).to_pylist()


_VIEW, _LARGE_VIEW = pa.list_view(pa.int8()), pa.large_list_view(pa.int8())


@pytest.mark.parametrize(
    ("values", "type"),
    [
        ([[1]], _VIEW),
        ([[1, 2], None, [], [3]], _VIEW),
        ([[1, 2], None, [], [3]], _LARGE_VIEW),
        ([[[1], None], None, [[2, None]]], pa.list_view(_LARGE_VIEW)),
        ([[[1], None], None, [[2, None]]], pa.large_list(_VIEW)),
        ([[[1], None], None, [[2], [3]]], pa.list_(_VIEW, 2)),
        ([[(1, [2]), (3, None)], None, [], [(4, [5])]], pa.map_(pa.int8(), _VIEW)),
        ([[[(1, [2])], None], None, [[(4, [5])]]], pa.list_view(pa.map_(pa.int8(), _LARGE_VIEW))),
    ],
    ids=str,
)
def test_list_views(values: list[Any], type: pa.DataType) -> None:
    array = pa.array(values * 3, type)
    for part in (array, array[1:], array[1:-2], array[:0], array.take(pa.array([*range(len(array))][::-1]))):
        assert mosaic.read_table(written(pa.table({"x": part})))["x"].to_pylist() == part.to_pylist()


def test_list_views_that_share_values() -> None:
    offsets, sizes = pa.array([2, 0, 0, 1], pa.int32()), pa.array([2, 3, 0, 3], pa.int32())
    array = pa.ListViewArray.from_arrays(offsets, sizes, pa.array([1, 2, 3, 4], pa.int8()))
    assert mosaic.read_table(written(pa.table({"x": array})))["x"].to_pylist() == [[3, 4], [1, 2, 3], [], [2, 3, 4]]


@pytest.mark.parametrize(
    "type",
    [
        pa.null(),
        pa.uint32(),
        pa.time64("us"),
        pa.duration("s"),
        pa.month_day_nano_interval(),
        pa.decimal256(50, 1),
        pa.decimal128(5, 7),
        pa.decimal128(5, -129),
        pa.struct([("x", pa.int32())]),
        pa.list_(pa.struct([("millis", pa.int64()), ("nanos_of_milli", pa.int32())])),
        pa.map_(pa.list_(pa.int8()), pa.int8()),
        pa.list_(pa.uint8()),
        pa.run_end_encoded(pa.int32(), pa.string()),
    ],
    ids=str,
)
def test_types_that_are_refused(type: pa.DataType) -> None:
    with pytest.raises(ValueError, match="column 'bad one'"):
        mosaic.MosaicWriter(io.BytesIO(), pa.schema([("fine", pa.int8()), ("bad one", type)]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_scales_that_no_byte_holds(backend: str) -> None:
    with running(backend), pytest.raises(EncodeError, match="scale: the codec narrow cannot encode the value -129"):
        TypeParams.DECIMAL(precision=38, scale=-129).to_bytes(14)


def test_tables_of_other_libraries() -> None:
    import duckdb
    import pandas
    import polars

    frame = polars.DataFrame(
        {
            "s": ["a", None],
            "c": polars.Series(["x", "y"], dtype=polars.Categorical),
            "l": [["p"], None],
            "f": [1.5, None],
        }
    )
    assert mosaic.read_table(written(frame)).to_pylist() == frame.to_dicts()
    pandas_frame = pandas.DataFrame({"s": ["a", None], "c": pandas.Series(["x", "y"], dtype="category"), "i": [1, 2]})
    rows = [{"s": "a", "c": "x", "i": 1}, {"s": None, "c": "y", "i": 2}]
    assert mosaic.read_table(written(pandas_frame)).to_pylist() == rows
    relation = duckdb.sql(
        "select 1 as a, [1, 2] as l, map {'k': 2.5::decimal(4, 1)} as m union all select 2, null, null"
    )
    read = mosaic.read_table(written(relation))
    assert read.column("l").to_pylist() == [[1, 2], None]
    assert read.column("m").to_pylist() == [[("k", decimal.Decimal("2.5"))], None]


@pytest.mark.parametrize("names", [["a", "a"], ["a", ""]])
def test_names_that_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="schema: "):
        mosaic.MosaicWriter(io.BytesIO(), pa.schema([(name, pa.int8()) for name in names]))


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("a\0b", pa.int8()),
        ("\0", pa.list_(pa.int8())),
        ("a", pa.list_(pa.field("x\0", pa.int8()))),
        ("a", pa.map_(pa.field("k\0", pa.int8(), nullable=False), pa.int8())),
        ("a", pa.map_(pa.int8(), pa.field("\0v", pa.list_(pa.int8())))),
    ],
)
def test_names_with_nul_are_refused_for_the_reference_fails_at_them(
    name: str, type: pa.DataType, tmp_path: Path
) -> None:
    table = pa.table([pa.array([None], type)], names=[name])
    with pytest.raises(ValueError, match=f"column {re.escape(repr(name))}: .*NUL"):
        mosaic.write_table(table, tmp_path / "x.mosaic")
    assert os.listdir(tmp_path) == []


def test_names_with_nul_are_read() -> None:
    data = one_bucket(TWO, 2, column(b"a\0b", b"\3\1"))
    assert mosaic.read_table(data).to_pydict() == {"a\0b": [1, 2]}
    with pytest.raises(RuntimeError, match="NulError"):
        reference_read(data)


@pytest.mark.parametrize("name", ["a\x01\n\x7fb", "\ufeff", "a/b=c%", " ", "x" * 70_000, "a.b`c\"d'"])
def test_odd_names_that_the_reference_reads(name: str) -> None:
    table = pa.table({name: [1, 2]})
    assert reference_read(written(table)).equals(table)
