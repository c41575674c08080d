"""Joins indexes, Bloom filters and other parts of several column chunks into those of one chunk; None if a chunk lacks
one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ..generated import parquet
from ..generated.parquet import ColumnIndex, ColumnMetaData, OffsetIndex, PageType, RowGroup, SortingColumn
from ..generated.parquet_file import BLOOM_BLOCK
from .bloom import bitset_of
from .chunk import Located
from .index import index_of
from .leaf_types import LeafType
from .search_keys import bound_key
from .summaries import boundary_order

#: The largest false-positive rate of a joined Bloom filter.
_MOST_MISTAKEN = 0.1


def joined_encodings(metas: Sequence[ColumnMetaData]) -> list[parquet.PageEncodingStats] | None:
    """Returns the pages by type and encoding; dictionary pages count once."""
    counts: Counter[tuple[int, int]] = Counter()
    for meta in metas:
        if meta.encoding_stats is None:
            return None
        for each in meta.encoding_stats:
            counts[each.page_type, each.encoding] += each.count
    return [
        parquet.PageEncodingStats(
            page_type=page, encoding=encoding, count=1 if page == PageType.DICTIONARY_PAGE else count
        )
        for (page, encoding), count in counts.items()
    ]


def joined_geometry(metas: Sequence[ColumnMetaData]) -> parquet.GeospatialStatistics | None:
    """Returns the bounds and types of all geometries; bounds that cross the antimeridian are left out."""
    found = [meta.geospatial_statistics for meta in metas if meta.geospatial_statistics is not None]
    if len(found) < len(metas):
        return None
    types = [each.geospatial_types for each in found if each.geospatial_types]
    kinds = sorted({kind for some in types for kind in some}) if len(types) == len(found) else None
    boxes = [each.bbox for each in found if each.bbox is not None]
    if len(boxes) < len(found) or any(box.xmin > box.xmax for box in boxes):
        return parquet.GeospatialStatistics(geospatial_types=kinds)
    bounds: dict[str, float] = {}
    for axis in "xyzm":
        lows, highs = ([getattr(box, f"{axis}{end}") for box in boxes] for end in ("min", "max"))
        if None not in lows and None not in highs:
            bounds |= {f"{axis}min": min(lows), f"{axis}max": max(highs)}
    return parquet.GeospatialStatistics(bbox=parquet.BoundingBox(**bounds), geospatial_types=kinds)


def merged_filter(chunks: Sequence[Located]) -> bytes | None:
    """Returns a Bloom filter that has the values of those of all chunks, as large as the largest.

    None where a chunk has none, or the filter would take more than one of ten values for others.
    """
    offsets = [chunk.metadata().bloom_filter_offset for chunk in chunks]
    if None in offsets:
        return None
    bitsets = [bitset_of(chunk, offset) for chunk, offset in zip(chunks, offsets, strict=True) if offset is not None]
    size = max(map(len, bitsets))
    if any(size % len(bitset) for bitset in bitsets):
        return None
    merged = 0
    for bitset in bitsets:
        merged |= int.from_bytes(spread(bitset, size), "little")
    # A value is mistaken for another if its bit is set in each of eight words.
    if (merged.bit_count() / (8 * size)) ** 8 > _MOST_MISTAKEN:
        return None
    return filter_bytes(merged.to_bytes(size, "little"))


def spread(bitset: bytes, size: int) -> bytes:
    """Returns a Bloom filter's bitset as a multiple of its size, with the same values.

    The block of a value is its hash scaled to the number of blocks: each block of a filter of half the size stands for
    two neighbours.
    """
    times = size // len(bitset)
    if times == 1:
        return bitset
    return b"".join(bitset[at : at + BLOOM_BLOCK] * times for at in range(0, len(bitset), BLOOM_BLOCK))


def filter_bytes(bitset: bytes | memoryview) -> bytes:
    """Returns a Bloom filter as a file has it."""
    header = parquet.BloomFilterHeader(
        numBytes=len(bitset),
        algorithm=parquet.BloomFilterAlgorithm.BLOCK(),
        hash=parquet.BloomFilterHash.XXHASH(),
        compression=parquet.BloomFilterCompression.UNCOMPRESSED(),
    )
    return b"".join((header.to_bytes(), bitset))


def joined_indexes(
    chunks: Sequence[Located], rows: Sequence[int], shifts: Sequence[int], leaf: LeafType
) -> tuple[ColumnIndex | None, OffsetIndex | None]:
    """Returns the page indexes of chunks whose pages follow each other.

    Args:
        chunks: the column chunks.
        rows: the rows of each.
        shifts: the bytes by which the pages of each have moved.
        leaf: the type of the column.
    """
    found = [index_of(chunk) for chunk in chunks]
    places = [place for _, place in found if place is not None]
    if len(places) < len(found):
        return None, None
    joined = OffsetIndex(page_locations=[])
    before = 0
    for place, count, shift in zip(places, rows, shifts, strict=True):
        joined.page_locations += [
            parquet.PageLocation(
                offset=page.offset + shift,
                compressed_page_size=page.compressed_page_size,
                first_row_index=page.first_row_index + before,
            )
            for page in place.page_locations
        ]
        before += count
    joined.unencoded_byte_array_data_bytes = _chained([place.unencoded_byte_array_data_bytes for place in places])
    indexes = [index for index, _ in found if index is not None]
    if len(indexes) < len(found):
        return None, joined
    nulls = [each for index in indexes for each in index.null_pages]
    minima = [each for index in indexes for each in index.min_values]
    maxima = [each for index in indexes for each in index.max_values]
    return ColumnIndex(
        null_pages=nulls,
        min_values=minima,
        max_values=maxima,
        boundary_order=boundary_order(leaf, nulls, minima, maxima),
        null_counts=_chained([index.null_counts for index in indexes]),
        repetition_level_histograms=_chained([index.repetition_level_histograms for index in indexes]),
        definition_level_histograms=_chained([index.definition_level_histograms for index in indexes]),
        nan_counts=_chained([index.nan_counts for index in indexes]),
    ), joined


def _chained(lists: Sequence[list[int] | None]) -> list[int] | None:
    known = [each for each in lists if each is not None]
    return [number for each in known for number in each] if len(known) == len(lists) else None


def joined_sorting(groups: Sequence[RowGroup], leaves: Sequence[LeafType]) -> list[SortingColumn] | None:
    """Returns the order of the rows of row groups behind each other, None where it is not known.

    Statistics tell: the values of each row group come before those of the next. Where the last and the first value can be
    the same, the columns behind tell nothing.
    """
    columns = groups[0].sorting_columns
    if not columns or any(group.sorting_columns != columns for group in groups):
        return None
    first = columns[0]
    if not 0 <= first.column_idx < len(leaves):
        return None
    apart = True
    for one, two in pairwise(groups):
        order = _follows(one, two, first, leaves[first.column_idx])
        if order is None:
            return None
        apart = apart and order
    return columns if apart else columns[:1]


def _follows(one: RowGroup, two: RowGroup, column: SortingColumn, leaf: LeafType) -> bool | None:
    """Returns whether the values of a row group are all behind those of another, None if they may be before."""
    ends = []
    for group, has_nulls_outside in ((one, not column.nulls_first), (two, column.nulls_first)):
        meta = group.columns[column.column_idx].meta_data
        said = None if meta is None else meta.statistics
        if said is None or (has_nulls_outside and said.null_count != 0) or (leaf.is_real and said.nan_count != 0):
            return None
        ends.append(tuple(bound_key(leaf, raw) for raw in leaf.raw_bounds(said)[:2]))
    (low, high), (next_low, next_high) = ends
    if column.descending:
        (low, high), (next_low, next_high) = (next_low, next_high), (low, high)
    if high is None or next_low is None:
        return None
    return None if high > next_low else bool(high < next_low)
