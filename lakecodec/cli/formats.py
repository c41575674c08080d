"""`lakecodec inspect`."""

from __future__ import annotations

import json
import os
from typing import Any

import typer

from .arguments import parse_names
from .output import console, is_terminal

#: Default number of rows of a table.
_LIMIT = 50

_FILES = typer.Argument(..., help="Parquet or Mosaic files, or directories of Parquet files.")
_JSON = typer.Option(False, "--json", help="Print JSON for programs: all rows, unless --limit is given.")
_COLUMNS = typer.Option(
    "", "--columns", metavar="A,B", help="Only these columns, by dotted path; of Mosaic files also their buckets."
)
_COLUMN = typer.Option([], "--column", metavar="NAME", help="One column, for names that have a comma. May be repeated.")
_DICTIONARY = typer.Option(False, "--dictionary", help="Mosaic: values in the dictionaries of the --column.")
_MOST = typer.Option(
    None,
    "--limit",
    metavar="N",
    min=0,
    help=f"Maximum number of rows per table; 0 for all. Default: {_LIMIT}, of Parquet only on a terminal.",
)
_PAGES = typer.Option(False, "--pages", help="Parquet: headers of the pages of column chunks.")
_INDEXES = typer.Option(False, "--indexes", help="Parquet: page indexes.")
_BLOOM = typer.Option(False, "--bloom", help="Parquet: Bloom filters, and their rates of false positives.")


def add_to(app: typer.Typer) -> None:
    app.command()(inspect)


def inspect(
    files: list[str] = _FILES,
    as_json: bool = _JSON,
    columns: str = _COLUMNS,
    column: list[str] = _COLUMN,
    dictionary: bool = _DICTIONARY,
    limit: int | None = _MOST,
    pages: bool = _PAGES,
    indexes: bool = _INDEXES,
    bloom: bool = _BLOOM,
) -> None:
    """Show what a file says about itself: schema, row groups, how columns are stored, statistics."""
    chosen = [*parse_names(columns), *column]
    if dictionary and len(chosen) != 1:
        raise typer.BadParameter("one --column is needed", param_hint="--dictionary")
    described = []
    for file in expanded(files):
        if _is_mosaic(file):
            if pages or indexes or bloom:
                raise typer.BadParameter("--pages, --indexes and --bloom are for Parquet files")
            most = (None if as_json else _LIMIT) if limit is None else limit or None
            described.append(_inspect_mosaic(file, chosen, dictionary, most, as_json))
            continue
        if dictionary:
            raise typer.BadParameter("--dictionary is for Mosaic files")
        from lakecodec.parquet.inspect import describe, render

        description = describe(file, columns=chosen or None, pages=pages, indexes=indexes, bloom=bloom)
        if not as_json:
            render(description, console(), (_LIMIT if is_terminal() else None) if limit is None else limit or None)
        elif limit:
            description["row_groups"] = description["row_groups"][:limit]
        described.append(description)
    if as_json:
        _print_json(described if len(described) != 1 else described[0])


def expanded(files: list[str]) -> list[str]:
    """Returns the files, those of directories among them."""
    if not any("://" in file or os.path.isdir(file) for file in files):
        return files
    from lakecodec.parquet.sources import expand

    found = [source.name or "" for source in expand(files)]
    if not found:
        raise FileNotFoundError(f"there are no Parquet files in {', '.join(map(repr, files))}")
    return found


def _inspect_mosaic(
    file: str, columns: list[str], dictionary: bool, limit: int | None, as_json: bool
) -> dict[str, Any]:
    """Returns the description of a file, and prints its tables unless JSON is wanted."""
    from lakecodec.mosaic.inspect import describe, describe_dictionary, render, render_dictionary

    description = (
        describe_dictionary(file, columns[0]) if dictionary else describe(file, columns=columns or None, limit=limit)
    )
    if as_json:
        return description
    if dictionary:
        render_dictionary(description, console(), limit)
    else:
        render(description, console())
    return description


def _is_mosaic(file: str) -> bool:
    """Returns whether a file is a Mosaic file, by its name or by the last bytes."""
    from lakecodec.generated.mosaic import MAGIC

    if file.endswith(".mosaic"):
        return True
    if "://" not in file and not os.path.isfile(file):
        return False
    from lakecodec.runtime.ranges import open_ranges

    magic = MAGIC.encode()
    with open_ranges(file) as ranges:
        size = min(len(magic), ranges.size)
        return bytes(ranges.read(ranges.size - size, size)) == magic


def _print_json(description: Any) -> None:
    typer.echo(json.dumps(description, indent=2, ensure_ascii=False))
