"""Files damaged at random: anywhere, or in what a compressed block inflates to."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import zstandard

from lakecodec.generated.mosaic import BucketLayout, Compression, layout_of
from lakecodec.mosaic.decode import Slots
from lakecodec.mosaic.header import Header
from lakecodec.runtime.ranges import open_ranges

from .raw import entry, file, frame, row_group, uvarint


def _flip(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.choice([1, 1, 2, 8])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _cut(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.choice([1, 2, 30])]


def _end(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


def _repeat(rng: random.Random, data: bytearray) -> None:
    start, target = rng.randrange(len(data)), rng.randrange(len(data))
    data[target:target] = data[start : start + rng.choice([1, 4, 30])]


def _overwrite(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    data[start : start + 4] = rng.choice([bytes(4), b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", rng.randbytes(4)])


def _number(rng: random.Random, data: bytearray) -> None:
    """Makes a byte a varint that is large, or of other than the shortest form."""
    start = rng.randrange(len(data))
    large = uvarint(rng.choice([2**7, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63]))
    data[start : start + 1] = rng.choice([large, bytes((data[start] | 128, 0))])


class Original:
    """A file that damaged ones are made of."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._header = Header(open_ranges(data))
        self._footer = self._header.footer

    def mutated(self, rng: random.Random) -> bytes:
        """The file with damage somewhere."""
        return rng.choice([self._anywhere, self._in_schema, self._in_bucket])(rng)

    def _anywhere(self, rng: random.Random) -> bytes:
        return damaged(rng, self._data)

    def _in_schema(self, rng: random.Random) -> bytes:
        start, end = self._footer.schema_offset, self._footer.index_offset
        body = self._inflate(self._data[start + 4 : end])
        return self._file(self._data[:start], damaged(rng, body), self._data[end:-32], self._footer.num_row_groups)

    def _in_bucket(self, rng: random.Random) -> bytes:
        """A bucket alone, as a file; damage before compression."""
        groups = [group for group in self._header.index.row_groups if group.buckets]
        if not groups:
            return self._anywhere(rng)
        group = rng.choice(groups)
        ref = rng.choice(group.buckets)
        data = self._data[ref.start : ref.start + ref.stored]
        if layout_of(ref.stored, ref.inflated) == BucketLayout.PAGED:
            plan = self._header.columns.plan(ref.bucket_id)
            slots = Slots(plan, ref.stored, group.num_rows, data)
            spans = [slots.span(number) for number in range(len(plan.stored))]
            bucket, inflated = self._with_damaged_page(rng, data, spans), 0
        else:
            body = damaged(rng, self._inflate(data))
            bucket, inflated = self._deflate(body), len(body)
        start, end = self._footer.schema_offset, self._footer.index_offset
        body = self._inflate(self._data[start + 4 : end])
        return self._file(bucket, body, row_group(group.num_rows, entry(ref.bucket_id, 0, len(bucket), inflated)), 1)

    def _with_damaged_page(self, rng: random.Random, data: bytes, spans: list[tuple[int, int]]) -> bytes:
        chosen = rng.choice([number for number, (_, size) in enumerate(spans) if size] or [0])
        start, size = spans[chosen]
        if not size:
            return damaged(rng, data)
        content = next(at for at in range(start, start + size) if data[at] < 128) + 1
        page = damaged(rng, self._inflate(data[content : start + size]))
        block = uvarint(len(page)) + frame(page)
        # The directory ends with the sizes of the blocks.
        directory = bytearray(data[: spans[0][0]])
        struct.pack_into("<I", directory, len(directory) - 4 * (len(spans) - chosen), len(block))
        return bytes(directory) + data[len(directory) : start] + block + data[start + size :]

    def _file(self, buckets: bytes, body: bytes, index: bytes, num_row_groups: int) -> bytes:
        footer = self._footer
        return file(
            buckets,
            body,
            index,
            num_buckets=footer.num_buckets,
            num_row_groups=num_row_groups,
            compression=footer.compression,
        )

    def _inflate(self, data: bytes) -> bytes:
        return zstandard.ZstdDecompressor().decompress(data) if self._compressed else data

    def _deflate(self, data: bytes) -> bytes:
        return frame(data) if self._compressed else data

    @property
    def _compressed(self) -> bool:
        return bool(self._footer.compression == Compression.ZSTD)


def damaged(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if changed:
            rng.choice(_KINDS)(rng, changed)
    return bytes(changed)


_KINDS: list[Callable[[random.Random, bytearray], None]] = [_flip, _cut, _end, _repeat, _overwrite, _number]
