"""Encoded values of one layout: numbers, pairs, texts as columns hold them."""

from __future__ import annotations

import struct
from collections.abc import Hashable

from ...runtime.columns import Kind, ValueLayout, Values
from . import scalars
from .choices import Choices

_FLOATS = {4: "f", 8: "d", 2: "e"}


def encoded_values(layout: ValueLayout, count: int, key: Hashable, choices: Choices) -> Values:
    """Returns ``count`` values of a layout."""
    data = b"".join(_value(layout, key, choices) for _ in range(count))
    return Values(layout, data, 0, len(data), count)


def _value(layout: ValueLayout, key: Hashable, choices: Choices) -> bytes:
    order = "big" if layout.big else "little"
    match layout.kind:
        case Kind.BOOLEAN:
            return bytes([choices.pick((key, "bool"), [0, 1])])
        case Kind.PAIR:
            whole = scalars.integer(choices, (key, "whole"), 64, True)
            part = choices.pick((key, "part"), [0, 1, layout.unit - 1])
            return whole.to_bytes(8, order, signed=True) + part.to_bytes(4, order)  # type: ignore[arg-type]
        case Kind.NUMBER if layout.number == "f":
            value = scalars.floating(choices, (key, layout.width), layout.width)
            return struct.pack(f"{'>' if layout.big else '<'}{_FLOATS[layout.width]}", value)
        case Kind.NUMBER:
            number = scalars.integer(choices, (key, layout.width), 8 * layout.width, layout.number != "u")
            return number.to_bytes(layout.width, order, signed=layout.number != "u")  # type: ignore[arg-type]
        case Kind.INTEGER:
            number = scalars.integer(choices, (key, "integer"), 8 * layout.most, True)
            size = (number + (number < 0)).bit_length() // 8 + 1
            data = number.to_bytes(max(size, layout.least), "big", signed=True)
        case Kind.TEXT:
            data = scalars.text(choices, (key, "text")).encode()
        case _:
            data = scalars.raw(choices, (key, "bytes"))
    return _uvarint(len(data)) + data


def _uvarint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
