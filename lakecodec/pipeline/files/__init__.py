"""Data file formats behind one small interface."""

from __future__ import annotations

from .base import DataFileWriter, FileFormat, WriterOptions
from .formats import FORMATS, file_format

__all__ = ["FORMATS", "DataFileWriter", "FileFormat", "WriterOptions", "file_format"]
