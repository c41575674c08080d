"""Conversion between Delta tables and Paimon tables, without rewriting data files where their layout allows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pyarrow as pa

from ..delta import PartitionCodec
from ..generated.paimon import ADD
from ..lake.log import CommitInfo, Log, Snapshot, StatisticsReader
from ..lake.log.column_mapping import has_ids, physical_schema
from ..lake.log.names import LOG
from ..lake.log.storage import Storage
from ..lake.read.open_file import open_data_file
from ..lake.read.scan import scan as scan_delta
from .binary_row import EMPTY, encode_row, is_storable, plain
from .data_write import check_format, described_file, entry_of
from .delta_links import delta_of, link
from .paths import bucket_path
from .scanning import open_scan
from .schemas import TableSchema, new_schema
from .table import PaimonTable, SnapshotInfo
from .writing import commit_entries, write


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> SnapshotInfo | CommitInfo:
    """Returns the first snapshot of a Paimon table of the rows of a Delta table, or the first version of the reverse.

    Data files on the local file system are linked into the new table, or copied if it is on another disk. None is
    rewritten, and each table may delete its own. Rows are rewritten if files do not suffice: with deletion vectors,
    column mapping, columns that were renamed or changed, types that only one kind of table has, or ORC files.

    Args:
        source: path of a table of either kind.
        target: path of the new table of the other kind.

    Raises:
        FileExistsError: there is a table at ``target``.
        VersionNotFoundError: there is no table at ``source``.
        ValueError: the other kind of table does not have one of the types.
    """
    storage = Storage(source)
    if not storage.names(LOG):
        return delta_of(open_scan(source), target)
    snapshot = Log(source).snapshot()
    table = PaimonTable(target)
    if table.schema_ids():
        raise FileExistsError(f"target: there is a table at {table.name!r}")
    if storage.local is None or table.storage.local is None or not _says_all(snapshot):
        return write(
            scan_delta(source, verify=True), target, mode="error", partition_by=snapshot.partition_columns,
            file_format=snapshot.format,
        )  # fmt: skip
    schema = new_schema(snapshot.schema, snapshot.partition_columns, {"file.format": snapshot.format})
    check_format(schema)
    table.storage.put_if_absent("schema/schema-0", schema.to_json())
    made: list[str] = []
    try:
        entries = list(_entries(storage, snapshot, table, schema, made))
        return commit_entries(table, schema, entries, "append", None, None, discard=lambda: None)
    except BaseException:
        for path in made:
            with suppress(OSError):
                os.unlink(path)
        table.storage.delete(table.storage.path("schema/schema-0"))
        raise


def _says_all(snapshot: Snapshot) -> bool:
    """Returns True if the data files hold the rows of a snapshot under the names of its columns."""
    schema = snapshot.schema
    if has_ids(schema) or physical_schema(schema).names != schema.names:
        return False
    files = snapshot.files_table()
    return bool(files["deletion_vector"].null_count == files.num_rows)


def _entries(
    storage: Storage, snapshot: Snapshot, table: PaimonTable, schema: TableSchema, made: list[str]
) -> Iterator[dict[str, Any]]:
    """Yields the entries of the files of a Delta table, each linked into its place."""
    codec = PartitionCodec(snapshot.schema, snapshot.partition_columns or None)
    names = [each.name for each in schema.columns if each.name not in schema.partition_keys and is_storable(each.type)]
    reader = StatisticsReader(snapshot.schema, names)
    for file in snapshot.files_table().select(
        ["path", "size", "num_records", "partition_values", "stats"]
    ).to_pylist():  # fmt: skip
        here = storage.locate(file["path"])
        values = codec.parse(dict(file["partition_values"] or ())) if schema.partition_keys else {}
        partition = [values[name] for name in schema.partition_keys]
        row = _row(partition, schema.partition_kinds) if partition else EMPTY
        folder = table.storage.path(bucket_path(schema, partition, 0))
        name = f"data-{uuid4()}-0.{snapshot.format}"
        made.append(f"{folder}/{name}")
        link(here, made[-1])
        rows = file["num_records"]
        if rows is None:
            opened = open_data_file(snapshot.format, storage.filesystem, here, snapshot.schema)
            rows = opened.num_rows
            opened.close()
        stats = _stats(reader.parse(file["stats"]), names, schema)
        described = described_file(name, file["size"], rows, schema.id, names, stats)
        yield entry_of(ADD, row, 0, schema.buckets, described)


def _stats(known: Any, names: list[str], schema: TableSchema) -> dict[str, Any]:
    kinds = [schema.by_name[each].type for each in names]
    return {
        "_MIN_VALUES": _row([known.min.get((each,)) for each in names], kinds),
        "_MAX_VALUES": _row([known.max.get((each,)) for each in names], kinds),
        "_NULL_COUNTS": [known.null_count.get((each,)) for each in names],
    }


def _row(values: list[Any], kinds: list[Any]) -> bytes:
    found = [plain(pa.array([value], kind))[0] for value, kind in zip(values, kinds, strict=True)]
    return encode_row(found, kinds) if kinds else EMPTY
