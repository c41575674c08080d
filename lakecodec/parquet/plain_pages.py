"""Pages whose bytes are the values, compressed or not: their ends are found without decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..generated.parquet import CompressionCodec, DataPageHeaderV2, PageHeader, Type
from ..runtime.errors import DecodeError
from ..runtime.ranges import RangeReader
from ..runtime.text_ends import ends
from .chunk import Located
from .compression import Block, is_known
from .decoded_pages import Layout
from .leaf_types import LeafType

if TYPE_CHECKING:
    import pyarrow as pa

_WIDTHS: dict[Any, int] = {Type.INT32: 4, Type.INT64: 8, Type.FLOAT: 4, Type.DOUBLE: 8}


class NotPlainError(Exception):
    """Raised for a page that has nulls, or another number of values than its header says."""


class Ends(NamedTuple):
    """The least and the greatest value of a page in the file's encoding, and their number; of byte arrays also their size.

    Attributes:
        size: the bytes of all values, None if they have a fixed size.
        data: the values in the encoding PLAIN.
    """

    least: bytes
    greatest: bytes
    values: int
    size: int | None
    data: memoryview


class PlainPages:
    """The rows of the pages of a column chunk, or of values that Arrow has in another form their ends.

    Pages in front of the first plain one are decoded: writers give up a dictionary that becomes too large.

    Attributes:
        starts: the first row of each page.
        trouble: None, as that of `PageRows`.
    """

    trouble = None

    def __init__(
        self,
        located: Located,
        layout: Layout,
        leaf: LeafType,
        is_nullable: bool,
        ranges: RangeReader,
        before: Iterable[pa.Array],
    ) -> None:
        self._layout, self._leaf, self._is_nullable, self._ranges = layout, leaf, is_nullable, ranges
        self._codec, self._before = located.metadata().codec, before
        self.starts = [0, *accumulate(layout.counts[:-1])]

    @classmethod
    def of(
        cls,
        located: Located,
        layout: Layout,
        leaf: LeafType,
        is_nullable: bool,
        ranges: RangeReader,
        rows: int,
        decoded: Callable[[int], Iterable[pa.Array]],
    ) -> PlainPages | None:
        """Returns the pages of a column chunk of flat rows; None if they are not plain.

        Args:
            decoded: returns the rows of the first pages, by their number.
        """
        meta = located.metadata()
        first = layout.first_plain
        nulls = None if meta.statistics is None else meta.statistics.null_count
        if nulls or not is_known(meta.codec) or first == len(layout.counts) or _width(leaf) is None:
            return None
        if 0 in layout.counts or sum(layout.counts) != rows:
            return None
        return cls(located, layout, leaf, is_nullable, ranges, decoded(first) if first else ())

    def __iter__(self) -> Iterator[pa.Array | Ends]:
        """Yields the rows of each page, or their ends.

        Raises:
            NotPlainError: a page has nulls, or other bytes than its header says.
        """
        import pyarrow as pa

        yield from self._before
        width, arrow, first = _width(self._leaf), self._leaf.arrow, self._layout.first_plain
        pages = zip(self._layout.bodies[first:], self._layout.counts[first:], strict=True)
        for (start, header), count in pages:
            values = self._values(start, header, count)
            if width and len(values) != width * count:
                raise NotPlainError
            if width and pa.types.is_decimal(arrow):
                yield _decimal_ends(values, count, width)
            elif width:
                # The copy aligns numbers to multiples of their size.
                yield pa.Array.from_buffers(arrow, count, [None, pa.py_buffer(bytes(values))])
            else:
                yield _text_ends(values, count)

    def _values(self, start: int, header: PageHeader, count: int) -> memoryview:
        """Returns the bytes of the values of a page whose levels say that there is no null."""
        body = memoryview(self._ranges.read(start, header.compressed_page_size))
        data = header.data_page_header_v2 or header.data_page_header
        if isinstance(data, DataPageHeaderV2):
            if data.repetition_levels_byte_length:
                raise NotPlainError
            size = data.definition_levels_byte_length
            levels, values = body[:size], body[size:]
            if data.is_compressed is not False:
                values = self._inflated(values, header.uncompressed_page_size - size)
        else:
            values = self._inflated(body, header.uncompressed_page_size)
            at, size = (4, int.from_bytes(values[:4], "little")) if self._is_nullable else (0, 0)
            levels, values = values[at : at + size], values[at + size :]
        if self._is_nullable:
            run, number = bytearray(), count << 1
            while number > 0x7F:
                run.append(number & 0x7F | 0x80)
                number >>= 7
            if levels != bytes(run) + bytes([number, 1]):
                raise NotPlainError
        return values

    def _inflated(self, data: memoryview, size: int) -> memoryview:
        if self._codec == CompressionCodec.UNCOMPRESSED:
            return data
        try:
            return memoryview(Block(self._codec, size).decode(data))
        except DecodeError:
            raise NotPlainError from None  # whoever decodes says what is wrong


def _text_ends(values: memoryview, count: int) -> Ends:
    try:
        low, low_size, high, high_size, total = ends(values, count)
    except ValueError:
        raise NotPlainError from None
    return Ends(bytes(values[low : low + low_size]), bytes(values[high : high + high_size]), count, total, values)


def _decimal_ends(values: memoryview, count: int, width: int) -> Ends:
    """Returns the ends of big-endian numbers, which are in the order of their bytes but for the sign."""
    import pyarrow as pa
    import pyarrow.compute as pc

    flipped = np.frombuffer(values, np.uint8).reshape(count, width).copy()
    flipped[:, 0] ^= 0x80
    found = pc.min_max(pa.Array.from_buffers(pa.binary(width), count, [None, pa.py_buffer(flipped)]))
    least, greatest = (bytes([end[0] ^ 0x80]) + end[1:] for end in (found["min"].as_py(), found["max"].as_py()))
    return Ends(least, greatest, count, None, values)


def _width(leaf: LeafType) -> int | None:
    """Returns the bytes of a value that Arrow has as the file does or a decimal, 0 for byte arrays, None for other types."""
    import pyarrow as pa

    arrow, kind = leaf.arrow, leaf.element.type
    if kind == Type.BYTE_ARRAY:
        return 0 if leaf.compares_bytes else None
    if kind == Type.FIXED_LEN_BYTE_ARRAY:
        width = leaf.element.type_length or 0
        is_same = width > 0 and (arrow == pa.binary(width) or pa.types.is_decimal(arrow))
        return width if is_same or arrow == pa.float16() else None
    found = _WIDTHS.get(kind)
    return found if found is not None and pa.types.is_primitive(arrow) and arrow.bit_width == 8 * found else None
