"""Values of files as JSON's types, as text that is safe on a terminal, and in tables that stay short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

#: Characters of a value that a table shows.
SHOWN = 32


def json_value(value: Any) -> Any:
    """A scalar as JSON has it: bytes in hex, NaN, infinities and what JSON has no type for as text."""
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def number(value: Any) -> str:
    """A number with separators, other values as they are, nothing for None."""
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def printable(text: str) -> str:
    """``text`` without characters that a terminal would obey instead of show."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char == "\n" else char.encode("unicode_escape").decode() for char in text
    )


def short(value: Any) -> str:
    """The beginning of a value, in one line."""
    text = "" if value is None else str(value)
    shown = printable(text[: SHOWN + 1])
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"


def ratio(whole: int | None, stored: int | None) -> str:
    """How many times smaller something is stored, nothing where that is unknown."""
    return f"{whole / stored:.2f}" if whole is not None and stored else ""


def add_rows(table: Table, rows: Sequence[Sequence[str]], left_out: int = 0) -> Table:
    """``table`` with rows of plain text, and a caption that tells how many are not shown."""
    from rich.text import Text

    for row in rows:
        table.add_row(*map(Text, row))
    if left_out:
        table.caption = f"and {left_out:,} more (--limit)"
    return table
