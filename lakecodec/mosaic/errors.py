"""Errors that say which file, which value in it and which byte."""

from __future__ import annotations

from ..runtime.errors import CodecError, DecodeError, EncodeError, path_in_file

FORMAT = "mosaic"


class ColumnFailure(Exception):
    """A data error in the column at a sorted position, before it is known where that stands."""

    def __init__(self, position: int, error: CodecError) -> None:
        super().__init__(position, error)
        self.position = position
        self.error = error


def broken(rule: str, *, file: str = "", path: str = "", offset: int | None = None) -> DecodeError:
    """The error for a rule that ``file`` breaks; ``offset`` counts from the start of the file."""
    return DecodeError(rule, format=FORMAT, path=path_in_file(file, path), offset=offset)


def unfit(rule: str, *, path: str = "") -> EncodeError:
    """The error for a value that no Mosaic file can hold."""
    return EncodeError(rule, format=FORMAT, path=path)


def relocated(error: DecodeError, *, file: str = "", path: str = "", start: int = 0) -> DecodeError:
    """``error`` of a part that begins at byte ``start`` of ``file`` and stands at ``path``."""
    joint = "." if path and error.path and not error.path.startswith("[") else ""
    offset = None if error.offset is None else error.offset + start
    return DecodeError(error.rule, format=FORMAT, path=path_in_file(file, f"{path}{joint}{error.path}"), offset=offset)


def column_path(name: str) -> str:
    """How paths call a column."""
    return f'columns["{name}"]'
