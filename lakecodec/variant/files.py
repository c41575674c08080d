"""Parquet files with variants: pyarrow writes the columns, the footer says that they are variants."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..generated.parquet import FileMetaData, LogicalType, VariantType
from ..parquet.relocation import opened, source_file
from ..parquet.schema import element_paths
from ..parquet.surgery import same_pages
from ..runtime.exact import exact_text
from ..runtime.suggest import no_such
from .arrow import EXTENSION_NAME

_VERSION = 1


def write_table(
    table: pa.Table, path: str | os.PathLike[str], *, columns: Iterable[str] | None = None, **options: Any
) -> None:
    """Writes a table to a Parquet file with the logical type VARIANT on columns of variants, shredded or not.

    Args:
        table: its columns of variants are structs, as `array` and `shred` give them.
        path: local path of the new file.
        columns: dotted paths of the columns of variants; by default the top-level fields that `field` made.
        options: those of `pyarrow.parquet.write_table`.

    Raises:
        KeyError: the table has no column of a name.
        ValueError: a column is no group that a variant could be.
    """
    if isinstance(columns, str):
        raise TypeError("columns: an iterable of paths is needed, not one str")
    named = marked(table.schema) if columns is None else [exact_text("columns", name) for name in columns]
    pq.write_table(table, path, **options)
    if named:
        with opened(source_file(path)) as file:
            mark(file.metadata, named)
            same_pages(file, path, "path", None)


def marked(schema: pa.Schema) -> list[str]:
    """Returns the names of top-level fields that say of themselves that they are variants."""
    return [
        each.name for each in schema if (each.metadata or {}).get(b"ARROW:extension:name") == EXTENSION_NAME.encode()
    ]


def mark(metadata: FileMetaData, columns: Iterable[str]) -> None:
    """Gives columns of a footer the logical type VARIANT.

    Raises:
        KeyError: the file has no column of a name.
        ValueError: a column is no group with metadata.
    """
    paths = [".".join(path) for path in element_paths(metadata.schema, file="")]
    for name in columns:
        if name not in paths[1:]:
            raise KeyError(f"columns: {no_such(name, paths[1:], 'column')}")
        if f"{name}.metadata" not in paths:
            raise ValueError(f"columns: {name!r} is not a group with metadata and value")
        metadata.schema[paths.index(name)].logicalType = LogicalType.VARIANT(
            VariantType(specification_version=_VERSION)
        )
