"""One file made of another."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TypeAlias, Unpack

import pyarrow as pa

from .errors import writing
from .kinds import FileKind, kind_of
from .options import Options, TargetOptions
from .sources import open_source
from .targets import check_schema, open_target

#: Called with what is being done, the rows that it is done for, and how many rows there are, if that is known.
Progress: TypeAlias = Callable[[str, int, int | None], None]

#: At least as many batches make a row group of an asked-for size.
_PARTS = 4


class Conversion:
    """A file to be made of another; the formats are those of the names.

    Args:
        source, target: paths of local files.
        columns: names of the columns to convert, in this order; None for all.
        delimiter: between the columns of a CSV source; None: comma, semicolon or tab, the first that its header has.
        options: those of `TargetOptions`.

    Raises:
        ValueError: a name that tells no format, or an option that the target's format does not have.
        TypeError: an option of a wrong type.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        target: str | os.PathLike[str],
        *,
        columns: Sequence[str] | None = None,
        delimiter: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        self.source, self.target = os.fspath(source), os.fspath(target)
        self._source_kind, self._target_kind = kind_of(self.source), kind_of(self.target)
        if isinstance(columns, str):
            raise TypeError(f"columns: a list of names is needed, not {columns!r}")
        self._columns = columns
        if delimiter is not None and self._source_kind != FileKind.CSV:
            raise ValueError(f"delimiter: only CSV files have one, the source is {self._source_kind.value}")
        if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter.encode()) != 1):
            raise ValueError(f"delimiter: one ASCII character is needed, not {delimiter!r}")
        self._delimiter = delimiter
        self._options = TargetOptions(**options)
        self._options.check(self._target_kind)

    def run(self, progress: Progress | None = None) -> int:
        """Converts the file and returns the number of rows.

        A few batches are held at a time, besides a row group of the source and of the target. The target shows the new
        file once it is whole, and until then, or if that fails, the old one or none.

        Raises:
            DecodeError: the source is broken.
            EncodeError: a value that the target cannot hold.
            KeyError: an unknown column.
            ValueError: columns that the target cannot hold; nothing has been written then.
            OSError: a file cannot be read or written.
        """
        report = progress or _ignore
        opened = open_source(
            self.source,
            self._source_kind,
            self._columns,
            lambda rows: report("Reading types", rows, None),
            self._delimiter,
        )
        done = 0
        with closing(opened) as source:
            check_schema(self._target_kind, source.schema)
            with replacing(self.target) as temporary, writing(self._target_kind, self.target):
                target = open_target(temporary, self._target_kind, source.schema, self._options)
                try:
                    for batch in source.batches():
                        for part in _parts(batch, self._options.row_group_bytes):
                            target.write(part)
                        done += batch.num_rows
                        report("Converting", done, source.num_rows)
                    target.close()
                except BaseException:
                    target.abort()
                    raise
        return done


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    delimiter: str | None = None,
    **options: Unpack[Options],
) -> int:
    """Makes a file of another and returns the number of rows; arguments and errors are those of `Conversion`."""
    return Conversion(source, target, columns=columns, delimiter=delimiter, **options).run(progress)


def _parts(batch: pa.RecordBatch, row_group_bytes: int | None) -> Iterator[pa.RecordBatch]:
    """A batch in parts small enough for row groups, which consist of whole batches, to have about their size."""
    rows = batch.num_rows
    if row_group_bytes is not None:
        rows = max(1, min(rows, rows * row_group_bytes // (_PARTS * max(1, batch.nbytes))))
    for start in range(0, batch.num_rows, max(1, rows)):
        yield batch.slice(start, rows)


@contextmanager
def replacing(path: str) -> Iterator[str]:
    """A path to write to, whose file takes the place of the one at ``path`` unless an exception ends the block."""
    path = os.path.realpath(path)
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path!r} is a directory")
    folder, name = os.path.split(path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder!r} for {name!r}")
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _ignore(stage: str, done: int, total: int | None) -> None:
    """Nobody watches."""
