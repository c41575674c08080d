"""What the pipeline asks of a format of data files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class WriterOptions:
    """How to write a data file.

    Attributes:
        row_group_bytes: of Arrow data, after which a row group ends.
        stats_columns: names of columns with statistics, None for the first ones.
    """

    row_group_bytes: int
    stats_columns: tuple[str, ...] | None = None


class DataFileWriter(Protocol):
    """Writes one data file."""

    @property
    def size(self) -> int:
        """Bytes of the file if it was closed now, estimated."""
        ...

    def write(self, data: pa.Table) -> None:
        """Appends rows, which have the file's schema."""
        ...

    def close(self) -> str:
        """Completes the file; returns its statistics as the log holds them."""
        ...

    def abort(self) -> None:
        """Gives the file up and closes what is open; the file may stay, in parts."""
        ...


class FileFormat(Protocol):
    """A format of data files.

    Attributes:
        name: as the log and the user say it.
        suffix: that file names end with.
    """

    name: str
    suffix: str

    def check_schema(self, schema: pa.Schema) -> None:
        """ValueError that names the columns which files of the format cannot hold."""
        ...

    def open_writer(self, filesystem: Any, path: str, schema: pa.Schema, options: WriterOptions) -> DataFileWriter:
        """A writer of a new file at ``path`` of a pyarrow file system. OSError where it cannot be made."""
        ...
