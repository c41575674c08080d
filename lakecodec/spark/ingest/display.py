"""Terminal output of an ingest: progress bars while Spark works, and a summary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

from ...lake.writing.messages import DataFile
from ...lake.writing.summary import summary
from ..progress import run_with_progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ...lake.log import CommitInfo

T = TypeVar("T")


class Display:
    """Progress display on standard error; silent unless enabled."""

    def __init__(self, spark: SparkSession, *, enabled: bool) -> None:
        self._spark = spark
        self._console = Console(stderr=True) if enabled else None

    def run(self, description: str, action: Callable[[], T]) -> T:
        """Returns the result of ``action``, which runs Spark jobs, and shows their progress meanwhile."""
        if self._console is None:
            return action()
        if getattr(self._spark, "_sc", None) is None:  # Spark Connect has no status tracker
            with self._console.status(description):
                return action()
        return run_with_progress(self._spark, description, action, console=self._console)

    def summary(self, info: CommitInfo, files: Sequence[DataFile], seconds: float) -> None:
        """Prints one line: version, rows, files, partitions, bytes and seconds."""
        if self._console is None:
            return
        self._console.print(summary(info, files, seconds), highlight=False)
