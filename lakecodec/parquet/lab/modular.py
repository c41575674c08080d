"""The modular footer: one array per field of all column chunks, in modules that can be read separately.

What its text leaves open: the frame is that of the draft in arrow-rs, and the modules that every reader needs are next to the
end. Page indexes, which are no part of today's footer, get no modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...generated.parquet import FileMetaData
from ...runtime.errors import DecodeError, EncodeError
from ...runtime.ranges import MemoryReader
from ...runtime.records.functions import common_prefix
from ..schema import is_leaf, leaf_paths
from .dictionaries import encodings_of, is_fully_dictionary_encoded
from .layouts import layout, moved, today_of
from .reads import Chunk, Reads
from .trees import column_of

_tables: Any = layout("modular")
#: Today's footer in the form that modules use.
_today = today_of(_tables)
_kinds = _tables.ModuleKind
#: Fields of today's footer that modules do not have. Modules have both bounds or none, and know whether they are exact.
LOST = frozenset(
    [
        *(f"schema.{name}" for name in ("converted_type", "scale", "precision")),
        *(f"row_groups.{name}" for name in (
            "total_byte_size", "sorting_columns", "file_offset", "total_compressed_size", "ordinal"
        )),
        *(f"row_groups.columns.{name}" for name in (
            "file_path", "file_offset", "offset_index_offset", "offset_index_length", "column_index_offset",
            "column_index_length", "crypto_metadata", "encrypted_column_metadata",
        )),
        *(f"row_groups.columns.meta_data.{name}" for name in (
            "encodings", "key_value_metadata", "index_page_offset", "encoding_stats", "bloom_filter_offset",
            "bloom_filter_length", "size_statistics", "geospatial_statistics",
        )),
        *(f"row_groups.columns.meta_data.statistics.{name}" for name in (
            "max", "min", "distinct_count", "is_max_value_exact", "is_min_value_exact"
        )),
        "encryption_algorithm",
        "footer_signing_key_metadata",
    ]
)  # fmt: skip
_FORMAT = "parquet_modular.File"


def encode(metadata: FileMetaData, start: int) -> bytes:
    """Returns the end of a file.

    Raises:
        EncodeError: a column is encrypted, or a number is negative.
    """
    metadata = moved(metadata, _today.FileMetaData)
    groups = metadata.row_groups
    metas = [_of(group.columns[number]) for number in range(len(leaf_paths(metadata.schema))) for group in groups]
    modules = [
        (_kinds.ROW_GROUP_STATS, _statistics([meta.statistics or _today.Statistics() for meta in metas])),
        (
            _kinds.FILE_METADATA,
            _tables.FileMetadataMatrix(created_by=metadata.created_by, key_value_metadata=metadata.key_value_metadata),
        ),
        (_kinds.SCHEMA, _schema(metadata)),
        (_kinds.PLACEMENT, _placement(metas, len(groups))),
    ]
    encoded = [(kind, module.to_bytes()) for kind, module in modules]
    directory, end = [], start
    for kind, data in encoded:
        directory.append(_tables.ModularFooterDirectoryEntry(kind=kind, offset=end, length=len(data)))
        end += len(data)
    root = _tables.ModularFooter(
        version=metadata.version,
        num_row_groups=len(groups),
        num_columns=len(metas) // len(groups) if groups else len(leaf_paths(metadata.schema)),
        num_rows=metadata.num_rows,
        row_group_num_rows=[group.num_rows for group in groups],
        array_encoding=_tables.ColumnArrayEncoding.BITPACK,
        directory=directory,
    )
    tail = _tables.Tail(base=start, length=end - start)
    return b"".join([*(data for _, data in encoded), root.to_bytes(), tail.to_bytes()])


def decode(data: bytes) -> FileMetaData:
    """Returns the footer of a file, without the fields that modules do not have.

    Raises:
        DecodeError: it is not one.
    """
    modules = _Modules(_tables.File.open(MemoryReader(data)))
    root = modules.root
    schema = _elements(modules.read(_kinds.SCHEMA, _tables.SchemaMatrix))
    paths = leaf_paths(schema)
    about = modules.read(_kinds.FILE_METADATA, _tables.FileMetadataMatrix)
    placement = _Placement(modules.read(_kinds.PLACEMENT, _tables.ColumnChunkMatrix))
    statistics = _Bounds(modules.read(_kinds.ROW_GROUP_STATS, _tables.RowGroupStatsMatrix))
    count = root.num_row_groups
    if count != len(root.row_group_num_rows) or root.num_columns != len(paths):
        raise DecodeError("the root counts other row groups or columns", format=_FORMAT, path="root")

    def chunk(column: int, group: int) -> Any:
        number = column * count + group
        return _today.ColumnChunk(meta_data=placement.meta(column, number, paths[column], statistics.of(number)))

    groups = []
    for group, rows in enumerate(root.row_group_num_rows):
        chunks = [chunk(column, group) for column in range(len(paths))]
        size = sum(_of(each).total_uncompressed_size for each in chunks)
        groups.append(_today.RowGroup(columns=chunks, total_byte_size=size, num_rows=rows))
    found = _today.FileMetaData(
        version=root.version,
        schema=schema,
        num_rows=root.num_rows,
        row_groups=groups,
        key_value_metadata=about.key_value_metadata,
        created_by=about.created_by,
        column_orders=_orders(modules.read(_kinds.SCHEMA, _tables.SchemaMatrix).column_orders, schema),
    )
    as_today: FileMetaData = moved(found)
    return as_today


def find(file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]:
    """Returns the chunks of columns, in the order of the file. Three modules are read side by side.

    Of their arrays, the entries of the columns are decoded.

    Raises:
        DecodeError: the file has another footer.
        KeyError: there is no column of a path.
    """
    modules = _Modules(_tables.File.open(file))
    kinds = [_kinds.SCHEMA, _kinds.PLACEMENT, _kinds.ROW_GROUP_STATS][: 3 if statistics else 2]
    schema, placement, *rest = file.spans(*map(modules.span, kinds))
    names = _tables.SchemaMatrix.from_bytes(schema, fields=["names", "num_children"])
    children = [max(0, each) for each in names.num_children]
    children = children if any(children[1:]) else []
    numbers = sorted({column_of(names.names, children, path) for path in columns})
    places = _tables.ColumnChunkMatrix.from_bytes(placement, views=True)
    starts, sizes = _Numbers(places.data_page_offsets), _Numbers(places.total_compressed_sizes)
    bounds = [_Bounds(_tables.RowGroupStatsMatrix.from_bytes(each, views=True)) for each in rest]
    count, found = modules.root.num_row_groups, []
    for number in [column * count + group for group in range(count) for column in numbers]:
        known = (bounds[0].of(number) if bounds else None) or _today.Statistics()
        found.append(Chunk(starts[number], sizes[number], known.null_count, known.min_value, known.max_value))
    return found


class _Modules:
    """Modules of a file, by their kinds."""

    def __init__(self, file: Any) -> None:
        self.root = file.root
        self._file = file
        self._numbers = {entry.kind: number for number, entry in enumerate(self.root.directory)}

    def number(self, kind: Any) -> int:
        if kind not in self._numbers:
            raise DecodeError(f"there is no module {kind.name}", format=_FORMAT, path="root.directory")
        return self._numbers[kind]

    def span(self, kind: Any) -> tuple[int, int]:
        entry = self.root.directory[self.number(kind)]
        return entry.offset, entry.length

    def read(self, kind: Any, cls: Any) -> Any:
        return cls.from_bytes(self._file.modules[self.number(kind)])


class _Numbers:
    """Numbers of an array at random access."""

    def __init__(self, data: Any) -> None:
        found = _tables.Packed.from_bytes(data)
        self._width, self._count, self._values = found.bit_width, found.n, found.values

    def __getitem__(self, number: int) -> int:
        if not 0 <= number < self._count:
            raise DecodeError(f"an array of {self._count} numbers has no number {number}", format=_FORMAT)
        at = number * self._width
        bits = int.from_bytes(self._values[at >> 3 : (at + self._width + 7) >> 3], "little")
        return int(bits >> (at & 7) & (1 << self._width) - 1)


class _Texts:
    """Texts at random access."""

    def __init__(self, column: Any) -> None:
        self._offsets, self._data = _Numbers(column.offsets), column.data

    def __getitem__(self, number: int) -> bytes:
        return bytes(self._data[self._offsets[number] : self._offsets[number + 1]])


def _bit(data: Any, number: int) -> bool:
    if number >> 3 >= len(data):
        raise DecodeError(f"{len(data)} bytes have no bit {number}", format=_FORMAT)
    return bool(data[number >> 3] >> (number & 7) & 1)


def _packed(values: Sequence[int]) -> bytes:
    width = max(values, default=0).bit_length()
    if min(values, default=0) < 0:
        raise EncodeError(f"{min(values)} is negative, which numbers of modules cannot be", format=_FORMAT)
    digits = "".join([format(value, f"0{width}b") for value in reversed(values)]) if width else ""
    data = int(digits or "0", 2).to_bytes((len(values) * width + 7) // 8, "little")
    packed: bytes = _tables.Packed(bit_width=width, n=len(values), values=data).to_bytes()
    return packed


def _bits(values: Iterable[bool]) -> bytes:
    digits = "".join(["1" if each else "0" for each in values])
    return int(digits[::-1] or "0", 2).to_bytes((len(digits) + 7) // 8, "little")


def _texts(values: Sequence[bytes]) -> Any:
    offsets = [0]
    for value in values:
        offsets.append(offsets[-1] + len(value))
    return _tables.VarLenColumn(offsets=_packed(offsets), data=b"".join(values))


def _of(chunk: Any) -> Any:
    if chunk.meta_data is None:
        raise EncodeError("a column with a key of its own has no place in modules", format=_FORMAT)
    return chunk.meta_data


def _schema(metadata: FileMetaData) -> Any:
    def numbers(of: Callable[[Any], int | None], absent: int = _tables.ABSENT) -> list[int]:
        return [absent if (value := of(element)) is None else int(value) for element in metadata.schema]

    orders = iter(metadata.column_orders or ())
    found = [next(orders, None) if is_leaf(element) else None for element in metadata.schema]
    return _tables.SchemaMatrix(
        names=[element.name for element in metadata.schema],
        physical_types=numbers(lambda element: element.type),
        repetition_types=numbers(lambda element: element.repetition_type),
        num_children=numbers(lambda element: None if is_leaf(element) else element.num_children),
        type_lengths=numbers(lambda element: element.type_length),
        field_ids=numbers(lambda element: element.field_id, _tables.NO_FIELD_ID),
        logical_types=[_tables.Meaning(**_member_of(element.logicalType)) for element in metadata.schema],
        column_orders=[_tables.Order(**_member_of(each)) for each in found],
    )


def _member_of(union: Any) -> dict[str, Any]:
    """Returns a union's member by its name; none of a union that is not there, or whose member is not known."""
    return {} if union is None or union.kind is None else {union.kind: union.value}


