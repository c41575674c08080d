"""Mosaic data files."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
from pyarrow.fs import LocalFileSystem

from ...statistics.collected import chosen
from ..log import Statistics
from .base import DataFileWriter, WriterOptions, slices


class MosaicFormat:
    """The data file format ``mosaic``, see `FileFormat`."""

    name = "mosaic"
    suffix = ".mosaic"

    def check_schema(self, schema: pa.Schema) -> None:
        """Raises ValueError for types that Mosaic does not have."""
        from ...mosaic import MosaicWriter

        MosaicWriter(io.BytesIO(), schema).abort()

    def open_writer(self, filesystem: Any, path: str, schema: pa.Schema, options: WriterOptions) -> DataFileWriter:
        return MosaicDataFile(filesystem, path, schema, options)


class MosaicDataFile:
    """Writer of a Mosaic file with checksums, see `DataFileWriter`."""

    def __init__(self, filesystem: Any, path: str, schema: pa.Schema, options: WriterOptions) -> None:
        from ...mosaic import MosaicWriter

        self._statistics = Statistics(schema, options.stats_columns)
        self._options = options
        # No temporary name: a store renames by copying, and names of data files are never used twice.
        local = isinstance(filesystem, LocalFileSystem)
        self._stream = None if local else filesystem.open_output_stream(path)
        self._writer = MosaicWriter(
            path if self._stream is None else self._stream,
            schema,
            filesystem=filesystem if local else None,
            row_group_max_bytes=options.row_group_bytes,
            stats_columns=_with_statistics(schema, options.stats_columns),
            checksum=True,
        )

    @property
    def size(self) -> int:
        return self._writer.estimated_size()

    @property
    def tags(self) -> dict[str, str]:
        return {}

    def write(self, data: pa.Table) -> None:
        self._statistics.update(data)
        for part in slices(data, self._options.row_group_bytes):
            self._writer.write(part)

    def close(self) -> str:
        self._writer.close()
        if self._stream is not None:
            self._stream.close()
        return self._statistics.to_json()

    def abort(self) -> None:
        self._writer.abort()
        if self._stream is not None:
            self._stream.close()


def _with_statistics(schema: pa.Schema, columns: tuple[str, ...] | None) -> list[str]:
    """Returns the columns with row group statistics: the chosen ones, or the first ones, if their types can have
    statistics."""
    from ...mosaic.statistics import can_have_statistics

    names = dict.fromkeys(path[0] for path, _ in chosen(schema, columns))
    return [name for name in names if can_have_statistics(schema.field(name).type)]
