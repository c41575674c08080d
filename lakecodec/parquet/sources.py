"""Expansion of the sources that a caller passes: one, several, or directories of files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ..runtime.ranges import RangeReader, filesystem_of, open_ranges


class Stamp(NamedTuple):
    """The state of a stored file: another content has another one.

    Attributes:
        size: in bytes.
        changed: time of the last change, of a local file or of its inode, in nanoseconds since 1970; None if the storage
            does not tell.
        etag: what the storage calls the content; for local files the inode and the time that the file says of itself.
    """

    size: int
    changed: int | None
    etag: str


class Source(NamedTuple):
    """One file.

    Attributes:
        value: a path in ``filesystem``, a local path, a buffer or a file object.
        name: path or URL as the caller would write it, None for a source without one.
        filesystem: a pyarrow or fsspec file system, None for local paths, buffers and file objects.
        listed: what the listing of a directory said of the file: a pyarrow FileInfo or fsspec's dict.
    """

    value: Any
    name: str | None
    filesystem: Any = None
    listed: Any = None

    @property
    def is_local(self) -> bool:
        """True if ``value`` is the path of a local file."""
        return self.filesystem is None and isinstance(self.value, str)

    def open(self) -> RangeReader:
        """Returns an open reader of the file's byte ranges."""
        ranges = open_ranges(self.value, filesystem=self.filesystem)
        if self.name is not None:
            ranges.name = self.name
        return ranges


def expand(sources: Any, filesystem: Any = None) -> list[Source]:
    """Returns all files of ``sources``: a source, a directory, or an iterable of both.

    Directories are walked in order of names; names that begin with "." or "_" are skipped, except partitions
    (``_key=value``). Generators are consumed; file objects are not iterated.

    Raises:
        TypeError: ``filesystem`` is neither a pyarrow nor an fsspec file system.
    """
    found: list[Source] = []
    _expand(sources, filesystem, found)
    return found


def _expand(sources: Any, filesystem: Any, found: list[Source]) -> None:
    """Appends the files of ``sources`` to ``found``."""
    if isinstance(sources, str):
        found += _path(sources, filesystem)
    elif isinstance(sources, os.PathLike):
        _expand(os.fspath(sources), filesystem, found)
    elif isinstance(sources, (list, tuple)) or (isinstance(sources, Iterator) and not hasattr(sources, "read")):
        for source in sources:
            _expand(source, filesystem, found)
    else:
        name = getattr(sources, "name", None)
        found.append(Source(sources, name if isinstance(name, str) and name else None, filesystem))


def _path(path: str, filesystem: Any) -> list[Source]:
    """Returns the files of a path or URL, more than one for a directory."""
    if filesystem is not None:
        files = _remote_files(filesystem, path)
        found = {path: None} if files is None else files
        return [Source(file, file, filesystem, listed) for file, listed in found.items()]
    if "://" in path:
        return _url(path)
    if os.path.isdir(path):
        return [Source(file, file) for file in _local_files(path)]
    return [Source(path, path)]


def _url(url: str) -> list[Source]:
    """Returns the files of a URL, more than one for a directory."""
    filesystem, path = filesystem_of(url)
    files = _remote_files(filesystem, path)
    if files is None:
        return [Source(path, url, filesystem)]
    base = url.rstrip("/")
    return [Source(file, f"{base}/{_relative(file, path)}", filesystem, listed) for file, listed in files.items()]


def _local_files(directory: str) -> Iterator[str]:
    """Yields the paths of the data files below a local directory."""
    for root, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if _is_data(name))
        yield from (os.path.join(root, name) for name in sorted(files) if _is_data(name))


def _remote_files(filesystem: Any, path: str) -> dict[str, Any] | None:
    """Returns the sorted paths of the data files below ``path``, with what the listing says, or None if it is not a directory."""
    if hasattr(filesystem, "get_file_info"):
        from pyarrow.fs import FileSelector, FileType

        if filesystem.get_file_info(path).type != FileType.Directory:
            return None
        found = {
            info.path: info for info in filesystem.get_file_info(FileSelector(path, recursive=True)) if info.is_file
        }
    elif hasattr(filesystem, "find"):
        if not filesystem.isdir(path):
            return None
        found = filesystem.find(path, detail=True)
    else:
        raise TypeError(f"filesystem: a pyarrow or fsspec file system is needed, not {type(filesystem).__name__}")
    return {file: found[file] for file in sorted(found) if all(map(_is_data, _relative(file, path).split("/")))}


def _relative(file: str, directory: str) -> str:
    """Returns the path of a file relative to a directory."""
    inside = file.strip("/")
    prefix = directory.strip("/") + "/"
    return inside[len(prefix) :] if inside.startswith(prefix) else inside


def _is_data(name: str) -> bool:
    """Returns True for names of data files and of partition directories."""
    return not name.startswith(".") and (not name.startswith("_") or "=" in name)


def stamps(files: Sequence[Source]) -> list[Stamp | None]:
    """Returns the state of each file, None where it is not known: buffers, file objects, files that cannot be asked for."""
    return [_stamp(file) for file in files]


def _stamp(file: Source) -> Stamp | None:
    """Returns the state of a file, asked for unless a listing said it."""
    if not isinstance(file.value, str):
        return None
    try:
        if file.filesystem is None:
            found = os.stat(file.value)
            changed = max(found.st_mtime_ns, found.st_ctime_ns)
            return Stamp(found.st_size, changed, f"{found.st_ino:x}-{found.st_mtime_ns:x}")
        listed = file.listed
        if hasattr(file.filesystem, "get_file_info"):
            info = listed or file.filesystem.get_file_info(file.value)
            return None if info.size is None or info.mtime_ns is None else Stamp(info.size, info.mtime_ns, "")
        return _of_fsspec(listed or file.filesystem.info(file.value))
    except OSError:
        return None


def _of_fsspec(info: dict[str, Any]) -> Stamp | None:
    """Returns the state in a file's description by fsspec, whose keys depend on the storage."""
    size = info.get("size")
    etag = next((info[key] for key in ("ETag", "etag", "md5Hash", "content_md5") if info.get(key)), "")
    changed = next((info[key] for key in ("LastModified", "last_modified", "mtime", "updated") if info.get(key)), None)
    if size is None or (changed is None and not etag):
        return None
    if isinstance(changed, str):
        changed, etag = None, f"{etag} {changed}"
    seconds = changed.timestamp() if isinstance(changed, datetime) else changed
    return Stamp(int(size), None if seconds is None else int(seconds * 1_000_000_000), str(etag))
