"""Decoding of wanted columns from many blocks (buckets) in few calls, without record objects."""

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
        values: fields of which each column has at most one: its values, its dictionary, or its ``constant``.
        constant: the field of ``values`` that has a constant.
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
        """Returns some columns as sequences of arrays: per block, or once for all blocks together if they are small.

        Args:
            types: `block_types` of the columns of each block.
            numbers: numbers of the wanted columns.
            blocks: buffers that hold a record each.
            parameters: the record's parameters without the first: one number for all blocks, or one per block.
            rows: number of rows per block.
            limit: bytes of results per block; see ``decode_columns``.
            shared: `column_memory` that the columns share, which makes short ones cheaper. Only one call at a time may
                use it.

        Returns:
            The columns of each block, or once the columns of all blocks, with their rows in order; see `record_batch`.
            None if bytes break a rule or the backend cannot decode them; reading the records gives the exact error.
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
    """Returns the conversion from a layout to an Arrow type, for `block_types`; cached by identity.

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
        parts: columns with the same number of rows, none of which was accessed before; they are empty afterwards.
        order: per column of the batch its number among the columns of all parts.
        schema: the ``pyarrow.Schema`` of the batch, with the types of the columns.

    Raises:
        ValueError: parts differ in their number of rows, or were accessed before.
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
