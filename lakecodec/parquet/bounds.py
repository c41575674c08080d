"""Column bounds as Python values; Statistics and ColumnIndex hold them in plain encoding."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal
from typing import Any
from uuid import UUID

from ..generated.parquet import ConvertedType, SchemaElement, Type
from ..generated.parquet_file import JULIAN_EPOCH_DAY, Float16, Plain
from ..runtime.errors import DecodeError
from .errors import broken

#: Physical types of fixed width. Integers have the modulus of their unsigned form.
_FIXED: dict[Any, int | None] = {
    Type.BOOLEAN: None,
    Type.INT32: 1 << 32,
    Type.INT64: 1 << 64,
    Type.INT96: None,
    Type.FLOAT: None,
    Type.DOUBLE: None,
}
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_DAY_MICROSECONDS = 86_400_000_000
_MICROSECONDS = {"MILLIS": 1000, "MICROS": 1}
#: The most digits and bytes of decimals that are converted. 38 digits in 16 bytes are common; 76 in 32 exist.
_MOST_DIGITS = 1000
_WIDEST_DECIMAL = 256


def decode_value(data: Any, element: SchemaElement) -> Any:
    """Returns a bound of a column as a Python value.

    The result is an int, float, bool, str, Decimal, date, time, datetime (in UTC where the type is adjusted to UTC) or
    UUID, by the logical type of the element; bytes or numbers without one stay unchanged, and so do values in
    nanoseconds. A number that the Python type cannot hold is not converted. Invalid UTF-8 is escaped. INT96 becomes a
    datetime, truncated to microseconds.

    Args:
        data: ``min_value`` or ``max_value`` of Statistics, or an entry of a ColumnIndex (parquet.thrift).
        element: the SchemaElement of the leaf column.

    Raises:
        DecodeError: the number of bytes does not fit the physical type.
    """
    raw = bytes(data)
    kind, parameter = logical_kind(element)
    value: Any = raw
    if isinstance(element.type, Type) and element.type in _FIXED:
        if element.type == Type.INT96:
            return _timestamp(int96_nanoseconds(raw, element.name) // 1000, ("MICROS", False))
        value = _plain(raw, element.type, element.name)
        modulus = _FIXED[element.type]
        if modulus is not None and kind == "INTEGER" and not parameter:
            value %= modulus
    elif element.type == Type.FIXED_LEN_BYTE_ARRAY and len(raw) != element.type_length:
        raise broken(f"a bound of {len(raw)} bytes, where the type has {element.type_length}", path=element.name)
    accepted, convert = _CONVERSIONS.get(kind, ((), None))
    # A logical type that does not fit the physical type is ignored.
    return convert(value, parameter) if convert is not None and isinstance(value, accepted) else value


def int96_nanoseconds(raw: bytes, name: str) -> int:
    """Returns the nanoseconds since 1970-01-01 of an INT96; DecodeError for another number of bytes than 12."""
    value = _plain(bytes(raw), Type.INT96, name)
    return int((value.day - JULIAN_EPOCH_DAY) * _DAY_MICROSECONDS * 1000 + value.nanoseconds)


def _plain(raw: bytes, kind: Type, name: str) -> Any:
    """Returns a value of a physical type of a fixed width."""
    try:
        plain: Any = Plain.from_bytes(raw, kind)
    except DecodeError as error:
        raise broken(f"a bound of {len(raw)} bytes is not a valid {kind.name}: {error.rule}", path=name) from None
    return plain.value


def logical_kind(element: SchemaElement) -> tuple[str, Any]:
    """Returns the name of the logical type, ``""`` if there is none, and its parameter.

    ``logicalType`` is used, or else ``converted_type`` (parquet.thrift). The parameter is the scale of DECIMAL, whether
    INTEGER is signed, (unit, adjusted to UTC) of TIME and TIMESTAMP, and None for all others.
    """
    logical = element.logicalType
    if logical is not None and logical.kind is not None:
        value = logical.value
        if logical.kind == "DECIMAL":
            return logical.kind, value.scale
        if logical.kind == "INTEGER":
            return logical.kind, value.isSigned
        if logical.kind in ("TIME", "TIMESTAMP"):
            return logical.kind, (value.unit.kind, value.isAdjustedToUTC)
        return logical.kind, None
    converted = element.converted_type
    if not isinstance(converted, ConvertedType):
        return "", None
    name = converted.name
    if name == "DECIMAL":
        return name, element.scale or 0
    if name.startswith(("TIME_", "TIMESTAMP_")):
        kind, _, unit = name.partition("_")
        return kind, (unit, True)
    if name.startswith(("INT_", "UINT_")):
        return "INTEGER", name.startswith("INT_")
    return {"UTF8": "STRING"}.get(name, name), None


def _text(value: bytes, _: Any) -> str:
    # A bound may be cut in the middle of a character.
    """Returns a bound as text; invalid UTF-8 is escaped."""
    return value.decode("utf-8", "backslashreplace")


def _decimal(value: int | bytes, scale: int) -> Any:
    """Returns a Decimal, or the value unchanged if it has too many digits or bytes."""
    if not 0 <= scale <= _MOST_DIGITS or (isinstance(value, bytes) and len(value) > _WIDEST_DECIMAL):
        return value
    number = int.from_bytes(value, "big", signed=True) if isinstance(value, bytes) else value
    return Decimal(number).scaleb(-scale, Context(prec=_MOST_DIGITS))


def _date(value: int, _: Any) -> Any:
    """Returns a date from days since 1970-01-01, or the int if it is out of range."""
    ordinal = value + _EPOCH_DAY
    return date.fromordinal(ordinal) if 1 <= ordinal <= date.max.toordinal() else value


def _time(value: int, parameter: tuple[str, bool]) -> Any:
    """Returns a time, or the int if it is in nanoseconds or out of range."""
    factor = _MICROSECONDS.get(parameter[0])
    if factor is None or not 0 <= value * factor < _DAY_MICROSECONDS:
        return value
    moment = datetime(1970, 1, 1) + timedelta(microseconds=value * factor)
    return time(moment.hour, moment.minute, moment.second, moment.microsecond, UTC if parameter[1] else None)


def _timestamp(value: int, parameter: tuple[str, bool]) -> Any:
    """Returns a datetime, or the int if it is in nanoseconds or out of range."""
    factor = _MICROSECONDS.get(parameter[0])
    if factor is None:
        return value
    try:
        return datetime(1970, 1, 1, tzinfo=UTC if parameter[1] else None) + timedelta(microseconds=value * factor)
    except OverflowError:
        return value


def _uuid(value: bytes, _: Any) -> Any:
    """Returns a UUID from 16 bytes, other bytes unchanged."""
    return UUID(bytes=value) if len(value) == 16 else value


def _float16(value: bytes, _: Any) -> Any:
    """Returns a float from the 2 bytes of a half-precision number, other bytes unchanged."""
    return Float16.from_bytes(value).value if len(value) == 2 else value


#: Logical type -> Python types of its stored values, and the conversion of one value.
_CONVERSIONS: dict[str, tuple[tuple[type, ...], Callable[[Any, Any], Any]]] = {
    "STRING": ((bytes,), _text),
    "ENUM": ((bytes,), _text),
    "JSON": ((bytes,), _text),
    "DECIMAL": ((int, bytes), _decimal),
    "DATE": ((int,), _date),
    "TIME": ((int,), _time),
    "TIMESTAMP": ((int,), _timestamp),
    "UUID": ((bytes,), _uuid),
    "FLOAT16": ((bytes,), _float16),
}
