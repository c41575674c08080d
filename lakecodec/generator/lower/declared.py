"""The parts that encodings, codecs and functions are lowered to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...runtime.value_layout import ValueLayout
from ..model import Extension
from .nodes import Node


@dataclass(frozen=True, slots=True)
class Lambda:
    """An expression over names that are bound when it is evaluated; a plain value without any."""

    names: tuple[str, ...]
    value: Node


@dataclass(frozen=True, slots=True)
class DeclaredField:
    """A field of a shape, or of a codec that is known as data.

    Attributes:
        reference: the encoding or codec that its type names, and the arguments.
        until: ends a list, over an element; ``count`` is the number of elements, or of bytes; ``repeated``: it is a list.
        conditions: what must hold, and what an error says.
    """

    name: str
    type: str
    reference: tuple[Extension, tuple[Node, ...]] | None
    until: Lambda | None
    count: Node | None
    repeated: bool
    derived: Lambda | None
    via: tuple[Node, ...]
    conditions: tuple[tuple[Lambda, str], ...]


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
    fields: tuple[DeclaredField, ...]
    null_fields: tuple[DeclaredField, ...] | None
    condition: Node | None
    values: ValueLayout | None


@dataclass(frozen=True, slots=True)
class DeclarationLayout:
    """A declaration: one of ``target``, ``cases``, ``fields`` or ``value`` says what it is.

    Attributes:
        parameters: (name, default).
        result: the type in the IDL of what a codec decodes to.
        target: of an extern.
        cases: of an encoding, over values of the type ``over`` with ``attributes``.
        fields: of a codec; ``made`` is the value that they stand for.
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
    fields: tuple[DeclaredField, ...] = ()
    made: Lambda | None = None
    value: Node | None = None
