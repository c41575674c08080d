"""Streams: values that follow each other in bytes that arrive in parts, read by the same generated code as whole buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import hooks
from .errors import DecodeError, format_name
from .exact import exact

T = TypeVar("T")
#: Bytes that are asked of a source at once.
_AT_ONCE = 65536


@dataclass(frozen=True, slots=True)
class Gap:
    """Damaged bytes that a stream has passed over.

    Attributes:
        start: their offset in the stream.
        size: their number.
        error: of the value that should have been there.
    """

    start: int
    size: int
    error: DecodeError


class Feeder(Generic[T]):
    """Reader of values that follow each other, to which their bytes are given as they arrive.

    An instance is not synchronized between threads. It keeps the bytes of at most one incomplete value.

    Args:
        cls: the generated class of the values.
        parameters: the arguments of its declared parameters.
        resync: the bytes that each value begins with, for going on behind damage.

    Raises:
        TypeError: ``resync`` is no bytes.
        ValueError: values of the class cannot be streamed.
    """

    def __init__(self, cls: type[T], parameters: tuple[Any, ...], resync: bytes | None = None) -> None:
        if resync is not None and not (isinstance(resync, bytes) and resync):
            raise TypeError(f"resync: the bytes that a value begins with are needed, not {resync!r}")
        if (reason := hooks.provided("unstreamable")(cls)) is not None:
            raise ValueError(f"{format_name(cls)} cannot be streamed: {reason}")
        self._read: Callable[[Any, int, int], tuple[T, int]] = cls._read_part(parameters)  # type: ignore[attr-defined]
        self._format = format_name(cls)
        self._resync = resync
        #: The bytes of a value that is not whole, in parts, and how many of them there are.
        self._parts: list[bytes] = []
        self._kept = 0
        #: The offset of the first of them in the stream.
        self._begin = 0
        self._wanted = 1
        #: Where damaged bytes begin, and their error.
        self._gap: tuple[int, DecodeError] | None = None
        #: What is wrong if no more bytes come.
        self._short: DecodeError | None = None
        self._failed: DecodeError | None = None

    @property
    def needed(self) -> int:
        """The number of bytes that the next value needs at least, beside those that are here."""
        return max(1, self._wanted - self._kept)

    def feed(self, data: Any) -> list[T]:
        """Returns the values that bytes complete, in order; with ``resync=``, among them `Gap` for damaged bytes.

        Args:
            data: any bytes-like object, of any length.

        Raises:
            DecodeError: the bytes break a rule; the offset counts from the start of the stream. Values before it were
                returned by this call's predecessors, or are in the error's ``values``.
        """
        if self._failed is not None:
            raise self._failed
        part = bytes(exact(data))
        if part:
            self._parts.append(part)
            self._kept += len(part)
        if not part or self._kept < self._wanted:
            return []
        return self._values(b"".join(self._parts), at_end=False)

    def finish(self) -> None:
        """Checks that no bytes of an incomplete value are left.

        Raises:
            DecodeError: bytes are left; the error says what is missing.
        """
        if self._failed is not None:
            raise self._failed
        if self._gap is not None:
            raise self._gap[1]
        if self._kept:
            error = self._short
            raise (
                error
                if error is not None
                else DecodeError("bytes are left over", format=self._format, offset=self._begin)
            )

    def gap_at_end(self) -> list[Any]:
        """Returns the values behind damage that no more bytes follow, and gaps; for streams that have ended."""
        if self._resync is None or not self._kept:
            return []
        return self._values(b"".join(self._parts), at_end=True)

    def _values(self, buf: bytes, *, at_end: bool) -> list[Any]:
        found: list[Any] = []
        pos = self._sought(buf, 0) if self._gap is not None else 0
        while pos < len(buf):
            if self._gap is not None and not at_end and not buf.startswith(self._resync or b"", pos):
                # The first bytes of a marker.
                break
            try:
                value, end = self._read(buf, pos, self._begin)
            except DecodeError as error:
                missing = getattr(error, "missing", None)
                error.format = error.format or self._format
                if error.offset is not None:
                    error.offset += self._begin
                if missing is not None and not at_end:
                    self._short = error
                    self._keep(buf, pos, missing)
                    return found
                if self._resync is None:
                    error.values = found  # type: ignore[attr-defined]
                    self._failed = error
                    raise
                self._gap = self._gap or (self._begin + pos, error)
                pos = self._sought(buf, pos + 1)
                continue
            if end == pos:
                rule = "a value of a stream takes no bytes"
                raise DecodeError(rule, format=self._format, offset=self._begin + pos)
            if self._gap is not None:
                found.append(self._passed(self._begin + pos))
            found.append(value)
            pos = end
        if at_end and self._gap is not None:
            found.append(self._passed(self._begin + len(buf)))
            pos = len(buf)
        self._short = None
        self._keep(buf, pos, 1)
        return found

    def _passed(self, end: int) -> Gap:
        assert self._gap is not None
        (start, error), self._gap = self._gap, None
        return Gap(start, end - start, error)

    def _sought(self, buf: bytes, pos: int) -> int:
        """Returns the position of the next marker; without one, that of what could be the first bytes of one."""
        assert self._resync is not None
        found = buf.find(self._resync, pos)
        if found >= 0:
            return found
        sizes = range(min(len(self._resync) - 1, len(buf) - pos), 0, -1)
        return len(buf) - next((size for size in sizes if buf.endswith(self._resync[:size])), 0)

    def _keep(self, buf: bytes, pos: int, missing: int) -> None:
        rest = buf[pos:]
        self._parts, self._kept = ([rest] if rest else []), len(rest)
        self._begin += pos
        self._wanted = self._kept + missing


def stream(cls: type[T], source: Any, parameters: tuple[Any, ...], resync: bytes | None = None) -> Iterator[T | Gap]:
    """Yields the values of a class that follow each other in a source, as soon as each is whole.

    Raises:
        DecodeError: bytes break a rule, or the source ends within a value.
        TypeError: ``source`` is none that bytes come from.
        ValueError: values of the class cannot be streamed.
    """
    return _stream(Feeder(cls, parameters, resync), _parts(source))


def _stream(feeder: Feeder[T], parts: Iterable[Any]) -> Iterator[T | Gap]:
    for part in parts:
        try:
            yield from feeder.feed(part)
        except DecodeError as error:
            yield from getattr(error, "values", ())
            raise
    yield from feeder.gap_at_end()
    feeder.finish()


def _parts(source: Any) -> Iterator[Any]:
    """Returns an iterator over the bytes of a file object, a socket, or an iterable of bytes."""
    if isinstance(source, bytes | bytearray | memoryview | str):
        raise TypeError(
            f"source: a binary file object, a socket or an iterable of bytes is needed, not {type(source).__name__}"
        )
    # What does not wait until all that is asked for is there.
    for name in ("read1", "recv", "read"):
        if callable(take := getattr(source, name, None)):
            return iter(lambda: take(_AT_ONCE) or b"", b"")
    if not isinstance(source, Iterable):
        raise TypeError(
            f"source: a binary file object, a socket or an iterable of bytes is needed, not {type(source).__name__}"
        )
    return iter(source)
