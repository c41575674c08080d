"""Physical columns of a bucket with their encodings and sizes, in either layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.mosaic import Bitmap, Bucket, BucketLayout, BucketRef, Cells, Dict, layout_of
from ..runtime.columns import Values
from ..runtime.errors import DecodeError
from .errors import broken, column_path
from .header import Header
from .layout import BucketPlan
from .names import uvarint_size
from .physical import Node
from .statistics import python_value


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """Physical column of a bucket: a column of the table, or elements of a nested one.

    Attributes:
        position: sorted position of the table's column.
        path: its name, and the names of the fields that lead to the elements.
        node: its type.
        rows: rows of the row group, or number of elements.
        nulls, constant, dictionary, cells: the stored parts; ``cells`` is None where the column has no slot or its
            bucket no bytes.
        stored_size: bytes of its slot in the file; None in buckets that are not paged.
        inflated_size: uncompressed bytes of the slot; None in buckets that are not paged.
    """

    position: int
    path: str
    node: Node
    rows: int
    nulls: Bitmap | None
    constant: Values | None
    dictionary: Dict | None
    cells: Cells | None
    stored_size: int | None
    inflated_size: int | None

    @property
    def encoding(self) -> str:
        """The name of the encoding: PLAIN, CONST, DICT or ALL_NULL."""
        return Cells.ALL_NULL().kind if self.cells is None else self.cells.kind

    @property
    def null_count(self) -> int:
        """The number of nulls."""
        if self.encoding == Cells.ALL_NULL().kind:
            return self.rows
        return 0 if self.nulls is None else self.nulls.null_at.sum()

    @property
    def num_entries(self) -> int | None:
        """The number of entries of the dictionary, None for other encodings."""
        return None if self.dictionary is None else len(self.dictionary.entries)

    @property
    def encoded_size(self) -> int:
        """Bytes before compression of null bitmap, constant, dictionary and values or indices, without flags."""
        size = 0 if self.nulls is None else self.nulls.null_at.nbytes
        if self.constant is not None:
            size += self.constant.nbytes
        if self.dictionary is not None:
            size += uvarint_size(len(self.dictionary.entries)) + self.dictionary.entries.nbytes
        if isinstance(self.cells, Cells.PLAIN):
            size += self.cells.values.nbytes
        elif isinstance(self.cells, Cells.DICT):
            size += self.cells.codes.nbytes
        return size

    def entries(self) -> list[tuple[Any, int]]:
        """Returns (value, number of rows) of each dictionary entry, or of the constant; empty for other encodings.

        Raises:
            DecodeError: a value breaks a rule of its type.
        """
        if isinstance(self.cells, Cells.DICT) and self.dictionary is not None:
            values = self.dictionary.entries
            counts = np.bincount(self.cells.codes.to_numpy(), minlength=len(values)).tolist()
        elif self.constant is not None:
            values, counts = self.constant, [self.rows - self.null_count]
        else:
            return []
        array: pa.Array = values.to_arrow(self.node.stored)
        return list(zip(map(python_value, array), counts, strict=True))


def read_stored_columns(header: Header, row_group: int, ref: BucketRef) -> list[StoredColumn]:
    """Returns all physical columns of a bucket, in the order in which they are stored.

    Raises:
        DecodeError: the bucket breaks a rule of the format.
    """
    plan = header.columns.plan(ref.bucket_id)
    num_rows = header.index.row_groups[row_group].num_rows
    try:
        return list(_stored_columns(header, plan, ref, num_rows))
    except DecodeError as error:
        raise bucket_failure(header, row_group, ref, error) from None


def bucket_failure(
    header: Header, row_group: int, ref: BucketRef, error: DecodeError, column: str | None = None
) -> DecodeError:
    """Returns an error in a bucket, or in its ``column``, as an error of the file at the bucket's offset."""
    parts = [f"row_groups[{row_group}].buckets[{ref.bucket_id}]", column_path(column) if column else error.path]
    return broken(error.rule, file=header.ranges.name, path=".".join(filter(None, parts)), offset=ref.start)


def _stored_columns(header: Header, plan: BucketPlan, ref: BucketRef, num_rows: int) -> Iterator[StoredColumn]:
    """Yields the physical columns of a bucket."""
    owners = _owners(header, plan)
    if layout_of(ref.stored, ref.inflated) == BucketLayout.EMPTY:
        for number, (position, path) in enumerate(owners):
            rows = num_rows if number < plan.primaries else 0
            yield StoredColumn(position, path, plan.stored[number], rows, None, None, None, None, None, None)
        return
    data = header.ranges.read(ref.start, ref.stored)
    shape = (plan.types, plan.primaries, num_rows)
    bucket: Any = Bucket.from_bytes(data, header.footer.compression, ref.stored, ref.inflated, *shape)
    body = bucket.body
    paged = isinstance(bucket, Bucket.PAGED)
    elements = (body.directory if paged else body).elements
    # Top-level columns have the rows of the row group, the others have a count each.
    counts = [num_rows] * plan.primaries + list(elements or ())
    for number, (position, path) in enumerate(owners):
        node, rows = plan.stored[number], counts[number]
        if not paged:
            parts = (body.nulls[number], body.consts[number], body.dicts[number], body.cells[number])
            yield StoredColumn(position, path, node, rows, *parts, None, None)
            continue
        slot = body.slots[number]
        if slot is None:
            yield StoredColumn(position, path, node, rows, None, None, None, None, 0, 0)
        else:
            page, stored = slot.page, body.directory.slot_sizes[number]
            parts = (page.nulls, page.constant, page.dict, page.cells)
            yield StoredColumn(position, path, node, rows, *parts, stored, slot.inflated)


def _owners(header: Header, plan: BucketPlan) -> list[tuple[int, str]]:
    """Returns the sorted position of the column, and the path, of each physical column of a bucket."""
    tops, below = [], []
    for position, node in zip(plan.positions, plan.columns, strict=True):
        top, *rest = _paths(header.columns.names[position], node)
        tops.append((position, top))
        below += [(position, path) for path in rest]
    return tops + below


def _paths(name: str, node: Node) -> Iterator[str]:
    """Yields the paths of a column and of its descendants, depth first."""
    yield name
    if not node.children:
        return
    type: Any = node.type
    fields = [type.value_field] if len(node.children) == 1 else [type.key_field, type.item_field]
    for field, child in zip(fields, node.children, strict=True):
        yield from _paths(f"{name}.{field.name}", child)
