"""Layouts of the `arrow` clauses of alternatives: Arrow types with holes, and values made of what fills them."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Extension, Module
from .nodes import Node


@dataclass(frozen=True, slots=True)
class ArrowHole:
    """A place of an Arrow type that a field of the alternative fills; a nested type is that of a ``variant``."""

    number: int
    variant: Extension | None


@dataclass(frozen=True, slots=True)
class ArrowShape:
    """An Arrow type with holes: its name in lower case, and its arguments."""

    name: str
    arguments: tuple[ArrowShape | ArrowHole | Node, ...]


@dataclass(frozen=True, slots=True)
class Construction:
    """A new value of a class, by its attributes; the variable ``bound`` has what stands in the holes."""

    module: Module
    cls: str
    arguments: tuple[tuple[str, Node | Construction], ...]


@dataclass(frozen=True, slots=True)
class ArrowLayout:
    """An `arrow` clause.

    Attributes:
        values: what fills the holes.
        made: the value that stands for a type; None where a type does not tell all fields.
        condition: when the clause is meant.
    """

    shape: ArrowShape
    values: tuple[Node, ...]
    made: Construction | None
    condition: Node | None
