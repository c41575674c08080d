"""Decoder of buckets to Arrow arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import pyarrow as pa

from ..generated.mosaic import (
    Bitmap,
    Bucket,
    Cells,
    Columns,
    Dict,
    Directory,
    Footer,
    Slot,
    Value,
    rows_of,
)
from ..runtime.columns import Blocks, ColumnDecode, ColumnError, Values, decode_columns
from ..runtime.errors import DecodeError
from .errors import ColumnFailure
from .layout import BucketPlan, Selection
from .physical import Node, nest


class Slots:
    """Offsets of the slots of a paged bucket (Mosaic design, section Bucket, paged layout).

    Args:
        plan: the bucket's columns.
        stored: bytes of the bucket.
        num_rows: of the row group.
        head: at least the first `head_size` bytes of the bucket.

    Raises:
        DecodeError: the directory breaks a rule of the format, or directory and slots do not fill the bucket.
    """

    def __init__(self, plan: BucketPlan, stored: int, num_rows: int, head: Any) -> None:
        self._plan = plan
        self._num_rows = num_rows
        directory, size = Directory.read(head, 0, plan.types, plan.primaries)
        self._elements = directory.elements
        # The blocks follow the directory without gaps.
        self._ends = list(accumulate(directory.slot_sizes, initial=size))
        if self._ends[-1] != stored:
            rule = f"directory ({size}) + slots ({self._ends[-1] - size}) != total size ({stored})"
            raise DecodeError(rule, offset=0)

    def span(self, number: int) -> tuple[int, int]:
        """Returns (offset in the bucket, size) of a physical column's slot in bytes."""
        start, end = self._ends[number : number + 2]
        return start, end - start

    def request(self, number: int, data: Any) -> ColumnDecode:
        """Returns the request that decodes a physical column, given the bytes of its slot.

        Raises:
            DecodeError: the slot breaks a rule of the format.
        """
        node = self._plan.stored[number]
        rows = rows_of(number, self._plan.primaries, self._num_rows, self._elements)
        if not len(data):
            return ColumnDecode(node.layout, node.stored, rows)
        page = Slot.from_bytes(data, node.params, rows).page
        return _request(node, rows, page.cells, page.nulls, page.constant, page.dict)


def head_size(plan: BucketPlan) -> int:
    """Returns the bytes before the first slot of a paged bucket: child header and directory."""
    children = len(plan.stored) - plan.primaries
    empty = Directory(elements=[0] * children if children else None, slot_sizes=[0] * len(plan.stored))
    return len(empty.to_bytes(plan.types, plan.primaries))


def block_requests(
    plan: BucketPlan,
    stored: int,
    inflated: int,
    footer: Footer,
    num_rows: int,
    data: Any,
    numbers: Sequence[int],
) -> dict[int, ColumnDecode]:
    """Returns the requests that decode physical columns of a monolithic bucket, by number.

    Args:
        plan: the bucket's columns.
        stored, inflated: bytes of the bucket in the file and uncompressed.
        footer: of the file.
        num_rows: of the row group.
        data: the stored bytes.
        numbers: the wanted physical columns.

    Raises:
        DecodeError: the bucket breaks a rule of the format.
    """
    parameters = (footer.compression, stored, inflated, plan.types, plan.primaries, num_rows)
    bucket: Any = Bucket.from_bytes(data, *parameters)
    body = bucket.body
    primaries, elements = plan.primaries, body.elements
    cells, nulls, consts, dicts = body.cells, body.nulls, body.consts, body.dicts
    requests = {}
    for number in numbers:
        rows = rows_of(number, primaries, num_rows, elements)
        node = plan.stored[number]
        requests[number] = _request(node, rows, cells[number], nulls[number], consts[number], dicts[number])
    return requests


def arrays_of_blocks(
    selection: Selection, blocks: Sequence[Any] | None, rows: Sequence[int], limit: int, shared: Any
) -> list[Sequence[pa.Array]] | None:
    """Returns the selected columns of one bucket in several row groups, decoded together by an offset scan.

    Args:
        selection: the columns.
        blocks: the uncompressed monolithic bucket of each row group; None where there are others.
        rows: rows of each row group.
        limit: see `decode_columns`; it holds for each block.
        shared: `column_memory` that the columns share, or None.

    Returns:
        The columns per row group, or once with the rows of all where they are small.
        None where the records must be read instead: other buckets, bytes that break a rule, nested columns, or no
        compiled kernels.
    """
    plan = selection.plan
    if blocks is None or selection.is_nested:
        return None
    return BLOCKS.decode(
        plan.block_types, selection.numbers, blocks, (plan.primaries, rows), rows, limit=limit, shared=shared
    )


#: The fields of `Columns` with the attributes that `_request` takes from a column's objects.
BLOCKS = Blocks(
    Columns,
    Value,
    values=[("cells", "values"), ("dicts", "entries"), ("consts",)],
    constant=("consts",),
    nulls=("nulls", "null_at"),
    codes=("cells", "codes"),
)


def absent_requests(plan: BucketPlan, num_rows: int, numbers: Sequence[int]) -> dict[int, ColumnDecode]:
    """Returns requests for physical columns of a bucket that the row group index does not list, by number: all null."""
    requests = {}
    for number in numbers:
        node = plan.stored[number]
        requests[number] = ColumnDecode(node.layout, node.stored, num_rows if number < plan.primaries else 0)
    return requests


def arrays_of(selection: Selection, requests: Mapping[int, ColumnDecode], limit: int) -> list[pa.Array]:
    """Returns the arrays of the selected columns, decoded from requests; ``limit`` is that of `decode_columns`.

    Raises:
        ColumnFailure: bytes break a rule of the format, or the limit is exceeded.
    """
    plan, numbers = selection.plan, selection.numbers
    try:
        decoded = decode_columns([requests[number] for number in numbers], limit=limit)
    except ColumnError as error:
        raise ColumnFailure(plan.owner(numbers[error.request]), error) from None
    if not selection.is_nested:
        return decoded
    arrays = []
    rest = iter(decoded)
    for position, group in zip(selection.positions, selection.groups, strict=True):
        try:
            arrays.append(nest(plan.stored[group[0]], rest))
        except DecodeError as error:
            raise ColumnFailure(position, error) from None
    return arrays


def failing_column(plan: BucketPlan, error: DecodeError) -> int | None:
    """Returns the sorted position of the column of an error in a monolithic bucket, None for other errors."""
    found = _SECTION.search(error.path)
    if found is None or int(found[1]) >= len(plan.stored):
        return None
    return plan.owner(int(found[1]))


_SECTION = re.compile(r"\b(?:cells|consts|dicts|nulls)\[(\d+)\]")


def _request(
    node: Node, rows: int, cells: Cells, nulls: Bitmap | None, constant: Values | None, dictionary: Dict | None
) -> ColumnDecode:
    """Returns the request that decodes a physical column, given its parts."""
    null_at = None if nulls is None else nulls.null_at
    if isinstance(cells, Cells.PLAIN):
        return ColumnDecode(node.layout, node.stored, rows, null_at, cells.values)
    if isinstance(cells, Cells.DICT):
        assert dictionary is not None
        return ColumnDecode(node.layout, node.stored, rows, null_at, dictionary.entries, cells.codes)
    if isinstance(cells, Cells.CONST):
        return ColumnDecode(node.layout, node.stored, rows, null_at, constant, constant=True)
    return ColumnDecode(node.layout, node.stored, rows, null_at)
