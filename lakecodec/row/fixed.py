"""Payloads of fixed-width cells whose bytes differ from the Arrow buffer, in both directions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .buffers import fixed_values, raw, unpack
from .nodes import FixedNode
from .order.cells import RANGE, Bytes, CellError


def fixed_payload(node: FixedNode, array: pa.Array) -> Bytes:
    """Returns the data of a FIXED cell's source; the cell adds byte order, inversion and nulls."""
    if node.load == "bits":
        bits = unpack(raw(array.buffers()[1]), array.offset, len(array)).view(np.uint8)
        return bits + np.uint8(node.add) if node.add else bits
    if node.load == "direct":
        return fixed_values(array, node.cell.width)
    stored = node.type.bit_width // 8
    values = fixed_values(array, stored).reshape(len(array), stored)
    if node.load == "parts":
        return _swap_parts(values, node).reshape(-1)
    return _pack_decimals(values, node).reshape(-1)


def fixed_array_data(node: FixedNode, data: Bytes, n: int, valid: NDArray[np.bool_] | None) -> Bytes:
    """Returns the Arrow data buffer of values read from a FIXED cell; ``valid`` is None if none is null.

    Raises:
        CellError: no value has this payload; the offset is in bytes from the start of the cell.
    """
    if node.load == "direct":
        return data
    if node.load == "bits":
        bits = data - np.uint8(node.add)
        if valid is not None:
            bits = np.where(valid, bits, 0)
        if len(bits) and bits.max() > 1:
            row = int(np.argmax(bits > 1))
            raise CellError(row, max(node.cell.present, 0), RANGE)
        return np.packbits(bits, bitorder="little")
    values = data.reshape(n, node.cell.width)
    out = _restore_parts(values, node) if node.load == "parts" else _unpack_decimals(values, node, valid)
    if valid is not None:
        out[~valid] = 0
    return out.reshape(-1)


def _swap_parts(values: Bytes, node: FixedNode) -> Bytes:
    out = np.empty_like(values)
    start = 0
    for width in node.parts:
        out[:, start : start + width] = values[:, start : start + width][:, ::-1]
        if node.signed:
            out[:, start] ^= 0x80
        start += width
    return out


def _restore_parts(values: Bytes, node: FixedNode) -> Bytes:
    out = np.empty_like(values)
    start = 0
    for width in node.parts:
        part = values[:, start : start + width].copy()
        if node.signed:
            part[:, 0] ^= 0x80
        out[:, start : start + width] = part[:, ::-1]
        start += width
    return out


def _constants(node: FixedNode) -> tuple[Bytes, Bytes]:
    """Returns the mask of the bits that hold a packed decimal, and of the bits to flip."""
    bits, width = node.value_bits, node.cell.width
    kept = (1 << (bits + 1)) - 1
    flipped = (1 << bits) ^ (kept if node.descending else 0)
    keep, flip = (np.frombuffer(number.to_bytes(width, "big"), np.uint8) for number in (kept, flipped))
    return keep, flip


def _pack_decimals(values: Bytes, node: FixedNode) -> Bytes:
    width = node.cell.width
    keep, flip = _constants(node)
    out = (values[:, :width][:, ::-1] & keep) ^ flip
    out[:, 0] |= node.high
    return out


def _unpack_decimals(values: Bytes, node: FixedNode, valid: NDArray[np.bool_] | None) -> Bytes:
    width, stored = node.cell.width, node.type.bit_width // 8
    keep, flip = _constants(node)
    outside = (values & ~keep) != np.where(np.arange(width) == 0, node.high, 0)
    bad = outside.any(axis=1)
    if valid is not None:
        bad &= valid
    if bad.any():
        raise CellError(int(np.argmax(bad)), 0, RANGE)
    number = (values & keep) ^ flip
    sign = (number[:, -1 - node.value_bits // 8] >> (node.value_bits % 8)) & 1
    number = np.where(sign[:, None] == 1, number | ~keep, number)
    out = np.empty((len(values), stored), np.uint8)
    out[:, :width] = number[:, ::-1]
    out[:, width:] = np.where(sign == 1, 0xFF, 0)[:, None]
    return out
