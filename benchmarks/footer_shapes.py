"""Files whose footers have the shapes that other implementations of Parquet are measured by."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec.generated.parquet import (
    ColumnChunk,
    ColumnMetaData,
    CompressionCodec,
    Encoding,
    FieldRepetitionType,
    FileMetaData,
    PageEncodingStats,
    PageType,
    RowGroup,
    SchemaElement,
    Statistics,
    Type,
)
from lakecodec.parquet import write_metadata

#: Row groups of the files that pyarrow writes, and of `wide`.
GROUPS, WIDE_GROUPS = 20, 10
_ROWS = 3


def floats(columns: int) -> bytes:
    """A file of `GROUPS` row groups of float32 columns, written by pyarrow."""
    return _written({f"column_{n}": pa.array([n + k / 7 for k in range(_ROWS)], pa.float32()) for n in range(columns)})


def strings(columns: int) -> bytes:
    """The same of columns of short strings."""
    return _written({f"column_{n}": pa.array([f"value {n * k}" for k in range(_ROWS)]) for n in range(columns)})


def wide(columns: int) -> bytes:
    """A footer of `WIDE_GROUPS` row groups of required FLOAT columns with one shared bound, as a file without data."""
    bound = bytes(4)
    groups = [_wide_group(number, columns, bound) for number in range(WIDE_GROUPS)]
    metadata = FileMetaData(
        version=1,
        schema=[SchemaElement(name="schema", num_children=columns), *map(_required, range(columns))],
        num_rows=1000 * WIDE_GROUPS,
        row_groups=groups,
        created_by="lakecodec",
    )
    return b"PAR1" + write_metadata(metadata)


def _written(columns: dict[str, pa.Array]) -> bytes:
    table = pa.table(columns)
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, table.schema) as writer:
        for _ in range(GROUPS):
            writer.write_table(table)
    return sink.getvalue()


def _required(number: int) -> SchemaElement:
    return SchemaElement(name=f"c{number}", type=Type.FLOAT, repetition_type=FieldRepetitionType.REQUIRED)


def _wide_group(number: int, columns: int, bound: bytes) -> RowGroup:
    chunks = list(_wide_chunks(range(number * columns, (number + 1) * columns), columns, bound))
    return RowGroup(columns=chunks, total_byte_size=1000 * columns, num_rows=1000, ordinal=number)


def _wide_chunks(numbers: Iterable[int], columns: int, bound: bytes) -> Iterable[ColumnChunk]:
    for number in numbers:
        start = 4 + 1000 * number
        yield ColumnChunk(
            file_offset=start,
            meta_data=ColumnMetaData(
                type=Type.FLOAT,
                encodings=[Encoding.PLAIN, Encoding.RLE_DICTIONARY],
                path_in_schema=[f"c{number % columns}"],
                codec=CompressionCodec.UNCOMPRESSED,
                num_values=1000,
                total_uncompressed_size=1000,
                total_compressed_size=1000,
                data_page_offset=start + 100,
                dictionary_page_offset=start,
                statistics=Statistics(min_value=bound, max_value=bound, null_count=0),
                encoding_stats=[
                    PageEncodingStats(page_type=PageType.DICTIONARY_PAGE, encoding=Encoding.PLAIN, count=1),
                    PageEncodingStats(page_type=PageType.DATA_PAGE, encoding=Encoding.RLE_DICTIONARY, count=1),
                ],
            ),
            offset_index_offset=start,
            offset_index_length=20,
            column_index_offset=start,
            column_index_length=20,
        )
