"""Messages from write tasks to the driver: the files of a task, or its error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from ...runtime.errors import EncodeError
from ..log import Add
from ..log.file_actions import CHANGES, ChangeFile

#: The schema of the messages, for Spark and for Arrow.
RESULT = (
    "path string, partition_values string, size bigint, rows bigint, modification_time bigint, stats string, tags string, "
    "error string"
)
_SCHEMA = pa.schema(
    {
        "path": pa.string(),
        "partition_values": pa.string(),
        "size": pa.int64(),
        "rows": pa.int64(),
        "modification_time": pa.int64(),
        "stats": pa.string(),
        "tags": pa.string(),
        "error": pa.string(),
    }
)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A complete data file.

    Attributes:
        path: as in ``add.path``.
        partition_values: serialized partition values by column.
        size: in bytes.
        rows: number of rows.
        modification_time: in milliseconds since 1970.
        stats: JSON as in ``add.stats``.
        tags: as in ``add.tags``.
    """

    path: str
    partition_values: dict[str, str | None]
    size: int
    rows: int
    modification_time: int
    stats: str
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def add(self) -> Add:
        """The add action of the file."""
        return self.tagged({})

    def tagged(self, tags: Mapping[str, str]) -> Add:
        """Returns the file's add action with additional tags."""
        every = {**self.tags, **tags} or None
        return Add(self.path, self.partition_values, self.size, self.modification_time, stats=self.stats, tags=every)

    @property
    def changes(self) -> ChangeFile | None:
        """The cdc action of a file of changed rows."""
        is_one = self.path.startswith(f"{CHANGES}/")
        return ChangeFile(self.path, self.partition_values, self.size) if is_one else None


def files_message(files: Iterable[DataFile]) -> pa.RecordBatch:
    """Returns the message of a successful task: one row per file, in the columns of `RESULT`."""
    rows = [
        (
            file.path,
            json.dumps(file.partition_values),
            file.size,
            file.rows,
            file.modification_time,
            file.stats,
            json.dumps(file.tags),
            None,
        )
        for file in files
    ]
    return pa.RecordBatch.from_arrays(
        [
            pa.array([row[index] for row in rows], field.type) for index, field in enumerate(_SCHEMA)
        ],
        schema=_SCHEMA,
    )  # fmt: skip


def error_message(error: EncodeError) -> pa.RecordBatch:
    """Returns the message of a task with a value that cannot be written; it is not raised, since a retry cannot succeed."""
    text = json.dumps([error.rule, error.format, error.path])
    return pa.RecordBatch.from_arrays(
        [pa.array([text if field.name == "error" else None], field.type) for field in _SCHEMA], schema=_SCHEMA
    )


def read_messages(messages: pa.Table) -> list[DataFile]:
    """Returns the files of all tasks.

    Raises:
        EncodeError: a task reported one.
    """
    files = []
    for row in messages.to_pylist():
        if (text := row.pop("error")) is not None:
            rule, format, path = json.loads(text)
            raise EncodeError(rule, format=format, path=path)
        files.append(DataFile(**{**row, **{name: json.loads(row[name]) for name in ("partition_values", "tags")}}))
    return files
