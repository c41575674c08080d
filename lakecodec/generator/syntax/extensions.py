"""Variants, encodings, codecs and functions."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Location
from .expressions import Expr
from .records import ComputedDef, ParamDef, RecordField, WireType
from .types import TypeExpr


@dataclass(frozen=True, slots=True)
class Extern:
    """`extern "module:Name"`: written by hand in the runtime."""

    target: str
    location: Location


@dataclass(frozen=True, slots=True)
class ArrowMap:
    """`arrow <type> when <condition> write a = 1, b = 2` of a variant's case."""

    type: Expr
    condition: Expr | None
    assignments: tuple[tuple[str, Expr], ...]
    location: Location


@dataclass(frozen=True, slots=True)
class VariantCase:
    """``tags`` is empty for `else`; ``fields`` is None where the case has no body."""

    name: str
    tags: tuple[Expr, ...]
    fields: tuple[RecordField, ...] | None
    arrow: tuple[ArrowMap, ...]
    location: Location
    doc: str = ""
    computed: tuple[ComputedDef, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantDef:
    name: str
    location: Location
    params: tuple[ParamDef, ...]
    tag: Expr
    attributes: dict[str, list[Expr]]
    cases: tuple[VariantCase, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One logical type of a shape: `decimal128(precision, scale)`."""

    name: str
    variables: tuple[str, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Shape:
    """`case <patterns> if <condition> { fields } null { fields }` of an encoding."""

    patterns: tuple[Pattern, ...]
    condition: Expr | None
    fields: tuple[RecordField, ...]
    null_fields: tuple[RecordField, ...] | None
    location: Location
    doc: str = ""


@dataclass(frozen=True, slots=True)
class EncodingDef:
    """``over`` names the variant whose cases are encoded, or `arrow` for the logical types of Arrow."""

    name: str
    location: Location
    params: tuple[ParamDef, ...]
    over: str
    attributes: dict[str, list[Expr]]
    shapes: tuple[Shape, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """`with bytes prev = b""`: what a codec carries from one value to the next."""

    name: str
    type: WireType
    initial: Expr
    location: Location


@dataclass(frozen=True, slots=True)
class CodecDef:
    """Either ``fields`` and a ``value`` computed from them, or only ``value``, or an extern implementation."""

    name: str
    location: Location
    params: tuple[ParamDef, ...]
    result: WireType
    attributes: dict[str, list[Expr]]
    state: State | None
    fields: tuple[RecordField, ...] | None
    value: Expr | Extern
    doc: str = ""


@dataclass(frozen=True, slots=True)
class FnDef:
    name: str
    location: Location
    params: tuple[ParamDef, ...]
    result: TypeExpr
    value: Expr | Extern
    doc: str = ""
