"""FileMetaData in FlatBuffers: every table is read where it is, by slots that say where its fields are.

Assumed where the text is open: the file ends as BinaryProtocolExtensions.md has it after the migration. A bound of up to eight
bytes stands in ``lo8``, a longer one begins in ``hi8``; zeros stand for bytes that are missing. Where a bound that is not exact
would have no bytes behind the prefix, the prefix is one byte shorter, since -0 is 0.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from ...generated.parquet import (
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
from ...runtime.errors import DecodeError, EncodeError
from ...runtime.ranges import MemoryReader
from ...runtime.records.functions import common_prefix
from ..schema import is_leaf, leaf_paths
from .dictionaries import encodings_of, is_fully_dictionary_encoded
from .layouts import layout
from .reads import Chunk, Reads
from .trees import column_of

tables: Any = layout("flatbuffers")
_FORMAT = "parquet_flatbuffers.File"
#: Fields of today's footer that tables do not have. Bounds of booleans are dropped, and long bounds are shortened.
#: A bound is either exact or not exact; tables cannot say that this is unknown.
LOST = frozenset(
    [
        *(f"schema.{name}" for name in ("converted_type", "scale", "precision")),
        *(f"row_groups.columns.{name}" for name in (
            "file_path", "file_offset", "offset_index_offset", "offset_index_length", "column_index_offset",
            "column_index_length", "crypto_metadata", "encrypted_column_metadata",
        )),
        *(f"row_groups.columns.meta_data.{name}" for name in ("encodings", "encoding_stats", "size_statistics")),
        *(f"row_groups.columns.meta_data.statistics.{name}" for name in (
            "max", "min", "is_max_value_exact", "is_min_value_exact", "nan_count"
        )),
        "encryption_algorithm",
        "footer_signing_key_metadata",
    ]
)  # fmt: skip
#: Members of the union LogicalType, numbered from 1.
_KINDS = (
    "STRING", "MAP", "LIST", "ENUM", "DECIMAL", "DATE", "TIME", "TIMESTAMP", "INTEGER", "UNKNOWN", "JSON", "BSON", "UUID",
    "FLOAT16", "VARIANT", "GEOMETRY", "GEOGRAPHY",
)  # fmt: skip
_UNITS = ("MILLIS", "MICROS", "NANOS")
#: The bytes per value of types of fixed width.
_WIDTHS = {Type.INT32: 4, Type.FLOAT: 4, Type.INT64: 8, Type.DOUBLE: 8, Type.INT96: 12}
#: The numeric fields of a table of statistics.
_STATISTICS = (
    "null_count", "distinct_count", "min_lo4", "min_lo8", "min_hi8", "min_len", "max_lo4", "max_lo8", "max_hi8", "max_len",
)  # fmt: skip
#: The longest part of a text after the prefix.
_LONGEST = 16


def encode(metadata: FileMetaData, start: int) -> bytes:
    """Returns the end of a file.

    Raises:
        EncodeError: a column is encrypted, or a number does not fit its field.
    """
    orders = iter(metadata.column_orders or ())
    root = _Table(
        tables.FileMetaData,
        version=metadata.version,
        schema_at=[_element(each, next(orders, None) if is_leaf(each) else None) for each in metadata.schema],
        num_rows=metadata.num_rows,
        row_groups_at=[_group(each) for each in metadata.row_groups],
        kv_at=_pairs(metadata.key_value_metadata),
        created_by_at=_text(metadata.created_by),
    )
    writer = _Writer()
    try:
        writer.refer(0, root)
    except struct.error as error:
        raise EncodeError(f"a number does not fit its field: {error}", format=_FORMAT) from None
    data = bytes(writer.data)
    return data + bytes(tables.Tail(checksum=zlib.crc32(data), flatbuffer_size=len(data)).to_bytes())


class _Table:
    """A table to be written: fields of a class. A field that is a reference has the object that it refers to."""

    def __init__(self, cls: Any, **values: Any) -> None:
        self.cls = cls
        self.values = {name: value for name, value in values.items() if value is not None}


class _Shape(NamedTuple):
    """The layout of tables of a class with the same fields, the largest fields first."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    layout: struct.Struct
    vtable: bytes
    alignment: int


