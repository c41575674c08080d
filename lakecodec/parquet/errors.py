"""Errors that say which file, which value in it and which byte."""

from __future__ import annotations

from ..runtime.errors import DecodeError, path_in_file

FORMAT = "parquet"


def broken(rule: str, *, file: str = "", path: str = "", offset: int | None = None) -> DecodeError:
    """The error for a rule that ``file`` breaks; ``offset`` counts from the start of the file."""
    return DecodeError(rule, format=FORMAT, path=path_in_file(file, path), offset=offset)


def relocated(error: DecodeError, *, file: str = "", path: str = "", start: int = 0) -> DecodeError:
    """``error`` of a struct that begins at byte ``start`` of ``file`` and stands at ``path``."""
    inner = error.path if not path else path if not error.path else f"{path}.{error.path}"
    offset = None if error.offset is None else error.offset + start
    return DecodeError(error.rule, format=FORMAT, path=path_in_file(file, inner), offset=offset)
