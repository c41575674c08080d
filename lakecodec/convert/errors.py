"""Errors of pyarrow's readers and writers as those of this project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from ..runtime.errors import CodecError, DecodeError, EncodeError
from .kinds import FileKind

#: Errors about the data; others are about the machine.
_ABOUT_DATA = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, pa.ArrowKeyError, pa.ArrowIndexError)


@contextmanager
def reading(kind: FileKind, path: str) -> Iterator[None]:
    """Turns pyarrow's errors about data into a DecodeError of the file."""
    with _translated(DecodeError, kind, path):
        yield


@contextmanager
def writing(kind: FileKind, path: str) -> Iterator[None]:
    """Turns pyarrow's errors about data into an EncodeError of the file."""
    with _translated(EncodeError, kind, path):
        yield


@contextmanager
def _translated(error: type[CodecError], kind: FileKind, path: str) -> Iterator[None]:
    try:
        yield
    except _ABOUT_DATA as cause:
        raise error(" ".join(str(cause).split()), format=kind.value, path=path) from cause
