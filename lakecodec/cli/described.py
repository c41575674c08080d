"""Files of other languages where a command takes IDL files: .ksy and .proto files are imported for the command."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import typer

_SUFFIXES = (".ksy", ".proto")


def as_idl(value: Any) -> Any:
    """Returns the path of the IDL imported from a .ksy or .proto file, also in a list. Other values are returned
    unchanged."""
    if isinstance(value, list | tuple):
        return type(value)(as_idl(each) for each in value)
    if value is None or Path(value).suffix.lower() not in _SUFFIXES or not Path(value).is_file():
        return value
    from lakecodec.importing import import_idl

    made = import_idl(value)
    folder = _folder() / str(len(list(_folder().iterdir())))
    for name, text in made.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    if made.notes:
        what = "1 note" if len(made.notes) == 1 else f"{len(made.notes)} notes"
        typer.echo(f"{value}: the IDL cannot express all of it, {what}; see lakecodec import", err=True)
    return type(value)(folder / made.file)


@cache
def _folder() -> Path:
    found = Path(tempfile.mkdtemp(prefix="lakecodec-"))
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    return found


IDL = typer.Option(
    None,
    "--idl",
    metavar="FILE",
    callback=as_idl,
    help="IDL, .ksy or .proto file that declares the type. Default: the format is recognised by its magic.",
)
