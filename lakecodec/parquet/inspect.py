"""Description of a Parquet file for `lakecodec inspect`, made of plain values."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

from ..generated.parquet import ColumnChunk, FileMetaData, RowGroup, SchemaElement
from ..runtime.display import json_value
from ..runtime.errors import DecodeError
from .footer import read_footer
from .inspect_tables import render
from .metadata import decode_footer
from .schema import is_leaf, leaves
from .sources import Source
from .statistics import decode_value, logical_kind

__all__ = ["describe", "name_of", "render"]


def describe(source: Any, *, filesystem: Any = None) -> dict[str, Any]:
    """Returns the footer of a Parquet file as a dict of JSON types: numbers, strings, lists, dicts, None.

    Statistics are Python values as `decode_value` returns them, converted to text where JSON has no such type; a bound
    whose number of bytes does not fit its type is given in hex. Sizes are in bytes.

    Args:
        source, filesystem: as in `read_metadata`.

    Raises:
        DecodeError: the file is invalid, or its footer is encrypted.
        OSError: the file cannot be read.
    """
    with Source(source, None, filesystem).open() as ranges:
        footer = read_footer(ranges)
    meta = decode_footer(footer)
    columns = leaves(meta.schema, file=footer.tail.name)
    return {
        "file": footer.tail.name,
        "file_size": footer.tail.size,
        "footer_size": len(footer.metadata),
        "format": "parquet",
        "version": meta.version,
        "created_by": meta.created_by,
        "num_rows": meta.num_rows,
        "num_row_groups": len(meta.row_groups),
        "num_columns": len(columns),
        "encryption": None if meta.encryption_algorithm is None else meta.encryption_algorithm.kind,
        "key_value_metadata": [{"key": pair.key, "value": pair.value} for pair in meta.key_value_metadata or ()],
        "schema": list(_schema(meta)),
        "row_groups": [_row_group(group, columns) for group in meta.row_groups],
    }


def _schema(meta: FileMetaData) -> Iterator[dict[str, Any]]:
    """Yields a description of each schema element below the root with its depth, 0 for the root's children."""
    waiting = [meta.schema[0].num_children or 0]
    for element in meta.schema[1:]:
        while waiting and waiting[-1] == 0:
            waiting.pop()
        waiting[-1] -= 1
        yield {
            "name": element.name,
            "depth": len(waiting) - 1,
            "repetition": name_of(element.repetition_type),
            "physical_type": _physical_type(element),
            "logical_type": _logical_type(element),
            "field_id": element.field_id,
        }
        if not is_leaf(element):
            waiting.append(element.num_children or 0)


def _row_group(group: RowGroup, columns: list[tuple[str, SchemaElement]]) -> dict[str, Any]:
    """Returns the description of a row group."""
    elements = dict(columns)
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
        "columns": [
            _column(chunk, elements, columns[number][0] if number < len(columns) else "")
            for number, chunk in enumerate(group.columns)
        ],
    }


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
