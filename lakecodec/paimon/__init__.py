"""Paimon tables of Mosaic, Parquet and ORC files, without Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import names_elsewhere

if TYPE_CHECKING:
    from .compaction import compact
    from .conversion import convert
    from .expiry import expire_snapshots, remove_orphans
    from .listing import branches, files, history, schema, tags
    from .scanning import PaimonScan, count, open_scan, scan
    from .table import SnapshotInfo
    from .writing import write

__all__ = [
    "PaimonScan",
    "SnapshotInfo",
    "branches",
    "compact",
    "convert",
    "count",
    "expire_snapshots",
    "files",
    "history",
    "open_scan",
    "remove_orphans",
    "scan",
    "schema",
    "tags",
    "write",
]

_LAZY = {
    **dict.fromkeys(__all__, "scanning"),
    **dict.fromkeys(("branches", "files", "history", "schema", "tags"), "listing"),
    **dict.fromkeys(("expire_snapshots", "remove_orphans"), "expiry"),
    "SnapshotInfo": "table",
    "compact": "compaction",
    "convert": "conversion",
    "write": "writing",
}

__getattr__, __dir__ = names_elsewhere(__name__, _LAZY)
