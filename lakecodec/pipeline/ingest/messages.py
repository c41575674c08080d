"""What a task tells the driver: the files it made, or why it could not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from ...runtime.errors import EncodeError
from ..log import Add

#: Of the messages, for Spark and for Arrow.
RESULT = "path string, partition_values string, size bigint, rows bigint, modification_time bigint, stats string, error string"
_SCHEMA = pa.schema(
    {
        "path": pa.string(),
        "partition_values": pa.string(),
        "size": pa.int64(),
        "rows": pa.int64(),
        "modification_time": pa.int64(),
        "stats": pa.string(),
        "error": pa.string(),
    }
)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A complete data file.

    Attributes:
        path: as in the log.
        partition_values: the log's texts by column.
        size: in bytes.
        rows: in it.
        modification_time: in milliseconds since 1970.
        stats: as in the log.
    """

    path: str
    partition_values: dict[str, str | None]
    size: int
    rows: int
    modification_time: int
    stats: str

    @property
    def add(self) -> Add:
        """The log's action."""
        return Add(self.path, self.partition_values, self.size, self.modification_time, stats=self.stats)


def files_message(files: Iterable[DataFile]) -> pa.RecordBatch:
    """The message of a task that went well."""
    rows = [
        (file.path, json.dumps(file.partition_values), file.size, file.rows, file.modification_time, file.stats, None)
        for file in files
    ]
    return pa.RecordBatch.from_arrays(
        [
            pa.array([row[index] for row in rows], field.type) for index, field in enumerate(_SCHEMA)
        ],
        schema=_SCHEMA,
    )  # fmt: skip


def error_message(error: EncodeError) -> pa.RecordBatch:
    """The message of a task that met a value which cannot be written: no other attempt could."""
    text = json.dumps([error.rule, error.format, error.path])
    return pa.RecordBatch.from_arrays(
        [pa.array([text if field.name == "error" else None], field.type) for field in _SCHEMA], schema=_SCHEMA
    )


def read_messages(messages: pa.Table) -> list[DataFile]:
    """The files of all tasks. Raises the EncodeError that one reported."""
    files = []
    for row in messages.to_pylist():
        if (text := row.pop("error")) is not None:
            rule, format, path = json.loads(text)
            raise EncodeError(rule, format=format, path=path)
        files.append(DataFile(**{**row, "partition_values": json.loads(row["partition_values"])}))
    return files
