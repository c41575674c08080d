"""Arguments of ``describe`` in generated modules: each type and the line of its declaration."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Protocol

from .text import WIDTH


class Declared(Protocol):
    """A class, and the line of its declaration."""

    @property
    def name(self) -> str: ...
    @property
    def source_line(self) -> int: ...


def source_lines(classes: Sequence[Declared]) -> list[str]:
    """Returns the items, class to line of its declaration, of a dict that is printed over several lines."""
    items = " ".join(f'"{each.name}":\N{NO-BREAK SPACE}{each.source_line},' for each in classes)
    rows = textwrap.wrap(items, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in rows]
