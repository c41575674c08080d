"""Files changed, cut and joined by their metadata: pages are copied, never decoded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..generated.parquet import ConvertedType, KeyValue, SchemaElement
from ..runtime.exact import check_type, exact_list, exact_text
from ..runtime.source_types import SourceLike, TargetLike
from ..runtime.suggest import no_such
from ..runtime.urls import located
from .metadata import write_metadata
from .relocation import Opened, Relocation, opened, source_file, target_file
from .schema import choose, is_leaf
from .stored_schemas import adapt

_MAPS = (ConvertedType.MAP, ConvertedType.MAP_KEY_VALUE)


def update_metadata(
    path: str | os.PathLike[str],
    values: Mapping[str, str | None],
    *,
    remove: Iterable[str] = (),
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Sets and removes entries of a file's key-value metadata; everything before the footer stays as it is.

    The new file is written beside the old one and takes its name when it is complete and on disk: readers, and whoever
    comes after a crash, find one or the other. A process that is killed may leave a hidden ``.{name}.{random}.tmp``.

    Args:
        path: path or URL of the file.
        values: new values by key; a key that the file has gets the new value. None is a key without a value.
        remove: keys to remove.
        filesystem: the pyarrow or fsspec file system that ``path`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: ``path`` is not a path, or a key or value not a str.
        KeyError: the file does not have a key of ``remove``.
        ValueError: a key is both in ``values`` and in ``remove``.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
        OSError: the file cannot be read or replaced.
    """
    (path,) = located(storage_options, path, filesystem=filesystem)
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: a path or URL is needed, not {type(path).__name__}")
    _check_texts("values", values, optional=True)
    removed = {exact_text("remove", key) for key in exact_list("remove", remove, "keys")}
    if both := sorted(removed & set(values)):
        raise ValueError(f"remove: {both[0]!r} is in values, too")
    with opened(source_file(path, filesystem)) as file:
        entries = file.metadata.key_value_metadata or []
        keys = [entry.key for entry in entries]
        for key in sorted(removed - set(keys)):
            raise KeyError(f"remove: {no_such(key, keys, 'key')}")
        file.metadata.key_value_metadata = _updated(entries, values, removed) or None
        same_pages(file, path, "path", filesystem)


