"""Listings of a table: its snapshots, tags, branches, columns and files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa

from ..lake.read.where import Where
from ..runtime.urls import with_options
from .scanning import open_scan
from .table import PaimonTable, SnapshotInfo

_FILES = pa.schema(
    {
        "path": pa.string(),
        "format": pa.string(),
        "partition": pa.map_(pa.string(), pa.string()),
        "bucket": pa.int32(),
        "num_rows": pa.int64(),
        "num_deleted": pa.int64(),
        "size": pa.int64(),
        "schema_id": pa.int64(),
        "level": pa.int32(),
    }
)


def history(
    path: str | os.PathLike[str], *, branch: str | None = None, storage_options: Mapping[str, Any] | None = None
) -> list[SnapshotInfo]:
    """Returns the snapshots that a table has, newest first.

    Args:
        path: path or URL of the table.
        branch: name of a branch of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
    """
    table = PaimonTable(with_options(path, storage_options), branch)
    ids = table.snapshot_ids()
    if not ids:
        table.newest_schema()
    return [table.snapshot(number) for number in reversed(ids)]


def tags(
    path: str | os.PathLike[str], *, branch: str | None = None, storage_options: Mapping[str, Any] | None = None
) -> dict[str, SnapshotInfo]:
    """Returns the snapshots that tags keep, by the names of these.

    Args:
        path: path or URL of the table.
        branch: name of a branch of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
    """
    table = PaimonTable(with_options(path, storage_options), branch)
    table.newest_schema()
    return table.tags()


def branches(path: str | os.PathLike[str], *, storage_options: Mapping[str, Any] | None = None) -> list[str]:
    """Returns the names of the branches of a table beside ``main``, sorted.

    Args:
        path: path or URL of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
    """
    table = PaimonTable(with_options(path, storage_options))
    table.newest_schema()
    return table.branches()


def schema(
    path: str | os.PathLike[str],
    *,
    snapshot: int | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.Schema:
    """Returns the Arrow schema of a table, by default the newest one.

    Args:
        path: path or URL of the table.
        snapshot: number of the snapshot whose schema is wanted.
        branch: name of a branch of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such snapshot.
    """
    table = PaimonTable(with_options(path, storage_options), branch)
    if snapshot is None:
        return table.newest_schema().arrow
    return table.schema(table.snapshot(snapshot).schema_id).arrow


def files(
    path: str | os.PathLike[str],
    *,
    where: Where | None = None,
    snapshot: int | None = None,
    tag: str | None = None,
    timestamp: datetime | str | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Returns the data files that can hold matching rows, one row per file. Arguments and errors are those of `scan`."""
    found = open_scan(
        path, columns=[], where=where, snapshot=snapshot, tag=tag, timestamp=timestamp, branch=branch,
        storage_options=storage_options,
    )  # fmt: skip
    rows = [
        {
            "path": file.path,
            "format": file.format,
            "partition": list(zip(found.schema.partition_keys, map(_text, file.partition), strict=True)),
            "bucket": file.bucket,
            "num_rows": file.rows,
            "num_deleted": found.deleted_in(file),
            "size": file.size,
            "schema_id": file.schema_id,
            "level": file.fields["_LEVEL"],
        }
        for file in found.files
    ]
    return pa.Table.from_pylist(rows, _FILES)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
