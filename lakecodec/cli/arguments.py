"""Arguments and options of several commands, and parsers of their texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}

SOURCE_FORMAT = typer.Option(None, "--source-format", metavar="NAME", help="Format of the source, as Spark names it.")
SOURCE_OPTION = typer.Option(
    [], "--source-option", metavar="KEY=VALUE", help="An option of Spark's reader, such as sep=';'. May be repeated."
)
WHERE = typer.Option(None, "--where", metavar="SQL", help="Only rows for which this condition holds.")
MASTER = typer.Option("local[*]", "--master", metavar="URL", help="Spark master to connect to.")
QUIET = typer.Option(False, "--quiet", help="Print neither progress nor a summary.")
TARGET_FILE_SIZE = typer.Option(
    None,
    "--target-file-size",
    metavar="SIZE",
    help="Size at which a file is full: a number and B, KB, MiB, ... Default: 128MiB.",
)
ZORDER_BY = typer.Option("", "--zorder-by", metavar="X,Y", help="Columns to cluster by, along a z-order.")
HILBERT_BY = typer.Option(
    "", "--hilbert-by", metavar="X,Y", help="Columns to cluster by, along a Hilbert curve, which skips more."
)
INCLUDE = typer.Option(
    [], "-I", "--include", metavar="DIR", help="Folder to search for included files. May be repeated."
)
ALLOW_EXTERN = typer.Option(
    [],
    "--allow-extern",
    metavar="MODULE",
    help="A Python module whose externs the IDL may use; its code is run. May be repeated.",
)


def allowed_externs(modules: list[str]) -> list[str]:
    """Returns the modules of ``--allow-extern``, and those that the manifest of the project here lists."""
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.manifest import default_manifest, load_manifest

    manifest = default_manifest()
    return [*modules, *(load_manifest(manifest, Diagnostics()).allow_extern if manifest.exists() else [])]


TABLE = typer.Argument(..., help="The directory or URL of a table.")


def choices(names: Iterable[str]) -> dict[str, Any]:
    """Returns arguments of `typer.Option` with which help shows the values of an option, and shells complete them."""
    known = list(names)
    return {
        "metavar": "|".join(known),
        "autocompletion": lambda incomplete: [each for each in known if each.startswith(incomplete)],
    }


def complete_type(ctx: typer.Context, incomplete: str) -> list[str]:
    """Returns the types of the IDL file named so far that begin with ``incomplete``."""
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.parse import parse

    # Arguments before an option without its value are in ``ctx.args`` only.
    paths = [Path(each) for each in (ctx.params.get("idl"), *ctx.args) if each is not None]
    path = next((each for each in paths if each.suffix == ".idl" and each.is_file()), None)
    if path is None:
        return []
    found = parse(path.read_text(encoding="utf-8", errors="replace"), str(path), Diagnostics())
    return [each.name for each in found.definitions if each.name.startswith(incomplete)]


def parse_size(text: str, option: str | None = None) -> int:
    """Returns the bytes of ``128MB``, ``1GiB`` or ``1000``. An error names ``option``."""
    found = re.fullmatch(r"\s*(\d+)\s*([a-zA-Z]*)\s*", text)
    if found is None or found[2].lower() not in _UNITS:
        raise typer.BadParameter(f"a number and B, KB, MB, GB, KiB, MiB or GiB, not {text!r}", param_hint=option)
    return int(found[1]) * _UNITS[found[2].lower()]


def parse_names(text: str) -> list[str]:
    """Returns the names in ``a, b``."""
    return [name.strip() for name in text.split(",") if name.strip()]


def parse_options(texts: list[str], option: str, form: str = "KEY=VALUE") -> dict[str, str]:
    """Returns the pairs in ``KEY=VALUE``. An error names the ``option`` and the ``form`` of its values."""
    found: dict[str, str] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not key or not separator:
            raise typer.BadParameter(f"{form} is needed, not {text!r}", param_hint=option)
        found[key] = value
    return found


TYPE = typer.Option(
    None,
    "--type",
    metavar="TYPE",
    autocompletion=complete_type,
    help="Type of the file: a record, struct or union; module.Type without --idl.",
)
