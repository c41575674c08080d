"""Errors that name the file, the path of the value in it and the byte offset."""

from __future__ import annotations

from ..runtime.errors import DecodeError, path_in_file

FORMAT = "parquet"


def broken(rule: str, *, file: str = "", path: str = "", offset: int | None = None) -> DecodeError:
    """Returns a DecodeError for a rule that ``file`` breaks; ``offset`` is in bytes from the start of the file."""
    return DecodeError(rule, format=FORMAT, path=path_in_file(file, path), offset=offset)


def relocated(error: DecodeError, *, file: str = "", path: str = "", start: int = 0) -> DecodeError:
    """Returns ``error`` with path and offset relative to ``file``; its struct is at ``path``, ``start`` bytes into the file."""
    inner = error.path if not path else path if not error.path else f"{path}.{error.path}"
    offset = None if error.offset is None else error.offset + start
    return DecodeError(error.rule, format=FORMAT, path=path_in_file(file, inner), offset=offset)
