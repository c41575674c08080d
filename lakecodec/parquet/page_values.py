"""Statistics of the values of pages, as pyarrow writes them; the values are those that pyarrow decodes."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generated.parquet import SizeStatistics, Statistics, Type
from .filter_building import FilterBuilder, UnlikeError
from .leaf_types import LeafType
from .leaf_values import comparable, leaf_levels, typed
from .plain_pages import Ends
from .schema import Depths
from .search_keys import encodings, search_key
from .summaries import Summary, has_deprecated

if TYPE_CHECKING:
    import pyarrow as pa

#: Longer bounds are left out, as pyarrow does.
LONGEST = 4096


def summaries(
    leaf: LeafType, pages: Iterable[pa.Array | Ends], depths: Depths, builder: FilterBuilder | None
) -> list[Summary]:
    """Returns the statistics of the values of each page.

    Args:
        leaf: the type of the column.
        pages: the rows of each page, or their ends.
        depths: what can be null and repeated above the values.
        builder: takes the values where a Bloom filter is made.

    Raises:
        UnlikeError: pyarrow reads values of another type.
    """
    found = []
    for page in pages:
        if isinstance(page, Ends):
            said = Statistics(null_count=0)
            if leaf.is_ordered:
                _set_bounds(said, leaf, page.least, page.greatest)
            levels = [0, page.values] if any(depths[0][0]) else []
            found.append(Summary(page.values, said, _sizes([], levels, page.size)))
            if builder is not None:
                builder.add_plain(page.data)
            continue
        values, definition, repetition = leaf_levels(page, depths)
        used, counts = _used(values)
        known = typed(used, leaf)
        if known is None:
            raise UnlikeError(f"pyarrow reads values of the type {used.type}")
        present = definition[-1]
        said = Statistics(null_count=sum(definition) - present)
        _bounds(said, leaf, comparable(known), present)
        # Decimals have another size in Arrow than in the file.
        has_bytes = leaf.element.type == Type.BYTE_ARRAY and leaf.kind[0] != "DECIMAL"
        size = _bytes(known, counts) if has_bytes else None
        found.append(Summary(sum(definition), said, _sizes(repetition, definition, size)))
        if builder is not None:
            builder.add(known)
    return found


def _sizes(repetition: list[int], definition: list[int], size: int | None) -> SizeStatistics | None:
    """Returns the counts of levels, if there are several, and the bytes of values; None if there is nothing to say."""
    levels = [each if len(each) > 1 else [] for each in (repetition, definition)]
    if size is None and not any(levels):
        return None
    return SizeStatistics(
        unencoded_byte_array_data_bytes=size,
        repetition_level_histogram=levels[0],
        definition_level_histogram=levels[1],
    )


def _used(values: pa.Array) -> tuple[pa.Array, Any]:
    """Returns values, of a dictionary those that occur, and how often each does; None for once."""
    import pyarrow as pa

    if not isinstance(values, pa.DictionaryArray):
        return values, None
    indices = values.indices.drop_null() if values.null_count else values.indices
    counts = np.bincount(indices.to_numpy(), minlength=len(values.dictionary))
    (places,) = np.nonzero(counts)
    return values.dictionary.take(pa.array(places)), counts[places]


def _bytes(values: pa.Array, counts: Any) -> int:
    """Returns the bytes of binary values, each of which occurs so often."""
    import pyarrow.compute as pc

    if not len(values):
        return 0
    if counts is not None:
        return int(np.dot(pc.binary_length(values).to_numpy(), counts))
    # Nulls have no bytes if pyarrow decoded them.
    offsets = np.frombuffer(values.buffers()[1], np.int32)
    return int(offsets[values.offset + len(values)] - offsets[values.offset])


def _bounds(said: Statistics, leaf: LeafType, values: pa.Array, present: int) -> None:
    """Sets the number of NaNs and the bounds of values, of which ``present`` are not null."""
    ends: tuple[Any, Any] | None = None
    if leaf.is_real:
        numbers = (values.drop_null() if values.null_count else values).to_numpy()
        # The minimum is NaN if any number is NaN.
        if len(numbers) and np.isnan(numbers.min()):
            numbers = numbers[~np.isnan(numbers)]
        said.nan_count = present - len(numbers)
        ends = (numbers.min(), numbers.max()) if len(numbers) else None
    elif present and leaf.is_ordered and leaf.element.type != Type.INT96:
        ends = _ends(values)
    if ends is None:
        return
    _set_bounds(said, leaf, _encoded(leaf, ends[0], True), _encoded(leaf, ends[1], False))


def _set_bounds(said: Statistics, leaf: LeafType, low: bytes | None, high: bytes | None) -> None:
    if low is None or high is None:
        return
    # The beginning of a bound that is too long still shows whether a shorter one is before it.
    low, high = low[: LONGEST + 1], high[: LONGEST + 1]
    if leaf.has_order:
        said.min_value, said.max_value = low, high
        said.is_min_value_exact = said.is_max_value_exact = True
    if has_deprecated(leaf):
        said.min, said.max = low, high


def _ends(values: pa.Array) -> tuple[Any, Any]:
    import pyarrow.compute as pc

    found = pc.min_max(values)
    return found["min"], found["max"]


def _encoded(leaf: LeafType, value: Any, is_least: bool) -> bytes | None:
    """Returns an encoded bound, None if there is no encoding for its type."""
    if leaf.is_real:
        value = value.item()
        # If a bound is zero, pyarrow writes -0.0 as the minimum and 0.0 as the maximum, whichever zeros occur.
        if value == 0:
            value = -0.0 if is_least else 0.0
        return struct.pack("<e", value) if leaf.plain_key is None else leaf.plain_key.pack(value)
    if leaf.plain_key is not None:
        return leaf.plain_key.pack(value.value if hasattr(value, "value") else value.as_py())
    if leaf.compares_bytes:
        # Texts of other writers are not always UTF-8.
        return bytes(value.as_buffer())
    if leaf.element.type == Type.BOOLEAN:
        return bytes([value.as_py()])
    found = encodings(leaf, search_key(leaf, value))
    return found[0] if found else None
