"""Translation of pyarrow's errors to DecodeError and EncodeError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from ..runtime.errors import CodecError, DecodeError, EncodeError
from .kinds import FileKind

#: Errors caused by the data. Other errors are caused by the machine.
_ABOUT_DATA = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, pa.ArrowKeyError, pa.ArrowIndexError)


@contextmanager
def reading(kind: FileKind, path: str) -> Iterator[None]:
    """Context manager that raises pyarrow's errors about data as a DecodeError with the format and path of the file."""
    with _translated(DecodeError, kind, path):
        yield


@contextmanager
def writing(kind: FileKind, path: str) -> Iterator[None]:
    """Context manager that raises pyarrow's errors about data as an EncodeError with the format and path of the file."""
    with _translated(EncodeError, kind, path):
        yield


@contextmanager
def _translated(error: type[CodecError], kind: FileKind, path: str) -> Iterator[None]:
    """Context manager that raises pyarrow's errors about data as ``error``."""
    try:
        yield
    except _ABOUT_DATA as cause:
        raise error(" ".join(str(cause).split()), format=kind.value, path=path) from cause
    except OSError as cause:
        # Errors of the machine have a number; pages with a wrong checksum or compression do not.
        if cause.errno is not None:
            raise
        raise error(" ".join(str(cause).split()), format=kind.value, path=path) from cause
