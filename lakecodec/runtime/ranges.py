"""Byte ranges of files, URLs, buffers and file objects."""

from __future__ import annotations

import io
import mmap
import os
import stat
import sys
import threading
import weakref
from collections.abc import Callable
from importlib import import_module
from typing import Any, Self

from .errors import DecodeError
from .native import load
from .urls import filesystem_of

_file_reads = load("runtime.native.file_reads")

#: Size in bytes from which reads reuse memory: page faults of fresh memory take longer than the reads.
_LARGE = 2**20
#: Bytes of a mapped file that are read before its pages are released.
_MOST_FORGOTTEN = 4 * 2**20
#: Bytes that the system maps around a touched byte.
_NEIGHBOURS = 64 * 1024
#: The largest number of bytes that are copied from a mapped file if they are needed only once.
_COPIED = 2**20

#: Ranges of a mapped file are copied if the span around them is more than this many times as large.
_SPARSE = 4

Buffer = Any


class RangeReader:
    """Reader of byte ranges of one source; safe to use from several threads.

    Attributes:
        name: path or URL of the source, ``""`` if it has none.
        size: size of the source in bytes.
        reads: number of range reads so far; slices of memory do not count.
        in_memory: whether `read` returns slices and does no I/O.
        descriptor: the file descriptor of a local file, for copies by the system; None for everything else.
        known_tail: the end of the source if it was read before, for `TailCache`.
    """

    in_memory = False
    known_tail: memoryview | None = None
    descriptor: int | None = None

    def __init__(
        self,
        name: str,
        size: int,
        fetch: Callable[[int, int], Buffer],
        close: Callable[[], object],
        fetch_into: Callable[[int, memoryview], int] | None = None,
    ) -> None:
        self.name = name
        self.size = size
        self.reads = 0
        self._fetch = fetch
        self._fetch_into = fetch_into
        self._close = close

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Buffer:
        """Returns exactly ``length`` bytes from ``offset`` on; stored in ``room`` if they fit and the source supports it.

        Raises:
            ValueError: the range is not within the source.
            DecodeError: the source ends before its size.
        """
        if offset < 0 or length < 0 or offset + length > self.size:
            raise ValueError(f"offset, length: {offset} + {length} is outside the {self.size} bytes of {self.name!r}")
        self.reads += 1
        if room is None or self._fetch_into is None or len(room) < length:
            data = self._fetch(offset, length)
        else:
            data = room[: self._fetch_into(offset, room[:length])]
        if len(data) != length:
            raise DecodeError(
                f"the source ends early: {length} bytes were asked for", path=self.name, offset=offset + len(data)
            )
        return data

    def release(self) -> None:
        """Releases mapped pages; a later read gets them from the page cache."""

    def close(self) -> None:
        """Closes what `open_ranges` opened; a file object that the caller passed stays open."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class MemoryReader(RangeReader):
    """Reader of bytes in memory, which returns slices without a copy; it is its own `TailCache`."""

    in_memory = True
    reads = 0
    start = 0

    def __init__(self, data: Buffer, name: str = "") -> None:
        view = memoryview(data)
        if data.__class__ is not bytes:
            if not view.c_contiguous:
                raise TypeError("source: a C-contiguous buffer is needed")
            if view.format != "B" or view.ndim != 1:
                view = view.cast("B") if view.nbytes else memoryview(b"")
        self._view = view
        self.name = name
        self.size = len(view)

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Buffer:
        if offset < 0 or length < 0 or offset + length > self.size:
            raise ValueError(f"offset, length: {offset} + {length} is outside the {self.size} bytes")
        return self._view[offset : offset + length]

    def gather(self, starts: Any, sizes: Any) -> tuple[Buffer, Any]:
        """Returns a buffer that holds many ranges, and the offset of each in it.

        Args:
            starts, sizes: int64 NumPy arrays of offsets and sizes in bytes, within the source.
        """
        return self._view, starts

    def piece(self, offset: int, length: int) -> Buffer:
        """Returns bytes of the source that are needed only once; fewer if the source has become shorter."""
        return self.read(offset, length)

    def extend(self, start: int) -> None:
        """Does nothing: all bytes are in memory."""

    def close(self) -> None:
        """Does nothing: the bytes are the caller's."""


