"""Parquet files that pyarrow and fastparquet write, as bytes, one for each option worth reading back."""

from __future__ import annotations

import base64
import datetime
import decimal
import io
import tempfile
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 1200


@cache
def flat_table() -> pa.Table:
    """Every primitive and logical type that pyarrow writes, with nulls."""
    numbers = range(ROWS)
    epoch = datetime.datetime(2024, 2, 29, 12, 30, 15, 123456)
    columns: dict[str, Any] = {
        "bool": pa.array([n % 3 == 0 for n in numbers]),
        "float16": pa.array(np.arange(ROWS, dtype=np.float16)),
        "float": pa.array([n / 7 for n in numbers], pa.float32()),
        "double": pa.array([None if n % 11 == 0 else n / 3 for n in numbers], pa.float64()),
        "string": pa.array([f"name {n % 40}" for n in numbers]),
        "large_string": pa.array([f"é{n}" for n in numbers], pa.large_string()),
        "binary": pa.array([bytes([n % 256, 0, 255]) for n in numbers]),
        "fixed": pa.array([n.to_bytes(4, "big") for n in numbers], pa.binary(4)),
        "decimal": pa.array([decimal.Decimal(n * 7 - 3000).scaleb(-2) for n in numbers], pa.decimal128(12, 2)),
        "wide_decimal": pa.array([decimal.Decimal(n - 600).scaleb(-5) for n in numbers], pa.decimal128(30, 5)),
        "date": pa.array([datetime.date(1969, 12, 1) + datetime.timedelta(days=n) for n in numbers]),
        "time_ms": pa.array([datetime.time(1, n % 60, 3, 4000) for n in numbers], pa.time32("ms")),
        "time_us": pa.array([datetime.time(1, n % 60, 3, 4) for n in numbers], pa.time64("us")),
        "timestamp_ms": pa.array([epoch.replace(microsecond=0)] * ROWS, pa.timestamp("ms")),
        "timestamp_us": pa.array([epoch + datetime.timedelta(seconds=n) for n in numbers], pa.timestamp("us", "UTC")),
        "timestamp_ns": pa.array([n * 1001 for n in numbers], pa.timestamp("ns")),
        "dictionary": pa.array([f"d{n % 5}" for n in numbers]).dictionary_encode(),
        "all_null": pa.nulls(ROWS),
        "null_strings": pa.nulls(ROWS, pa.string()),
        "name.with.dots": pa.array(list(numbers)),
    }
    for bits in (8, 16, 32, 64):
        top = 2 ** (bits - 1) - 1
        columns[f"int{bits}"] = pa.array([(n * 7919) % top - top // 2 for n in numbers], getattr(pa, f"int{bits}")())
        columns[f"uint{bits}"] = pa.array([2 * top - n % 100 for n in numbers], getattr(pa, f"uint{bits}")())
    return pa.table(columns)


@cache
def nested_table() -> pa.Table:
    """Lists, structs and maps, in each other, with empty and null ones among them."""
    people = [
        None if n % 13 == 0 else {"name": f"p{n}", "at": {"x": n, "y": None if n % 2 else -n}} for n in range(ROWS)
    ]
    return pa.table(
        {
            "list": pa.array([None if n % 9 == 0 else list(range(n % 4)) for n in range(ROWS)]),
            "lists": pa.array([[[n, None], []] if n % 3 else [] for n in range(ROWS)]),
            "struct": pa.array(people),
            "map": pa.array([[(f"k{n % 3}", n)] for n in range(ROWS)], pa.map_(pa.string(), pa.int64())),
            "list_of_struct": pa.array([[{"a": n, "b": [str(n)]}] * (n % 3) for n in range(ROWS)]),
            "plain": pa.array(range(ROWS)),
        }
    )


def arrow_file(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def _arrow(make: Callable[[], pa.Table], **options: Any) -> Callable[[], bytes]:
    return cache(lambda: arrow_file(make(), **options))


def _without_columns() -> pa.Table:
    return pa.table({})


def _wide() -> pa.Table:
    return pa.table({f"c{n:03}": pa.array([n, None, n + 1]) for n in range(300)})


_SORTED = (pq.SortingColumn(0, descending=True, nulls_first=True), pq.SortingColumn(2))

ARROW_FILES: dict[str, Callable[[], bytes]] = {
    "defaults": _arrow(flat_table),
    "nested": _arrow(nested_table),
    "page index": _arrow(flat_table, write_page_index=True, data_page_size=512, row_group_size=500),
    "short pages": _arrow(
        flat_table, write_page_index=True, data_page_size=256, write_batch_size=64, compression="none"
    ),
    "nested page index": _arrow(nested_table, write_page_index=True, max_rows_per_page=100),
    "no statistics": _arrow(flat_table, write_statistics=False),
    "some statistics": _arrow(flat_table, write_statistics=["int32", "string"]),
    "no dictionary": _arrow(flat_table, use_dictionary=False),
    "no Arrow schema": _arrow(flat_table, store_schema=False),
    "version 1.0": _arrow(flat_table, version="1.0", coerce_timestamps="us", allow_truncated_timestamps=True),
    "version 2.4": _arrow(flat_table, version="2.4", coerce_timestamps="ms", allow_truncated_timestamps=True),
    "data pages 2.0": _arrow(flat_table, data_page_version="2.0", data_page_size=1024),
    "nested data pages 2.0": _arrow(nested_table, data_page_version="2.0", compression="zstd"),
    "checksums": _arrow(flat_table, write_page_checksum=True, data_page_size=2048),
    "int96": _arrow(flat_table, use_deprecated_int96_timestamps=True),
    "spark flavor": _arrow(nested_table, flavor="spark"),
    "sorting columns": _arrow(flat_table, sorting_columns=_SORTED),
    "decimals as integers": _arrow(flat_table, store_decimal_as_integer=True),
    "encodings": _arrow(
        flat_table,
        use_dictionary=False,
        column_encoding={
            "int32": "DELTA_BINARY_PACKED",
            "string": "DELTA_BYTE_ARRAY",
            "binary": "DELTA_LENGTH_BYTE_ARRAY",
            "double": "BYTE_STREAM_SPLIT",
            "int64": "PLAIN",
        },
    ),
    "bloom filters": _arrow(flat_table, bloom_filter_options={"string": {"ndv": 100}, "int64": True}),
    "many row groups": _arrow(nested_table, row_group_size=40),
    "wide": _arrow(_wide, row_group_size=2, write_page_index=True),
    "no rows": _arrow(lambda: flat_table().slice(0, 0)),
    "no columns": _arrow(_without_columns),
    "key-value metadata": _arrow(
        lambda: flat_table().replace_schema_metadata({"k": "v", "ключ": "", "long": "x" * 5000})
    ),
    **{
        f"compression {codec}": _arrow(flat_table, compression=codec)
        for codec in ("none", "gzip", "brotli", "lz4", "zstd")
    },
}


@cache
def fastparquet_file(**options: Any) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import fastparquet

    frame = flat_table().select(["bool", "float", "double", "string", "int8", "int64", "uint16", "timestamp_us"])
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "written.parquet")
        fastparquet.write(str(path), frame.to_pandas(), **options)
        return path.read_bytes()


FASTPARQUET_FILES: dict[str, Callable[[], bytes]] = {
    "fastparquet": fastparquet_file,
    "fastparquet gzip": partial(fastparquet_file, compression="GZIP"),
    "fastparquet row groups": partial(fastparquet_file, row_group_offsets=300, stats=True),
    "fastparquet int96": partial(fastparquet_file, times="int96"),
}

FILES = ARROW_FILES | FASTPARQUET_FILES


@cache
def encrypted_file(*, plaintext_footer: bool) -> bytes:
    """A file whose columns "secret" and "other" are encrypted, the footer too unless it is signed plaintext."""
    import pyarrow.parquet.encryption as pe

    class Keys(pe.KmsClient):
        def __init__(self, _: Any) -> None:
            super().__init__()

        def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> str:
            return base64.b64encode(master_key_identifier.encode() + key_bytes).decode()

        def unwrap_key(self, wrapped_key: str, master_key_identifier: str) -> bytes:
            return base64.b64decode(wrapped_key)[len(master_key_identifier) :]

    table = pa.table({"open": [1, 2, 3], "secret": ["a", "b", "c"], "other": [1.5, None, 2.5]})
    configuration = pe.EncryptionConfiguration(
        footer_key="footer",
        column_keys={"columns": ["secret", "other"]},
        plaintext_footer=plaintext_footer,
    )
    properties = pe.CryptoFactory(Keys).file_encryption_properties(pe.KmsConnectionConfig(), configuration)
    return arrow_file(table, encryption_properties=properties)


def footer_of(data: bytes) -> bytes:
    """The encoded FileMetaData of a file, with what follows it in a signed one."""
    length = int.from_bytes(data[-8:-4], "little")
    return data[-8 - length : -8]


def framed(metadata: bytes) -> bytes:
    """The smallest file around encoded metadata."""
    return b"PAR1" + metadata + len(metadata).to_bytes(4, "little") + b"PAR1"
