"""Expansion of paths, directories, glob patterns and URLs to lists of data files."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pyarrow import fs

from ..runtime.urls import arrow_filesystem_of, with_options


class FileEntry(NamedTuple):
    """A data file: its absolute path or URL, and its size in bytes."""

    path: str
    size: int


def is_hidden(name: str) -> bool:
    """Returns True for a name that Spark's listings skip: ``_SUCCESS``, ``.part.crc``, but not the partition ``_key=1``."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def list_files(paths: Iterable[str]) -> list[FileEntry]:
    """Returns the data files behind paths, in the order of the paths and sorted by name below each.

    Directories are listed recursively without hidden names; a path of a single file is taken regardless of its name.
    Glob patterns work on local paths. A file found through several paths is listed once.

    Args:
        paths: local paths, local glob patterns, or URLs.

    Raises:
        FileNotFoundError: a path that does not exist, or a pattern that matches nothing.
        ValueError: an empty path, a glob pattern in a URL, or a URL whose scheme needs a missing package.
    """
    found: dict[str, FileEntry] = {}
    for path in paths:
        for entry in _expand(path):
            found.setdefault(entry.path, entry)
    return list(found.values())


def _expand(path: str) -> Iterator[FileEntry]:
    if not path:
        raise ValueError("path: empty")
    scheme = urlsplit(path).scheme
    if len(scheme) > 1 and scheme != "file":  # one letter is a Windows drive
        yield from _list_remote(path)
        return
    local = os.path.abspath(_local_path(path) if scheme == "file" else path)
    if os.path.exists(local):
        yield from _list_local(local)
        return
    matches = [match for match in sorted(glob.glob(local, recursive=True)) if not _hidden_below(match, local)]
    if not matches:
        raise FileNotFoundError(f"path: {path!r} does not exist")
    for match in matches:
        yield from _list_local(match)


def _local_path(url: str) -> str:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        raise ValueError(f"path: a file URL must not name a host: {url}")
    return unquote(parts.path)


def _hidden_below(match: str, pattern: str) -> bool:
    """Returns True if a glob match has a hidden part that is not literally in the pattern."""
    spelled = set(pattern.split(os.sep))
    return any(is_hidden(part) and part not in spelled for part in match.split(os.sep))


def _list_local(path: str) -> Iterator[FileEntry]:
    if os.path.isdir(path):
        yield from _walk(path, frozenset())
    else:
        yield FileEntry(path, os.stat(path).st_size)


def _walk(directory: str, above: frozenset[tuple[int, int]]) -> Iterator[FileEntry]:
    """Yields the files below a directory; links are followed, except to a directory that is already being walked."""
    status = os.stat(directory)
    identity = (status.st_dev, status.st_ino)
    if identity in above:
        return
    with os.scandir(directory) as scan:
        children = sorted(scan, key=lambda child: child.name)
    for child in children:
        if is_hidden(child.name):
            continue
        if child.is_dir():
            yield from _walk(child.path, above | {identity})
        else:
            yield FileEntry(child.path, _size(child))


def _size(child: os.DirEntry[str]) -> int:
    """Returns the size of a file in bytes; 0 for a dangling link, since reading it raises the error with its name."""
    try:
        return child.stat().st_size
    except OSError:
        return 0


def _list_remote(url: str) -> Iterator[FileEntry]:
    if any(mark in url for mark in "*?["):
        raise ValueError(f"path: glob patterns work on local paths only: {url}")
    filesystem, path = arrow_filesystem_of(url)
    yield from list_filesystem(filesystem, path, url)


def list_filesystem(filesystem: fs.FileSystem, path: str, url: str) -> Iterator[FileEntry]:
    """Yields the data files at or below ``path`` of a pyarrow file system, sorted by path.

    Args:
        filesystem: a pyarrow file system.
        path: a file or directory in it.
        url: URL of ``path``, extended for the entries' URLs; its query is kept.

    Raises:
        FileNotFoundError: ``path`` does not exist.
    """
    root = filesystem.get_file_info(path)
    if root.type == fs.FileType.NotFound:
        raise FileNotFoundError(f"path: {url!r} does not exist")
    if root.type == fs.FileType.File:
        yield FileEntry(url, root.size or 0)
        return
    base = url.partition("?")[0].rstrip("/")
    query = url.partition("?")[2]
    for info in sorted(filesystem.get_file_info(fs.FileSelector(path, recursive=True)), key=lambda info: info.path):
        below = info.path[len(path.rstrip("/")) :].lstrip("/")
        if info.type == fs.FileType.File and not any(is_hidden(part) for part in below.split("/")):
            found = f"{base}/{below}" + (f"?{query}" if query else "")
            yield FileEntry(with_options(found, getattr(url, "options", None)), info.size or 0)
