"""Reader of CSV files: all columns are read as text and then cast to types that fit all rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.csv as pc

from .text_types import TextTypes

#: Bytes of a block. A row, header included, must be shorter.
_BLOCK = 4 * 2**20


#: Possible delimiters, most likely first.
_DELIMITERS = (",", ";", "\t")


def delimiter_of(path: str) -> str:
    """Returns the first of comma, semicolon and tab that occurs outside quotes in the header; comma if none does."""
    with open(path, "rb") as file:
        header = re.sub(rb'"[^"]*"', b"", file.readline(_BLOCK)).decode(errors="replace")
    return next((delimiter for delimiter in _DELIMITERS if delimiter in header), ",")


def scan_csv(
    path: str, select: Callable[[pa.Schema], pa.Schema], counted: Callable[[int], None], delimiter: str
) -> tuple[pa.Schema, int]:
    """Returns the schema and the number of rows of a CSV file; reads the whole file.

    Args:
        path: path of the file.
        select: returns the columns to scan from the schema of the header.
        counted: called with the number of rows read so far.
        delimiter: character between columns.

    Raises:
        pyarrow.ArrowInvalid: the file is not valid CSV.
        OSError: the file cannot be read.
    """
    names = select(_header(path, delimiter)).names
    types, num_rows = TextTypes(len(names)), 0
    for batch in _text(path, names, delimiter):
        types.add(batch)
        num_rows += batch.num_rows
        counted(num_rows)
    return pa.schema(list(zip(names, types.types(), strict=True))), num_rows


def read_csv(path: str, schema: pa.Schema, delimiter: str) -> Iterator[pa.RecordBatch]:
    """Yields batches of a CSV file with the schema that `scan_csv` returned; an empty unquoted field is null."""
    for batch in _text(path, schema.names, delimiter):
        columns = [column.cast(field.type) for column, field in zip(batch.columns, schema, strict=True)]
        yield pa.record_batch(columns, schema=schema)


def _header(path: str, delimiter: str) -> pa.Schema:
    """Returns the schema of the header."""
    with pc.open_csv(path, pc.ReadOptions(block_size=_BLOCK, use_threads=False), _parsing(1, delimiter)) as reader:
        return reader.schema


def _text(path: str, names: list[str], delimiter: str) -> Iterator[pa.RecordBatch]:
    """Yields batches of the named columns as strings."""
    converting = pc.ConvertOptions(
        column_types={name: pa.string() for name in names},
        include_columns=names,
        # Empty texts are quoted.
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    num_columns = len(_header(path, delimiter))
    with pc.open_csv(path, pc.ReadOptions(block_size=_BLOCK), _parsing(num_columns, delimiter), converting) as reader:
        yield from reader


def _parsing(num_columns: int, delimiter: str) -> pc.ParseOptions:
    # In a file of one column an empty line is a null.
    """Returns the parser's options."""
    return pc.ParseOptions(delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=num_columns > 1)
