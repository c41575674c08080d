"""Writer of checkpoints and of ``_last_checkpoint``: Parquet files with one row per action.

A classic checkpoint is one file. One of version 2 names a second file, a sidecar, with the actions of files.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from .actions import Action, DomainMetadata, Metadata, Protocol, Txn
from .file_actions import Add, Remove
from .names import LAST_CHECKPOINT, SIDECARS, checkpoint_name, v2_checkpoint_name
from .properties import (
    CHECKPOINT_INTERVAL,
    CHECKPOINT_POLICY,
    DELETED_FILE_RETENTION,
    STATISTICS_AS_JSON,
    STATISTICS_AS_STRUCT,
)
from .protocol import check_writable
from .storage import Storage

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


#: Actions that only checkpoints of version 2 have, and their keys.
_VERSION = pa.struct({"version": pa.int64()})
_SIDECAR = pa.struct({"path": pa.string(), "sizeInBytes": pa.int64(), "modificationTime": pa.int64()})
_KEYS: dict[Any, str] = {_VERSION: "checkpointMetadata", _SIDECAR: "sidecar"}


def is_due(version: int, metadata: Metadata) -> bool:
    """Returns True if a commit of this version is followed by a checkpoint.

    Never in tables with statistics as columns in checkpoints: these would be lost, and other writers write them.
    """
    if STATISTICS_AS_STRUCT.of(metadata) or not STATISTICS_AS_JSON.of(metadata):
        return False
    return version > 0 and version % CHECKPOINT_INTERVAL.of(metadata) == 0


def write_checkpoint(snapshot: Snapshot) -> None:
    """Writes a checkpoint of ``snapshot`` in the checkpoint version of the table, and points `_last_checkpoint` to it.

    Raises:
        UnsupportedTableError: the table has something that a checkpoint written here would lose.
    """
    check_writable(snapshot.protocol, snapshot.metadata)
    files = snapshot.live_files
    state = _groups(snapshot, files)
    storage = snapshot.log.storage
    pointer: dict[str, Any] = {"version": snapshot.version, "size": sum(map(len, state.values()))}
    if CHECKPOINT_POLICY.of(snapshot.metadata):
        sidecar = f"{uuid4()}.parquet"
        size = _put(storage, f"{SIDECARS}/{sidecar}", {kind: state.pop(kind) for kind in (Add, Remove)})
        now = time.time_ns() // 1_000_000
        beside = {"path": sidecar, "sizeInBytes": size, "modificationTime": now}
        name = v2_checkpoint_name(snapshot.version, str(uuid4()))
        state = {_VERSION: pa.array([{"version": snapshot.version}], _VERSION), **state}
        state[_SIDECAR] = pa.array([beside], _SIDECAR)
        size = _put(storage, name, state)
        own = {"path": name.rpartition("/")[2], "sizeInBytes": size, "modificationTime": now}
        pointer |= {"v2Checkpoint": own, "sizeInBytes": size}
    else:
        pointer["sizeInBytes"] = _put(storage, checkpoint_name(snapshot.version), state)
    pointer["numOfAddFiles"] = files.num_rows
    storage.replace(LAST_CHECKPOINT, json.dumps(pointer).encode())


def _put(storage: Storage, path: str, groups: Mapping[Any, Any]) -> int:
    """Writes a file of actions, and returns its size in bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(_table(groups), sink, compression="snappy", row_group_size=100_000, write_page_checksum=True)
    data = sink.getvalue().to_pybytes()
    storage.replace(path, data)
    return len(data)


def _groups(snapshot: Snapshot, files: pa.Table) -> dict[Any, Any]:
    """Returns actions by kind: the table's state, and the tombstones whose retention has not expired."""
    retention = DELETED_FILE_RETENTION.of(snapshot.metadata)
    since = 0 if retention is None else int((time.time() - retention.total_seconds()) * 1000)
    return {
        Protocol: _struct(Protocol, [snapshot.protocol]),
        Metadata: _struct(Metadata, [snapshot.metadata]),
        Add: _adds(files),
        Txn: _struct(Txn, list(snapshot.txns.values())),
        DomainMetadata: _struct(DomainMetadata, list(snapshot.domains.values())),
        Remove: _struct(Remove, [each for each in snapshot.tombstones if (each.deletion_timestamp or 0) >= since]),
    }


def _table(groups: Mapping[Any, Any]) -> pa.Table:
    """Returns one row per action."""
    total = sum(map(len, groups.values()))
    columns = {}
    before = 0
    for kind, rows in groups.items():
        after = total - before - len(rows)
        parts = [pa.nulls(before, rows.type), rows, pa.nulls(after, rows.type)]
        columns[_KEYS.get(kind) or kind.key] = pa.chunked_array([part for part in parts if len(part)], rows.type)
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
    """Returns descriptors of deletion vectors, given as JSON texts, as structs."""
    if texts.null_count == len(texts):
        return pa.chunked_array([pa.nulls(len(texts), _VECTOR)])
    found = [None if text is None else json.loads(text) for text in texts.to_pylist()]
    return pa.chunked_array([pa.array(found, _VECTOR)])
