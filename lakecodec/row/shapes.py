"""The shapes that a value can have in a row, as plain tables: what ``layout.py`` makes of the declared encoding.

One dataclass a shape. A transform list is read left to right from the value to its bytes, and every multi-byte number is
big-endian unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..generated.row import Nesting

Transform: TypeAlias = Literal["canonical", "nan_outside", "ieee_order", "flip_sign", "invert"]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A present byte and a payload of fixed width; a null is the null byte and zeros.

    Attributes:
        present: None where there is no such byte; then ``add`` keeps the payload apart from the null byte.
        parts: widths of the numbers that the value is made of; empty for a single number of the type's width.
        add: added to the value.
    """

    present: int | None
    transforms: tuple[Transform, ...]
    parts: tuple[int, ...] = ()
    add: int = 0


@dataclass(frozen=True, slots=True)
class PackedDecimal:
    """A decimal in as many bytes as its precision needs, the first bit apart from the null byte's."""


@dataclass(frozen=True, slots=True)
class Constant:
    """The same bytes for every value."""

    value: bytes
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Blocks:
    """An empty byte, or a filled byte and blocks with trailers; the last width repeats."""

    widths: tuple[int, ...]
    empty: int = 1
    filled: int = 2
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Terminated:
    """Every byte plus ``add``, then ``end``."""

    add: int
    end: int
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Counted:
    """A length byte, or ``long`` and a little-endian u32, then the bytes as they are."""

    long: int
    null: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A present byte and every child; a null has null children."""

    present: int
    nesting: Nesting


@dataclass(frozen=True, slots=True)
class Array:
    """A present byte and a fixed number of elements; a null is the null byte, with null elements where said."""

    present: int
    nesting: Nesting
    null_elements: bool


@dataclass(frozen=True, slots=True)
class WrappedList:
    """Every element a row in ``blocks``, then the empty byte of ``blocks``."""

    blocks: Blocks
    nesting: Nesting


@dataclass(frozen=True, slots=True)
class PackedList:
    """Element rows, their lengths and their number (u32 each) as one value in ``blocks``; no elements: no bytes."""

    blocks: Blocks
    nesting: Nesting


@dataclass(frozen=True, slots=True)
class Sequence:
    """``more`` and the element, for every element, then ``end``."""

    more: int
    end: int
    nesting: Nesting
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Union:
    """A byte with the type id, then the child's value. Nulls are the child's."""

    nesting: Nesting
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Values:
    """A dictionary as the values that its keys stand for."""


@dataclass(frozen=True, slots=True)
class Interned:
    """``present``, an order-preserving key that the converter gave to the value, ``end``."""

    present: int
    end: int
    transforms: tuple[Transform, ...] = ("invert",)


@dataclass(frozen=True, slots=True)
class Runs:
    """A run-end encoded value: the row of the value in ``blocks``; a null is the row of a null."""

    blocks: Blocks
    nesting: Nesting


Shape: TypeAlias = (
    Fixed
    | PackedDecimal
    | Constant
    | Blocks
    | Terminated
    | Counted
    | Struct
    | Array
    | WrappedList
    | PackedList
    | Sequence
    | Union
    | Values
    | Interned
    | Runs
)
