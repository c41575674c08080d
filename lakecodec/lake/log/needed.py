"""Data files that the versions of a table refer to."""

from __future__ import annotations

from datetime import datetime

from .commit_info import milliseconds
from .errors import VersionNotFoundError
from .log import Log
from .names import Listing


def needed_since(log: Log, moment: datetime | None) -> set[str]:
    """Returns the paths, in the log's file system, of all files needed by versions that were current at ``moment`` or later.

    With None, of all versions that the log still has. Included are their files of changed rows, and files that were removed
    since, even where only a checkpoint has their tombstones.
    """
    listing = log.listing()
    latest = log.snapshot()
    first = listing.earliest if moment is None else _current_at(log, listing, moment)
    oldest = latest if first == latest.version else log.snapshot(first)
    paths = set(oldest.live_files["path"].to_pylist())
    for version in range(first + 1, latest.version + 1):
        paths.update(add.path for add in log.commit(version).adds)
    for version in listing.commits:
        if version >= first:
            paths.update(change.path for change in log.commit(version).changes)
    since = 0 if moment is None else milliseconds(moment)
    paths.update(
        remove.path
        for remove in latest.tombstones
        if moment is None or remove.deletion_timestamp is None or remove.deletion_timestamp > since
    )
    return {log.storage.locate(path) for path in paths}


def _current_at(log: Log, listing: Listing, moment: datetime) -> int:
    """Returns the version that was the newest at ``moment``, the oldest one if the log does not reach back."""
    try:
        return log.version_at(moment)
    except VersionNotFoundError:
        return listing.earliest
