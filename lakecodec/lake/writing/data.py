"""Conversion of data to a stream of batches: tables and readers of any library, iterators of batches, and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa

from ...runtime.arrow_data import is_pandas, table_of
from ..listing import list_files
from ..log.names import LOG

#: Number of rows per batch of a table in memory.
_ROWS = 1 << 17
_ORC = ".orc"


@dataclass(frozen=True)
class Data:
    """An open source of rows.

    Attributes:
        schema: its columns.
        batches: returns the rows; to be called once. Batches of files may lack columns.
        close: closes what is open.
        rows: number of rows; None if unknown.
    """

    schema: pa.Schema
    batches: Callable[[], Iterator[pa.RecordBatch]]
    close: Callable[[], None]
    rows: int | None = None


def open_data(data: Any, argument: str = "data", *, typed: Callable[[int], None] | None = None) -> Data:
    """Returns the rows of Arrow data of any library, or of files, as a stream of batches.

    Args:
        data: a table, a reader, an object with ``__arrow_c_stream__`` (polars, DuckDB), a pandas frame, a dict of arrays, a
            list of rows as dicts, an iterable of batches or tables, or paths: of files (CSV, JSON lines, Parquet, ORC,
            Mosaic), of a directory of such, or of a table.
        argument: name of the argument, for errors.
        typed: called with the number of rows of text files whose types have been found.

    Raises:
        TypeError: it is none of these.
        ValueError: an iterable has no batches, or files have an unknown format or no common types.
        FileNotFoundError: there is no such file.
        DecodeError: a file is broken.
    """
    if isinstance(data, str | os.PathLike):
        return _files([os.fspath(data)], argument, typed)
    if isinstance(data, list | tuple) and data and all(isinstance(item, str | os.PathLike) for item in data):
        return _files([os.fspath(item) for item in data], argument, typed)
    if isinstance(data, pa.RecordBatchReader):
        return _reader(data)
    if isinstance(data, list | tuple) and data and all(map(_is_row, data)):
        data = _of_rows(data, argument)
    whole = isinstance(data, pa.Table | pa.RecordBatch | dict) or is_pandas(data)
    if hasattr(data, "__arrow_c_stream__") and not whole:
        return _reader(pa.RecordBatchReader.from_stream(data))
    if whole or hasattr(data, "__arrow_c_array__"):
        table = table_of(data, argument)
        return _reader(table.to_reader(max_chunksize=_ROWS), table.num_rows)
    if not isinstance(data, Iterable) or isinstance(data, str | bytes | bytearray):
        remedy = "; call collect()" if hasattr(data, "collect") else ""
        raise TypeError(f"{argument}: Arrow data or paths are needed, not {type(data).__name__}{remedy}")
    parts = iter(data)
    first = next(parts, None)
    if first is None:
        raise ValueError(f"{argument}: at least one batch is needed; an empty batch has the schema")
    schema = table_of(first, argument).schema
    return Data(schema, lambda: _iterated(chain([first], parts), schema, argument), _nothing)


def _is_row(item: Any) -> bool:
    """Returns True for a dict that is no batch: it is empty, or some of its values are no list or array."""
    return isinstance(item, dict) and not (item and all(map(_is_array, item.values())))


def _is_array(value: Any) -> bool:
    return hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, str | bytes | dict)


def _of_rows(rows: Sequence[dict[Any, Any]], argument: str) -> pa.Table:
    """Returns rows as a table of all their keys; a row without a key has null there."""
    columns = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        if not isinstance(name, str):
            raise TypeError(f"{argument}: names of columns are needed as the keys of rows, not {name!r}")
        try:
            columns[name] = pa.array([row.get(name) for row in rows])
        except (pa.ArrowException, OverflowError) as error:
            raise ValueError(f"{argument}: the values of {name!r} have no common type: {error}") from None
    return pa.table(columns)


def _reader(reader: pa.RecordBatchReader, rows: int | None = None) -> Data:
    return Data(reader.schema, lambda: iter(reader), reader.close, rows)


def _iterated(parts: Iterable[Any], schema: pa.Schema, argument: str) -> Iterator[pa.RecordBatch]:
    for part in parts:
        table = table_of(part, argument)
        if table.schema != schema:
            raise ValueError(f"{argument}: all batches need one schema")
        yield from table.to_batches(max_chunksize=_ROWS)


def _files(paths: Sequence[str], argument: str, typed: Callable[[int], None] | None) -> Data:
    if len(paths) == 1 and os.path.isdir(os.path.join(paths[0], LOG)):
        from ..read.scan import scan

        return _reader(scan(paths[0], verify=True))
    for path in paths:
        if "://" in path:
            raise ValueError(f"{argument}: {path!r} is a URL; open it as Arrow data, or write it with Spark")
        if not os.path.exists(path):
            raise FileNotFoundError(f"{argument}: there is nothing at {path!r}")
    files = [entry.path for path in paths for entry in (list_files([path]) if os.path.isdir(path) else ())]
    files += [path for path in paths if not os.path.isdir(path)]
    if not files:
        raise ValueError(f"{argument}: {paths[0]!r} has no files")
    parts: list[Data] = []
    rows = 0
    for file in files:
        parts.append(_open(file, argument, partial(_report_total, typed, rows)))
        rows += parts[-1].rows or 0
    try:
        schema = pa.unify_schemas([part.schema.remove_metadata() for part in parts], promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(f"{argument}: the files have no common schema: {error}") from None
    return Data(schema, lambda: (batch for part in parts for batch in part.batches()), _nothing, rows)


def _report_total(typed: Callable[[int], None] | None, before: int, rows: int) -> None:
    if typed is not None:
        typed(before + rows)


def _open(path: str, argument: str, typed: Callable[[int], None]) -> Data:
    """Returns the rows of a file, which is open only while they are read: there may be many files."""
    from ...convert.kinds import ENDINGS, FileKind
    from ...convert.sources import open_source

    ending = os.path.splitext(path)[1].lower()
    if ending == _ORC:
        return _open_orc(path)
    kind = FileKind.JSON_LINES if ending == ".json" else ENDINGS.get(ending)
    if kind is None:
        known = ", ".join([*ENDINGS, ".json", _ORC])
        raise ValueError(f"{argument}: {path!r} is of an unknown format; names end with one of {known}")
    source = open_source(path, kind, None, typed)
    source.close()

    def batches() -> Iterator[pa.RecordBatch]:
        with closing(open_source(path, kind, None, typed)) as again:
            yield from again.batches()

    text = kind in (FileKind.CSV, FileKind.JSON_LINES)  # whose types have been found
    return Data(source.schema, source.batches if text else batches, _nothing, source.num_rows)


def _open_orc(path: str) -> Data:
    from pyarrow import orc

    from ...runtime.errors import DecodeError

    try:
        file = orc.ORCFile(path)
    except pa.ArrowException as error:
        raise DecodeError(str(error), format="orc", path=path) from None

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            again = orc.ORCFile(path)
            for stripe in range(again.nstripes):
                yield from pa.Table.from_batches([again.read_stripe(stripe)]).to_batches(max_chunksize=_ROWS)
        except (pa.ArrowException, OSError) as error:
            raise DecodeError(str(error), format="orc", path=path) from None

    return Data(file.schema, batches, _nothing, file.nrows)


def _nothing() -> None:
    """Does nothing, since nothing is open."""
