"""Encoded values of one layout that follow each other in a buffer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..errors import DecodeError, EncodeError
from ..plain import mapping, outward, scalar
from . import backend
from .buffers import Buffer, flat
from .decode import ColumnDecode, decode_columns
from .layout import Kind, ValueLayout
from .rules import Rule, broken


class Values:
    """``count`` encoded values of one layout at ``data[start:end]``.

    `read_values` checks their number and lengths; their content is checked when they are decoded.

    Attributes:
        layout: the layout of a value.
        data: the buffer, which is borrowed.
        start, end: the byte range of the values in it.
        count: how many values there are.
    """

    __slots__ = ("count", "data", "end", "layout", "start")

    def __init__(self, layout: ValueLayout, data: Buffer, start: int, end: int, count: int) -> None:
        self.layout = layout
        self.data = flat(data)
        self.start = start
        self.end = end
        self.count = count
        # Every value has at least one byte.
        if not (0 <= start <= end <= len(self.data) and 0 <= count <= end - start):
            raise DecodeError(f"{count} values do not fit the bytes left", offset=start)

    @property
    def nbytes(self) -> int:
        """The encoded size of the values in bytes."""
        return self.end - self.start

    def to_bytes(self) -> bytes:
        """Returns a copy of the encoded values."""
        return bytes(self.data[self.start : self.end])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.layout, self.to_bytes(), 0, self.nbytes, self.count)

    def _plain(self, json: bool) -> dict[str, Any]:
        layout = {**asdict(self.layout), "kind": self.layout.kind.name}
        return {"layout": layout, "count": self.count, "data": outward(self.to_bytes(), json)}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Values:
        mapping(data, ("layout", "count", "data"))
        try:
            layout = ValueLayout(**{**data["layout"], "kind": Kind[data["layout"]["kind"]]})
            raw = scalar(data["data"], "binary", json)
            return cls(layout, raw, 0, len(raw), data["count"])
        except (TypeError, KeyError, ValueError):
            raise EncodeError("values as layout, count and data are needed") from None

    def to_arrow(self, type: Any) -> Any:
        """Returns the values as a ``pyarrow`` array of the given type.

        Raises:
            DecodeError: the bytes break a rule of the layout.
            TypeError: the type cannot hold values of the layout.
        """
        return decode_columns([ColumnDecode(self.layout, type, self.count, values=self)])[0]

    def __len__(self) -> int:
        return self.count

    def __eq__(self, other: object) -> bool:
        """Returns whether the other has equal bytes in the same layout."""
        if not isinstance(other, Values):
            return NotImplemented
        same = self.count == other.count and self.layout == other.layout
        return same and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Values({self.count} of {self.layout.kind.name}, {self.nbytes} bytes)"


def read_values(layout: ValueLayout, data: Buffer, start: int, end: int, count: int) -> Values:
    """Returns the ``count`` values that begin at ``data[start]``; they end at ``data[end]`` or earlier.

    Raises:
        DecodeError: fewer values fit, or a length is malformed; the offset is that of ``data``.
        ValueError: the range is outside the data, or ``count`` is negative.
    """
    buffer = flat(data)
    if not 0 <= start <= end <= len(buffer):
        raise ValueError(f"start, end: {start} to {end} is outside the data")
    if count < 0:
        raise ValueError(f"count: {count} is negative")
    if count > end - start:
        raise broken(Rule.TRUNCATED, start)
    return Values(layout, buffer, start, backend.end_of(layout, buffer, start, end, count), count)
