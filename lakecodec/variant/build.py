"""Variants of Python objects and of JSON."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np

from ..generated.variant import (
    MOST_DIGITS,
    MOST_IN_SHORT_STRING,
    Body,
    Metadata,
    Value,
    array_header,
    object_header,
)
from ..runtime.columns import Bits
from ..runtime.errors import DecodeError, EncodeError
from ..runtime.exact import exact
from ..runtime.records.read import MAX_DEPTH
from .reading import FORMAT, Walk
from .value import Variant

_EPOCH, _DAY = datetime(1970, 1, 1), date(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
#: The alternatives of integers by their width in bits.
_INTEGERS = ((8, Body.INT8), (16, Body.INT16), (32, Body.INT32), (64, Body.INT64))
_MOST_COUNTED_BY_A_BYTE = 255


def from_python(value: Any) -> Variant:
    """Returns the variant of dicts with string keys, lists, tuples and scalars; integers take the fewest bytes.

    Raises:
        EncodeError: a variant cannot hold the value.
    """
    ids: dict[str, int] = {}
    encoded = _encode(value, ids, 0)
    return Variant(metadata_of(ids), encoded)


def from_json(text: str | bytes) -> Variant:
    """Returns the variant of a JSON text; numbers with a point and at most 38 digits are decimals, others doubles.

    Raises:
        DecodeError: the text is not JSON, an object has a key twice, or a number or text does not fit.
    """
    if not isinstance(text, str | bytes | bytearray):
        raise TypeError(f"text: str or bytes are needed, not {type(text).__name__}")
    try:
        return from_python(
            json.loads(text, parse_float=_number, parse_int=_integer, parse_constant=_refuse, object_pairs_hook=_object)
        )
    except RecursionError:
        raise DecodeError(f"values are nested deeper than {MAX_DEPTH} levels", format="json") from None
    except DecodeError:
        raise
    except ValueError as error:
        raise DecodeError(str(error), format="json") from None


def metadata_of(names: Iterable[str]) -> bytes:
    """Returns metadata with names in the given order."""
    held = list(names)
    sizes = [len(_utf8(name)) for name in held]
    offsets = [0]
    for size in sizes:
        offsets.append(offsets[-1] + size)
    width = width_of(max(offsets[-1], len(held)))
    ascending = all(one < two for one, two in itertools.pairwise(held))
    return Metadata(
        size_less_one=width - 1, reserved=0, sorted=int(ascending and len(held) > 0),
        num_names=Bits.pack([len(held)], 8 * width), offsets=Bits.pack(offsets, 8 * width), names=held,
    ).to_bytes()  # fmt: skip


def width_of(largest: int) -> int:
    """Returns the bytes, 1 to 4, that hold a number.

    Raises:
        EncodeError: it does not fit 4 bytes.
    """
    width = max(1, (largest.bit_length() + 7) >> 3)
    if width > 4:
        raise EncodeError(f"{largest} bytes are more than a variant can hold", format=FORMAT)
    return width


def primitive(body: Any) -> bytes:
    """Returns the encoded form of a primitive value."""
    return Value(basic=0, header=body.tag, body=body).to_bytes()


def object_of(fields: list[tuple[str, int, bytes]]) -> bytes:
    """Returns an object of names, their numbers in the metadata, and encoded values, which keep their order."""
    places, at = [], 0
    for name, number, encoded in fields:
        places.append((name, number, at))
        at += len(encoded)
    places.sort()
    id_size, offset_size = width_of(max((number for _, number, _ in places), default=0)), width_of(at)
    large = len(fields) > _MOST_COUNTED_BY_A_BYTE
    body = Body.OBJECT(
        small=None if large else len(fields), large=len(fields) if large else None,
        ids=Bits.pack([number for _, number, _ in places], 8 * id_size),
        offsets=Bits.pack([*(place for _, _, place in places), at], 8 * offset_size),
    )  # fmt: skip
    head = Value(basic=2, header=object_header(large, id_size, offset_size), body=body).to_bytes()
    return b"".join((head, *(encoded for _, _, encoded in fields)))


def array_of(elements: list[bytes]) -> bytes:
    """Returns an array of encoded values."""
    offsets = [0]
    for encoded in elements:
        offsets.append(offsets[-1] + len(encoded))
    offset_size = width_of(offsets[-1])
    large = len(elements) > _MOST_COUNTED_BY_A_BYTE
    body = Body.ARRAY(
        small=None if large else len(elements), large=len(elements) if large else None,
        offsets=Bits.pack(offsets, 8 * offset_size),
    )  # fmt: skip
    head = Value(basic=3, header=array_header(large, offset_size), body=body).to_bytes()
    return b"".join((head, *elements))


def string(text: str) -> bytes:
    """Returns the encoded form of a text, as a short string if it fits."""
    size = len(_utf8(text))
    if size <= MOST_IN_SHORT_STRING:
        return Value(basic=1, header=size, body=Body.SHORT_STRING(v=text)).to_bytes()
    return primitive(Body.STRING(v=text))


def integer(value: int) -> bytes:
    """Returns the encoded form of a number in the fewest bytes; a number beyond 64 bits becomes a decimal."""
    for bits, alternative in _INTEGERS:
        if -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            return primitive(alternative(v=value))
    return decimal(Decimal(value))


def decimal(value: Decimal) -> bytes:
    """Returns the encoded form of a decimal, in the fewest bytes that hold its digits and scale.

    Raises:
        EncodeError: it is not finite, or has more than 38 digits.
    """
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or exponent < -MOST_DIGITS or len(digits) + max(exponent, 0) > MOST_DIGITS:
        raise EncodeError(f"{value} does not fit a decimal of {MOST_DIGITS} digits", format=FORMAT)
    number = int("".join(map(str, digits))) * 10 ** max(exponent, 0) * (-1 if sign else 1)
    return scaled(number, max(-exponent, 0), max(len(digits) + max(exponent, 0), -exponent))


def scaled(number: int, scale: int, digits: int) -> bytes:
    """Returns the encoded form of the decimal ``number / 10**scale``, in the smallest form with enough digits."""
    if digits <= 9:
        return primitive(Body.DECIMAL4(scale=scale, v=number))
    if digits <= 18:
        return primitive(Body.DECIMAL8(scale=scale, v=number))
    return primitive(Body.DECIMAL16(scale=scale, low=number & (1 << 64) - 1, high=number >> 64))


def _timestamp(value: datetime) -> bytes:
    if value.tzinfo is None:
        return primitive(Body.TIMESTAMP_NTZ(v=(value - _EPOCH) // _MICROSECOND))
    return primitive(Body.TIMESTAMP(v=(value - _EPOCH.replace(tzinfo=UTC)) // _MICROSECOND))


def _time(value: time) -> bytes:
    if value.tzinfo is not None:
        raise EncodeError("a time of day with a time zone has no form as a variant", format=FORMAT)
    return primitive(Body.TIME(v=(datetime.combine(_DAY, value) - _EPOCH) // _MICROSECOND))


def _datetime64(value: np.datetime64) -> bytes:
    nanoseconds = value.astype("datetime64[ns]")
    if np.isnat(value) or nanoseconds.astype(value.dtype) != value:
        raise EncodeError(f"{value} does not fit a timestamp of nanoseconds", format=FORMAT)
    return primitive(Body.TIMESTAMP_NTZ_NANOS(v=int(nanoseconds.astype(np.int64))))


#: Scalars by type; subclasses come before their bases.
_SCALARS: tuple[tuple[type | tuple[type, ...], Callable[[Any], bytes]], ...] = (
    ((bool, np.bool_), lambda value: primitive(Body.TRUE() if value else Body.FALSE())),
    ((int, np.integer), lambda value: integer(int(value))),
    (np.float32, lambda value: primitive(Body.FLOAT(v=float(value)))),
    ((float, np.floating), lambda value: primitive(Body.DOUBLE(v=float(value)))),
    (str, string),
    ((bytes, bytearray, memoryview), lambda value: primitive(Body.BINARY(v=bytes(value)))),
    (Decimal, decimal),
    (datetime, _timestamp),
    (date, lambda value: primitive(Body.DATE(v=(value - _DAY).days))),
    (time, _time),
    (UUID, lambda value: primitive(Body.UUID(v=value.bytes))),
    (np.datetime64, _datetime64),
)


def _encode(value: Any, ids: dict[str, int], depth: int) -> bytes:
    value = exact(value)
    if value is None:
        return primitive(Body.NULL())
    if depth > MAX_DEPTH:
        raise EncodeError(f"values are nested deeper than {MAX_DEPTH} levels", format=FORMAT)
    if isinstance(value, Mapping):
        fields = []
        for pair in value.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise EncodeError(f"items() of {type(value).__name__} gives no pairs", format=FORMAT)
            name, part = pair
            if not isinstance(name, str):
                raise EncodeError(f"the key {name!r} is not a string", format=FORMAT)
            name = exact(name)
            number = ids.setdefault(name, len(ids))
            fields.append((name, number, _encode(part, ids, depth + 1)))
        return object_of(fields)
    if isinstance(value, list | tuple):
        return array_of([_encode(part, ids, depth + 1) for part in value])
    if isinstance(value, Variant):
        return _encode_variant(value, ids)
    for types, encode in _SCALARS:
        if isinstance(value, types):
            return encode(value)
    raise EncodeError(f"a variant cannot hold {type(value).__name__}", format=FORMAT)


def _encode_variant(value: Variant, ids: dict[str, int]) -> bytes:
    """Returns the encoded form of a variant with the names of another."""

    def compound(parts: list[bytes], names: list[str] | None) -> bytes:
        if names is None:
            return array_of(parts)
        return object_of(
            [(name, ids.setdefault(name, len(ids)), part) for name, part in zip(names, parts, strict=True)]
        )

    encoded: bytes = Walk(value.metadata, value.value, _primitive_again, compound).visit(0)
    return encoded


def _primitive_again(body: Any) -> bytes:
    return string(body.v) if isinstance(body, Body.SHORT_STRING) else primitive(body)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise EncodeError(f"{text!r} cannot be written as UTF-8", format=FORMAT) from None


def _number(text: str) -> Decimal | float:
    value = Decimal(text) if "e" not in text and "E" not in text else None
    if value is not None:
        _, digits, exponent = value.as_tuple()
        if len(digits) <= MOST_DIGITS and -int(exponent) <= MOST_DIGITS:
            return value
    return _double(text)


def _integer(text: str) -> int | float:
    return int(text) if len(text.lstrip("-")) <= MOST_DIGITS else _double(text)


def _double(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {text if len(text) < 50 else f'{text[:50]}...'} is too large for a double")
    return value


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a key twice")
    return found