def _elements(schema: Any) -> list[Any]:
    """Returns the elements of a schema.

    Raises:
        DecodeError: the lists are of different lengths, or have a number that no enum has.
    """

    def number(values: list[int], at: int, absent: int = _tables.ABSENT) -> int | None:
        return None if values[at] == absent else values[at]

    lists = [value for value in schema.to_dict().values() if isinstance(value, list)]
    if len({len(each) for each in lists}) != 1:
        raise DecodeError("lists of different lengths", format="parquet_modular.SchemaMatrix")
    return [
        _today.SchemaElement(
            type=_member(_today.Type, number(schema.physical_types, at)),
            type_length=number(schema.type_lengths, at),
            repetition_type=_member(_today.FieldRepetitionType, number(schema.repetition_types, at)),
            name=name,
            num_children=number(schema.num_children, at),
            field_id=number(schema.field_ids, at, _tables.NO_FIELD_ID),
            logicalType=_union(_today.LogicalType, schema.logical_types[at]),
        )
        for at, name in enumerate(schema.names)
    ]


def _orders(orders: Sequence[Any], schema: Sequence[Any]) -> list[Any] | None:
    found = [
        _union(_today.ColumnOrder, order) for order, element in zip(orders, schema, strict=True) if is_leaf(element)
    ]
    return None if None in found else found


