"""Types of the arguments that stand for files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Buffer


class ReadableFile(Protocol):
    """A seekable binary file: of Python, fsspec or pyarrow."""

    def read(self, size: int = -1, /) -> bytes: ...
    def seek(self, offset: int, whence: int = 0, /) -> int: ...


class WritableFile(Protocol):
    """A binary file or stream to which bytes are written in order."""

    def write(self, data: bytes, /) -> object: ...


#: A path or URL, the bytes of a whole file, or an open file.
SourceLike: TypeAlias = "str | os.PathLike[str] | Buffer | ReadableFile"
#: Several sources: a list, or a directory.
SourcesLike: TypeAlias = "str | os.PathLike[str] | Iterable[SourceLike]"
#: A path or URL, or an open file.
TargetLike: TypeAlias = "str | os.PathLike[str] | WritableFile"
