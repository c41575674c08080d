"""Column chunks of many files as one Arrow table, decoded without a Python object for each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..generated import parquet_file
from ..runtime.errors import DecodeError
from ..runtime.file_tails import Tails
from ..runtime.limits import DEFAULT_LIMITS, Limits
from ..runtime.ranges import TAIL_SIZE, TailCache
from ..runtime.source_types import SourcesLike
from ..runtime.suggest import no_such
from .buffer_pool import FILES, give_room, take_room
from .errors import relocated
from .footer import Footer, find_footer, read_footer
from .footers import find_metadata
from .leaf_types import text_bounds
from .metadata import decode_footer
from .schema import leaves
from .sources import Source, expand
from .threads import map_threads

if TYPE_CHECKING:
    import pyarrow as pa

#: Local files whose ends are read by one call.
_RUN = 16
#: Columns that the file list gives, not the footers.
_FILE, _ERROR = "file", "error"
#: The decoder's column that says which footer a row is from.
_SOURCE = "source"
_PATH = "path"

COLUMNS = (_FILE, *(column.name for column in parquet_file.column_chunks.columns if column.name != _SOURCE))


def column_chunks(
    sources: SourcesLike,
    *,
    columns: Iterable[str] | None = None,
    fields: Iterable[str] | None = None,
    typed: bool = False,
    errors: Literal["raise", "column"] = "raise",
    limits: Limits | None = None,
    threads: int | None = None,
    filesystem: Any = None,
) -> pa.Table:
    """Returns a ``pyarrow.Table`` with one row per column chunk, in the order of files, row groups and columns.

    Columns: ``file`` (string; null for a source without a name), ``row_group`` and ``column`` (int32 positions),
    ``path`` (dotted path), ``physical_type`` and ``codec`` (string), ``encodings`` (list of string), counts, sizes and
    offsets of the ColumnMetaData in parquet.thrift and of its Statistics (int64, in values and bytes), ``min`` and
    ``max`` (binary, the encoded ``min_value`` and ``max_value``), and ``num_rows`` of the row group (int64).

    Args:
        sources: as in `read_metadatas`.
        columns: dotted paths of the only Parquet columns to return rows for; None for all.
        fields: names of the only columns of the table, in this order; `COLUMNS` has all names.
        typed: if True, ``min`` and ``max`` are text (string): values by logical type, binary ones in hex.
        errors: "raise" raises the error of a file that fails. "column" adds the column ``error`` (string) and
            returns one row for each file that fails, in which only ``file`` and ``error`` are set.
        limits: limits on nesting depth and number of elements of each footer; None for ``Limits()``.
        threads: number of threads that read files; None: several per processor if the first files are slow to read,
            else no extra threads.
        filesystem: the pyarrow or fsspec file system that the sources are paths in.

    Raises:
        DecodeError, OSError: a file is invalid or cannot be read, unless ``errors`` is "column".
        KeyError: ``columns`` has a path that no file has, or ``fields`` a name that is not a column of the table.
        ValueError: ``errors`` is another string, ``fields`` has a name twice, or ``threads`` is less than 1.
        TypeError: ``columns`` or ``fields`` is a single str.
    """
    import pyarrow as pa

    from ..runtime.parallel import map_ahead, workers

    if errors not in ("raise", "column"):
        raise ValueError(f"errors: 'raise' or 'column' is needed, not {errors!r}")
    names = _names(fields, errors)
    wanted = _Wanted(columns, limits)
    files = expand(sources, filesystem)
    # Files that share a room are read together, and decoded in another thread while the next ones are read.
    # No file at all is one empty batch: the table has its columns all the same.
    batches = [files[start : start + FILES] for start in range(0, max(1, len(files)), FILES)]
    reads = _Reads()
    readings = (_read_batch(batch, errors, threads, reads) for batch in batches)
    tables = map_ahead(
        lambda reading: _batch_table(reading, names, wanted, errors, limits, typed),
        readings,
        workers() if len(batches) > 1 else None,
        1 + (os.cpu_count() or 1),
    )
    done = list(tables)
    wanted.check()
    return pa.concat_tables(done)


def _names(fields: Iterable[str] | None, errors: str) -> list[str]:
    """Returns the names of the table's columns; "error" is added if errors are reported in a column."""
    if isinstance(fields, str):
        raise TypeError("fields: an iterable of column names, not one str")
    known = (*COLUMNS, _ERROR) if errors == "column" else COLUMNS
    names = list(known if fields is None else fields)
    for name in names:
        if name not in known:
            raise KeyError(f"fields: {no_such(name, known)}")
    if len(set(names)) < len(names):
        raise ValueError("fields: a column is named twice")
    return names if errors == "raise" or _ERROR in names else [*names, _ERROR]


