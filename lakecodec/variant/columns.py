"""Columns of parts of variants: a path is located in all rows, then all values of one kind are read together."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.variant import Body, Value
from ..runtime.errors import DecodeError
from ..runtime.native import load
from . import pure_locate
from .arrow import STORAGE, Rows
from .reading import FORMAT, end_of, head, names_of
from .scalars import decimal_of
from .value import find

_locate: Callable[..., int] = load("variant.native.locate", pure_locate).locate

Places = np.ndarray[Any, np.dtype[np.int64]]

#: Per first byte, the number of its alternative in the order of `Body`; unknown types have the last one.
_NUMBERS = np.full(256, 255, np.uint8)
_BODIES: list[type] = []
#: Per alternative, the size of its value after the first byte and a scale.
_SIZES: dict[type, int] = {}


def _learn() -> None:
    for byte in range(256):
        try:
            value, end = Value.read(bytes([byte]) + bytes(2048), 0)
        except DecodeError:
            continue
        body = type(value.body)
        if body not in _BODIES:
            _BODIES.append(body)
        _NUMBERS[byte] = _BODIES.index(body)
        _SIZES[body] = end


_learn()

_INTEGERS = ((Body.INT8, "<i1"), (Body.INT16, "<i2"), (Body.INT32, "<i4"), (Body.INT64, "<i8"))
_FLOATS = ((Body.DOUBLE, "<f8"), (Body.FLOAT, "<f4"))
_DECIMALS = (Body.DECIMAL4, Body.DECIMAL8, Body.DECIMAL16)
_TEXTS = (Body.STRING, Body.SHORT_STRING)


def locate(rows: Rows, steps: list[str | int]) -> Places:
    """Returns the offset of the part at a path in the bytes of all values, -1 for rows without it.

    Raises:
        DecodeError: a row is not a variant.
    """
    places = np.where(rows.valid, rows.value_offsets[:-1], -1)
    bad = _locate(steps, rows.metadata_offsets, rows.metadata, rows.value_offsets, rows.value, places)
    if bad >= 0:
        metadata, value = rows.variant(bad)
        try:
            find(names_of(metadata), value, steps)
        except DecodeError as error:
            raise DecodeError(error.rule, format=FORMAT, path=f"[{bad}]", offset=error.offset) from None
        raise DecodeError("not a variant", format=FORMAT, path=f"[{bad}]")
    return places


def is_supported(type: pa.DataType) -> bool:
    """Returns True if values of variants can become a column of a type."""
    kinds = pa.types
    return bool(
        kinds.is_signed_integer(type) or kinds.is_float32(type) or kinds.is_float64(type) or kinds.is_boolean(type)
        or kinds.is_decimal128(type) or is_text(type) or _is_bytes(type) or kinds.is_date32(type) or is_uuid(type)
        or (kinds.is_time64(type) and type.unit == "us") or (kinds.is_timestamp(type) and type.unit in ("us", "ns"))
    )  # fmt: skip


def is_uuid(type: pa.DataType) -> bool:
    """Returns True if a type holds UUIDs: Arrow's own, or 16 bytes."""
    return bool(type == pa.uuid() or type == pa.binary(16))


def is_text(type: pa.DataType) -> bool:
    """Returns True if a type holds texts of any length."""
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type))


def _is_bytes(type: pa.DataType) -> bool:
    return bool(pa.types.is_binary(type) or pa.types.is_large_binary(type) or pa.types.is_binary_view(type))


def column(rows: Rows, places: Places, type: pa.DataType, *, exact: bool = False) -> pa.Array:
    """Returns the values at places as a column; ``exact``: floats become no other numbers, and others no
    floats, as in shredded columns.

    Raises:
        DecodeError: a value ends behind its row.
    """
    if type == STORAGE:
        return _parts(rows, places)
    kinds = np.full(len(places), 255, np.uint8)
    there = np.flatnonzero(places >= 0)
    gather = _Gather(rows, places, kinds)
    gather.check(there, places[there] + 1)
    kinds[there] = _NUMBERS[rows.value[places[there]]]
    if pa.types.is_signed_integer(type) or pa.types.is_decimal128(type):
        return _numbers(gather, type, exact)
    if pa.types.is_floating(type):
        return _floats(gather, type, exact)
    if pa.types.is_boolean(type):
        valid = gather.of(Body.TRUE) | gather.of(Body.FALSE)
        return pa.array(gather.of(Body.TRUE), mask=~valid)
    if is_text(type):
        return gather.bytes(_TEXTS, pa.string()).cast(type)
    if _is_bytes(type):
        return gather.bytes((Body.BINARY,), pa.binary()).cast(type)
    if is_uuid(type):
        values, valid = gather.fixed(((Body.UUID, "V16"),), np.dtype("V16"))
        plain = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(16), len(values), [pa.array(valid).buffers()[1], pa.py_buffer(values.tobytes())]
        )
        return plain if type == pa.binary(16) else pa.ExtensionArray.from_storage(type, plain)
    return _times(gather, type)


