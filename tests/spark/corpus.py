"""A directory of Parquet files that pyarrow writes, and what pyarrow itself says about each column chunk."""

from __future__ import annotations

import struct
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

PLAIN = {"BOOLEAN": "<?", "INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}


def write_corpus(directory: Path) -> list[Path]:
    """Files of several codecs, row groups, nested types and none, in partition directories among hidden names."""
    rows = 1000
    table = pa.table(
        {
            "id": pa.array(range(rows), pa.int64()),
            "small": pa.array([None if i % 7 == 0 else i % 100 for i in range(rows)], pa.int32()),
            "name": [f"name {i % 50}" for i in range(rows)],
            "share": [i / 3 for i in range(rows)],
            "flag": [i % 2 == 0 for i in range(rows)],
            "day": [date(2024, 1, 1 + i % 28) for i in range(rows)],
            "price": pa.array([Decimal(i) / 100 for i in range(rows)], pa.decimal128(12, 2)),
            "tags": [["a", "b"][: i % 3] for i in range(rows)],
            "place": [{"x": i, "y": {"z": str(i)}} for i in range(rows)],
            "nothing": pa.nulls(rows),
        }
    )
    plan: list[tuple[str, dict[str, Any]]] = [
        ("zstd.parquet", {"compression": "zstd", "row_group_size": 300}),
        ("key=1/snappy.parquet", {"compression": "snappy", "use_dictionary": False}),
        ("key=1/_part=x/gzip.parquet", {"compression": {"id": "gzip", "name": "zstd"}, "row_group_size": 500}),
        ("key=2/none.parquet", {"compression": "none", "write_statistics": False}),
        ("key=2/v1.parquet", {"version": "1.0", "data_page_version": "2.0", "write_statistics": ["id", "name"]}),
    ]
    for name, options in plan:
        target = directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, target, **options)
    pq.write_table(table.slice(0, 0), directory / "empty.parquet")
    for hidden in ("_SUCCESS", ".zstd.parquet.crc", "_temporary/part.parquet", "key=1/.staging/part.parquet"):
        (directory / hidden).parent.mkdir(exist_ok=True)
        (directory / hidden).write_bytes(b"not data")
    return sorted([directory / name for name, _ in plan] + [directory / "empty.parquet"])


def pyarrow_rows(files: list[Path]) -> list[dict[str, Any]]:
    """One dict a column chunk, from pyarrow's reader; bounds in Parquet's plain encoding, where pyarrow shows them."""
    rows = []
    for file in files:
        metadata = pq.read_metadata(file)
        for group in range(metadata.num_row_groups):
            row_group = metadata.row_group(group)
            for column in range(metadata.num_columns):
                rows.append(_chunk_row(str(file), group, column, row_group.num_rows, row_group.column(column)))
    return rows


def _chunk_row(file: str, group: int, column: int, num_rows: int, chunk: Any) -> dict[str, Any]:
    statistics = chunk.statistics
    bounds = statistics is not None and statistics.has_min_max
    return {
        "file": file,
        "row_group": group,
        "column": column,
        "path": chunk.path_in_schema,
        "physical_type": chunk.physical_type,
        "codec": chunk.compression,
        "encodings": sorted(chunk.encodings),
        "num_values": chunk.num_values,
        "null_count": statistics.null_count if statistics is not None and statistics.has_null_count else None,
        "data_page_offset": chunk.data_page_offset,
        "dictionary_page_offset": chunk.dictionary_page_offset,
        "total_compressed_size": chunk.total_compressed_size,
        "total_uncompressed_size": chunk.total_uncompressed_size,
        "min": plain(statistics.min_raw, chunk.physical_type) if bounds else None,
        "max": plain(statistics.max_raw, chunk.physical_type) if bounds else None,
        "num_rows": num_rows,
    }


def plain(value: Any, physical_type: str) -> bytes:
    """A physical value in plain encoding."""
    if physical_type in PLAIN:
        return struct.pack(PLAIN[physical_type], value)
    return value.encode() if isinstance(value, str) else bytes(value)