class MappedReader(MemoryReader):
    """Reader of a local file that is not empty, mapped into memory while the reader or a slice of it is in use."""

    def __init__(self, path: str) -> None:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        # The descriptor outlives `close`, since threads may still read: its number must not be reused for another file.
        weakref.finalize(self, os.close, fd)
        self._fd = fd
        self._map = mmap.mmap(fd, 0, access=mmap.ACCESS_READ)
        super().__init__(self._map, path)
        self._forgotten = 0

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Buffer:
        self._forget(length + _NEIGHBOURS)
        return super().read(offset, length)

    def gather(self, starts: Any, sizes: Any) -> tuple[Buffer, Any]:
        total = int(sizes.sum())
        extent = int((starts + sizes).max() - starts.min()) if total else 0
        # Touching a page also maps its neighbours, so sparse ranges are copied.
        if _file_reads is not None and total < extent // _SPARSE:
            data = _file_reads.gather(self._fd, starts, sizes)
            if data is not None:
                return data, sizes.cumsum() - sizes
        self._forget(min(total + len(sizes) * _NEIGHBOURS, extent + _NEIGHBOURS))
        return super().gather(starts, sizes)

    def piece(self, offset: int, length: int) -> Buffer:
        # Copying through the processor's caches is cheaper than mapping pages, reading them once and releasing them.
        if length <= _COPIED and hasattr(os, "pread"):
            return os.pread(self._fd, length, offset)
        return self.read(offset, length)

    def _forget(self, length: int) -> None:
        """Releases mapped pages after a number of bytes has been read."""
        # Pages are released in bulk, since a system call costs more than a few pages.
        self._forgotten += length
        if self._forgotten >= _MOST_FORGOTTEN:
            self.release()

    def release(self) -> None:
        self._forgotten = 0
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)


