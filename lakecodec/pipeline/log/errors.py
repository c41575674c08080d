"""What can be wrong with a Delta log, with a request to it, or with a commit."""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime.errors import DecodeError


class LogError(Exception):
    """Base of all errors of a table's log."""


class CorruptLogError(LogError, DecodeError):
    """Bytes of the log that break a rule of the protocol: ``path`` is the file, ``offset`` counts from its start."""

    def __init__(self, rule: str, *, format: str = "delta", path: str = "", offset: int | None = None) -> None:
        super().__init__(rule, format=format, path=path, offset=offset)


class UnsupportedTableError(LogError):
    """The table uses a feature that is not supported here; ``feature`` is its name in the protocol."""

    def __init__(self, message: str, feature: str = "") -> None:
        super().__init__(message)
        self.feature = feature


class VersionNotFoundError(LogError, LookupError):
    """A version or a time outside the history that the log still has, or a path without a table."""


class SchemaMismatchError(LogError, ValueError):
    """Data that does not fit the table; ``columns`` names what does not."""

    def __init__(self, message: str, columns: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.columns = tuple(columns)


class ConflictError(LogError, FileExistsError):
    """Other commits came first and contradict this one, which was not made; ``versions`` are theirs."""

    def __init__(self, message: str, versions: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.versions = tuple(versions)


class UnknownOutcomeError(LogError):
    """Whether the commit was made could not be found out. Repeating it with the same ``txn_id`` is safe."""

    def __init__(self, message: str, txn_id: str = "", version: int | None = None) -> None:
        super().__init__(message)
        self.txn_id = txn_id
        self.version = version


class CommitRefusedError(LogError):
    """The file system has no operation that creates a file only where there is none, so a commit could be lost."""
