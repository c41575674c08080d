"""Bloom filters of column chunks made part by part; pyarrow hashes the values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generated.parquet import Type
from ..generated.parquet_file import BLOOM_BLOCK
from .bloom import bloom_filter
from .leaf_types import LeafType
from .merged_parts import filter_bytes, spread
from .metadata import read_metadata

if TYPE_CHECKING:
    import pyarrow as pa

#: The false-positive rate of a filter.
_MISTAKEN = 0.01
#: A rate so low that pyarrow never shrinks a filter, and the bits per value that pyarrow then allocates.
_UNREACHED, _BITS_PER_VALUE = 1e-32, 80_000
_LEAST, _MOST = 1 << 17, 1 << 30
#: The least bytes of values that are hashed at once. They are a quarter of the filter if that is more, since each time
#: costs as much as the filter is long.
_WAITING = 1 << 19
#: The most digits of decimals that pyarrow writes as integers.
_DIGITS: dict[Any, int] = {Type.INT32: 9, Type.INT64: 18}


class UnlikeError(Exception):
    """Raised if pyarrow reads or writes a column in another type than the file's."""


class FilterBuilder:
    """A Bloom filter with room for as many distinct values as a column chunk can have, made small at the end.

    Args:
        leaf: the type of the column.
        distinct: the most distinct values that there can be.
    """

    def __init__(self, leaf: LeafType, distinct: int) -> None:
        bits = -8 * max(distinct, 1) / math.log1p(-(_MISTAKEN ** (1 / 8)))
        self._bits = min(max(1 << math.ceil(math.log2(bits)), _LEAST), _MOST)
        self._blocks: Any = np.zeros((self._bits // (8 * BLOOM_BLOCK), BLOOM_BLOCK // 8), np.uint64)
        self._leaf = leaf
        self._waiting: list[pa.Array] = []
        self._held = 0
        self._is_unlike = False

    def add(self, values: pa.Array) -> None:
        """Adds values of the column's Arrow type."""
        self._waiting.append(values)
        self._held += values.nbytes
        if self._held >= max(_WAITING, self._blocks.nbytes // 4):
            self._hash()

    def finish(self) -> bytes:
        """Returns the filter in the file's form, halved as long as its rate of false positives stays low.

        The block of a value is its hash scaled to the number of blocks, so that two neighbours are one of half as many.

        Raises:
            UnlikeError: pyarrow would write the values in another type than the file has.
        """
        self._hash()
        if self._is_unlike:
            raise UnlikeError("pyarrow would hash the values in another type")
        blocks = self._blocks
        while len(blocks) > 1:
            half = blocks[::2] | blocks[1::2]
            if (int(np.bitwise_count(half).sum()) / (half.size * 64)) ** 8 > _MISTAKEN:
                break
            blocks = half
        return filter_bytes(blocks.tobytes())

    def _hash(self) -> None:
        """Adds the values that wait: pyarrow writes a file with a filter of this size."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._waiting or self._is_unlike:
            return
        element = self._leaf.element
        table = pa.table({"a": _widened(pa.concat_arrays(self._waiting), element)})
        self._waiting, self._held = [], 0
        sink = pa.BufferOutputStream()
        with pq.ParquetWriter(
            sink,
            table.schema,
            compression="none",
            use_dictionary=False,
            store_schema=False,
            write_statistics=False,
            store_decimal_as_integer=element.type in _DIGITS,
            bloom_filter_options={"a": {"ndv": max(1, self._bits * 3 // 4 // _BITS_PER_VALUE), "fpp": _UNREACHED}},
        ) as writer:
            writer.write_table(table, row_group_size=max(len(table), 1))
        data = sink.getvalue()
        written = read_metadata(data).schema[1]
        # Some writers give a length for types that have their own.
        is_fixed = element.type == Type.FIXED_LEN_BYTE_ARRAY
        if written.type != element.type or (is_fixed and written.type_length != element.type_length):
            self._is_unlike = True
            return
        found = bloom_filter(data, 0, 0)
        if found is not None:
            blocks = np.frombuffer(spread(found.bitset, self._bits // 8), np.uint64)
            self._blocks |= blocks.reshape(self._blocks.shape)


def _widened(values: pa.Array, element: Any) -> pa.Array:
    """Returns decimals of as many digits as the file's type holds, so that they are written in its size."""
    import pyarrow as pa

    if not pa.types.is_decimal(values.type):
        return values
    bits = 8 * (element.type_length or 0) - 1
    digits = _DIGITS.get(element.type) or len(str(1 << max(bits, 4))) - 1
    scale = values.type.scale
    return values.cast(pa.decimal128(digits, scale) if digits <= 38 else pa.decimal256(min(digits, 76), scale))
