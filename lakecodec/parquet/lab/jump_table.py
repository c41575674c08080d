"""Today's footer behind a pointer to a table of places: column chunks are reached without a walk over the others.

What the drafts leave open is done as their own converter does it: slots of the table of names are little-endian and have no
discriminator, the next slot is tried where one is taken, and the index stands behind FileMetaData.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...generated.parquet import ColumnChunk, FileMetaData, SchemaElement
from ...runtime.coalesce import Span
from ...runtime.errors import DecodeError
from ...runtime.ranges import MemoryReader
from ..chunk_places import chunk_places, places
from ..schema import element_paths, is_leaf
from .layouts import layout
from .reads import Chunk, Reads
from .trees import chain, column

_tables: Any = layout("jump_table")
#: The constants of FNV-1a with 64 bits.
_BASIS, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 2**64 - 1


def encode(metadata: FileMetaData, start: int) -> bytes:
    """Returns the end of a file.

    Raises:
        EncodeError: a field holds what its type cannot hold.
    """
    encoded = metadata.to_bytes()
    # The header of the first field contains its type and the difference of its id from 0.
    fields = _tables.Fields(wire=encoded[0] & 15, id=encoded[0] >> 4, others=encoded[1:])
    pointer = _tables.Pointer(place=0, index_size=0, metadata_size=2 * len(encoded))
    shift = len(pointer.to_bytes()) + len(fields.to_bytes()) - len(encoded)
    footer = _tables.Footer(pointer=pointer, fields=fields, index=_index(metadata.schema, encoded, shift))
    return bytes(footer.to_bytes(start))


def decode(data: bytes) -> FileMetaData:
    """Returns the footer of a file as it was.

    Raises:
        DecodeError: it is not one.
    """
    fields = _tables.File.open(MemoryReader(data)).fields
    return FileMetaData.from_bytes(bytes((fields.id << 4 | fields.wire,)) + fields.others)


def find(file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]:
    """Returns the chunks of columns, in the order of the file. Of FileMetaData, their bytes and those of their names are read.

    Raises:
        DecodeError: the file has another footer, or an index without names.
        KeyError: there is no column of a path.
    """
    opened = _tables.File.open(file)
    start, index = file.size - 8 - opened.footer_size, opened.index
    layout, groups, width = index.schema_layout, index.num_row_groups, index.num_leaf_columns + 1
    if layout is None or layout.name_hash_table is None:
        raise DecodeError("an index without names", format="parquet_jump_table.File", path="index.schema_layout")
    children = _unpacked(layout.num_children or b"", layout.num_schema_elements if layout.num_children else 0)

    def cell(number: int) -> int:
        return int(start + _number(index.column_chunk_offsets, groups * width, number))

    def element(number: int) -> Span:
        count = layout.num_schema_elements
        last = cell(0) if groups else start + opened.pointer.metadata_size
        begin = start + _number(layout.offsets, count, number)
        return begin, (start + _number(layout.offsets, count, number + 1) if number + 1 < count else last) - begin

    candidates = {path: _candidates(path, layout.name_hash_table) for path in columns}
    found: dict[int, list[Any]] = {}
    while candidates:
        chains = {path: chain(children, _next(path, each)) for path, each in candidates.items()}
        # The names to compare and the chunks that are probably wanted are requested at once.
        numbers = [column(children, each[-1]) for each in chains.values()]
        cells = [group * width + number for number in numbers for group in range(groups)]
        names = [element(each) for numbers_of in chains.values() for each in numbers_of]
        read = iter(file.spans(*names, *((cell(each), cell(each + 1) - cell(each)) for each in cells)))
        same = [
            path == tuple(SchemaElement.from_bytes(next(read), allow_trailing=True).name for _ in each)
            for path, each in chains.items()
        ]
        for path, number, is_it in zip(chains, numbers, same, strict=True):
            chunks = [next(read) for _ in range(groups)]
            if is_it:
                found[number] = chunks
                del candidates[path]
    chunks = [ColumnChunk.from_bytes(found[number][group]) for group in range(groups) for number in sorted(found)]
    return [Chunk.of(each) if statistics else Chunk.of(each).place() for each in chunks]


def _index(schema: Sequence[SchemaElement], encoded: bytes, shift: int) -> Any:
    """Returns the index of a FileMetaData whose bytes moved on by ``shift``."""
    groups = list(chunk_places(encoded))
    leaves = [element for element in schema if is_leaf(element)]
    return _tables.FileMetadataFooterIndex(
        num_leaf_columns=len(leaves),
        num_row_groups=len(groups),
        column_chunk_offsets=_packed([shift + place for group in groups for place in group]),
        schema_layout=_tables.SchemaLayout(
            num_schema_elements=len(schema),
            offsets=_packed([shift + place for place in places(FileMetaData, "schema", SchemaElement, encoded)[:-1]]),
            num_children=None
            if len(leaves) == len(schema) - 1
            else _packed([each.num_children or 0 for each in schema]),
            name_hash_table=_names(element_paths(schema)),
            field_id_mapping=_field_ids([element.field_id for element in leaves]),
            has_non_ascii_names=not all(element.name.isascii() for element in schema),
        ),
    )


def _field_ids(ids: Sequence[int | None]) -> Any:
    if not any(each is not None for each in ids):
        return _tables.FieldIdMapping.none(_tables.NoFieldIds())
    if all(each == number for number, each in enumerate(ids)):
        return _tables.FieldIdMapping.identity(_tables.FieldIdIsColumnOrdinal())
    return _tables.FieldIdMapping.explicit({each: number for number, each in enumerate(ids) if each is not None})


def _names(paths: Sequence[tuple[str, ...]]) -> Any:
    """Returns the table of the paths of elements, which is half empty at least."""
    slots = [0] * (1 << (2 * len(paths) - 1).bit_length())
    for number, path in enumerate(paths):
        place = _hash(path) % len(slots)
        while slots[place]:
            place = (place + 1) % len(slots)
        slots[place] = number + 1
    return _tables.NameHashTable(num_slots=len(slots), table=_packed(slots))


def _hash(path: tuple[str, ...]) -> int:
    found = _BASIS
    for byte in "\0".join(path).encode().lower():
        found = (found ^ byte) * _PRIME & _MASK
    return found


def _candidates(path: tuple[str, ...], names: Any) -> Iterator[int]:
    """Yields the numbers of elements that may have a path."""
    count = names.num_slots
    bits = 8 * len(names.table) // max(count, 1) - (names.discriminator_bits or 0)
    place = _hash(path)
    for step in range(count):
        slot = _number(names.table, count, (place + step) % count)
        if not slot:
            return
        yield (slot & (1 << max(bits, 0)) - 1) - 1


def _next(path: tuple[str, ...], candidates: Iterator[int]) -> int:
    for each in candidates:
        return each
    raise KeyError(f"columns: there is no {'.'.join(path)}")


def _packed(values: Sequence[int]) -> bytes:
    """Returns numbers of as many bytes as the greatest one needs, the lowest first."""
    width = max(1, (max(values, default=0).bit_length() + 7) // 8)
    return b"".join([value.to_bytes(width, "little") for value in values])


def _number(data: bytes, count: int, number: int) -> int:
    """Returns one of ``count`` packed numbers."""
    width = len(data) // max(count, 1)
    return int.from_bytes(data[number * width : (number + 1) * width], "little")


def _unpacked(data: bytes, count: int) -> list[int]:
    """Returns all of them."""
    return [_number(data, count, number) for number in range(count)]
