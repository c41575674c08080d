"""The commits of a table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ...runtime.urls import with_options
from .commit_info import CommitInfo
from .errors import VersionNotFoundError, no_table
from .log import Log


def history(path: Any, *, storage_options: Mapping[str, Any] | None = None) -> list[CommitInfo]:
    """Returns the commits that the log of the table at ``path`` still has, newest version first.

    There is one `CommitInfo` per commit file (``_delta_log/<version>.json``); versions before log cleanup are missing.

    Args:
        path: path or URL of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no Delta table at ``path``.
    """
    found = Log(with_options(path, storage_options)).history()
    if not found:
        raise VersionNotFoundError(no_table(os.fspath(path)))
    return found
