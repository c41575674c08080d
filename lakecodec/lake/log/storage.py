"""Storage of a table on any file system: reads, lists, replaces and deletes files by paths relative to the table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from pyarrow import fs

from ...delta import resolve_path
from ...delta.paths import plain_path
from ...runtime.exact import exact_path
from ...runtime.urls import filesystem_of
from .atomic_write import LocalDirectory, check_put, put_if_absent
from .names import LOG, TEMPORARY

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


@dataclass(frozen=True, slots=True)
class FileInfo:
    """A file: its path relative to the directory listed, its size in bytes, and its modification time (now, if unknown)."""

    path: str
    size: int
    modified: datetime


class Storage:
    """A table's directory on a file system.

    Attributes:
        filesystem: a pyarrow file system.
        root: path of the directory in it.
        name: the path or URL as the caller wrote it.
    """

    def __init__(self, path: Any, filesystem: Any = None) -> None:
        path = exact_path("path", path)
        if not path:
            raise ValueError("path: empty")
        self.name = path
        if filesystem is None:
            filesystem, path = filesystem_of(path) if "://" in path else (fs.LocalFileSystem(), os.path.abspath(path))
        self.filesystem, self.root = _arrow_filesystem(filesystem, path.rstrip("/") or "/")

    @property
    def local(self) -> LocalDirectory | None:
        """The directory on the local file system; None if the table is elsewhere."""
        return LocalDirectory(self.root) if isinstance(self.filesystem, fs.LocalFileSystem) else None

    def path(self, file: str) -> str:
        """Returns the path in the file system of ``file``, which is relative to the table or absolute."""
        return file if "://" in file or file.startswith("/") else f"{self.root.rstrip('/')}/{file}"

    def locate(self, add_path: str) -> str:
        """Returns the path in the file system of an ``add.path``, which is URI-encoded.

        Raises:
            DecodeError: the path's URI encoding is broken.
        """
        found = resolve_path(self.root, add_path)
        if not (scheme := _SCHEME.match(add_path)):
            return found
        inside = found[scheme.end() :].lstrip("/")
        return plain_path(f"/{inside}") if self.local is not None else inside

    def read(self, file: str) -> bytes:
        """Returns all bytes of a file; raises FileNotFoundError if there is none."""
        path = self.path(file)
        if (client := fsspec_client(self.filesystem)) is not None:
            client.invalidate_cache(path.rpartition("/")[0])
            found: bytes = client.cat_file(path, **_in_one_request(client))
            return found
        with self.filesystem.open_input_file(path) as source:
            data: bytes = source.read()
        return data

    def read_range(self, file: str, offset: int, length: int) -> bytes:
        """Returns bytes of a file, fewer at its end; raises FileNotFoundError if there is none."""
        return self.read_at(self.path(file), offset, length)

    def read_at(self, path: str, offset: int, length: int) -> bytes:
        """Returns bytes of a file as `read_range` does, for a path in the file system."""
        if (client := fsspec_client(self.filesystem)) is not None:
            return range_getter(client, path)(offset, length)
        with self.filesystem.open_input_file(path) as source:
            source.seek(offset)
            found: bytes = source.read(length)
        return found

    def open(self, file: str) -> Any:
        """Returns a pyarrow file for random access; raises FileNotFoundError if there is none."""
        return self.filesystem.open_input_file(self.path(file))

    def info(self, path: str) -> FileInfo | None:
        """Returns the file at a path in the file system, None if there is none."""
        if (client := fsspec_client(self.filesystem)) is not None:
            try:
                details = client.info(path)
            except FileNotFoundError:
                return None
            return _described(path, details) if details["type"] == "file" else None
        found = self.filesystem.get_file_info(path)
        if found.type != fs.FileType.File:
            return None
        return FileInfo(path, found.size or 0, found.mtime or datetime.now(UTC))

    def walk(self, directory: str, *, recursive: bool = False) -> Iterator[FileInfo]:
        """Yields the files of a directory of the table, in no particular order; none if it does not exist."""
        base = self.path(directory) if directory else self.root
        if (client := fsspec_client(self.filesystem)) is not None:
            client.invalidate_cache(base)
            found_files = client.find(base, maxdepth=None if recursive else 1, detail=True)
            for path, details in found_files.items():
                # Some object stores return paths without the leading slash.
                if inside := path.strip("/")[len(base.strip("/")) :].lstrip("/"):
                    yield _described(inside, details)
            return
        selector = fs.FileSelector(base, allow_not_found=True, recursive=recursive)
        for found in self.filesystem.get_file_info(selector):
            if found.type == fs.FileType.File:
                inside = found.path.strip("/")[len(base.strip("/")) :].lstrip("/")
                yield FileInfo(inside, found.size or 0, found.mtime or datetime.now(UTC))

    def names(self, directory: str) -> list[str]:
        """Returns the plain names of the entries of a directory of the table."""
        if (local := self.local) is not None:
            return local.names(directory)
        if (client := fsspec_client(self.filesystem)) is not None:
            # One request: pyarrow would make a second one to check that the path is a directory.
            client.invalidate_cache(self.path(directory) if directory else self.root)
            try:
                found = client.ls(self.path(directory) if directory else self.root, detail=True)
            except FileNotFoundError:
                return []
            return [entry["name"].rpartition("/")[2] for entry in found if entry["type"] == "file"]
        return [info.path for info in self.walk(directory)]

    def put_if_absent(self, file: str, data: bytes) -> None:
        """Creates a file with all its bytes or not at all.

        Raises:
            FileExistsError: the file exists.
            CommitRefusedError: the file system has no such operation.
            OSError: any other failure; remote stores may still create the file.
        """
        put_if_absent(self.filesystem, self.path(file), data)

    def check_put(self) -> None:
        """Checks that the file system has a put-if-absent, and that an object store obeys it.

        Raises:
            CommitRefusedError: it has none, or ignores it.
            OSError: the store could not be tried.
        """
        check_put(self.filesystem, self.path(LOG))

    def replace(self, file: str, data: bytes) -> None:
        """Writes a file atomically: readers see the old bytes or the new ones."""
        if (local := self.local) is not None:
            local.replace(file, data)
        elif _uploads_are_atomic(self.filesystem):
            self._write(self.path(file), data)
        else:
            directory, _, name = self.path(file).rpartition("/")
            temporary = f"{directory}/.{name}.{uuid4().hex}{TEMPORARY}"
            self._write(temporary, data)
            self.filesystem.move(temporary, self.path(file))

    def delete(self, path: str) -> None:
        """Deletes the file at a path in the file system; a missing one is no error."""
        try:
            self.filesystem.delete_file(path)
        except FileNotFoundError:
            return

    def _write(self, path: str, data: bytes) -> None:
        with self.filesystem.open_output_stream(path) as sink:
            sink.write(data)


def _described(path: str, details: Mapping[str, Any]) -> FileInfo:
    """Returns a file from fsspec's description; pyarrow knows only one of the names for the time of change."""
    names = ("LastModified", "last_modified", "mtime", "updated", "modified", "created")
    modified: Any = next((details[name] for name in names if details.get(name)), None)
    if isinstance(modified, str):
        modified = datetime.fromisoformat(modified)
    elif isinstance(modified, int | float):
        modified = datetime.fromtimestamp(modified, UTC)
    if not isinstance(modified, datetime):
        modified = datetime.now(UTC)
    return FileInfo(path, details["size"] or 0, modified if modified.tzinfo else modified.replace(tzinfo=UTC))


