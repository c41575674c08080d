"""Tables with a log, made of Arrow tables without Spark, in many small files and row groups."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec import mosaic
from lakecodec.delta import PartitionCodec
from lakecodec.lake.log import Add, Log, Statistics, Transaction


def write_lake(
    root: Path,
    table: pa.Table,
    *,
    partition_by: tuple[str, ...] = (),
    format: str = "parquet",
    file_rows: int = 100,
    group_rows: int = 25,
    statistics: bool = True,
    txn_id: str | None = None,
) -> None:
    """Appends a version; files have ``file_rows`` rows of a partition in the order of the table."""
    log = Log(root)
    snapshot = log.snapshot() if log.exists() else None
    transaction = Transaction(log, snapshot, "WRITE", txn_id=txn_id)
    if snapshot is None:
        transaction.set_schema(table.schema, partition_by, format)
    codec = PartitionCodec(table.schema, partition_by or None)
    for values, rows in _partitions(table, partition_by):
        directory = codec.directory(values)
        (root / directory).mkdir(parents=True, exist_ok=True)
        for start in range(0, rows.num_rows, file_rows):
            part = rows.slice(start, file_rows)
            name = f"{uuid4()}.{format}"
            path = root / directory / name
            _write(path, part, format, group_rows)
            stats = Statistics(part.schema)
            stats.update(part)
            size, modified = path.stat().st_size, int(path.stat().st_mtime * 1000)
            text = stats.to_json() if statistics else None
            transaction.add(Add(codec.add_path(directory, name), codec.serialize(values), size, modified, stats=text))
    transaction.commit()


def _partitions(table: pa.Table, names: tuple[str, ...]) -> list[tuple[dict[str, object], pa.Table]]:
    """Values and rows, without the partition columns, of each partition."""
    found: dict[str, tuple[dict[str, object], list[int]]] = {}
    for number, row in enumerate(table.select(list(names)).to_pylist()):
        found.setdefault(repr(row), (row, []))[1].append(number)
    rest = table.drop_columns(list(names))
    return [(values, rest.take(pa.array(numbers))) for values, numbers in found.values()] if names else [({}, rest)]


def _write(path: Path, rows: pa.Table, format: str, group_rows: int) -> None:
    if format == "parquet":
        pq.write_table(rows, path, row_group_size=group_rows)
        return
    names = [field.name for field in rows.schema if not pa.types.is_nested(field.type) and field.type != pa.binary()]
    with mosaic.MosaicWriter(str(path), rows.schema, row_group_max_bytes=1, stats_columns=names) as writer:
        for start in range(0, rows.num_rows, group_rows):
            writer.write(rows.slice(start, group_rows))
