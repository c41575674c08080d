"""Cleanup of the log by ``delta.logRetentionDuration`` (PROTOCOL.md, Metadata Cleanup)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .actions import Metadata
from .commit_info import ago
from .names import LOG, SIDECARS, version_of
from .properties import LOG_CLEANUP, LOG_RETENTION

if TYPE_CHECKING:
    from .log import Log


def clean_log(log: Log, metadata: Metadata) -> list[str]:
    """Deletes what came before the newest checkpoint that the retention does not protect; returns the names.

    Only of tables that have the property: others keep all versions. Logs with sidecar files are left to who writes them.
    """
    retention = LOG_RETENTION.of(metadata)
    if retention is None or not LOG_CLEANUP.of(metadata):
        return []
    cutoff = ago(retention).replace(hour=0, minute=0, second=0, microsecond=0)
    listing = log.listing()
    times = log.commit_times(listing.commits)
    newest = max((version for version, time in times.items() if time <= cutoff), default=-1)
    first = next((files.version for files in listing.checkpoints if files.version <= newest), 0)
    if not first or log.storage.names(SIDECARS):
        return []
    names = sorted(name for name in log.storage.names(LOG) if (found := version_of(name)) is not None and found < first)
    for name in names:
        log.storage.delete(log.storage.path(f"{LOG}/{name}"))
    return names
