"""Primitive values as Python objects and as text of JSON."""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal
from typing import Any
from uuid import UUID

import numpy as np

from ..generated.variant import MOST_DIGITS, Body
from ..runtime.errors import DecodeError
from .reading import FORMAT

_EPOCH = datetime(1970, 1, 1)
_DAY = date(1970, 1, 1)
#: Computes decimals of up to 38 digits exactly, independent of the caller's context.
_EXACT = Context(prec=MOST_DIGITS + 2)


def unscaled(body: Any) -> int:
    """Returns the digits of a decimal as a number.

    Raises:
        DecodeError: it has more than 38 digits.
    """
    number = body.v if not isinstance(body, Body.DECIMAL16) else body.high << 64 | body.low
    if abs(number) >= 10**MOST_DIGITS:
        raise DecodeError(f"a decimal has more than {MOST_DIGITS} digits", format=FORMAT)
    return int(number)


def decimal_of(body: Any) -> Decimal:
    """Returns a decimal with its scale."""
    return Decimal(unscaled(body)).scaleb(-body.scale, _EXACT)


def _time(body: Any) -> time:
    if not 0 <= body.v < 86_400_000_000:
        raise DecodeError(f"{body.v} microseconds are not a time of day", format=FORMAT)
    return (_EPOCH + timedelta(microseconds=body.v)).time()


def _nanoseconds(body: Any) -> np.datetime64:
    return np.datetime64(body.v, "ns")


_PYTHON: dict[type, Callable[[Any], Any]] = {
    Body.NULL: lambda body: None,
    Body.TRUE: lambda body: True,
    Body.FALSE: lambda body: False,
    Body.DECIMAL4: decimal_of,
    Body.DECIMAL8: decimal_of,
    Body.DECIMAL16: decimal_of,
    Body.DATE: lambda body: _DAY + timedelta(days=body.v),
    Body.TIMESTAMP: lambda body: (_EPOCH + timedelta(microseconds=body.v)).replace(tzinfo=UTC),
    Body.TIMESTAMP_NTZ: lambda body: _EPOCH + timedelta(microseconds=body.v),
    Body.TIMESTAMP_NANOS: _nanoseconds,
    Body.TIMESTAMP_NTZ_NANOS: _nanoseconds,
    Body.TIME: _time,
    Body.UUID: lambda body: UUID(bytes=bytes(body.v)),
}


def to_python(body: Any) -> Any:
    """Returns a primitive value as an object of Python.

    Raises:
        DecodeError: Python cannot hold it, such as a date before the year 1.
    """
    make = _PYTHON.get(type(body))
    try:
        return body.v if make is None else make(body)
    except OverflowError:
        raise DecodeError(f"Python has no {body.kind.lower()} of {body.v}", format=FORMAT) from None


def to_json(body: Any) -> str:
    """Returns a primitive value as text of JSON: times and bytes as strings, numbers that are not finite too."""
    value = to_python(body)
    if isinstance(value, bytes):
        value = b64encode(value).decode()
    elif isinstance(value, np.datetime64):
        zone = "+00:00" if isinstance(body, Body.TIMESTAMP_NANOS) else ""
        value = str(value).replace("T", " ") + zone
    elif isinstance(value, date | time | UUID) or (isinstance(value, float) and not math.isfinite(value)):
        value = str(value)
    elif isinstance(value, Decimal):
        return f"{value:f}"
    return json.dumps(value)
