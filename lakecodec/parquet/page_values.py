"""Statistics of pages by pyarrow: each page is written as a row group of a small file, whose footer has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..generated.parquet import ColumnMetaData, ConvertedType, SchemaElement, Type
from .metadata import read_metadata
from .schema import is_leaf

if TYPE_CHECKING:
    import pyarrow as pa


class UnlikeError(Exception):
    """Raised where pyarrow would write a column in another type than the file has."""


class Written(NamedTuple):
    """Metadata of row groups.

    Attributes:
        metas: the metadata of each row group's only column.
        bloom: the Bloom filter of the first one, if one was wanted.
    """

    metas: list[ColumnMetaData]
    bloom: bytes | None


def written(table: pa.Table, rows: list[int], element: SchemaElement, bloom: str | None) -> Written:
    """Returns the statistics that pyarrow has for parts of a column with so many rows.

    Args:
        table: the column.
        rows: the rows of each part, one after the other.
        element: the column's leaf in the file.
        bloom: the column's path where a Bloom filter is wanted.

    Raises:
        UnlikeError: pyarrow would write another type.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    options: dict[str, Any] = {
        "compression": "none", "use_dictionary": False, "store_schema": False,
        "store_decimal_as_integer": element.type in (Type.INT32, Type.INT64),
    }  # fmt: skip
    if bloom is not None:
        options["bloom_filter_options"] = {bloom: {"ndv": max(1, _distinct(table)), "fpp": 0.01}}
    with pq.ParquetWriter(sink, table.schema, **options) as writer:
        start = 0
        for count in rows:
            writer.write_table(table.slice(start, count), row_group_size=max(count, 1))
            start += count
    data = sink.getvalue()
    metadata = read_metadata(data)
    leaf = next(each for each in metadata.schema if is_leaf(each))
    if _kind(leaf) != _kind(element):
        raise UnlikeError("pyarrow would write the values in another type")
    metas = [group.columns[0].meta_data for group in metadata.row_groups]
    found = [meta for meta in metas if meta is not None]
    if len(found) != len(rows):
        raise UnlikeError("pyarrow would write other row groups")
    place = found[0].bloom_filter_offset if bloom is not None else None
    if place is None:
        return Written(found, None)
    return Written(found, bytes(data[place : place + (found[0].bloom_filter_length or 0)]))


def _distinct(table: pa.Table) -> int:
    """Returns the number of distinct values of a column without lists, its rows otherwise."""
    import pyarrow.compute as pc

    try:
        return int(pc.count_distinct(table.column(0)).as_py())
    except NotImplementedError:
        return int(table.num_rows)


def _kind(element: SchemaElement) -> tuple[Any, ...]:
    """Returns the parts of a schema element that the encoded bounds of a column depend on."""
    length = element.type_length if element.type == Type.FIXED_LEN_BYTE_ARRAY else None
    text = element.converted_type in (ConvertedType.UTF8, ConvertedType.ENUM, ConvertedType.JSON)
    signed = str(element.converted_type).find("UINT") < 0
    return element.type, length, text or element.converted_type == ConvertedType.DECIMAL, element.scale, signed
