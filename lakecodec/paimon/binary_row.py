"""Rows in Paimon's binary form: partition values, statistics and keys of buckets; `generated.paimon` has the layout."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.paimon import HEADER_BITS, BinaryRow, SizedRow
from ..runtime.errors import DecodeError

_EPOCH = datetime(1970, 1, 1)
_INLINE, _MARK = 7, 0x80
_LARGE_DECIMAL = 16
_PER_MILLISECOND = {"us": 1_000, "ns": 1_000_000}
_FORMATS = {pa.bool_(): "<?", pa.int8(): "<b", pa.int16(): "<h", pa.int32(): "<i", pa.int64(): "<q", pa.float32(): "<f",
            pa.float64(): "<d", pa.date32(): "<i", pa.time32("ms"): "<i"}  # fmt: skip
EMPTY = SizedRow(row=BinaryRow(nulls=bytes(8), slots=[], outside=b"")).to_bytes()


def is_storable(kind: Any) -> bool:
    """Returns True if a row can hold values of the Arrow type."""
    types = pa.types
    return kind in _FORMATS or any(
        test(kind) for test in (types.is_string, types.is_binary, types.is_timestamp, types.is_decimal)
    )


def encode_row(values: Sequence[Any], kinds: Sequence[Any]) -> bytes:
    """Returns a row of `plain` values behind the number of its fields."""
    arity = len(kinds)
    nulls = bytearray((arity + HEADER_BITS + 63) // 64 * 8)
    outside = bytearray()
    begin = len(nulls) + 8 * arity
    slots = []
    for index, (value, kind) in enumerate(zip(values, kinds, strict=True)):
        slot = 0
        if value is None:
            nulls[(index + HEADER_BITS) // 8] |= 1 << (index + HEADER_BITS) % 8
        elif kind in _FORMATS:
            slot = int.from_bytes(struct.pack(_FORMATS[kind], value), "little")
        elif pa.types.is_timestamp(kind):
            slot = _timestamp(value, kind.unit, begin, outside)
        elif pa.types.is_decimal(kind) and kind.precision <= 18:
            slot = value & 0xFFFF_FFFF_FFFF_FFFF
        elif pa.types.is_decimal(kind):
            number = value.to_bytes((value.bit_length() + 8) // 8, "big", signed=True)
            slot = (begin + len(outside)) << 32 | len(number)
            outside += number.ljust(_LARGE_DECIMAL, b"\0")
        else:
            text = value.encode() if isinstance(value, str) else bytes(value)
            if len(text) <= _INLINE:
                slot = int.from_bytes(text.ljust(_INLINE, b"\0") + bytes([_MARK | len(text)]), "little")
            else:
                slot = (begin + len(outside)) << 32 | len(text)
                outside += text + bytes(-len(text) % 8)
        slots.append(slot)
    row = BinaryRow(nulls=bytes(nulls), slots=slots, outside=bytes(outside))
    return SizedRow(row=row).to_bytes()


def _timestamp(value: int, unit: str, begin: int, outside: bytearray) -> int:
    """Returns the slot of a timestamp; timestamps finer than milliseconds are stored outside of the slot."""
    if unit not in _PER_MILLISECOND:
        return (value * (1000 if unit == "s" else 1)) & 0xFFFF_FFFF_FFFF_FFFF
    millis, rest = divmod(value, _PER_MILLISECOND[unit])
    slot = (begin + len(outside)) << 32 | rest * (1_000_000 // _PER_MILLISECOND[unit])
    outside += struct.pack("<q", millis)
    return slot


def decode_row(data: bytes, kinds: Sequence[Any], path: str = "") -> list[Any]:
    """Returns the values of a row as Python objects; None for unwanted fields, whose kind is None.

    Raises:
        DecodeError: the row is broken, or has another number of fields.
    """
    values: list[Any] = [None] * len(kinds)
    wanted = [index for index, kind in enumerate(kinds) if kind is not None]
    for index, value in zip(wanted, decode_fields(data, kinds, wanted, path), strict=True):
        values[index] = value
    return values


def decode_fields(data: bytes, kinds: Sequence[Any], wanted: Sequence[int], path: str = "") -> list[Any]:
    """Returns the values of the fields of a row at some places; otherwise like `decode_row`."""
    found = SizedRow.from_bytes(data)
    if found.arity != len(kinds):
        raise DecodeError(f"the row has {found.arity} fields, its type {len(kinds)}", format="paimon", path=path)
    row = found.row
    nulls, slots, begin = row.nulls, row.slots, len(row.nulls) + 8 * found.arity
    values: list[Any] = []
    try:
        for index in wanted:
            bit = index + HEADER_BITS
            is_null = nulls[bit // 8] >> bit % 8 & 1
            values.append(None if is_null else _value(kinds[index], slots[index], row.outside, begin))
    except (ValueError, OverflowError, struct.error) as error:
        raise DecodeError(f"a value of the row is broken: {error}", format="paimon", path=path) from None
    return values


def _value(kind: Any, slot: int, outside: bytes, begin: int) -> Any:
    raw = slot.to_bytes(8, "little")
    if kind in _FORMATS:
        layout = _FORMATS[kind]
        return _from_plain(struct.unpack_from(layout, raw)[0], kind)
    if pa.types.is_timestamp(kind):
        if kind.unit not in _PER_MILLISECOND:
            return _moment(int.from_bytes(raw, "little", signed=True) * 1000, kind)
        millis = struct.unpack("<q", _outside(outside, (slot >> 32) - begin, 8))[0]
        return _moment(millis * 1000 + (slot & 0xFFFF_FFFF) // 1000, kind)
    if pa.types.is_decimal(kind):
        if kind.precision <= 18:
            return _from_plain(int.from_bytes(raw, "little", signed=True), kind)
        number = _outside(outside, (slot >> 32) - begin, slot & 0xFFFF_FFFF)
        return _from_plain(int.from_bytes(number, "big", signed=True), kind)
    if raw[7] & _MARK:
        text = raw[: min(raw[7] & ~_MARK, _INLINE)]
    else:
        text = _outside(outside, (slot >> 32) - begin, slot & 0xFFFF_FFFF)
    if pa.types.is_string(kind):
        return text.decode()
    return text if pa.types.is_binary(kind) else None


def _outside(data: bytes, start: int, size: int) -> bytes:
    if start < 0 or start + size > len(data):
        raise ValueError(f"{size} bytes at {start} of {len(data)}")
    return data[start : start + size]


def _moment(micros: int, kind: Any) -> datetime:
    found = _EPOCH + timedelta(microseconds=micros)
    return found if kind.tz is None else found.replace(tzinfo=UTC)


def _from_plain(value: Any, kind: Any) -> Any:
    if pa.types.is_date(kind):
        return date(1970, 1, 1) + timedelta(days=value)
    if pa.types.is_time(kind):
        return (_EPOCH + timedelta(milliseconds=value)).time() if 0 <= value < 86_400_000 else time(0)
    if pa.types.is_decimal(kind):
        return Decimal((int(value < 0), tuple(map(int, str(abs(value)))), -kind.scale))
    return value


def decode_plain(data: bytes, kinds: Sequence[Any]) -> list[Any]:
    """Returns the values of a row as `encode_row` takes them."""
    values = decode_row(data, kinds)
    return [value for value, kind in zip(values, kinds, strict=True) for value in plain(pa.array([value], kind))]


def plain(array: Any) -> list[Any]:
    """Returns the values of an array as rows take them: dates, times and decimals as numbers."""
    kind = array.type
    if pa.types.is_timestamp(kind):
        return list(array.cast(pa.int64()).to_pylist())
    if pa.types.is_date(kind) or pa.types.is_time(kind):
        return list(array.cast(pa.int32()).to_pylist())
    if pa.types.is_decimal(kind):
        return [None if value is None else unscaled(value, kind.scale) for value in array.to_pylist()]
    return list(array.to_pylist())


def unscaled(value: Decimal, scale: int) -> int:
    """Returns a decimal without its point, exactly."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    number: int = int("".join(map(str, digits))) * 10 ** max(0, exponent + scale)
    return -number if sign else number


