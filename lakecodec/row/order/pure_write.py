"""Encoding of columns to row keys in NumPy; the compiled equivalent is ``row/native/encode.pyx``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import Bytes, Cell, Kind, Offsets, Source
from .ragged import bits, gather, positions, scatter, steps
from .transforms import to_payload


def blocks_length(lengths: Offsets, narrow: int) -> Offsets:
    """Returns the number of bytes that values of these lengths take in blocks."""
    small = 1 + 9 * ((lengths + 7) // 8)
    large = 1 + 9 * narrow + 33 * ((lengths - 8 * narrow + 31) // 32)
    return np.where(lengths == 0, 1, np.where(lengths <= 8 * narrow, small, large))


def measure(cells: list[tuple[Cell, Source]], n: int) -> Offsets:
    """Returns the n + 1 offsets of ``n`` rows made of (cell, source) pairs."""
    lengths: Offsets | int = 0
    for cell, source in cells:
        lengths = lengths + _lengths(cell, source, n)
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(np.broadcast_to(lengths, n), out=offsets[1:])
    return offsets


def write(cells: list[tuple[Cell, Source]], n: int, out: Bytes, offsets: Offsets) -> None:
    """Writes rows to the offsets that ``measure`` returned, counted from the start of ``out``."""
    if not np.array_equal(offsets, measure(cells, n)):
        raise ValueError("offsets: those that measure gives for these cells are needed")
    if len(out) < offsets[n]:
        raise ValueError(f"out: {offsets[n]} bytes are needed, not {len(out)}")
    place = offsets[:-1].copy()
    for cell, source in cells:
        lengths = np.broadcast_to(np.asarray(_lengths(cell, source, n), np.int64), n)
        scatter(out, place, _bytes(cell, source, n, lengths), lengths)
        place += lengths


def _valid(source: Source, n: int) -> NDArray[np.bool_]:
    return np.ones(n, np.bool_) if source.valid is None else bits(source.valid, source.bit, n)


def _spans(source: Source) -> tuple[Offsets, Offsets]:
    assert source.starts is not None
    assert source.ends is not None
    return positions(source.starts), positions(source.ends)


def _lengths(cell: Cell, source: Source, n: int) -> Offsets | int:
    if cell.kind == Kind.FIXED:
        return cell.width + (cell.present >= 0)
    starts, ends = _spans(source)
    lengths = ends - starts
    match cell.kind:
        case Kind.BLOCKS:
            lengths = blocks_length(lengths, cell.narrow)
        case Kind.LIST | Kind.SEQUENCE:
            assert source.items is not None
            items = np.diff(source.items)
            sizes = blocks_length(items, cell.narrow) if cell.kind == Kind.LIST else items + 1
            total = np.concatenate([[0], np.cumsum(sizes)])
            lengths = total[ends] - total[starts] + 1
        case Kind.TERMINATED:
            lengths = lengths + 1
        case Kind.COUNTED:
            lengths = lengths + np.where(lengths < cell.more, 1, 5)
    if source.valid is None:
        return lengths
    return np.where(_valid(source, n), lengths, int(cell.null >= 0))


def _bytes(cell: Cell, source: Source, n: int, lengths: Offsets) -> Bytes:
    """Returns the bytes of a cell in every row, concatenated."""
    valid = _valid(source, n)
    if cell.kind == Kind.FIXED:
        return _fixed(cell, source, n, valid)
    starts, ends = _spans(source)
    starts, counts = starts[valid], (ends - starts)[valid]
    match cell.kind:
        case Kind.BLOCKS:
            body = _blocks(cell, source.data, starts, counts)
        case Kind.RAW:
            body = gather(source.data, starts, counts)
        case Kind.LIST | Kind.SEQUENCE:
            body = _items(cell, source, starts, counts)
        case Kind.TERMINATED:
            body = np.full(len(counts) + int(counts.sum()), cell.end, np.uint8)
            values = gather(source.data, starts, counts) + np.uint8(cell.shift)
            scatter(body, np.cumsum(counts + 1) - counts - 1, values, counts)
        case _:
            body = _counted(cell, source.data, starts, counts)
    if cell.invert:
        body = ~body
    if valid.all() or cell.null < 0:
        return body
    out = np.full(int(lengths.sum()), cell.null, np.uint8)
    scatter(out, (np.cumsum(lengths) - lengths)[valid], body, lengths[valid])
    return out


def _fixed(cell: Cell, source: Source, n: int, valid: NDArray[np.bool_]) -> Bytes:
    before = int(cell.present >= 0)
    out = np.empty((n, before + cell.width), np.uint8)
    if before:
        out[:, 0] = cell.present
    if cell.width:
        data = source.data[: n * cell.width]
        out[:, before:] = to_payload(data, cell.width, cell.payload, cell.invert, cell.nan_last)
    if not valid.all():
        out[~valid] = 0
        out[~valid, 0] = cell.null
    return out.reshape(-1)


def _blocks(cell: Cell, data: Bytes, starts: Offsets, counts: Offsets) -> Bytes:
    """Returns values in blocks, not inverted."""
    sizes = blocks_length(counts, cell.narrow)
    begin = np.cumsum(sizes) - sizes
    out = np.zeros(int(sizes.sum()), np.uint8)
    out[begin] = np.where(counts == 0, cell.empty, cell.filled)
    edge = 8 * cell.narrow
    owner, place = steps(counts)
    wide = place - edge
    out[begin[owner] + 1 + np.where(wide < 0, place + place // 8, 9 * cell.narrow + wide + wide // 32)] = data[
        starts[owner] + place
    ]
    blocks = np.where(counts <= edge, (counts + 7) // 8, cell.narrow + (counts - edge + 31) // 32)
    owner, number = steps(blocks)
    narrow = number < cell.narrow
    trailer = np.where(narrow, 9 * number + 8, 9 * cell.narrow + 33 * (number - cell.narrow) + 32)
    used = counts[owner] - np.where(narrow, 8 * number, edge + 32 * (number - cell.narrow))
    out[begin[owner] + 1 + trailer] = np.where(number == blocks[owner] - 1, used, 0xFF)
    return out


def _items(cell: Cell, source: Source, starts: Offsets, counts: Offsets) -> Bytes:
    """Returns lists of encoded items with their terminators, not inverted."""
    assert source.items is not None
    owner, place = steps(counts)
    item = starts[owner] + place
    begin, sizes = source.items[item], np.diff(source.items)[item]
    if cell.kind == Kind.LIST:
        wrapped = blocks_length(sizes, cell.narrow)
        body = _blocks(cell, source.data, begin, sizes)
        end = cell.empty
    else:
        wrapped = sizes + 1
        body = np.full(int(wrapped.sum()), cell.more, np.uint8)
        items = gather(source.data, begin, sizes)
        # Items are final bytes. They are inverted here because the caller inverts the result.
        scatter(body, np.cumsum(wrapped) - sizes, ~items if cell.invert else items, sizes)
        end = cell.end
    out = np.full(len(body) + len(counts), end, np.uint8)
    scatter(out, np.cumsum(wrapped) - wrapped + owner, body, wrapped)
    return out


def _counted(cell: Cell, data: Bytes, starts: Offsets, counts: Offsets) -> Bytes:
    long = counts >= cell.more
    before = np.where(long, 5, 1)
    begin = np.cumsum(counts + before) - counts - before
    out = np.empty(int((counts + before).sum()), np.uint8)
    out[begin] = np.where(long, cell.more, counts)
    lengths = counts[long].astype("<u4").view(np.uint8).reshape(-1, 4)
    out[begin[long][:, None] + np.arange(1, 5)] = lengths
    scatter(out, begin + before, gather(data, starts, counts), counts)
    return out


def numbers(n: int) -> Offsets:
    """Returns a buffer of the numbers 0 to n - 1 (int64)."""
    return np.arange(n, dtype=np.int64)
