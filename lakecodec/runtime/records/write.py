"""Writing of records: the writer that generated methods append to, its primitives, and the errors they raise."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..declaration import Use
from ..errors import CodecError, EncodeError, join_path
from .assemble import assembled
from .read import MAX_DEPTH, UNREADABLE, reason

pack = struct.pack

#: What a value that cannot be written raises in a generated writer: what reading raises, since both compute the same.
UNWRITABLE = UNREADABLE


def assigned(value: Any, path: Sequence[str], new: Any) -> Any:
    """Returns a value in which the attribute at the end of a path is ``new``: a copy of all that leads there, unless it is."""
    name, *behind = path
    old = getattr(value, name)
    made = assigned(old, behind, new) if behind else new
    if made is old or (not behind and type(old) is type(new) and bool(old == new)):
        return value
    changed = copy.copy(value)
    setattr(changed, name, made)
    return changed


def replaced(values: Any, index: int, item: Any) -> Any:
    """Returns a list with another element at an index: a copy, unless it is there already."""
    return values if values[index] is item else [*values[:index], item, *values[index + 1 :]]


class Writer:
    """The output of generated writers: the bytes so far, and the state that writing needs.

    Attributes:
        data: the bytes so far.
        codecs: factories that take the place of external codecs, by the codec's name.
        base: the offset of the first byte, None where it hangs on sizes that are not known yet.
        depth: how many more records may be nested.
        pins: what stands at offsets of the source, of which the data that precedes says where: offset, bytes, path.
        covered: (offset, size, path) of what the data consists of, where there are gaps in it.
    """

    __slots__ = ("base", "codecs", "covered", "data", "depth", "pins")

    def __init__(
        self, codecs: Mapping[str, Callable[..., Any]] | None = None, *, base: int | None = 0, depth: int = MAX_DEPTH
    ) -> None:
        self.data = bytearray()
        self.codecs = codecs or {}
        self.base = base
        self.depth = depth
        self.pins: list[tuple[int, Any, str]] = []
        self.covered: list[tuple[int, Any, str]] = []

    def finished(self, record: Any) -> bytes:
        """Returns the bytes of a whole source, of which the data is the beginning.

        Raises:
            EncodeError: something would stand on something else, or not behind it, which the record does not allow.
        """
        if not self.pins:
            return bytes(self.data)
        start = self.base or 0
        pieces = [(offset - start, data, path) for offset, data, path in self.pins]
        covered = self.covered or [(start, len(self.data), "")]
        covered = [(offset - start, size, path) for offset, size, path in covered]
        return assembled(bytes(self.data), [*covered, *pieces], gaps=record._gaps, overlaps=record._overlaps)

    def part(self, base: int | None = None) -> Writer:
        """Returns a writer for a field that is encoded apart: one whose size is needed earlier, or that goes through codecs."""
        made = Writer(self.codecs, base=base, depth=self.depth)
        made.pins = self.pins
        return made

    def enter(self) -> None:
        self.depth -= 1
        if self.depth < 0:
            raise EncodeError(f"records are nested more than {MAX_DEPTH} deep")

    def offset(self) -> int:
        """Returns the offset of the next byte in the output.

        Raises:
            EncodeError: the writer is that of a part whose place is not known yet.
        """
        if self.base is None:
            raise EncodeError("the offset is not known: the size of what precedes this part is not")
        return self.base + len(self.data)

    def offset_if_known(self) -> int | None:
        return None if self.base is None else self.base + len(self.data)

    def codec(self, use: Use) -> Any:
        """Returns a new codec object for a use: from the caller's factory of that name, else the declared class."""
        factory = self.codecs.get(use.name)
        return use.make() if factory is None else factory(*use.arguments)

    def through(self, uses: Sequence[Use], data: Any) -> bytes:
        """Returns ``data`` encoded by the codecs, the first one first."""
        for use in uses:
            data = self.codec(use).encode(bytes(data))
        return bytes(data)


