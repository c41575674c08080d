"""The values of one layout, end to end, as NumPy arrays and byte strings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .buffers import Buffer
from .layout import Kind, ValueLayout
from .pure_walk import walk
from .results import Form, Result
from .rules import Rule, broken

#: Offsets are signed 32-bit numbers.
MAX_OFFSET = 2**31 - 1
_INT64_MAX = 2**63 - 1


def numbers(result: Result, data: Buffer, start: int, end: int, count: int) -> NDArray[Any]:
    """Returns values of fixed width as their Arrow type lays them out; booleans as bytes."""
    layout = result.layout
    if layout.kind is Kind.INTEGER:
        return _integers(layout, data, start, end, count)
    if count * layout.width > end - start:
        raise broken(Rule.TRUNCATED, start)
    if count * layout.width < end - start:
        raise broken(Rule.LEFTOVER, start + count * layout.width)
    order = ">" if layout.big else "<"
    if layout.kind is Kind.PAIR:
        return _pairs(layout, np.frombuffer(data, f"{order}i8,{order}i4", count, start), start)
    if layout.kind is Kind.BOOLEAN:
        return _booleans(np.frombuffer(data, np.uint8, count, start), start)
    values = np.frombuffer(data, f"{order}i{layout.width}", count, start)
    native = values.astype(values.dtype.newbyteorder("="))
    if result.form is Form.FIXED and result.width != layout.width:
        native = np.stack([native, native >> 63], axis=1).view("V16").reshape(count)
    return native


def texts(result: Result, data: Buffer, start: int, end: int, count: int) -> list[bytes]:
    """Returns values that have a length prefix."""
    starts, ends, after = walk(result.layout, data, start, end, count)
    if after != end:
        raise broken(Rule.LEFTOVER, after)
    if sum(ends) - sum(starts) > MAX_OFFSET:
        raise broken(Rule.OFFSETS, None)
    values = [bytes(data[first:last]) for first, last in zip(starts, ends, strict=True)]
    if result.text:
        before = start
        for value, after in zip(values, ends, strict=True):
            if not value.isascii():
                _check_utf8(value, before)
            before = after
    return values


def _check_utf8(value: bytes, offset: int) -> None:
    try:
        value.decode()
    except UnicodeDecodeError:
        raise broken(Rule.TEXT, offset) from None


def _booleans(values: NDArray[np.uint8], start: int) -> NDArray[np.uint8]:
    if values.max(initial=0) > 1:
        raise broken(Rule.BOOLEAN, start + int(np.argmax(values > 1)))
    return values


def _pairs(layout: ValueLayout, pairs: NDArray[Any], start: int) -> NDArray[np.int64]:
    unit = layout.unit
    whole, part = pairs["f0"].astype(np.int64), pairs["f1"].astype(np.int64)
    astray = (part < 0) | (part >= unit)
    # The product below may overflow, so quotients are compared first, then the remainders of equal quotients.
    low, high = -_INT64_MAX - 1, _INT64_MAX
    beyond = (whole < low // unit) | ((whole == low // unit) & (part < low % unit))
    beyond |= (whole > high // unit) | ((whole == high // unit) & (part > high % unit))
    if (bad := astray | beyond).any():
        first = int(np.argmax(bad))
        rule = Rule.BOUNDS if astray[first] else Rule.OVERFLOW
        raise broken(rule, start + first * layout.width, layout.rule)
    with np.errstate(over="ignore"):
        return whole * unit + part


def _integers(layout: ValueLayout, data: Buffer, start: int, end: int, count: int) -> NDArray[Any]:
    starts, ends, after = walk(layout, data, start, end, count)
    if after != end:
        raise broken(Rule.LEFTOVER, after)
    parts = [
        int.from_bytes(data[first:last], "big", signed=True).to_bytes(16, "little", signed=True)
        for first, last in zip(starts, ends, strict=True)
    ]
    return np.frombuffer(b"".join(parts), "V16")
