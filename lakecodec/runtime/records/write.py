"""Writing of records: the writer that generated methods append to, its primitives, and the errors they raise."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable, Mapping, Sequence
from operator import index as as_integer
from typing import TYPE_CHECKING, Any

from ..errors import CodecError, EncodeError, join_path
from .assemble import assembled
from .read import MAX_DEPTH, UNREADABLE, reason

if TYPE_CHECKING:
    from ..declaration import Use

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
    else:
        found = EncodeError(f"what the values say cannot be computed: {reason(error)}")
    place = step if index is None else f"{step}[{index}]"
    found.path = join_path(place, found.path)
    return found


# ---- values ----


def mistyped(needed: str, value: Any) -> EncodeError:
    """Returns the error for a value of another type than is needed: `an int is`, `bytes are`."""
    return EncodeError(f"the value does not fit its type: {needed} needed, not {type(value).__name__}")


def _within(value: Any, bits: int, low: int = 0) -> int:
    """Returns a value as an int.

    Raises:
        EncodeError: ``value`` is no int, is a bool, or is not one of the 2 ** ``bits`` numbers from ``low`` on.
    """
    try:
        number = as_integer(value)
    except TypeError:
        raise mistyped("an int is", value) from None
    if value.__class__ is bool or not low <= number < low + (1 << bits):
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    return number


def unfit_number(code: str, value: Any) -> str:
    """Returns the rule that a value breaks which the struct module's ``code`` does not take: its type, or its range."""
    bits = 8 * struct.calcsize("<" + code)
    found = type(value).__name__
    if code in "efd":
        wrong = (
            f"a float is needed, not {found}" if not hasattr(value, "__float__") else f"{value!r} is beyond {bits} bits"
        )
    else:
        return unfit_integer(value, bits, code.islower())
    return f"the value does not fit its type: {wrong}"


def unfit_integer(value: Any, bits: int, signed: bool) -> str:
    """Returns the rule that a value breaks which is no integer of so many bits: its type, or its range."""
    if not hasattr(value, "__index__"):
        return mistyped("an int is", value).rule
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return f"the value does not fit its type: {value} is not from {low} to {high}"


def put_uvarint(data: bytearray, value: Any, bits: int) -> None:
    """Appends an unsigned LEB128 varint.

    Raises:
        EncodeError: ``value`` is no int, is a bool, is negative or needs more than ``bits`` bits.
    """
    number = _within(value, bits)
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)


def put_svarint(data: bytearray, value: Any, bits: int) -> None:
    """Appends a zigzag varint of at most ``bits`` bits; errors as in `put_uvarint`."""
    number = _within(value, bits, -1 << (bits - 1))
    put_uvarint(data, number << 1 if number >= 0 else ~(number << 1), bits)


def put_vlq(data: bytearray, value: Any, bits: int) -> None:
    """Appends an unsigned number in groups of seven bits, the highest first; errors as in `put_uvarint`."""
    number = _within(value, bits)
    groups = [number & 127]
    while number := number >> 7:
        groups.append(number & 127 | 128)
    data += bytes(reversed(groups))


def put_vlq9(data: bytearray, value: Any, bits: int) -> None:
    """Appends the same in nine bytes at most, of which the ninth is whole."""
    number = _within(value, bits)
    if number >> 56 == 0:
        put_vlq(data, number, bits)
        return
    data += bytes((number >> shift & 127 | 128) for shift in range(57, 7, -7))
    data.append(number & 255)


def put_ivlq9(data: bytearray, value: Any, bits: int) -> None:
    """Appends a signed number of ``bits`` bits in two's complement, as `put_vlq9` does."""
    put_vlq9(data, _within(value, bits, -1 << (bits - 1)) & ((1 << bits) - 1), bits)


def put_boolean(data: bytearray, value: Any) -> None:
    """Appends a byte, 0 or 1.

    Raises:
        EncodeError: ``value`` is neither True nor False.
    """
    if value is not True and value is not False:
        raise mistyped("a bool is", value)
    data.append(value)


def put_number(data: bytearray, value: Any, code: str) -> None:
    """Appends a number of the struct module's format ``code``.

    Raises:
        EncodeError: the number does not fit.
    """
    try:
        data += struct.pack(code, value)
    except (struct.error, OverflowError, TypeError):
        raise EncodeError(unfit_number(code[-1], value)) from None


def put_integer(data: bytearray, value: Any, size: int, order: Any, signed: bool) -> None:
    """Appends an integer of ``size`` bytes, for widths that the struct module has no code for.

    Raises:
        EncodeError: the number does not fit.
    """
    try:
        data += as_integer(value).to_bytes(size, order, signed=signed)
    except (OverflowError, TypeError):
        raise EncodeError(unfit_integer(value, 8 * size, signed)) from None


def put_numbers(data: bytearray, values: Sequence[Any], order: str, code: str) -> None:
    """Appends numbers of a fixed width, in the struct module's ``order`` and ``code``.

    Raises:
        EncodeError: it is no list, or a number does not fit; the path is the index of the first one.
    """
    try:
        data += struct.pack(f"{order}{len(values)}{code}", *values)
    except (struct.error, OverflowError, TypeError):
        for index, value in enumerate(exactly(values)):
            try:
                struct.pack(order + code, value)
            except (struct.error, OverflowError, TypeError):
                raise EncodeError(unfit_number(code, value), path=f"[{index}]") from None
        raise


def raw(value: Any, count: int | None = None) -> Any:
    """Returns a bytes-like value as bytes.

    Raises:
        EncodeError: it is not bytes-like, or does not have exactly ``count`` bytes, where that is given.
    """
    data = value if value.__class__ is bytes else _copied(value)
    if count is not None and len(data) != count:
        raise EncodeError(f"{count} bytes are needed, not {len(data)}")
    return data


def _copied(value: Any) -> bytes:
    """Returns a copy of a bytes-like value; one whose elements are wider than a byte is refused."""
    try:
        view = memoryview(value)
    except TypeError:
        raise mistyped("bytes are", value) from None
    if view.itemsize != 1:
        raise mistyped("bytes are", value)
    return bytes(view)


def utf8(value: Any, count: int | None = None) -> bytes:
    """Returns a text as UTF-8.

    Raises:
        EncodeError: it is no str, has a surrogate, or does not take exactly ``count`` bytes, where that is given.
    """
    if not isinstance(value, str):
        raise mistyped("a str is", value)
    try:
        data = value.encode()
    except UnicodeEncodeError as error:
        rule = f"the value does not fit its type: UTF-8 has no bytes for {value[error.start]!r} at {error.start}"
        raise EncodeError(rule) from None
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
        EncodeError: ``value`` is no instance of the class.
    """
    if not isinstance(value, cls):
        raise mistyped(f"{cls.__name__} is", value)
    return value


def exactly(values: Any, count: int | None = None) -> Any:
    """Returns ``values``.

    Raises:
        EncodeError: it is no list, or there are more or fewer than ``count``, where that is given.
    """
    try:
        found = len(values)
    except TypeError:
        raise mistyped("a list is", values) from None
    if count is not None and found != count:
        raise EncodeError(f"{count} elements are needed, not {found}")
    return values


def absent(value: Any) -> None:
    """Checks the value of a field whose condition does not hold.

    Raises:
        EncodeError: the value is not None.
    """
    if value is not None:
        raise EncodeError("the field's condition does not hold, so it must be None")
