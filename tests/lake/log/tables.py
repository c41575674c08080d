"""Small tables for the tests of the log: data files written with pyarrow, commits by the library."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lakecodec.delta import PartitionCodec
from lakecodec.lake.log import Add, CommitInfo, Log, Statistics, Transaction

SCHEMA = pa.schema({"id": pa.int64(), "city": pa.string(), "day": pa.date32()})


def rows(start: int, count: int = 3, city: str | None = "Zürich") -> pa.Table:
    """Rows of `SCHEMA` with ids from ``start`` on."""
    ids = list(range(start, start + count))
    return pa.table({"id": ids, "city": [city] * count, "day": pc.cast(pa.array(ids, pa.int32()), pa.date32())}, SCHEMA)


def write_file(root: Path, data: pa.Table, partition: tuple[str, ...] = ()) -> Add:
    """Writes a data file whose rows share the values of the ``partition`` columns."""
    codec = PartitionCodec(data.schema, partition or None)
    values = {name: data[name][0].as_py() for name in partition}
    directory, name = codec.directory(values), f"part-{uuid.uuid4().hex}.parquet"
    path = root / directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = data.drop_columns(list(partition))
    pq.write_table(stored, path)
    statistics = Statistics(stored.schema)
    statistics.update(stored)
    status = path.stat()
    return Add(
        codec.add_path(directory, name),
        codec.serialize(values),
        status.st_size,
        int(status.st_mtime * 1000),
        stats=statistics.to_json(),
    )


def append(root: Path, data: pa.Table, partition: tuple[str, ...] = (), **options: Any) -> CommitInfo:
    """Appends one file, to a table that is created where there is none."""
    log = options.pop("log", None) or Log(root)
    transaction = Transaction(log, log.snapshot() if log.exists() else None, "WRITE", **options)
    if transaction.read is None:
        transaction.set_schema(data.schema, partition)
    transaction.add(write_file(root, data, partition))
    return transaction.commit()


def overwrite(root: Path, data: pa.Table) -> CommitInfo:
    """Replaces all files by one."""
    log = Log(root)
    read = log.snapshot()
    transaction = Transaction(log, read, "WRITE", parameters={"mode": "Overwrite"})
    for add in read.files:
        transaction.remove(add)
    transaction.add(write_file(root, data, read.partition_columns))
    return transaction.commit()


def ids(table: Any) -> list[int]:
    """The ids of a table read by any library, in order."""
    column = table["id"]
    return sorted(column.to_list() if hasattr(column, "to_list") else column.to_pylist())
