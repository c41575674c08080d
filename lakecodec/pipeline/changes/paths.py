"""Normalization of table paths."""

from __future__ import annotations

import os
from typing import Any


def table_path(path: Any, argument: str = "path") -> str:
    """Returns ``path`` as a URL or absolute path, valid on every machine of a cluster with one file system.

    Args:
        path: a str or os.PathLike.
        argument: name of the argument, for error messages.

    Raises:
        TypeError: it is of another type.
        ValueError: it is empty.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{argument}: a str or os.PathLike is needed, not {type(path).__name__}")
    text = os.fspath(path)
    if not text:
        raise ValueError(f"{argument}: empty")
    return text if "://" in text else os.path.abspath(text)
