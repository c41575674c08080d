"""The Delta log of one table: reads snapshots and commits, and adds versions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from ...runtime.parallel import readers
from .actions import Action, Provenance
from .checkpoint_read import Checkpoint, open_checkpoint
from .checkpoint_write import write_checkpoint
from .commit import Commit, decode_commit, encode_commit
from .commit_info import CommitInfo, commit_info
from .commit_times import CommitTimes
from .errors import (
    CommitRefusedError,
    ConflictError,
    CorruptLogError,
    UnknownOutcomeError,
    VersionNotFoundError,
    no_table,
)
from .names import LOG, Listing, Segment, commit_name
from .snapshot import Snapshot
from .storage import Storage

Result = TypeVar("Result")
_LOGGER = logging.getLogger(__name__)


class Log:
    """The Delta log of the table at a path.

    The last snapshot, its commits and its checkpoint are cached, so that a further snapshot reads only new files. A
    table that is deleted and made again needs another object. The object may be used from several threads, and pickled.
    Versions are found by listing the log; ``_last_checkpoint`` is only written, for other readers.

    Args:
        path: the table's directory: str, URL or os.PathLike. It need not exist.
        filesystem: the pyarrow or fsspec file system of ``path``; by default the local one, or that of the URL.
    """

    def __init__(self, path: Any, filesystem: Any = None) -> None:
        self.storage = Storage(path, filesystem)
        self.path = self.storage.name
        self._commits: dict[int, Commit] = {}
        self._checkpoint: Checkpoint | None = None
        #: Files of checkpoints that are skipped because they cannot be read.
        self._damaged: dict[tuple[str, ...], CorruptLogError] = {}
        self._snapshot: Snapshot | None = None
        #: The newest version that is known to exist.
        self._newest = -1
        self.times = CommitTimes(self)
        #: Whether a commit of unknown outcome may still appear, so that its files must stay.
        self.unsettled = False

    def latest(self) -> int | None:
        """Returns the newest version; None if there is no table."""
        return self.listing().latest

    def exists(self) -> bool:
        """Returns True if there is a table."""
        return self.latest() is not None

    def newest(self) -> Snapshot | None:
        """Returns the newest snapshot; None if there is no table."""
        try:
            return self.snapshot()
        except VersionNotFoundError:
            return None

    def snapshot(self, version: int | None = None, timestamp: datetime | str | None = None) -> Snapshot:
        """Returns the newest snapshot, that of a version, or that of the version that was the newest at a time.

        Args:
            version: number of the version.
            timestamp: a datetime or a text in ISO 8601; UTC without a zone.

        Raises:
            TypeError, ValueError: a wrong argument, or both are given.
            VersionNotFoundError: there is no table, or no such version in what the log still has.
            CorruptLogError: a file of the log is broken, or missing among others.
            UnsupportedTableError: the table uses a feature that cannot be read here; its name is in the message.
        """
        if version is not None and timestamp is not None:
            raise ValueError("version, timestamp: only one of them can be given")
        if version is not None and (isinstance(version, bool) or not isinstance(version, int)):
            raise TypeError(f"version: an int is needed, not {type(version).__name__}")
        listing = self.listing()
        if version is not None and self._is_unlisted(version, listing):
            self._newest = version
            listing = self.listing()
        if listing.latest is None:
            raise VersionNotFoundError(no_table(self.path))
        if timestamp is not None:
            version = self._version_at(listing, moment(timestamp))
        segment = listing.segment(listing.latest if version is None else version)
        current = self._snapshot
        if current is not None and current.version == segment.version:
            return current
        found = self._build(segment)
        if segment.version == listing.latest:
            self._snapshot = found
            self._commits = {commit.version: commit for commit in found.commits}
        return found

    def commit(self, version: int) -> Commit:
        """Returns the actions of one version.

        Raises:
            CorruptLogError: its commit file is missing or broken.
        """
        if (known := self._commits.get(version)) is not None:
            return known
        return decode_commit(self._read(version), version, commit_name(version))

    def history(self) -> list[CommitInfo]:
        """Returns the commits that the log still has, newest version first."""
        listing = self.listing()
        return self._map_versions(lambda version: self._info(version, listing), sorted(listing.commits, reverse=True))

    def info(self, version: int) -> CommitInfo:
        """Returns the description of the commit of one version.

        Raises:
            CorruptLogError: its commit file is missing or broken.
        """
        return self._info(version, self.listing())

    def _info(self, version: int, listing: Listing) -> CommitInfo:
        return commit_info(self.commit(version), self.times.of(version, listing))

    def put(self, version: int, actions: Iterable[Action]) -> None:
        """Writes the commit file of a version atomically, if there is none yet.

        Args:
            version: number of the version.
            actions: the actions, one line each.

        Raises:
            ConflictError: another commit has made the version.
            UnknownOutcomeError: the storage failed, and it is unknown whether the version was made.
            CommitRefusedError: the file system has no put-if-absent, or an object store ignores it.
            OSError: the storage failed, the version was not made.
        """
        self.storage.check_put()
        actions = list(actions)
        data, path = encode_commit(actions), commit_name(version)
        try:
            self.storage.put_if_absent(path, data)
        except CommitRefusedError:
            raise
        except OSError as error:
            # A file that exists may be this commit's own: a client that retries finds the file of its first request.
            self._resolve_failed_put(version, data, _txn_id(actions), error)
        except BaseException:  # interrupted: the request may still be on its way
            self.unsettled = self.storage.local is None
            raise
        self._newest = max(version, self._newest)

    def checkpoint(self, version: int | None = None) -> None:
        """Writes a classic checkpoint of a version, by default of the newest, and ``_last_checkpoint``."""
        write_checkpoint(self.snapshot(version))

    def _resolve_failed_put(self, version: int, data: bytes, txn_id: str, error: OSError) -> None:
        """Checks a failed put: returns if the commit was made nevertheless, else raises ConflictError,
        UnknownOutcomeError or the storage's error."""
        unknown = f"it is not known whether version {version} was committed ({error})"
        try:
            found = self.storage.read(commit_name(version))
        except FileNotFoundError:
            if self.storage.local is None:  # the request may still be on its way
                self.unsettled = True
                raise UnknownOutcomeError(unknown, txn_id, version) from error
            raise error from None
        except OSError:
            self.unsettled = True
            raise UnknownOutcomeError(unknown, txn_id, version) from error
        self._newest = max(version, self._newest)
        if found != data:
            raise ConflictError(f"version {version} was committed by another transaction", [version]) from error

    def listing(self) -> Listing:
        """Returns the commits and checkpoints found by listing ``_delta_log``.

        Listings of stores may be old; commits up to the newest one that was seen here are added.
        """
        names = self.storage.names(LOG)
        found = Listing.of(names)
        latest = -1 if found.latest is None else found.latest
        if latest < self._newest and self.storage.local is None:
            unlisted = [commit_name(version) for version in range(latest + 1, self._newest + 1)]
            found = Listing.of([*names, *(path.rpartition("/")[2] for path in unlisted)])
        self._newest = max(latest, self._newest)
        return found

    def _is_unlisted(self, version: int, listing: Listing) -> bool:
        """Returns True for a version that exists in a store but is not listed yet."""
        latest = -1 if listing.latest is None else listing.latest
        return self.storage.local is None and version > latest and self.is_behind(version - 1)

    def is_behind(self, version: int) -> bool:
        """Returns True if there is a commit after ``version``, the newest one of the listing."""
        return self.storage.info(self.storage.path(commit_name(version + 1))) is not None

    def _build(self, segment: Segment) -> Snapshot:
        broken: CorruptLogError | None = None
        for files in segment.checkpoints:
            if files.paths in self._damaged:
                broken = broken or self._damaged[files.paths]
                continue
            known = self._checkpoint
            checkpoint = (
                known if known is not None and known.paths == files.paths else open_checkpoint(self.storage, files)
            )
            try:
                _ = checkpoint.header
            except CorruptLogError as error:
                self._pass_over(checkpoint, error)
                broken = broken or error
                continue
            self._checkpoint = checkpoint
            return Snapshot(self, segment.version, checkpoint, self._range(files.version + 1, segment.version))
        if not segment.from_start and broken is not None:
            raise broken
        return Snapshot(self, segment.version, None, self._range(0, segment.version))

    def without_checkpoint(self, snapshot: Snapshot, error: CorruptLogError) -> Snapshot:
        """Returns a version from other checkpoints or only from commits; raises ``error`` if there are none.

        The files of a checkpoint are read on access; only then is damage found.
        """
        assert snapshot.checkpoint is not None
        self._pass_over(snapshot.checkpoint, error)
        return self._build(self.listing().segment(snapshot.version))

    def _pass_over(self, checkpoint: Checkpoint, error: CorruptLogError) -> None:
        _LOGGER.warning("skipping a checkpoint of %s: %s", self.path, error)
        self._damaged[checkpoint.paths] = error
        if self._checkpoint is checkpoint:
            self._checkpoint = None

    def _range(self, first: int, last: int) -> list[Commit]:
        return self._map_versions(self.commit, range(first, last + 1))

    def _map_versions(self, function: Callable[[int], Result], versions: Sequence[int]) -> list[Result]:
        """Returns the results for versions; several requests to a store run at a time."""
        if self.storage.local is not None or len(versions) < 2:
            return list(map(function, versions))
        return list(readers().map(function, versions))

    def version_since(self, timestamp: datetime | str) -> int:
        """Returns the first version that was made at a time or later, or the next version if there is none."""
        listing = self.listing()
        found = self.times.first_since(moment(timestamp), listing)
        return (-1 if listing.latest is None else listing.latest) + 1 if found is None else found

    def version_at(self, timestamp: datetime | str) -> int:
        """Returns the version that was the newest at a time; VersionNotFoundError if the log has none."""
        return self._version_at(self.listing(), moment(timestamp))

    def _version_at(self, listing: Listing, moment: datetime) -> int:
        found = self.times.last_until(moment, listing)
        if found is not None and found >= listing.earliest:
            return found
        oldest = min((version for version in listing.commits if version >= listing.earliest), default=None)
        since = f"; its oldest version is of {self.times.of(oldest, listing).isoformat()}" if oldest is not None else ""
        raise VersionNotFoundError(f"the log has no version as of {moment.isoformat()}{since}")

    def commit_times(self, versions: Iterable[int]) -> dict[int, datetime]:
        """Returns the times of commits in UTC; raises CorruptLogError if the log no longer has one of them."""
        listing = self.listing()
        return {version: self.times.of(version, listing) for version in versions}

    def commit_fields(self, version: int) -> Mapping[str, Any]:
        """Returns the commitInfo of a version, empty if it has none; raises CorruptLogError as `commit` does."""
        known = self._commits.get(version)
        if known is None:
            data = self._read(version)
            # Nearly all writers put commitInfo in the first line, so file actions need not be decoded.
            known = decode_commit(data.partition(b"\n")[0] or data, version, commit_name(version))
            if not known.info:
                known = decode_commit(data, version, commit_name(version))
        return known.info

    def _read(self, version: int) -> bytes:
        try:
            return self.storage.read(commit_name(version))
        except FileNotFoundError:
            raise CorruptLogError(f"the log has no version {version}", path=commit_name(version)) from None

    def __repr__(self) -> str:
        return f"Log({self.path!r})"


def moment(timestamp: datetime | str, argument: str = "timestamp") -> datetime:
    """Returns a time as an aware datetime in UTC; a time without a zone is in UTC."""
    if isinstance(timestamp, str):
        try:
            timestamp = datetime.fromisoformat(timestamp)
        except ValueError:
            raise ValueError(
                f"{argument}: {timestamp!r} is not a time in ISO 8601, such as 2024-01-31T12:00:00Z"
            ) from None
    if not isinstance(timestamp, datetime):
        raise TypeError(f"{argument}: a datetime or a str is needed, not {type(timestamp).__name__}")
    return timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp.astimezone(UTC)


def _txn_id(actions: Iterable[Action]) -> str:
    fields: dict[str, Any] = next((action.to_json() for action in actions if isinstance(action, Provenance)), {})
    return str(fields.get("txnId", ""))
