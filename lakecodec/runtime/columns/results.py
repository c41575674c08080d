"""The Arrow types that can hold the values of a layout, and the conversion to each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import pyarrow as pa

from .layout import Kind, ValueLayout

_DECIMAL_WIDTH = 16


class Form(IntEnum):
    """The buffers of a result, besides its validity bitmap."""

    BITS = 0  # one bit per row
    FIXED = 1  # `width` bytes per row
    RAGGED = 2  # 32-bit offsets, then bytes


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The conversion of values of ``layout`` to an array of ``type``.

    Attributes:
        layout: the layout of the values.
        type: the Arrow type.
        form: see ``Form``.
        width: bytes of a FIXED value.
        text: whether the bytes of RAGGED values must be UTF-8.
    """

    layout: ValueLayout
    type: Any
    form: Form
    width: int = 0
    text: bool = False


# Keyed by identity: hashing an Arrow type costs more than decoding a short column. The results keep the keys alive.
_known: dict[tuple[int, int], Result] = {}
_MAX_KNOWN = 4096


def result_of(layout: ValueLayout, type: Any) -> Result:
    """Returns the conversion from a layout to an Arrow type; cached by identity.

    Raises:
        TypeError: the type cannot hold the values.
    """
    key = (id(layout), id(type))
    found = _known.get(key)
    if found is None:
        found = _result(layout, type)
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[key] = found
    return found


def _result(layout: ValueLayout, type: Any) -> Result:
    if not isinstance(type, pa.DataType):
        raise TypeError(f"arrow_type: a pyarrow.DataType is needed, not {type!r}")
    match layout.kind:
        case Kind.BOOLEAN if pa.types.is_boolean(type):
            return Result(layout, type, Form.BITS)
        case Kind.NUMBER if layout.width == 8 and layout.number in ("", "i") and pa.types.is_decimal128(type):
            return Result(layout, type, Form.FIXED, _DECIMAL_WIDTH)
        case Kind.NUMBER if (
            pa.types.is_primitive(type) and type.bit_width == 8 * layout.width and layout.number in ("", _number(type))
        ):
            return Result(layout, type, Form.FIXED, layout.width)
        case Kind.PAIR if pa.types.is_primitive(type) and type.bit_width == 64:
            return Result(layout, type, Form.FIXED, 8)
        case Kind.INTEGER if pa.types.is_decimal128(type):
            return Result(layout, type, Form.FIXED, _DECIMAL_WIDTH)
        case Kind.TEXT | Kind.BYTES if pa.types.is_string(type) or pa.types.is_binary(type):
            return Result(layout, type, Form.RAGGED, text=layout.kind is Kind.TEXT or pa.types.is_string(type))
    raise TypeError(f"arrow_type: {type} cannot hold values of {layout.kind.name.lower()}")


def _number(type: Any) -> str:
    if pa.types.is_floating(type):
        return "f"
    return "u" if pa.types.is_unsigned_integer(type) else "i"
