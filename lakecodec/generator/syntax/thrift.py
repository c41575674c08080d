"""Thrift's own definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..diagnostics import Location
from .types import ConstValue, TypeExpr


@dataclass(frozen=True, slots=True)
class ConstDef:
    name: str
    location: Location
    type: TypeExpr
    value: ConstValue
    doc: str = ""


@dataclass(frozen=True, slots=True)
class TypedefDef:
    name: str
    location: Location
    type: TypeExpr
    annotations: dict[str, str]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class EnumMemberDef:
    """``number`` is None if it follows from the previous member; the location is that of the name."""

    name: str
    location: Location
    number: int | None
    number_location: Location
    annotations: dict[str, str]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class EnumDef:
    name: str
    location: Location
    members: tuple[EnumMemberDef, ...]
    annotations: dict[str, str]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class SenumDef:
    """An enumeration of strings, long deprecated in Thrift; on the wire a string."""

    name: str
    location: Location
    members: tuple[str, ...]
    annotations: dict[str, str]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class FieldDef:
    """``id`` is None if the IDL has none; ``location`` is that of the name, ``id_location`` that of the number."""

    name: str
    location: Location
    id: int | None
    id_location: Location
    requiredness: Literal["required", "optional", "default"]
    type: TypeExpr
    default: ConstValue | None
    annotations: dict[str, str]
    by_reference: bool = False
    doc: str = ""


@dataclass(frozen=True, slots=True)
class StructDef:
    kind: Literal["struct", "union", "exception", "message", "oneof"]
    name: str
    location: Location
    fields: tuple[FieldDef, ...]
    annotations: dict[str, str]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class FunctionDef:
    """``result`` is None for `void`."""

    name: str
    location: Location
    oneway: bool
    result: TypeExpr | None
    arguments: tuple[FieldDef, ...]
    throws: tuple[FieldDef, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class ServiceDef:
    name: str
    location: Location
    extends: str | None
    functions: tuple[FunctionDef, ...]
    annotations: dict[str, str]
    doc: str = ""
