"""Values of files for display: as JSON types, as text that is safe on a terminal, and in tables of limited size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

#: The largest number of characters of a value in a table.
SHOWN = 32


def json_value(value: Any) -> Any:
    """Returns a scalar as a JSON type: bytes as "0x" and hex digits, NaN, infinities and other types as text."""
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def number(value: Any) -> str:
    """Returns an int with thousands separators, other values as text, "" for None."""
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def printable(text: str) -> str:
    """Returns ``text`` with control characters escaped, so that a terminal does not interpret them; line breaks become blanks."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char == "\n" else char.encode("unicode_escape").decode() for char in text
    )


def short(value: Any, whole: bool = False) -> str:
    """Returns a value as one printable line, of 32 characters at most unless ``whole``."""
    text = "" if value is None else str(value)
    if whole:
        return printable(text)
    shown = printable(text[: SHOWN + 1])
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"


def ratio(whole: int | None, stored: int | None) -> str:
    """Returns the compression ratio ``whole / stored`` with two decimals, "" where it is unknown."""
    return f"{whole / stored:.2f}" if whole is not None and stored else ""


def add_rows(table: Table, rows: Sequence[Sequence[str]], left_out: int = 0) -> Table:
    """Returns ``table`` after adding rows of plain text, and a caption with the number of rows left out."""
    from rich.text import Text

    for row in rows:
        table.add_row(*map(Text, row))
    if left_out:
        table.caption = f"and {left_out:,} more (--limit)"
    return table


#: The smallest width in characters of a text column in a narrow table.
_LEAST = 12


def print_table(console: Console, table: Table) -> None:
    """Prints a table without cutting a value: text folds, and where that is not enough each row becomes lines of its own."""
    from rich.table import Table as Plain

    needed = 1
    for column in table.columns:
        width = max([len(str(column.header)), *(len(str(cell)) for cell in column.cells)])
        is_number = column.justify == "right" or column.header in ("min", "max")
        column.no_wrap, column.overflow = is_number, "fold"
        needed += 3 + (width if is_number else min(width, _LEAST))
    if not table.show_header or needed <= console.width:
        console.print(table)
        return
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    lines = Plain(title=table.title, caption=table.caption, show_header=False)
    lines.add_column(no_wrap=True)
    lines.add_column(overflow="fold")
    for row in rows:
        for column, cell in zip(table.columns, row, strict=True):
            lines.add_row(column.header, cell)
        lines.add_section()
    console.print(lines)
