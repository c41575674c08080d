"""Clauses that an import leaves out of the IDL, and the subjects of its lines."""

from __future__ import annotations

from dataclasses import dataclass, field

from .ksy_model import KsyType

#: The origin of a line of the IDL: a type, and one of its elements (kind, name). None for the rest of the file.
Owner = tuple[KsyType, tuple[str, str]] | None
Lines = list[tuple[str, Owner]]


@dataclass(slots=True)
class Choices:
    """The parts of the files that the IDL cannot have, as far as they are known.

    Attributes:
        left_out: (type, attribute) -> why.
        dropped: (type, kind, name) of clauses that are left out: `valid`, `derived`.
        refused: (type, path) of needs that holders cannot meet.
        owners: types whose start is the origin of places inside of other types.
        placed: (type, attribute) of fields that need a placed field, and become placed fields themselves.
    """

    left_out: dict[tuple[int, str], str] = field(default_factory=dict)
    dropped: dict[tuple[int, str, str], str] = field(default_factory=dict)
    refused: set[tuple[int, tuple[str, ...]]] = field(default_factory=set)
    owners: set[int] = field(default_factory=set)
    placed: set[tuple[int, str]] = field(default_factory=set)

    @property
    def count(self) -> int:
        return len(self.left_out) + len(self.dropped) + len(self.refused) + len(self.owners) + len(self.placed)
