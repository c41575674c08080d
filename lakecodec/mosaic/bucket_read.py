"""One bucket on its way from the file to arrays."""

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

#: Stored bytes of a bucket that are read at once, though some of its columns are not wanted.
_SMALL = 64 * 1024


class BucketRead:
    """A bucket of a row group of which columns are wanted.

    Attributes:
        row_group: its number.
        num_rows: of the row group.
        wanted: the columns that are.
        start, stored, inflated: where the bucket is, its bytes, and what they inflate to; 0 where the file left it out.
        layout: how it is stored.
        whole: all bytes of the bucket, if they were fetched.
        slots: where its blocks are, in a bucket with a block a column.
        blocks: bytes of such blocks, by stored column.
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
        return self.wanted.plan

    def first_size(self) -> int:
        """Bytes that are fetched before anything of the bucket is known."""
        stored = self.stored
        if self.layout != BucketLayout.PAGED or stored <= _SMALL or len(self.wanted.positions) == self.plan.primaries:
            return stored
        return min(stored, head_size(self.plan))

    def block(self, number: int) -> Any:
        """The bytes of a stored column's block, which are given away."""
        if self.blocks is not None:
            return self.blocks.pop(number)
        assert self.slots is not None
        start, size = self.slots.span(number)
        return self.whole[start : start + size]


def failed(header: Header, read: BucketRead, position: int | None, error: CodecError, start: int = 0) -> DecodeError:
    """``error`` as one of a bucket; ``start`` is that of the block in which it was found."""
    path = f"row_groups[{read.row_group}].buckets[{read.plan.bucket_id}]"
    if position is not None:
        path = f"{path}.{column_path(header.columns.names[position])}"
    if not read.stored:
        return broken(error.rule, file=header.ranges.name, path=path)
    rule = error.rule.removesuffix(OF_DECODED)
    inner = error.offset or 0
    if header.footer.compression == Compression.ZSTD and (rule != error.rule or isinstance(error, ColumnError)):
        # No byte of the file is at fault alone: the block is, and a place in what it inflates to.
        rule, inner = f"{rule} (byte {inner} of the inflated block)", 0
    offset = read.start + start + inner
    return broken(rule, file=header.ranges.name, path=path, offset=offset)
