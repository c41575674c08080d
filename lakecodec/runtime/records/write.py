"""Writing records: the writer that generated methods append to, its primitives, and the errors they raise."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..declaration import Use
from ..errors import CodecError, EncodeError
from .read import MAX_DEPTH, UNREADABLE

pack = struct.pack

#: What a value that cannot be written raises in a generated writer: what reading raises, since both compute the same.
UNWRITABLE = UNREADABLE


class Writer:
    """What generated writers append to.

    Attributes:
        data: the bytes so far.
        codecs: factories that take the place of external codecs, by the codec's name.
        base: the offset of the first byte, None where it hangs on sizes that are not known yet.
        depth: how many more records may be nested.
    """

    __slots__ = ("base", "codecs", "data", "depth")

    def __init__(
        self, codecs: Mapping[str, Callable[..., Any]] | None = None, *, base: int | None = 0, depth: int = MAX_DEPTH
    ) -> None:
        self.data = bytearray()
        self.codecs = codecs or {}
        self.base = base
        self.depth = depth

    def part(self, base: int | None = None) -> Writer:
        """A writer for a field whose size must be known before its place, or that goes through codecs."""
        return Writer(self.codecs, base=base, depth=self.depth)

    def enter(self) -> None:
        self.depth -= 1
        if self.depth < 0:
            raise EncodeError(f"records are nested more than {MAX_DEPTH} deep")

    def offset(self) -> int:
        """Where the next byte will stand."""
        if self.base is None:
            raise EncodeError("the offset is not known: the size of what precedes this part is not")
        return self.base + len(self.data)

    def offset_if_known(self) -> int | None:
        return None if self.base is None else self.base + len(self.data)

    def codec(self, use: Use) -> Any:
        """The codec of a use."""
        factory = self.codecs.get(use.name)
        return use.make() if factory is None else factory(*use.arguments)

    def through(self, uses: Sequence[Use], data: Any) -> bytes:
        """``data`` through codecs, the first one first."""
        for use in uses:
            data = self.codec(use).encode(bytes(data))
        return bytes(data)


def unfit(rule: str) -> EncodeError:
    """The error for a rule that a value breaks."""
    return EncodeError(rule)


def wrong_tag(value: Any, tag: Any) -> EncodeError:
    """The error for an alternative where another tag is needed than its own."""
    return EncodeError(f"the alternative {value.kind} has the tag {value.tag!r}, not {tag!r}")


def unwritten(error: Exception, step: str, index: int | None) -> CodecError:
    """The error to raise for one that a field's writing ended with; the arguments are as those of `unread`."""
    if isinstance(error, EncodeError):
        found: CodecError = error
    elif isinstance(error, CodecError):
        found = EncodeError(error.rule, path=error.path)
    else:
        found = EncodeError(f"the value does not fit its type: {error}")
    place = step if index is None else f"{step}[{index}]"
    joint = "." if place and found.path and found.path[0] != "[" else ""
    found.path = f"{place}{joint}{found.path}"
    return found


# ---- values ----


def put_uvarint(data: bytearray, value: int, bits: int) -> None:
    """Appends an unsigned LEB128 number of at most ``bits`` bits."""
    if value.__class__ is bool or value < 0 or value >> bits:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)


def put_svarint(data: bytearray, value: int, bits: int) -> None:
    if value.__class__ is bool:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    put_uvarint(data, value << 1 if value >= 0 else ~(value << 1), bits)


def put_boolean(data: bytearray, value: Any) -> None:
    if value is not True and value is not False:
        raise TypeError(f"a bool is needed, not {type(value).__name__}")
    data.append(value)


def put_integer(data: bytearray, value: int, size: int, order: Any, signed: bool) -> None:
    """A number of a width that the struct module does not know."""
    data += value.to_bytes(size, order, signed=signed)


def put_numbers(data: bytearray, values: Sequence[Any], order: str, code: str) -> None:
    """Numbers of a fixed width; an error names the first one that does not fit."""
    try:
        data += struct.pack(f"{order}{len(values)}{code}", *values)
    except struct.error:
        for index, value in enumerate(values):
            try:
                struct.pack(order + code, value)
            except struct.error as error:
                raise EncodeError(f"the value does not fit its type: {error}", path=f"[{index}]") from None
        raise


def raw(value: Any, count: int | None = None) -> Any:
    """Bytes, of exactly ``count`` where that is given."""
    data = value if value.__class__ is bytes else bytes(memoryview(value))
    if count is not None and len(data) != count:
        raise EncodeError(f"{count} bytes are needed, not {len(data)}")
    return data


def utf8(value: Any, count: int | None = None) -> bytes:
    """Text as UTF-8, of exactly ``count`` bytes where that is given."""
    if not isinstance(value, str):
        raise TypeError(f"a str is needed, not {type(value).__name__}")
    data = value.encode()
    if count is not None and len(data) != count:
        raise EncodeError(f"{count} bytes are needed, not {len(data)}")
    return data


def ended(data: bytes, terminator: bytes) -> bytes:
    """``data`` and its terminator, which must not begin before."""
    found = bytes(data) + terminator
    if found.find(terminator) != len(data):
        raise EncodeError(f"the value contains its terminator {terminator!r}")
    return found


def instance(value: Any, cls: type[Any]) -> Any:
    """``value``, which must be of the class."""
    if not isinstance(value, cls):
        raise TypeError(f"{cls.__name__} is needed, not {type(value).__name__}")
    return value


def exactly(values: Any, count: int) -> Any:
    """``values``, which must be so many."""
    if len(values) != count:
        raise EncodeError(f"{count} elements are needed, not {len(values)}")
    return values


def absent(value: Any) -> None:
    """Refuses a value where the field's condition does not hold."""
    if value is not None:
        raise EncodeError("the field's condition does not hold, so it must be None")
