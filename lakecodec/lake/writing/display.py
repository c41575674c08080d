"""Progress of a write or a change, for the caller's function or a bar, and its summary."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from threading import Lock
from typing import Any

import pyarrow as pa

from ...runtime.exact import check_function
from ...runtime.progress import Progress, no_progress, progress_bar
from ..log import CommitInfo
from .messages import DataFile
from .summary import summary


class Display:
    """Progress of one call, which is shown within its context.

    Args:
        progress: True for a bar, on a terminal, and a summary, both on standard error; a function that is called with what is
            being done, the rows that it is done for, and how many there are, None where that is not known; False for neither.

    Raises:
        TypeError: another value.
    """

    def __init__(self, progress: Any) -> None:
        if not isinstance(progress, bool):
            check_function("progress", progress, "", 0, None, or_="True, False or ")
        self._given = progress
        self._started = time.monotonic()
        self._bar = ExitStack()
        self._lock = Lock()
        #: A function called with (name of a step, rows done so far, number of all rows).
        self.report: Progress = no_progress if isinstance(progress, bool) else progress

    def __enter__(self) -> None:
        if self._given is True:
            self.report = self._bar.enter_context(progress_bar(shown=True))

    def __exit__(self, *error: object) -> None:
        self._bar.close()

    def step(self, name: str, total: int | None = None) -> Callable[[int], None]:
        """Returns a thread-safe function that is called with the number of rows for which a step is done."""
        done = 0

        def add(rows: int) -> None:
            nonlocal done
            with self._lock:
                done += rows
                self.report(name, done, total)

        add(0)
        return add

    def counted(
        self, name: str, batches: Iterable[pa.RecordBatch], total: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yields batches. Each counts as done when the next one is requested."""
        add = None
        for batch in batches:  # the step begins after the work for the first batch
            add = add or self.step(name, total)
            yield batch
            add(batch.num_rows)

    def summary(self, info: CommitInfo, files: Sequence[DataFile]) -> None:
        """Prints version, rows, files, partitions, bytes and seconds in one line."""
        if self._given is True:
            print(summary(info, files, time.monotonic() - self._started), file=sys.stderr)