def _union(cls: Any, value: Any) -> Any:
    """Returns the member of a union that a struct of its members has; None where it has none."""
    for field in value.__spec__.fields:
        if (member := getattr(value, field.name)) is not None:
            return getattr(cls, field.name)(member)
    return None


def _member(cls: Any, number: int | None) -> Any:
    try:
        return None if number is None else cls(number)
    except ValueError:
        raise DecodeError(f"{number} is not a {cls.__name__}", format=_FORMAT) from None


def _placement(metas: Sequence[Any], groups: int) -> Any:
    pages = [meta.dictionary_page_offset for meta in metas]
    first = [0]
    for page in pages:
        first.append(first[-1] + (page is not None))
    return _tables.ColumnChunkMatrix(
        data_page_offsets=_packed([meta.data_page_offset for meta in metas]),
        first_dict_page=_packed(first),
        dictionary_page_offsets=_packed([page for page in pages if page is not None]),
        total_compressed_sizes=_packed([meta.total_compressed_size for meta in metas]),
        total_uncompressed_sizes=_packed([meta.total_uncompressed_size for meta in metas]),
        num_values=_packed([meta.num_values for meta in metas]),
        codecs=_packed([int(meta.codec) for meta in metas]),
        physical_types=_packed([int(meta.type) for meta in metas[:: groups or 1]]),
        is_fully_dict_encoded=_bits(map(is_fully_dictionary_encoded, metas)),
    )


