"""RESTORE of an older version as a new commit; no data files are written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pyarrow import fs

from ...runtime.urls import with_options
from ..log import Add, CommitInfo, Log, LogError, Transaction
from ..log.actions import Metadata
from ..log.column_mapping import LARGEST
from ..log.column_rules import later_marks
from ..log.conflicts import same_definition
from ..log.deletion_vectors import unique_id, vector_file
from ..log.files import identity
from ..log.protocol import check_writable
from ..log.storage import table_path


def restore(
    path: str | os.PathLike[str],
    version: int | datetime | str | None = None,
    *,
    timestamp: datetime | str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Restores a table to an older version with a new commit, which is returned; later versions stay readable.

    Args:
        path: path or URL of the table.
        version: number of the version, or a time.
        timestamp: a time instead: the version that was then the newest; UTC without a zone.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit made.

    Raises:
        TypeError, ValueError: a wrong argument.
        VersionNotFoundError: there is no table, or no such version.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        LogError: files of the version were vacuumed.
        ConflictError: another commit came first.
        UnknownOutcomeError: the storage does not tell whether the version was made.
    """
    if isinstance(version, datetime | str):
        if timestamp is not None:
            raise ValueError("version, timestamp: only one of them can be given")
        version, timestamp = None, version
    if version is None and timestamp is None:
        raise ValueError("version, timestamp: one of them is needed")
    log = Log(table_path(with_options(path, storage_options)))
    current = log.snapshot()
    check_writable(current.protocol, current.metadata)
    wanted = log.snapshot(version, timestamp)
    check_writable(wanted.protocol, wanted.metadata)
    parameters: dict[str, Any] = {"version": wanted.version, "timestamp": timestamp}
    transaction = Transaction(log, current, "RESTORE", parameters=parameters)
    then = {_key(add): add for add in wanted.files}
    now = {_key(add): add for add in current.files}
    back = [add for key, add in then.items() if key not in now]
    places = [log.storage.locate(add.path) for add in back]
    places += [where for add in back if (where := vector_file(log.storage, add.deletion_vector)) is not None]
    _check_files(log, places)
    for add in back:
        transaction.add(add)
    for key, add in now.items():
        if key not in then:
            transaction.remove(add)
    if not same_definition(current.metadata, wanted.metadata):
        transaction.set_metadata(numbered(wanted.metadata, current.metadata))
        transaction.record_assigned(later_marks(wanted.schema, current.schema))
    transaction.depends_on()
    transaction.metrics |= {"numRestoredFiles": len(back)}
    return transaction.commit()


def numbered(wanted: Metadata, current: Metadata) -> Metadata:
    """Returns an older metaData action, changed so that no column id is used twice."""
    largest = [int(each.configuration[LARGEST]) for each in (wanted, current) if LARGEST in each.configuration]
    if not largest:
        return wanted
    return replace(wanted, configuration={**wanted.configuration, LARGEST: str(max(largest))})


def _key(add: Add) -> tuple[str, str | None]:
    return identity(add.path), unique_id(add.deletion_vector)


def _check_files(log: Log, paths: list[str]) -> None:
    """Raises LogError, which names a file, if files do not exist any more."""
    missing = []
    for start in range(0, len(paths), 1000):
        part = paths[start : start + 1000]
        found = log.storage.filesystem.get_file_info(part)
        missing += [path for path, info in zip(part, found, strict=True) if info.type != fs.FileType.File]
    if missing:
        raise LogError(
            f"{len(missing)} files of the version are missing, such as {missing[0]!r}; vacuum deletes them after the retention"
        )
