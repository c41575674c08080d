"""Typed statistics against those that pyarrow gives."""

from __future__ import annotations

import datetime
import io
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet, workbench
from lakecodec.generated.parquet import Statistics
from lakecodec.runtime.errors import DecodeError

from .files import FILES, arrow_file


@pytest.mark.parametrize("name", FILES)
def test_equal_to_pyarrow(name: str) -> None:
    data = FILES[name]()
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    rows = parquet.statistics(data, union=True).to_pylist()
    assert len(rows) == metadata.num_row_groups * metadata.num_columns
    for row in rows:
        column = metadata.row_group(row["row_group"]).column(row["column"])
        expected = column.statistics
        assert (row["path"], row["num_values"]) == (column.path_in_schema, column.num_values)
        if expected is None or not expected.has_min_max:
            assert row["min"] is row["max"] is None
        elif row["type"] == "halffloat":
            # pyarrow gives the bytes.
            assert [np.float16(row[end]).tobytes() for end in ("min", "max")] == [expected.min, expected.max]
        else:
            assert (row["min"], row["max"]) == (expected.min, expected.max)
        if expected is not None and expected.has_null_count:
            assert row["null_count"] == expected.null_count


def _one(array: pa.Array, **options: Any) -> dict[str, Any]:
    (row,) = parquet.statistics(arrow_file(pa.table({"a": array}), **options)).to_pylist()
    return dict(row)


def test_values_have_the_arrow_type() -> None:
    moment = 1_700_000_000_123_456_789
    table = parquet.statistics(arrow_file(pa.table({"a": pa.array([moment], pa.timestamp("ns", "UTC"))})))
    assert table["min"].type == pa.timestamp("ns", "UTC")
    assert table["min"].cast(pa.int64()).to_pylist() == [moment]
    identifier = uuid.UUID(int=5)
    assert _one(pa.array([identifier.bytes], pa.uuid()))["min"] == identifier


def test_several_types_are_a_union_of_scalars_on_request() -> None:
    data = arrow_file(pa.table({"a": [1], "b": ["x"], "c": pa.array([None], pa.int8())}))
    table = parquet.statistics(data, union=True)
    assert pa.types.is_union(table["min"].type)
    assert table["max"].to_pylist() == [1, "x", None]
    assert table["max"][1].value.type == pa.string()


def test_zeros_and_nan() -> None:
    row = _one(pa.array([0.0, float("nan")]))
    assert [str(row["min"]), str(row["max"])] == ["-0.0", "0.0"]
    assert _one(pa.array([float("nan")]))["min"] is None


def _changed(array: pa.Array, **bounds: Any) -> dict[str, Any]:
    metadata = parquet.read_metadata(arrow_file(pa.table({"a": array})))
    meta = metadata.row_groups[0].columns[0].meta_data
    assert meta is not None
    orders = bounds.pop("orders", True)
    meta.statistics = Statistics(**bounds)
    if not orders:
        metadata.column_orders = None
    (row,) = parquet.statistics(metadata).to_pylist()
    return dict(row)


def test_deprecated_bounds_of_signed_types_only() -> None:
    four, nine = (n.to_bytes(4, "little") for n in (4, 9))
    row = _changed(pa.array([4, 9], pa.int32()), min=four, max=nine)
    assert (row["min"], row["max"], row["is_min_exact"]) == (4, 9, None)
    for array in (pa.array([4, 9], pa.uint32()), pa.array(["four"])):
        assert _changed(array, min=four, max=nine)["min"] is None


def test_bounds_without_an_order_are_unknown() -> None:
    bound = (4).to_bytes(4, "little")
    assert _changed(pa.array([4], pa.int32()), min_value=bound, max_value=bound, orders=False)["min"] is None


def test_text_cut_within_a_character() -> None:
    row = _changed(pa.array(["aé"]), min_value=b"a\xc3", max_value=b"a\xc3", is_min_value_exact=True)
    assert (row["min"], row["is_min_exact"], row["max"]) == ("a", False, None)


def test_exactness_is_that_of_the_file() -> None:
    row = _changed(pa.array(["a"]), min_value=b"a", max_value=b"b", is_min_value_exact=True, is_max_value_exact=False)
    assert (row["is_min_exact"], row["is_max_exact"]) == (True, False)


def test_bound_of_wrong_width() -> None:
    with pytest.raises(DecodeError, match="a bound of 3 bytes"):
        _changed(pa.array([1], pa.int32()), min_value=b"abc", max_value=b"abc")


def test_columns_and_files(tmp_path: Path) -> None:
    for name in ("x", "y"):
        pq.write_table(pa.table({"a": [1, 2], "b": [{"c": 1}, {"c": 2}]}), tmp_path / f"{name}.parquet")
    table = parquet.statistics(tmp_path, ["b"])
    assert table["path"].to_pylist() == ["b.c"] * 2
    assert [Path(file).name for file in table["file"].to_pylist()] == ["x.parquet", "y.parquet"]
    with pytest.raises(KeyError, match="columns"):
        parquet.statistics(tmp_path, ["z"])
    with pytest.raises(TypeError, match="columns"):
        parquet.statistics(tmp_path, "a")
    assert parquet.statistics([]).num_rows == 0


def test_bounds_as_text() -> None:
    table = pa.table(
        {
            "n": pa.array([2**63], pa.uint64()),
            "d": [Decimal("-1.50")],
            "t": [datetime.date(2024, 2, 29)],
            "ns": pa.array([1], pa.timestamp("ns", "UTC")),
            "b": [b"\x00\xff"],
            "s": ["é"],
            "h": pa.array(np.array([1.5], np.float16)),
            "u": pa.array([uuid.UUID(int=7).bytes], pa.uuid()),
        }
    )
    found = parquet.column_chunks(arrow_file(table), fields=["min"], typed=True)
    assert found.schema == pa.schema({"min": pa.string()})
    assert found["min"].to_pylist() == [
        str(2**63), "-1.50", "2024-02-29", "1970-01-01 00:00:00.000000001Z", "00ff", "é", "1.5", str(uuid.UUID(int=7)),
    ]  # fmt: skip


def test_bounds_of_broken_files_as_text(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 no parquet")
    found = parquet.column_chunks(tmp_path, fields=["min"], typed=True, errors="column")
    assert found["min"].to_pylist() == ["1", None]


def test_verify() -> None:
    data = bytearray(arrow_file(pa.table({"a": [1, 2, 3]}), write_page_checksum=True, compression="none"))
    assert parquet.verify(bytes(data)) == []
    assert parquet.Problem is workbench.Finding
    data[40] ^= 1
    assert any(each.is_error for each in parquet.verify(bytes(data)))
    assert any(each.is_error for each in parquet.verify(b"PAR1 no parquet"))
