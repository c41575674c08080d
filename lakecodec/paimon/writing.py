"""Writes: new tables, appended rows, replaced partitions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import pyarrow as pa

from ..lake.log.errors import SchemaMismatchError, UnknownOutcomeError
from ..lake.writing.data import open_data
from ..runtime.exact import exact_list, exact_text, items_of
from ..runtime.urls import with_options
from .commit import BATCH, commit
from .data_write import DataWriter, check_format, conform
from .manifests import DataFile, read_list, read_manifest
from .schemas import TableSchema, new_schema
from .table import PaimonTable, SnapshotInfo

_MODES = ("append", "overwrite", "error")


def write(
    data: Any,
    path: str | os.PathLike[str],
    *,
    mode: Literal["append", "overwrite", "error"] = "append",
    partition_by: Sequence[str] = (),
    file_format: str | None = None,
    options: Mapping[str, str] | None = None,
    commit_user: str | None = None,
    commit_identifier: int | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> SnapshotInfo:
    """Writes rows and returns their snapshot; a missing table is created.

    A write is invisible until its snapshot exists. Several writers may write at the same time.

    Args:
        data: Arrow data of any library, or paths of files, as `lakecodec.lake.write` takes them. Columns are matched by name.
        path: path or URL of the table.
        mode: "append"; "overwrite", which replaces the partitions that the data has (the whole table where it is not
            partitioned, or its option ``dynamic-partition-overwrite`` is false); or "error" if the table exists.
        partition_by: partition columns of a new table.
        file_format: "mosaic", "parquet" or "orc" for a new table; by default mosaic.
        options: table options of a new table, such as ``bucket`` and ``bucket-key``; an existing table keeps its own.
        commit_user: name of the writer in the snapshot.
        commit_identifier: number of the commit: repeating one of the same user does nothing.
        branch: name of a branch of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        FileExistsError: the table exists, in the mode "error".
        SchemaMismatchError: the data does not fit the table's columns.
        KeyError: an unknown partition or bucket column.
        TypeError, ValueError: a wrong argument, types that the format cannot hold, or an option that the table has not.
        UnsupportedTableError: the table has a primary key, or uses what is not written here.
        ConflictError: other writers were faster too often.
    """
    check_arguments(mode, partition_by, commit_user, commit_identifier)
    table = PaimonTable(with_options(path, storage_options), branch)
    opened = open_data(data)
    try:
        schema = writable_schema(table, opened.schema, mode, partition_by, file_format, options)
        return write_batches(table, schema, opened.batches(), mode, commit_user, commit_identifier)
    finally:
        opened.close()


def check_arguments(mode: Any, partition_by: Any, commit_user: Any, commit_identifier: Any) -> None:
    """Raises TypeError or ValueError for invalid arguments of `write`."""
    if mode not in _MODES:
        raise ValueError(f"mode: {mode!r} is not one of {', '.join(_MODES)}")
    for name in exact_list("partition_by", partition_by):
        exact_text("partition_by", name)
    if commit_user is not None and (not isinstance(commit_user, str) or not commit_user):
        raise TypeError(f"commit_user: a name is needed, not {commit_user!r}")
    if commit_identifier is None:
        return
    if type(commit_identifier) is not int:
        raise TypeError(f"commit_identifier: a whole number is needed, not {commit_identifier!r}")
    if not 0 <= commit_identifier < BATCH:
        raise ValueError(f"commit_identifier: a number from 0 to {BATCH - 1} is needed, not {commit_identifier}")
    if commit_user is None:
        raise ValueError("commit_identifier: commit_user is needed with it")


def write_batches(
    table: PaimonTable,
    schema: TableSchema,
    batches: Iterable[pa.RecordBatch],
    mode: str,
    commit_user: str | None,
    commit_identifier: int | None,
) -> SnapshotInfo:
    """Returns the snapshot of rows that are written into an existing table; see `write`."""
    writer = DataWriter(table, schema)
    try:
        for batch in batches:
            writer.write(conform(batch, schema))
        entries = writer.finish()
        return commit_entries(table, schema, entries, mode, commit_user, commit_identifier, discard=writer.abort)
    except BaseException as error:
        if not isinstance(error, UnknownOutcomeError):
            writer.abort()
        raise


def commit_entries(
    table: PaimonTable,
    schema: TableSchema,
    entries: Sequence[Mapping[str, Any]],
    mode: str,
    commit_user: str | None,
    commit_identifier: int | None,
    *,
    discard: Callable[[], None],
) -> SnapshotInfo:
    """Returns the snapshot of data files that are already written; ``discard`` deletes them if the commit was made before."""
    dynamic = bool(schema.partition_keys) and schema.is_on("dynamic-partition-overwrite", True)
    partitions = {each["_PARTITION"] for each in entries}

    def changes(
        latest: SnapshotInfo | None, files: list[DataFile]
    ) -> tuple[list[DataFile], Sequence[Mapping[str, Any]]]:
        if mode != "overwrite":
            return [], entries
        return [file for file in files if not dynamic or file.entry["_PARTITION"] in partitions], entries

    names = {each["_FILE"]["_FILE_NAME"] for each in entries}
    found = commit(
        table, schema, "OVERWRITE" if mode == "overwrite" else "APPEND", changes, needs_files=mode == "overwrite",
        commit_user=commit_user, commit_identifier=commit_identifier,
    )  # fmt: skip
    if commit_identifier is not None and names:
        there = {
            each["_FILE"]["_FILE_NAME"]
            for manifest in read_list(table, found.delta_list)
            for each in read_manifest(table, manifest["_FILE_NAME"])
        }
        if not names & there:  # an earlier attempt committed other files
            discard()
    return found


def writable_schema(
    table: PaimonTable,
    data: pa.Schema,
    mode: str,
    partition_by: Sequence[str],
    file_format: str | None,
    options: Mapping[str, str] | None,
) -> TableSchema:
    """Returns the schema of the data to write; creates the table if it is missing. Errors are those of `write`."""
    given = _options(options)
    if not table.schema_ids():
        made = new_schema(data, partition_by, {"file.format": file_format or "mosaic", **given})
        if made.buckets > 0 and not made.bucket_keys:
            raise ValueError("options: bucket needs bucket-key, the columns whose hash gives the bucket")
        if made.buckets <= 0 and made.buckets != -1:
            raise ValueError(f"options: bucket = {made.buckets} is neither -1 nor above zero")
        check_format(made)
        try:
            table.storage.put_if_absent(f"{table.base}schema/schema-0", made.to_json())
            return made
        except FileExistsError:
            pass  # another writer was faster
    elif mode == "error":
        raise FileExistsError(f"path: there is a table at {table.name!r}")
    schema = table.newest_schema()
    if partition_by and tuple(items_of(partition_by)) != schema.partition_keys:
        raise ValueError(f"partition_by: the table is partitioned by {list(schema.partition_keys)}")
    if file_format is not None and file_format != schema.options.get("file.format", "parquet"):
        raise ValueError(f"file_format: the table's new files are in {schema.options.get('file.format', 'parquet')}")
    for name, value in given.items():
        if schema.options.get(name) != value:
            there = f"{schema.options[name]!r}" if name in schema.options else "not set"
            raise ValueError(f"options: {name} is {there} in the table, not {value!r}; only a new table takes options")
    missing = [each.name for each in schema.columns if not each.nullable and each.name not in data.names]
    if missing:
        raise SchemaMismatchError(f"data: column {missing[0]!r} is missing, and may not be null", missing)
    return schema


def _options(options: Any) -> dict[str, str]:
    """Returns options as texts.

    Raises:
        TypeError, ValueError: they are not.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options: a dict of names and texts is needed, not {options!r}")
    found = {}
    for name, value in options.items():
        if not isinstance(name, str) or not isinstance(value, str | int | float):
            raise TypeError(f"options: a name and a text are needed, not {name!r} and {value!r}")
        found[name] = str(value).lower() if isinstance(value, bool) else str(value)
    if not found.get("bucket", "1").strip().removeprefix("-").isdecimal():
        raise ValueError(f"options: bucket = {found['bucket']!r} is not a whole number")
    return found


__all__ = ["check_arguments", "commit_entries", "writable_schema", "write", "write_batches"]
