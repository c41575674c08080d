"""Column chunks of many files as one Arrow table, decoded without a Python object for each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..generated import parquet_file
from ..runtime.errors import DecodeError, error_text
from ..runtime.exact import check_type, exact_list, exact_text
from ..runtime.limits import DEFAULT_LIMITS, Limits
from ..runtime.source_types import SourcesLike
from ..runtime.suggest import no_such
from ..runtime.table import texts_of
from ..runtime.urls import located
from .errors import relocated
from .footer import Footer
from .footer_batches import FEW_FILES, Errors, FooterBatch, check_errors, read_batches
from .footer_cache import FooterCache
from .leaf_types import text_bounds
from .metadata import decode_footer
from .schema import dotted_paths, leaves
from .sources import expand

if TYPE_CHECKING:
    import pyarrow as pa

#: Columns that come from the file list, not from the footers.
_FILE, _ERROR = "file", "error"
#: The decoder's column with the number of the row's footer.
_SOURCE = "source"
_PATH = "path"
_SCHEMA = ("schema",)

COLUMNS = (_FILE, *(column.name for column in parquet_file.column_chunks.columns if column.name != _SOURCE))


def column_chunks(
    sources: SourcesLike,
    *,
    columns: Iterable[str] | None = None,
    fields: Iterable[str] | None = None,
    typed: bool = False,
    errors: Errors = "raise",
    limits: Limits | None = None,
    threads: int | None = None,
    filesystem: Any = None,
    cache: FooterCache | None = None,
    storage_options: Mapping[str, Any] | None = None,
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
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.
        cache: footers that are known already, and to which the others are added.

    Raises:
        DecodeError, OSError: a file is invalid or cannot be read, unless ``errors`` is "column".
        KeyError: ``columns`` has a path that no file has, or ``fields`` a name that is not a column of the table.
        ValueError: ``errors`` is another string, ``fields`` has a name twice, or ``threads`` is less than 1.
        TypeError: ``columns`` or ``fields`` is a single str.
    """
    (sources,) = located(storage_options, sources, filesystem=filesystem)
    import pyarrow as pa

    from ..runtime.parallel import map_ahead, workers

    check_errors(errors)
    if limits is not None:
        check_type("limits", limits, Limits)
    names = _names(fields, errors)
    wanted = _RequestedPaths(columns, limits)
    files = expand(sources, filesystem)
    # A batch is decoded in another thread while the next one is read.
    readings = read_batches(files, errors, threads, cache)
    tables = map_ahead(
        lambda reading: _batch_table(reading, names, wanted, errors, limits, typed),
        readings,
        workers() if len(files) > FEW_FILES else None,
        1 + (os.cpu_count() or 1),
    )
    done = list(tables)
    wanted.check()
    return pa.concat_tables(done)


def _names(fields: Iterable[str] | None, errors: str) -> list[str]:
    """Returns the names of the table's columns; "error" is added if errors are reported in a column."""
    known = (*COLUMNS, _ERROR) if errors == "column" else COLUMNS
    names = list(known) if fields is None else exact_list("fields", fields, "column names")
    for name in names:
        if name not in known:
            raise KeyError(f"fields: {no_such(name, known)}")
    if len(set(names)) < len(names):
        raise ValueError("fields: a column is named twice")
    return names if errors == "raise" or _ERROR in names else [*names, _ERROR]


class _RequestedPaths:
    """Set of the paths that ``columns`` names; tracks which of them no file has had so far."""

    def __init__(self, columns: Iterable[str] | None, limits: Limits | None) -> None:
        given = [] if columns is None else exact_list("columns", columns, "dotted paths")
        self.paths = None if columns is None else frozenset(exact_text("columns", each) for each in given)
        self._unseen = set(self.paths or ())
        self._limits = limits

    def look(self, table: pa.Table, footers: Iterable[Footer]) -> None:
        """Marks the paths that the files have as found. Footers that cannot be decoded are skipped."""
        if self._unseen:
            self._unseen.difference_update(table[_PATH].unique().to_pylist())
        # A file without row groups still has columns.
        for footer in footers:
            if not self._unseen:
                return
            try:
                schema = decode_footer(footer, fields=("schema",), limits=self._limits).schema
                self._unseen.difference_update(dotted_paths(schema))
            except DecodeError:
                continue

    def check(self) -> None:
        """Raises KeyError if a path was found in no file."""
        if self._unseen:
            raise KeyError(f"columns: no file has a column {sorted(self._unseen)[0]!r}")


