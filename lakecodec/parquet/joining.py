"""Files joined by their metadata: one file of many, or one footer for many."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from ..generated.parquet import FileMetaData, RowGroup, SchemaElement
from ..runtime.exact import exact_path
from ..runtime.source_types import SourcesLike, TargetLike
from ..runtime.urls import located
from .relocation import Opened, Relocation, opened, target_file, total_rows
from .schema import is_leaf
from .sources import Source, expand

#: The fields of a schema element that determine the levels and values in pages.
_STORED = ("type", "type_length", "repetition_type", "num_children")
#: The fields that determine the meaning of values, and with it their order.
_MEANING = ("converted_type", "logicalType", "scale", "precision")
_ALL = ("name", *_STORED, *_MEANING, "field_id")


def concat(
    sources: SourcesLike,
    target: TargetLike,
    *,
    check_schema: bool = True,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Writes one file with the row groups of many, in the order of ``sources``; pages are copied.

    Schema and key-value metadata are those of the first file; ``created_by``, which tells readers what to trust, is
    left out where files differ. Page indexes, Bloom filters, statistics and sorting columns are kept, except
    statistics, column indexes and sorting columns of files that order values in another way than the first.

    Args:
        sources: files as in `read_metadatas`, or a directory.
        target: path or URL of the new file, or a binary file object.
        check_schema: if False, names, field ids and logical types may differ; what pages depend on may not.
        filesystem: the pyarrow or fsspec file system that ``sources`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: ``sources`` is empty, or a file's schema differs from that of the first.
        DecodeError: a file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    sources, target = located(storage_options, sources, target, filesystem=filesystem)
    files = _files(sources, filesystem)
    with opened(files[0]) as first, target_file(target, "target", filesystem) as sink:
        joined = _Joined(first, check_schema)
        moved = Relocation(sink)
        for number, source in enumerate(files):
            with opened(source) if number else nullcontext(first) as file:
                joined.add(file, number)
                moved.reserve(file, range(len(joined.columns)))
                for group in range(len(file.metadata.row_groups)):
                    moved.add(file, group, range(len(joined.columns)))
        moved.finish(joined.metadata)


def merge_metadata(
    sources: SourcesLike,
    *,
    base: str | os.PathLike[str] | None = None,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> FileMetaData:
    """Returns one footer for the row groups of many files, as a `_metadata` file holds it; ``file_path`` is set.

    Args:
        sources: paths or URLs as in `read_metadatas`, or a directory.
        base: the folder that paths are relative to; None: the deepest one above all files, or ``sources`` itself if it is
            a directory.
        filesystem: the pyarrow or fsspec file system that ``sources`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: a source is not a path.
        ValueError: ``sources`` is empty, a file is not below ``base``, or its schema differs from that of the first.
        DecodeError: a file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    (sources,) = located(storage_options, sources, filesystem=filesystem)
    files = _files(sources, filesystem)
    names = [_path(file) for file in files]
    folder = None if base is None else _absolute(exact_path("base", base)).rstrip("/")
    if folder is None and isinstance(sources, (str, os.PathLike)):
        folder = _absolute(os.fspath(sources)).rstrip("/")
        folder = None if names == [folder] else folder
    folder = _above(names) if folder is None else folder
    with opened(files[0]) as first:
        joined = _Joined(first, True)
        groups: list[RowGroup] = []
        for number, (source, name) in enumerate(zip(files, names, strict=True)):
            if not name.startswith(f"{folder}/"):
                raise ValueError(f"base: {source.name!r} is not below {os.fspath(base or folder)!r}")
            with opened(source) if number else nullcontext(first) as file:
                joined.add(file, number)
                for group_number, group in enumerate(file.metadata.row_groups):
                    for column, chunk in enumerate(group.columns):
                        file.located(group_number, column, chunk)
                        chunk.file_path = name[len(folder) + 1 :]
                    group.ordinal = None
                    groups.append(group)
    metadata = joined.metadata
    metadata.row_groups = groups
    metadata.num_rows = total_rows(groups)
    return metadata


class _Joined:
    """The footer of joined files, begun as that of the first.

    Attributes:
        metadata: the footer.
        columns: paths of the leaf columns.
    """

    def __init__(self, first: Opened, check_schema: bool) -> None:
        footer = first.metadata
        self.metadata = FileMetaData(
            version=footer.version,
            schema=list(footer.schema),
            num_rows=0,
            row_groups=[],
            key_value_metadata=footer.key_value_metadata,
            created_by=footer.created_by,
            column_orders=footer.column_orders,
        )
        self.columns = [list(path) for path in first.columns]
        self._fields = _ALL if check_schema else _STORED

    def add(self, file: Opened, number: int) -> None:
        """Checks a file against the first, and gives its column chunks the names and the order of the first.

        Raises:
            ValueError: the schemas differ.
        """
        footer, schema = file.metadata, self.metadata.schema
        is_alike = footer.schema == schema
        if not is_alike:
            _check(schema, footer.schema, self._fields, f"sources[{number}]")
        if footer.created_by != self.metadata.created_by:
            self.metadata.created_by = None
        orders = footer.column_orders == self.metadata.column_orders
        if orders and is_alike:
            return
        same = [
            orders and _difference(old, new, _MEANING) is None
            for old, new in zip(schema, footer.schema, strict=True)
            if is_leaf(old)
        ]
        for group in footer.row_groups:
            if not all(same):
                group.sorting_columns = None
            for chunk, path, ordered in zip(group.columns, self.columns, same, strict=False):
                if chunk.meta_data is None:
                    continue
                # Chunks that leave their path to the schema still do so afterwards.
                if chunk.meta_data.path_in_schema is not None:
                    chunk.meta_data.path_in_schema = path
                if not ordered:
                    chunk.column_index_offset = chunk.column_index_length = None
                    chunk.meta_data.statistics = None
                    chunk.meta_data.geospatial_statistics = None


def _check(first: list[SchemaElement], other: list[SchemaElement], fields: tuple[str, ...], argument: str) -> None:
    """Raises ValueError if two schemas differ in some fields; the root's name and repetition mean nothing."""
    if len(first) != len(other):
        raise ValueError(
            f"{argument}: {len(other)} schema elements, the first file has {len(first)}; give files of one schema"
        )
    for number, (old, new) in enumerate(zip(first, other, strict=True)):
        name = _difference(old, new, fields if number else ("num_children",))
        if name is not None:
            raise ValueError(
                f"{argument}: {name} of {new.name!r} is {getattr(new, name)!r}, in the first file {getattr(old, name)!r}"
            )


def _difference(old: SchemaElement, new: SchemaElement, fields: tuple[str, ...]) -> str | None:
    """Returns the first field in which two elements differ; a leaf may have 0 children or none."""
    if old == new:
        return None
    for name in fields:
        here, there = getattr(old, name), getattr(new, name)
        if here != there and not (name == "num_children" and not here and not there):
            return name
    return None


def _files(sources: Any, filesystem: Any) -> list[Source]:
    """Returns the files of ``sources``, at least one."""
    files = expand(sources, filesystem)
    if not files:
        raise ValueError("sources: at least one file is needed")
    return files


def _path(source: Source) -> str:
    """Returns the absolute path or the URL of a file, with "/" between folders."""
    if not isinstance(source.value, str) or source.name is None:
        raise TypeError(f"sources: paths are needed, not {type(source.value).__name__}")
    return _absolute(source.name)


def _above(names: list[str]) -> str:
    """Returns the deepest folder above all paths or URLs."""
    folders = [name.split("/")[:-1] for name in names]
    common = zip(*folders, strict=False)
    depth = next((number for number, parts in enumerate(common) if len(set(parts)) > 1), min(map(len, folders)))
    return "/".join(folders[0][:depth])


def _absolute(path: str) -> str:
    return path if "://" in path else os.path.abspath(path).replace(os.sep, "/")
