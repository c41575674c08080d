"""Terminal output of an ingest: progress bars while Spark works, and a summary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

from ...lake.writing.messages import DataFile
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
        partitions = len({tuple(file.partition_values.items()) for file in files})
        rows = sum(file.rows for file in files)
        self._console.print(
            f"version {info.version}: {rows:,} rows in {_counted(len(files), 'file')}, {_counted(partitions, 'partition')}, "
            f"{_size(sum(file.size for file in files))}, {seconds:.1f} s",
            highlight=False,
        )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if number < 1000:
            return f"{number:,.0f} {unit}" if unit == "B" else f"{number:,.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"
