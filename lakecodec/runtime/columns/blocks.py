"""Decoding of blocks (buckets) of many columns: wanted columns of many blocks in few calls, without record objects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from . import backend
from .decode import DEFAULT_LIMIT
from .layout import ValueLayout
from .scan.offset_scan import OffsetScan
from .scan.symbols import Encoded, Given, NotScannable, Packed

Path = tuple[str, ...]


class Blocks:
    """A description of a record that holds columns, and the decoder of such records.

    Fields are given as paths of field names; a list in a path stands for its elements.

    Args:
        record: the record's class; its first parameter is the list of the columns' types, the others are numbers.
        encoding: the encoding of all values.
        values: fields of which one at most is there for a column: its values, its dictionary, or its ``constant``.
        constant: one of ``values``.
        nulls: the field of null bitmaps.
        codes: the field of dictionary codes.
    """

    def __init__(
        self, record: Any, encoding: Any, *, values: Sequence[Path], constant: Path, nulls: Path, codes: Path
    ) -> None:
        self._record = record
        self._encoding = encoding
        self._values = values
        self._constant = values.index(constant)
        self._nulls = nulls
        self._codes = codes

    def decode(
        self,
        types: Any,
        numbers: Sequence[int],
        blocks: Sequence[Any],
        parameters: Sequence[int | Sequence[int]],
        rows: Sequence[int],
        *,
        limit: int = DEFAULT_LIMIT,
        shared: Any = None,
    ) -> list[Sequence[Any]] | None:
        """Returns some columns of each block, or of all blocks together where they are small, as sequences of arrays.

        Args:
            types: `block_types` of the columns of each block.
            numbers: of the columns that are wanted.
            blocks: buffers that hold a record each.
            parameters: of the record but for the first: a number for all blocks, or one for each.
            rows: of all wanted columns, for each block.
            limit: see ``decode_columns``; it is that of a block.
            shared: `column_memory` that the columns share: short ones cost less so. One call at a time may use it.

        Returns:
            The columns of each block, or once those of all blocks, whose rows follow each other; see `record_batch`.
            None where bytes break a rule, or the backend cannot do it; reading the records tells more.
        """
        machine = self._machine
        if machine is None:
            return None
        given = (len(types), *parameters)
        decoded: list[Sequence[Any]] | None = backend.decode_blocks(
            machine, self._sought, types, numbers, blocks, given, rows, limit, shared
        )
        return decoded

    @cached_property
    def _scan(self) -> OffsetScan:
        scan = OffsetScan(self._record, self._encoding)
        if scan.types != (scan.params[:1], ()):
            raise NotScannable("the types of values are not those of the first parameter")
        return scan

    @cached_property
    def _machine(self) -> Any:
        if backend.offset_scans is None:
            return None
        types, *numbers = (Given((name,)) for name in self._scan.params)
        return self._scan.machine([(types, True), *((number, False) for number in numbers)])

    @cached_property
    def _sought(self) -> Any:
        values = [_arrays(self._scan, path) for path in self._values]
        nulls, codes = _arrays(self._scan, self._nulls), _arrays(self._scan, self._codes)
        return backend.offset_scans.ColumnParts(values, self._constant, nulls, codes)


def column_plan(layout: ValueLayout, type: Any) -> Any:
    """Returns the conversion of values of a layout to an Arrow type, for `block_types`; cached by identity.

    Raises:
        TypeError: the type cannot hold the values.
    """
    return backend.plan_of(layout, type)


def block_types(plans: Sequence[Any]) -> Any:
    """Returns the types of all columns of a block, given the `column_plan` of each."""
    return plans if backend.BlockTypes is None else backend.BlockTypes(plans)


def column_memory(*, is_large: bool) -> Any:
    """Returns memory that columns of several calls of `Blocks.decode` share; each part is freed with the last of its columns.

    Args:
        is_large: whether the columns need megabytes.
    """
    return None if backend.ColumnMemory is None else backend.ColumnMemory(is_large)


def record_batch(parts: Sequence[Sequence[Any]], order: Sequence[int], schema: Any) -> Any:
    """Returns a ``pyarrow.RecordBatch`` of what `Blocks.decode` returned; no array is made for a column.

    All columns share the batch's memory: it is freed when nobody needs any of them.

    Args:
        parts: columns of equally many rows, which were not looked at; they are empty afterwards.
        order: for each column of the batch its number among the columns of all parts.
        schema: the ``pyarrow.Schema`` of the batch, with the types of the columns.

    Raises:
        ValueError: parts of different lengths, or which were looked at.
    """
    return backend.record_batch(parts, order, schema)


def _arrays(scan: OffsetScan, path: Path) -> tuple[int, int, int, int]:
    """Returns the numbers of the arrays that locate a field: presence (-1 for always there), then start, end and count of
    encoded values, or start, count and width of packed numbers.
    """
    found = scan.find(*path)
    if not isinstance(found, Packed | Encoded):
        raise NotScannable(path)
    inner = (found.end, found.count) if isinstance(found, Encoded) else (found.count, found.width)
    cells = (found.start, *inner)
    if any(cell.index is None for cell in cells):
        raise NotScannable(path)
    first, second, third = (cell.number for cell in cells)
    return -1 if found.presence.index is None else found.presence.number, first, second, third
