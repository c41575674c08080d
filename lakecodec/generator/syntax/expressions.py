"""Expressions of records, tables and the other extensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..diagnostics import Location


@dataclass(frozen=True, slots=True)
class Literal_:
    """An int, float, str or bytes constant."""

    value: int | float | str | bytes
    location: Location


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name (never dotted: `a.b` is Member(Name("a"), "b"))."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class Member:
    base: Expr
    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class Index:
    base: Expr
    index: Expr
    location: Location


@dataclass(frozen=True, slots=True)
class Slice:
    base: Expr
    low: Expr | None
    high: Expr | None
    location: Location


@dataclass(frozen=True, slots=True)
class Call:
    function: Expr
    arguments: tuple[Expr, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Unary:
    operator: Literal["-", "not"]
    operand: Expr
    location: Location


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic (`+ - * / % & | ^ << >>`; `/` is floor division) or `and` / `or`; left-associative pairs."""

    operator: str
    left: Expr
    right: Expr
    location: Location


@dataclass(frozen=True, slots=True)
class Compare:
    """A chain `a <= b < c`, with one operator between two operands."""

    operators: tuple[str, ...]
    operands: tuple[Expr, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class IsCase:
    value: Expr
    case: str
    location: Location


@dataclass(frozen=True, slots=True)
class Ternary:
    condition: Expr
    then: Expr
    otherwise: Expr
    location: Location


@dataclass(frozen=True, slots=True)
class Each:
    """`(x in list where condition : value)`: the list of the values, or with an ``accumulator`` its last value."""

    variable: str
    base: Expr
    condition: Expr | None
    value: Expr | None
    accumulator: str | None
    initial: Expr | None
    location: Location


Expr: TypeAlias = Literal_ | Name | Member | Index | Slice | Call | Unary | Binary | Compare | IsCase | Ternary | Each
