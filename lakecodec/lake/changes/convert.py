"""Conversion of a directory of Parquet files to a Delta table in place: footers are read, only a log is written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...delta import PartitionCodec, encode_uri, split_directory
from ...parquet import read_metadata
from ...runtime.errors import CodecError
from ...runtime.urls import with_options
from ..log import Add, CommitInfo, Log, SchemaMismatchError, Transaction, footer_statistics, from_delta, to_delta
from ..log.column_mapping import changed_elements
from ..log.file_actions import NANOSECONDS
from ..log.names import LOG
from ..log.storage import FileInfo, table_path
from ..log.vacuum import data_files

_THREADS = 16


def convert(
    parquet_directory: str | os.PathLike[str],
    *,
    partition_schema: pa.Schema | Mapping[str, pa.DataType] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Converts a directory of Parquet files to a Delta table in place, and returns the commit.

    Only footers are read, by 16 threads; statistics of the log come from them. Columns are matched by name; a file may lack
    some, which are then null. Names that start with ``.`` or ``_`` are not data, except partition directories.

    Args:
        parquet_directory: the directory; files may be in Hive directories (``year=2024/month=1``).
        partition_schema: the columns of these directories, with their types, in the directories' order.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit of the new version 0.

    Raises:
        TypeError, ValueError, KeyError: an argument is wrong or does not fit the directories, or there are no Parquet
            files.
        FileExistsError: the directory is a table already.
        SchemaMismatchError: a column has different types in files, or a type that a table cannot have.
        DecodeError: a footer is broken, or a directory's text is not a value of its column.
    """
    log = Log(table_path(with_options(parquet_directory, storage_options), "parquet_directory"))
    log.storage.check_put()
    if log.exists():
        raise FileExistsError(f"parquet_directory: there is a table at {log.path!r} already")
    if log.storage.info(log.storage.root) is not None:
        raise ValueError(f"parquet_directory: {log.path!r} is a file")
    infos = sorted(data_files(log), key=lambda info: info.path)
    if not infos:
        raise ValueError(f"parquet_directory: there are no files in {log.path!r}")
    partitions = _partitions(partition_schema)
    for info in infos:
        _check_directories(info.path, partitions.names)
    with ThreadPoolExecutor(_THREADS) as pool:
        footers = list(pool.map(lambda info: _Footer.read(log, info), infos))
    files = _common_schema(footers, partitions.names)
    schema = from_delta(to_delta(pa.schema([*files, *partitions])))
    data = pa.schema([field for field in schema if field.name not in partitions.names])
    codec = PartitionCodec(schema, partitions.names or None, column_mapping="none")
    transaction = Transaction(
        log, None, "CONVERT", parameters={"numFiles": len(infos), "partitionedBy": partitions.names}
    )
    transaction.set_schema(schema, partitions.names)
    for footer in footers:
        transaction.add(footer.add(codec, data))
    if log.storage.local is not None:
        os.makedirs(os.path.join(log.storage.root, LOG), exist_ok=True)
    transaction.depends_on()
    return transaction.commit()


@dataclass(frozen=True)
class _Footer:
    """A file with its Parquet footer and Arrow schema."""

    info: FileInfo
    metadata: Any
    schema: pa.Schema

    @classmethod
    def read(cls, log: Log, info: FileInfo) -> _Footer:
        where = log.storage.path(info.path)
        try:
            metadata = read_metadata(where, filesystem=log.storage.filesystem)
            with log.storage.open(info.path) as source:
                # INT96 is read in seconds, a unit that Parquet does not have, which tells it from other timestamps.
                schema = pq.ParquetFile(source, coerce_int96_timestamp_unit="s").schema_arrow.remove_metadata()
        except (CodecError, pa.ArrowException, OSError) as error:
            raise type(error)(f"{info.path}: {error}") if isinstance(error, OSError) else error from None
        fields = [pa.field(field.name, _with_int96(field.type)) for field in schema]
        return cls(info, metadata, pa.schema(fields))

    def add(self, codec: PartitionCodec, schema: pa.Schema) -> Add:
        values = codec.parse_directory(self.info.path.rpartition("/")[0]) if codec.columns else {}
        known = pa.schema([field for field in schema if field.name in self.schema.names])
        texts = codec.serialize(values) if codec.columns else {}
        stats = footer_statistics(self.metadata, known)
        modified = int(self.info.modified.timestamp() * 1000)
        tags = {NANOSECONDS: "true"} if any("timestamp[ns" in str(each.type) for each in self.schema) else None
        return Add(encode_uri(self.info.path), texts, self.info.size, modified, stats=stats, tags=tags)


def _with_int96(kind: Any) -> Any:
    """Returns the table's type for a file column's type: INT96 becomes a time with a zone, as in Spark."""
    if kind == pa.timestamp("s"):
        return pa.timestamp("us", "UTC")
    if pa.types.is_struct(kind):
        return pa.struct(
            [kind.field(index).with_type(_with_int96(kind.field(index).type)) for index in range(kind.num_fields)]
        )
    return changed_elements(kind, kind, lambda part, _: _with_int96(part))


def _partitions(given: Any) -> pa.Schema:
    if given is None:
        return pa.schema([])
    if isinstance(given, Mapping):
        return pa.schema(dict(given))
    if not isinstance(given, pa.Schema):
        raise TypeError(f"partition_schema: a pyarrow.Schema or a dict of types is needed, not {type(given).__name__}")
    return given


def _check_directories(path: str, names: Sequence[str]) -> None:
    """Raises ValueError if a file's directories are not those of the partition columns, in their order."""
    parts = path.split("/")[:-1]
    hive = [part for part in parts if "=" in part]
    found = list(split_directory("/".join(hive))) if hive else []
    if found == list(names) and len(hive) == len(parts):
        return
    if found and not names:
        raise ValueError(f"partition_schema: {path!r} is in directories of {', '.join(found)}; give their types")
    raise ValueError(
        f"partition_schema: {path!r} is in directories of {', '.join(found) or 'no columns'}, "
        f"not of {', '.join(names) or 'no columns'}"
    )


def _common_schema(footers: Sequence[_Footer], partitions: Sequence[str]) -> pa.Schema:
    """Returns the union of the files' columns; SchemaMismatchError if one has two types."""
    found: dict[str, tuple[pa.Field, str]] = {}
    for footer in footers:
        for field in footer.schema:
            if field.name in partitions:
                raise ValueError(f"partition_schema: {field.name!r} is a column of {footer.info.path!r}, too")
            known = found.setdefault(field.name, (field, footer.info.path))
            if to_delta(pa.schema([known[0]])) != to_delta(pa.schema([field])):
                raise SchemaMismatchError(
                    f"{field.name!r} is {known[0].type} in {known[1]!r} and {field.type} in {footer.info.path!r}",
                    [field.name],
                )
    return pa.schema([field for field, _ in found.values()])
