"""Data file formats behind one small interface."""

from __future__ import annotations

from .base import DataFileWriter, FileFormat, WriterOptions
from .mosaic import MosaicFormat
from .parquet import ParquetFormat

__all__ = ["FORMATS", "DataFileWriter", "FileFormat", "WriterOptions", "file_format"]

FORMATS: dict[str, FileFormat] = {format.name: format for format in (ParquetFormat(), MosaicFormat())}


def file_format(name: str) -> FileFormat:
    """Returns the format of this name.

    Raises:
        KeyError: an unknown name.
    """
    if name not in FORMATS:
        raise KeyError(f"format: {name!r} is not one of {', '.join(FORMATS)}")
    return FORMATS[name]
