"""Reading records: spans of bytes, the primitives that generated readers call, and the errors they raise."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from ..errors import CodecError, DecodeError, join_path
from ..limits import MAX_EMPTY

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


class Span:
    """A range of bytes that records are read from; positions count from the start of ``buf``, the span ends where it does.

    Attributes:
        buf: bytes or a memoryview of bytes.
        start: the position in ``buf`` where the span begins.
        base: what to add to a position for an offset in the source.
        decoded: whether a codec made the bytes, so that positions are not those of the caller's input.
        depth: how many more records may be nested.
        source: what the bytes are of, where that is more than ``buf``: a `Source`, or bytes from offset 0 on.
        struct_of_arrays: the (class, field) whose list the native backend may give as a `StructOfArrays`.
        borrows: whether the native backend may give long `bytes` as slices of ``buf``: to who looks at them and drops them.
        whole: the span that this one is a part of; None where it is the whole that a call reads.
        empty: of the whole, what elements without bytes have cost so far: 8 each, and 1 for one that is absent.
    """

    __slots__ = ("base", "borrows", "buf", "decoded", "depth", "empty", "source", "start", "struct_of_arrays", "whole")

    def __init__(
        self,
        buf: Any,
        *,
        start: int = 0,
        base: int = 0,
        decoded: bool = False,
        depth: int = MAX_DEPTH,
        struct_of_arrays: tuple[Any, str] | None = None,
        source: Any = None,
        borrows: bool = False,
        whole: Span | None = None,
    ) -> None:
        self.buf = buf
        self.start = start
        self.base = base
        self.decoded = decoded
        self.depth = depth
        self.struct_of_arrays = struct_of_arrays
        self.source = source
        self.borrows = borrows
        self.whole = whole
        self.empty = 0

    @property
    def spare(self) -> int:
        """The costs of elements without bytes that may still come."""
        return 8 * (MAX_EMPTY + len((self.whole or self).buf)) - (self.whole or self).empty

    def took_nothing(self, pos: int, cost: int = 8) -> None:
        """Counts an element that took no bytes; of one that is absent, which a bit can tell, the ``cost`` is 1.

        Raises:
            DecodeError: there are more than MAX_EMPTY, and as many as there are bytes.
        """
        whole = self.whole or self
        whole.empty += cost
        if self.spare < 0:
            raise DecodeError(f"more than {MAX_EMPTY + len(whole.buf)} elements take no bytes", offset=pos)

    def passed(self, begin: int, pos: int) -> None:
        """Counts an element that ends at ``pos``, where it took no bytes; errors as in `took_nothing`."""
        if pos == begin:
            self.took_nothing(pos)

    def enter(self, pos: int) -> int:
        """Counts the begin of a record of a type that can contain itself, and returns its position for `leave`.

        Raises:
            DecodeError: more than MAX_DEPTH records are nested.
        """
        self.depth -= 1
        if self.depth < 0:
            raise DecodeError(f"records are nested more than {MAX_DEPTH} deep", offset=pos)
        return pos

    def leave(self, begin: int, pos: int) -> None:
        """Counts the end of such a record; errors as in `took_nothing`."""
        self.depth += 1
        self.passed(begin, pos)

    def within(self, pos: int, size: int) -> Span:
        """Returns the span of ``size`` bytes that begins at ``pos``.

        Raises:
            DecodeError: fewer bytes are left.
        """
        buf = memoryview(self.buf)[: _stop(self.buf, pos, size)]
        source = self.buf if self.source is None else self.source
        return Span(
            buf, start=pos, base=self.base, decoded=self.decoded, depth=self.depth, source=source, borrows=self.borrows,
            whole=self.whole or self,
        )  # fmt: skip

    def through(self, codecs: Sequence[Any], pos: int, size: int) -> Span:
        """Returns a span over the decoded form of ``size`` bytes at ``pos``; ``codecs`` are in the order of writing.

        Raises:
            DecodeError: fewer bytes are left, or a codec refuses them.
        """
        data = self.buf[pos : _stop(self.buf, pos, size)]
        return Span(decoded(codecs, data, pos), decoded=True, depth=self.depth, whole=self.whole or self)

    def finish(self, pos: int) -> int:
        """Returns ``pos``.

        Raises:
            DecodeError: ``pos`` is not the end of the span.
        """
        if pos != len(self.buf):
            raise DecodeError(f"{len(self.buf) - pos} bytes are left over", offset=pos)
        return pos


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


def _stop(buf: Any, pos: int, size: int) -> int:
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
    stop = _stop(buf, pos, count)
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
    stop = _stop(buf, pos, count)
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
    stop = _stop(buf, pos, struct.calcsize(code))
    return struct.unpack_from(code, buf, pos)[0], stop


def integer(buf: Any, pos: int, size: int, order: Any, signed: bool) -> tuple[int, int]:
    """Returns an integer of ``size`` bytes, for widths that the struct module has no code for, and the position after it.

    Raises:
        DecodeError: fewer bytes are left.
    """
    stop = _stop(buf, pos, size)
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
