"""Sources over which records with placed fields are opened."""

from __future__ import annotations

from typing import Any, Protocol

from ..errors import DecodeError
from ..limits import MAX_PLACED


class Source(Protocol):
    """A random-access source of bytes: ``size`` in bytes, and ``read(offset, length)``, which returns a bytes-like object."""

    size: int

    def read(self, offset: int, length: int) -> Any: ...


class Counted:
    """A source that limits the number of reads: if places share bytes, few bytes can mean endlessly many records."""

    def __init__(self, source: Source) -> None:
        self._source: Any = source
        self.size = source.size
        self._left = self._most

    @property
    def _most(self) -> int:
        return MAX_PLACED + 8 * self.size

    def read(self, offset: int, length: int) -> Any:
        """Returns bytes at an offset.

        Raises:
            DecodeError: there were more than MAX_PLACED reads plus eight per byte.
        """
        self._left -= 1
        if self._left < 0:
            raise DecodeError(f"more than {self._most} fields are placed in {self.size} bytes", offset=offset)
        return self._source.read(offset, length)


def again(source: Any, offset: int, length: int) -> bytes:
    """Returns bytes of a source that may be needed any number of times: they are not counted as a field."""
    uncounted = source._source if isinstance(source, Counted) else source
    return bytes(uncounted.read(offset, length))


def holds(source: Source, data: bytes) -> bool:
    """Returns whether these are all of a source's bytes."""
    return source.size == len(data) and again(source, 0, source.size) == data


def counted(source: Any) -> Counted:
    """Returns the counted source over a source or bytes; a counted one is returned itself."""
    if isinstance(source, Counted):
        return source
    return Bytes(source) if isinstance(source, bytes | memoryview) else Counted(source)


class Bytes(Counted):
    """A counted source over bytes in memory; reads are views, not copies."""

    def __init__(self, data: Any) -> None:
        super().__init__(_View(data))

    @property
    def data(self) -> Any:
        """The object that has the bytes."""
        return self._source.read(0, self.size).obj

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (again(self, 0, self.size),)


class _View:
    __slots__ = ("_view", "size")

    def __init__(self, data: Any) -> None:
        self._view = memoryview(data).cast("B")
        self.size = len(self._view)

    def read(self, offset: int, length: int) -> memoryview:
        return self._view[offset : offset + length]
