"""What a scan asks of an open data file, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import pyarrow as pa

from .predicate import Name
from .pruning import Lookup


class OpenFile(Protocol):
    """A data file that is open for reading."""

    @property
    def schema(self) -> pa.Schema:
        """Its columns."""
        ...

    @property
    def num_row_groups(self) -> int:
        """How many row groups it has."""
        ...

    @property
    def num_rows(self) -> int:
        """How many rows it has."""
        ...

    def known(self, paths: Sequence[Name]) -> list[Lookup]:
        """What statistics say of columns, for each row group."""
        ...

    def batches(
        self, columns: Sequence[str], row_groups: Sequence[int], batch_rows: int, *, threads: bool
    ) -> Iterator[pa.RecordBatch]:
        """The rows of some row groups; ``columns`` are there in any order, perhaps among others."""
        ...

    def close(self) -> None:
        """Closes what was opened."""
        ...


def open_data_file(format: str, filesystem: Any, path: str, schema: pa.Schema, *, verify: bool = False) -> OpenFile:
    """Opens a file of a table; ``schema`` is the table's. With ``verify``, checksums of pages are compared (Mosaic's always).

    Raises:
        DecodeError: it is broken.
        OSError: it cannot be read; FileNotFoundError where there is none.
    """
    if format == "mosaic":
        from .mosaic_file import OpenMosaic

        return OpenMosaic(filesystem, path, schema)
    from .parquet_file import OpenParquet

    return OpenParquet(filesystem, path, schema, verify=verify)
