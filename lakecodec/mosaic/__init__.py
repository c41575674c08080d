"""Reader and writer of Apache Paimon's Mosaic files, a columnar format; the API follows ``pyarrow.parquet``."""

from __future__ import annotations

from .metadata import BucketMetaData, FileMetaData, RowGroupMetaData
from .reader import MosaicFile, read_metadata, read_schema, read_table
from .statistics import ColumnStatistics
from .writer import MosaicWriter, write_table

__all__ = [
    "BucketMetaData",
    "ColumnStatistics",
    "FileMetaData",
    "MosaicFile",
    "MosaicWriter",
    "RowGroupMetaData",
    "read_metadata",
    "read_schema",
    "read_table",
    "write_table",
]


def __dir__() -> list[str]:
    return sorted(__all__)
