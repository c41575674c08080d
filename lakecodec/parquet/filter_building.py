"""Bloom filters of column chunks, made part by part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generated.parquet import SchemaElement, Type
from ..generated.parquet_file import BLOOM_BLOCK, BLOOM_SALT
from ..runtime.split_blocks import put_fixed, put_prefixed, put_texts
from .leaf_types import LeafType
from .merged_parts import filter_bytes

if TYPE_CHECKING:
    import pyarrow as pa

#: The false-positive rate of a filter.
_MISTAKEN = 0.01
#: The least and the most bits.
_LEAST, _MOST = 1 << 17, 1 << 30
_WIDTHS: dict[Any, int] = {Type.INT32: 4, Type.INT64: 8, Type.FLOAT: 4, Type.DOUBLE: 8}
_SALT: Any = np.array(BLOOM_SALT, np.uint32)


class UnlikeError(Exception):
    """Raised if pyarrow reads a column in another type than the file's."""


class FilterBuilder:
    """A Bloom filter with room for as many distinct values as a column chunk can have, made small at the end.

    Args:
        leaf: the type of the column.
        distinct: the most distinct values that there can be.

    Raises:
        UnlikeError: Arrow has the values in a type that the file cannot have.
    """

    def __init__(self, leaf: LeafType, distinct: int) -> None:
        import pyarrow as pa

        bits = -8 * max(distinct, 1) / math.log1p(-(_MISTAKEN ** (1 / 8)))
        size = min(max(1 << math.ceil(math.log2(bits)), _LEAST), _MOST)
        self._words: Any = np.zeros(size // 32, np.uint32)
        self._element = leaf.element
        if leaf.arrow != pa.uuid():
            self.add(pa.array([], leaf.arrow))

    def add(self, values: pa.Array) -> None:
        """Adds values of the column's Arrow type, a UUID's as its bytes."""
        values = values.drop_null() if values.null_count else values
        if self._element.type == Type.BYTE_ARRAY:
            put_texts(self._words, _SALT, *_texts(values))
        else:
            put_fixed(self._words, _SALT, _fixed(values, self._element).reshape(-1), _width(self._element))

    def add_plain(self, data: memoryview) -> None:
        """Adds the values of a page in the encoding PLAIN."""
        if self._element.type == Type.BYTE_ARRAY:
            put_prefixed(self._words, _SALT, data)
        else:
            put_fixed(self._words, _SALT, data, _width(self._element))

    def finish(self) -> bytes:
        """Returns the filter in the file's form, halved as long as its rate of false positives stays low.

        The block of a value is its hash scaled to the number of blocks, so that two neighbours are one of half as many.
        """
        return filter_bytes(_halved(self._words.view(np.uint64).reshape(-1, BLOOM_BLOCK // 8)).data.cast("B"))


def _halved(blocks: Any) -> Any:
    """Returns blocks, or half, a quarter and so on of their number as long as few values are mistaken."""
    while len(blocks) > 1:
        half = blocks[::2] | blocks[1::2]
        if (int(np.bitwise_count(half).sum()) / (half.size * 64)) ** 8 > _MISTAKEN:
            break
        blocks = half
    return blocks


def _width(element: SchemaElement) -> int:
    """Returns the bytes of each value in the file. Some writers give a length for types that have their own."""
    return _WIDTHS.get(element.type) or element.type_length or 0


def _texts(values: pa.Array) -> tuple[Any, Any]:
    """Returns the bytes of texts, and the 64-bit offsets between them."""
    import pyarrow as pa

    is_large = pa.types.is_large_string(values.type) or pa.types.is_large_binary(values.type)
    if not is_large and not pa.types.is_string(values.type) and not pa.types.is_binary(values.type):
        raise UnlikeError(f"{values.type} is not a type of byte arrays")
    if not len(values):
        return b"", np.zeros(1, np.int64)
    _, offsets, data = values.buffers()
    found = np.frombuffer(offsets, np.int64 if is_large else np.int32)[values.offset :][: len(values) + 1]
    return b"" if data is None else data, found.astype(np.int64)


def _fixed(values: pa.Array, element: SchemaElement) -> Any:
    """Returns the bytes of values as the file has them, a row each."""
    import pyarrow as pa

    width, kind = _width(element), values.type
    if pa.types.is_integer(kind) and kind.bit_width < 8 * width and element.type in _WIDTHS:
        values = values.cast(pa.int32() if width == 4 else pa.int64())
        kind = values.type
    is_number = pa.types.is_decimal(kind)
    is_binary = pa.types.is_fixed_size_binary(kind) or pa.types.is_float16(kind)
    if not is_number and (not width or kind.bit_width != 8 * width or is_binary == (element.type in _WIDTHS)):
        raise UnlikeError(f"{kind} does not have {width} bytes per value")
    size = kind.bit_width // 8
    if not len(values):
        return np.zeros((0, width), np.uint8)
    rows = np.frombuffer(values.buffers()[1], np.uint8)[values.offset * size :][: len(values) * size].reshape(-1, size)
    if not is_number:
        return rows
    if width > size:
        signs = np.where(rows[:, -1:] & 0x80, np.uint8(0xFF), np.uint8(0))
        rows = np.hstack([rows, np.repeat(signs, width - size, 1)])
    # Arrow has the low byte first, the file only in integers.
    return np.ascontiguousarray(rows[:, :width] if element.type in _WIDTHS else rows[:, width - 1 :: -1])
