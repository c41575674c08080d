"""`lakecodec explore`, `verify`, `diff`, `dump` and `load`: files of any declared format."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import typer

from .arguments import ALLOW_EXTERN, TYPE, allowed_externs
from .described import IDL
from .output import JSON, console, is_terminal

_FILE = typer.Argument(..., help="A file of any format that has an IDL.")
_AT = typer.Option("", "--at", metavar="PATH", help="Show only the part at this path, such as footer.magic.")
_DEPTH = typer.Option(None, "--depth", metavar="N", min=0, help="Levels below the top. Default: 3, with --json all.")
_LIMIT = typer.Option(
    None,
    "--limit",
    metavar="N",
    min=0,
    help="Maximum number of elements per list (20); with --json or --html, of nodes (40000). 0: all.",
)


_HTML = typer.Option(
    None, "--html", metavar="FILE", help="Write an HTML page that needs no network, instead of printing."
)
_DIFF_HTML = typer.Option(None, "--html", metavar="FILE", help="Also write a page with both files side by side.")
_FILES = typer.Argument(..., help="Files, or directories of tables.")
_DEEP = typer.Option(False, "--deep", help="Decode all values, and compare statistics with them.")
_OLD = typer.Argument(..., help="A file.", metavar="OLD")
_NEW = typer.Argument(..., help="A file of the same format.", metavar="NEW")
_OUTPUT = typer.Option(None, "-o", "--output", metavar="FILE", help="File to write. Default: standard output.")
_INPUT = typer.Argument(..., help="JSON that `lakecodec dump` wrote.", metavar="FILE")


def add_to(app: typer.Typer) -> None:
    for command in (explore, verify, diff, dump, load):
        app.command()(command)


def explore(
    file: str = _FILE,
    idl: Path | None = IDL,
    type: str | None = TYPE,
    path: str = _AT,
    depth: int | None = _DEPTH,
    limit: int | None = _LIMIT,
    html: Path | None = _HTML,
    allow_extern: list[str] = ALLOW_EXTERN,
    as_json: bool = JSON,
) -> None:
    """Show every byte of a file: fields with offset, bytes, type and value; decoded blocks have offsets of their own. Exit
    code 1 if what is shown is damaged."""
    from lakecodec.workbench import explore as explored
    from lakecodec.workbench.excerpt import MOST_NODES
    from lakecodec.workbench.plain import tree_to_dict
    from lakecodec.workbench.terminal import render

    tree = explored(file, type, idl=idl, allow_extern=_allowed(idl, allow_extern))
    shown = tree.find(path) if path else tree.root
    most = MOST_NODES if limit is None else limit or None
    if html is not None:
        from lakecodec.workbench.page import page_of

        html.write_text(page_of(tree, most), encoding="utf-8")
        typer.echo(f"wrote {html}")
    elif as_json:
        found = tree_to_dict(tree, shown, depth, most)
        typer.echo(json.dumps(found, indent=2 if is_terminal() else None, ensure_ascii=False))
    else:
        elements = 20 if limit is None else limit or sys.maxsize
        render(tree, console(), at=path, depth=3 if depth is None else depth, limit=elements)
    if shown.known_error() is not None:
        raise typer.Exit(1)


def verify(
    files: list[str] = _FILES,
    idl: Path | None = IDL,
    type: str | None = TYPE,
    deep: bool = _DEEP,
    allow_extern: list[str] = ALLOW_EXTERN,
    as_json: bool = JSON,
) -> None:
    """Check files against all rules of their format, and tables against their log. One line per finding; exit code 1
    for errors."""
    from lakecodec.runtime.urls import is_directory
    from lakecodec.workbench import verify as verified

    from .output import progress

    found = []
    allowed = _allowed(idl, allow_extern)
    try:
        for file in progress(files, "files verified"):
            found += verified(file, type, idl=idl, allow_extern=allowed, deep=deep, track=progress)
    finally:
        # Printed after the progress bars, and also if a file cannot be read.
        for each in () if as_json else found:
            typer.echo(str(each))
    if as_json:
        typer.echo(json.dumps([each.to_dict() for each in found], indent=2, ensure_ascii=False))
    elif not any(each.is_error for each in found):
        tables = sum(map(is_directory, files))
        counts = {"file": len(files) - tables, "table": tables}
        checked = " and ".join(f"{number} {name}{'s' * (number != 1)}" for name, number in counts.items() if number)
        typer.echo(f"{checked} checked, no errors")
    if any(each.is_error for each in found):
        raise typer.Exit(1)


def diff(
    old: str = _OLD,
    new: str = _NEW,
    idl: Path | None = IDL,
    type: str | None = TYPE,
    html: Path | None = _DIFF_HTML,
    allow_extern: list[str] = ALLOW_EXTERN,
    as_json: bool = JSON,
) -> None:
    """Compare two files field by field; elements of lists are aligned by their names. Exit code 1 where bytes differ."""
    from lakecodec.workbench import diff as compared

    allowed = _allowed(idl, allow_extern)
    found = compared(old, new, type, idl=idl, allow_extern=allowed)
    if html is not None:
        from lakecodec.workbench import explore as explored
        from lakecodec.workbench.page import diff_page_of

        trees = [explored(each, type, idl=idl, allow_extern=allowed) for each in (old, new)]
        html.write_text(diff_page_of(trees[0], trees[1], found), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps([each.to_dict() for each in found], indent=2, ensure_ascii=False))
    for each in () if as_json else found:
        colours = {"added": typer.colors.GREEN, "removed": typer.colors.RED}
        typer.secho(str(each), fg=colours.get(each.kind, typer.colors.YELLOW) if is_terminal() else None)
    if found:
        raise typer.Exit(1)


def dump(
    file: str = _FILE,
    idl: Path | None = IDL,
    type: str | None = TYPE,
    output: Path | None = _OUTPUT,
    allow_extern: list[str] = ALLOW_EXTERN,
) -> None:
    """Write a whole file as JSON, from which `lakecodec load` rebuilds the same bytes."""
    from lakecodec.workbench import dumps

    text = dumps(file, type, idl=idl, allow_extern=_allowed(idl, allow_extern))
    if output is None:
        typer.echo(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")


def load(file: Path = _INPUT, output: Path | None = _OUTPUT, allow_extern: list[str] = ALLOW_EXTERN) -> None:
    """Rebuild a file from the JSON of `lakecodec dump`, edited or not."""
    from lakecodec.runtime.errors import CodecError, path_in_file
    from lakecodec.workbench import load as loaded

    try:
        # The project's list of allowed modules does not apply: the IDL came with the data.
        data = loaded(file.read_bytes(), allow_extern=allow_extern)
    except CodecError as error:
        error.path = path_in_file(str(file), error.path)
        raise
    if output is not None:
        output.write_bytes(data)
    elif sys.stdout.isatty():
        raise typer.BadParameter("bytes cannot be printed on a terminal: use -o FILE", param_hint="-o")
    else:
        sys.stdout.buffer.write(data)


def _allowed(idl: Path | None, allow_extern: list[str]) -> list[str]:
    """Returns the modules whose externs an IDL file may name; without one, IDL files of lakecodec are used."""
    return allow_extern if idl is None else allowed_externs(allow_extern)
