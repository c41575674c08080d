"""Constants of generated modules."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Const, Module, SetOf
from . import types
from .names import type_name
from .text import comment, wrapped


@dataclass(frozen=True, slots=True)
class ConstPlan:
    name: str
    hint: str
    value: str
    comment: list[str]


def plan_const(const: Const, module: Module) -> ConstPlan:
    value, hint = types.literal(const.value, const.type, module), types.hint(const.type, module)
    if isinstance(const.type, SetOf) and hint.startswith("set["):
        value, hint = f"frozenset({'' if value == 'set()' else value})", f"frozen{hint}"
    return ConstPlan(type_name(const.name), hint, wrapped(value), comment(const.doc))