def fsspec_client(filesystem: Any) -> Any:
    """Returns the fsspec file system inside a pyarrow one; None if there is none."""
    return getattr(filesystem.handler, "fs", None) if isinstance(filesystem, fs.PyFileSystem) else None


def _protocols(client: Any) -> tuple[str, ...]:
    protocol = getattr(client, "protocol", ())
    return (protocol,) if isinstance(protocol, str) else tuple(protocol)


def range_getter(client: Any, path: str) -> Callable[[int, int], bytes]:
    """Returns a function (offset, length) -> bytes for a file of an fsspec file system, with one request per call."""
    options = _in_one_request(client)

    def fetch(offset: int, length: int) -> bytes:
        found: bytes = client.cat_file(path, start=offset, end=offset + length, **options)
        return found

    return fetch


def _in_one_request(client: Any) -> dict[str, Any]:
    """Returns options of ``cat_file`` for a single request: s3fs would ask for the size first to split the read."""
    return {"max_concurrency": 1} if _is_s3(client) else {}


def _is_s3(client: Any) -> bool:
    return "s3" in _protocols(client)


def _uploads_are_atomic(filesystem: Any) -> bool:
    """Returns True for object stores, which show an upload only when it is complete."""
    if isinstance(filesystem, fs.PyFileSystem):
        return not {"s3", "gs", "gcs", "abfs", "abfss", "az", "memory"}.isdisjoint(
            _protocols(fsspec_client(filesystem))
        )
    kinds = [getattr(fs, name, None) for name in ("S3FileSystem", "GcsFileSystem", "AzureFileSystem")]
    return isinstance(filesystem, tuple(kind for kind in kinds if kind is not None))


def _arrow_filesystem(filesystem: Any, path: str) -> tuple[Any, str]:
    """Returns ``filesystem`` as a pyarrow one (a local one unwrapped), and ``path`` in it."""
    if isinstance(filesystem, fs.SubTreeFileSystem):
        base = filesystem.base_path.rstrip("/")
        return _arrow_filesystem(filesystem.base_fs, f"{base}/{path.lstrip('/')}")
    if isinstance(filesystem, fs.PyFileSystem) and isinstance(filesystem.handler, fs.FSSpecHandler):
        return _arrow_filesystem(filesystem.handler.fs, path)
    if isinstance(filesystem, fs.LocalFileSystem):
        return filesystem, os.path.abspath(path)
    if isinstance(filesystem, fs.FileSystem):
        return filesystem, path
    strip: Callable[[str], str] | None = getattr(filesystem, "_strip_protocol", None)
    if strip is None:
        raise TypeError(f"filesystem: a pyarrow or fsspec file system is needed, not {type(filesystem).__name__}")
    protocol = filesystem.protocol
    if "file" in ((protocol,) if isinstance(protocol, str) else protocol):
        return fs.LocalFileSystem(), os.path.abspath(strip(path))
    return fs.PyFileSystem(fs.FSSpecHandler(filesystem)), strip(path)


def table_path(path: Any, argument: str = "path") -> str:
    """Returns ``path`` as a URL or absolute path, valid on every machine of a cluster with one file system.

    Args:
        path: a str or os.PathLike.
        argument: name of the argument, for error messages.

    Raises:
        TypeError: it has another type.
        ValueError: it is empty.
    """
    text = exact_path(argument, path)
    if not text:
        raise ValueError(f"{argument}: empty")
    return text if "://" in text else os.path.abspath(text)
