"""`lakecodec import`: formats that are described in other languages, as IDL files."""

from __future__ import annotations

from pathlib import Path

import typer

from . import output as printed

_SOURCES = typer.Argument(
    ..., metavar="FILE|DIR...", help=".ksy or .proto files, or folders of them; imported files are found."
)
_OUTPUT = typer.Option(..., "-o", "--output", metavar="DIR", help="Folder for the IDL files, one per imported file.")


def add_to(app: typer.Typer) -> None:
    app.command("import")(import_)


def import_(sources: list[Path] = _SOURCES, output: Path = _OUTPUT, as_json: bool = printed.JSON) -> None:
    """Import Kaitai Struct's .ksy files and protobuf's .proto files as IDL files, with all files they import.

    Exit code 1 if the IDL cannot express something; notes on standard error say where.
    """
    from lakecodec.importing import import_files

    made = import_files(sources)
    files = {name: text for each in made for name, text in each.files.items()}
    notes = list(dict.fromkeys(note for each in made for note in each.notes))
    for name, text in files.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    if as_json:
        printed.print_json(
            {
                "files": [str(output / name) for name in files],
                "roots": {each.file: each.root for each in made},
                "writable": {each.file: dict(each.writable) for each in made},
                "notes": [
                    {"file": each.file, "line": each.line, "message": each.message, "kind": each.kind} for each in notes
                ],
            }
        )
    else:
        for name in files:
            typer.echo(str(output / name))
        for each in notes:
            typer.echo(str(each), err=True)
        for imported in made:
            for type_, reason in imported.writable.items():
                if reason is not None:
                    typer.echo(f"{imported.file}: {type_} cannot write all its values: {reason}", err=True)
    if notes:
        raise typer.Exit(1)
