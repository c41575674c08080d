"""Arguments and options of several commands, and parsers of their texts."""

from __future__ import annotations

import re
from typing import Any

import typer

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}

SOURCE_FORMAT = typer.Option(None, "--source-format", help="Spark's name of the source's format.")
SOURCE_OPTION = typer.Option(
    [], "--source-option", metavar="KEY=VALUE", help="An option of Spark's reader, such as sep=';'. May be repeated."
)
WHERE = typer.Option(None, "--where", metavar="SQL", help="Only the rows for which this holds.")
MASTER = typer.Option("local[*]", "--master", help="Where Spark runs.")
QUIET = typer.Option(False, "--quiet", help="No progress, no summary.")
STORAGE_OPTION = typer.Option(
    [], metavar="KEY=VALUE", help="An option of the client for a table's object store. May be repeated."
)
ALLOW_EXTERN = typer.Option(
    [],
    "--allow-extern",
    metavar="MODULE",
    help="A Python module whose externs the IDL may name: its code runs. May be repeated.",
)
#: The options that `lakecodec --storage-option` was given.
_storage_options: dict[str, str] = {}


def use_storage_options(texts: list[str]) -> None:
    """Keeps options of object stores for the command that follows."""
    _storage_options.clear()
    _storage_options.update(parse_options(texts, "--storage-option"))


def table_argument(help: str) -> Any:
    """Returns an argument of a command: a table's path or URL, with the options of its store."""

    def located(path: str) -> str:
        if not _storage_options:
            return path
        from lakecodec.pipeline.log.storage import StoreUrl, storage_option

        return StoreUrl(path, **{name: storage_option(text) for name, text in _storage_options.items()})

    return typer.Argument(..., callback=located, help=help)


def allowed_externs(modules: list[str]) -> list[str]:
    """Returns the modules of ``--allow-extern``, and those that the manifest of the project here lists."""
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.manifest import default_manifest, load_manifest

    manifest = default_manifest()
    return [*modules, *(load_manifest(manifest, Diagnostics()).allow_extern if manifest.exists() else [])]


TABLE = table_argument("The directory or URL of a table.")


def parse_size(text: str, option: str | None = None) -> int:
    """Bytes of ``128MB``, ``1GiB`` or ``1000``, given for ``option`` if an error is to name it."""
    found = re.fullmatch(r"\s*(\d+)\s*([a-zA-Z]*)\s*", text)
    if found is None or found[2].lower() not in _UNITS:
        raise typer.BadParameter(f"a number and B, KB, MB, GB, KiB, MiB or GiB, not {text!r}", param_hint=option)
    return int(found[1]) * _UNITS[found[2].lower()]


def parse_names(text: str) -> list[str]:
    """Returns the names in ``a, b``."""
    return [name.strip() for name in text.split(",") if name.strip()]


def parse_options(texts: list[str], option: str, form: str = "KEY=VALUE") -> dict[str, str]:
    """Returns the pairs in ``KEY=VALUE``; an error names the ``option`` that they were given for, and their ``form``."""
    found: dict[str, str] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not key or not separator:
            raise typer.BadParameter(f"{form} is needed, not {text!r}", param_hint=option)
        found[key] = value
    return found
