"""Description of a Parquet file for `lakecodec inspect`, made of plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import IntEnum
from typing import Any, NamedTuple

from ..generated.parquet import BoundaryOrder, ColumnChunk, FileMetaData, RowGroup, SchemaElement
from ..runtime.display import json_value
from ..runtime.errors import DecodeError
from .bloom import bitset_of
from .bounds import decode_value, logical_kind
from .chunk import Located
from .footer import Footer, read_footer
from .index import index_of
from .inspect_tables import render
from .metadata import decode_footer
from .pages import places
from .schema import choose, element_paths, is_leaf, leaves
from .sources import Source

__all__ = ["describe", "name_of", "render"]


def describe(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    pages: bool = False,
    indexes: bool = False,
    bloom: bool = False,
    filesystem: Any = None,
) -> dict[str, Any]:
    """Returns the footer of a Parquet file as a dict of JSON types: numbers, strings, lists, dicts, None.

    Statistics are Python values as `decode_value` returns them, converted to text where JSON has no such type; a bound
    whose number of bytes does not fit its type is given in hex. Sizes are in bytes.

    ``columns`` has an entry for each column, over all row groups; ``row_groups`` has their column chunks.

    Args:
        source, filesystem: as in `read_metadata`.
        columns: dotted paths of the only columns to describe, a group for all columns below it; None for all.
        pages: describe the pages of each column chunk, by their headers.
        indexes: describe the page index of each column chunk.
        bloom: describe the Bloom filter of each column chunk.

    Raises:
        DecodeError: the file is invalid, or its footer is encrypted.
        KeyError: ``columns`` has a path that the file does not have.
        OSError: the file cannot be read.
    """
    with Source(source, None, filesystem).open() as ranges:
        footer = read_footer(ranges)
    meta = decode_footer(footer)
    found = leaves(meta.schema, file=footer.tail.name)
    chosen = list(range(len(found))) if columns is None else choose([path for path, _ in found], columns)
    file = _File(Source(source, footer.tail.name or None, filesystem), footer, meta, found, chosen)
    return {
        "file": footer.tail.name,
        "file_size": footer.tail.size,
        "footer_size": len(footer.metadata),
        "format": "parquet",
        "version": meta.version,
        "created_by": meta.created_by,
        "num_rows": meta.num_rows,
        "num_row_groups": len(meta.row_groups),
        "num_columns": len(found),
        "encryption": None if meta.encryption_algorithm is None else meta.encryption_algorithm.kind,
        "key_value_metadata": [{"key": pair.key, "value": pair.value} for pair in meta.key_value_metadata or ()],
        "schema": list(_schema(file)),
        "columns": [_summary(file, column) for column in chosen],
        "row_groups": [
            _row_group(file, number, pages=pages, indexes=indexes, bloom=bloom)
            for number in range(len(meta.row_groups))
        ],
    }


class _File(NamedTuple):
    """A file and the columns of it that are described.

    Attributes:
        source, footer, metadata: the file.
        leaves: dotted path and schema element of each leaf column.
        chosen: positions of the columns.
    """

    source: Source
    footer: Footer
    metadata: FileMetaData
    leaves: list[tuple[str, SchemaElement]]
    chosen: list[int]


def _schema(file: _File) -> Iterator[dict[str, Any]]:
    """Yields a description of each schema element below the root with its depth, 0 for the root's children."""
    schema = file.metadata.schema
    elements = list(zip(schema, element_paths(schema, file=file.footer.tail.name), strict=True))
    columns = [path for element, path in elements if is_leaf(element)]
    kept = {columns[column][:depth] for column in file.chosen for depth in range(1, len(columns[column]) + 1)}
    for element, path in elements[1:]:
        if path not in kept and len(file.chosen) < len(columns):
            continue
        yield {
            "name": element.name,
            "depth": len(path) - 1,
            "repetition": name_of(element.repetition_type),
            "physical_type": _physical_type(element),
            "logical_type": _logical_type(element),
            "field_id": element.field_id,
        }


