"""`lakecodec scan`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from . import output as printed
from .arguments import TABLE, WHERE
from .row_files import FORMATS, SUFFIXES, format_of, write_rows

if TYPE_CHECKING:
    from lakecodec.pipeline import TableScan

_TERMINAL_ROWS = 20

_COLUMNS = typer.Option(None, "--columns", metavar="A,B", help="Columns, in this order. Default: all.")
_VERSION = typer.Option(None, "--version", help="An older version of the table.")
_TIMESTAMP = typer.Option(None, "--timestamp", metavar="TIME", help="The version of this time, in ISO 8601.")
_LIMIT = typer.Option(None, "--limit", min=0, help=f"At most so many rows. Default on a terminal: {_TERMINAL_ROWS}.")
_OUTPUT = typer.Option(
    None, "--output", "-o", metavar="FILE", help=f"A file: {', '.join(SUFFIXES)}; - for standard output."
)
_FORMAT = typer.Option(
    None, "--format", help=f"Of the output, where no suffix tells: {', '.join(FORMATS)}. Default, also of a pipe: csv."
)
_JSON = typer.Option(False, "--json", help="The same as --format json: an array of objects.")
_VERIFY = typer.Option(False, "--verify", help="Compare the checksums of pages.")
_CHANGES = typer.Option(
    None, "--changes", metavar="FROM[..TO]", help="Instead of the rows, what these versions changed: numbers or times."
)
_VERBOSE = typer.Option(False, "--verbose", "-v", help="Tell how many files and row groups were read.")


def add_to(app: typer.Typer) -> None:
    app.command()(scan)


def scan(
    table: str = TABLE,
    columns: str | None = _COLUMNS,
    where: str | None = WHERE,
    version: int | None = _VERSION,
    timestamp: str | None = _TIMESTAMP,
    limit: int | None = _LIMIT,
    output: str | None = _OUTPUT,
    format: str | None = _FORMAT,
    as_json: bool = _JSON,
    verify: bool = _VERIFY,
    changes: str | None = _CHANGES,
    verbose: bool = _VERBOSE,
) -> None:
    """Read a table without Spark; what cannot match is skipped.

    A terminal shows the first rows; a file or a pipe gets all of them.
    """
    from lakecodec.lake.log import LogError
    from lakecodec.pipeline import open_changes, open_scan

    wanted = _format(output, "json" if as_json else format)
    try:
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        if changes is None:
            found = open_scan(table, columns=names, where=where, version=version, timestamp=timestamp, verify=verify)
        elif version is not None or timestamp is not None or verify:
            raise typer.BadParameter("not with --version, --timestamp or --verify", param_hint="--changes")
        else:
            found = open_changes(table, *_range(changes), columns=names, where=where)
        if wanted is None:
            _show(found, _TERMINAL_ROWS if limit is None else limit)
        else:
            write_rows(found.batches(limit), found.plan.schema, output or "-", wanted)
    except LogError as error:
        raise ValueError(str(error)) from error
    if verbose:
        typer.echo(str(found.summary()), err=True)


def _range(text: str) -> tuple[int | str, int | str | None]:
    """Returns the first and the last version in ``3..5`` or ``3``, each a number or a time."""
    first, _, last = text.partition("..")
    start, end = (int(part) if part.isdecimal() else part for part in (first, last))
    return start, end or None


def _format(output: str | None, asked: str | None) -> str | None:
    """Returns the format to write; None for a table on the terminal."""
    if asked is not None and asked not in FORMATS:
        raise typer.BadParameter(f"one of {', '.join(FORMATS)}, not {asked!r}", param_hint="--format")
    if asked is not None:
        return asked
    if output is None:
        return None if printed.is_terminal() else "csv"
    if output == "-":
        return "csv"
    found = format_of(output)
    if found is None:
        endings = ", ".join(SUFFIXES)
        raise typer.BadParameter(f"a name that ends with one of {endings}, or --format", param_hint="--output")
    return found


def _show(found: TableScan, limit: int) -> None:
    from rich.table import Table

    from lakecodec.runtime.display import print_table

    shown = Table(*found.plan.columns)
    # One more tells whether there are more.
    rows = [
        row for batch in found.batches(limit + 1) for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)
    ]
    for row in rows[:limit]:
        shown.add_row(*map(_text, row))
    print_table(printed.console(), shown)
    if len(rows) > limit:
        typer.echo(f"the first {limit} rows; --limit shows more, -o FILE or a pipe gets all", err=True)


def _text(value: Any) -> str:
    return "[dim]null[/]" if value is None else str(value).replace("[", "\\[")
