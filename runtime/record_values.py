"""Encoders of the values in a record's fields; what does not fit raises an EncodeError or one of UNFIT."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from .errors import CodecError, EncodeError

#: What packing a value of a wrong type raises.
UNFIT = (struct.error, TypeError, AttributeError, OverflowError, UnicodeEncodeError)


def raw(value: Any, count: int | None) -> bytes:
    """Bytes, of exactly ``count`` where that is given."""
    return _counted(bytes(memoryview(value)), count)


def text(value: Any, count: int | None) -> bytes:
    """Text as UTF-8, of exactly ``count`` bytes where that is given."""
    if not isinstance(value, str):
        raise TypeError(f"a str is needed, not {type(value).__name__}")
    return _counted(value.encode(), count)


def _counted(data: bytes, count: int | None) -> bytes:
    if count is not None and len(data) != count:
        raise EncodeError(f"{count} bytes are needed, not {len(data)}")
    return data


def nested(value: Any, cls: type[Any]) -> bytes:
    """A record or struct inside another."""
    if not isinstance(value, cls):
        raise TypeError(f"{cls.__name__} is needed, not {type(value).__name__}")
    data: bytes = value.to_bytes()
    return data


def uvarint(value: int, bits: int) -> bytes:
    if isinstance(value, bool) or value < 0 or value >> bits:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def svarint(value: int, bits: int) -> bytes:
    return uvarint(value << 1 if value >= 0 else ~(value << 1), bits)


def boolean(value: Any) -> bytes:
    if value is not True and value is not False:
        raise TypeError(f"a bool is needed, not {type(value).__name__}")
    return b"\x01" if value else b"\x00"


def items(values: Any, count: int | None, encode: Callable[[Any], bytes]) -> bytes:
    """Elements behind each other; an error's path begins with the element's number."""
    if count is not None and len(values) != count:
        raise EncodeError(f"{count} elements are needed, not {len(values)}")
    return b"".join(_item(index, value, encode) for index, value in enumerate(values))


def _item(index: int, value: Any, encode: Callable[[Any], bytes]) -> bytes:
    try:
        return encode(value)
    except CodecError as error:
        joint = "." if error.path and error.path[0] != "[" else ""
        error.path = f"[{index}]{joint}{error.path}"
        raise
    except UNFIT as error:
        raise EncodeError(f"the value does not fit its type: {error}", path=f"[{index}]") from None