class _Placement:
    """Places of column chunks at random access."""

    def __init__(self, matrix: Any) -> None:
        self._is_fully_encoded = matrix.is_fully_dict_encoded
        self._types, self._codecs = _Numbers(matrix.physical_types), _Numbers(matrix.codecs)
        self._pages, self._first = _Numbers(matrix.data_page_offsets), _Numbers(matrix.first_dict_page)
        self._dictionaries = _Numbers(matrix.dictionary_page_offsets)
        self._stored, self._decoded = _Numbers(matrix.total_compressed_sizes), _Numbers(matrix.total_uncompressed_sizes)
        self._values = _Numbers(matrix.num_values)

    def meta(self, column: int, number: int, path: tuple[str, ...], statistics: Any) -> Any:
        first = self._first[number]
        return _today.ColumnMetaData(
            type=_member(_today.Type, self._types[column]),
            encodings=encodings_of(_bit(self._is_fully_encoded, number)),
            path_in_schema=list(path),
            codec=_member(_today.CompressionCodec, self._codecs[number]),
            num_values=self._values[number],
            total_uncompressed_size=self._decoded[number],
            total_compressed_size=self._stored[number],
            data_page_offset=self._pages[number],
            dictionary_page_offset=self._dictionaries[first] if self._first[number + 1] > first else None,
            statistics=statistics,
        )


def _statistics(found: Sequence[Any]) -> Any:
    bounds = [(each.min_value, each.max_value) for each in found]
    both = [(low, high) if low is not None and high is not None else (b"", b"") for low, high in bounds]
    shared = [common_prefix(low, high) for low, high in both]
    return _tables.RowGroupStatsMatrix(
        has_null_count=_bits(each.null_count is not None for each in found),
        null_counts=_packed([each.null_count or 0 for each in found]),
        has_minmax=_bits(low is not None and high is not None for low, high in bounds),
        minmax_prefixes=_texts([low[:size] for (low, _), size in zip(both, shared, strict=True)]),
        min_suffixes=_texts([low[size:] for (low, _), size in zip(both, shared, strict=True)]),
        max_suffixes=_texts([high[size:] for (_, high), size in zip(both, shared, strict=True)]),
        min_exact=_bits(bool(each.is_min_value_exact) for each in found),
        max_exact=_bits(bool(each.is_max_value_exact) for each in found),
        has_nan_count=_bits(each.nan_count is not None for each in found),
        nan_counts=_packed([each.nan_count or 0 for each in found]),
    )


class _Bounds:
    """Statistics of column chunks at random access."""

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix
        self._nulls, self._nans = _Numbers(matrix.null_counts), _Numbers(matrix.nan_counts)
        self._prefixes = _Texts(matrix.minmax_prefixes)
        self._low, self._high = _Texts(matrix.min_suffixes), _Texts(matrix.max_suffixes)

    def of(self, number: int) -> Any:
        """Returns the statistics of a chunk, None where it has none."""
        matrix = self._matrix
        found: dict[str, Any] = {}
        if _bit(matrix.has_null_count, number):
            found["null_count"] = self._nulls[number]
        if _bit(matrix.has_nan_count, number):
            found["nan_count"] = self._nans[number]
        if _bit(matrix.has_minmax, number):
            prefix = self._prefixes[number]
            found |= {"min_value": prefix + self._low[number], "max_value": prefix + self._high[number]}
            found["is_min_value_exact"] = _bit(matrix.min_exact, number)
            found["is_max_value_exact"] = _bit(matrix.max_exact, number)
        return _today.Statistics(**found) if found else None
