"""Staging of a directory's new files, which stay invisible until all are complete."""

from __future__ import annotations

import ctypes
import os
import shutil
from contextlib import suppress
from typing import Any

from pyarrow import fs

from ...lake.listing import is_hidden
from ...lake.log.storage import Storage

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


class Staging:
    """Staging directory for the new files of a directory.

    On a local file system it is a hidden directory beside the target; a new directory, or on Linux a replaced one, appears in
    one rename, so that readers see the old files or the new ones. Elsewhere it is below the target, and files are moved one
    by one.

    Args:
        target: path or URL of the directory, which need not exist.
        job: id in the name of the staging directory.
    """

    def __init__(self, target: str, job: str) -> None:
        self.target = target
        self._storage = Storage(os.path.realpath(target) if "://" not in target else target)
        root = self._storage.root
        parent, _, name = root.rpartition("/")
        self._local = self._storage.local is not None
        self._stage = f"{parent}/.{name}.{job}" if self._local else f"{root}/_staging-{job}"

    def holds(self, name: str) -> bool:
        """Returns True if the target directory has an entry of this name."""
        info = self._storage.filesystem.get_file_info(self._storage.path(name))
        return bool(info.type != fs.FileType.NotFound)

    def begin(self) -> None:
        """Creates the staging directory. Tasks do not create it, since a task that outlives its job would create it
        again."""
        if self._local:
            os.makedirs(self._stage)

    def new_file(self, name: str) -> tuple[Any, str]:
        """Returns a pyarrow file system and the path in it for a new file."""
        return self._storage.filesystem, f"{self._stage}/{name}"

    def publish(self, names: list[str], *, replace: bool) -> None:
        """Moves files from the staging directory to the target; other staged files are dropped.

        Args:
            names: names of the files.
            replace: True to replace the files of the target, False to add to them.
        """
        if self._local:
            self._drop_others(names)
            if not os.path.exists(self._storage.root):
                os.rename(self._stage, self._storage.root)
                return
            if replace and _exchange(self._stage, self._storage.root):
                self.discard()
                return
        old = [info.path for info in self._storage.walk("", recursive=True)] if replace else []
        for name in names:
            self._storage.filesystem.move(f"{self._stage}/{name}", self._storage.path(name))
        for path in old:
            if not any(is_hidden(part) for part in path.split("/")):
                self._storage.delete(self._storage.path(path))
        self.discard()

    def discard(self) -> None:
        """Deletes the staging directory."""
        if self._local:
            # Tasks may still be writing. After the rename they cannot find the folder.
            gone = f"{self._stage}.gone"
            with suppress(FileNotFoundError):
                os.rename(self._stage, gone)
            shutil.rmtree(gone, ignore_errors=True)
            return
        with suppress(OSError):
            self._storage.filesystem.delete_dir(self._stage)

    def _drop_others(self, names: list[str]) -> None:
        """Deletes files of task attempts that did not count."""
        for name in set(os.listdir(self._stage)) - set(names):
            os.unlink(f"{self._stage}/{name}")


def _exchange(first: str, second: str) -> bool:
    """Swaps two directories atomically and returns True; False where the system cannot."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    done: int = rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE)
    return done == 0