def rename_columns(
    source: SourceLike,
    target: TargetLike,
    names: Mapping[str, str],
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Writes a file with other names of columns; everything before the footer is copied as it is.

    Schemas that Arrow, pandas, Spark, Iceberg, Avro and GeoParquet store in the key-value metadata get the new names,
    too; they are dropped if a name below the top level changes. Sorting columns and column orders stay.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        names: new names by the dotted paths of columns or groups. A new name is the last part of the path only.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: an argument is of a wrong type.
        KeyError: ``names`` has a path that the file does not have.
        ValueError: two columns of one group would have the same name, or a path stands for two columns.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    source, target = located(storage_options, source, target, filesystem=filesystem)
    _check_texts("names", names)
    with opened(source_file(source, filesystem)) as file:
        metadata, paths = file.metadata, file.paths
        renamed = _renamed(paths, names)
        for element, path in zip(metadata.schema[1:], renamed[1:], strict=True):
            element.name = path[-1]
        columns = [path for element, path in zip(metadata.schema, renamed, strict=True) if is_leaf(element)]
        for group in metadata.row_groups:
            for chunk, path in zip(group.columns, columns, strict=True):
                # Chunks that leave their path to the schema still do so afterwards.
                if chunk.meta_data is not None and chunk.meta_data.path_in_schema is not None:
                    chunk.meta_data.path_in_schema = list(path)
        top = {old[0]: new[0] for old, new in zip(paths[1:], renamed[1:], strict=True) if len(old) == 1}
        nested = any(len(old) > 1 and old[-1] != new[-1] for old, new in zip(paths, renamed, strict=True))
        if names:
            metadata.key_value_metadata = adapt(metadata.key_value_metadata, None if nested else top)
        same_pages(file, target, "target", filesystem)


def select_columns(
    source: SourceLike,
    target: TargetLike,
    columns: Iterable[str],
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Writes a file with some columns of another one, in the order of that file; pages are copied.

    Page indexes, Bloom filters and statistics of the columns are kept; of the sorting columns those before the first that
    is left out. Stored schemas (`rename_columns`) are cut alike, and dropped where a part of a nested column is left out.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        columns: dotted paths of columns; a group stands for all columns below it.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: ``columns`` is a single str, or an argument is of a wrong type.
        KeyError: ``columns`` has a path that the file does not have.
        ValueError: ``columns`` is empty, or takes the key or the value from a map.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    source, target = located(storage_options, source, target, filesystem=filesystem)
    columns = exact_list("columns", columns, "dotted paths")
    if not columns:
        raise ValueError("columns: at least one column is needed")
    with opened(source_file(source, filesystem)) as file:
        metadata, paths = file.metadata, file.paths
        chosen = choose([".".join(path) for path in file.columns], columns)
        schema, kept = _pruned(metadata.schema, paths, chosen)
        positions = {column: position for position, column in enumerate(chosen)}
        nested = any(len(path) > 1 and path not in kept and path[:1] in kept for path in paths)
        names = None if nested else {path[0]: path[0] for path in kept if len(path) == 1}
        metadata.key_value_metadata = adapt(metadata.key_value_metadata, names)
        if metadata.column_orders is not None:
            orders = metadata.column_orders
            metadata.column_orders = [orders[column] for column in chosen] if len(orders) > chosen[-1] else None
        with target_file(target, "target", filesystem) as sink:
            moved = Relocation(sink)
            moved.reserve(file, chosen)
            for number, group in enumerate(metadata.row_groups):
                moved.add(file, number, chosen)
                sorting = []
                for column in group.sorting_columns or ():
                    if column.column_idx not in positions:
                        break
                    column.column_idx = positions[column.column_idx]
                    sorting.append(column)
                group.sorting_columns = sorting or None
            metadata.schema = schema
            moved.finish(metadata)


def drop_indexes(
    source: SourceLike,
    target: TargetLike,
    columns: Iterable[str] | None = None,
    *,
    page_indexes: bool = True,
    bloom_filters: bool = True,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Writes a file without page indexes or Bloom filters; pages, statistics and all else in the footer are kept.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        columns: dotted paths of the columns that lose them, a group for all columns below it; None for all columns.
        page_indexes: drop column indexes and offset indexes.
        bloom_filters: drop Bloom filters.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: ``columns`` is a single str, or an argument is of a wrong type.
        KeyError: ``columns`` has a path that the file does not have.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    source, target = located(storage_options, source, target, filesystem=filesystem)
    columns = None if columns is None else exact_list("columns", columns, "dotted paths")
    with opened(source_file(source, filesystem)) as file:
        paths = [".".join(path) for path in file.columns]
        chosen = range(len(paths)) if columns is None else choose(paths, columns)
        with target_file(target, "target", filesystem) as sink:
            moved = Relocation(sink)
            moved.reserve(file, range(len(paths)))
            for number, group in enumerate(file.metadata.row_groups):
                for column in chosen:
                    chunk = group.columns[column]
                    if page_indexes:
                        chunk.column_index_offset = chunk.column_index_length = None
                        chunk.offset_index_offset = chunk.offset_index_length = None
                    if bloom_filters and chunk.meta_data is not None:
                        chunk.meta_data.bloom_filter_offset = chunk.meta_data.bloom_filter_length = None
                moved.add(file, number, range(len(paths)))
            moved.finish(file.metadata)


def same_pages(file: Opened, target: Any, argument: str, filesystem: Any) -> None:
    """Writes a file with the same bytes before another footer."""
    for number, group in enumerate(file.metadata.row_groups):
        for column, chunk in enumerate(group.columns):
            file.located(number, column, chunk)
    footer = write_metadata(file.metadata)
    with target_file(target, argument, filesystem) as sink:
        sink.reserve(file.footer.start)
        sink.copy(file.ranges, 0, file.footer.start)
        sink.write(footer)


def _updated(entries: list[KeyValue], values: Mapping[str, str | None], removed: set[str]) -> list[KeyValue]:
    """Returns the entries with new values; a key that occurs twice gets its value once."""
    left = dict(values)
    updated = []
    for entry in entries:
        if entry.key in left:
            updated.append(KeyValue(key=entry.key, value=left.pop(entry.key)))
        elif entry.key not in removed and entry.key not in values:
            updated.append(entry)
    return updated + [KeyValue(key=key, value=value) for key, value in left.items()]


def _check_texts(argument: str, texts: Any, *, optional: bool = False) -> None:
    """Raises TypeError for anything but a mapping of str to str, or to None where ``optional``."""
    check_type(argument, texts, Mapping)
    for key, value in texts.items():
        if not isinstance(key, str) or not (isinstance(value, str) or (optional and value is None)):
            raise TypeError(f"{argument}: {key!r}: {value!r} is not a str for a str")


def _renamed(paths: list[tuple[str, ...]], names: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Returns the paths with new names; siblings stay distinct."""
    dotted = [".".join(path) for path in paths[1:]]
    for name, new in names.items():
        if name not in dotted:
            raise KeyError(f"names: {no_such(name, dotted)}")
        if dotted.count(name) > 1:
            raise ValueError(f"names: {name!r} is the name of more than one column")
        if not new:
            raise ValueError(f"names: the new name of {name!r} is empty")
    last = {path: names.get(".".join(path), path[-1]) for path in paths[1:]}
    renamed = [tuple(last[path[: depth + 1]] for depth in range(len(path))) for path in paths]
    if len(set(renamed)) < len(set(paths)):
        twice = next(path for path in renamed if renamed.count(path) > 1)
        raise ValueError(f"names: there would be two columns {'.'.join(twice)!r}")
    return renamed


def _pruned(
    schema: list[SchemaElement], paths: list[tuple[str, ...]], chosen: list[int]
) -> tuple[list[SchemaElement], set[tuple[str, ...]]]:
    """Returns the elements of the chosen leaf columns and of the groups above them, and their paths."""
    leaf_paths = [path for element, path in zip(schema, paths, strict=True) if is_leaf(element)]
    kept = {leaf_paths[column][:depth] for column in chosen for depth in range(1, len(leaf_paths[column]) + 1)}
    maps = {path for element, path in zip(schema, paths, strict=True) if element.converted_type in _MAPS}
    for path in paths[1:]:
        if path not in kept and path[:-1] in kept and (path[:-1] in maps or path[:-2] in maps):
            raise ValueError(f"columns: {'.'.join(path)!r} cannot be left out of its map")
    pruned = [schema[0]]
    for element, path in zip(schema[1:], paths[1:], strict=True):
        if path in kept:
            pruned.append(element)
    children: dict[tuple[str, ...], int] = {}
    for path in kept:
        children[path[:-1]] = children.get(path[:-1], 0) + 1
    for element, path in zip(schema, paths, strict=True):
        if (not path or path in kept) and not is_leaf(element):
            element.num_children = children.get(path, 0)
    return pruned, kept
