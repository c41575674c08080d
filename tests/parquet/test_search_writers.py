"""Search never misses a value: generated tables of every type, written by every writer at hand, each row looked for."""

from __future__ import annotations

import decimal
import tempfile
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from lakecodec import parquet

_REALS = st.floats() | st.sampled_from([0.0, -0.0, float("nan"), float("inf"), -1.5])
#: Long texts that differ late, so that writers cut bounds, with characters of all widths around the cut.
_TEXTS = st.text(max_size=4) | st.builds(
    lambda n, tail: "é" * n + tail, st.integers(28, 40), st.text("a\x7f\u0080ÿ\uffff\U0010ffff", max_size=3)
)
_BYTES = st.binary(max_size=4) | st.builds(
    lambda n, tail: b"\xff" * n + tail, st.integers(60, 70), st.binary(max_size=2)
)


def _integers(kind: pa.DataType) -> st.SearchStrategy[int]:
    signed = str(kind).startswith("int")
    low, high = (-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1)) if signed else (0, 2**kind.bit_width)
    return st.integers(low, high - 1) | st.integers(max(low, -3), 3)


def _decimals(precision: int, scale: int) -> st.SearchStrategy[decimal.Decimal]:
    most = 10**precision - 1
    context = decimal.Context(prec=100)
    numbers = st.integers(-most, most) | st.integers(-300, 300)
    return numbers.map(lambda number: decimal.Decimal(number).scaleb(-scale, context))


