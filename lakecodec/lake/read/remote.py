"""Files of known size in an object store, read with few requests, as many as possible at once."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from ...runtime.coalesce import Span, read_spans
from ...runtime.ranges import Buffer, RangeReader
from ..log.storage import fsspec_client, range_getter

#: Bytes at the end of a file that its first read fetches: what a store transfers in the time of one request.
_TAIL = 1 << 20


class RemoteReader(RangeReader):
    """Reader of a file that caches the file's end.

    The size is not requested: the caller knows it from the table's metadata.
    """

    def __init__(self, client: Any, path: str, size: int) -> None:
        super().__init__(path, size, range_getter(client, path), lambda: None)
        self._tail: Buffer = b""

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Buffer:
        start = self.size - len(self._tail)
        if not self._tail and length and offset + length == self.size:
            start = max(0, min(offset, self.size - _TAIL))
            self._tail = memoryview(super().read(start, self.size - start))
        if offset >= start:
            return self._tail[offset - start : offset - start + length]
        return super().read(offset, length)

    def with_spans(self, spans: Sequence[Span]) -> RangeReader:
        """Returns a reader of the same file with some cached ranges, which are fetched now, all at once."""
        start = self.size - len(self._tail)
        missing = [span for span in spans if span[0] < start]
        return _Fetched(self, list(zip(missing, read_spans(self, missing), strict=True)))


class _Fetched(RangeReader):
    """Reader of a file with some fetched ranges."""

    def __init__(self, reader: RemoteReader, parts: Sequence[tuple[Span, Buffer]]) -> None:
        super().__init__(reader.name, reader.size, reader.read, lambda: None)
        self._parts = parts

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Buffer:
        for (first, size), data in self._parts:
            if first <= offset and offset + length <= first + size:
                return data[offset - first : offset - first + length]
        return super().read(offset, length)


class _File(io.RawIOBase):
    """A reader as a file object, for pyarrow."""

    def __init__(self, reader: RangeReader) -> None:
        self._reader, self._position = reader, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def size(self) -> int:
        return self._reader.size

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._reader.size}[whence]
        self._position = base + offset
        return self._position

    def read(self, size: int | None = -1) -> Any:  # pyarrow needs no copy as bytes
        left = max(0, self._reader.size - self._position)
        length = left if size is None or size < 0 else min(size, left)
        data = self._reader.read(self._position, length) if length else b""
        self._position += length
        return data


def remote_reader(filesystem: Any, path: str, size: int | None) -> RemoteReader | None:
    """Returns a reader of a file of a store; None for other file systems and if the size is unknown."""
    client = fsspec_client(filesystem)
    return None if client is None or not size else RemoteReader(client, path, size)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Adds the path of a file to errors of its storage that do not name it."""
    try:
        yield
    except OSError as error:
        if path.rpartition("/")[2] in str(error):
            raise
        # Exception classes of clients may take other arguments, so their built-in base class is raised.
        kind = next(each for each in type(error).__mro__ if each.__module__ == "builtins")
        raise kind(f"{path}: {error}") from error


def as_file(reader: RangeReader) -> Any:
    """Returns a reader as a pyarrow file."""
    return pa.PythonFile(_File(reader), mode="r")


def chunk_spans(metadata: Any, row_group: int, columns: Iterable[str]) -> list[Span]:
    """Returns (offset, size) of some columns' chunks in a row group of a Parquet file; columns are given by name."""
    wanted = set(columns)
    group = metadata.row_group(row_group)
    found = []
    for number in range(group.num_columns):
        chunk = group.column(number)
        names = chunk.path_in_schema.split(".")
        if any(".".join(names[:end]) in wanted for end in range(1, len(names) + 1)):
            offsets = (chunk.dictionary_page_offset, chunk.data_page_offset)
            start = min(offset for offset in offsets if offset)
            found.append((start, chunk.total_compressed_size))
    return found