class _Wanted:
    """Set of the paths that ``columns`` names; tracks which of them no file has had so far."""

    def __init__(self, columns: Iterable[str] | None, limits: Limits | None) -> None:
        if isinstance(columns, str):
            raise TypeError("columns: an iterable of dotted paths, not one str")
        self.paths = None if columns is None else frozenset(columns)
        self._unseen = set(self.paths or ())
        self._limits = limits

    def look(self, table: pa.Table, footers: Iterable[Footer]) -> None:
        """Marks the paths that the files have as found. Footers that cannot be decoded are skipped."""
        if self._unseen:
            self._unseen.difference_update(table[_PATH].unique().to_pylist())
        # A file without row groups has columns all the same.
        for footer in footers:
            if not self._unseen:
                return
            try:
                schema = decode_footer(footer, fields=("schema",), limits=self._limits).schema
                self._unseen.difference_update(path for path, _ in leaves(schema))
            except DecodeError:
                continue

    def check(self) -> None:
        """Raises KeyError if a path was found in no file."""
        if self._unseen:
            raise KeyError(f"columns: no file has a column {sorted(self._unseen)[0]!r}")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A batch of files whose footers were read.

    Attributes:
        files: the sources of the batch.
        numbers: positions in ``files`` of those whose footers were found.
        metadata: the encoded FileMetaData of each of these.
        footer: returns the `Footer` of the file at a position.
        failed: errors of the other files by position.
        done: releases the buffer; called once the footers are no longer used.
    """

    files: Sequence[Source]
    numbers: list[int]
    metadata: list[Any]
    footer: Callable[[int], Footer]
    failed: dict[int, Exception]
    done: Callable[[], None]


class _Reads:
    """Number of bytes to read at the end of each local file, adapted to the longest footer found so far."""

    def __init__(self) -> None:
        self._longest = 0

    @property
    def length(self) -> int:
        return min(TAIL_SIZE, self._longest + self._longest // 4) or TAIL_SIZE

    def found(self, longest: int) -> None:
        """Records the number of bytes that the longest footer of some files takes at the end of its file."""
        self._longest = max(self._longest, longest)


def _read_batch(files: Sequence[Source], errors: str, threads: int | None, reads: _Reads) -> _Reading:
    """Reads the footers of a batch of files into one buffer of the pool."""
    room = take_room()

    def attempt(find: Callable[..., Footer], *arguments: Any) -> Footer | Exception:
        try:
            return find(*arguments)
        except (DecodeError, OSError) as error:
            if errors == "raise":
                raise
            return error

    def read(number: int) -> Footer | Exception:
        return attempt(_read_one, files[number], room.part(number))

    tails: Tails | None = None
    found: list[Any]
    if all(file.is_local for file in files):
        tails = _read_tails(files, room.part(0, len(files)), reads.length, threads)
        metadata, longest = find_metadata(tails)
        reads.found(longest)
        found = [attempt(_found, tails[number]) if each is None else each for number, each in enumerate(metadata)]
    else:
        found = map_threads(read, range(len(files)), threads)

    def footer(number: int) -> Footer:
        known = found[number]
        if isinstance(known, Footer):
            return known
        assert tails is not None
        return _found(tails[number])

    failed = {number: error for number, error in enumerate(found) if isinstance(error, Exception)}
    numbers = [number for number in range(len(found)) if number not in failed]
    footers = (found[number] for number in numbers)
    metadata = [each.metadata if isinstance(each, Footer) else each for each in footers]
    return _Reading(files, numbers, metadata, footer, failed, lambda: give_room(room))


def _read_tails(files: Sequence[Source], room: memoryview, length: int, threads: int | None) -> Tails:
    """Reads the tails of local files, several files per call."""
    tails = Tails([file.value for file in files], room, length)

    def read(start: int) -> None:
        tails.read(start, min(_RUN, len(files) - start))

    map_threads(read, range(0, len(files), _RUN), threads, weight=_RUN)
    return tails


def _read_one(source: Source, room: memoryview) -> Footer:
    """Reads the footer of one source of any kind."""
    with source.open() as ranges:
        return read_footer(ranges, room)


def _found(tail: TailCache | Exception) -> Footer:
    """Returns the footer in a file tail, or raises the error that reading the tail gave."""
    if isinstance(tail, Exception):
        raise tail
    return find_footer(tail)


def _batch_table(
    reading: _Reading, names: list[str], wanted: _Wanted, errors: str, limits: Limits | None, typed: bool
) -> pa.Table:
    """Returns the table of one batch; releases the batch's buffer."""
    numbers, failed = reading.numbers, dict(reading.failed)
    typed = typed and not {"min", "max"}.isdisjoint(names)
    decoded = [*names, "column"] if typed and "column" not in names else names
    table, broken = _decode(reading.metadata, decoded, wanted.paths, limits)
    wanted.look(table, map(reading.footer, numbers))
    if typed:
        rows = set(table[_SOURCE].unique().to_pylist())
        schemas = [
            decode_footer(reading.footer(number), fields=("schema",), limits=limits).schema if position in rows else []
            for position, number in enumerate(numbers)
        ]
        table = text_bounds(table, schemas)
    for position, error in broken:
        number = numbers[position]
        if isinstance(error, DecodeError):
            footer = reading.footer(number)
            error = relocated(error, file=footer.tail.name, start=footer.start)
        failed[number] = error
    reading.done()
    if failed and errors == "raise":
        raise failed[min(failed)]
    return _with_files(table, numbers, [file.name for file in reading.files], failed, names)


