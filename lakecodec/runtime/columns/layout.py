"""Layouts of encoded values for the kernels: kind, width and bounds, lowered from the declaration of an encoding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ..declaration import Encoding, Field, Symbol, Use
from ..externs import external
from ..memo import kept_with
from .integers import Shortest

#: Bytes of the numbers that have kernels.
_NUMBERS = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}
_PAIR_WIDTH = 12
#: A length prefix is an unsigned varint of 32 bits.
MAX_LENGTH = 2**32 - 1
#: Integers are read into 128 bits.
MAX_INTEGER = 16


class Kind(IntEnum):
    """The kind of a value: its form in bytes."""

    NUMBER = 0  # `width` bytes
    BOOLEAN = 1  # a byte, 0 or 1
    PAIR = 2  # an i64 and an i32: a quotient, rounded down, and the remainder
    BYTES = 3  # a varint length, then bytes
    TEXT = 4  # the same, of UTF-8
    INTEGER = 5  # a varint length, then a big-endian two's complement number


@dataclass(frozen=True, slots=True)
class ValueLayout:
    """The layout of values of one type: their kind, width and bounds.

    Attributes:
        kind: see ``Kind``.
        width: bytes of a value, 0 where each has a length of its own.
        big: numbers are big-endian.
        unit: what the quotient of a PAIR counts.
        least, most: bounds of the length of a prefixed value, without its prefix.
        rule: in words, what a remainder or a length breaks that is out of its bounds.
        number: of a NUMBER, whether it is a signed ("i") or unsigned ("u") integer or a float ("f"); empty
            for any of them.
    """

    kind: Kind
    width: int
    big: bool = False
    unit: int = 0
    least: int = 0
    most: int = MAX_LENGTH
    rule: str = ""
    number: str = ""


def layout_of(encoding: Encoding | Callable[[], Encoding], type: Any) -> ValueLayout:
    """Returns the layout of an encoding's values of one type.

    Args:
        encoding: a generated encoding without parameters, or what it returns.
        type: an instance of a generated variant; its kind and fields choose the case.

    Raises:
        TypeError: no case fits the type, or no kernel its shape.
    """
    if isinstance(encoding, Encoding):
        return _lowered(encoding, type.kind, _arguments(type, _bound(encoding, type.kind)))
    kind = type.kind
    bound = _cached_bound(encoding, kind)
    return _cached(encoding, kind, _arguments(type, bound) if bound else ())


def bound_attributes(encoding: Callable[[], Encoding], type: Any) -> tuple[str, ...]:
    """Returns the attributes of a type that, with its kind, choose its layout."""
    names: tuple[str, ...] = type.__slots__[: _cached_bound(encoding, type.kind)]
    return names


def _arguments(type: Any, count: int) -> tuple[Any, ...]:
    return tuple([getattr(type, name) for name in type.__slots__[:count]])


def _bound(encoding: Encoding, name: str) -> int:
    """Returns the number of a type's arguments that the choice of its shape can depend on."""
    counts = (count for case in encoding.cases for pattern, count in case.patterns if pattern in (name, "any"))
    return max(counts, default=0)


@kept_with
def _cached_bound(encoding: Callable[[], Encoding], name: str) -> int:
    return _bound(encoding(), name)


@kept_with
def _cached(encoding: Callable[[], Encoding], name: str, arguments: tuple[Any, ...]) -> ValueLayout:
    return _lowered(encoding(), name, arguments)


def _lowered(encoding: Encoding, name: str, arguments: tuple[Any, ...]) -> ValueLayout:
    case = encoding.case(name, *arguments)
    if case is None:
        raise TypeError(f"{encoding.name} has no case for {name}")
    bound = dict(case.patterns)
    fields = case.fields(*arguments[: bound.get(name, bound.get("any", 0))])
    layout = _lower(fields, "big" in encoding.attributes)
    if layout is None:
        shape = "; ".join(f"{field.type} {field.name}" for field in fields)
        raise TypeError(f"{encoding.name}: no kernel reads {{ {shape}; }} of {name} as a column")
    return layout


