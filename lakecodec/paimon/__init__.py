"""Paimon tables of Mosaic, Parquet and ORC files, without Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import names_elsewhere

if TYPE_CHECKING:
    from .scanning import PaimonScan, count, files, history, open_scan, scan, schema
    from .table import SnapshotInfo

__all__ = ["PaimonScan", "SnapshotInfo", "count", "files", "history", "open_scan", "scan", "schema"]

_LAZY = {**dict.fromkeys(__all__, "scanning"), "SnapshotInfo": "table"}

__getattr__ = names_elsewhere(__name__, _LAZY)


def __dir__() -> list[str]:
    return sorted(__all__)
