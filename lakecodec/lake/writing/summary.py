"""The line that a write prints when it is done."""

from __future__ import annotations

from collections.abc import Sequence

from ..log import CommitInfo
from .messages import DataFile

#: Metrics of changes, and what was done to their rows.
_CHANGES = {"numDeletedRows": "deleted", "numUpdatedRows": "updated", "numTargetRowsMatched": "matched"}


def summary(info: CommitInfo, files: Sequence[DataFile], seconds: float) -> str:
    """Returns one line: version, changed rows if any, rows written, files, partitions, bytes and seconds."""
    partitions = len({tuple(file.partition_values.items()) for file in files})
    rows = sum(file.rows for file in files)
    written = f"{_counted(rows, 'row')} written in {_counted(len(files), 'file')}, {_counted(partitions, 'partition')}"
    return (
        f"version {info.version}: {_changed(info)}{written}, {_size(sum(file.size for file in files))}, {seconds:.1f} s"
    )


def _changed(info: CommitInfo) -> str:
    """Returns the numbers of rows that a change deleted, updated or matched, as the start of a line."""
    changes = [(info.metrics.get(name), word) for name, word in _CHANGES.items()]
    return "".join(f"{_counted(number, 'row')} {word}, " for number, word in changes if number)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if number < 1000:
            return f"{number:,.0f} {unit}" if unit == "B" else f"{number:,.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"
