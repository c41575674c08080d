"""Streams: values that follow each other in bytes that arrive in parts, read by the same generated code as whole buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import hooks
from .errors import DecodeError, format_name
from .exact import exact

T = TypeVar("T")
#: Bytes that are requested from a source at once.
_AT_ONCE = 65536


@dataclass(frozen=True, slots=True)
class Gap:
    """Damaged bytes that a stream has skipped.

    Attributes:
        start: their offset in the stream.
        size: their number.
        error: the error of the value that should have been there.
    """

    start: int
    size: int
    error: DecodeError


class PartReaders(Generic[T]):
    """Functions that read values in bytes that may end early: from a position, at an offset of the stream.

    Attributes:
        one: returns a value and the position after it; a DecodeError has in ``missing`` the least number of missing
            bytes.
        run: returns consecutive values, the position after the last whole one, how many bytes the next one
            lacks at least, 0 if something else is wrong, and what was read of it. With the latter, of bytes that begin
            with that value, it goes on where it stood, and may return only this value. None if only ``one`` can read them.
    """

    def __init__(
        self,
        one: Callable[[Any, int, int], tuple[T, int]],
        run: Callable[[Any, int, int, Any], tuple[list[T], int, int, Any] | None] | None = None,
    ) -> None:
        self.one = one
        self.run = run


class _Kept:
    """Bytes that have arrived and that no value took: a bytearray once parts were put together."""

    __slots__ = ("bytes", "size")

    def __init__(self) -> None:
        self.bytes: bytes | bytearray = b""
        self.size = 0

    def add(self, part: bytes) -> int:
        """Appends bytes, and returns how many there are then."""
        if not self.size:
            self.bytes = part
        elif isinstance(self.bytes, bytes):
            self.bytes = bytearray().join((self.bytes, part))
        else:
            try:
                self.bytes += part
            except BufferError:
                # Views of the old memory are in use.
                self.bytes = self.bytes + part
        self.size += len(part)
        return self.size

    def whole(self) -> bytes:
        """Returns the bytes."""
        return bytes(self.bytes)

    def drop(self, count: int) -> None:
        """Removes the first bytes."""
        if count:
            self.bytes = bytes(memoryview(self.bytes)[count:])
            self.size -= count


class Feeder(Generic[T]):
    """Reader of consecutive values, to which bytes are passed as they arrive.

    An instance is not synchronized between threads. It keeps the bytes of at most one incomplete value.

    Args:
        cls: the generated class of the values.
        parameters: the arguments of its declared parameters.
        resync: the bytes that every value begins with, to continue behind damage; True for those that the declaration
            fixes.

    Raises:
        TypeError: ``resync`` is neither bytes nor True.
        ValueError: values of the class cannot be streamed, or ``resync`` is True and no bytes are fixed.
    """

    def __init__(self, cls: type[T], parameters: tuple[Any, ...], resync: bytes | bool | None = None) -> None:
        if resync is not None and resync is not True and not (isinstance(resync, bytes) and resync):
            raise TypeError(f"resync: the bytes that a value begins with, or True, are needed, not {resync!r}")
        if (reason := hooks.provided("unstreamable")(cls)) is not None:
            raise ValueError(f"{format_name(cls)} cannot be streamed: {reason}")
        self._read: PartReaders[T] = cls._part_readers(parameters)  # type: ignore[attr-defined]
        self._run = self._read.run
        self._format = format_name(cls)
        #: The markers with which values begin; all have the same length.
        self._markers: tuple[bytes, ...] = (resync,) if isinstance(resync, bytes) else ()
        if resync is True:
            self._markers = hooks.provided("markers")(cls)
            if not self._markers:
                raise ValueError(
                    f"resync: {self._format} does not fix its first bytes: give those that values begin with"
                )
        #: The bytes of an incomplete value, and the state of reading it.
        self._kept = _Kept()
        self._paused: Any = None
        #: The offset of the first kept byte in the stream.
        self._begin = 0
        self._wanted = 1
        #: The start of damaged bytes, and their error.
        self._gap: tuple[int, DecodeError] | None = None
        self._failed: DecodeError | None = None

    @property
    def needed(self) -> int:
        """The least number of further bytes that the next value needs."""
        return max(1, self._wanted - self._kept.size)

    def feed(self, data: Any) -> list[T]:
        """Returns the values that the bytes complete, in order; with ``resync=`` damaged bytes appear as `Gap`.

        Args:
            data: any bytes-like object, of any length.

        Raises:
            DecodeError: the bytes break a rule; the offset counts from the start of the stream. If values are complete
                before it, they are returned, and the next call of `feed` or `finish` raises the error.
        """
        if self._failed is not None:
            raise self._failed
        kept = self._kept
        size = kept.add(data if type(data) is bytes else _part(data))
        if size < self._wanted or not size:
            return []
        found: list[T] = []
        if self._paused is not None and self._run is not None:
            told = self._run(kept.bytes, 0, self._begin, self._paused)
            if told is not None:
                found, pos, lacking, paused = told
                self._paused = paused if lacking else None
                self._keep(pos, lacking or 1)
                if lacking or not kept.size:
                    return found
        return self._values(found, at_end=False)

    def finish(self) -> None:
        """Checks that no bytes of an incomplete value are left.

        Raises:
            DecodeError: bytes are left, and the error says what is missing; or bytes that were fed break a rule.
        """
        if self._failed is not None:
            raise self._failed
        if self._gap is not None:
            raise self._gap[1]
        if self._kept.size:
            self._one(self._kept.whole(), 0)
            raise DecodeError("bytes are left over", format=self._format, offset=self._begin)

    def asked(self) -> int:
        """Returns the number of bytes to request: as many again for an incomplete value that is read anew."""
        return max(_AT_ONCE, self.needed, 0 if self._paused is not None else self._kept.size)

    def gap_at_end(self) -> list[Any]:
        """Returns the values and gaps behind damage at the end of a stream."""
        if self._gap is None and not (self._markers and self._kept.size):
            return []
        return self._values([], at_end=True)

    def _values(self, found: list[Any], *, at_end: bool) -> list[Any]:
        """Returns the values behind those that were found."""
        buf = self._kept.whole()
        pos = self._next_marker(buf, 0) if self._gap is not None else 0
        while pos < len(buf):
            if self._gap is not None and not at_end and not buf.startswith(self._markers, pos):
                # The last bytes may begin a marker.
                break
            if self._gap is None and self._run is not None:
                run = self._run(buf, pos, self._begin, None)
                if run is not None:
                    values, pos, lacking, paused = run
                    found = found + values if found else values
                    if pos == len(buf):
                        break
                    if lacking and not at_end:
                        self._paused = paused
                        self._keep(pos, lacking)
                        return found
            try:
                value, end = self._one(buf, pos)
            except DecodeError as error:
                missing = getattr(error, "missing", None)
                if missing is not None and not at_end:
                    self._keep(pos, missing)
                    return found
                if not self._markers:
                    self._failed = error
                    if found:
                        return found
                    raise
                self._gap = self._gap or (self._begin + pos, error)
                pos = self._next_marker(buf, pos + 1)
                continue
            if self._gap is not None:
                found.append(self._passed(self._begin + pos))
            found.append(value)
            pos = end
        if at_end and self._gap is not None:
            found.append(self._passed(self._begin + len(buf)))
            pos = len(buf)
        self._keep(pos, 1)
        return found

    def _one(self, buf: bytes, pos: int) -> tuple[T, int]:
        """Returns a value and the position after it."""
        try:
            value, end = self._read.one(buf, pos, self._begin)
        except DecodeError as error:
            error.format = error.format or self._format
            if error.offset is not None:
                error.offset += self._begin
            raise
        if end == pos:
            rule = "a value of a stream takes no bytes"
            raise DecodeError(rule, format=self._format, offset=self._begin + pos)
        return value, end

    def _passed(self, end: int) -> Gap:
        assert self._gap is not None
        (start, error), self._gap = self._gap, None
        return Gap(start, end - start, error)

    def _next_marker(self, buf: bytes, pos: int) -> int:
        """Returns the position of the next marker; without one, of bytes at the end that may begin one."""
        found = [place for marker in self._markers if (place := buf.find(marker, pos)) >= 0]
        if found:
            return min(found)
        sizes = range(min(len(self._markers[0]) - 1, len(buf) - pos), 0, -1)
        ends = (size for size in sizes if buf.endswith(tuple(marker[:size] for marker in self._markers)))
        return len(buf) - next(ends, 0)

    def _keep(self, pos: int, missing: int) -> None:
        """Drops the bytes before a position; the next value lacks so many bytes at least."""
        self._kept.drop(pos)
        self._begin += pos
        self._wanted = self._kept.size + missing


def _part(data: Any) -> bytes:
    """Returns the bytes of a bytes-like object, which may be changed afterwards."""
    if not isinstance(data, bytes | bytearray):
        try:
            data = memoryview(data)
        except TypeError:
            raise TypeError(f"data: a bytes-like object is needed, not {type(data).__name__}") from None
    return bytes(exact(data))


def stream(
    cls: type[T], source: Any, parameters: tuple[Any, ...], resync: bytes | bool | None = None
) -> Iterator[T | Gap]:
    """Yields the values of a class that follow each other in a source, as soon as each is whole.

    Raises:
        DecodeError: bytes break a rule, or the source ends within a value.
        TypeError: ``source`` is not a file object, a socket or an iterable of bytes.
        ValueError: values of the class cannot be streamed.
    """
    feeder = Feeder(cls, parameters, resync)
    return _stream(feeder, _parts(source, feeder))


def _stream(feeder: Feeder[T], parts: Iterable[Any]) -> Iterator[T | Gap]:
    for part in parts:
        yield from feeder.feed(part)
        if feeder._failed is not None:
            raise feeder._failed
    yield from feeder.gap_at_end()
    feeder.finish()


def _parts(source: Any, feeder: Feeder[Any]) -> Iterator[Any]:
    """Returns an iterator over the bytes of a file object, a socket, or an iterable of bytes."""
    if isinstance(source, bytes | bytearray | memoryview | str):
        raise TypeError(
            f"source: a binary file object, a socket or an iterable of bytes is needed, not {type(source).__name__}"
        )
    # Methods that may return before all requested bytes are available come first.
    for name in ("read1", "recv", "read"):
        if callable(take := getattr(source, name, None)):
            return iter(lambda: take(feeder.asked()) or b"", b"")
    if not isinstance(source, Iterable):
        raise TypeError(
            f"source: a binary file object, a socket or an iterable of bytes is needed, not {type(source).__name__}"
        )
    return iter(source)
