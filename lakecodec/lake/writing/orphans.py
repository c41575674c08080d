"""Cleanup of data files of an ingest that were not committed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from uuid import uuid4

from ..listing import is_hidden
from ..log import Log, LogError
from ..log.deletion_vectors import vector_file, vector_file_name
from ..log.names import LOG
from ..log.storage import Storage

#: The pattern of names of `Attempt`'s files.
_OURS = re.compile(r"part-\d{5,}-[0-9a-f]{32}-[0-9a-f]{12}\.c\d{3,}(\.[a-z]+)+")


def begin(storage: Storage, argument: str = "target", *, is_table: bool = False) -> str:
    """Prepares the target directory and returns a new write id, which the names of all new files must contain.

    A directory with files and no log contains other data, which vacuum would take for orphans of the new table. The
    log's directory is created before the first file, so that files of a crashed first ingest are not mistaken for other
    data.
    Object stores have no directories; there our files are known by their names. With ``is_table`` nothing
    is checked.

    Raises:
        FileExistsError: the target has files that are not hidden, and no log.
    """
    if (local := storage.local) is None:
        foreign = (
            not is_table
            and not storage.names(LOG)
            and any(not is_hidden(name) and not _OURS.fullmatch(name) for name in storage.names(""))
        )
    else:
        names = local.names("")
        foreign = LOG not in names and any(not is_hidden(name) for name in names)
    if foreign:
        raise FileExistsError(f"{argument}: {storage.name!r} has files but is not a table")
    if local is not None:
        os.makedirs(os.path.join(storage.root, LOG), exist_ok=True)
    return uuid4().hex


def delete_orphans(log: Log, write_id: str, since: int) -> None:
    """Deletes the files of an ingest, unless a version from ``since`` on has them or the log cannot be read.

    The log is read because an interrupt may come after the commit was made. Files that cannot be deleted are left to
    vacuum.

    Args:
        log: the table's log.
        write_id: id in the names of the files.
        since: the first version that can have them.
    """
    storage = log.storage
    if log.unsettled:  # a commit of these files may still appear
        return
    with suppress(OSError, LogError):
        if _is_committed(log, write_id, since):
            return
        for info in list(storage.walk("", recursive=True)):
            if _is_of(write_id, info.path):
                with suppress(OSError):
                    storage.delete(storage.path(info.path))


def _is_committed(log: Log, write_id: str, since: int) -> bool:
    latest = log.latest()
    newest = -1 if latest is None else latest
    while log.is_behind(newest):  # a listing may be outdated
        newest += 1
    return any(
        any(
            _is_of(write_id, add.path) or _is_of(write_id, vector_file(log.storage, add.deletion_vector) or "")
            for add in commit.adds
        )
        or any(_is_of(write_id, change.path) for change in commit.changes)
        for commit in map(log.commit, range(since, newest + 1))
    )


def _is_of(write_id: str, path: str) -> bool:
    return f"-{write_id}-" in path or path.endswith(vector_file_name(write_id))
