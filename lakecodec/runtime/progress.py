"""Progress of work on rows: to a function, or as a bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

#: A function called with (what is being done, rows done so far, number of all rows or None if unknown).
Progress: TypeAlias = Callable[[str, int, int | None], None]


def no_progress(stage: str, done: int, total: int | None) -> None:
    """Discards a progress report."""


@contextmanager
def progress_bar(*, shown: bool) -> Iterator[Progress]:
    """Yields a function that draws a bar on standard error if ``shown`` and that is a terminal, and else does nothing."""
    if not shown or not sys.stderr.isatty():
        yield no_progress
        return
    from rich import progress as rich
    from rich.console import Console

    console = Console(stderr=True)
    columns = (rich.SpinnerColumn(), rich.TextColumn("{task.description}"), rich.BarColumn(), rich.MofNCompleteColumn())
    with rich.Progress(*columns, rich.TextColumn("rows"), rich.TimeElapsedColumn(), console=console) as progress:
        bar = progress.add_task("Opening", total=None)

        def report(stage: str, done: int, total: int | None) -> None:
            progress.update(bar, description=stage, completed=done, total=total)

        yield report
