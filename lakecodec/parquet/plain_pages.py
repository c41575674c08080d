"""Pages whose bytes are the values, neither compressed nor encoded: their ends are found without decoding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from ..generated.parquet import CompressionCodec, DataPageHeaderV2, Encoding, Type
from ..runtime.ranges import RangeReader
from ..runtime.text_ends import ends
from .chunk import Located
from .decoded_pages import Layout
from .leaf_types import LeafType

if TYPE_CHECKING:
    import pyarrow as pa

_WIDTHS: dict[Any, int] = {Type.INT32: 4, Type.INT64: 8, Type.FLOAT: 4, Type.DOUBLE: 8}


class NotPlainError(Exception):
    """Raised for a page that has nulls, or another number of values than its header says."""


class Ends(NamedTuple):
    """The byte arrays of a page: the least, the greatest, their number, and their total size in bytes."""

    least: bytes
    greatest: bytes
    values: int
    size: int


class PlainPages:
    """The rows of the pages of a column chunk, or of byte arrays their ends.

    Attributes:
        starts: the first row of each page.
        trouble: None, as that of `PageRows`.
    """

    trouble = None

    def __init__(
        self, located: Located, layout: Layout, leaf: LeafType, is_nullable: bool, ranges: RangeReader
    ) -> None:
        self._layout, self._leaf, self._is_nullable, self._ranges = layout, leaf, is_nullable, ranges
        self.starts = [0, *accumulate(layout.counts[:-1])]

    @classmethod
    def of(
        cls, located: Located, layout: Layout, leaf: LeafType, is_nullable: bool, ranges: RangeReader, rows: int
    ) -> PlainPages | None:
        """Returns the pages of a column chunk of flat rows; None if they are not plain."""
        meta = located.metadata()
        is_plain = meta.codec == CompressionCodec.UNCOMPRESSED and layout.encodings == {Encoding.PLAIN}
        if not is_plain or 0 in layout.counts or sum(layout.counts) != rows or _width(leaf) is None:
            return None
        return cls(located, layout, leaf, is_nullable, ranges)

    def __iter__(self) -> Iterator[pa.Array | Ends]:
        """Yields the rows of each page, or their ends.

        Raises:
            NotPlainError: a page has nulls, or other bytes than its header says.
        """
        import pyarrow as pa

        width, arrow = _width(self._leaf), self._leaf.arrow
        for (start, size, data), count in zip(self._layout.bodies, self._layout.counts, strict=True):
            body = memoryview(self._ranges.read(start, size))
            values = body[self._levels(body, data, count) :]
            if width:
                if len(values) != width * count:
                    raise NotPlainError
                # The copy aligns numbers to multiples of their size.
                yield pa.Array.from_buffers(arrow, count, [None, pa.py_buffer(bytes(values))])
                continue
            try:
                low, low_size, high, high_size, total = ends(values, count)
            except ValueError:
                raise NotPlainError from None
            yield Ends(bytes(values[low : low + low_size]), bytes(values[high : high + high_size]), count, total)

    def _levels(self, body: memoryview, data: Any, count: int) -> int:
        """Returns the size of the levels in front of the values, which say that there is no null."""
        if isinstance(data, DataPageHeaderV2):
            at, size = 0, data.definition_levels_byte_length
            if data.repetition_levels_byte_length:
                raise NotPlainError
        else:
            at, size = (4, int.from_bytes(body[:4], "little")) if self._is_nullable else (0, 0)
        if self._is_nullable:
            run, number = bytearray(), count << 1
            while number > 0x7F:
                run.append(number & 0x7F | 0x80)
                number >>= 7
            if body[at : at + size] != bytes(run) + bytes([number, 1]):
                raise NotPlainError
        return at + size


def _width(leaf: LeafType) -> int | None:
    """Returns the bytes of a value that Arrow has as the file does, 0 for byte arrays, None for other types."""
    import pyarrow as pa

    arrow, kind = leaf.arrow, leaf.element.type
    if kind == Type.BYTE_ARRAY:
        return 0 if leaf.compares_bytes else None
    if kind == Type.FIXED_LEN_BYTE_ARRAY:
        width = leaf.element.type_length or 0
        is_same = arrow == pa.binary(width) if width else False
        return width if is_same or arrow == pa.float16() else None
    found = _WIDTHS.get(kind)
    return found if found is not None and pa.types.is_primitive(arrow) and arrow.bit_width == 8 * found else None
