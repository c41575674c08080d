"""Destinations of the writer: a path that is replaced when the file is complete, or a stream."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Callable
from typing import Any

from .native import load
from .ranges import RangeReader
from .urls import filesystem_of

#: Bytes per read while copying: they stay in the processor's cache until they are written.
_BLOCK = 2**20
_PAGE = 4096

_file_reads = load("runtime.native.file_reads")


class Sink:
    """Destination of a file's bytes.

    Attributes:
        position: bytes written so far.
    """

    def __init__(
        self,
        write: Callable[[Any], Any],
        commit: Callable[[], None],
        abort: Callable[[], None],
        descriptor: int | None = None,
    ) -> None:
        self.position = 0
        self._descriptor = descriptor
        self._room: memoryview | None = None
        self._write = write
        self._commit = commit
        self._abort = abort

    def write(self, data: Any) -> None:
        """Appends all bytes of ``data``.

        Raises:
            OSError: the destination takes no more bytes.
        """
        view = memoryview(data)
        while view.nbytes:
            written = self._write(view)
            # Raw files may write only a part; some streams write all and return no number.
            count: int = view.nbytes if written is None else written
            if count <= 0:
                raise OSError("where: the stream takes no more bytes")
            self.position += count
            view = view[count:]

    def reserve(self, size: int) -> None:
        """Announces ``size`` more bytes: a local file gets its space at once, which is cheaper than block by block."""
        if self._descriptor is not None and _file_reads is not None and size >= _BLOCK:
            _file_reads.reserve(self._descriptor, self.position, size)

    def copy(self, ranges: RangeReader, start: int, end: int) -> None:
        """Appends the bytes between two offsets of a source; from file to file the system copies them where it can.

        Raises:
            ValueError: the range is not within the source.
            DecodeError: the source ends before its size.
            OSError: the destination takes no more bytes.
        """
        start += self._copied_by_the_system(ranges, start, end)
        if self._room is None and start < end:
            self._room = memoryview(bytearray(_BLOCK))
        while start < end:
            # Each write ends at a block boundary, since writing partial pages is slower.
            size = min(_BLOCK - self.position % _BLOCK, end - start)
            self.write(ranges.read(start, size, self._room))
            start += size

    def _copied_by_the_system(self, ranges: RangeReader, start: int, end: int) -> int:
        """Returns the number of bytes that the system copied from file to file; 0 if it cannot."""
        source, target = ranges.descriptor, self._descriptor
        # The system's copy is faster than reading and writing only if both positions are page-aligned.
        aligned = start % _PAGE == self.position % _PAGE == 0
        if source is None or target is None or not aligned or not hasattr(os, "copy_file_range"):
            return 0
        offset = start
        try:
            while offset < end and (count := os.copy_file_range(source, target, end - offset, offset)):
                offset += count
                self.position += count
        except OSError as error:
            # The system's copy is not supported on this file system, or not between the two.
            if error.errno not in (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
                raise
        return offset - start

    def commit(self) -> None:
        """Completes the file: a path gets the new file, a stream is flushed."""
        self._commit()

    def abort(self) -> None:
        """Discards the file: the temporary file of a path is removed, a stream keeps what was written."""
        self._abort()


def open_sink(where: Any, *, filesystem: Any = None, argument: str = "where", sync: bool = False) -> Sink:
    """Returns a sink that writes to a path, a URL or a binary file object.

    For a path the bytes go to a temporary file in the same folder, which is renamed at the end and has
    the permissions of the file that it replaces. A file object stays open; the file begins at its current position.

    Args:
        where: the path, URL or file object.
        filesystem: the pyarrow or fsspec file system of the path ``where``.
        argument: the caller's name of ``where``, for errors.
        sync: if True, a local file is on disk before it gets its name, and its name is on disk after `Sink.commit`.

    Raises:
        TypeError: ``where`` is none of these.
        OSError: the file cannot be created.
    """
    if isinstance(where, os.PathLike):
        where = os.fspath(where)
    if isinstance(where, str):
        if filesystem is not None:
            return _on_filesystem(filesystem, where)
        if "://" in where:
            return _on_filesystem(*filesystem_of(where))
        return _local(where, argument, sync)
    if filesystem is not None:
        raise TypeError(f"{argument}: a path in the file system is needed, not {type(where).__name__}")
    if hasattr(where, "write") and not isinstance(where, io.TextIOBase):
        return Sink(where.write, getattr(where, "flush", _nothing), _nothing)
    raise TypeError(f"{argument}: a path, URL or binary file object is needed, not {type(where).__name__}")


def _local(path: str, argument: str, sync: bool) -> Sink:
    """Returns a sink that writes to a local path."""
    if os.path.isdir(path):
        raise IsADirectoryError(f"{argument}: {path!r} is a directory")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise FileNotFoundError(f"{argument}: there is no folder {os.path.dirname(path)!r}")
    temporary = _temporary_name(path, os.sep)
    file = open(temporary, "xb", buffering=0)  # noqa: SIM115 -- commit and abort close it
    if os.path.exists(path):
        os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))

    def commit() -> None:
        if sync:
            os.fsync(file.fileno())
        file.close()
        os.replace(temporary, path)
        if sync:
            _sync_folder(os.path.dirname(path) or ".")

    def abort() -> None:
        file.close()
        if os.path.exists(temporary):
            os.unlink(temporary)

    return Sink(file.write, commit, abort, file.fileno())


def _sync_folder(path: str) -> None:
    """Writes a folder's entries to disk; does nothing on Windows, which cannot open folders."""
    if os.name != "nt":
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _on_filesystem(filesystem: Any, path: str) -> Sink:
    """Returns a sink that writes to a path in a pyarrow or fsspec file system."""
    temporary = _temporary_name(path, "/")
    if hasattr(filesystem, "open_output_stream"):
        file = filesystem.open_output_stream(temporary)
        move, remove = filesystem.move, filesystem.delete_file
    elif hasattr(filesystem, "cat_file"):
        file = filesystem.open(temporary, "wb")
        move, remove = filesystem.mv, filesystem.rm
    else:
        raise TypeError(f"filesystem: a pyarrow or fsspec file system is needed, not {type(filesystem).__name__}")

    def commit() -> None:
        file.close()
        move(temporary, path)

    def abort() -> None:
        try:
            file.close()
        finally:
            remove(temporary)

    return Sink(file.write, commit, abort)


def _temporary_name(path: str, separator: str) -> str:
    """Returns the hidden name of a temporary file in the same folder."""
    folder, slash, name = path.rpartition(separator)
    return f"{folder}{slash}.{name}.{os.urandom(8).hex()}.tmp"


def _nothing() -> None:
    """Does nothing: streams keep what was written and stay open."""
