"""The line that a write prints when it is done."""

from __future__ import annotations

from collections.abc import Sequence

from ..log import CommitInfo
from .messages import DataFile


def summary(info: CommitInfo, files: Sequence[DataFile], seconds: float) -> str:
    """Returns one line: version, rows, files, partitions, bytes and seconds."""
    partitions = len({tuple(file.partition_values.items()) for file in files})
    rows = sum(file.rows for file in files)
    return (
        f"version {info.version}: {rows:,} rows in {_counted(len(files), 'file')}, {_counted(partitions, 'partition')}, "
        f"{_size(sum(file.size for file in files))}, {seconds:.1f} s"
    )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if number < 1000:
            return f"{number:,.0f} {unit}" if unit == "B" else f"{number:,.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"
