"""Plain values from those of subclasses: nothing that these say of themselves is believed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import compile_idl, lake, mosaic, parquet, samples, variant
from lakecodec.delta import PartitionCodec
from lakecodec.row import RowConverter
from lakecodec.runtime.exact import items_of

from ..memory import few_gigabytes


class Long(list[Any]):
    """A list that says it has a billion values: `list` of it would take 8 GB, before it asks for the first one."""

    def __len__(self) -> int:
        return 10**9


TABLE = pa.table({"n": [1, 2], "p": ["a", "b"]})


def _file(folder: Path) -> Path:
    pq.write_table(TABLE, folder / "a.parquet")
    return folder / "a.parquet"


def _table(folder: Path, data: Any = TABLE, **options: Any) -> Path:
    lake.write(data, folder / "table", progress=False, **options)
    return folder / "table"


def _rows(folder: Path) -> int:
    converter = RowConverter(pa.schema([("n", pa.int64())]))
    return len(converter.convert_rows(Long(converter.convert_columns([pa.array([1])]).to_pylist()))[0])


CALLS: dict[str, Callable[[Path], int]] = {
    "items": lambda folder: len(items_of(Long([1]))),
    "columns": lambda folder: parquet.column_chunks(_file(folder), columns=Long(["n"])).num_rows,
    "values": lambda folder: parquet.row_groups_with(_file(folder), "n", Long([1])).num_rows,
    "where": lambda folder: lake.count(_table(folder), where=Long([("n", "=", 1)])),
    "partitions": lambda folder: len(PartitionCodec(TABLE.schema, Long(["p"])).columns),
    "partition_by": lambda folder: lake.count(_table(folder, partition_by=Long(["p"])), where="n = 1"),
    "data": lambda folder: lake.count(_table(folder, {"n": Long([1])})),
    "rows": _rows,
    "statistics": lambda folder: len([mosaic.write_table(TABLE, folder / "t.mosaic", stats_columns=Long(["n"]))]),
    "variants": lambda folder: len(variant.array(Long([1]))),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_memory_is_taken_for_what_a_length_says(name: str, tmp_path: Path) -> None:
    with few_gigabytes():
        assert CALLS[name](tmp_path) == 1


def test_samples_are_counted_before_they_are_made() -> None:
    with pytest.raises(ValueError, match="n: 10000000 samples are the most, not"):
        samples(compile_idl("record R { u8 a; }").R, n=2**70)