def _decode(
    metadata: Sequence[Any], names: list[str], paths: frozenset[str] | None, limits: Limits | None
) -> tuple[pa.Table, list[tuple[int, Exception]]]:
    """Returns the decoded table of some footers, and the errors by position."""
    decoded = [name for name in names if name not in (_FILE, _ERROR)]
    if paths is not None and _PATH not in decoded:
        decoded.append(_PATH)
    return parquet_file.column_chunks.decode(
        metadata,
        columns=[_SOURCE, *decoded],
        keep=None if paths is None else {_PATH: paths},
        limits=limits or DEFAULT_LIMITS,
        on_error="collect",
    )


def _with_files(
    table: pa.Table, numbers: list[int], files: list[str | None], failed: dict[int, Exception], names: list[str]
) -> pa.Table:
    """Returns the columns ``names`` of the table, with a row for each ``failed`` file.

    Args:
        numbers: file number of each decoded footer.
    """
    import pyarrow as pa

    positions: Any = pa.array(numbers, pa.int32()).take(table[_SOURCE].combine_chunks())
    texts: Any = pa.nulls(table.num_rows, pa.string())
    if failed:
        positions = pa.concat_arrays([positions, pa.array(failed, pa.int32())])
        texts = pa.concat_arrays([texts, pa.array(map(str, failed.values()), pa.string())])
        nothing = pa.Table.from_arrays(
            [pa.nulls(len(failed), field.type) for field in table.schema], schema=table.schema
        )
        order = pa.array(positions.to_numpy().argsort(kind="stable"))
        table = pa.concat_tables([table, nothing]).take(order)
        positions, texts = positions.take(order), texts.take(order)
    columns: dict[str, Any] = {_FILE: pa.array(files, pa.string()).take(positions), _ERROR: texts}
    return pa.Table.from_arrays([columns[name] if name in columns else table[name] for name in names], names)