def _lower(fields: Sequence[Field], big: bool) -> ValueLayout | None:
    match fields:
        case [value] if value.count is None and not value.repeated and not value.is_derived and not value.conditions:
            return _lower_single(value, big)
        case [size, value] if _is_prefix(size, value) and not value.conditions and not value.is_derived:
            return _lower_prefixed(size, value)
    return None


def _lower_single(value: Field, big: bool) -> ValueLayout | None:
    match value.via:
        case [] if value.type == "bool8":
            return ValueLayout(Kind.BOOLEAN, 1)
        case [] if value.type in _NUMBERS:
            return ValueLayout(Kind.NUMBER, _NUMBERS[value.type], big, number=value.type[0])
        case [use] if value.type == use.codec.result == "i64" and use.codec.fields and use.codec.value:
            return _lower_pair(use.codec.fields(*use.arguments), use.codec.value(*use.arguments), big)
    return None


def _lower_pair(fields: Sequence[Field], value: Callable[..., Any], big: bool) -> ValueLayout | None:
    """Returns a number as quotient and remainder, where that is what a codec's fields are computed to be."""
    match fields:
        case [quotient, remainder] if (quotient.type, remainder.type) == ("i64", "i32"):
            if quotient.conditions or quotient.via or remainder.via or len(remainder.conditions) != 1:
                return None
            unit = value(1, 0)
            ((holds, rule),) = remainder.conditions
            if not _divides(quotient.derived, remainder.derived, value, unit):
                return None
            if [holds(part) for part in (-1, 0, unit - 1, unit)] != [False, True, True, False]:
                return None
            return ValueLayout(Kind.PAIR, _PAIR_WIDTH, big, unit, rule=rule)
    return None


def _divides(quotient: Any, remainder: Any, value: Callable[..., Any], unit: Any) -> bool:
    """Returns whether two functions are floor division by a unit and its inverse, tested on numbers of all sizes and signs."""
    if not callable(quotient) or not callable(remainder) or not isinstance(unit, int) or not 0 < unit < 2**31:
        return False
    numbers = [
        sign * (unit * 3**power + extra) for power in range(12) for extra in (0, 1, unit - 1) for sign in (1, -1)
    ]
    try:
        parts = [(quotient(number), remainder(number)) for number in numbers]
        return parts == [divmod(number, unit) for number in numbers] and [value(*part) for part in parts] == numbers
    except ArithmeticError:
        return False


def _is_prefix(size: Field, value: Field) -> bool:
    """Returns whether the first of two fields is the number of bytes of the second."""
    if size.type != "uvarint32" or size.via or not callable(size.derived) or value.count != Symbol(size.name):
        return False
    return [size.derived(bytes(count)) for count in range(3)] == [0, 1, 2]


def _lower_prefixed(size: Field, value: Field) -> ValueLayout | None:
    if value.type == "bytes" and len(value.via) == 1 and _kernel(value.via[0]) is Shortest:
        allowed = [n for n in range(MAX_INTEGER + 2) if all(holds(n) for holds, _ in size.conditions)]
        if allowed != list(range(1, MAX_INTEGER + 1)):
            return None
        rule = size.conditions[0][1]
        return ValueLayout(Kind.INTEGER, 0, True, least=1, most=MAX_INTEGER, rule=rule)
    if value.via or size.conditions:
        return None
    if value.type in ("bytes", "utf8"):
        return ValueLayout(Kind.TEXT if value.type == "utf8" else Kind.BYTES, 0)
    return None


def _kernel(use: Use) -> Any:
    """Returns the class of an external codec of bytes, None for other codecs."""
    return external(use.codec.target) if use.codec.target and use.codec.result == "bytes" else None
