"""Reading records: the primitives that generated readers call, and the errors they raise."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import CodecError, DecodeError, join_path
from ..limits import MAX_EMPTY

if TYPE_CHECKING:
    from .span import Span

#: What broken bytes, or values computed from them, raise in a generated reader.
UNREADABLE = (
    CodecError,
    ArithmeticError,
    AttributeError,
    BufferError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)

#: Ends the rule of an error whose offset is one of the bytes that a codec made.
OF_DECODED = " (the offset counts decoded bytes)"
#: Records and variants inside each other, where a type can contain itself.
MAX_DEPTH = 192


def decoded(codecs: Sequence[Any], data: Any, pos: int) -> Any:
    """Returns ``data`` decoded by the codecs, the last one first.

    Raises:
        DecodeError: a codec refuses the bytes; the offset is ``pos``.
    """
    try:
        for codec in reversed(codecs):
            data = codec.decode(data)
    except DecodeError as error:
        error.offset = pos
        raise
    return data


def refused(rule: str, pos: int) -> DecodeError:
    """Returns a DecodeError with the broken rule and the offset ``pos``."""
    return DecodeError(rule, offset=pos)


def short(buf: Any, pos: int, needed: int) -> DecodeError:
    """Returns the DecodeError for ``needed`` bytes at ``pos`` where ``buf`` has fewer left."""
    return DecodeError(f"{needed} bytes are needed, {len(buf) - pos} are left", offset=pos)


def unread(error: Exception, at: Span, step: str, index: int | None, pos: int) -> CodecError:
    """Returns the error to raise in the place of one that ended the reading of a field, with the path and offset of the field.

    Args:
        error: what was raised.
        at: the span that was being read.
        step: the field, "" for the record itself or where the error names the field.
        index: the element of the field, where it is a list.
        pos: where the field begins.
    """
    if isinstance(error, CodecError):
        found = error if isinstance(error, DecodeError) else DecodeError(error.rule, path=error.path)
        if found.offset is None:
            found.offset = pos
    elif _is_short(error):
        found = DecodeError("1 bytes are needed, 0 are left", offset=len(at.buf))
    else:
        found = DecodeError(f"what the bytes say cannot be computed: {reason(error)}", offset=pos)
    place = step if index is None else f"{step}[{index}]"
    found.path = join_path(place, found.path)
    if at.decoded and not hasattr(found, "within"):
        found.within = True  # type: ignore[attr-defined]
        found.rule += OF_DECODED
    return found


def reason(error: Exception) -> str:
    """Returns why an expression has no value, in words of the declaration."""
    return "calls of functions are nested too deep" if isinstance(error, RecursionError) else str(error)


def _is_short(error: Exception) -> bool:
    """Returns whether a byte behind the end was asked for: of bytes, or of a memoryview."""
    return isinstance(error, IndexError) and str(error) in ("index out of range", "index out of bounds on dimension 1")


def stop_of(buf: Any, pos: int, size: int) -> int:
    """Returns the position after ``size`` bytes at ``pos``.

    Raises:
        DecodeError: fewer bytes are left.
    """
    if not 0 <= size <= len(buf) - pos:
        raise short(buf, pos, size)
    return pos + size


# ---- values; each returns the value and the position after it ----


def uvarint(buf: Any, pos: int, bits: int) -> tuple[int, int]:
    """Returns an unsigned LEB128 varint of at most ``bits`` bits, and the position after it.

    Raises:
        DecodeError: the number needs more bits.
        IndexError: the bytes end within the varint; `unread` makes a DecodeError of it.
    """
    byte = buf[pos]
    if byte < 128:
        return byte, pos + 1
    value, shift, start = byte & 127, 7, pos
    while True:
        pos += 1
        byte = buf[pos]
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
        if shift >= bits:
            raise DecodeError(f"a varint is longer than {bits} bits", offset=start)
    if value >> bits:
        raise DecodeError(f"a varint is longer than {bits} bits", offset=start)
    return value, pos + 1


def svarint(buf: Any, pos: int, bits: int) -> tuple[int, int]:
    """Returns a zigzag varint of at most ``bits`` bits, and the position after it. Errors as in `uvarint`."""
    value, pos = uvarint(buf, pos, bits)
    return (value >> 1) ^ -(value & 1), pos


def vlq(buf: Any, pos: int, bits: int) -> tuple[int, int]:
    """Returns an unsigned number of at most ``bits`` bits in groups of seven, the highest first, and the position after it.

    Raises:
        DecodeError: the number needs more bits, or has more groups than they take.
        IndexError: the bytes end within the number; `unread` makes a DecodeError of it.
    """
    value, start, most = 0, pos, -(-bits // 7)
    while True:
        byte = buf[pos]
        pos += 1
        value = value << 7 | (byte & 127)
        if pos - start > most or value >> bits:
            raise DecodeError(f"a number in groups of seven bits is longer than {bits} bits", offset=start)
        if byte < 128:
            return value, pos


def vlq9(buf: Any, pos: int, bits: int) -> tuple[int, int]:
    """Returns an unsigned number in groups of seven bits, the highest first, or in a ninth byte of eight; errors as in `vlq`."""
    value = 0
    for place in range(pos, pos + 8):
        byte = buf[place]
        value = value << 7 | (byte & 127)
        if byte < 128:
            return value, place + 1
    return value << 8 | buf[pos + 8], pos + 9


def ivlq9(buf: Any, pos: int, bits: int) -> tuple[int, int]:
    """Returns the number of `vlq9` as a signed one of ``bits`` bits in two's complement; errors as in `vlq`."""
    value, pos = vlq9(buf, pos, bits)
    return value - (value >> (bits - 1) << bits), pos


