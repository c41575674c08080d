"""`lakecodec inspect`."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from rich.console import Console


def add_to(app: typer.Typer) -> None:
    app.command()(inspect)


_FILE = typer.Argument(..., help="A Parquet file.")
_JSON = typer.Option(False, "--json", help="Print JSON instead of tables.")


def inspect(file: Path = _FILE, as_json: bool = _JSON) -> None:
    """Show what a file's metadata says: schema, row groups, column chunks, statistics."""
    from lakecodec.parquet.inspect import describe, render

    description = describe(str(file))
    if as_json:
        typer.echo(json.dumps(description, indent=2, ensure_ascii=False))
    else:
        render(description, Console())
