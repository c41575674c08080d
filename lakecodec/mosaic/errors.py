"""Errors of Mosaic files, with the file's name, the path of the value and the byte offset."""

from __future__ import annotations

from functools import partial

from ..runtime import errors
from ..runtime.errors import CodecError, EncodeError

FORMAT = "mosaic"


class ColumnFailure(Exception):
    """Data error in a column, raised where only its sorted position is known; callers add file, path and offset.

    Attributes:
        position: sorted position of the column.
        error: the error.
    """

    def __init__(self, position: int, error: CodecError) -> None:
        super().__init__(position, error)
        self.position = position
        self.error = error


broken = partial(errors.broken, FORMAT)
relocated = partial(errors.relocated, FORMAT)


def unsupported_value(rule: str, *, path: str = "") -> EncodeError:
    """Returns the EncodeError for a value that Mosaic cannot store."""
    return EncodeError(rule, format=FORMAT, path=path)


def column_path(name: str) -> str:
    """Returns the path of a column in errors, such as ``columns["id"]``."""
    return f'columns["{name}"]'