def boolean(buf: Any, pos: int) -> tuple[bool, int]:
    """Returns a boolean of one byte, and the position after it.

    Raises:
        DecodeError: the byte is neither 0 nor 1.
    """
    byte = buf[pos]
    if byte > 1:
        raise DecodeError("a boolean is neither 0 nor 1", offset=pos)
    return byte == 1, pos + 1


def take(buf: Any, pos: int, count: int) -> tuple[bytes, int]:
    """Returns a copy of ``count`` bytes, and the position after them.

    Raises:
        DecodeError: fewer bytes are left.
    """
    stop = stop_of(buf, pos, count)
    return bytes(buf[pos:stop]), stop


def until(buf: Any, pos: int, terminator: bytes) -> int:
    """Returns the number of bytes between ``pos`` and the next terminator.

    Raises:
        DecodeError: there is no terminator.
    """
    found: int = buf.find(terminator, pos) if buf.__class__ is bytes else _found(buf, pos, terminator)
    if found < 0:
        raise DecodeError(f"the terminator {terminator!r} does not follow", offset=pos)
    return found - pos


def _found(buf: Any, pos: int, terminator: bytes) -> int:
    """Returns the position of the terminator in a memoryview, -1 where there is none; copies and searches growing windows."""
    room = 64
    while pos < len(buf):
        found = bytes(buf[pos : pos + room + len(terminator) - 1]).find(terminator)
        if found >= 0:
            return pos + found
        pos += room
        room *= 2
    return -1


def text(buf: Any, pos: int, count: int) -> tuple[str, int]:
    """Returns the text in ``count`` bytes of UTF-8, and the position after them.

    Raises:
        DecodeError: fewer bytes are left, or they are not UTF-8.
    """
    stop = stop_of(buf, pos, count)
    return as_text(buf[pos:stop], pos), stop


def as_text(data: Any, pos: int) -> str:
    """Returns UTF-8 bytes as a str.

    Raises:
        DecodeError: the bytes are not UTF-8; the offset is ``pos``.
    """
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise DecodeError("the text is not valid UTF-8", offset=pos) from None


def number(buf: Any, pos: int, code: str) -> tuple[Any, int]:
    """Returns a number of the struct module's format ``code``, and the position after it.

    Raises:
        DecodeError: fewer bytes are left.
    """
    stop = stop_of(buf, pos, struct.calcsize(code))
    return struct.unpack_from(code, buf, pos)[0], stop


def integer(buf: Any, pos: int, size: int, order: Any, signed: bool) -> tuple[int, int]:
    """Returns an integer of ``size`` bytes, for widths that the struct module has no code for, and the position after it.

    Raises:
        DecodeError: fewer bytes are left.
    """
    stop = stop_of(buf, pos, size)
    return int.from_bytes(buf[pos:stop], order, signed=signed), stop


def read_struct(cls: Any, at: Span, pos: int) -> tuple[Any, int]:
    """Returns the struct at ``pos`` in the compact protocol, or the message to the end of the span, and the position after it."""
    value, end = cls.read(at.buf, pos)
    return value, end


# ---- lists ----


def bounded(count: int, smallest: int, buf: Any, pos: int, most: int = MAX_EMPTY) -> int:
    """Returns ``count``, checked against the bytes left before memory is allocated for a list.

    Raises:
        DecodeError: that many elements of ``smallest`` bytes or more do not fit; elements of no bytes are at most ``most``
            more than the bytes left.
    """
    left = len(buf) - pos
    if not 0 <= count <= (left // smallest if smallest else left + most):
        raise DecodeError(f"{count} elements do not fit the {left} bytes left", offset=pos)
    return count


def numbers(buf: Any, pos: int, count: int, order: str, code: str) -> tuple[list[Any], int]:
    """Returns a list of ``count`` numbers of a fixed width, and the position after them.

    Args:
        order: the byte order, as a prefix of the struct module's formats.
        code: the format of one number in the struct module.

    Raises:
        DecodeError: fewer bytes are left.
    """
    layout = struct.Struct(f"{order}{bounded(count, struct.calcsize(order + code), buf, pos)}{code}")
    return list(layout.unpack_from(buf, pos)), pos + layout.size
