"""Conversion of tables between file formats (Mosaic, Parquet, CSV, JSON lines), batch by batch."""

from __future__ import annotations

from .conversion import Conversion, convert
from .kinds import FileKind, kind_of

__all__ = ["Conversion", "FileKind", "convert", "kind_of"]


def __dir__() -> list[str]:
    return sorted(__all__)
