"""Put-if-absent, the one operation that a commit needs.

| where | how |
|---|---|
| local (any POSIX file system with hard links, NTFS) | a temporary file, synced, then linked to its name |
| S3 through s3fs | a PUT with `If-None-Match: *` |
| Google Cloud Storage through gcsfs | an upload with `ifGenerationMatch=0` |
| Azure through adlfs | an upload with `overwrite=False` |
| fsspec's memory file system | under a lock |

All others refuse, pyarrow's own clients of object stores among them: they can only overwrite. A store that ignores the
condition would overwrite too, so each bucket is tried once per process before the first commit.
"""

from __future__ import annotations

import errno
import inspect
import os
import threading
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from pyarrow import fs

from .errors import CommitRefusedError
from .names import TEMPORARY

_MEMORY = threading.Lock()
#: Per client, the buckets whose probe showed that they refuse to overwrite an existing file.
_PROVEN: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
_NO_LINKS = frozenset((errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS))


def put_if_absent(filesystem: Any, path: str, data: bytes) -> None:
    """Creates ``path`` with all of ``data`` atomically, or not at all.

    Raises:
        FileExistsError: ``path`` exists.
        CommitRefusedError: the file system has no such operation.
        OSError: any other failure.
    """
    if isinstance(filesystem, fs.LocalFileSystem):
        directory, name = os.path.split(path)
        LocalDirectory(directory).link(name, data)
        return
    remote, condition = _condition(filesystem)
    with _MEMORY if "memory" in _protocols(remote) else nullcontext():
        _pipe(remote, path, data, **condition)


def check_put(filesystem: Any, directory: str) -> None:
    """Checks that existing files cannot be overwritten; an object store is tried in ``directory``, once per bucket.

    Raises:
        CommitRefusedError: the client has no such operation, or the store ignores it.
        OSError: the store could not be tried.
    """
    if isinstance(filesystem, fs.LocalFileSystem):
        return
    remote, condition = _condition(filesystem)
    bucket = directory.strip("/").partition("/")[0]
    if "memory" in _protocols(remote) or bucket in _PROVEN.get(remote, ()):
        return
    path = f"{directory}/.probe.{uuid4().hex}{TEMPORARY}"
    with suppress(FileExistsError):  # a client that retries may find the file of its own first request
        _pipe(remote, path, b"1", **condition)
    try:
        _pipe(remote, path, b"2", **condition)
    except FileExistsError:
        _PROVEN.setdefault(remote, set()).add(bucket)
    else:
        raise CommitRefusedError(
            f"the store of {directory!r} overwrites a file although it was asked to create it only where there is none, "
            "so a commit could be lost; use a store that supports conditional writes (S3: If-None-Match)"
        )
    finally:
        with suppress(Exception):  # a store may forbid deletion; readers ignore the name of the remaining file
            remote.rm_file(path)


def _condition(filesystem: Any) -> tuple[Any, dict[str, Any]]:
    """Returns an fsspec client, and the arguments that make its upload fail if the file exists."""
    remote = getattr(getattr(filesystem, "handler", None), "fs", None)
    protocols = _protocols(remote)
    if "memory" in protocols or (protocols & {"s3", "gs", "gcs"} and _supports_condition(remote, "mode")):
        return remote, {"mode": "create"}
    if protocols & {"abfs", "az"} and _supports_condition(remote, "overwrite"):
        return remote, {"overwrite": False}
    kind = type(filesystem if remote is None else remote).__name__
    raise CommitRefusedError(
        f"{kind} cannot create a file only where there is none, so a commit could be lost; "
        "install s3fs, gcsfs or adlfs for the object stores"
    )


def _protocols(remote: Any) -> set[str]:
    protocol = getattr(remote, "protocol", ())
    return {protocol} if isinstance(protocol, str) else set(protocol)


def _pipe(remote: Any, path: str, data: bytes, **condition: Any) -> None:
    try:
        remote.pipe_file(path, data, **condition)
    except OSError:
        raise
    except Exception as error:
        # Clients of object stores raise error types of their own. A commit only needs to know if its outcome is known.
        if type(error).__name__ == "ResourceExistsError":  # adlfs passes Azure's errors on
            raise FileExistsError(path) from error
        raise OSError(f"{type(error).__name__}: {error}") from error


def _supports_condition(remote: Any, parameter: str) -> bool:
    """Returns True if this release of the client knows the condition: older ones would overwrite."""
    return parameter in inspect.signature(type(remote)._pipe_file).parameters


@dataclass(frozen=True, slots=True)
class LocalDirectory:
    """A local directory in which files are created atomically and synced to disk."""

    root: str

    def names(self, directory: str) -> list[str]:
        """Returns the plain names of the files and folders of a directory; none if it does not exist, or is a file."""
        try:
            return os.listdir(os.path.join(self.root, directory))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def link(self, file: str, data: bytes) -> None:
        """Creates a file by a hard link; raises FileExistsError if it exists, CommitRefusedError without hard links."""
        target = Path(self.root, file)
        temporary = self._temporary(target, data)
        try:
            os.link(temporary, target)
        except FileExistsError:
            raise
        except OSError as error:
            if os.stat(temporary).st_nlink == 2:  # a network file system may create the link and lose the reply
                return
            if error.errno in _NO_LINKS:
                raise CommitRefusedError(
                    f"the file system of {str(target.parent)!r} has no hard links, so a commit could be lost"
                ) from error
            raise
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
        _sync(target.parent)

    def replace(self, file: str, data: bytes) -> None:
        """Creates or replaces a file by a rename."""
        target = Path(self.root, file)
        temporary = self._temporary(target, data)
        try:
            os.replace(temporary, target)
        except OSError:
            os.unlink(temporary)
            raise
        _sync(target.parent)

    def _temporary(self, target: Path, data: bytes) -> Path:
        """Returns a new, synced file with ``data`` in the directory of ``target``; nothing is left if that fails."""
        if not target.parent.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            _sync(target.parent.parent)
        temporary = target.parent / f".{target.name}.{uuid4().hex}{TEMPORARY}"
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
        return temporary


def _sync(directory: Path) -> None:
    if os.name == "nt":
        return
    fd = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
