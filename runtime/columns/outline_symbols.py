"""What names mean while an outline is written: variables for what the bytes will say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .outline_code import Cell


class NoOutline(Exception):
    """The record has something that outlines do not."""


@dataclass(frozen=True)
class Number:
    """A number; ``there`` tells whether it is, None where it always is."""

    cell: Cell
    there: Cell | None = None


@dataclass(frozen=True)
class Types:
    """The list of types, which are known by their numbers."""

    count: int


@dataclass(frozen=True)
class Type:
    number: int


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
    """A list, as the element that the loop which reads it is at."""

    there: Cell
    count: Cell
    element: Symbol
    sure: bool


Symbol: TypeAlias = Number | Types | Type | Packed | Encoded | Part | Listing


def moved(symbol: Symbol, index: int) -> Symbol:
    """The same of another element of a list, whose place a scalar holds."""
    found: Symbol = _moved(symbol, index)
    return found


def _moved(symbol: Any, index: int) -> Any:
    if isinstance(symbol, Cell):
        return symbol if symbol.index is None else Cell(symbol.number, index)
    if isinstance(symbol, Part):
        return Part(_moved(symbol.there, index), {name: _moved(field, index) for name, field in symbol.fields.items()})
    if isinstance(symbol, Number | Packed | Encoded):
        return type(symbol)(*(_moved(getattr(symbol, name), index) for name in symbol.__dataclass_fields__))
    return symbol
