"""Decoding of row keys to columns in NumPy; the compiled equivalent is ``row/native/decode.pyx``.

Every reader takes the positions of a cell in all rows and returns a column and the positions after the cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import (
    LEFTOVER,
    LIST_ITEMS,
    MARK,
    NULL_PADDING,
    PADDING,
    RANGE,
    SENTINEL,
    SHORTEST,
    TRAILER,
    TRUNCATED,
    UTF8,
    Bytes,
    Cell,
    CellError,
    Column,
    Kind,
    Offsets,
)
from .ragged import gather, steps
from .transforms import from_payload


class Rows:
    """Rows that are being read: row i is ``data[starts[i]:ends[i]]``."""

    def __init__(self, data: Bytes, starts: Offsets, ends: Offsets) -> None:
        self.data = data
        self.starts = starts
        self.ends = ends

    def require(self, good: NDArray[np.bool_], rows: Offsets, at: Offsets, rule: int) -> None:
        """Raises CellError for the first of ``rows`` whose entry in ``good`` is False."""
        if not good.all():
            i = int(np.argmin(good))
            raise CellError(int(rows[i]), int(at[i] - self.starts[rows[i]]), rule)

    def take(self, rows: Offsets, at: Offsets, count: int | Offsets, rule: int = TRUNCATED) -> None:
        """Raises CellError unless each row has ``count`` bytes from ``at`` on."""
        self.require(self.ends[rows] - at >= count, rows, at, rule)


def read(
    cells: list[Cell],
    data: Bytes,
    starts: Offsets,
    ends: Offsets,
    exact: bool,
    after: Offsets | None = None,
) -> list[Column]:
    """Reads the cells of every row.

    Args:
        cells: shapes in row order.
        data, starts, ends: the rows' bytes and where each begins and must end.
        exact: nothing may be left after the last cell.
        after: when given, receives the position after the last cell of every row.

    Raises:
        CellError: bytes that break a rule.
        OverflowError: 32-bit offsets do not hold a column's bytes.
    """
    if len(ends) != len(starts) or (after is not None and len(after) != len(starts)):
        raise ValueError("starts, ends, after: one position per row is needed")
    if len(starts) and (starts.min() < 0 or (ends < starts).any() or ends.max() > len(data)):
        raise ValueError("starts, ends: a row lies outside the data")
    rows = Rows(data, starts, ends)
    place = starts.copy()
    columns = []
    for cell in cells:
        column, place = _fixed(cell, rows, place) if cell.kind == Kind.FIXED else _values(cell, rows, place)
        columns.append(column)
    if exact:
        rows.require(place == ends, np.arange(len(starts)), place, LEFTOVER)
    if after is not None:
        after[:] = place
    return columns


def _bitmap(valid: NDArray[np.bool_]) -> Bytes | None:
    return None if valid.all() else np.packbits(valid, bitorder="little")


def _fixed(cell: Cell, rows: Rows, place: Offsets) -> tuple[Column, Offsets]:
    everyone = np.arange(len(place))
    before, width = int(cell.present >= 0), cell.width
    rows.take(everyone, place, before + width)
    matrix = rows.data[place[:, None] + np.arange(before + width)]
    valid = np.ones(len(place), np.bool_)
    if cell.null >= 0 and before + width:
        valid = matrix[:, 0] != cell.null
        rows.require((matrix[:, 1:] == 0).all(axis=1) | valid, everyone, place, NULL_PADDING)
    if before:
        rows.require((matrix[:, 0] == cell.present) | ~valid, everyone, place, SENTINEL)
    values = from_payload(matrix[:, before:], width, cell.payload, cell.invert) if width else np.empty(0, np.uint8)
    if width and not valid.all():
        values = values.reshape(-1, width)
        values[~valid] = 0
        values = values.reshape(-1)
    column = Column(values, valid=_bitmap(valid), nulls=int((~valid).sum()))
    return column, place + before + width


def _values(cell: Cell, rows: Rows, place: Offsets) -> tuple[Column, Offsets]:
    everyone = np.arange(len(place))
    rows.take(everyone, place, 1)
    first = rows.data[place]
    valid = np.ones(len(place), np.bool_) if cell.null < 0 else first != cell.null
    live = everyone[valid]
    after = place + 1
    items = None
    counts = np.zeros(len(place), np.int64)
    match cell.kind:
        case Kind.BLOCKS:
            mask = np.uint8(0xFF if cell.invert else 0)
            mark = first[valid] ^ mask
            rows.require((mark == cell.empty) | (mark == cell.filled), live, place[valid], MARK)
            filled = live[mark == cell.filled]
            data, counts[filled], after[filled] = _blocks(cell, rows, filled, place[filled] + 1)
        case Kind.LIST:
            data, counts[live], items, after[live] = _list(cell, rows, live, place[valid])
        case Kind.TERMINATED:
            data, counts[live], after[live] = _terminated(cell, rows, live, place[valid])
        case _:
            data, counts[live], after[live] = _counted(cell, rows, live, place[valid])
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if cell.text:
        _check_text(rows, data, offsets, place)
    if not cell.wide:
        if offsets[-1] > np.iinfo(np.int32).max:
            raise OverflowError("more bytes than 32-bit offsets hold")
        return Column(data, offsets.astype(np.int32), items, _bitmap(valid), int((~valid).sum())), after
    return Column(data, offsets, items, _bitmap(valid), int((~valid).sum())), after


def _blocks(cell: Cell, rows: Rows, owners: Offsets, place: Offsets) -> tuple[Bytes, Offsets, Offsets]:
    """Returns values behind their filled bytes: all their bytes, their lengths and the positions after them."""
    mask = np.uint8(0xFF if cell.invert else 0)
    count = len(owners)
    place, lengths = place.copy(), np.zeros(count, np.int64)
    going = np.arange(count)
    pieces: list[tuple[Offsets, Offsets, Offsets]] = []
    number = 0
    while len(going):
        size = 8 if number < cell.narrow else 32
        at, owner = place[going], owners[going]
        rows.take(owner, at, size + 1)
        used = (rows.data[at + size] ^ mask).astype(np.int64)
        more = used == 0xFF
        rows.require(more | ((used >= 1) & (used <= size)), owner, at + size, TRAILER)
        used[more] = size
        padding = gather(rows.data, at + used, size - used) ^ mask
        if padding.any():
            bad = steps(size - used)[0][int(np.argmax(padding != 0))]
            raise CellError(int(owner[bad]), int(at[bad] - rows.starts[owner[bad]]), PADDING)
        pieces.append((going, at, used))
        lengths[going] += used
        place[going] = at + size + 1
        going = going[more]
        number += 1
    if not pieces:
        return np.empty(0, np.uint8), lengths, place
    value, at, used = (np.concatenate(part) for part in zip(*pieces, strict=True))
    order = np.argsort(value, kind="stable")
    return gather(rows.data, at[order], used[order]) ^ mask, lengths, place


def _list(cell: Cell, rows: Rows, owners: Offsets, place: Offsets) -> tuple[Bytes, Offsets, Offsets, Offsets]:
    """Returns lists: the bytes of all items, items a list, item positions and the positions after the lists."""
    mask = np.uint8(0xFF if cell.invert else 0)
    place, counts = place.copy(), np.zeros(len(owners), np.int64)
    going = np.arange(len(owners))
    rounds: list[tuple[Offsets, Bytes, Offsets]] = []
    while len(going):
        at, owner = place[going], owners[going]
        rows.take(owner, at, 1)
        mark = rows.data[at] ^ mask
        rows.require((mark == cell.empty) | (mark == cell.filled), owner, at, LIST_ITEMS)
        place[going] += 1
        going = going[mark == cell.filled]
        if not len(going):
            break
        data, lengths, place[going] = _blocks(cell, rows, owners[going], place[going])
        counts[going] += 1
        rounds.append((going, data, lengths))
    if not rounds:
        return np.empty(0, np.uint8), counts, np.zeros(1, np.int64), place
    lists, lengths = (np.concatenate([part[k] for part in rounds]) for k in (0, 2))
    data = np.concatenate([part[1] for part in rounds])
    order = np.argsort(lists, kind="stable")
    starts = np.cumsum(lengths) - lengths
    items = np.concatenate([[0], np.cumsum(lengths[order])]).astype(np.int64)
    return gather(data, starts[order], lengths[order]), counts, items, place


def _terminated(cell: Cell, rows: Rows, owners: Offsets, place: Offsets) -> tuple[Bytes, Offsets, Offsets]:
    mask = 0xFF if cell.invert else 0
    ends = np.flatnonzero(rows.data == cell.end ^ mask)
    which = np.searchsorted(ends, place)
    stop = np.append(ends, len(rows.data))[which]
    rows.require(stop < rows.ends[owners], owners, place, TRUNCATED)
    lengths = stop - place
    values = gather(rows.data, place, lengths) ^ np.uint8(mask)
    low = values < cell.shift
    if low.any():
        bad = steps(lengths)[0][int(np.argmax(low))]
        raise CellError(int(owners[bad]), int(place[bad] - rows.starts[owners[bad]]), RANGE)
    return values - np.uint8(cell.shift), lengths, stop + 1


def _counted(cell: Cell, rows: Rows, owners: Offsets, place: Offsets) -> tuple[Bytes, Offsets, Offsets]:
    lengths = rows.data[place].astype(np.int64)
    begin = place + 1
    long = lengths == cell.more
    rows.take(owners[long], place[long], 5)
    four = rows.data[begin[long][:, None] + np.arange(4)]
    lengths[long] = np.ascontiguousarray(four).view("<u4").reshape(-1)
    begin[long] += 4
    rows.require(~long | (lengths >= cell.more), owners, place, SHORTEST)
    rows.require(rows.ends[owners] - begin >= lengths, owners, place, TRUNCATED)
    return gather(rows.data, begin, lengths), lengths, begin + lengths


def _check_text(rows: Rows, data: Bytes, offsets: Offsets, place: Offsets) -> None:
    if not (data & 0x80).any():
        return
    for row in np.unique(np.searchsorted(offsets, np.flatnonzero(data & 0x80), side="right") - 1):
        try:
            data[offsets[row] : offsets[row + 1]].tobytes().decode()
        except UnicodeDecodeError:
            raise CellError(int(row), int(place[row] - rows.starts[row]), UTF8) from None
