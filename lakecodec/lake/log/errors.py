"""Exceptions of a Delta log."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...runtime.errors import DecodeError


class LogError(Exception):
    """Base of all errors of a table's log."""


class CorruptLogError(LogError, DecodeError):
    """Raised for bytes of the log that break a rule of PROTOCOL.md; ``path`` is the file, ``offset`` is in bytes."""

    def __init__(self, rule: str, *, format: str = "delta", path: str = "", offset: int | None = None) -> None:
        super().__init__(rule, format=format, path=path, offset=offset)


class UnsupportedTableError(LogError):
    """Raised if the table uses an unsupported table feature; ``feature`` is its name in the protocol."""

    def __init__(self, message: str, feature: str = "") -> None:
        super().__init__(message)
        self.feature = feature


class VersionNotFoundError(LogError, LookupError):
    """Raised for a version or time outside the history that the log still has, or a path without a table."""


def no_table(path: str) -> str:
    """Returns the message that there is no table at a path."""
    remedy = "; `lakecodec query` and `lakecodec convert` read files" if os.path.isfile(path) else ""
    return f"there is no Delta table at {path!r}{remedy}"


class SchemaMismatchError(LogError, ValueError):
    """Raised if data does not fit the table's schema; ``columns`` names the columns that do not fit."""

    def __init__(self, message: str, columns: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.columns = tuple(columns)


class ConflictError(LogError, FileExistsError):
    """Raised if concurrent commits conflict with this one, which was not made.

    Attributes:
        versions: the versions of the concurrent commits.
        moved: True if they only moved rows to other files, so that the change can safely be computed again.
    """

    def __init__(self, message: str, versions: Sequence[int] = (), *, moved: bool = False) -> None:
        super().__init__(message)
        self.versions = tuple(versions)
        self.moved = moved


class UnknownOutcomeError(LogError):
    """Raised if it is unknown whether the commit was made. Repeating it with the same ``txn_id`` is safe."""

    def __init__(self, message: str, txn_id: str = "", version: int | None = None) -> None:
        super().__init__(message)
        self.txn_id = txn_id
        self.version = version


class CommitRefusedError(LogError):
    """Raised if the file system has no put-if-absent operation, without which a commit could be lost."""
