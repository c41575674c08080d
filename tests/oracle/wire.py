"""Numbers, texts and packed bits as they stand in bytes."""

from __future__ import annotations

import re
import struct
from typing import Any, Literal

from .nodes import Cursor, Refused

Order = Literal["big", "little"]

_FLOATS = {"f16": "e", "f32": "f", "f64": "d"}


def is_scalar(name: str) -> bool:
    return name == "bool8" or name in _FLOATS or re.fullmatch(r"[usi]varint\d+|i?vlq\d+|[ui]\d+", name) is not None


def scalar(name: str, cursor: Cursor, order: Order, *, loose: bool = False) -> int | float | bool:
    """One number of a wire type; of varying width it has the fewest bytes, unless it is ``loose``."""
    if name == "bool8":
        byte = cursor.take(1)[0]
        if byte > 1:
            raise Refused(f"{byte} is no boolean")
        return byte == 1
    kind, bits = re.fullmatch(r"([a-z]+)(\d+)", name).groups()  # type: ignore[union-attr]
    if kind.endswith("varint"):
        start = cursor.pos
        if kind[0] == "i":
            return _signed(cursor, int(bits), loose=loose)
        word = varint(cursor, int(bits))
        if cursor.pos - start > max(1, -(-word.bit_length() // 7)) and not loose:
            raise Refused("a number has more bytes than it needs")
        return word if kind[0] == "u" else unzigzag(word)
    if kind.endswith("vlq"):
        start = cursor.pos
        word = nine_bytes(cursor) if bits == "9" else groups(cursor, int(bits))
        needed = 9 if bits == "9" and word >= 1 << 56 else max(1, -(-word.bit_length() // 7))
        if cursor.pos - start > needed and not loose:
            raise Refused("a number has more bytes than it needs")
        return word - (1 << 64) if kind == "ivlq" and word >> 63 else word
    data = cursor.take(int(bits) // 8)
    if kind == "f":
        number: float = struct.unpack((">" if order == "big" else "<") + _FLOATS[name], data)[0]
        return number
    return int.from_bytes(data, order, signed=kind == "i")


def varint(cursor: Cursor, bits: int) -> int:
    """Seven bits a byte, the lowest first; each byte but the last has its top bit set."""
    groups: list[int] = []
    while not groups or groups[-1] & 0x80:
        groups.append(cursor.take(1)[0])
        if len(groups) > -(-bits // 7):
            raise Refused("a varint has too many bytes")
    number = sum((group & 0x7F) << 7 * place for place, group in enumerate(groups))
    if number >= 1 << bits:
        raise Refused(f"a varint does not fit {bits} bits")
    return number


def _signed(cursor: Cursor, bits: int, *, loose: bool) -> int:
    """The same in two's complement; the highest bit of the last group is the sign."""
    start, number, shift = cursor.pos, 0, 0
    while True:
        byte = cursor.take(1)[0]
        number, shift = number | (byte & 0x7F) << shift, shift + 7
        if shift > 7 * -(-bits // 7):
            raise Refused("a varint has too many bytes")
        if byte < 0x80:
            break
    number -= (number >> (shift - 1)) << shift
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise Refused(f"a varint does not fit {bits} bits")
    needed = (number if number >= 0 else ~number).bit_length() // 7 + 1
    if cursor.pos - start > needed and not loose:
        raise Refused("a number has more bytes than it needs")
    return number


def groups(cursor: Cursor, bits: int) -> int:
    """Seven bits a byte, the highest first; each byte but the last has its top bit set."""
    value, count = 0, 0
    while True:
        byte = cursor.take(1)[0]
        value, count = value << 7 | byte & 0x7F, count + 1
        if value >= 1 << bits or count > -(-bits // 7):
            raise Refused(f"a number does not fit {bits} bits")
        if byte < 0x80:
            return value


def nine_bytes(cursor: Cursor) -> int:
    """The same in nine bytes at most, of which the ninth counts whole."""
    value = 0
    for _ in range(8):
        byte = cursor.take(1)[0]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value
    return value << 8 | cursor.take(1)[0]


def unzigzag(word: int) -> int:
    return word // 2 if word % 2 == 0 else -(word + 1) // 2


def text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refused("the text is not UTF-8") from None


def bits(cursor: Cursor, count: int, width: int, *, exact: bool = False) -> list[int]:
    """``count`` numbers of ``width`` bits, the lowest bit first, in as few bytes as hold them; others are 0 if ``exact``."""
    if count < 0:
        raise Refused(f"{count} packed numbers cannot be")
    word = int.from_bytes(cursor.take(-(-count * width // 8)), "little")
    if exact and word >> count * width:
        raise Refused("unused bits of computed numbers")
    return [word >> place * width & (1 << width) - 1 for place in range(count)]


def in_range(value: Any, name: str) -> Any:
    """A computed value, which must fit its wire type."""
    if (found := re.fullmatch(r"([ui])(\d+)", name)) is None:
        return value
    size = int(found[2])
    low, high = (-(1 << size - 1), 1 << size - 1) if found[1] == "i" else (0, 1 << size)
    if not low <= value < high:
        raise Refused(f"{value} does not fit {name}")
    return value
