"""`lakecodec fmt`, `lakecodec lsp` and `lakecodec serve`: where an IDL is edited."""

from __future__ import annotations

import sys
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

import typer

from . import arguments
from . import output as printed
from .compiler import manifest_files

_FILES = typer.Argument(None, help="IDL files, or - for standard input. Default: those of the manifest.")
_CHECK = typer.Option(
    False, "--check", help="Write nothing; list the files that would change, and exit 1 if there are any."
)
_DIFF = typer.Option(False, "--diff", help="Write nothing; show what would change.")

_FOLDER = typer.Argument(..., metavar="DIR", help="Folder of the files and IDL files that the page shows.")
_PORT = typer.Option(0, "--port", metavar="N", min=0, max=65535, help="Port. Default: any free one.")
_START = typer.Option("", "--idl", metavar="FILE", help="IDL file that the page opens with, relative to DIR.")


def add_to(app: typer.Typer) -> None:
    app.command()(fmt)
    app.command()(lsp)
    app.command()(serve)


def fmt(
    files: list[str] | None = _FILES, check: bool = _CHECK, diff: bool = _DIFF, as_json: bool = printed.JSON
) -> None:
    """Format IDL files: indentation, spaces, and columns of fields. Comments and lines stay."""
    from lakecodec.language.formatter import format_idl

    changed: dict[str, bool] = {}
    for name in files if files else [str(path) for path in manifest_files()]:
        text, shown = _text_of(name)
        wanted = format_idl(text, shown)
        changed[shown] = wanted != text
        if diff:
            lines = unified_diff(text.splitlines(True), wanted.splitlines(True), shown, f"{shown} (formatted)")
            typer.echo("".join(lines), nl=False)
        elif name == "-" and not check:
            typer.echo(wanted, nl=False)
        elif changed[shown]:
            if not check:
                Path(name).write_text(wanted, encoding="utf-8", newline="")
            if not as_json:
                typer.echo(f"{'not formatted' if check else 'formatted'}: {shown}")
    if as_json:
        printed.print_json([{"file": name, "changed": is_changed} for name, is_changed in changed.items()])
    if check and any(changed.values()):
        raise typer.Exit(1)


def _text_of(name: str) -> tuple[str, str]:
    """Returns the text of a file as it is, line ends included, and the name that messages show."""
    if name == "-":
        return sys.stdin.read(), "<stdin>"
    with open(name, encoding="utf-8", newline="") as file:
        return file.read(), name


def lsp() -> None:
    """Serve an editor over standard input and output: the language server of IDL and Thrift files.

    Needs the extra `lsp`. docs/editors.md says how editors start it.
    """
    from lakecodec.language.server import main

    main()


def serve(
    folder: Path = _FOLDER, port: int = _PORT, idl: str = _START, allow_extern: list[str] = arguments.ALLOW_EXTERN
) -> None:
    """Serve a page on this machine: edit an IDL, and see what it makes of a file. Ctrl-C ends it."""
    from lakecodec.workbench.serving import server_of

    if not folder.is_dir():
        raise NotADirectoryError(f"{str(folder)!r} is not a folder; name the one that has the files")
    server, address = server_of(folder, port, idl=idl, allow_extern=arguments.allowed_externs(allow_extern))
    typer.echo(address)
    with server, suppress(KeyboardInterrupt):
        server.serve_forever()
