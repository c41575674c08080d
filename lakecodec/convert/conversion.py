"""Conversion of one file to another format."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Unpack

import pyarrow as pa

from ..runtime.exact import check_function
from ..runtime.progress import Progress, no_progress
from .errors import writing
from .kinds import FileKind, kind_of
from .options import Options, TargetOptions
from .sources import open_source
from .targets import check_schema, open_target

#: The fewest batches per row group if the caller chose its size.
_PARTS = 4


class Conversion:
    """Conversion of one file to another; the extensions of the names determine the formats.

    An object holds options only and may be run more than once.

    Args:
        source: paths of local files.
        target: paths of local files.
        columns: names of the columns to convert, in this order; None for all.
        delimiter: one ASCII character between the columns of a CSV source; None: the first of comma, semicolon and tab
            that occurs in its header.
        options: fields of `TargetOptions`.

    Raises:
        ValueError: a name has no known extension, or an option is invalid for the target's format.
        TypeError: ``columns`` is a single str, or an option has the wrong type.
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
        for name, path in (("source", self.source), ("target", self.target)):
            if "://" in path:
                raise ValueError(f"{name}: {path!r} is a URL; convert a local copy of the file")
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

        A few batches are in memory at a time, in addition to a row group of the source and of the target. The target is
        written to a temporary file in the same directory, which replaces ``target`` once it is complete; after an error
        ``target`` is unchanged.

        Args:
            progress: called with the current step ("Reading types" or "Converting"), the rows done so far, and the
                total number of rows or None.

        Raises:
            DecodeError: the source is invalid.
            EncodeError: a value cannot be stored in the target's format.
            KeyError: the source does not have a column.
            ValueError: the source has two columns of the same name, or the target's format cannot store a column;
                nothing has been written.
            OSError: a file cannot be read or written.
            TypeError: ``progress`` is no function of three values.
        """
        report = no_progress if progress is None else progress
        check_function("progress", report, "", 0, None)
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
    """Converts a file to another format and returns the number of rows.

    Args:
        source: as in `Conversion`.
        target: as in `Conversion`.
        columns: as in `Conversion`.
        delimiter: as in `Conversion`.
        options: as in `Conversion`.
        progress: as in `Conversion.run`.

    Raises:
        DecodeError, EncodeError, KeyError, ValueError, TypeError, OSError: as in `Conversion` and `Conversion.run`.
    """
    return Conversion(source, target, columns=columns, delimiter=delimiter, **options).run(progress)


def _parts(batch: pa.RecordBatch, row_group_bytes: int | None) -> Iterator[pa.RecordBatch]:
    """Yields slices of a batch that are small enough for row groups, which consist of whole slices, to have the chosen size."""
    rows = batch.num_rows
    if row_group_bytes is not None:
        rows = max(1, min(rows, rows * row_group_bytes // (_PARTS * max(1, batch.nbytes))))
    for start in range(0, batch.num_rows, max(1, rows)):
        yield batch.slice(start, rows)


@contextmanager
def replacing(path: str) -> Iterator[str]:
    """Yields the path of a temporary file, which replaces the file at ``path`` unless an exception ends the block.

    Raises:
        IsADirectoryError: ``path`` is a directory.
        FileNotFoundError: the parent directory does not exist.
    """
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
