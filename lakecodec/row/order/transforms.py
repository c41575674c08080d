"""Order transforms of numbers: from native values to big-endian bytes that compare as the numbers do, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import Bytes, Payload

_UNSIGNED = {width: np.dtype(f"<u{width}") for width in (1, 2, 4, 8)}
_INFINITY = {2: 0x7C00, 4: 0x7F800000, 8: 0x7FF0000000000000}
_QUIET_NAN = {2: 0x7E00, 4: 0x7FC00000, 8: 0x7FF8000000000000}


def flip_sign(bits: NDArray[np.unsignedinteger], width: int) -> NDArray[np.unsignedinteger]:
    """Returns two's complement as offset binary, or the reverse."""
    flipped: NDArray[np.unsignedinteger] = bits ^ _UNSIGNED[width].type(1 << (8 * width - 1))
    return flipped


def ieee_order(bits: NDArray[np.unsignedinteger], width: int) -> NDArray[np.unsignedinteger]:
    """Returns IEEE 754 bits as two's complement in totalOrder, or the reverse: flips all bits of negatives but the sign."""
    unsigned = _UNSIGNED[width].type
    negative = bits >> unsigned(8 * width - 1) == 1
    return np.where(negative, bits ^ unsigned((1 << (8 * width - 1)) - 1), bits)


def is_nan(bits: NDArray[np.unsignedinteger], width: int) -> NDArray[np.bool_]:
    """Returns a mask of the IEEE 754 bits that are a NaN of any sign and payload."""
    unsigned = _UNSIGNED[width].type
    found: NDArray[np.bool_] = (bits & unsigned((1 << (8 * width - 1)) - 1)) > unsigned(_INFINITY[width])
    return found


def canonical(bits: NDArray[np.unsignedinteger], width: int) -> NDArray[np.unsignedinteger]:
    """Returns IEEE 754 bits with -0.0 as 0.0 and every NaN as the positive quiet NaN."""
    unsigned = _UNSIGNED[width].type
    bits = np.where(bits == unsigned(1 << (8 * width - 1)), unsigned(0), bits)
    return np.where(is_nan(bits, width), unsigned(_QUIET_NAN[width]), bits)


def to_payload(data: Bytes, width: int, payload: Payload, invert: bool, nan_last: bool) -> Bytes:
    """Returns native values as an (n, width) matrix of payload bytes."""
    if payload == Payload.COPY:
        matrix = data.reshape(-1, width)
        return ~matrix if invert else matrix.copy()
    bits = data.view(_UNSIGNED[width])
    nan = is_nan(bits, width) if payload == Payload.OUTSIDE_FLOAT else None
    if payload in (Payload.CANONICAL_FLOAT, Payload.OUTSIDE_FLOAT):
        bits = canonical(bits, width)
    if payload not in (Payload.UNSIGNED, Payload.SIGNED):
        bits = ieee_order(bits, width)
    if payload != Payload.UNSIGNED:
        bits = flip_sign(bits, width)
    if invert:
        bits = ~bits
    if nan is not None:
        bits = np.where(nan, _UNSIGNED[width].type((1 << (8 * width)) - 1 if nan_last else 0), bits)
    return bits.astype(f">u{width}").view(np.uint8).reshape(-1, width)


def from_payload(matrix: Bytes, width: int, payload: Payload, invert: bool) -> Bytes:
    """Returns payload bytes as native values, flat; canonical forms are not undone."""
    if invert:
        matrix = ~matrix
    if payload == Payload.COPY:
        return np.ascontiguousarray(matrix).reshape(-1)
    bits = np.ascontiguousarray(matrix).view(f">u{width}").astype(_UNSIGNED[width]).reshape(-1)
    if payload != Payload.UNSIGNED:
        bits = flip_sign(bits, width)
    if payload not in (Payload.UNSIGNED, Payload.SIGNED):
        bits = ieee_order(bits, width)
    return bits.view(np.uint8)
