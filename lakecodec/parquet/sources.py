"""What a caller may pass as sources: one, several, or directories of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..runtime.ranges import RangeReader, filesystem_of, open_ranges


class Source(NamedTuple):
    """One file. ``name`` is its path or URL as the caller would write it, None where it has none."""

    value: Any
    name: str | None
    filesystem: Any = None

    @property
    def is_local(self) -> bool:
        """Whether ``value`` is the path of a local file."""
        return self.filesystem is None and isinstance(self.value, str)

    def open(self) -> RangeReader:
        ranges = open_ranges(self.value, filesystem=self.filesystem)
        if self.name is not None:
            ranges.name = self.name
        return ranges


def expand(sources: Any, filesystem: Any = None) -> list[Source]:
    """All files of ``sources``: a source, an iterable of sources, or directories in place of files.

    Directories are walked in order of names; names that begin with "." or "_" are not data and left out, unless they
    are partitions (``_key=value``).
    """
    found: list[Source] = []
    _expand(sources, filesystem, found)
    return found


def _expand(sources: Any, filesystem: Any, found: list[Source]) -> None:
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
    if filesystem is not None:
        files = _remote_files(filesystem, path)
        return [Source(file, file, filesystem) for file in ([path] if files is None else files)]
    if "://" in path:
        return _url(path)
    if os.path.isdir(path):
        return [Source(file, file) for file in _local_files(path)]
    return [Source(path, path)]


def _url(url: str) -> list[Source]:
    filesystem, path = filesystem_of(url)
    files = _remote_files(filesystem, path)
    if files is None:
        return [Source(path, url, filesystem)]
    return [Source(file, f"{url.rstrip('/')}/{_relative(file, path)}", filesystem) for file in files]


def _local_files(directory: str) -> Iterator[str]:
    for root, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if _is_data(name))
        yield from (os.path.join(root, name) for name in sorted(files) if _is_data(name))


def _remote_files(filesystem: Any, path: str) -> list[str] | None:
    """The data files below ``path``, or None if it is no directory."""
    if hasattr(filesystem, "get_file_info"):
        from pyarrow.fs import FileSelector, FileType

        if filesystem.get_file_info(path).type != FileType.Directory:
            return None
        found: Iterable[str] = (
            info.path for info in filesystem.get_file_info(FileSelector(path, recursive=True)) if info.is_file
        )
    elif hasattr(filesystem, "find"):
        if not filesystem.isdir(path):
            return None
        found = filesystem.find(path)
    else:
        raise TypeError(f"filesystem: a pyarrow or fsspec file system is needed, not {type(filesystem).__name__}")
    return sorted(file for file in found if all(map(_is_data, _relative(file, path).split("/"))))


def _relative(file: str, directory: str) -> str:
    inside = file.strip("/")
    prefix = directory.strip("/") + "/"
    return inside[len(prefix) :] if inside.startswith(prefix) else inside


def _is_data(name: str) -> bool:
    return not name.startswith(".") and (not name.startswith("_") or "=" in name)
