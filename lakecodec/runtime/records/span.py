"""Spans of bytes that records are read from, and what a call counts that reads them."""

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
        source: what the bytes are of, where that is more than ``buf``: a `Source`, or bytes from offset 0 on.
        struct_of_arrays: the (class, field) whose list the native backend may give as a `StructOfArrays`.
        borrows: whether the native backend may give long `bytes` as slices of ``buf``: to who looks at them and drops them.
        origins: where the records begin that stand around, and their bytes, by name; in the bytes that codecs made, those alone.
        whole: the span that this one is a part of; None where it is the whole that a call reads.
        empty: of the whole, what elements without bytes have cost so far: 8 each, and 1 for one that is absent.
        repeated: of the whole, bytes of values that were not read, but are those of the values before.
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
        """The costs of elements without bytes that may still come."""
        return 8 * (MAX_EMPTY + len((self.whole or self).buf)) - (self.whole or self).empty

    def took_nothing(self, pos: int, cost: int = 8) -> None:
        """Counts an element that took no bytes; of one that is absent, which a bit can tell, the ``cost`` is 1.

        Raises:
            DecodeError: there are more than MAX_EMPTY, and as many as there are bytes.
        """
        whole = self.whole or self
        whole.empty += cost
        if self.spare < 0:
            raise DecodeError(f"more than {MAX_EMPTY + len(whole.buf)} elements take no bytes", offset=pos)

    @property
    def unrepeated(self) -> int:
        """The bytes that values may still repeat."""
        return MAX_REPEATED + 8 * len((self.whole or self).buf) - (self.whole or self).repeated

    def repeats(self, count: int, pos: int) -> None:
        """Counts the bytes that a value has beyond those that it was read from: they are those of the values before it.

        Raises:
            DecodeError: there are more than MAX_REPEATED, and eight for each byte.
        """
        whole = self.whole or self
        whole.repeated += max(0, count)
        if self.unrepeated < 0:
            most = whole.repeated + self.unrepeated
            raise DecodeError(f"values repeat more than {most} bytes of those before them", offset=pos)