def open_ranges(source: Any, *, filesystem: Any = None, info: Any = None) -> RangeReader:
    """Returns a reader of ``source``, to be used as a context manager.

    Args:
        source: a path or URL (str or os.PathLike), bytes-like, pyarrow NativeFile, fsspec file, or seekable binary
            file object (whose position moves).
        filesystem: the pyarrow or fsspec file system of the path ``source``.
        info: the result of an fsspec file system's ``info`` for the path, which saves a request.

    Raises:
        TypeError: ``source`` is none of these.
        OSError: the file cannot be opened.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return MemoryReader(source)
    if isinstance(source, RangeReader):
        return _borrowed(source)
    if isinstance(source, os.PathLike):
        source = os.fspath(source)
    if filesystem is not None:
        if not isinstance(source, str):
            raise TypeError(f"source: a path in the file system is needed, not {type(source).__name__}")
        return _on_filesystem(filesystem, source, source, info)
    if isinstance(source, str):
        if "://" in source:
            filesystem, path = filesystem_of(source)
            return _on_filesystem(filesystem, path, source)
        return _open_local(source)
    if hasattr(source, "read_at") and hasattr(source, "size"):
        return _native_file(source, _name_of(source), lambda: None)
    if "fsspec" in sys.modules and (reader := _fsspec_file(source)) is not None:
        return reader
    if _is_buffer(source):
        return MemoryReader(source)
    if hasattr(source, "seek") and hasattr(source, "read"):
        return _file_object(source)
    raise TypeError(
        f"source: a path, URL, bytes-like object or binary file object is needed, not {type(source).__name__}"
    )


def map_ranges(source: Any, *, filesystem: Any = None) -> RangeReader:
    """Returns a reader of ``source`` as `open_ranges` does, which maps a local file into memory unless it is empty."""
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    is_local = isinstance(path, str) and filesystem is None and "://" not in path
    if is_local and os.path.isfile(path) and os.path.getsize(path):
        return MappedReader(path)
    return open_ranges(source, filesystem=filesystem)


def _borrowed(reader: RangeReader) -> RangeReader:
    if reader.in_memory:
        return reader
    found = RangeReader(reader.name, reader.size, reader.read, lambda: None)
    found.known_tail = reader.known_tail
    return found


def _is_buffer(source: Any) -> bool:
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def _open_local(path: str) -> RangeReader:
    if not hasattr(os, "pread"):
        file = open(path, "rb")  # noqa: SIM115 -- the reader closes it
        return RangeReader(path, os.fstat(file.fileno()).st_size, _seeking(file), file.close)
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    status = os.fstat(fd)
    if stat.S_ISDIR(status.st_mode):
        os.close(fd)
        raise IsADirectoryError(f"source: {path!r} is a directory")
    if stat.S_ISFIFO(status.st_mode):
        os.close(fd)
        raise ValueError(
            f"source: {path!r} is a pipe, which cannot be read from its end: make a file of it, or pass its bytes"
        )

    def fetch(offset: int, length: int) -> Buffer:
        if length >= _LARGE and (native := load("runtime.native._compact")) is not None:
            return memoryview(native.read(fd, offset, length))
        data = os.pread(fd, length, offset)
        # One call returns at most 2 GiB.
        while 0 < len(data) < length and (more := os.pread(fd, length - len(data), offset + len(data))):
            data += more
        return data

    def fetch_into(offset: int, room: memoryview) -> int:
        done = os.preadv(fd, [room], offset)
        while 0 < done < len(room) and (more := os.preadv(fd, [room[done:]], offset + done)):
            done += more
        return done

    into = fetch_into if hasattr(os, "preadv") else None
    reader = RangeReader(path, status.st_size, fetch, lambda: os.close(fd), into)
    reader.descriptor = fd
    return reader


def _on_filesystem(filesystem: Any, path: str, name: str, info: Any = None) -> RangeReader:
    if hasattr(filesystem, "open_input_file"):
        file = filesystem.open_input_file(path)
        return _native_file(file, name, file.close)
    if hasattr(filesystem, "cat_file"):
        return _fsspec_path(filesystem, path, name, info)
    raise TypeError(f"filesystem: a pyarrow or fsspec file system is needed, not {type(filesystem).__name__}")


def _native_file(file: Any, name: str, close: Callable[[], object]) -> RangeReader:
    return RangeReader(name, file.size(), lambda offset, length: file.read_at(length, offset), close)


def _fsspec_path(filesystem: Any, path: str, name: str, info: Any = None) -> RangeReader:
    try:
        info = info or filesystem.info(path)
    except FileNotFoundError:
        raise FileNotFoundError(f"source: there is no file {name!r}") from None
    if info.get("type") == "directory":
        raise IsADirectoryError(f"source: {name!r} is a directory")
    if (size := info.get("size")) is None:
        raise ValueError(f"source: the file system does not know the size of {name!r}")

    def fetch(offset: int, length: int) -> bytes:
        data: bytes = filesystem.cat_file(path, start=offset, end=offset + length)
        return data

    return RangeReader(name, size, fetch, lambda: None)


def _fsspec_file(source: Any) -> RangeReader | None:
    """Returns a reader that bypasses the read-ahead cache of an fsspec file; None for other objects."""
    open_file, buffered_file = import_module("fsspec.core").OpenFile, import_module("fsspec.spec").AbstractBufferedFile
    if isinstance(source, open_file) and source.compression is None:
        return _fsspec_path(source.fs, source.path, source.path)
    if isinstance(source, buffered_file) and source.mode == "rb":
        return _fsspec_path(source.fs, source.path, source.path)
    return None


def _file_object(file: Any) -> RangeReader:
    if isinstance(file, io.TextIOBase):
        raise TypeError("source: the file is open in text mode, binary mode is needed")
    return RangeReader(_name_of(file), file.seek(0, os.SEEK_END), _seeking(file), lambda: None)


def _seeking(file: Any) -> Callable[[int, int], Buffer]:
    lock = threading.Lock()

    def fetch(offset: int, length: int) -> bytes:
        parts = []
        with lock:
            file.seek(offset)
            while length > 0 and (part := file.read(length)):
                parts.append(part)
                length -= len(part)
        return b"".join(parts)

    return fetch


def _name_of(file: Any) -> str:
    name = getattr(file, "name", "")
    return name if isinstance(name, str) else ""
