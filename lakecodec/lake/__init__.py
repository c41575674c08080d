"""Delta tables without Spark: scans, counts, history, checks, and versions made from the log alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import names_elsewhere

if TYPE_CHECKING:
    from ..runtime.urls import StoreUrl
    from .changes.convert import convert
    from .changes.delete_update import delete, update
    from .changes.doctor import doctor
    from .changes.merge import merge
    from .changes.optimize import optimize, purge
    from .changes.properties import properties, set_properties, unset_properties
    from .changes.restore import restore
    from .changes.write import write
    from .log import (
        CommitInfo,
        CommitRefusedError,
        ConflictError,
        CorruptLogError,
        LogError,
        Problem,
        SchemaMismatchError,
        UnknownOutcomeError,
        UnsupportedTableError,
        VersionNotFoundError,
    )
    from .log.check import check
    from .log.history import history
    from .log.vacuum import vacuum
    from .read.changes import open_changes, scan_changes
    from .read.count import count
    from .read.explain import ScanSummary, explain
    from .read.scan import TableScan, open_scan, scan

__all__ = [
    "CommitInfo",
    "CommitRefusedError",
    "ConflictError",
    "CorruptLogError",
    "LogError",
    "Problem",
    "ScanSummary",
    "SchemaMismatchError",
    "StoreUrl",
    "TableScan",
    "UnknownOutcomeError",
    "UnsupportedTableError",
    "VersionNotFoundError",
    "check",
    "convert",
    "count",
    "delete",
    "doctor",
    "explain",
    "history",
    "merge",
    "open_changes",
    "open_scan",
    "optimize",
    "properties",
    "purge",
    "restore",
    "scan",
    "scan_changes",
    "set_properties",
    "unset_properties",
    "update",
    "vacuum",
    "write",
]

#: Modules of names outside of `log`, imported on first use: Spark's workers import this package for each query.
_LAZY = {
    **dict.fromkeys(__all__, "log"),
    **dict.fromkeys(("open_changes", "scan_changes"), "read.changes"),
    **dict.fromkeys(("ScanSummary", "explain"), "read.explain"),
    **dict.fromkeys(("TableScan", "open_scan", "scan"), "read.scan"),
    **dict.fromkeys(("properties", "set_properties", "unset_properties"), "changes.properties"),
    **dict.fromkeys(("delete", "update"), "changes.delete_update"),
    "StoreUrl": ".runtime.urls",
    "convert": "changes.convert",
    "count": "read.count",
    "history": "log.history",
    **dict.fromkeys(("optimize", "purge"), "changes.optimize"),
    "doctor": "changes.doctor",
    "merge": "changes.merge",
    "restore": "changes.restore",
    "write": "changes.write",
}

__getattr__, __dir__ = names_elsewhere(__name__, _LAZY)
