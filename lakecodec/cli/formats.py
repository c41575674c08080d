"""`lakecodec inspect`."""

from __future__ import annotations

import json
import os
from typing import Any

import typer

from .arguments import parse_names
from .output import console

#: Rows of a table, unless asked otherwise.
_LIMIT = 50

_FILE = typer.Argument(..., help="A Parquet or Mosaic file.")
_JSON = typer.Option(False, "--json", help="Print JSON instead of tables; all of it, unless --limit is given.")
_COLUMNS = typer.Option("", "--columns", metavar="A,B", help="Mosaic: only these columns, and the buckets they are in.")
_COLUMN = typer.Option(
    [], "--column", metavar="NAME", help="Mosaic: the same for a name with a comma; can be repeated."
)
_DICTIONARY = typer.Option(False, "--dictionary", help="Mosaic: the values in the dictionaries of the --column.")
_MOST = typer.Option(None, "--limit", min=0, help=f"Mosaic: rows of each table, 0 for all; default {_LIMIT}.")


def add_to(app: typer.Typer) -> None:
    app.command()(inspect)


def inspect(
    file: str = _FILE,
    as_json: bool = _JSON,
    columns: str = _COLUMNS,
    column: list[str] = _COLUMN,
    dictionary: bool = _DICTIONARY,
    limit: int | None = _MOST,
) -> None:
    """Show what a file says about itself: schema, row groups, how columns are stored, statistics."""
    chosen = [*parse_names(columns), *column]
    if dictionary and len(chosen) != 1:
        raise typer.BadParameter("one --column is needed", param_hint="--dictionary")
    most = (None if as_json else _LIMIT) if limit is None else limit or None
    if _is_mosaic(file):
        _inspect_mosaic(file, chosen, dictionary, most, as_json)
        return
    if chosen or limit is not None:
        raise typer.BadParameter("--columns, --column, --dictionary and --limit are for Mosaic files")
    from lakecodec.parquet.inspect import describe, render

    description = describe(file)
    if as_json:
        _print_json(description)
    else:
        render(description, console())


def _inspect_mosaic(file: str, columns: list[str], dictionary: bool, limit: int | None, as_json: bool) -> None:
    from lakecodec.mosaic.inspect import describe, describe_dictionary, render, render_dictionary

    description = (
        describe_dictionary(file, columns[0]) if dictionary else describe(file, columns=columns or None, limit=limit)
    )
    if as_json:
        _print_json(description)
    elif dictionary:
        render_dictionary(description, console(), limit)
    else:
        render(description, console())


def _is_mosaic(file: str) -> bool:
    """By the name, or by how a local file ends."""
    from lakecodec.generated.mosaic import MAGIC

    if file.endswith(".mosaic"):
        return True
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as stream:
        stream.seek(max(0, os.path.getsize(file) - len(MAGIC)))
        return stream.read() == MAGIC.encode()


def _print_json(description: dict[str, Any]) -> None:
    typer.echo(json.dumps(description, indent=2, ensure_ascii=False))