def _batch_table(
    reading: FooterBatch, names: list[str], wanted: _RequestedPaths, errors: str, limits: Limits | None, typed: bool
) -> pa.Table:
    """Returns the table of one batch; releases the batch's buffer."""
    numbers, failed = reading.numbers, dict(reading.failed)
    typed = typed and not {"min", "max"}.isdisjoint(names)
    decoded = [*names, "column"] if typed and "column" not in names else names
    table, broken = _decode(reading, decoded, wanted.paths, limits)
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
    reading: FooterBatch, names: list[str], paths: frozenset[str] | None, limits: Limits | None
) -> tuple[pa.Table, list[tuple[int, Exception]]]:
    """Returns the decoded table of some footers, and the errors by position."""
    decoded = [name for name in names if name not in (_FILE, _ERROR)]
    if paths is not None and _PATH not in decoded:
        decoded.append(_PATH)
    table, broken = parquet_file.column_chunks.decode(
        reading.metadata,
        columns=[_SOURCE, *decoded],
        keep=None if paths is None else {_PATH: paths},
        limits=limits or DEFAULT_LIMITS,
        on_error="collect",
    )
    if _PATH in decoded:
        failed = {position for position, _ in broken}
        unnamed = {at: names for at, names in _unnamed(table, reading, paths, limits) if at not in failed}
        if unnamed:
            table = _with_paths(table, reading.metadata, unnamed, paths)
    return table, broken


def _unnamed(
    table: pa.Table, reading: FooterBatch, paths: frozenset[str] | None, limits: Limits | None
) -> Iterator[tuple[int, list[str]]]:
    """Yields the footers whose chunks do not name their columns, by position, with the paths of their leaf columns."""
    if paths is None:
        if not table[_PATH].null_count:
            return
        positions = table.filter(table[_PATH].is_null())[_SOURCE].unique().to_pylist()
    else:
        # Rows without a path were left out.
        positions = sorted(set(range(len(reading.metadata))).difference(table[_SOURCE].unique().to_pylist()))
    for position in positions:
        try:
            found = leaves(
                decode_footer(reading.footer(reading.numbers[position]), fields=_SCHEMA, limits=limits).schema
            )
        except DecodeError:
            continue
        if paths is None or any(path in paths for path, _ in found):
            yield position, [path for path, _ in found]


def _with_paths(
    table: pa.Table, metadata: Sequence[Any], unnamed: dict[int, list[str]], paths: frozenset[str] | None
) -> pa.Table:
    """Returns the table with the rows of some footers replaced: their paths are those of the schema."""
    import pyarrow as pa

    needed = ("column", "physical_type")
    columns = [*table.column_names, *(name for name in needed if name not in table.column_names)]
    positions = list(unnamed)
    found, _ = parquet_file.column_chunks.decode(
        [metadata[at] for at in positions], columns=columns, on_error="collect"
    )
    sources = [positions[at] for at in found[_SOURCE].to_pylist()]
    known = zip(sources, *(found[name].to_pylist() for name in (_PATH, *needed)), strict=True)
    texts = [
        # Chunks of encrypted columns have no metadata, so they have no path either way.
        unnamed[source][number] if path is None and kind is not None and number < len(unnamed[source]) else path
        for source, path, number, kind in known
    ]
    for name, values in ((_SOURCE, sources), (_PATH, texts)):
        at = found.column_names.index(name)
        found = found.set_column(at, table.schema.field(name), pa.array(values, table.schema.field(name).type))
    if paths is not None:
        found = found.filter(pa.array([text in paths for text in texts], pa.bool_()))
    kept = table.filter(pa.array([at not in unnamed for at in table[_SOURCE].to_pylist()], pa.bool_()))
    whole = pa.concat_tables([kept, found.select(table.column_names)])
    return whole.take(pa.array(whole[_SOURCE].to_numpy().argsort(kind="stable")))


def _with_files(
    table: pa.Table, numbers: list[int], files: list[str | None], failed: dict[int, Exception], names: list[str]
) -> pa.Table:
    """Returns the columns ``names`` of the table, with a row for each ``failed`` file.

    Args:
        numbers: file number of each decoded footer.
    """
    import pyarrow as pa

    sources: Any = table[_SOURCE].combine_chunks()
    errors: Any = pa.nulls(table.num_rows if _ERROR in names else 0, pa.string())
    known = {at: name for at, number in enumerate(numbers) if (name := files[number]) is not None}
    if not failed and len(known) == len(files):
        texts = texts_of(sources, known) if _FILE in names else None
    else:
        positions = pa.array(numbers, pa.int32()).take(sources)
        if failed:
            table, positions, errors = _with_failed(table, positions, errors, failed)
        texts = pa.array(files, pa.string()).take(positions)
    columns = {_FILE: texts, _ERROR: errors}
    return pa.Table.from_arrays([columns[name] if name in columns else table[name] for name in names], names)


def _with_failed(
    table: pa.Table, positions: Any, errors: Any, failed: dict[int, Exception]
) -> tuple[pa.Table, Any, Any]:
    """Returns the table, file number and error of each row, with a row for each failed file, in the order of files."""
    import pyarrow as pa

    positions = pa.concat_arrays([positions, pa.array(failed, pa.int32())])
    errors = pa.concat_arrays([errors, pa.array(map(error_text, failed.values()), pa.string())])
    nothing = pa.Table.from_arrays([pa.nulls(len(failed), field.type) for field in table.schema], schema=table.schema)
    order = pa.array(positions.to_numpy().argsort(kind="stable"))
    return pa.concat_tables([table, nothing]).take(order), positions.take(order), errors.take(order)
