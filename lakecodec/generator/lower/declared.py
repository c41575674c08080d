"""The parts that encodings, codecs and functions are lowered to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...runtime.value_layout import ValueLayout
from ..model import Extension
from .field_layout import FieldLayout
from .nodes import Node


@dataclass(frozen=True, slots=True)
class CaseLayout:
    """A shape of an encoding.

    Attributes:
        patterns: (name, number of variables).
        variables: the names over which the rest is evaluated.
        values: what the kernels know of values of an alternative; None for shapes that no kernel reads.
    """

    patterns: tuple[tuple[str, int], ...]
    variables: tuple[str, ...]
    fields: tuple[FieldLayout, ...]
    null_fields: tuple[FieldLayout, ...] | None
    condition: Node | None
    values: ValueLayout | None


@dataclass(frozen=True, slots=True)
class DeclarationLayout:
    """A declaration: one of ``target``, ``cases`` or ``value`` says what it is. Codecs with fields are bodies.

    Attributes:
        parameters: (name, default).
        result: the type in the IDL of what a codec decodes to.
        target: of an extern.
        cases: of an encoding, over values of the type ``over`` with ``attributes``.
        value: what a function, or a codec that names others, computes.
    """

    kind: Literal["encoding", "codec", "function"]
    extension: Extension
    parameters: tuple[tuple[str, Node | None], ...]
    result: str = ""
    target: str = ""
    over: str = ""
    attributes: tuple[str, ...] = ()
    cases: tuple[CaseLayout, ...] = ()
    value: Node | None = None
