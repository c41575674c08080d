"""Parquet files with variants: pyarrow writes the columns, and the footer marks them as variants."""

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
from ..runtime.arrow_variant import as_structs, is_marked
from ..runtime.exact import check_type, exact_list, exact_path, exact_text
from ..runtime.suggest import no_such

_VERSION = 1


def write_table(
    table: pa.Table, path: str | os.PathLike[str], *, columns: Iterable[str] | None = None, **options: Any
) -> None:
    """Writes a table to a Parquet file with the logical type VARIANT on columns of variants, shredded or not.

    Args:
        table: its columns of variants are structs, as `array` and `shred` give them, or of Arrow's extension type.
        path: local path of the new file.
        columns: dotted paths of the columns of variants; by default the fields, at any depth, that `field` made.
        options: those of `pyarrow.parquet.write_table`.

    Raises:
        KeyError: the table has no column of a name.
        ValueError: a column is not a group that could hold variants.
    """
    check_type("table", table, pa.Table)
    path = exact_path("path", path)
    given = None if columns is None else exact_list("columns", columns, "paths")
    named = marked(table.schema) if given is None else [tuple(exact_text("columns", name).split(".")) for name in given]
    pq.write_table(as_structs(table), path, **options)
    if named:
        with opened(source_file(path)) as file:
            mark(file.metadata, named)
            same_pages(file, path, "path", None)


def marked(fields: Iterable[pa.Field]) -> list[tuple[str, ...]]:
    """Returns the paths, as pyarrow writes them, of the fields at any depth that are marked as variants."""
    found: list[tuple[str, ...]] = []
    for each in fields:
        kind, inner = each.type, []
        if is_marked(each):
            found.append((each.name,))
        elif pa.types.is_struct(kind):
            inner = marked(kind.field(at) for at in range(kind.num_fields))
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            inner = [("list", *path) for path in marked([kind.value_field.with_name("element")])]
        elif pa.types.is_map(kind):
            inner = [("key_value", *path) for path in marked([kind.item_field.with_name("value")])]
        found += [(each.name, *path) for path in inner]
    return found


def mark(metadata: FileMetaData, columns: Iterable[tuple[str, ...]]) -> None:
    """Gives columns of a footer the logical type VARIANT.

    Raises:
        KeyError: the file has no column of a name.
        ValueError: a column is no group with metadata.
    """
    paths = {path: at for at, path in enumerate(element_paths(metadata.schema, file=""))}
    for column in columns:
        name = ".".join(column)
        if column not in paths:
            raise KeyError(f"columns: {no_such(name, ['.'.join(path) for path in paths if path], 'column')}")
        if (*column, "metadata") not in paths:
            raise ValueError(f"columns: {name!r} is not a group with metadata and value")
        metadata.schema[paths[column]].logicalType = LogicalType.VARIANT(VariantType(specification_version=_VERSION))
