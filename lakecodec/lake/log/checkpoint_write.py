"""Writer of classic checkpoints: one Parquet file with a row per action, and ``_last_checkpoint``."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from .actions import Action, DomainMetadata, Metadata, Protocol, Txn
from .file_actions import Add, Remove
from .names import LAST_CHECKPOINT, checkpoint_name
from .properties import CHECKPOINT_INTERVAL, DELETED_FILE_RETENTION, STATISTICS_AS_JSON, STATISTICS_AS_STRUCT
from .protocol import check_writable

if TYPE_CHECKING:
    from .snapshot import Snapshot

_MAP = pa.map_(pa.string(), pa.string())
_NAMES = pa.list_(pa.field("element", pa.string()))
_VECTOR = pa.struct(
    {
        "storageType": pa.string(),
        "pathOrInlineDv": pa.string(),
        "offset": pa.int32(),
        "sizeInBytes": pa.int32(),
        "cardinality": pa.int64(),
    }
)
_SCHEMA: dict[Any, Any] = {
    Txn: pa.struct({"appId": pa.string(), "version": pa.int64(), "lastUpdated": pa.int64()}),
    Add: pa.struct(
        {
            "path": pa.string(),
            "partitionValues": _MAP,
            "size": pa.int64(),
            "modificationTime": pa.int64(),
            "dataChange": pa.bool_(),
            "stats": pa.string(),
            "tags": _MAP,
            "deletionVector": _VECTOR,
            "baseRowId": pa.int64(),
            "defaultRowCommitVersion": pa.int64(),
            "clusteringProvider": pa.string(),
        }
    ),
    Remove: pa.struct(
        {
            "path": pa.string(),
            "deletionTimestamp": pa.int64(),
            "dataChange": pa.bool_(),
            "extendedFileMetadata": pa.bool_(),
            "partitionValues": _MAP,
            "size": pa.int64(),
            "deletionVector": _VECTOR,
            "tags": _MAP,
            "stats": pa.string(),
            "baseRowId": pa.int64(),
            "defaultRowCommitVersion": pa.int64(),
        }
    ),
    Metadata: pa.struct(
        {
            "id": pa.string(),
            "name": pa.string(),
            "description": pa.string(),
            "format": pa.struct({"provider": pa.string(), "options": _MAP}),
            "schemaString": pa.string(),
            "partitionColumns": _NAMES,
            "configuration": _MAP,
            "createdTime": pa.int64(),
        }
    ),
    Protocol: pa.struct(
        {
            "minReaderVersion": pa.int32(),
            "minWriterVersion": pa.int32(),
            "readerFeatures": _NAMES,
            "writerFeatures": _NAMES,
        }
    ),
    DomainMetadata: pa.struct({"domain": pa.string(), "configuration": pa.string(), "removed": pa.bool_()}),
}


def is_due(version: int, metadata: Metadata) -> bool:
    """Returns True if a commit of this version is followed by a checkpoint.

    Not in tables that want their statistics as columns: they would be lost, and other writers write them.
    """
    if STATISTICS_AS_STRUCT.of(metadata) or not STATISTICS_AS_JSON.of(metadata):
        return False
    return version > 0 and version % CHECKPOINT_INTERVAL.of(metadata) == 0


def write_checkpoint(snapshot: Snapshot) -> None:
    """Writes a classic checkpoint of ``snapshot`` and points `_last_checkpoint` to it.

    Raises:
        UnsupportedTableError: the table has what a checkpoint written here would lose.
    """
    check_writable(snapshot.protocol, snapshot.metadata)
    files = snapshot.live_files
    table = _table(snapshot, files)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="snappy", row_group_size=100_000, write_page_checksum=True)
    data = sink.getvalue().to_pybytes()
    storage = snapshot.log.storage
    storage.replace(checkpoint_name(snapshot.version), data)
    pointer = {
        "version": snapshot.version,
        "size": table.num_rows,
        "sizeInBytes": len(data),
        "numOfAddFiles": files.num_rows,
    }
    storage.replace(LAST_CHECKPOINT, json.dumps(pointer).encode())


def _table(snapshot: Snapshot, files: pa.Table) -> pa.Table:
    """Returns one row per action: the table's state, and the tombstones whose retention has not expired."""
    retention = DELETED_FILE_RETENTION.of(snapshot.metadata)
    since = 0 if retention is None else int((time.time() - retention.total_seconds()) * 1000)
    groups: list[tuple[Any, Any]] = [
        (kind, _struct(kind, actions))
        for kind, actions in (
            (Protocol, [snapshot.protocol]),
            (Metadata, [snapshot.metadata]),
            (Txn, list(snapshot.txns.values())),
            (DomainMetadata, list(snapshot.domains.values())),
            (Remove, [remove for remove in snapshot.tombstones if (remove.deletion_timestamp or 0) >= since]),
        )
    ]
    groups.insert(2, (Add, _adds(files)))
    total = sum(len(rows) for _, rows in groups)
    columns = {}
    before = 0
    for kind, rows in groups:
        after = total - before - len(rows)
        parts = [pa.nulls(before, rows.type), rows, pa.nulls(after, rows.type)]
        columns[kind.key] = pa.chunked_array([part for part in parts if len(part)], rows.type)
        before += len(rows)
    return pa.table(columns)


def _struct(kind: Any, actions: Sequence[Action]) -> Any:
    return pa.array([action.to_json() for action in actions], _SCHEMA[kind])


def _adds(files: pa.Table) -> Any:
    """Returns the add actions column by column, with ``dataChange`` false."""
    files = files.combine_chunks()
    columns = [
        files["path"],
        files["partition_values"],
        files["size"],
        files["modification_time"],
        pa.chunked_array([pa.array([False] * files.num_rows, pa.bool_())]),
        files["stats"],
        files["tags"],
        _vectors(files["deletion_vector"]),
        files["base_row_id"],
        files["default_row_commit_version"],
        files["clustering_provider"],
    ]
    arrays = [column.combine_chunks() for column in columns]
    return pa.StructArray.from_arrays(
        [array.chunk(0) if isinstance(array, pa.ChunkedArray) else array for array in arrays], fields=list(_SCHEMA[Add])
    )


def _vectors(texts: Any) -> Any:
    """Returns descriptors of deletion vectors, which are texts in JSON, as structs."""
    if texts.null_count == len(texts):
        return pa.chunked_array([pa.nulls(len(texts), _VECTOR)])
    found = [None if text is None else json.loads(text) for text in texts.to_pylist()]
    return pa.chunked_array([pa.array(found, _VECTOR)])
