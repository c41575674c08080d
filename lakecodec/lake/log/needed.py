"""Data files that the versions of a table refer to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .commit_info import milliseconds
from .deletion_vectors import vector_file
from .errors import VersionNotFoundError
from .log import Log
from .names import Listing


def needed_since(log: Log, moment: datetime | None) -> set[str]:
    """Returns the paths, in the log's file system, of all files needed by versions that were current at ``moment`` or later.

    None means all versions that the log still has. Files of changed rows and of deletion vectors are included, and also
    files that were removed since, even if only a checkpoint has their tombstones.
    """
    listing = log.listing()
    latest = log.snapshot()
    first = listing.earliest if moment is None else _current_at(log, listing, moment)
    oldest = latest if first == latest.version else log.snapshot(first)
    files = oldest.live_files
    paths = set(files["path"].to_pylist())
    vectors: list[Mapping[str, Any] | None] = [
        json.loads(text) for text in files["deletion_vector"].drop_null().to_pylist()
    ]
    for version in range(first + 1, latest.version + 1):
        for add in log.commit(version).adds:
            paths.add(add.path)
            vectors.append(add.deletion_vector)
    for version in listing.commits:
        if version >= first:
            paths.update(change.path for change in log.commit(version).changes)
    since = 0 if moment is None else milliseconds(moment)
    for remove in latest.tombstones:
        if moment is None or remove.deletion_timestamp is None or remove.deletion_timestamp > since:
            paths.add(remove.path)
            vectors.append(remove.deletion_vector)
    stored = {vector_file(log.storage, vector) for vector in vectors}
    return {log.storage.locate(path) for path in paths} | {path for path in stored if path is not None}


def _current_at(log: Log, listing: Listing, moment: datetime) -> int:
    """Returns the version that was the newest at ``moment``; the oldest one if the log does not reach back."""
    try:
        return log.version_at(moment)
    except VersionNotFoundError:
        return listing.earliest
