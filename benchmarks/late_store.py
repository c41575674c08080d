"""A store in memory each of whose answers comes late, as a file system of fsspec with the scheme ``late``."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import fsspec
from fsspec.implementations.memory import MemoryFileSystem

#: Seconds that an answer takes.
LATENCY = 0.05


class LateStore(MemoryFileSystem):
    """Counts and delays reads, listings and questions for sizes."""

    protocol = "late"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    requests = 0

    def _wait(self) -> None:
        type(self).requests += 1
        time.sleep(LATENCY)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        self._wait()
        found: bytes = super().cat_file(path, start, end, **options)
        return found

    def ls(self, path: str, detail: bool = True, **options: Any) -> Any:
        self._wait()
        return super().ls(path, detail, **options)

    def info(self, path: str, **options: Any) -> Any:
        self._wait()
        return super().info(path, **options)


fsspec.register_implementation("late", LateStore, clobber=True)
