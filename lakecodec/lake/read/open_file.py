"""Interface of an open data file, common to all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import pyarrow as pa

from ...parquet.legacy_calendar import LegacyCalendar
from .footers import TableFooters
from .late_columns import RowTest
from .parts import Stretch
from .predicate import Name
from .pruning import Lookup


class OpenFile(Protocol):
    """A data file that is open for reading."""

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema of the file."""
        ...

    @property
    def legacy(self) -> LegacyCalendar | None:
        """The calendar of the dates and times in `batches`, None for the Gregorian one."""
        ...

    @property
    def num_row_groups(self) -> int:
        """The number of row groups."""
        ...

    @property
    def group_rows(self) -> list[int]:
        """The number of rows of each row group."""
        ...

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        ...

    def known(self, paths: Sequence[Name]) -> list[Lookup]:
        """Returns one lookup of these columns' statistics per row group."""
        ...

    def stretches(self, columns: Sequence[str], row_groups: Sequence[int]) -> list[Stretch]:
        """Returns row groups in stretches, each worth a call of `batches`; threads may make these calls concurrently."""
        ...

    def batches(
        self,
        columns: Sequence[str],
        row_groups: Sequence[int],
        batch_rows: int,
        *,
        threads: bool,
        test: RowTest | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Returns the rows of a stretch, with ``columns`` in any order and possibly others.

        The call itself reads from a store; the iterator decodes. Batches in which ``test`` finds nothing may be left out.
        """
        ...

    def close(self) -> None:
        """Closes the file."""
        ...


def open_data_file(
    format: str,
    filesystem: Any,
    path: str,
    schema: pa.Schema,
    *,
    verify: bool = False,
    size: int | None = None,
    footers: TableFooters | None = None,
) -> OpenFile:
    """Returns a data file of a table, opened for reading.

    Args:
        format: format of the file.
        filesystem: a pyarrow file system.
        path: path in it.
        schema: Arrow schema of the table.
        verify: True to compare checksums of Parquet pages; those of Mosaic files are always compared.
        size: size of the file in bytes from the table's metadata, which saves a request to a store.
        footers: stored footers, used for files with a size: Parquet files, and Mosaic files of a store.

    Raises:
        DecodeError: the file is broken.
        OSError: the file cannot be read; FileNotFoundError if there is none.
    """
    if format == "mosaic":
        from .mosaic_file import OpenMosaic

        return OpenMosaic(filesystem, path, schema, size, footers)
    from .parquet_file import OpenParquet

    return OpenParquet(filesystem, path, schema, verify=verify, size=size, footers=footers)
