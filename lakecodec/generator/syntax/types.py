"""Types and constant values, as Thrift writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..diagnostics import Location
from .expressions import Literal_


@dataclass(frozen=True, slots=True)
class NamedType:
    """A base type, or the name of a definition (`Name`, `prefix.Name`)."""

    name: str
    location: Location
    annotations: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ListType:
    value: TypeExpr
    location: Location
    annotations: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetType:
    value: TypeExpr
    location: Location
    annotations: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MapType:
    key: TypeExpr
    value: TypeExpr
    location: Location
    annotations: dict[str, str] = field(default_factory=dict)


TypeExpr: TypeAlias = NamedType | ListType | SetType | MapType


@dataclass(frozen=True, slots=True)
class ConstReference:
    """`true`, a constant, an enum member (`Enum.MEMBER`, `prefix.Enum.MEMBER`)."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class ConstRange:
    """`0x00 .. 0x1F`, both ends included."""

    low: int
    high: int
    location: Location


@dataclass(frozen=True, slots=True)
class ConstList:
    items: tuple[ConstValue | ConstRange, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class ConstMap:
    entries: tuple[tuple[ConstValue, ConstValue], ...]
    location: Location


ConstValue: TypeAlias = Literal_ | ConstReference | ConstList | ConstMap


def type_text(type_: TypeExpr) -> str:
    """Returns the type as the IDL writes it, without annotations."""
    match type_:
        case NamedType():
            return type_.name
        case ListType():
            return f"list<{type_text(type_.value)}>"
        case SetType():
            return f"set<{type_text(type_.value)}>"
        case MapType():
            return f"map<{type_text(type_.key)}, {type_text(type_.value)}>"