def _summary(file: _File, column: int) -> dict[str, Any]:
    """Returns the description of a column over all row groups; what a row group does not say is None for all."""
    path, element = file.leaves[column]
    metas = [group.columns[column].meta_data for group in file.metadata.row_groups if column < len(group.columns)]
    known = [meta for meta in metas if meta is not None]
    nulls = [None if meta.statistics is None else meta.statistics.null_count for meta in known]
    return {
        "path": path,
        "physical_type": _physical_type(element),
        "logical_type": _logical_type(element),
        "codecs": sorted({str(name_of(meta.codec)) for meta in known}),
        "encodings": sorted({str(name_of(encoding)) for meta in known for encoding in meta.encodings}),
        "num_values": sum(meta.num_values for meta in known),
        "null_count": None if len(known) < len(metas) or None in nulls else sum(filter(None, nulls)),
        "total_compressed_size": sum(meta.total_compressed_size for meta in known),
        "total_uncompressed_size": sum(meta.total_uncompressed_size for meta in known),
        "min": _extreme(metas, element, "min_value"),
        "max": _extreme(metas, element, "max_value"),
    }


def _extreme(metas: Sequence[Any], element: SchemaElement, name: str) -> Any:
    """Returns the lowest ``min_value`` or highest ``max_value`` of column chunks; None if a chunk with values has
    none."""
    values = []
    for meta in metas:
        statistics = None if meta is None else meta.statistics
        data = None if statistics is None else getattr(statistics, name)
        if data is None:
            if statistics is not None and statistics.null_count == meta.num_values:
                continue
            return None
        try:
            values.append(decode_value(data, element))
        except DecodeError:
            return None
    with suppress(TypeError):
        # NaN has no order among other values.
        if values and all(value == value for value in values):
            return json_value(min(values) if name == "min_value" else max(values))
    return None


def _row_group(file: _File, number: int, *, pages: bool, indexes: bool, bloom: bool) -> dict[str, Any]:
    """Returns the description of a row group."""
    group: RowGroup = file.metadata.row_groups[number]
    columns, elements = file.leaves, dict(file.leaves)
    described = []
    for column in file.chosen if len(file.chosen) < len(columns) else range(len(group.columns)):
        if column >= len(group.columns):
            continue
        chunk = group.columns[column]
        path, element = columns[column] if column < len(columns) else ("", None)
        each = _column(chunk, elements, path)
        located = Located(chunk, number, column, file.source, file.footer)
        if chunk.meta_data is not None and chunk.crypto_metadata is None:
            if pages:
                each["pages"] = _pages(located)
            if indexes:
                each["page_index"] = _page_index(located, element)
            if bloom:
                each["bloom_filter"] = _bloom_filter(located)
        described.append(each)
    return {
        "num_rows": group.num_rows,
        "total_byte_size": group.total_byte_size,
        "total_compressed_size": group.total_compressed_size,
        "sorting_columns": [
            {
                "column": columns[key.column_idx][0] if 0 <= key.column_idx < len(columns) else key.column_idx,
                "descending": key.descending,
                "nulls_first": key.nulls_first,
            }
            for key in group.sorting_columns or ()
        ],
        "columns": described,
    }


def _pages(located: Located) -> list[dict[str, Any]]:
    """Returns the descriptions of a column chunk's pages."""
    described = []
    for header, start, body in places(located):
        data = header.data_page_header or header.data_page_header_v2
        values = data or header.dictionary_page_header
        described.append(
            {
                "type": name_of(header.type),
                "encoding": None if values is None else name_of(values.encoding),
                "offset": start,
                "header_size": body - start,
                "compressed_size": header.compressed_page_size,
                "uncompressed_size": header.uncompressed_page_size,
                "num_values": None if values is None else values.num_values,
                "crc": None if header.crc is None else header.crc & 0xFFFFFFFF,
            }
        )
    return described


