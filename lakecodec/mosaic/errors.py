"""Errors of Mosaic files, with the file's name, the path of the value and the byte offset."""

from __future__ import annotations

from ..runtime.errors import CodecError, DecodeError, EncodeError, path_in_file

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


def broken(rule: str, *, file: str = "", path: str = "", offset: int | None = None) -> DecodeError:
    """Returns the DecodeError for a broken rule of the format.

    Args:
        rule: the rule, as text.
        file: name of the file.
        path: path of the value in the file.
        offset: offset in bytes from the start of the file, None if unknown.
    """
    return DecodeError(rule, format=FORMAT, path=path_in_file(file, path), offset=offset)


def unfit(rule: str, *, path: str = "") -> EncodeError:
    """Returns the EncodeError for a value that Mosaic cannot store."""
    return EncodeError(rule, format=FORMAT, path=path)


def relocated(error: DecodeError, *, file: str = "", path: str = "", start: int = 0) -> DecodeError:
    """Returns an error of a part of a file as an error of the file.

    Args:
        error: the error, with path and offset relative to the part.
        file: name of the file.
        path: path of the part in the file.
        start: offset of the part in bytes, added to that of the error.
    """
    joint = "." if path and error.path and not error.path.startswith("[") else ""
    offset = None if error.offset is None else error.offset + start
    return DecodeError(error.rule, format=FORMAT, path=path_in_file(file, f"{path}{joint}{error.path}"), offset=offset)


def column_path(name: str) -> str:
    """Returns the path of a column in errors, such as ``columns["id"]``."""
    return f'columns["{name}"]'
