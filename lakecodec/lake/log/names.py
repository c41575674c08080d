"""File names in ``_delta_log``, and the choice of those that make up a version."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .errors import CorruptLogError, VersionNotFoundError

LOG = "_delta_log"
SIDECARS = f"{LOG}/_sidecars"
LAST_CHECKPOINT = f"{LOG}/_last_checkpoint"
#: The largest number of checkpoints that are tried before reading a version fails.
_ALTERNATIVES = 3
#: The end of temporary names in the log, which readers ignore.
TEMPORARY = ".tmp"

_COMMIT = re.compile(r"(\d{20})\.json")
_CHECKPOINT = re.compile(
    r"(?P<version>\d{20})\.checkpoint"
    r"(?:\.(?P<part>\d{10})\.(?P<parts>\d{10})|\.(?P<uuid>[0-9A-Za-z]+(?:-[0-9A-Za-z]+)+))?\.(?P<suffix>parquet|json)"
)


def commit_name(version: int) -> str:
    """Returns the path of a commit file relative to the table: ``_delta_log/<version, 20 digits>.json``."""
    return f"{LOG}/{version:020d}.json"


def commit_version(name: str) -> int | None:
    """Returns the version of a commit file from its plain name; None for other files."""
    found = _COMMIT.fullmatch(name)
    return None if found is None else int(found[1])


def version_of(name: str) -> int | None:
    """Returns the version of a file of ``_delta_log`` (a commit, checkpoint or checksum) from its name; None for others."""
    found = re.match(r"(\d{20})\.", name)
    return None if found is None else int(found[1])


def checkpoint_name(version: int) -> str:
    """Returns the path of a classic checkpoint relative to the table."""
    return f"{LOG}/{version:020d}.checkpoint.parquet"


def v2_checkpoint_name(version: int, uuid: str) -> str:
    """Returns the path of a checkpoint of version 2 relative to the table."""
    return f"{LOG}/{version:020d}.checkpoint.{uuid}.parquet"


@dataclass(frozen=True, slots=True)
class CheckpointFiles:
    """A complete checkpoint: paths of its only file, or of all parts."""

    version: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """The log segment of a version: usable checkpoints, newest first, after which no commit is missing.

    ``from_start``: whether all commits from version 0 on exist, so that no checkpoint is needed.
    """

    version: int
    checkpoints: tuple[CheckpointFiles, ...]
    from_start: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """Content of ``_delta_log``: versions of the commits, and complete checkpoints, newest first."""

    commits: frozenset[int] = frozenset()
    checkpoints: tuple[CheckpointFiles, ...] = ()
    #: The oldest version that can still be read.
    earliest: int = 0

    @classmethod
    def of(cls, names: Iterable[str]) -> Listing:
        """Returns the listing for the plain file names in ``_delta_log``; unknown names are ignored."""
        commits: set[int] = set()
        parts: dict[tuple[int, str], dict[int, str]] = {}
        for name in names:
            if found := _COMMIT.fullmatch(name):
                commits.add(int(found[1]))
            elif (found := _CHECKPOINT.fullmatch(name)) and (found["uuid"] or found["suffix"] == "parquet"):
                group = parts.setdefault((int(found["version"]), found["uuid"] or found["parts"] or ""), {})
                group[int(found["part"] or 0)] = f"{LOG}/{name}"
        complete = [
            CheckpointFiles(version, tuple(path for _, path in sorted(group.items())))
            for (version, kind), group in parts.items()
            if not kind.isdigit() or (len(group) == max(group) == int(kind) and 0 not in group)
        ]
        complete.sort(key=lambda files: (files.version, -len(files.paths)), reverse=True)
        starts = [files.version for files in complete]
        if 0 in commits:
            starts.append(0)
        return cls(frozenset(commits), tuple(complete), min(starts, default=0))

    @property
    def latest(self) -> int | None:
        """The newest version, None if there is no table."""
        newest = max(self.commits, default=None)
        if not self.checkpoints:
            return newest
        return max(self.checkpoints[0].version, -1 if newest is None else newest)

    def segment(self, version: int) -> Segment:
        """Returns the log segment of ``version``.

        Raises:
            VersionNotFoundError: the log does not have the version any more.
            CorruptLogError: a commit that the version needs is missing.
        """
        latest = self.latest
        if latest is None or not self.earliest <= version <= latest:
            kept = "no versions" if latest is None else f"versions {self.earliest} to {latest}"
            raise VersionNotFoundError(f"version {version} is not in the log, which has {kept}")
        first = version + 1
        while first - 1 in self.commits:
            first -= 1
        usable = tuple(files for files in self.checkpoints if first - 1 <= files.version <= version)
        if not usable and first > 0:
            gap = first - 1
            raise CorruptLogError(f"the log has no version {gap}, but later ones", path=commit_name(gap))
        return Segment(version, usable[:_ALTERNATIVES], from_start=first == 0)
