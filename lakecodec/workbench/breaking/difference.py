"""A difference between two lowered declarations, before its effect on bytes is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Breaks = Literal["decode", "encode", "meaning", "unshown", "source"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two declarations.

    Attributes:
        rule: its kind, such as ``field-removed``.
        type: the declaration; ``field`` the part of it, empty for the whole.
        message: the old and the new declaration.
        breaks: what it breaks with any bytes; None if samples must show that.
    """

    rule: str
    type: str
    field: str
    message: str
    breaks: Breaks | None = None

    @property
    def where(self) -> str:
        return f"{self.type}.{self.field}" if self.field else self.type
