"""Variants in Parquet files of tables: shredded if the table allows it, and marked in the footer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...generated.parquet import FileMetaData
from ...parquet import write_metadata
from ...runtime.arrow_nested import relabelled
from ...runtime.arrow_variant import REQUIRED, VariantType, marked, outward

#: The path of names to a column.
Path = tuple[str, ...]
#: Bytes after the footer at the end of a file: the footer's size and the magic bytes.
_END = 8


class VariantColumns:
    """The stored form of variant columns, and the sink that writes the footer with their logical type.

    pyarrow has no logical type VARIANT. The bytes that it writes last are kept here until the footer is changed.

    Args:
        schema: schema of the file, in types of tables.
        sink: destination of the file.
        shredding: whether fields get their own columns, with the types of the first row group.
    """

    def __init__(self, schema: pa.Schema, sink: Any, *, shredding: bool) -> None:
        self._physical = outward(schema, REQUIRED)
        self._types: dict[str, pa.DataType | None] = {}
        self._with_nan: defaultdict[str, set[Path]] = defaultdict(set)
        self._shredded = [field.name for field in schema if shredding and isinstance(field.type, VariantType)]
        self._sink = sink
        self._end: bytearray | None = None
        self._schema = self._physical
        self.closed = False

    def stored(self, table: pa.Table) -> pa.Table:
        """Returns rows in their stored form."""
        batches = [relabelled(batch, self._physical) for batch in table.to_batches()]
        filled = [[_filled(column) for column in batch.columns] for batch in batches]
        table = pa.Table.from_batches(
            [pa.RecordBatch.from_arrays(columns, schema=self._physical) for columns in filled], self._physical
        )
        for name in self._shredded:
            table = self._shred(table, name)
        self._schema = table.schema
        return table

    def _shred(self, table: pa.Table, name: str) -> pa.Table:
        from ...variant import shred
        from ...variant.inference import shredding_type

        if name not in self._types:
            self._types[name] = shredding_type(table[name])
        kind = self._types[name]
        if kind is None:
            return table
        at = table.schema.get_field_index(name)
        column = shred(table[name], kind)
        self._with_nan[name].update(_nan_columns(column, ()))
        return table.set_column(at, marked(table.schema.field(at).with_type(column.type)), column)

    def bounds(self, metadata: FileMetaData) -> dict[Path, tuple[str, str]]:
        """Returns lower and upper bounds of the shredded fields by column, in the log's form."""
        from ..log.variant_statistics import shredded_bounds

        found = {
            (name,): shredded_bounds(metadata, (name,), self._schema.field(name).type, self._with_nan[name])
            for name, kind in self._types.items()
            if kind is not None
        }
        return {path: each for path, each in found.items() if each is not None}

    def hold(self) -> None:
        """Keeps all following bytes, since the writer is about to end the file."""
        self._end = bytearray()

    def finish(self, metadata: FileMetaData) -> None:
        """Writes the kept bytes with the footer of ``metadata``, in which columns get their logical type."""
        from ...variant.files import mark, marked

        mark(metadata, marked(self._schema))
        assert self._end is not None
        size = int.from_bytes(self._end[-_END:-4], "little")
        self._sink.write(self._end[: -_END - size])
        self._sink.write(write_metadata(metadata))

    def write(self, data: Any) -> int:
        """Writes bytes, or keeps them."""
        if self._end is None:
            self._sink.write(data)
        else:
            self._end += bytes(data)
        return len(data)

    def tell(self) -> int:
        """Returns the number of bytes that were passed so far."""
        return int(self._sink.tell()) + len(self._end or b"")

    def flush(self) -> None:
        """Does nothing: the sink is flushed when it is closed."""

    def close(self) -> None:
        """Marks the writer as done; the sink stays open for the footer."""
        self.closed = True


def _filled(array: Any) -> Any:
    """Returns an array without nulls in the bytes of variants that are null, which pyarrow's writer refuses."""
    kind = array.type
    if not pa.types.is_struct(kind) or (not array.null_count and not any(map(_is_struct, kind))):
        return array
    parts = [_filled(array.field(at)) for at in range(kind.num_fields)]
    needed = [not field.nullable and pa.types.is_binary(field.type) for field in kind]
    parts = [part.fill_null(b"") if is_needed else part for part, is_needed in zip(parts, needed, strict=True)]
    return pa.StructArray.from_arrays(parts, fields=list(kind), mask=array.is_null())


def _is_struct(field: pa.Field) -> bool:
    return bool(pa.types.is_struct(field.type))


def _nan_columns(array: Any, path: Path) -> Iterator[Path]:
    """Yields the paths of columns with a NaN."""
    kind = array.type
    if pa.types.is_struct(kind):
        for at in range(kind.num_fields):
            yield from _nan_columns(pc.struct_field(array, [at]), (*path, kind.field(at).name))
    elif pa.types.is_floating(kind) and pc.any(pc.is_nan(array)).as_py():
        yield path
