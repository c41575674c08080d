"""Conversion of Arrow arrays to encoded values in NumPy; the compiled twin is ``lakecodec.runtime.native.columns.write``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..compact.wire import varint_bytes
from ..errors import EncodeError
from .layout import MAX_INTEGER, Kind, ValueLayout
from .results import result_of

#: Bounds of varint sizes: values below a bound need one byte less than the others.
_VARINT_STEPS = (1 << 7, 1 << 14, 1 << 21, 1 << 28)


def encoded_nbytes(layout: ValueLayout, array: Any) -> int:
    """Returns the size of the values that are not null."""
    result_of(layout, array.type)
    if layout.width:
        return int(len(array) - array.null_count) * layout.width
    live = array.drop_null()
    if len(live) == 0:
        return 0
    if layout.kind is Kind.INTEGER:
        return len(live) + int(_integer_lengths(_big_endian(live)).sum())
    # Imported here: it is slow to import, and the compiled twin does not need it.
    import pyarrow.compute as pc

    lengths = np.asarray(pc.binary_length(live)).astype(np.int64)
    return int(lengths.sum()) + len(live) + sum(int((lengths >= step).sum()) for step in _VARINT_STEPS)


def encoded_sizes(layouts: list[ValueLayout], arrays: list[Any]) -> tuple[int, int]:
    """Returns the sum of `encoded_nbytes`, and the largest with its null bitmap."""
    found = [encoded_nbytes(layout, array) for layout, array in zip(layouts, arrays, strict=True)]
    return sum(found), max((size + len(array) // 8 for size, array in zip(found, arrays, strict=True)), default=0)


def encode(layout: ValueLayout, array: Any) -> bytes:
    """Returns the values of an array without nulls, one after another."""
    result_of(layout, array.type)
    if len(array) == 0:
        return b""
    match layout.kind:
        case Kind.BOOLEAN:
            return np.asarray(array.cast(pa.uint8())).tobytes()
        case Kind.NUMBER:
            return _numbers(layout, array).astype(_number(layout.width, layout.big)).tobytes()
        case Kind.PAIR:
            whole, part = np.divmod(_fixed(array, 8)[:, 0], layout.unit)
            order = ">" if layout.big else "<"
            pairs = np.empty(len(array), np.dtype([("whole", order + "i8"), ("part", order + "i4")]))
            pairs["whole"], pairs["part"] = whole, part
            return pairs.tobytes()
        case Kind.INTEGER:
            return _shortest(_big_endian(array))
    return _prefixed(array)


def _number(width: int, big: bool) -> np.dtype[Any]:
    return np.dtype(f"{'>' if big else '<'}i{width}")


def _fixed(array: Any, width: int) -> NDArray[Any]:
    """Returns the values as rows of numbers of at most 64 bits."""
    word = min(width, 8)
    words = np.frombuffer(array.buffers()[1], _number(word, False), len(array) * width // word, array.offset * width)
    return words.reshape(-1, width // word)


def _numbers(layout: ValueLayout, array: Any) -> NDArray[Any]:
    if not pa.types.is_decimal(array.type):
        return _fixed(array, layout.width)
    words = _fixed(array, MAX_INTEGER)
    if (words[:, 1] != words[:, 0] >> 63).any():
        raise EncodeError("a decimal does not fit 64 bits")
    return words[:, 0]


def _big_endian(array: Any) -> NDArray[np.uint8]:
    """Returns the big-endian bytes of 128-bit integers, one row per integer."""
    return _fixed(array, MAX_INTEGER)[:, ::-1].astype(">i8").view(np.uint8).reshape(-1, MAX_INTEGER)


def _integer_lengths(numbers: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns each integer's size in bytes without leading bytes that only repeat the sign."""
    sign = (numbers[:, :1] >> 7) * np.uint8(255)
    repeats = (numbers[:, :-1] == sign) & (numbers[:, 1:] ^ sign < 128)
    lengths: NDArray[np.int64] = MAX_INTEGER - np.logical_and.accumulate(repeats, axis=1).sum(axis=1)
    return lengths


def _shortest(numbers: NDArray[np.uint8]) -> bytes:
    lengths = _integer_lengths(numbers)
    rows = np.concatenate([np.zeros((len(numbers), 1), np.uint8), numbers], axis=1)
    before = MAX_INTEGER - lengths
    rows[np.arange(len(rows)), before] = lengths
    return rows[np.arange(MAX_INTEGER + 1) >= before[:, None]].tobytes()


def _prefixed(array: Any) -> bytes:
    import pyarrow.compute as pc

    lengths = np.asarray(pc.binary_length(array))
    distinct, place = np.unique(lengths, return_inverse=True)
    prefixes = pa.array([varint_bytes(int(length)) for length in distinct], pa.large_binary()).take(pa.array(place))
    joined = pc.binary_join_element_wise(prefixes, array.cast(pa.large_binary()), pa.scalar(b"", pa.large_binary()))
    _, offsets, data = joined.buffers()
    first, last = np.frombuffer(offsets, np.int64)[[joined.offset, joined.offset + len(joined)]]
    return bytes(memoryview(data)[first:last])
