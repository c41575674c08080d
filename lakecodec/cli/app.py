"""The Typer application, and what errors look like on a terminal."""

from __future__ import annotations

import os
import sys
import traceback

import typer

from lakecodec import __version__
from lakecodec.runtime.errors import CodecError
from lakecodec.runtime.native import ENABLED, backend, failures, not_built, slow_notice

from . import compiler, convert, formats, lake, scan

app = typer.Typer(
    name="lakecodec",
    help="Codecs generated from specs: compile IDL files, look into files, convert them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(value: bool) -> None:
    if value:
        missing = failures() if ENABLED else {}
        typer.echo(f"lakecodec {__version__} ({backend()})")
        if missing:
            typer.echo(slow_notice(list(missing)))
        for name, reason in missing.items():
            typer.echo(f"  {name}: {reason}")
        raise typer.Exit


def _warn_of_slow_build(context: typer.Context) -> None:
    """Says on stderr that the build is slow, unless help is asked for or LAKECODEC_PURE=1 chose it."""
    if ENABLED and not context.resilient_parsing and (missing := not_built()):
        typer.echo(f"lakecodec: {slow_notice(missing)}", err=True)


@app.callback()
def options(
    context: typer.Context,
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Codecs generated from specs."""
    if debug:
        os.environ["LAKECODEC_DEBUG"] = "1"
    if not {"-h", "--help"} & set(sys.argv):
        _warn_of_slow_build(context)


compiler.add_to(app)
formats.add_to(app)
convert.add_to(app)
lake.add_to(app)
scan.add_to(app)


def run(arguments: list[str] | None = None) -> int:
    """The exit code of a call: 0 fine, 1 the check failed or the data is bad, 2 wrong usage."""
    try:
        app(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except (CodecError, ImportError, OSError, ValueError, KeyError) as error:
        if os.environ.get("LAKECODEC_DEBUG") == "1":
            traceback.print_exc()
        else:
            typer.echo(f"lakecodec: {_message(error)}", err=True)
        return 1
    return 0


def _message(error: Exception) -> str:
    if isinstance(error, KeyError) and error.args:
        return str(error.args[0])
    return str(error) or type(error).__name__
