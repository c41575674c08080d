"""State of a bucket that is being read."""

from __future__ import annotations

from typing import Any

from ..generated.mosaic import BucketLayout, Compression
from ..runtime.columns import ColumnError
from ..runtime.errors import CodecError, DecodeError
from ..runtime.records.read import OF_DECODED
from .decode import Slots, head_size
from .errors import broken, column_path
from .header import Header
from .layout import BucketPlan, Selection

#: Buckets up to this stored size are read whole, even if some of their columns are not wanted.
_SMALL = 64 * 1024


class BucketRead:
    """Bucket of a row group with the columns to read.

    Attributes:
        row_group: number of the row group.
        num_rows: of the row group.
        wanted: the columns to read.
        start, stored, inflated: offset, stored bytes and uncompressed bytes; 0 where the index does not list the
            bucket.
        layout: monolithic, paged or empty.
        whole: all bytes of the bucket, if they were fetched.
        slots: offsets of its slots, in a paged bucket.
        blocks: bytes of slots that were fetched alone, by physical column.
    """

    __slots__ = (
        "blocks", "inflated", "layout", "num_rows", "row_group", "slots", "start", "stored", "wanted", "whole"
    )  # fmt: skip

    def __init__(
        self,
        row_group: int,
        num_rows: int,
        wanted: Selection,
        start: int,
        stored: int,
        inflated: int,
        layout: BucketLayout,
    ) -> None:
        self.row_group = row_group
        self.num_rows = num_rows
        self.wanted = wanted
        self.start = start
        self.stored = stored
        self.inflated = inflated
        self.layout = layout
        self.whole: Any = None
        self.slots: Slots | None = None
        self.blocks: dict[int, Any] | None = None

    @property
    def plan(self) -> BucketPlan:
        """The bucket's columns."""
        return self.wanted.plan

    def first_size(self) -> int:
        """Returns the bytes to fetch first: the whole bucket, or child header and directory of a large paged one."""
        stored = self.stored
        if self.layout != BucketLayout.PAGED or stored <= _SMALL or len(self.wanted.positions) == self.plan.primaries:
            return stored
        return min(stored, head_size(self.plan))

    def block(self, number: int) -> Any:
        """Returns the bytes of a physical column's slot; slots that were fetched alone are released."""
        if self.blocks is not None:
            return self.blocks.pop(number)
        assert self.slots is not None
        start, size = self.slots.span(number)
        return self.whole[start : start + size]


def failed(header: Header, read: BucketRead, position: int | None, error: CodecError, start: int = 0) -> DecodeError:
    """Returns an error in a bucket as an error of the file.

    Args:
        header: of the file.
        read: the bucket.
        position: sorted position of the column with the error, None if unknown.
        error: the error.
        start: offset in the bucket of the block with the error, in bytes.
    """
    path = f"row_groups[{read.row_group}].buckets[{read.plan.bucket_id}]"
    if position is not None:
        path = f"{path}.{column_path(header.columns.names[position])}"
    if not read.stored:
        return broken(error.rule, file=header.ranges.name, path=path)
    rule = error.rule.removesuffix(OF_DECODED)
    inner = error.offset or 0
    if header.footer.compression == Compression.ZSTD and (rule != error.rule or isinstance(error, ColumnError)):
        # The offset is in the uncompressed block, so the error has the offset of the block in the file.
        rule, inner = f"{rule} (byte {inner} of the inflated block)", 0
    offset = read.start + start + inner
    return broken(rule, file=header.ranges.name, path=path, offset=offset)