#: The struct module's codes for fields of tables.
_FORMATS = {"i8": "b", "u8": "B", "bool8": "?", "i16": "h", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f64": "d"}
#: A vtable whose slots contain their own numbers, from 1. It shows which slot a field has.
_PROBE = tables.VTable(size_of_table=0, slots=list(range(1, 17)))


@cache
def _slot(cls: Any, name: str) -> tuple[int, str]:
    """Returns the slot of a field, and its format."""
    kind = next(str(field.type) for field in cls.__spec__.fields if field.name == name)
    return cls.place(name, 0, start=0, v=_PROBE)[0] - 1, f"<{_FORMATS[kind]}"


@cache
def _shape(cls: Any, names: tuple[str, ...]) -> _Shape:
    slots = {name: _slot(cls, name) for name in names}
    sizes = {name: struct.calcsize(form) for name, (_, form) in slots.items()}
    ordered = sorted(names, key=lambda name: (-sizes[name], slots[name]))
    layout = struct.Struct("<i" + "".join(slots[name][1][1:] for name in ordered))
    found = [0] * (max((slot for slot, _ in slots.values()), default=-1) + 1)
    at, places = 4, []
    for name in ordered:
        found[slots[name][0]] = at
        places.append(at)
        at += sizes[name]
    vtable = tables.VTable(size_of_table=at, slots=found).to_bytes()
    return _Shape(tuple(ordered), tuple(places), layout, vtable, max(4, *sizes.values()) if sizes else 4)


class _Writer:
    """The bytes of tables, which come before the objects that they refer to."""

    def __init__(self) -> None:
        self.data = bytearray(4)
        self._vtables: dict[bytes, int] = {}

    def refer(self, at: int, value: Any) -> None:
        """Appends a value, and notes at a place how far away it is."""
        struct.pack_into("<I", self.data, at, self._append(value) - at)

    def _append(self, value: Any) -> int:
        if isinstance(value, _Table):
            return self._table(value)
        self._fill(4)
        at = len(self.data)
        if isinstance(value, list):
            self.data += tables.Distances(all=[0] * len(value)).to_bytes()
            for number, each in enumerate(value):
                self.refer(at + 4 + 4 * number, each)
        else:
            self.data += value.to_bytes()
        return at

    def _table(self, table: _Table) -> int:
        shape = _shape(table.cls, tuple(table.values))
        if shape.vtable not in self._vtables:
            self._fill(2)
            self._vtables[shape.vtable] = len(self.data)
            self.data += shape.vtable
        # The first field is aligned. It begins 4 bytes after the start.
        self._fill(shape.alignment, 4)
        at = len(self.data)
        values = [table.values[name] for name in shape.names]
        numbers = [value if isinstance(value, int | float) else 0 for value in values]
        self.data += shape.layout.pack(at - self._vtables[shape.vtable], *numbers)
        for place, value in zip(shape.places, values, strict=True):
            if not isinstance(value, int | float):
                self.refer(at + place, value)
        return at

    def _fill(self, alignment: int, behind: int = 0) -> None:
        self.data += bytes(-(len(self.data) + behind) % alignment)


def _text(text: str | None) -> Any:
    return None if text is None else tables.Text(text=text)


def _pairs(pairs: Sequence[KeyValue] | None) -> list[_Table] | None:
    if pairs is None:
        return None
    return [_Table(tables.KeyValue, key_at=_text(pair.key), val_at=_text(pair.value)) for pair in pairs]


def _element(element: SchemaElement, order: ColumnOrder | None) -> _Table:
    meaning = element.logicalType
    kind = _KINDS.index(str(meaning.kind)) + 1 if meaning is not None and meaning.kind in _KINDS else 0
    is_ordered = order is not None and order.kind == "TYPE_ORDER"
    return _Table(
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
        order_at=_Table(tables.Options) if is_ordered else None,
    )


def _options(kind: int, meaning: Any) -> _Table:
    value = meaning.value
    found: dict[str, Any] = {}
    match value:
        case DecimalType():
            found = {"scale": value.scale, "precision": value.precision}
        case TimeType() | TimestampType():
            found = {"is_adjusted_to_utc": value.isAdjustedToUTC, "unit": _UNITS.index(str(value.unit.kind))}
        case IntType():
            found = {"bit_width": value.bitWidth, "is_signed": value.isSigned}
        case VariantType():
            found = {"specification_version": value.specification_version}
        case GeometryType():
            found = {"crs_at": _text(value.crs)}
        case GeographyType():
            found = {"crs_at": _text(value.crs), "algorithm": value.algorithm or None}
    return _Table(tables.Options, **found)


def _group(group: RowGroup) -> _Table:
    return _Table(
        tables.RowGroup,
        columns_at=[_chunk(chunk, group.num_rows) for chunk in group.columns],
        total_byte_size=group.total_byte_size,
        num_rows=group.num_rows,
        sorting_at=None if group.sorting_columns is None else [
            _Table(
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


def _chunk(chunk: ColumnChunk, rows: int) -> _Table:
    meta = chunk.meta_data
    if meta is None:
        raise EncodeError("a column with a key of its own is not declared in tables", format=_FORMAT)
    bloom = meta.bloom_filter_offset
    found = _Table(
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
        bloom_filter_at=None if bloom is None else _Table(
            tables.BloomFilterInfo, offset=bloom, length=meta.bloom_filter_length
        ),
        geospatial_at=None if meta.geospatial_statistics is None else _geospatial(meta.geospatial_statistics),
    )  # fmt: skip
    return _Table(tables.ColumnChunk, metadata_at=found)


_SIDES = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "mmin", "mmax")


def _geospatial(found: GeospatialStatistics) -> _Table:
    box, types = found.bbox, found.geospatial_types
    return _Table(
        tables.GeospatialStatistics,
        bbox_at=None if box is None else _Table(tables.BoundingBox, **{side: getattr(box, side) for side in _SIDES}),
        types_at=None if types is None else tables.Ints(all=types),
    )


def _statistics(kind: Any, found: Statistics) -> _Table:
    low, high, bounds = found.min_value, found.max_value, None
    if low is not None and high is not None and kind != Type.BOOLEAN:
        exact = bool(found.is_min_value_exact), bool(found.is_max_value_exact)
        width = _WIDTHS.get(kind)
        if width is None:
            bounds = _texts(low, high, *exact)
        elif len(low) == len(high) == width:
            bounds = _number("min", low, exact[0]) | _number("max", high, exact[1])
    return _Table(
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


def find(file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]:
    """Returns the chunks of columns, in the order of the file. Reads all bytes, but decodes only tables on the way to
    the chunks.

    The checksum is not compared.

    Raises:
        DecodeError: the file has another footer.
        KeyError: there is no column of a path.
    """
    size = tables.File.open(file).tail.flatbuffer_size
    if size + 16 > file.size:
        raise DecodeError("the footer length is over the size of the file", format=_FORMAT, path="tail.flatbuffer_size")
    try:
        return list(_found(bytes(file.read(file.size - 16 - size, size)), columns, statistics))
    except (struct.error, IndexError):
        raise DecodeError("a table is not where it should be", format=_FORMAT, path="flatbuffer") from None


def _found(data: bytes, columns: Sequence[tuple[str, ...]], statistics: bool) -> Iterator[Chunk]:
    root = _View(data, tables.FileMetaData, struct.unpack_from("<I", data)[0])
    elements = root.vector("schema_at", tables.SchemaElement)
    children = [each.number("num_children") or 0 for each in elements]
    names = [each.text("name_at") for each in elements]
    numbers = sorted({column_of(names, children if any(children[1:]) else [], path) for path in columns})
    kinds = [each.number("type") for each in elements if not each.number("num_children")]
    for group in root.vector("row_groups_at", tables.RowGroup):
        for number in numbers:
            chunk = group.table("columns_at", tables.ColumnChunk, number)
            meta = chunk.table("metadata_at", tables.ColumnMetadata)
            places = meta.number("data_page_offset") or 0, meta.number("total_compressed_size") or 0
            is_asked = statistics and meta.number("statistics_at")
            found = meta.table("statistics_at", tables.Statistics).statistics() if is_asked else None
            known = _statistics_of(kinds[number], found) or Statistics()
            yield Chunk(*places, known.null_count, known.min_value, known.max_value)


class _View:
    """A table of a class at a place, whose fields are found by slots without a look at others."""

    def __init__(self, data: bytes, cls: Any, at: int) -> None:
        self._data, self._cls, self._at = data, cls, at
        self._vtable = at - struct.unpack_from("<i", data, at)[0]

    def number(self, name: str) -> Any:
        """Returns a field, None where it is not there."""
        slot, form = _slot(self._cls, name)
        if 4 + 2 * slot >= struct.unpack_from("<H", self._data, self._vtable)[0]:
            return None
        at = struct.unpack_from("<H", self._data, self._vtable + 4 + 2 * slot)[0]
        return struct.unpack_from(form, self._data, self._at + at)[0] if at else None

    def place(self, name: str) -> int | None:
        """Returns the place that a field refers to."""
        distance = self.number(name)
        if not distance:
            return None
        slot, _ = _slot(self._cls, name)
        at: int = self._at + struct.unpack_from("<H", self._data, self._vtable + 4 + 2 * slot)[0] + distance
        if at >= len(self._data):
            raise DecodeError("a field refers past the end", format=_FORMAT, path=name)
        return at

    def text(self, name: str) -> str:
        at = self.place(name)
        return "" if at is None else tables.Text.read(self._data, at)[0].text

    def statistics(self) -> Any:
        """Returns the fields of a table of statistics, as attributes."""
        at = self.place("prefix_at")
        prefix = None if at is None else tables.Bytes.read(self._data, at)[0]
        return SimpleNamespace(prefix=prefix, **{name: self.number(name) for name in _STATISTICS})

    def vector(self, name: str, cls: Any) -> list[_View]:
        """Returns the tables of a vector."""
        at = self.place(name)
        count = 0 if at is None else struct.unpack_from("<I", self._data, at)[0]
        if count > len(self._data) // 4:
            raise DecodeError(f"{count} tables do not fit the bytes left", format=_FORMAT, path=name)
        return [self.table(name, cls, number) for number in range(count)]

    def table(self, name: str, cls: Any, number: int | None = None) -> _View:
        """Returns the table that a field refers to, or one of the vector of tables."""
        at = self.place(name)
        if at is None:
            raise DecodeError("a table is left out", format=_FORMAT, path=name)
        if number is not None:
            if number >= struct.unpack_from("<I", self._data, at)[0]:
                raise DecodeError(f"a vector has no table {number}", format=_FORMAT, path=name)
            at += 4 + 4 * number
            at += struct.unpack_from("<I", self._data, at)[0]
        return _View(self._data, cls, at)


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
    raise DecodeError(f"column {number} has no chunk with metadata", format=_FORMAT, path="meta.row_groups.columns")


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
    if not 1 <= kind <= len(_KINDS) or options is None:
        return None
    name = _KINDS[kind - 1]
    cls = next(field.type.cls for field in LogicalType.__spec__.fields if field.name == name)
    values: dict[str, Any] = {}
    if cls is DecimalType:
        values = {"scale": options.scale or 0, "precision": options.precision or 0}
    elif cls in (TimeType, TimestampType):
        unit = options.unit or 0
        if unit >= len(_UNITS):
            raise DecodeError(f"{unit} is not a unit of time", format=_FORMAT)
        units = (MilliSeconds, MicroSeconds, NanoSeconds)
        values = {
            "isAdjustedToUTC": bool(options.is_adjusted_to_utc),
            "unit": getattr(TimeUnit, _UNITS[unit])(units[unit]()),
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
        raise DecodeError(f"{number} is not a {cls.__name__}", format=_FORMAT) from None


def _group_of(group: Any, schema: Sequence[SchemaElement], paths: Sequence[tuple[str, ...]]) -> RowGroup:
    kinds = [element.type for element in schema if is_leaf(element)]
    if _count(group.columns_all) != len(kinds):
        raise DecodeError(f"other chunks than {len(kinds)} columns", format=_FORMAT, path="meta.row_groups.columns")
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
        statistics=_statistics_of(kind, meta.statistics),
        bloom_filter_offset=None if bloom is None else bloom.offset or 0,
        bloom_filter_length=None if bloom is None else bloom.length,
        geospatial_statistics=None if places is None else GeospatialStatistics(
            bbox=None if places.bbox is None else _box_of(places.bbox),
            geospatial_types=None if places.types is None else list(places.types.all),
        ),
    )  # fmt: skip


def _box_of(box: Any) -> BoundingBox:
    sides = {side: getattr(box, side) for side in _SIDES}
    # A missing side is 0 if it is one of the first four, and unknown otherwise.
    return BoundingBox(**sides | {side: sides[side] or 0.0 for side in _SIDES[:4]})


def _statistics_of(kind: Any, found: Any) -> Statistics | None:
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
    if kind in _WIDTHS:
        four, eight = (lo4 or 0).to_bytes(4, "little"), low.to_bytes(8, "little")
        return {4: four, 8: eight, 12: four + eight}[_WIDTHS[kind]]
    return prefix + (low.to_bytes(8, "big") if size <= 8 else high.to_bytes(8, "big") + low.to_bytes(8, "big"))[:size]
