"""Output of commands: tables for people, JSON for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from lakecodec.pipeline import CommitInfo

T = TypeVar("T")

#: The progress bars on the terminal.
_bars: list[Progress] = []

#: The width of a table if the output is not a terminal: nothing is cut.
_UNLIMITED = 1_000_000

JSON = typer.Option(False, "--json", help="Print JSON, for programs.")


def is_terminal() -> bool:
    """Returns whether standard output is a terminal."""
    return sys.stdout.isatty()


def console() -> Console:
    """Returns a console as wide as the terminal, or as wide as the output if it is no terminal. It obeys NO_COLOR."""
    from rich.console import Console

    class Piped(Console):
        """A console that leaves the end of a pipe to the command line."""

        def on_broken_pipe(self) -> None:
            raise

    return Console() if is_terminal() else Piped(width=_UNLIMITED, soft_wrap=True)


def progress(items: Sequence[T], done: str) -> Iterator[T]:
    """Yields items. Draws a bar on standard error if there are several items and it is a terminal; bars can be
    nested."""
    if len(items) < 2 or not sys.stderr.isatty():
        yield from items
        return
    outer = _bars[-1] if _bars else None
    shown = _new_bars() if outer is None else outer
    _bars.append(shown)
    task = shown.add_task(done, total=len(items))
    if outer is None:
        shown.start()
    try:
        for each in items:
            yield each
            shown.advance(task)
    finally:
        _bars.pop()
        shown.remove_task(task)
        if outer is None:
            shown.stop()


def _new_bars() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)


def print_json(value: Any) -> None:
    """Prints one JSON document: bytes as hexadecimal digits, times in ISO 8601, decimals and NaN as text."""
    typer.echo(json.dumps(plain(value), indent=2, ensure_ascii=False))


def print_commit(info: CommitInfo, as_json: bool) -> None:
    """Prints the version that a command made."""
    if as_json:
        print_json(info)
    else:
        typer.echo(f"version {info.version}")


def plain(value: Any) -> Any:
    """Returns a value made of JSON's types."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value.hex()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    isoformat = getattr(value, "isoformat", None)
    return isoformat() if callable(isoformat) else str(value)
