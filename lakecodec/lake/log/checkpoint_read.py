"""Checkpoints: the state of a table at one version, in Parquet (classic, in parts, with sidecars) or JSON.

Only needed parts are read: a commit needs the few rows that are not files, a scan the files but no tombstones.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...delta import decode_uri
from ...generated.parquet import ColumnMetaData, FileMetaData
from ...parquet import read_metadata
from ...parquet.schema import leaf_paths
from ...runtime.errors import DecodeError
from .actions import DomainMetadata, Metadata, Protocol, Txn
from .commit import Commit, decode_commit
from .errors import CorruptLogError
from .fields import FieldError
from .file_actions import Add, Remove
from .files import FILES, files_of
from .names import SIDECARS, CheckpointFiles
from .storage import Storage

_T = TypeVar("_T")
_HEADER: tuple[Any, ...] = (Protocol, Metadata, Txn, DomainMetadata)
_SIDECAR = "sidecar"
#: Checkpoints up to this size are read whole, in one request.
_SMALL_BYTES = 1 << 20
#: Cache of small checkpoints of local tables, by the file's identity and state; the most recently used is last.
_KEPT: dict[tuple[Any, ...], Checkpoint] = {}
_KEPT_AT_MOST, _KEPT_LOCK = 4, threading.Lock()


def open_checkpoint(storage: Storage, files: CheckpointFiles) -> Checkpoint:
    """Returns a checkpoint; small local ones are kept, so that a scan need not read again what the last one read."""
    if storage.local is None or len(files.paths) != 1:
        return Checkpoint(storage, files)
    try:
        status = os.stat(storage.path(files.paths[0]))
    except FileNotFoundError:
        return Checkpoint(storage, files)
    identity = (storage.root, files.paths, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    with _KEPT_LOCK:
        found = _KEPT.pop(identity, None) or Checkpoint(storage, files)
        if status.st_size <= _SMALL_BYTES:
            _KEPT[identity] = found
            while len(_KEPT) > _KEPT_AT_MOST:
                del _KEPT[next(iter(_KEPT))]
    return found


class Checkpoint:
    """A checkpoint whose parts are read on first use, and then kept.

    All attributes raise CorruptLogError for a missing or broken file.
    """

    def __init__(self, storage: Storage, files: CheckpointFiles) -> None:
        self.version = files.version
        self._storage = storage
        self.paths = files.paths
        self._small: dict[str, pa.Table] = {}

    @cached_property
    def header(self) -> Commit:
        """All actions except files; for a checkpoint in JSON it includes adds and removes."""
        if self.paths[0].endswith(".json"):
            path = self.paths[0]
            return decode_commit(_guarded(lambda: self._storage.read(path), path), self.version, path)
        header = Commit(self.version)
        for path in self.paths:
            rows = self._columns(path, _HEADER_COLUMNS)
            for kind in _HEADER:
                for action in _actions(rows, kind, path):
                    header.append(action)
            if _SIDECAR in rows.column_names:
                header.sidecars += pc.drop_null(pc.struct_field(rows[_SIDECAR], "path")).to_pylist()
        if header.protocol is None or header.metadata is None:
            raise CorruptLogError("the checkpoint has no protocol or no metaData", path=self.paths[0])
        return header

    @cached_property
    def files(self) -> pa.Table:
        """The data files as a table of the schema `files.FILES`."""
        if self.paths[0].endswith(".json") and not self.header.sidecars:
            return files_of(self.header.adds)
        parts = [(path, self._columns(path, _ADD_COLUMNS)) for path in self._file_paths]
        # A part may lack the columns of actions that it does not have: parts without an add column have no files.
        found = [(path, rows) for path, rows in parts if Add.key in rows.column_names] or parts
        return pa.concat_tables([_files(rows, path) for path, rows in found])

    @cached_property
    def tombstones(self) -> list[Remove]:
        """The remove actions of the checkpoint (tombstones)."""
        if self.paths[0].endswith(".json") and not self.header.sidecars:
            return self.header.removes
        return [
            action for path in self._file_paths for action in _actions(self._read(path, [Remove.key])[0], Remove, path)
        ]

    @property
    def _file_paths(self) -> Sequence[str]:
        """Returns the paths of the Parquet files with file actions: the sidecars if there are some, else the checkpoint."""
        names = [decode_uri(sidecar).rpartition("/")[2] for sidecar in self.header.sidecars]
        return [f"{SIDECARS}/{name}" for name in names] or self.paths

    def _columns(self, path: str, columns: list[str]) -> pa.Table:
        """Returns the existing ones of some columns of a Parquet file. A small file is opened once for all columns."""
        if (known := self._small.get(path)) is not None:
            return known
        rows, small = self._read(path, columns, _HEADER_COLUMNS + _ADD_COLUMNS)
        if small:
            self._small[path] = rows
        return rows

    def _read(self, path: str, columns: list[str], if_small: list[str] | None = None) -> tuple[pa.Table, bool]:
        """Returns the columns that a Parquet file has (of a small file all needed ones), and whether it is small."""

        def read() -> tuple[pa.Table, bool]:
            with self._storage.open(path) as opened:
                small = if_small is not None and opened.size() <= _SMALL_BYTES
                source = pa.BufferReader(opened.read_buffer()) if small else opened
                footer = read_metadata(source)
                with pq.ParquetFile(source, page_checksum_verification=True) as file:
                    rows = file.read(if_small if small else columns, use_threads=False)
            rows.validate(full=True)  # invalid UTF-8, wrong offsets
            check_counts(rows, footer)
            return rows, small

        return _guarded(read, path)


def _actions(rows: pa.Table, kind: Any, path: str) -> list[Any]:
    """Returns the actions in the column of their kind."""
    if kind.key not in rows.column_names:
        return []
    column = rows[kind.key].combine_chunks()
    present = column.filter(pc.is_valid(column))
    try:
        return [kind.from_json(fields) for fields in present.to_pylist(maps_as_pydicts="strict")]
    except (FieldError, KeyError, ValueError) as error:
        raise CorruptLogError(f"{kind.key}: {error}", path=path) from None


_REQUIRED = ("path", "partitionValues", "size", "modificationTime")
_OPTIONAL = ("clusteringProvider", "baseRowId", "defaultRowCommitVersion")
_HEADER_COLUMNS = [*(kind.key for kind in _HEADER), f"{_SIDECAR}.path"]
_ADD_COLUMNS = [f"{Add.key}.{name}" for name in (*_REQUIRED, "stats", "tags", "deletionVector", *_OPTIONAL)]


def _files(rows: pa.Table, path: str) -> pa.Table:
    fields = (
        {field.name: index for index, field in enumerate(rows[Add.key].type)} if Add.key in rows.column_names else {}
    )
    for name in _REQUIRED:
        if name not in fields:
            raise CorruptLogError(f"the checkpoint has no column {Add.key}.{name}", path=path)
    column = rows[Add.key].combine_chunks()
    column = column.filter(pc.is_valid(column))

    def values(name: str, kind: Any) -> Any:
        if name not in fields:
            return pa.nulls(len(column), kind)
        return pc.cast(pc.struct_field(column, fields[name]), kind)

    try:
        vectors = pc.struct_field(column, fields["deletionVector"]) if "deletionVector" in fields else None
        adds = [
            values("path", pa.string()),
            values("partitionValues", FILES.field("partition_values").type),
            values("size", pa.int64()),
            pc.fill_null(values("modificationTime", pa.int64()), 0),
            values("stats", pa.string()),
            values("tags", FILES.field("tags").type),
            pa.nulls(len(column), pa.string()) if vectors is None else _vectors(vectors),
            values("clusteringProvider", pa.string()),
            values("baseRowId", pa.int64()),
            values("defaultRowCommitVersion", pa.int64()),
        ]
        table = pa.table(adds, schema=FILES)
    except pa.ArrowException as error:
        raise CorruptLogError(f"the checkpoint's column add does not follow the protocol: {error}", path=path) from None
    for name in ("path", "size"):
        if table[name].null_count:
            raise CorruptLogError(f"add: {name!r} is missing", path=path)
    return table


def _vectors(vectors: Any) -> Any:
    """Returns deletion vectors as JSON; some writers store empty structs instead of null."""
    if vectors.null_count != len(vectors):
        found = [
            row if row is None or row.get("storageType") is None else json.dumps(row) for row in vectors.to_pylist()
        ]
        return pa.array([text if isinstance(text, str) else None for text in found], pa.string())
    return pa.nulls(len(vectors), pa.string())


def _guarded(read: Callable[[], _T], path: str) -> _T:
    try:
        return read()
    except FileNotFoundError:
        raise CorruptLogError("the file of the checkpoint is missing", path=path) from None
    except (pa.ArrowException, OSError, UnicodeDecodeError, DecodeError) as error:
        # For some broken Parquet files pyarrow raises built-in exceptions, among them OSError.
        raise CorruptLogError(f"the checkpoint cannot be read: {error}", path=path) from None


def check_counts(rows: pa.Table, footer: FileMetaData) -> None:
    """Compares the number of rows, and of values of each plain field, with the footer's counts.

    Raises:
        pa.ArrowInvalid: the numbers differ, or an action has no fields.
    """
    if rows.num_rows != footer.num_rows:
        raise pa.ArrowInvalid(f"{rows.num_rows} rows, but its footer counts {footer.num_rows}")
    chunks: dict[tuple[str, ...], list[ColumnMetaData]] = {}
    for group in footer.row_groups:
        for path, chunk in zip(leaf_paths(footer.schema), group.columns, strict=False):
            if chunk.meta_data is not None:
                chunks.setdefault(path, []).append(chunk.meta_data)
    for action in rows.column_names:
        if not pa.types.is_struct(rows[action].type):
            raise pa.ArrowInvalid(f"{action} is not a struct")
        for field, values in zip(rows[action].type, rows[action].flatten(), strict=True):
            expected = _counted(chunks.get((action, field.name), ()))
            found = len(values) - values.null_count
            if expected is not None and found != expected:
                raise pa.ArrowInvalid(f"{found} values of {action}.{field.name}, but its footer counts {expected}")


def _counted(chunks: Iterable[ColumnMetaData]) -> int | None:
    """Returns the number of non-null values of a column from the footer; None if it is not there."""
    total = None
    for chunk in chunks:
        if chunk.statistics is None or chunk.statistics.null_count is None:
            return None
        total = (total or 0) + chunk.num_values - chunk.statistics.null_count
    return total