def _page_index(located: Located, element: SchemaElement | None) -> dict[str, Any] | None:
    """Returns the description of a column chunk's page index, None if it has none."""
    bounds, offsets = index_of(located)
    if bounds is None and offsets is None:
        return None
    rows: list[dict[str, Any]] = [
        {"offset": page.offset, "size": page.compressed_page_size, "first_row": page.first_row_index}
        for page in ([] if offsets is None else offsets.page_locations)
    ] or [{} for _ in (bounds.null_pages if bounds is not None else ())]
    if bounds is not None:
        for number, row in enumerate(rows):
            null = bounds.null_pages[number]
            row["null_page"] = null
            row["null_count"] = None if bounds.null_counts is None else bounds.null_counts[number]
            row["min"] = None if null else _bound(bounds.min_values[number], element)
            row["max"] = None if null else _bound(bounds.max_values[number], element)
    order: BoundaryOrder | int | None = None if bounds is None else bounds.boundary_order
    return {"boundary_order": name_of(order), "pages": rows}


def _bloom_filter(located: Located) -> dict[str, Any] | None:
    """Returns the description of a column chunk's Bloom filter, None if it has none."""
    offset = located.metadata().bloom_filter_offset
    if offset is None:
        return None
    bitset = bitset_of(located, offset)
    # If k of n bits are set, an absent value passes the filter with probability (k/n)^8, since eight bits are tested.
    full = int.from_bytes(bitset, "little").bit_count() / (8 * len(bitset))
    return {"offset": offset, "size": len(bitset), "bits_set": round(full, 4), "false_positives": round(full**8, 6)}


def _column(chunk: ColumnChunk, elements: dict[str, SchemaElement], leaf: str) -> dict[str, Any]:
    """Returns the description of a column chunk; one without ColumnMetaData has only the first three keys."""
    meta = chunk.meta_data
    described: dict[str, Any] = {
        "encrypted": chunk.crypto_metadata is not None,
        "has_column_index": chunk.column_index_offset is not None,
        "has_offset_index": chunk.offset_index_offset is not None,
    }
    if meta is None:
        return described
    path = leaf if meta.path_in_schema is None else ".".join(meta.path_in_schema)
    statistics = meta.statistics
    element = elements.get(path)
    described |= {
        "path": path,
        "physical_type": name_of(meta.type),
        "codec": name_of(meta.codec),
        "encodings": [name_of(encoding) for encoding in meta.encodings],
        "num_values": meta.num_values,
        "total_compressed_size": meta.total_compressed_size,
        "total_uncompressed_size": meta.total_uncompressed_size,
        "data_page_offset": meta.data_page_offset,
        "dictionary_page_offset": meta.dictionary_page_offset,
        "bloom_filter_offset": meta.bloom_filter_offset,
        "null_count": None if statistics is None else statistics.null_count,
        "distinct_count": None if statistics is None else statistics.distinct_count,
        "min": None if statistics is None else _bound(statistics.min_value, element),
        "max": None if statistics is None else _bound(statistics.max_value, element),
    }
    return described


def _bound(data: bytes | None, element: SchemaElement | None) -> Any:
    """Returns a bound as a JSON value; bytes that do not fit the type are given in hex."""
    if data is None:
        return None
    try:
        value = data if element is None else decode_value(data, element)
    except DecodeError:
        value = data
    return json_value(value)


def name_of(value: Any) -> Any:
    """Returns the name of an enum member, any other value unchanged, such as a number that parquet.thrift does not define."""
    return value.name if isinstance(value, IntEnum) else value


def _physical_type(element: SchemaElement) -> Any:
    """Returns the name of the physical type, with the length in brackets if it has one."""
    name = name_of(element.type)
    return name if element.type_length is None else f"{name}[{element.type_length}]"


def _logical_type(element: SchemaElement) -> str | None:
    """Returns the logical type with its parameters as text, None if the element has none."""
    kind, parameter = logical_kind(element)
    logical = element.logicalType
    if kind == "DECIMAL":
        precision = logical.value.precision if logical is not None else element.precision
        return f"DECIMAL({precision}, {parameter})"
    if kind in ("TIME", "TIMESTAMP"):
        return f"{kind}({parameter[0]}{', UTC' if parameter[1] else ''})"
    if kind == "INTEGER" and logical is not None:
        return f"{'INT' if parameter else 'UINT'}_{logical.value.bitWidth}"
    if logical is not None and logical.kind is None:
        return f"unknown ({logical.id})"
    return kind or None
