"""Tables as a footer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....generated.parquet import (
    BoundingBox,
    ColumnChunk,
    ColumnMetaData,
    ColumnOrder,
    CompressionCodec,
    DecimalType,
    EdgeInterpolationAlgorithm,
    FieldRepetitionType,
    FileMetaData,
    GeographyType,
    GeometryType,
    GeospatialStatistics,
    IntType,
    KeyValue,
    LogicalType,
    MicroSeconds,
    MilliSeconds,
    NanoSeconds,
    RowGroup,
    SchemaElement,
    SortingColumn,
    Statistics,
    TimestampType,
    TimeType,
    TimeUnit,
    Type,
    TypeDefinedOrder,
    VariantType,
)
from ....runtime.errors import DecodeError
from ....runtime.ranges import MemoryReader
from ...schema import is_leaf, leaf_paths
from ..dictionaries import encodings_of
from .constants import KINDS, SIDES, UNITS, WIDTHS
from .tables import FORMAT, tables


def decode(data: bytes) -> FileMetaData:
    """Returns the footer of a file, without the fields that tables do not have.

    Raises:
        DecodeError: it is not one, or its checksum is another.
    """
    meta = _root(tables.File.open(MemoryReader(data)).flatbuffer)
    elements = _elements(meta)
    schema = [_element_of(each) for each in elements]
    paths = leaf_paths(schema)
    orders = [each.column_order for each, element in zip(elements, schema, strict=True) if is_leaf(element)]
    return FileMetaData(
        version=meta.version or 0,
        schema=schema,
        num_rows=meta.num_rows or 0,
        row_groups=[_group_of(each, schema, paths) for each in _groups(meta)],
        key_value_metadata=_pairs_of(meta),
        created_by=_text_of(meta.created_by),
        column_orders=[ColumnOrder.TYPE_ORDER(TypeDefinedOrder()) for _ in orders] if all(orders) else None,
    )


def _root(data: Any) -> Any:
    """Returns a footer as a table. Tables with vectors are read lazily."""
    return tables.FileMetaData.open(MemoryReader(data), start=int.from_bytes(data[:4], "little"))


def _elements(root: Any) -> list[Any]:
    return [_read(tables.SchemaElement, root, "schema", number) for number in range(_count(root.schema_all))]


def _groups(root: Any) -> Iterator[Any]:
    for number in range(_count(root.row_groups_all)):
        yield tables.RowGroup.open(root._source, start=root.span("row_groups", number)[0])


def _meta(group: Any, number: int) -> Any:
    """Returns the table of a chunk's metadata.

    Raises:
        DecodeError: there is no such chunk, or nothing is known of it.
    """
    if number < _count(group.columns_all):
        meta = _read(tables.ColumnChunk, group, "columns", number).metadata
        if meta is not None:
            return meta
    raise DecodeError(f"column {number} has no chunk with metadata", format=FORMAT, path="meta.row_groups.columns")


def _read(cls: Any, parent: Any, name: str, number: int) -> Any:
    """Returns a table of a vector, with the objects that it refers to."""
    source = parent._source
    return cls.read(source.read(0, source.size), 0, parent.span(name, number)[0])[0]


def _count(distances: Any) -> int:
    return 0 if distances is None else int(distances.n)


def _text_of(text: Any) -> str | None:
    return None if text is None else text.text


def _pairs_of(table: Any) -> list[KeyValue] | None:
    if table.kv_all is None:
        return None
    return [KeyValue(key=_text_of(each.key) or "", value=_text_of(each.val)) for each in table.kv]


def _element_of(element: Any) -> SchemaElement:
    return SchemaElement(
        type=_member(Type, element.type),
        type_length=element.type_length,
        repetition_type=_member(FieldRepetitionType, element.repetition_type),
        name=_text_of(element.name) or "",
        num_children=(element.num_children or 0) if element.type is None else element.num_children,
        field_id=element.field_id,
        logicalType=_meaning_of(element.logical_type or 0, element.options),
    )


def _meaning_of(kind: int, options: Any) -> LogicalType | None:
    """Returns the meaning of a type; None where its kind is not known, as readers do with those that are new."""
    if not 1 <= kind <= len(KINDS) or options is None:
        return None
    name = KINDS[kind - 1]
    cls = next(field.type.cls for field in LogicalType.__spec__.fields if field.name == name)
    values: dict[str, Any] = {}
    if cls is DecimalType:
        values = {"scale": options.scale or 0, "precision": options.precision or 0}
    elif cls in (TimeType, TimestampType):
        unit = options.unit or 0
        if unit >= len(UNITS):
            raise DecodeError(f"{unit} is not a unit of time", format=FORMAT)
        units = (MilliSeconds, MicroSeconds, NanoSeconds)
        values = {
            "isAdjustedToUTC": bool(options.is_adjusted_to_utc),
            "unit": getattr(TimeUnit, UNITS[unit])(units[unit]()),
        }
    elif cls is IntType:
        values = {
            "bitWidth": 8 if options.bit_width is None else options.bit_width,
            "isSigned": bool(options.is_signed),
        }
    elif cls is VariantType:
        values = {"specification_version": options.specification_version}
    elif cls in (GeometryType, GeographyType):
        values = {"crs": _text_of(options.crs)}
        if cls is GeographyType:
            values["algorithm"] = _member(EdgeInterpolationAlgorithm, options.algorithm)
    found: LogicalType = getattr(LogicalType, name)(cls(**values))
    return found


def _member(cls: Any, number: int | None) -> Any:
    try:
        return None if number is None else cls(number)
    except ValueError:
        raise DecodeError(f"{number} is not a {cls.__name__}", format=FORMAT) from None


def _group_of(group: Any, schema: Sequence[SchemaElement], paths: Sequence[tuple[str, ...]]) -> RowGroup:
    kinds = [element.type for element in schema if is_leaf(element)]
    if _count(group.columns_all) != len(kinds):
        raise DecodeError(f"other chunks than {len(kinds)} columns", format=FORMAT, path="meta.row_groups.columns")
    rows = group.num_rows or 0
    return RowGroup(
        columns=[
            ColumnChunk(meta_data=_chunk_of(_meta(group, number), kind, path, rows))
            for number, (kind, path) in enumerate(zip(kinds, paths, strict=True))
        ],
        total_byte_size=group.total_byte_size or 0,
        num_rows=rows,
        sorting_columns=None if group.sorting_all is None else [
            SortingColumn(
                column_idx=each.column_idx or 0, descending=bool(each.descending), nulls_first=bool(each.nulls_first)
            )
            for each in group.sorting
        ],
        file_offset=group.file_offset,
        total_compressed_size=group.total_compressed_size,
        ordinal=group.ordinal,
    )  # fmt: skip


def _chunk_of(meta: Any, kind: Any, path: tuple[str, ...], rows: int) -> ColumnMetaData:
    bloom, places = meta.bloom_filter, meta.geospatial
    return ColumnMetaData(
        type=kind,
        encodings=encodings_of(bool(meta.is_fully_dict_encoded)),
        path_in_schema=list(path),
        codec=_member(CompressionCodec, meta.codec or 0),
        num_values=rows if meta.num_values is None else meta.num_values,
        total_uncompressed_size=meta.total_uncompressed_size or 0,
        total_compressed_size=meta.total_compressed_size or 0,
        key_value_metadata=_pairs_of(meta),
        data_page_offset=meta.data_page_offset or 0,
        index_page_offset=meta.index_page_offset,
        dictionary_page_offset=meta.dictionary_page_offset,
        statistics=statistics_of(kind, meta.statistics),
        bloom_filter_offset=None if bloom is None else bloom.offset or 0,
        bloom_filter_length=None if bloom is None else bloom.length,
        geospatial_statistics=None if places is None else GeospatialStatistics(
            bbox=None if places.bbox is None else _box_of(places.bbox),
            geospatial_types=None if places.types is None else list(places.types.all),
        ),
    )  # fmt: skip


def _box_of(box: Any) -> BoundingBox:
    sides = {side: getattr(box, side) for side in SIDES}
    # A missing side is 0 if it is one of the first four, and unknown otherwise.
    return BoundingBox(**sides | {side: sides[side] or 0.0 for side in SIDES[:4]})


def statistics_of(kind: Any, found: Any) -> Statistics | None:
    if found is None:
        return None
    values = {"null_count": found.null_count, "distinct_count": found.distinct_count}
    if found.min_len is not None and found.max_len is not None and kind != Type.BOOLEAN:
        prefix = b"" if found.prefix is None else bytes(found.prefix.data)
        values["min_value"] = _bound(kind, prefix, found.min_len, found.min_lo4, found.min_lo8, found.min_hi8)
        values["max_value"] = _bound(kind, prefix, found.max_len, found.max_lo4, found.max_lo8, found.max_hi8)
        values |= {"is_min_value_exact": found.min_len >= 0, "is_max_value_exact": found.max_len >= 0}
    return Statistics(**values)


def _bound(kind: Any, prefix: bytes, length: int, lo4: int | None, lo8: int | None, hi8: int | None) -> bytes:
    size, low, high = abs(length), lo8 or 0, hi8 or 0
    if kind in WIDTHS:
        four, eight = (lo4 or 0).to_bytes(4, "little"), low.to_bytes(8, "little")
        return {4: four, 8: eight, 12: four + eight}[WIDTHS[kind]]
    return prefix + (low.to_bytes(8, "big") if size <= 8 else high.to_bytes(8, "big") + low.to_bytes(8, "big"))[:size]
