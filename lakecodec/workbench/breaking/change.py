"""A change between two versions of an IDL that breaks something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from .difference import Breaks

#: Rules of changes that bytes do not show, but the JSON form and ``from_dict`` do.
_JSON_RULES = frozenset(
    ("field-removed", "field-renamed", "member-removed", "enum-member-removed", "enum-member-renamed", "kind-changed")
)


@dataclass(frozen=True, slots=True)
class Change:
    """A change that breaks something.

    Attributes:
        rule: the kind of the change, such as ``requiredness-changed``.
        where: the declaration or field, ``Type.field``.
        message: the change and its effect.
        breaks: ``decode``: the new reader refuses bytes of the old writer; ``encode``: the old reader those of the new one;
            ``meaning``: both read them, as different values; ``unshown``: no bytes show whether it breaks;
            ``source``: code that uses the generated module.
        witness: bytes that show it; None if no bytes can.
        type: the type that the witness is read as; empty without one.
        file: the IDL file, relative to the folder that was compared; the file's name where a file was.
    """

    rule: str
    where: str
    message: str
    breaks: Breaks
    witness: bytes | None = None
    type: str = ""
    file: str = ""

    @property
    def category(self) -> str:
        """``wire`` if bytes are read differently, ``json`` if names of the JSON form change, else ``source``."""
        if self.breaks != "source":
            return "wire"
        return "json" if self.rule in _JSON_RULES else "source"

    def is_allowed(self, patterns: Iterable[str]) -> bool:
        """Returns whether a list of what may break has it: ``rule`` or ``rule where``, with ``*`` for anything."""
        return any(fnmatchcase(self.rule, each) or fnmatchcase(f"{self.rule} {self.where}", each) for each in patterns)

    def __str__(self) -> str:
        shown = (
            ""
            if self.witness is None
            else f" [{self.type}: {self.witness[:24].hex()}{'...' * (len(self.witness) > 24)}]"
        )
        return f"{self.breaks}: {self.where}: {self.message} ({self.rule}){shown}"
