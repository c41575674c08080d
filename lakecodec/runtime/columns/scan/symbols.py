"""Symbols of an offset scan: variables for values that are known only when bytes are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .code import Register


class NotScannable(Exception):
    """The error for a record that offset scans do not support."""


@dataclass(frozen=True)
class Number:
    """A number.

    ``presence`` tells whether it is present, None for always; ``is_truth`` marks a boolean stored as 0 or 1.
    """

    cell: Register
    presence: Register | None = None
    is_truth: bool = False


@dataclass(frozen=True)
class Float:
    """The bits of a float of the wire type ``type``; expressions cannot use it."""

    cell: Register
    type: str
    presence: Register | None = None


@dataclass(frozen=True)
class Raw:
    """A few bytes as one big-endian number; they compare only with equally many bytes."""

    number: Number
    length: int


@dataclass(frozen=True)
class Given:
    """A parameter, or what its attributes lead to: a number, a list, or an object that contains these."""

    path: tuple[str, ...]


@dataclass(frozen=True)
class GivenItem:
    """An element of a parameter that is a list, at the index in a scalar, or what its attributes lead to."""

    path: tuple[str, ...]
    place: int
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Packed:
    """Packed numbers: their presence and place; ``always_present`` if they are present whenever their container is."""

    presence: Register
    start: Register
    count: Register
    width: Register
    always_present: bool


@dataclass(frozen=True)
class Encoded:
    """Encoded values: their presence and place."""

    presence: Register
    start: Register
    end: Register
    count: Register
    always_present: bool


@dataclass(frozen=True)
class Bytes:
    """Bytes, or text in UTF-8: their presence and place."""

    presence: Register
    start: Register
    count: Register
    is_text: bool
    always_present: bool


@dataclass(frozen=True)
class Part:
    """A record, or an alternative of a variant together with all others."""

    presence: Register
    fields: Mapping[str, Symbol]


@dataclass(frozen=True)
class Listing:
    """A list, represented by the current element of the loop that reads it.

    ``base`` is the index of its first element among those of all lists that the same loop reads; None for a single
    list.
    """

    presence: Register
    base: Register | None
    count: Register
    element: Symbol
    always_present: bool


@dataclass(frozen=True)
class Each:
    """Numbers, one per element of a list."""

    listing: Listing
    number: Number


Symbol: TypeAlias = Number | Float | Raw | Bytes | Given | GivenItem | Packed | Encoded | Part | Listing | Each


def moved(symbol: Symbol, index: int) -> Symbol:
    """Returns the same symbol of another list element, whose index is in a scalar."""
    found: Symbol = _moved(symbol, index)
    return found


def _moved(symbol: Any, index: int) -> Any:
    if isinstance(symbol, Register):
        return symbol if symbol.index is None else Register(symbol.number, index)
    if isinstance(symbol, Part):
        return Part(
            _moved(symbol.presence, index), {name: _moved(field, index) for name, field in symbol.fields.items()}
        )
    if isinstance(symbol, Number | Float | Bytes | Packed | Encoded):
        return type(symbol)(*(_moved(getattr(symbol, name), index) for name in symbol.__dataclass_fields__))
    if isinstance(symbol, Listing):
        presence, base, count = (_moved(cell, index) for cell in (symbol.presence, symbol.base, symbol.count))
        return Listing(presence, base, count, symbol.element, symbol.always_present)
    return symbol
