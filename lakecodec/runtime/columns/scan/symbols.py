"""What names mean while an outline is written: variables for what the bytes will say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .code import Cell


class NoOutline(Exception):
    """The record has something that outlines do not."""


@dataclass(frozen=True)
class Number:
    """A number; ``there`` tells whether it is, None where it always is."""

    cell: Cell
    there: Cell | None = None


@dataclass(frozen=True)
class Raw:
    """A few bytes as one number, the first the highest; they compare with as many bytes alone."""

    number: Number
    length: int


@dataclass(frozen=True)
class Given:
    """A parameter, or what attributes of it lead to: a number, a list, or an object that has such."""

    path: tuple[str, ...]


@dataclass(frozen=True)
class GivenItem:
    """An element of a list that is given, at the place that a scalar holds, or what attributes of it lead to."""

    path: tuple[str, ...]
    place: int
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Packed:
    """Packed numbers: whether they are there, and where; ``sure`` where they are whenever what holds them is."""

    there: Cell
    start: Cell
    count: Cell
    width: Cell
    sure: bool


@dataclass(frozen=True)
class Encoded:
    """The same of encoded values."""

    there: Cell
    start: Cell
    end: Cell
    count: Cell
    sure: bool


@dataclass(frozen=True)
class Part:
    """A record, or an alternative of a variant together with all others."""

    there: Cell
    fields: Mapping[str, Symbol]


@dataclass(frozen=True)
class Listing:
    """A list, as the element that the loop which reads it is at.

    ``base`` is the index of its first element among those of all lists that the same loop reads, None where it is alone.
    """

    there: Cell
    base: Cell | None
    count: Cell
    element: Symbol
    sure: bool


@dataclass(frozen=True)
class Each:
    """Numbers, one of each element of a list."""

    listing: Listing
    number: Number


Symbol: TypeAlias = Number | Raw | Given | GivenItem | Packed | Encoded | Part | Listing | Each


def moved(symbol: Symbol, index: int) -> Symbol:
    """The same of another element of a list, whose index a scalar holds."""
    found: Symbol = _moved(symbol, index)
    return found


def _moved(symbol: Any, index: int) -> Any:
    if isinstance(symbol, Cell):
        return symbol if symbol.index is None else Cell(symbol.number, index)
    if isinstance(symbol, Part):
        return Part(_moved(symbol.there, index), {name: _moved(field, index) for name, field in symbol.fields.items()})
    if isinstance(symbol, Number | Packed | Encoded):
        return type(symbol)(*(_moved(getattr(symbol, name), index) for name in symbol.__dataclass_fields__))
    if isinstance(symbol, Listing):
        there, base, count = (_moved(cell, index) for cell in (symbol.there, symbol.base, symbol.count))
        return Listing(there, base, count, symbol.element, symbol.sure)
    return symbol
