"""The times of versions, on which time travel, the history and the change feed agree, as they do in Spark.

| table | time of a version |
|---|---|
| with in-commit timestamps | ``inCommitTimestamp`` of its commitInfo, from the version on that enabled them |
| all others, and earlier versions | when its commit file was modified, in milliseconds; at least 1 ms after the version before |

Times of files take one listing for all versions; in-commit timestamps take one read per step of a binary search.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from .commit_info import in_commit_time
from .errors import CorruptLogError
from .names import LOG, Listing, commit_name, commit_version
from .properties import IN_COMMIT_TIMESTAMPS_SINCE

if TYPE_CHECKING:
    from .log import Log


class CommitTimes:
    """The times of the versions of a log. Times of commit files are cached, since no commit file is written twice."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._files: dict[int, datetime] = {}

    def of(self, version: int, listing: Listing) -> datetime:
        """Returns the time of a version in UTC; CorruptLogError if its commit file is missing or broken."""
        first = self._first_in_commit(listing)
        return self._file_time(version) if first is None or version < first else self._in_commit(version)

    def of_new(self, version: int, fields: Mapping[str, Any]) -> datetime | None:
        """Returns the time of a version that was just made with a commitInfo; None if it is unknown."""
        try:
            return in_commit_time(fields) or self._file_time(version)
        except (OSError, CorruptLogError):  # the commit is already made, even if the storage fails now
            return None

    def last_until(self, moment: datetime, listing: Listing) -> int | None:
        """Returns the version that was the newest at a time, None if there was none."""
        by_file, in_commit = self._versions(listing)
        if index := bisect_right(in_commit, moment, key=self._in_commit):
            return in_commit[index - 1]
        index = bisect_right(by_file, moment, key=self._file_time)
        return by_file[index - 1] if index else None

    def first_since(self, moment: datetime, listing: Listing) -> int | None:
        """Returns the first version that was made at a time or later, None if there is none."""
        by_file, in_commit = self._versions(listing)
        index = bisect_left(by_file, moment, key=self._file_time)
        if index < len(by_file):
            return by_file[index]
        index = bisect_left(in_commit, moment, key=self._in_commit)
        return in_commit[index] if index < len(in_commit) else None

    def _versions(self, listing: Listing) -> tuple[list[int], list[int]]:
        """Returns two ranges: the versions with times of their files, and those with in-commit timestamps."""
        versions = sorted(listing.commits)
        first = self._first_in_commit(listing)
        split = len(versions) if first is None else bisect_left(versions, first)
        return versions[:split], versions[split:]

    def _first_in_commit(self, listing: Listing) -> int | None:
        """Returns the first version whose in-commit timestamp counts; None if the newest version has none."""
        newest = max(listing.commits, default=None)
        if newest is None or in_commit_time(self._log.commit_fields(newest)) is None:
            return None
        return int(self._log.snapshot().metadata.configuration.get(IN_COMMIT_TIMESTAMPS_SINCE) or 0)

    def _in_commit(self, version: int) -> datetime:
        found = in_commit_time(self._log.commit_fields(version))
        if found is None:
            raise CorruptLogError("the commitInfo has no inCommitTimestamp", path=commit_name(version))
        return found

    def _file_time(self, version: int) -> datetime:
        if version not in self._files:
            before = self._files.get(version - 1)
            storage = self._log.storage
            info = None if before is None else storage.info(storage.path(commit_name(version)))
            if before is None or info is None:
                self._files = self._listed()
            else:
                self._files[version] = _later(info.modified, before)
        if version not in self._files:
            raise CorruptLogError(f"the log has no version {version}", path=commit_name(version))
        return self._files[version]

    def _listed(self) -> dict[int, datetime]:
        """Returns the times of all commit files, each later than the one before."""
        found = {
            number: info.modified
            for info in self._log.storage.walk(LOG)
            if (number := commit_version(info.path)) is not None
        }
        times: dict[int, datetime] = {}
        before = datetime.min.replace(tzinfo=UTC)
        for version in sorted(found):
            times[version] = before = _later(found[version], before)
        return times


def _later(modified: datetime, before: datetime) -> datetime:
    """Returns the time when a commit file was modified, in whole milliseconds; at least one after ``before``."""
    time = modified.astimezone(UTC)
    return max(time.replace(microsecond=time.microsecond // 1000 * 1000), before + timedelta(milliseconds=1))
