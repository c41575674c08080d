"""The layouts of encodings, codecs and functions."""

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
        variables: the names used by the other expressions.
        values: the layout of an alternative's values for kernels; None for shapes that no kernel reads.
    """

    patterns: tuple[tuple[str, int], ...]
    variables: tuple[str, ...]
    fields: tuple[FieldLayout, ...]
    null_fields: tuple[FieldLayout, ...] | None
    condition: Node | None
    values: ValueLayout | None


@dataclass(frozen=True, slots=True)
class DeclarationLayout:
    """A declaration; exactly one of ``target``, ``cases`` and ``value`` is set. Codecs with fields are bodies.

    Attributes:
        parameters: (name, default).
        result: the IDL type of a codec's decoded value.
        target: ``module:name`` of an extern.
        cases: the shapes of an encoding, for values of the type ``over`` with ``attributes``.
        value: the expression of a function, or of a codec that names others.
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
