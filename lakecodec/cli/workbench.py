"""`lakecodec explore`: files of any declared format, byte by byte."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from .output import JSON, console

_FILE = typer.Argument(..., help="A file of any format that has an IDL.")
_IDL = typer.Option(
    None, "--idl", help="IDL file that declares the type; default: the format is recognised by its magic."
)
_TYPE = typer.Option(
    None, "--type", metavar="T", help="Type of the file: a record, struct or union; module.Type without --idl."
)
_AT = typer.Option("", "--at", metavar="PATH", help="Only what stands at this path, such as footer.magic.")
_DEPTH = typer.Option(None, "--depth", min=0, help="Levels below the top; default 3, with --json and --html all.")
_LIMIT = typer.Option(20, "--limit", min=1, help="Elements of a list on the terminal.")


def add_to(app: typer.Typer) -> None:
    app.command()(explore)


def explore(
    file: str = _FILE,
    idl: Path | None = _IDL,
    type: str | None = _TYPE,
    at: str = _AT,
    depth: int | None = _DEPTH,
    limit: int = _LIMIT,
    as_json: bool = JSON,
) -> None:
    """Show every byte of a file: fields with offset, bytes, type and value; decoded blocks have offsets of their own."""
    from lakecodec.workbench import explore as explored
    from lakecodec.workbench.plain import tree_to_dict
    from lakecodec.workbench.terminal import render

    tree = explored(file, type, idl=idl)
    if as_json:
        node = tree.find(at) if at else None
        typer.echo(json.dumps(tree_to_dict(tree, node, depth), indent=2, ensure_ascii=False))
    else:
        render(tree, console(), at=at, depth=3 if depth is None else depth, limit=limit)
