"""Spans of bytes from which records are read, with the counters of the reading call."""

from __future__ import annotations

from typing import Any

from ..errors import DecodeError
from ..limits import MAX_EMPTY, MAX_REPEATED


class Span:
    """A range of bytes that records are read from; positions count from the start of ``buf``, the span ends where it does.

    Attributes:
        buf: bytes or a memoryview of bytes.
        first: the position in ``buf`` where the span begins.
        base: what to add to a position for an offset in the source.
        decoded: whether a codec made the bytes, so that positions are not those of the caller's input.
        depth: how many more records may be nested.
        source: the source of the bytes, if it is more than ``buf``: a `Source`, or bytes from offset 0 on.
        struct_of_arrays: the (class, field) whose list the native backend may return as a `StructOfArrays`.
        borrows: whether the native backend may return long `bytes` as slices of ``buf``, for callers that drop them
            soon.
        origins: starts and bytes of the enclosing records by name; in bytes made by codecs, only of records inside
            those.
        whole: the outermost span of the call, of which this one is a part; None if this one is it.
        empty: of the whole, the cost so far of elements without bytes: 8 each, 1 for an absent one.
        repeated: of the whole, the number of bytes that values repeat from earlier values.
    """

    __slots__ = (
        "__weakref__", "base", "borrows", "buf", "decoded", "depth", "empty", "first", "origins", "repeated", "source",
        "struct_of_arrays", "whole",
    )  # fmt: skip
    buf: Any
    whole: Span | None
    empty: int
    repeated: int

    @property
    def spare(self) -> int:
        """The cost of elements without bytes that is still allowed."""
        return 8 * (MAX_EMPTY + len((self.whole or self).buf)) - (self.whole or self).empty

    def took_nothing(self, pos: int, cost: int = 8) -> None:
        """Counts an element that took no bytes; an absent one, which one bit can encode, has the ``cost`` 1.

        Raises:
            DecodeError: there are more than MAX_EMPTY plus one per byte.
        """
        whole = self.whole or self
        whole.empty += cost
        if self.spare < 0:
            raise DecodeError(f"more than {MAX_EMPTY + len(whole.buf)} elements take no bytes", offset=pos)

    @property
    def unrepeated(self) -> int:
        """The number of bytes that values may still repeat."""
        return MAX_REPEATED + 8 * len((self.whole or self).buf) - (self.whole or self).repeated

    def repeats(self, count: int, pos: int) -> None:
        """Counts the bytes that a value repeats from earlier values.

        Raises:
            DecodeError: there are more than MAX_REPEATED plus eight per byte.
        """
        whole = self.whole or self
        whole.repeated += max(0, count)
        if self.unrepeated < 0:
            most = whole.repeated + self.unrepeated
            raise DecodeError(f"values repeat more than {most} bytes of those before them", offset=pos)
