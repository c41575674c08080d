"""Expansion of the sources that a caller passes: one, several, or directories of files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..runtime.file_tails import states
from ..runtime.ranges import RangeReader, open_ranges
from ..runtime.urls import below, filesystem_of, look_at
from .threads import map_threads

if TYPE_CHECKING:
    import numpy as np

#: Stands for a modification time or inode that the storage does not report.
UNKNOWN = -1


class Stamps(NamedTuple):
    """The states of stored files: another content has another one.

    Attributes:
        numbers: for each file its size in bytes; the time of the last change, of a local file or of its inode, in
            nanoseconds since 1970; of a local file the inode, and the time that the file says of itself. int64, four
            columns; `UNKNOWN` where the storage does not tell.
        etags: what the storage calls the content of each file, ``""`` if nothing, None where the state is not known:
            buffers, file objects, files that cannot be asked for.
    """

    numbers: np.ndarray[Any, np.dtype[np.int64]]
    etags: list[str | None]


class Source(NamedTuple):
    """One file.

    Attributes:
        value: a path in ``filesystem``, a local path, a buffer or a file object.
        name: path or URL as the caller would write it, None for a source without one.
        filesystem: a pyarrow or fsspec file system, None for local paths, buffers and file objects.
        listed: what the file system said of the file, alone or in a directory: a pyarrow FileInfo or fsspec's dict.
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
        ranges = open_ranges(self.value, filesystem=self.filesystem, info=self.listed)
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
    if not any(map(_is_remote, found)):
        return found
    # Each folder is a request to the storage.
    return [file for files in map_threads(_below, found, None) for file in files]


def _is_remote(source: Source) -> bool:
    return source.filesystem is not None and isinstance(source.value, str)


def _expand(sources: Any, filesystem: Any, found: list[Source]) -> None:
    """Appends the files of ``sources`` to ``found``. Remote paths are appended unchanged."""
    if isinstance(sources, str):
        found += _path(sources, filesystem)
    elif isinstance(sources, os.PathLike):
        _expand(os.fspath(sources), filesystem, found)
    elif filesystem is None and _are_files(sources):
        found += map(Source, sources, sources)
    elif isinstance(sources, (list, tuple)) or (isinstance(sources, Iterator) and not hasattr(sources, "read")):
        for source in sources:
            _expand(source, filesystem, found)
    else:
        name = getattr(sources, "name", None)
        found.append(Source(sources, name if isinstance(name, str) and name else None, filesystem))


def _are_files(sources: Any) -> bool:
    """Returns True for a list of local paths without a directory."""
    if type(sources) is not list or not all(type(source) is str and "://" not in source for source in sources):
        return False
    return not any(map(os.path.isdir, sources))


def _path(path: str, filesystem: Any) -> list[Source]:
    """Returns a remote path or URL, or the files of a local path, more than one for a directory."""
    if filesystem is not None:
        return [Source(path, path, filesystem)]
    if "://" in path:
        filesystem, inside = filesystem_of(path)
        return [Source(inside, path, filesystem)]
    if os.path.isdir(path):
        local = list(_local_files(path))
        return list(map(Source, local, local))
    return [Source(path, path)]


def _below(source: Source) -> list[Source]:
    """Returns the files of a source, several for a remote directory, with their states by the file system."""
    if not _is_remote(source):
        return [source]
    filesystem, path, name = source.filesystem, source.value, source.name or ""
    is_directory, info = look_at(filesystem, path)
    if not is_directory:
        return [source._replace(listed=info)]
    files = _remote_files(filesystem, path)
    names = files if name == path else [below(name, _relative(file, path)) for file in files]
    return [Source(file, shown, filesystem, files[file]) for file, shown in zip(files, names, strict=True)]


def _local_files(directory: str) -> Iterator[str]:
    """Yields the paths of the data files below a local directory."""
    for root, folders, files in os.walk(directory):
        folders[:] = sorted(filter(_is_data, folders))
        start = os.path.join(root, "")
        yield from [start + name for name in sorted(files) if name[0] not in "._" or _is_data(name)]


def _remote_files(filesystem: Any, path: str) -> dict[str, Any]:
    """Returns the sorted paths of the data files below a directory, with their states by the listing."""
    if hasattr(filesystem, "get_file_info"):
        from pyarrow.fs import FileSelector

        found = {
            info.path: info for info in filesystem.get_file_info(FileSelector(path, recursive=True)) if info.is_file
        }
    else:
        found = filesystem.find(path, detail=True)
    return {file: found[file] for file in sorted(found) if all(map(_is_data, _relative(file, path).split("/")))}


def _relative(file: str, directory: str) -> str:
    """Returns the path of a file relative to a directory."""
    inside = file.strip("/")
    prefix = directory.strip("/") + "/"
    return inside[len(prefix) :] if inside.startswith(prefix) else inside


def _is_data(name: str) -> bool:
    """Returns True for names of data files and of partition directories."""
    return not name.startswith(".") and (not name.startswith("_") or "=" in name)


def stamps(files: Sequence[Source]) -> Stamps:
    """Returns the states of files, from the listing or else from the file system."""
    import numpy as np

    numbers = np.full((len(files), 4), UNKNOWN, np.int64)
    etags: list[str | None] = [None] * len(files)
    local = [number for number, file in enumerate(files) if file.is_local]
    found = np.empty((len(local), 4), np.int64)
    states(list(map(os.fsencode, [files[number].value for number in local])), found)
    numbers[local] = found
    for number, is_there in zip(local, (found[:, 0] != UNKNOWN).tolist(), strict=True):
        if is_there:
            etags[number] = ""
    stored = [number for number, file in enumerate(files) if file.filesystem is not None]
    # Each file is a request to the storage, unless a listing already reported its state.
    for number, state in zip(stored, map_threads(_of_stored, [files[each] for each in stored], None), strict=True):
        if state is not None:
            size, changed, etags[number] = state
            numbers[number, :2] = size, UNKNOWN if changed is None else changed
    return Stamps(numbers, etags)


def _of_stored(file: Source) -> tuple[int, int | None, str | None] | None:
    """Returns size, time of change and ETag of a file in a file system, None if they are not available.

    The last is None if its state is not known.
    """
    try:
        return _identity(file)
    except OSError:
        return None


def _identity(file: Source) -> tuple[int, int | None, str | None]:
    if hasattr(file.filesystem, "get_file_info"):
        info = file.listed or file.filesystem.get_file_info(file.value)
        is_known = info.size is not None and info.mtime_ns is not None
        return info.size or 0, info.mtime_ns, "" if is_known else None
    size, changed, etag = _of_fsspec(file.listed or file.filesystem.info(file.value))
    is_known = size is not None and (changed is not None or etag != "")
    return int(size or 0), changed, etag if is_known else None


def _of_fsspec(info: dict[str, Any]) -> tuple[Any, int | None, str]:
    """Returns size, time of change and ETag in a file's description by fsspec, whose keys depend on the storage."""
    size = info.get("size")
    etag = next((info[key] for key in ("ETag", "etag", "md5Hash", "content_md5") if info.get(key)), "")
    changed: Any = next(
        (info[key] for key in ("LastModified", "last_modified", "mtime", "updated") if info.get(key)), None
    )
    if isinstance(changed, str):
        changed, etag = None, f"{etag} {changed}"
    if hasattr(changed, "timestamp"):
        changed = changed.timestamp()
    return size, None if changed is None else int(changed * 1_000_000_000), str(etag)
