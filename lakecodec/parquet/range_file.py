"""Byte ranges as a file that other libraries read."""

from __future__ import annotations

import io

from ..runtime.ranges import RangeReader


class RangeFile(io.RawIOBase):
    """A seekable binary file over byte ranges. Closing it closes them only with ``owns``."""

    def __init__(self, ranges: RangeReader, *, owns: bool = False) -> None:
        self._ranges, self._at, self._owns = ranges, 0, owns

    @property
    def name(self) -> str:
        """Path or URL of the source."""
        return self._ranges.name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._ranges.size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._ranges.size - self._at)
        data = bytes(self._ranges.read(self._at, left if size is None or size < 0 else min(size, left)))
        self._at += len(data)
        return data

    def close(self) -> None:
        if self._owns and not self.closed:
            self._ranges.close()
        super().close()
