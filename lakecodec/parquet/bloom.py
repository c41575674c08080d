"""Bloom filters of column chunks (BloomFilter.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..generated import parquet, parquet_file
from ..generated.parquet_file import BLOOM_BLOCK, BLOOM_SALT
from ..runtime.errors import DecodeError
from ..runtime.source_types import SourceLike
from ..runtime.urls import located
from .chunk import Located, locate
from .errors import broken, relocated
from .leaf_types import LeafType, leaf_types
from .metadata import decode_footer
from .search_keys import encodings, search_key

#: The size that no header exceeds: four small fields, and fields that later versions add.
LARGEST_HEADER = 256


@dataclass(frozen=True)
class BloomFilter:
    """A split-block bloom filter.

    Attributes:
        leaf: the type of the column.
        bitset: blocks of `BLOOM_BLOCK` bytes.
    """

    leaf: LeafType
    bitset: bytes

    def might_contain(self, value: Any) -> bool:
        """Returns False if the column chunk does not have the value. If True, it may have it.

        Raises:
            ValueError: the column's type has no such value.
            ModuleNotFoundError: the package xxhash is not installed.
        """
        return self.might_contain_key(search_key(self.leaf, value))

    def might_contain_key(self, key: Any) -> bool:
        """Returns the same for a search key."""
        found = encodings(self.leaf, key)
        return found is None or any(map(self._has, found))

    def _has(self, data: bytes) -> bool:
        """Returns True if all bits of a plainly encoded value are set."""
        try:
            import xxhash
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                "bloom filters need the package xxhash: pip install 'lakecodec[bloom]'", name="xxhash"
            ) from None
        number = xxhash.xxh64_intdigest(data)
        start = ((number >> 32) * (len(self.bitset) // BLOOM_BLOCK) >> 32) * BLOOM_BLOCK
        block = int.from_bytes(self.bitset[start : start + BLOOM_BLOCK], "little")
        return all(
            block >> (32 * word + (((number * salt) & 0xFFFFFFFF) >> 27)) & 1 for word, salt in enumerate(BLOOM_SALT)
        )


def bloom_filter(
    source: SourceLike,
    row_group: int,
    column: int | str,
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> BloomFilter | None:
    """Returns the bloom filter of a column chunk, None if it has none.

    Args:
        source: as in `page_index`.
        row_group: as in `page_index`.
        column: as in `page_index`.
        filesystem: as in `page_index`.
        storage_options: as in `page_index`.

    Raises:
        DecodeError: the file or the filter is invalid, or the column is encrypted.
        ValueError, KeyError, TypeError, OSError: as in `page_index`.
    """
    (source,) = located(storage_options, source, filesystem=filesystem)
    chunk = locate(source, row_group, column, None, filesystem)
    if chunk.metadata().bloom_filter_offset is None:
        return None
    schema = decode_footer(chunk.footer, fields=("schema",)).schema
    return filter_of(chunk, leaf_types(schema, None, chunk.file)[chunk.column][1])


def filter_of(located: Located, leaf: LeafType) -> BloomFilter | None:
    """Returns the Bloom filter of a located column chunk, whose column has the type ``leaf``; None if it has none."""
    offset = located.metadata().bloom_filter_offset
    return None if offset is None else BloomFilter(leaf, bitset_of(located, offset))


def bitset_of(located: Located, offset: int) -> bytes:
    """Returns the bitset of the filter at an offset."""
    located.check_range(offset, 1, "bloom filter")
    try:
        with located.source.open() as reader:
            size = min(LARGEST_HEADER, located.footer.start - offset)
            header, length = parquet.BloomFilterHeader.read(reader.read(offset, size))
            if (header.algorithm.kind, header.hash.kind, header.compression.kind) != (
                "BLOCK",
                "XXHASH",
                "UNCOMPRESSED",
            ):
                raise broken("a bloom filter of an unknown kind", file=located.file, path=located.path)
            located.check_range(offset, length + header.numBytes, "bloom filter")
            data = reader.read(offset, length + header.numBytes)
            return bytes(parquet_file.BloomFilter.from_bytes(data).bitset)
    except DecodeError as error:
        if error.path.endswith(located.path):
            raise
        raise relocated(error, file=located.file, path=located.path, start=offset) from None
