"""Cleanup of the log by ``delta.logRetentionDuration`` (PROTOCOL.md, Metadata Cleanup)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from ...delta import decode_uri
from .actions import Metadata
from .checkpoint_read import Checkpoint
from .commit_info import ago
from .names import LOG, SIDECARS, version_of
from .properties import LOG_CLEANUP, LOG_RETENTION

if TYPE_CHECKING:
    from .log import Log


def clean_log(log: Log, metadata: Metadata) -> list[str]:
    """Deletes all files of the log before the newest checkpoint older than the retention; returns their names.

    Tables without the property keep all versions. Sidecars are deleted with the last checkpoint that names them.
    """
    retention = LOG_RETENTION.of(metadata)
    if retention is None or not LOG_CLEANUP.of(metadata):
        return []
    cutoff = ago(retention).replace(hour=0, minute=0, second=0, microsecond=0)
    listing = log.listing()
    times = log.commit_times(listing.commits)
    newest = max((version for version, time in times.items() if time <= cutoff), default=-1)
    first = next((files.version for files in listing.checkpoints if files.version <= newest), 0)
    if not first:
        return []
    names = sorted(name for name in log.storage.names(LOG) if (found := version_of(name)) is not None and found < first)
    for name in names:
        log.storage.delete(log.storage.path(f"{LOG}/{name}"))
    left = [files for files in listing.checkpoints if files.version >= first]
    named = {
        decode_uri(path).rpartition("/")[2] for files in left for path in Checkpoint(log.storage, files).header.sidecars
    }
    # Sidecars are written before their checkpoint: recent ones may belong to a checkpoint that is being written.
    for info in log.storage.walk(SIDECARS):
        if info.path not in named and info.modified <= ago(timedelta(days=1)):
            log.storage.delete(log.storage.path(f"{SIDECARS}/{info.path}"))
            names.append(info.path)
    return names
