"""VACUUM: deletes data files that no retained version needs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ...runtime.urls import with_options
from .commit_info import ago
from .errors import LogError
from .file_actions import CHANGES
from .log import Log
from .names import LOG, TEMPORARY
from .needed import needed_since
from .properties import DELETED_FILE_RETENTION
from .protocol import check_writable
from .snapshot import Snapshot
from .storage import FileInfo, Storage


def vacuum(
    path: Any,
    *,
    retention: timedelta | None = None,
    dry_run: bool = True,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> list[str]:
    """Returns the data files that no retained version needs, sorted, by paths relative to the table.

    They are deleted unless ``dry_run``. Retained versions are the newest and all that were the newest at any time
    within
    ``retention``. Files younger than ``retention`` stay as well, since a running transaction may have made them. With a
    retention of zero, nobody else may be writing.

    Args:
        path: path or URL of the table.
        retention: age of versions and files that are kept; None: the property ``delta.deletedFileRetentionDuration``, or
            a week.
        dry_run: True to delete nothing.
        filesystem: the pyarrow or fsspec file system that ``path`` is in; by default the local one, or that of the URL.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        TypeError: ``retention`` is not a timedelta.
        VersionNotFoundError: there is no table.
        ValueError: ``retention`` is negative, or it is None and the table's own is invalid.
        UnsupportedTableError: the table has unknown features, so that any file might be needed.
    """
    if not isinstance(retention, timedelta | None):
        raise TypeError(f"retention: a datetime.timedelta is needed, not {type(retention).__name__}")
    log = Log(with_options(path, storage_options), filesystem)
    if retention is None:
        retention = DELETED_FILE_RETENTION.of(log.snapshot().metadata)
    if retention is None or retention < timedelta(0):
        raise ValueError(
            f"retention: {DELETED_FILE_RETENTION.name} of the table is not a supported interval; give retention"
            if retention is None
            else "retention: it is negative"
        )
    moment = ago(retention)
    # Files are listed before the log is read, so that files committed in between count as needed.
    found = data_files(log)
    newest = log.snapshot()
    check_writable(newest.protocol, newest.metadata)
    needed = needed_since(log, moment)
    garbage = unneeded(log.storage, found, needed)
    if garbage and log.storage.local is None and log.is_behind(newest.version):
        raise LogError(
            f"vacuum: the store lists the log up to version {newest.version}, but there is a later one: run it again later"
        )
    _check_live(log, newest, found, garbage)
    gone = [info.path for info in garbage if info.modified <= moment or not retention]
    if not dry_run:
        for file in gone:
            log.storage.delete(log.storage.path(file))
        _delete_temporary(log, moment)
    return sorted(gone)


def unneeded(storage: Storage, found: Sequence[FileInfo], needed: set[str]) -> list[FileInfo]:
    """Returns the unneeded files of a listing; a local one may be needed under another name, through a link."""
    listed = {storage.path(info.path) for info in found}
    rest = [info for info in found if storage.path(info.path) not in needed]
    if not rest or storage.local is None:
        return rest
    others = {_file_id(path) for path in needed - listed} - {None}
    return [info for info in rest if _file_id(storage.path(info.path)) not in others] if others else rest


def _file_id(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _check_live(log: Log, newest: Snapshot, found: Sequence[FileInfo], garbage: Sequence[FileInfo]) -> None:
    """Raises LogError if a file of the newest version is not listed and a file with its name would be deleted."""
    listed = {log.storage.path(info.path) for info in found}
    names = {info.path.rpartition("/")[2]: info.path for info in garbage}
    for path in newest.live_files["path"].to_pylist() if names else ():
        where = log.storage.locate(path)
        if where not in listed and (same := names.get(where.rpartition("/")[2])) is not None:
            raise LogError(
                f"vacuum: the newest version needs {path!r}, which is not among the files of the table, and {same!r}, which "
                "has the same name, would be deleted; open the table by the URL that its log has"
            )


def data_files(log: Log) -> list[FileInfo]:
    """Returns all files below the table's directory that may be data: no part of the path starts with a dot or underscore.

    Directories of partitions may start with an underscore (``_key=value``), and changed rows are in ``_change_data``.
    """
    return [
        info
        for info in log.storage.walk("", recursive=True)
        if not any(_is_hidden(part) for part in info.path.split("/"))
    ]


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or (part.startswith("_") and "=" not in part and part != CHANGES)


def _delete_temporary(log: Log, moment: datetime) -> None:
    """Deletes temporary files that killed commits have left in the log."""
    for info in list(log.storage.walk(LOG)):
        if info.path.startswith(".") and info.path.endswith(TEMPORARY) and info.modified <= moment:
            log.storage.delete(log.storage.path(f"{LOG}/{info.path}"))
