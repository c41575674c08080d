"""A write as one version: preparation, files, commit, and the cleanup after a failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ..log import CommitInfo, ConflictError, Log, Snapshot, UnknownOutcomeError
from .messages import DataFile
from .orphans import begin, delete_orphans
from .request import Request


class WriteJob(Protocol):
    """A planned write."""

    def write(self, write_id: str) -> list[DataFile]:
        """Writes the files, whose names contain ``write_id``, and returns them."""
        ...

    def commit(self, files: Sequence[DataFile]) -> tuple[CommitInfo, bool]:
        """Commits the files, see `commit.commit`."""
        ...


def write_version(
    log: Log, request: Request, prepare: Callable[[Snapshot | None], WriteJob], argument: str = "target"
) -> tuple[CommitInfo, list[DataFile] | None]:
    """Returns the commit of a write, and its files; None for the files if nothing had to be written.

    Args:
        log: the table's log.
        request: the arguments.
        prepare: returns the job for the current version, which is None without a table.
        argument: name of the argument that names the table, for errors.

    Raises:
        FileExistsError: the mode is ``"error"`` and there is a table, or the directory has files but no log.
        UnknownOutcomeError: the storage does not tell whether the version was made; the files stay.
        Exception: an error of the job's own; the files are then deleted.
    """
    log.storage.check_put()
    snapshot = log.newest()
    if snapshot is not None and (known := _already_satisfied(log, snapshot, request, argument)) is not None:
        return known, None
    job = prepare(snapshot)
    write_id = begin(log.storage, argument, is_table=snapshot is not None)
    since = 0 if snapshot is None else snapshot.version + 1
    try:
        files = job.write(write_id)
        info, used = job.commit(files)
    except UnknownOutcomeError:
        raise
    except BaseException as error:
        delete_orphans(log, write_id, since)
        if isinstance(error, ConflictError) and request.mode == "ignore" and log.exists():
            return log.info(log.snapshot().version), None
        raise
    if not used:
        delete_orphans(log, write_id, since)
    return info, files


def _already_satisfied(log: Log, snapshot: Snapshot, request: Request, argument: str) -> CommitInfo | None:
    """Returns the version that satisfies the request without any work; None if rows must be written."""
    if request.txn_id is not None and (version := snapshot.transactions.get(request.txn_id)) is not None:
        return log.info(version)
    if request.mode == "ignore":
        return log.info(snapshot.version)
    if request.mode == "error":
        raise FileExistsError(f"{argument}: there is a table at {log.path!r}; choose another mode than 'error'")
    return None