def unfit(rule: str) -> EncodeError:
    """Returns an EncodeError with the broken rule."""
    return EncodeError(rule)


def tagged(value: Any, tag: Any) -> None:
    """Raises EncodeError for an alternative whose tag differs from the one that the record needs."""
    if tag != value.tag:
        raise EncodeError(f"the alternative {value.kind} has the tag {value.tag!r}, not {tag!r}")


def unwritten(error: Exception, step: str, index: int | None) -> CodecError:
    """Returns the error to raise in the place of one that ended the writing of a field; arguments as those of `unread`."""
    if isinstance(error, EncodeError):
        found: CodecError = error
    elif isinstance(error, CodecError):
        found = EncodeError(error.rule, path=error.path)
    elif isinstance(error, RecursionError):
        found = EncodeError(f"what the value says cannot be computed: {reason(error)}")
    else:
        found = EncodeError(f"the value does not fit its type: {error}")
    place = step if index is None else f"{step}[{index}]"
    found.path = join_path(place, found.path)
    return found


# ---- values ----


def not_an_int(value: Any) -> TypeError:
    """Returns the error for a value that is no number, where an integer is needed."""
    return TypeError(f"an int is needed, not {type(value).__name__}")


def unfit_number(code: str, value: Any) -> str:
    """Returns the rule that a value breaks which the struct module's ``code`` does not take: its type, or its range."""
    bits = 8 * struct.calcsize("<" + code)
    found = type(value).__name__
    if code in "efd":
        wrong = (
            f"a float is needed, not {found}" if not hasattr(value, "__float__") else f"{value!r} is beyond {bits} bits"
        )
    elif not hasattr(value, "__index__"):
        wrong = f"an int is needed, not {found}"
    else:
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if code.islower() else (0, (1 << bits) - 1)
        wrong = f"{value} is not from {low} to {high}"
    return f"the value does not fit its type: {wrong}"


def put_uvarint(data: bytearray, value: int, bits: int) -> None:
    """Appends an unsigned LEB128 varint.

    Raises:
        EncodeError: ``value`` is a bool, is negative or needs more than ``bits`` bits.
    """
    try:
        is_unfit = value.__class__ is bool or value < 0 or value >> bits
    except TypeError:
        raise not_an_int(value) from None
    if is_unfit:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)


def put_svarint(data: bytearray, value: int, bits: int) -> None:
    """Appends a zigzag varint.

    Raises:
        EncodeError: ``value`` is a bool, or its zigzag form needs more than ``bits`` bits.
    """
    if value.__class__ is bool:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    try:
        coded = value << 1 if value >= 0 else ~(value << 1)
    except TypeError:
        raise not_an_int(value) from None
    put_uvarint(data, coded, bits)


def put_vlq(data: bytearray, value: int, bits: int) -> None:
    """Appends an unsigned number in groups of seven bits, the highest first.

    Raises:
        EncodeError: ``value`` is a bool, is negative, or needs more than ``bits`` bits.
    """
    try:
        is_unfit = value.__class__ is bool or value < 0 or value >> bits
    except TypeError:
        raise not_an_int(value) from None
    if is_unfit:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    groups = [value & 127]
    while value := value >> 7:
        groups.append(value & 127 | 128)
    data += bytes(reversed(groups))


def put_vlq9(data: bytearray, value: int, bits: int) -> None:
    """Appends the same in nine bytes at most, of which the ninth is whole."""
    try:
        is_unfit = value.__class__ is bool or value < 0 or value >> bits
    except TypeError:
        raise not_an_int(value) from None
    if is_unfit:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    if value >> 56 == 0:
        put_vlq(data, value, bits)
        return
    data += bytes((value >> shift & 127 | 128) for shift in range(57, 7, -7))
    data.append(value & 255)