def present(rows: Rows, places: Places) -> pa.Array:
    """Returns True for places with a value that is not null, else null."""
    found = places >= 0
    found[found] = _NUMBERS[rows.value[places[found]]] != _BODIES.index(Body.NULL)
    return pa.array(np.ones(len(places), np.bool_), mask=~found)


class _Gather:
    """Values of chosen kinds at places."""

    def __init__(self, rows: Rows, places: Places, kinds: np.ndarray[Any, Any]) -> None:
        self.rows, self.places, self.kinds = rows, places, kinds

    def of(self, body: type) -> np.ndarray[Any, Any]:
        """Returns whether each value is of a kind."""
        same: np.ndarray[Any, Any] = self.kinds == _BODIES.index(body)
        return same

    def rows_of(self, *bodies: type) -> np.ndarray[Any, Any]:
        """Returns the rows whose values are of some kinds."""
        found: np.ndarray[Any, Any] = np.flatnonzero(np.isin(self.kinds, [_BODIES.index(body) for body in bodies]))
        return found

    def fixed(
        self, kinds: tuple[tuple[Any, str], ...], dtype: np.dtype[Any]
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Returns values of a fixed size, and which rows have one."""
        values, valid = np.zeros(len(self.places), dtype), np.zeros(len(self.places), bool)
        for body, stored in kinds:
            at = self.rows_of(body)
            if len(at):
                width = np.dtype(stored).itemsize
                begins = self.places[at] + _SIZES[body] - width
                self.check(at, begins + width)
                values[at] = self.rows.value[begins[:, None] + np.arange(width)].view(stored)[:, 0]
                valid[at] = True
        return values, valid

    def bytes(self, bodies: tuple[type, ...], type: pa.DataType) -> pa.Array:
        """Returns byte strings as a column of a type with 32-bit offsets.

        Raises:
            DecodeError: a text is not UTF-8, or all values together are too long.
        """
        begins, sizes = np.zeros(len(self.places), np.int64), np.zeros(len(self.places), np.int64)
        valid = np.zeros(len(self.places), bool)
        for body in bodies:
            at = self.rows_of(body)
            if body is Body.SHORT_STRING and len(at):
                heads = self.rows.value[self.places[at]]
                begins[at], sizes[at] = self.places[at] + 1, _SHORT_SIZES[heads]
            elif len(at):
                begins[at] = self.places[at] + _SIZES[body]
                self.check(at, begins[at])
                counts = self.rows.value[(begins[at] - 4)[:, None] + np.arange(4)].view("<u4")[:, 0]
                sizes[at] = counts
            self.check(at, begins[at] + sizes[at])
            valid[at] = True
        offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        if offsets[-1] >= 1 << 31:
            raise DecodeError(f"a column of {offsets[-1]} bytes needs to be read in parts", format=FORMAT)
        index = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], sizes)
        data = pa.py_buffer(self.rows.value[index])
        buffers = [pa.array(valid).buffers()[1], pa.py_buffer(offsets.astype(np.int32)), data]
        column = pa.Array.from_buffers(type, len(sizes), buffers)
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            raise DecodeError("a string is not UTF-8", format=FORMAT) from None
        return column

    def check(self, at: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> None:
        """Raises DecodeError for values that end behind their row."""
        wrong = np.flatnonzero(ends > self.rows.value_offsets[at + 1])
        if len(wrong):
            raise DecodeError("the value ends past the end of the bytes", format=FORMAT, path=f"[{at[wrong[0]]}]")

    def body(self, row: int) -> Any:
        """Returns the value of a row as a record."""
        end = int(self.rows.value_offsets[row + 1])
        place = int(self.places[row])
        return head(self.rows.value[place : min(end, place + 32)].tobytes(), 0)[0]


#: The size of the short string of each first byte.
_SHORT_SIZES = np.array(
    [
        Value.read(bytes([byte]) + bytes(2048), 0)[1] - 1 if _NUMBERS[byte] == _BODIES.index(Body.SHORT_STRING) else 0
        for byte in range(256)
    ],
    np.int64,
)


def _numbers(gather: _Gather, type: pa.DataType, exact: bool) -> pa.Array:
    """Returns integers and decimals as integers or decimals, and whole floats as integers unless ``exact``; null where
    digits would be lost."""
    values, valid = gather.fixed(_INTEGERS, np.dtype(np.int64))
    decimals = gather.rows_of(*_DECIMALS)
    if pa.types.is_signed_integer(type):
        limit = 1 << (type.bit_width - 1)
        floats, are_floats = gather.fixed(() if exact else _FLOATS, np.dtype(np.float64))
        are_floats &= (floats == np.trunc(floats)) & (floats >= -(2.0**63)) & (floats < 2.0**63)
        values[are_floats], valid = floats[are_floats].astype(np.int64), valid | are_floats
        for row in decimals.tolist():
            number = decimal_of(gather.body(row))
            if number == number.to_integral_value() and -(1 << 63) <= number < 1 << 63:
                values[row], valid[row] = int(number), True
        if type.bit_width < 64:
            valid &= (values >= -limit) & (values < limit)
        return pa.array(values.astype(type.to_pandas_dtype()), mask=~valid)
    numbers: list[Decimal | None] = [
        Decimal(each) if ok else None for each, ok in zip(values.tolist(), valid, strict=True)
    ]
    for row in decimals.tolist():
        numbers[row] = decimal_of(gather.body(row))
    return pa.array([_fitting(each, type) for each in numbers], type)


def _fitting(number: Decimal | None, type: pa.DataType) -> Decimal | None:
    """Returns a decimal if it has a type's scale and precision without loss."""
    if number is None:
        return None
    _, digits, exponent = number.normalize(_WIDE).as_tuple()
    exponent = int(exponent)
    fits = number == 0 or (-exponent <= type.scale and len(digits) + exponent <= type.precision - type.scale)
    return number if fits else None


_WIDE = Context(prec=80)


def _floats(gather: _Gather, type: pa.DataType, exact: bool) -> pa.Array:
    own = (Body.DOUBLE, "<f8") if pa.types.is_float64(type) else (Body.FLOAT, "<f4")
    kinds = (own,) if exact else _FLOATS
    values, valid = gather.fixed(kinds, np.dtype(np.float64))
    if exact:
        return pa.array(values.astype(type.to_pandas_dtype()), mask=~valid)
    whole, are_whole = gather.fixed(_INTEGERS, np.dtype(np.int64))
    values[are_whole] = whole[are_whole]
    valid |= are_whole
    for row in gather.rows_of(*_DECIMALS).tolist():
        values[row], valid[row] = float(decimal_of(gather.body(row))), True
    with np.errstate(over="ignore"):
        return pa.array(values.astype(type.to_pandas_dtype()), mask=~valid)


def _times(gather: _Gather, type: pa.DataType) -> pa.Array:
    """Returns dates, times and timestamps; null where nanoseconds would be lost or do not fit."""
    if pa.types.is_date32(type):
        values, valid = gather.fixed(((Body.DATE, "<i4"),), np.dtype(np.int32))
        return pa.array(values, mask=~valid).cast(type)
    if pa.types.is_time64(type):
        values, valid = gather.fixed(((Body.TIME, "<i8"),), np.dtype(np.int64))
        return pa.array(values, mask=~valid).cast(type)
    zoned = type.tz is not None
    micros, nanos = (Body.TIMESTAMP, Body.TIMESTAMP_NANOS) if zoned else (Body.TIMESTAMP_NTZ, Body.TIMESTAMP_NTZ_NANOS)
    values, valid = gather.fixed(((micros, "<i8"),), np.dtype(np.int64))
    others, are_others = gather.fixed(((nanos, "<i8"),), np.dtype(np.int64))
    if type.unit == "us":
        are_others &= others % 1000 == 0
        others = others // 1000
    else:
        valid &= np.abs(values // 1000) < (1 << 63) // 1_000_000
        values = values * 1000
    return pa.array(np.where(are_others, others, values), mask=~(valid | are_others)).cast(type)


def _parts(rows: Rows, places: Places) -> pa.Array:
    """Returns the parts at places as variants of their own, with the metadata of their rows."""
    metadata, value, missing = [], [], []
    for row, place in enumerate(places.tolist()):
        missing.append(place < 0)
        names, whole = rows.variant(row) if place >= 0 else (b"", b"")
        at = place - int(rows.value_offsets[row])
        metadata.append(names)
        value.append(whole[at : end_of(whole, at)] if place >= 0 else None)
    columns = [pa.array(metadata, pa.binary()), pa.array(value, pa.binary())]
    return pa.StructArray.from_arrays(columns, fields=list(STORAGE), mask=pa.array(missing, pa.bool_()))
