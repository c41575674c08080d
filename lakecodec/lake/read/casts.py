"""Casts of values between types with the same results as in Spark; times are in UTC."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...delta.text.base import TextCodec
from ...delta.text.calendar import Date
from ...delta.text.clock import Fraction, Time
from ...delta.text.floats import JavaFloat
from ...delta.text.numbers import Decimal as DecimalText
from ...delta.types import from_name, to_arrow

_SQL_TYPES = {"int": "integer", "bigint": "long", "smallint": "short", "tinyint": "byte", "real": "float"}
_WALL_TIME = "%Y-%m-%d %H:%M:%S.%f"
#: More digits than the widest decimals have.
_WIDE = Context(prec=400)
types = pa.types


class Refused(ValueError):
    """Raised for an expression that only Spark can compute."""


def cast_to(value: Any, name: str) -> Any:
    """Returns a value in the type of an SQL name; raises as `cast`."""
    found = from_name(_SQL_TYPES.get(name, name))
    if found is None:
        raise Refused(f"the type {name}")
    return cast(value, to_arrow(found))


def cast(value: Any, wanted: pa.DataType) -> Any:
    """Returns a value in a type that is no struct, list or map.

    Raises:
        Refused: Spark has no such cast, or its result differs from Arrow's.
        pa.ArrowInvalid: a value cannot be cast.
    """
    given = value.type
    if given == wanted:
        return value
    if _is_text(wanted) and types.is_timestamp(given) and given.unit != "us":
        return cast(pc.cast(value, pa.timestamp("us", given.tz)), wanted)
    if _is_text(wanted) and (codec := _texts(given)) is not None:
        return pc.cast(_of_scalar(value, codec.encode_array), wanted)
    if types.is_floating(wanted) and types.is_decimal(given):
        return pc.cast(pc.cast(value, pa.string()), wanted)  # Arrow's own cast does not give the nearest float
    if types.is_decimal(wanted) and types.is_floating(given):
        return _of_scalar(value, lambda array: _rounded(array, wanted))
    if types.is_decimal(wanted) and types.is_integer(given):
        value = pc.cast(value, pa.decimal128(min(38, 20 + wanted.scale), wanted.scale))
    if types.is_integer(wanted) and _is_text(given) and _has_hex(value):
        raise pa.ArrowInvalid("a text is no whole number in digits")
    if (_is_number(given) and types.is_temporal(wanted)) or (types.is_temporal(given) and _is_number(wanted)):
        raise Refused(f"a cast of {given} to {wanted}")
    return pc.cast(value, wanted, safe=not (types.is_floating(wanted) and _is_number(given)))


def doubles(*values: Any) -> list[Any]:
    """Returns values of which decimals are doubles if one of the others is a float, as Spark compares and computes them."""
    if not any(types.is_floating(value.type) for value in values):
        return [*values]
    return [cast(value, pa.float64()) if types.is_decimal(value.type) else value for value in values]


def _is_text(kind: Any) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _is_number(kind: Any) -> bool:
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _has_hex(texts: Any) -> bool:
    return bool(pc.any(pc.match_substring(texts, "x", ignore_case=True)).as_py())


def _texts(kind: Any) -> TextCodec | None:
    """Returns the codec of Spark's texts of a type where Arrow's differ."""
    if types.is_float32(kind) or types.is_float64(kind):
        return JavaFloat(kind.bit_width, two_digits=True)
    if types.is_timestamp(kind):
        return Time(_WALL_TIME, Fraction.SHORTEST, extended=True, zone="" if kind.tz is None else "UTC")
    if types.is_date32(kind):
        return Date(extended=True)
    return DecimalText(kind.precision, kind.scale) if types.is_decimal128(kind) else None


def _of_scalar(value: Any, function: Any) -> Any:
    """Returns the result of a function of arrays for an array or a scalar."""
    if isinstance(value, pa.Scalar):
        return function(pa.repeat(value, 1))[0]
    if isinstance(value, pa.ChunkedArray):
        value = value.combine_chunks()
    return function(value)


def _rounded(array: Any, wanted: Any) -> Any:
    """Returns floats as decimals: of their shortest digits, halves away from zero."""
    step = Decimal(1).scaleb(-wanted.scale)
    found = []
    for number in array.to_pylist():
        if number is not None and number - number != 0:
            raise pa.ArrowInvalid(f"{number} is no decimal")
        found.append(None if number is None else Decimal(repr(number)).quantize(step, ROUND_HALF_UP, _WIDE))
    return pa.array(found, wanted)
