"""`lakecodec scan`."""

from __future__ import annotations

from typing import Any

import typer

from . import paimon_tables
from .arguments import TABLE, WHERE
from .row_files import FORMAT, JSON, LIMIT, OUTPUT, TERMINAL_ROWS, show_rows, wanted_format, write_rows

_COLUMNS = typer.Option(None, "--columns", metavar="A,B", help="Columns, in this order. Default: all.")
_VERSION = typer.Option(
    None, "--version", metavar="N", help="Number of an older version; of a snapshot for Paimon tables."
)
_TIMESTAMP = typer.Option(None, "--timestamp", metavar="TIME", help="The version as of this time, in ISO 8601.")
_VERIFY = typer.Option(False, "--verify", help="Check the checksums of pages.")
_FOOTER_CACHE = typer.Option(
    False, "--footer-cache", help="Cache the footers of data files beside them: later scans read fewer bytes."
)
_CHANGES = typer.Option(
    None,
    "--changes",
    metavar="FROM[..TO]",
    help="Show what these versions changed, instead of the rows: numbers or times.",
)
_VERBOSE = typer.Option(False, "-v", "--verbose", help="Print how many files and row groups were read.")


def add_to(app: typer.Typer) -> None:
    app.command()(scan)


def scan(
    table: str = TABLE,
    columns: str | None = _COLUMNS,
    where: str | None = WHERE,
    version: int | None = _VERSION,
    timestamp: str | None = _TIMESTAMP,
    limit: int | None = LIMIT,
    output: str | None = OUTPUT,
    format: str | None = FORMAT,
    as_json: bool = JSON,
    verify: bool = _VERIFY,
    footer_cache: bool = _FOOTER_CACHE,
    changes: str | None = _CHANGES,
    verbose: bool = _VERBOSE,
) -> None:
    """Read a Delta or Paimon table without Spark; what cannot match is skipped.

    A terminal shows the first rows; a file or a pipe gets all of them.
    """
    from lakecodec.lake import VersionNotFoundError
    from lakecodec.lake.log import LogError
    from lakecodec.pipeline import open_changes, open_scan

    wanted = wanted_format(output, "json" if as_json else format)
    try:
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        if changes is not None and (version is not None or timestamp is not None or verify or footer_cache):
            rule = "not with --version, --timestamp, --verify or --footer-cache"
            raise typer.BadParameter(rule, param_hint="--changes")
        found: Any
        try:
            if changes is None:
                found = open_scan(
                    table, columns=names, where=where, version=version, timestamp=timestamp, verify=verify,
                    footer_cache=footer_cache,
                )  # fmt: skip
            else:
                found = open_changes(table, *_range(changes), columns=names, where=where)
            schema = found.plan.schema
        except VersionNotFoundError as error:
            paimon_tables.if_there(table, error)
            refused = {"--verify": verify, "--footer-cache": footer_cache, "--changes": changes is not None}
            found = paimon_tables.open_scan(table, names, where, version, timestamp, refused)
            schema = found.arrow
        if wanted is None:
            shown = TERMINAL_ROWS if limit is None else limit
            # One row more than shown tells whether there are more.
            show_rows(found.batches(shown + 1), schema.names, shown)
        else:
            write_rows(found.batches(limit), schema, output or "-", wanted)
    except LogError as error:
        raise ValueError(str(error)) from error
    if verbose:
        typer.echo(str(found.summary()), err=True)


def _range(text: str) -> tuple[int | str, int | str | None]:
    """Returns the first and the last version in ``3..5`` or ``3``, each a number or a time."""
    first, _, last = text.partition("..")
    start, end = (int(part) if part.isdecimal() else part for part in (first, last))
    return start, end or None
