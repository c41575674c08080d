"""Errors about data, shared by all codecs."""

from __future__ import annotations

import os

#: The longest path that a message shows whole, in characters.
_LONGEST_PATH = 240


class CodecError(Exception):
    """Base of all errors about data.

    Attributes:
        format: name of the format or type, for instance ``"parquet.FileMetaData"`` or ``"row"``.
        path: path of the value in it (``"row_groups[3].columns[7].meta_data"``), ``""`` for the value itself.
        offset: byte offset in the caller's input, or ``None`` if the error concerns no byte of it.
        rule: the rule that was broken, in words.
    """

    def __init__(self, rule: str, *, format: str = "", path: str = "", offset: int | None = None) -> None:
        super().__init__(rule)
        self.rule = rule
        self.format = format
        self.path = path
        self.offset = offset

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.format, cut_path(self.path)) if part)
        at = "" if self.offset is None else f" (at byte {self.offset})"
        return f"{where}: {self.rule}{at}" if where else f"{self.rule}{at}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.rule, self.format, self.path, self.offset)


def _rebuild(cls: type[CodecError], rule: str, format: str, path: str, offset: int | None) -> CodecError:
    return cls(rule, format=format, path=path, offset=offset)


def format_name(cls: type) -> str:
    """Returns the name of a class's format in errors: ``module.Type``."""
    return f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}"


def join_path(place: str, path: str) -> str:
    """Returns ``place`` and ``path`` joined by a dot, or without one before an index; either may be empty."""
    return f"{place}.{path}" if place and path and path[0] != "[" else f"{place}{path}"


def cut_path(path: str) -> str:
    """Returns a path for messages: a long one without the steps in its middle."""
    if len(path) <= _LONGEST_PATH:
        return path
    half = _LONGEST_PATH // 2
    begin, end = path.rfind(".", 0, half), path.find(".", len(path) - half)
    return f"{path[: half if begin < 0 else begin]}. ... {path[-half if end < 0 else end :]}"


def path_in_file(file: str, path: str) -> str:
    """Returns the path of an error at ``path`` in ``file``; either may be empty."""
    return f"{file}: {path}" if file and path else file or path


class DecodeError(CodecError, ValueError):
    """Raised for bytes that break a rule of their format."""


class EncodeError(CodecError, ValueError):
    """Raised for a value that its format cannot hold."""


def broken(format: str, rule: str, *, file: str = "", path: str = "", offset: int | None = None) -> DecodeError:
    """Returns the DecodeError for a broken rule of a file's format.

    Args:
        format: name of the format.
        rule: the rule, as text.
        file: name of the file.
        path: path of the value in the file.
        offset: offset in bytes from the start of the file, None if unknown.
    """
    return DecodeError(rule, format=format, path=path_in_file(file, path), offset=offset)


def relocated(format: str, error: DecodeError, *, file: str = "", path: str = "", start: int = 0) -> DecodeError:
    """Returns an error of a part of a file as an error of the file.

    Args:
        format: name of the file's format.
        error: the error, with path and offset relative to the part.
        file: name of the file.
        path: path of the part in the file.
        start: offset of the part in bytes, added to that of the error.
    """
    offset = None if error.offset is None else error.offset + start
    return broken(format, error.rule, file=file, path=join_path(path, error.path), offset=offset)


def error_text(error: Exception) -> str:
    """Returns the text of an error; for an error of the operating system the file and the reason."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error) or type(error).__name__
    if not isinstance(error.filename, str | bytes | os.PathLike):
        return error.strerror
    name = os.fsdecode(error.filename)
    if not isinstance(error, FileNotFoundError):
        return f"{name!r}: {error.strerror}"
    folder = os.path.dirname(name)
    return f"there is no folder {folder!r}" if folder and not os.path.isdir(folder) else f"there is no file {name!r}"