_DAY = 86_400
COLUMNS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    **{str(kind): (kind, _integers(kind)) for kind in (pa.int8(), pa.int32(), pa.int64(), pa.uint8(), pa.uint32(), pa.uint64())},
    "real": (pa.float32(), st.floats(width=32) | st.sampled_from([0.0, -0.0, float("nan")])),
    "double": (pa.float64(), _REALS),
    "half": (pa.float16(), st.floats(width=16) | st.sampled_from([0.0, -0.0, float("nan")])),
    "flag": (pa.bool_(), st.booleans()),
    "text": (pa.string(), _TEXTS),
    "bytes": (pa.binary(), _BYTES),
    "fixed": (pa.binary(3), st.binary(min_size=3, max_size=3)),
    "uuid": (pa.uuid(), st.binary(min_size=16, max_size=16)),
    "decimal4": (pa.decimal128(7, 2), _decimals(7, 2)),
    "decimal8": (pa.decimal128(16, 3), _decimals(16, 3)),
    "decimal16": (pa.decimal128(30, 5), _decimals(30, 5)),
    "decimal32": (pa.decimal256(60, 8), _decimals(60, 8)),
    "day": (pa.date32(), st.integers(-700_000, 2_000_000)),
    "time_ms": (pa.time32("ms"), st.integers(0, _DAY * 1000 - 1)),
    "time_ns": (pa.time64("ns"), st.integers(0, _DAY * 10**9 - 1)),
    "at_us": (pa.timestamp("us"), st.integers(-(10**15), 10**16)),
    "at_ns": (pa.timestamp("ns", "UTC"), st.integers(-(10**18), 10**18)),
}  # fmt: skip
#: What other writers do not have, or write as another type.
_ARROW_ONLY = {"half", "uuid", "fixed", "decimal32", "time_ms", "time_ns"}
_FASTPARQUET = ("int8", "int32", "int64", "uint8", "uint32", "real", "double", "flag", "text", "bytes", "at_us")


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A table of some columns, nulls among the values, a list column of each."""
    rows = draw(st.integers(1, 40))
    columns: dict[str, pa.Array] = {}
    for name in draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=4, unique=True)):
        kind, values = COLUMNS[name]
        some = draw(st.lists(values | st.none(), min_size=1, max_size=rows))
        cells = [some[at % len(some)] for at in range(rows)]
        columns[name] = _array(cells, kind)
        lengths = [at % 3 for at in range(rows)]
        if name != "uuid":
            inner = _array([cells[at] for at in range(rows) for _ in range(lengths[at])], kind)
            offsets = pa.array(np.cumsum([0, *lengths]), pa.int32())
            columns[f"{name}_list"] = pa.ListArray.from_arrays(offsets, inner)
    return pa.table(columns)


def _array(cells: list[Any], kind: pa.DataType) -> pa.Array:
    if kind == pa.uuid():
        return pa.ExtensionArray.from_storage(kind, pa.array(cells, pa.binary(16)))
    if kind == pa.float16():
        return pa.array([None if cell is None else np.float16(cell) for cell in cells], kind)
    return pa.array(cells, kind)


ARROW_OPTIONS = st.fixed_dictionaries(
    {
        "row_group_size": st.integers(1, 30),
        "write_page_index": st.booleans(),
        "max_rows_per_page": st.integers(1, 10),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "store_decimal_as_integer": st.booleans(),
        "use_deprecated_int96_timestamps": st.booleans(),
        "use_dictionary": st.booleans(),
        "write_statistics": st.booleans(),
    }
)
_SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def leaf_rows(column: pa.ChunkedArray | pa.Array) -> Iterator[tuple[int, Any]]:
    """Row and value of a column; of a list column, of each element."""
    for row in range(len(column)):
        cell = column[row]
        if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
            for element in cell.values or () if cell.is_valid else ():
                yield row, element
        else:
            yield row, cell


def check(path: Path) -> None:
    """Each value is in a row group and a range of rows that its search returns."""
    file = pq.ParquetFile(path)
    chunks = parquet.column_chunks(path, fields=["path"])["path"].unique().to_pylist()
    for name in file.schema_arrow.names:
        leaf = next(each for each in chunks if each == name or each.startswith(f"{name}."))
        found: dict[Any, list[dict[str, Any]]] = {}
        for group in range(file.num_row_groups):
            for row, scalar in islice(leaf_rows(file.read_row_group(group, columns=[name]).column(0)), 60):
                value = None if not scalar.is_valid else scalar.as_py() if scalar.type == pa.uuid() else scalar
                key = str(value) if pa.types.is_floating(scalar.type) else value
                if key not in found:
                    found[key] = parquet.row_groups_with(path, leaf, value).to_pylist()
                spans = [span for each in found[key] if each["row_group"] == group for span in each["rows"]]
                assert any(span["start"] <= row < span["stop"] for span in spans), (leaf, value, group, row)


@given(tables(), ARROW_OPTIONS, st.booleans())
@_SETTINGS
def test_pyarrow(table: pa.Table, options: dict[str, Any], blooms: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        if blooms:
            plain = [name for name in table.column_names if not name.endswith("_list")]
            options |= {"bloom_filter_options": {name: {"ndv": 50} for name in plain if name != "flag"}}
        pq.write_table(table, path, **options)
        check(path)


def _plain(table: pa.Table, kept: Any) -> pa.Table:
    return table.select([name for name in table.column_names if kept(name)])


@given(tables(), st.integers(1, 30), st.booleans())
@_SETTINGS
def test_polars(table: pa.Table, size: int, statistics: bool) -> None:
    part = _plain(table, lambda name: name.removesuffix("_list") not in _ARROW_ONLY)
    if not part.column_names:
        return
    with tempfile.TemporaryDirectory() as folder:
        frame = pl.from_arrow(part)
        assert isinstance(frame, pl.DataFrame)
        frame.write_parquet(
            Path(folder) / "a.parquet",
            row_group_size=size,
            data_page_size=64,
            statistics="full" if statistics else True,
        )
        check(Path(folder) / "a.parquet")


@given(tables(), st.sampled_from(["V1", "V2"]))
@settings(_SETTINGS, max_examples=8)
def test_duckdb(table: pa.Table, version: str) -> None:
    # Deltas of 32-bit numbers wrap around in 32 bits (Encodings.md, "Delta Encoding"); duckdb's do not, so that pyarrow
    # cannot read (apache/arrow#20374) its DELTA_BINARY_PACKED pages of numbers that are far apart.
    refused = _ARROW_ONLY | ({"int32", "uint32"} if version == "V2" else set())
    part = _plain(table, lambda name: name.removesuffix("_list") not in refused)
    if not part.column_names:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        # Two row groups at least: duckdb cuts at its vectors of 2,048 rows.
        rows = pa.concat_tables([part] * (2200 // part.num_rows + 1))
        duckdb.sql(
            f"COPY (SELECT * FROM rows) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048, PARQUET_VERSION {version})"
        )
        assert rows.num_rows > 2048
        check(path)


@given(tables(), st.integers(1, 30))
@_SETTINGS
def test_fastparquet(table: pa.Table, size: int) -> None:
    part = _plain(table, lambda name: name in _FASTPARQUET)
    if not part.column_names:
        return
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        import fastparquet

        path = Path(folder) / "a.parquet"
        frame = part.to_pandas()
        encodings = {name: {"text": "utf8", "bytes": "bytes"}.get(name, "infer") for name in part.column_names}
        try:
            fastparquet.write(
                str(path), frame, row_group_offsets=size, stats=True, object_encoding=encodings, write_index=False
            )
        except (ValueError, TypeError, OverflowError):
            reject()
        check(path)
