"""ORC data files, read and written by pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyarrow import orc

from ..lake.read.late_columns import RowTest
from ..lake.read.parts import Stretch
from ..lake.read.predicate import Name
from ..lake.read.pruning import Lookup
from ..lake.read.remote import as_file, remote_reader
from ..runtime.errors import DecodeError

#: The most bytes of a remote file that is fetched whole: pyarrow does not expose the offsets of stripes.
_WHOLE = 32 << 20


class OpenOrc:
    """Open ORC file, see `lake.read.open_file.OpenFile`; its stripes are the row groups."""

    legacy = None

    def __init__(self, filesystem: Any, path: str, size: int) -> None:
        self._path = path
        remote = remote_reader(filesystem, path, size)
        if remote is None:
            self._source = filesystem.open_input_file(path)
        else:
            self._source = as_file(remote.with_spans([(0, size)]) if size <= _WHOLE else remote)
        self._size = size
        try:
            self._file = orc.ORCFile(self._source)
        except (pa.ArrowInvalid, OSError) as error:
            raise DecodeError(str(error), format="orc", path=path) from None

    @property
    def schema(self) -> pa.Schema:
        return self._file.schema

    @property
    def num_row_groups(self) -> int:
        return int(self._file.nstripes)

    @property
    def group_rows(self) -> list[int]:
        return [self._file.read_stripe(stripe, []).num_rows for stripe in range(self.num_row_groups)]

    @property
    def num_rows(self) -> int:
        return int(self._file.nrows)

    def known(self, paths: Sequence[Name]) -> list[Lookup]:
        """Returns no statistics for each stripe: pyarrow does not read them."""
        return [_nothing] * self.num_row_groups

    def stretches(self, columns: Sequence[str], row_groups: Sequence[int]) -> list[Stretch]:
        """Returns 1: pyarrow reads a file in one thread at a time."""
        return [Stretch(list(row_groups), self._size)]

    def batches(
        self,
        columns: Sequence[str],
        row_groups: Sequence[int],
        batch_rows: int,
        *,
        threads: bool,
        test: RowTest | None = None,
    ) -> Iterator[pa.RecordBatch]:
        for stripe in row_groups:
            try:
                found = self._file.read_stripe(stripe, list(columns))
            except (pa.ArrowInvalid, OSError) as error:
                raise DecodeError(str(error), format="orc", path=self._path) from None
            for start in range(0, found.num_rows, batch_rows):
                yield found.slice(start, batch_rows)

    def close(self) -> None:
        self._source.close()


def _nothing(_: Name) -> None:
    return None


class OrcWriter:
    """Writer of an ORC file, see `lake.files.base.DataFileWriter`."""

    def __init__(self, filesystem: Any, path: str) -> None:
        self._sink = filesystem.open_output_stream(path)
        self._writer = orc.ORCWriter(self._sink, compression="zstd")

    @property
    def size(self) -> int:
        return int(self._sink.tell())

    def write(self, data: pa.Table) -> None:
        self._writer.write(data)

    def close(self) -> None:
        self._writer.close()
        self._sink.close()

    def abort(self) -> None:
        self._sink.close()
