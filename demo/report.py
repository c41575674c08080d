"""The summary of a metadata scan as text on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich import box
from rich.console import Console
from rich.table import Table

from .summary import ColumnSummary, Summary


def print_report(summary: Summary, console: Console) -> None:
    """Print totals, one line a column, and the files that could not be read."""
    console.print(
        f"[bold]{summary.files:,}[/] files   [bold]{summary.row_groups:,}[/] row groups   "
        f"[bold]{summary.chunks:,}[/] column chunks   [bold]{summary.rows:,}[/] rows",
        highlight=False,
    )
    console.print(
        f"[bold]{format_bytes(summary.uncompressed)}[/] of pages stored in [bold]{format_bytes(summary.compressed)}[/]"
        f", ratio [bold]{summary.ratio:.2f}x[/]\n",
        highlight=False,
    )
    console.print(column_table(summary.columns))
    for file, reason in summary.broken.items():
        console.print(f"[red]unreadable[/] {file}: {reason}", highlight=False)


def column_table(columns: list[ColumnSummary]) -> Table:
    """Returns a table with one line a column, 80 characters wide for usual values: sizes, nulls, least and greatest value."""
    table = compact_table(left=("column", "type"), right=("KiB", "ratio", "nulls", "min", "max"))
    for column in columns:
        table.add_row(
            column.path,
            column.type,
            f"{column.compressed / 1024:,.1f}",
            f"{column.ratio:.2f}x",
            "?" if column.null_share is None else f"{column.null_share:.2%}",
            format_value(column.minimum),
            format_value(column.maximum),
        )
    return table


def compact_table(left: Sequence[str], right: Sequence[str]) -> Table:
    """Returns a table without lines between columns: texts in the first ones, numbers in the others."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, header_style="bold")
    for name in left:
        table.add_column(name, no_wrap=True)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def format_bytes(size: float) -> str:
    """``1536`` as ``1.5 KiB``."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def format_value(value: object) -> str:
    """Returns a short text of a statistic; bytes as hexadecimal digits, nothing for no value."""
    match value:
        case None:
            return ""
        case bytes():
            return value.hex(" ")[:23]
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M")
        case float():
            return f"{value:g}"
        case _:
            return str(value)[:24]
