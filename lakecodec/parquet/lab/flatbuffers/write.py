"""A footer as tables."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

from ....generated.parquet import (
    ColumnChunk,
    ColumnOrder,
    DecimalType,
    FileMetaData,
    GeographyType,
    GeometryType,
    GeospatialStatistics,
    IntType,
    KeyValue,
    RowGroup,
    SchemaElement,
    Statistics,
    TimestampType,
    TimeType,
    Type,
    VariantType,
)
from ....runtime.errors import EncodeError
from ....runtime.records.functions import common_prefix
from ...schema import is_leaf
from ..dictionaries import is_fully_dictionary_encoded
from .constants import KINDS, SIDES, UNITS, WIDTHS
from .tables import FORMAT, Table, Writer, tables

#: The longest part of a text after the prefix.
_LONGEST = 16


def encode(metadata: FileMetaData, start: int) -> bytes:
    """Returns the end of a file.

    Raises:
        EncodeError: a column is encrypted, or a number does not fit its field.
    """
    orders = iter(metadata.column_orders or ())
    root = Table(
        tables.FileMetaData,
        version=metadata.version,
        schema_at=[_element(each, next(orders, None) if is_leaf(each) else None) for each in metadata.schema],
        num_rows=metadata.num_rows,
        row_groups_at=[_group(each) for each in metadata.row_groups],
        kv_at=_pairs(metadata.key_value_metadata),
        created_by_at=_text(metadata.created_by),
    )
    writer = Writer()
    try:
        writer.refer(0, root)
    except struct.error as error:
        raise EncodeError(f"a number does not fit its field: {error}", format=FORMAT) from None
    data = bytes(writer.data)
    return data + bytes(tables.Tail(checksum=zlib.crc32(data), flatbuffer_size=len(data)).to_bytes())


def _text(text: str | None) -> Any:
    return None if text is None else tables.Text(text=text)


def _pairs(pairs: Sequence[KeyValue] | None) -> list[Table] | None:
    if pairs is None:
        return None
    return [Table(tables.KeyValue, key_at=_text(pair.key), val_at=_text(pair.value)) for pair in pairs]


def _element(element: SchemaElement, order: ColumnOrder | None) -> Table:
    meaning = element.logicalType
    kind = KINDS.index(str(meaning.kind)) + 1 if meaning is not None and meaning.kind in KINDS else 0
    is_ordered = order is not None and order.kind == "TYPE_ORDER"
    return Table(
        tables.SchemaElement,
        type=element.type,
        type_length=element.type_length,
        repetition_type=element.repetition_type,
        name_at=_text(element.name),
        num_children=element.num_children or None,
        field_id=element.field_id,
        logical_type=kind or None,
        options_at=_options(kind, meaning) if kind else None,
        column_order=1 if is_ordered else None,
        order_at=Table(tables.Options) if is_ordered else None,
    )


def _options(kind: int, meaning: Any) -> Table:
    value = meaning.value
    found: dict[str, Any] = {}
    match value:
        case DecimalType():
            found = {"scale": value.scale, "precision": value.precision}
        case TimeType() | TimestampType():
            found = {"is_adjusted_to_utc": value.isAdjustedToUTC, "unit": UNITS.index(str(value.unit.kind))}
        case IntType():
            found = {"bit_width": value.bitWidth, "is_signed": value.isSigned}
        case VariantType():
            found = {"specification_version": value.specification_version}
        case GeometryType():
            found = {"crs_at": _text(value.crs)}
        case GeographyType():
            found = {"crs_at": _text(value.crs), "algorithm": value.algorithm or None}
    return Table(tables.Options, **found)


def _group(group: RowGroup) -> Table:
    return Table(
        tables.RowGroup,
        columns_at=[_chunk(chunk, group.num_rows) for chunk in group.columns],
        total_byte_size=group.total_byte_size,
        num_rows=group.num_rows,
        sorting_at=None if group.sorting_columns is None else [
            Table(
                tables.SortingColumn,
                column_idx=each.column_idx,
                descending=each.descending,
                nulls_first=each.nulls_first,
            )
            for each in group.sorting_columns
        ],
        file_offset=group.file_offset,
        total_compressed_size=group.total_compressed_size,
        ordinal=group.ordinal,
    )  # fmt: skip


def _chunk(chunk: ColumnChunk, rows: int) -> Table:
    meta = chunk.meta_data
    if meta is None:
        raise EncodeError("a column with a key of its own is not declared in tables", format=FORMAT)
    bloom = meta.bloom_filter_offset
    found = Table(
        tables.ColumnMetadata,
        codec=meta.codec or None,
        num_values=None if meta.num_values == rows else meta.num_values,
        total_uncompressed_size=meta.total_uncompressed_size,
        total_compressed_size=meta.total_compressed_size,
        kv_at=_pairs(meta.key_value_metadata),
        data_page_offset=meta.data_page_offset,
        index_page_offset=meta.index_page_offset,
        dictionary_page_offset=meta.dictionary_page_offset,
        statistics_at=None if meta.statistics is None else _statistics(meta.type, meta.statistics),
        is_fully_dict_encoded=is_fully_dictionary_encoded(meta) or None,
        bloom_filter_at=None if bloom is None else Table(
            tables.BloomFilterInfo, offset=bloom, length=meta.bloom_filter_length
        ),
        geospatial_at=None if meta.geospatial_statistics is None else _geospatial(meta.geospatial_statistics),
    )  # fmt: skip
    return Table(tables.ColumnChunk, metadata_at=found)


def _geospatial(found: GeospatialStatistics) -> Table:
    box, types = found.bbox, found.geospatial_types
    return Table(
        tables.GeospatialStatistics,
        bbox_at=None if box is None else Table(tables.BoundingBox, **{side: getattr(box, side) for side in SIDES}),
        types_at=None if types is None else tables.Ints(all=types),
    )


def _statistics(kind: Any, found: Statistics) -> Table:
    low, high, bounds = found.min_value, found.max_value, None
    if low is not None and high is not None and kind != Type.BOOLEAN:
        exact = bool(found.is_min_value_exact), bool(found.is_max_value_exact)
        width = WIDTHS.get(kind)
        if width is None:
            bounds = _texts(low, high, *exact)
        elif len(low) == len(high) == width:
            bounds = _number("min", low, exact[0]) | _number("max", high, exact[1])
    return Table(
        tables.Statistics, null_count=found.null_count, distinct_count=found.distinct_count, **(bounds or {})
    )  # fmt: skip


def _number(name: str, value: bytes, is_exact: bool) -> dict[str, Any]:
    low, high = (value, b"") if len(value) == 4 else (b"", value) if len(value) == 8 else (value[:4], value[4:])
    return {
        f"{name}_lo4": int.from_bytes(low, "little") or None,
        f"{name}_lo8": int.from_bytes(high, "little") or None,
        f"{name}_len": len(value) if is_exact else -len(value),
    }


def _texts(low: bytes, high: bytes, is_low_exact: bool, is_high_exact: bool) -> dict[str, Any] | None:
    shared = common_prefix(low, high)
    if (shared == len(low) and not is_low_exact) or (shared == len(high) and not is_high_exact):
        shared -= 1
    begin, end = low[shared : shared + _LONGEST], high[shared : shared + _LONGEST]
    is_short = len(high) - shared <= _LONGEST
    if shared < 0 or (not is_short and end == b"\xff" * _LONGEST):
        return None
    if not is_short:
        end = (int.from_bytes(end, "big") + 1).to_bytes(_LONGEST, "big")
    return {
        "prefix_at": tables.Bytes(data=low[:shared]) if shared else None,
        **_part("min", begin, is_low_exact and len(low) - shared <= _LONGEST),
        **_part("max", end, is_high_exact and is_short),
    }


def _part(name: str, value: bytes, is_exact: bool) -> dict[str, Any]:
    size = 8 if len(value) <= 8 else 16
    number = int.from_bytes(value.ljust(size, b"\0"), "big")
    return {
        f"{name}_lo8": (number & 2**64 - 1) or None,
        f"{name}_hi8": number >> 64 or None,
        f"{name}_len": len(value) if is_exact else -len(value),
    }