def put_ivlq9(data: bytearray, value: int, bits: int) -> None:
    """Appends a signed number of ``bits`` bits in two's complement, as `put_vlq9` does."""
    try:
        is_unfit = value.__class__ is bool or not -(1 << (bits - 1)) <= value < 1 << (bits - 1)
        coded = value & ((1 << bits) - 1)
    except TypeError:
        raise not_an_int(value) from None
    if is_unfit:
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    put_vlq9(data, coded, bits)


def put_boolean(data: bytearray, value: Any) -> None:
    """Appends a byte, 0 or 1.

    Raises:
        TypeError: ``value`` is neither True nor False.
    """
    if value is not True and value is not False:
        raise TypeError(f"a bool is needed, not {type(value).__name__}")
    data.append(value)


def put_integer(data: bytearray, value: int, size: int, order: Any, signed: bool) -> None:
    """Appends an integer of ``size`` bytes, for widths that the struct module has no code for.

    Raises:
        OverflowError: the value does not fit.
        TypeError: ``value`` is no int.
    """
    try:
        data += value.to_bytes(size, order, signed=signed)
    except AttributeError:
        raise not_an_int(value) from None


def put_numbers(data: bytearray, values: Sequence[Any], order: str, code: str) -> None:
    """Appends numbers of a fixed width, in the struct module's ``order`` and ``code``.

    Raises:
        EncodeError: a number does not fit; the path is the index of the first one.
    """
    try:
        data += struct.pack(f"{order}{len(values)}{code}", *values)
    except (struct.error, OverflowError):
        for index, value in enumerate(values):
            try:
                struct.pack(order + code, value)
            except (struct.error, OverflowError):
                raise EncodeError(unfit_number(code, value), path=f"[{index}]") from None
        raise


def raw(value: Any, count: int | None = None) -> Any:
    """Returns a bytes-like value as bytes.

    Raises:
        EncodeError: it does not have exactly ``count`` bytes, where that is given.
        TypeError: ``value`` is not bytes-like.
    """
    try:
        data = value if value.__class__ is bytes else bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"bytes are needed, not {type(value).__name__}") from None
    if count is not None and len(data) != count:
        raise EncodeError(f"{count} bytes are needed, not {len(data)}")
    return data


def utf8(value: Any, count: int | None = None) -> bytes:
    """Returns a text as UTF-8.

    Raises:
        EncodeError: it does not take exactly ``count`` bytes, where that is given.
        TypeError: ``value`` is no str.
    """
    if not isinstance(value, str):
        raise TypeError(f"a str is needed, not {type(value).__name__}")
    data = value.encode()
    if count is not None and len(data) != count:
        raise EncodeError(f"{count} bytes are needed, not {len(data)}")
    return data


def ended(data: bytes, terminator: bytes) -> bytes:
    """Returns ``data`` with its terminator appended.

    Raises:
        EncodeError: the terminator occurs earlier.
    """
    found = bytes(data) + terminator
    if found.find(terminator) != len(data):
        raise EncodeError(f"the value contains its terminator {terminator!r}")
    return found


def instance(value: Any, cls: type[Any]) -> Any:
    """Returns ``value``.

    Raises:
        TypeError: ``value`` is no instance of the class.
    """
    if not isinstance(value, cls):
        raise TypeError(f"{cls.__name__} is needed, not {type(value).__name__}")
    return value


def exactly(values: Any, count: int) -> Any:
    """Returns ``values``.

    Raises:
        EncodeError: there are more or fewer than ``count``.
        TypeError: ``values`` has no length.
    """
    try:
        found = len(values)
    except TypeError:
        raise TypeError(f"a list is needed, not {type(values).__name__}") from None
    if found != count:
        raise EncodeError(f"{count} elements are needed, not {found}")
    return values


def absent(value: Any) -> None:
    """Checks the value of a field whose condition does not hold.

    Raises:
        EncodeError: the value is not None.
    """
    if value is not None:
        raise EncodeError("the field's condition does not hold, so it must be None")
