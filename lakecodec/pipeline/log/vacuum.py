"""Deleting the data files that no version needs any more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from .log import Log
from .names import LOG, TEMPORARY
from .needed import needed_since
from .protocol import check_writable
from .storage import FileInfo


def vacuum(path: Any, *, retention: timedelta, dry_run: bool = True, filesystem: Any = None) -> list[str]:
    """The data files that no retained version needs, by their paths relative to the table; deleted unless ``dry_run``.

    Retained are the newest version and all that were the newest at any time within ``retention``. Files younger than
    ``retention`` stay as well: a transaction that is under way may have made them. With a retention of nothing, nobody
    may be writing.

    Raises:
        VersionNotFoundError: there is no table.
        ValueError: ``retention`` is negative.
        UnsupportedTableError: the table has features that are not known here; a file might be needed after all.
    """
    if not isinstance(retention, timedelta):
        raise TypeError(f"retention: a datetime.timedelta is needed, not {type(retention).__name__}")
    if retention < timedelta(0):
        raise ValueError("retention: it is negative")
    log = Log(path, filesystem)
    moment = datetime.now(UTC) - retention
    # The files first: what is committed after they were listed is then known as needed.
    found = data_files(log)
    newest = log.snapshot()
    check_writable(newest.protocol, newest.metadata)
    needed = needed_since(log, moment)
    gone = [
        info.path
        for info in found
        if log.storage.path(info.path) not in needed and (info.modified <= moment or not retention)
    ]
    if not dry_run:
        for file in gone:
            log.storage.delete(log.storage.path(file))
        _delete_temporary(log, moment)
    return sorted(gone)


def data_files(log: Log) -> list[FileInfo]:
    """Everything in the table's directory that may be data: no part of the path starts with a dot or an underscore.

    Except for the directories of partitions (``_key=value``).
    """
    return [
        info
        for info in log.storage.walk("", recursive=True)
        if not any(_is_hidden(part) for part in info.path.split("/"))
    ]


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or (part.startswith("_") and "=" not in part)


def _delete_temporary(log: Log, moment: datetime) -> None:
    """Removes what killed commits have left in the log."""
    for info in list(log.storage.walk(LOG)):
        if info.path.startswith(".") and info.path.endswith(TEMPORARY) and info.modified <= moment:
            log.storage.delete(log.storage.path(f"{LOG}/{info.path}"))
