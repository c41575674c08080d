"""Interface of a data file format, and the slicing of rows for its writers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class WriterOptions:
    """Options of a data file writer.

    Attributes:
        row_group_bytes: bytes of Arrow data after which a row group ends.
        stats_columns: names of columns with statistics; None for the first ones.
        shredding: True if fields of variants get columns of their own.
    """

    row_group_bytes: int
    stats_columns: tuple[str, ...] | None = None
    shredding: bool = False


class DataFileWriter(Protocol):
    """Writer of one data file."""

    @property
    def size(self) -> int:
        """The size of the file in bytes: estimated while it is open, exact once it is closed."""
        ...

    @property
    def tags(self) -> dict[str, str]:
        """The file's ``add.tags``; complete once the file is closed."""
        ...

    def write(self, data: pa.Table) -> None:
        """Appends rows, which have the file's schema."""
        ...

    def close(self) -> str:
        """Completes the file and returns its statistics as JSON, as in ``add.stats``."""
        ...

    def abort(self) -> None:
        """Closes open files without completing them. A partial file may stay."""
        ...


class FileFormat(Protocol):
    """A data file format.

    Attributes:
        name: the format's provider name in the log, and its name for the user.
        suffix: suffix of file names.
    """

    name: str
    suffix: str

    def check_schema(self, schema: pa.Schema) -> None:
        """Raises ValueError, which names the columns, if the format lacks some of the types."""
        ...

    def open_writer(self, filesystem: Any, path: str, schema: pa.Schema, options: WriterOptions) -> DataFileWriter:
        """Returns a writer of a new file at ``path`` of a pyarrow file system.

        Raises:
            OSError: the file cannot be created.
        """
        ...


_SLICES_PER_ROW_GROUP = 4


def slices(data: pa.Table, row_group_bytes: int) -> Iterator[pa.Table]:
    """Yields ``data`` in slices of at least one row and about a quarter of ``row_group_bytes`` of Arrow data."""
    most = row_group_bytes * data.num_rows // (_SLICES_PER_ROW_GROUP * max(1, data.nbytes))
    step = max(1, most)
    for start in range(0, data.num_rows, step):
        yield data.slice(start, step)