def buckets_of(columns: Sequence[Any], kinds: Sequence[Any], num_buckets: int) -> Any:
    """Returns the bucket of each row by the hash of its keys, int32."""
    rows = list(zip(*(plain(column) for column in columns), strict=True))
    numbers: dict[tuple[Any, ...], int] = {}
    found = np.empty(len(rows), np.int64)
    for index, key in enumerate(rows):
        found[index] = numbers.setdefault(key, len(numbers))
    return _buckets([encode_row(key, kinds)[4:] for key in numbers], num_buckets)[found]


def _buckets(rows: list[bytes], num_buckets: int) -> Any:
    """Returns the bucket of each row: Murmur3 of its words with seed 42; the absolute value of the remainder."""
    hashes = np.zeros(len(rows), np.uint32)
    lengths = np.array([len(row) for row in rows])
    for length in np.unique(lengths):
        mine = np.flatnonzero(lengths == length)
        words = np.frombuffer(b"".join(rows[index] for index in mine), "<u4").reshape(len(mine), -1)
        hashes[mine] = _murmur(words, int(length))
    signed = hashes.view(np.int32).astype(np.int64)
    return (np.abs(signed) % num_buckets).astype(np.int32)


def _murmur(words: Any, length: int) -> Any:
    h = np.full(len(words), 42, np.uint32)
    with np.errstate(over="ignore"):
        for column in range(words.shape[1]):
            k = words[:, column].astype(np.uint32) * np.uint32(0xCC9E2D51)
            k = (k << np.uint32(15) | k >> np.uint32(17)) * np.uint32(0x1B873593)
            h ^= k
            h = (h << np.uint32(13) | h >> np.uint32(19)) * np.uint32(5) + np.uint32(0xE6546B64)
        h ^= np.uint32(length)
        h ^= h >> np.uint32(16)
        h *= np.uint32(0x85EBCA6B)
        h ^= h >> np.uint32(13)
        h *= np.uint32(0xC2B2AE35)
        h ^= h >> np.uint32(16)
    return h
