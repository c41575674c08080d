"""Encoded columns to Arrow in NumPy and Python; the compiled twin is ``lakecodec.runtime.native.columns.read``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .buffers import Buffer
from .layout import ValueLayout
from .pure_values import MAX_OFFSET, numbers, texts
from .pure_walk import walk
from .results import Form, Result, result_of
from .rules import ColumnError, Rule, broken

if TYPE_CHECKING:
    from .decode import ColumnDecode

_OFFSET_WIDTH = 4


def end_of(layout: ValueLayout, data: Buffer, start: int, end: int, count: int) -> int:
    """Returns the position after ``count`` values."""
    if not layout.width:
        return walk(layout, data, start, end, count)[2]
    if count * layout.width > end - start:
        raise broken(Rule.TRUNCATED, start)
    return start + count * layout.width


def decode(requests: Sequence[ColumnDecode], limit: int) -> list[Any]:
    """Returns the arrays of `decode_columns`, made with NumPy."""
    results = [result_of(request.layout, request.arrow_type) for request in requests]
    reader = _Reader(limit)
    arrays = []
    for number, (request, result) in enumerate(zip(requests, results, strict=True)):
        try:
            arrays.append(reader.column(request, result))
        except ColumnError as error:
            error.request = number
            raise
    return arrays


class _Reader:
    """Decoder of the columns of one call; they share one memory limit."""

    def __init__(self, limit: int) -> None:
        self._left = limit

    def column(self, request: ColumnDecode, result: Result) -> Any:
        rows = request.rows
        if rows < 0:
            raise ValueError("requests: a number of rows is negative")
        valid = _validity(request)
        live = 0 if request.values is None else rows if valid is None else int(valid.sum())
        _check_counts(request, live)
        # Rows without value bytes in the input.
        implied = rows - (live if _is_plain(request) else 0)
        make = self._ragged if result.form is Form.RAGGED else self._fixed
        buffers = make(request, result, valid, live, implied)
        nulls = rows - live
        validity = None
        if nulls:
            bits = np.zeros(rows, np.bool_) if valid is None else valid
            validity = pa.py_buffer(np.packbits(bits, bitorder="little"))
        return pa.Array.from_buffers(result.type, rows, [validity, *map(pa.py_buffer, buffers)], nulls)

    def _charge(self, nbytes: int) -> None:
        self._left -= nbytes
        if self._left < 0:
            raise broken(Rule.LIMIT, None)

    def _fixed(
        self, request: ColumnDecode, result: Result, valid: NDArray[np.bool_] | None, live: int, implied: int
    ) -> list[NDArray[Any]]:
        nbytes = (implied + 7) // 8 if result.form is Form.BITS else implied * result.width
        self._charge(nbytes)
        values = request.values
        if values is None:
            return [np.zeros(nbytes, np.uint8)]
        dense = numbers(result, values.data, values.start, values.end, values.count)
        if not _is_plain(request):
            dense = dense[_codes(request, live, len(dense))]
        if valid is not None:
            spread = np.zeros(request.rows, dense.dtype)
            spread[valid] = dense
            dense = spread
        return [np.packbits(dense, bitorder="little") if result.form is Form.BITS else dense]

    def _ragged(
        self, request: ColumnDecode, result: Result, valid: NDArray[np.bool_] | None, live: int, implied: int
    ) -> list[Any]:
        self._charge(implied * _OFFSET_WIDTH)
        values = request.values
        if values is None:
            return [np.zeros(implied + 1, np.int32), b""]
        entries = texts(result, values.data, values.start, values.end, values.count)
        sizes = np.fromiter(map(len, entries), np.int64, len(entries))
        codes = None
        if not _is_plain(request):
            codes = _codes(request, live, len(entries))
            sizes = sizes[codes]
        size = int(sizes.sum())
        if codes is not None:
            self._charge(size)
            entries = [entries[code] for code in codes]
        if size > MAX_OFFSET:
            raise broken(Rule.OFFSETS, None)
        offsets = np.zeros(request.rows + 1, np.int32)
        offsets[1:] = np.cumsum(sizes) if valid is None else np.append(0, np.cumsum(sizes))[np.cumsum(valid)]
        return [offsets, b"".join(entries)]


def _is_plain(request: ColumnDecode) -> bool:
    return request.values is not None and request.codes is None and not request.constant


def _validity(request: ColumnDecode) -> NDArray[np.bool_] | None:
    """Returns the rows that are not null; None where all are, or where there are no values at all."""
    if request.values is None or request.nulls is None:
        return None
    if len(request.nulls) != request.rows or request.nulls.width != 1:
        raise broken(Rule.NULLS, request.nulls.start)
    valid: NDArray[np.bool_] = request.nulls.to_numpy() == 0
    return valid


def _check_counts(request: ColumnDecode, live: int) -> None:
    if request.codes is not None:
        if len(request.codes) != live:
            raise broken(Rule.CODES, request.codes.start)
    elif request.values is not None and len(request.values) != (1 if request.constant else live):
        raise broken(Rule.COUNT, request.values.start)


def _codes(request: ColumnDecode, live: int, entries: int) -> NDArray[Any]:
    """Returns the index of each non-null row's value."""
    if request.codes is None:
        return np.zeros(live, np.uint8)
    codes = request.codes.to_numpy()
    if codes.max(initial=0) >= entries and live:
        raise broken(Rule.CODE, request.codes.start)
    return codes
