"""Whole files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..diagnostics import Location
from .extensions import CodecDef, EncodingDef, FnDef, VariantDef
from .records import RecordDef, TableDef
from .thrift import ConstDef, EnumDef, SenumDef, ServiceDef, StructDef, TypedefDef

Definition: TypeAlias = (
    ConstDef
    | TypedefDef
    | EnumDef
    | SenumDef
    | StructDef
    | ServiceDef
    | RecordDef
    | VariantDef
    | EncodingDef
    | CodecDef
    | FnDef
    | TableDef
)


@dataclass(frozen=True, slots=True)
class Include:
    path: str
    location: Location


@dataclass(frozen=True, slots=True)
class Namespace:
    """``scope`` is a language (`py`) or `*`."""

    scope: str
    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class File:
    """One IDL file; ``file`` is the name that its locations carry.

    ``broken`` has the names of definitions that are not among ``definitions`` because of syntax errors in them.
    """

    file: str
    includes: tuple[Include, ...] = ()
    namespaces: tuple[Namespace, ...] = ()
    definitions: tuple[Definition, ...] = ()
    doc: str = ""
    broken: frozenset[str] = frozenset()
