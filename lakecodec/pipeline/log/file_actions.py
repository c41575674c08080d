"""The actions that make up a table's content: files added and removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from ...delta import decode_uri
from .actions import without_none
from .fields import count, optional, required, texts


@dataclass(frozen=True)
class Add:
    """A data file of the table.

    Attributes:
        path: as in the log: relative to the table and URI-encoded.
        partition_values: the texts of the partition columns, None for null.
        size: in bytes.
        modification_time: in milliseconds since 1970.
        data_change: False where the rows were in the table before.
        stats: the statistics as JSON, see `Statistics`.
        deletion_vector: of files that other writers deleted rows from; see `deletion_vectors`.
    """

    key: ClassVar[str] = "add"
    path: str
    partition_values: Mapping[str, str | None]
    size: int
    modification_time: int
    data_change: bool = True
    stats: str | None = None
    tags: Mapping[str, str] | None = None
    deletion_vector: Mapping[str, Any] | None = None

    @property
    def file(self) -> str:
        """The file's path as it is on disk, relative to the table (absolute where the log says so)."""
        return decode_uri(self.path)

    @cached_property
    def num_records(self) -> int | None:
        """Rows, None where the statistics do not tell."""
        return num_records(self.stats)

    def to_json(self) -> dict[str, Any]:
        return without_none(
            path=self.path,
            partitionValues=dict(self.partition_values),
            size=self.size,
            modificationTime=self.modification_time,
            dataChange=self.data_change,
            stats=self.stats,
            tags=None if self.tags is None else dict(self.tags),
            deletionVector=self.deletion_vector,
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            path=required(fields, "path", str),
            partition_values=texts(fields, "partitionValues", nulls=True) or {},
            size=count(fields, "size"),
            modification_time=required(fields, "modificationTime", int),
            data_change=required(fields, "dataChange", bool),
            stats=optional(fields, "stats", str),
            tags=texts(fields, "tags", nulls=True),
            deletion_vector=optional(fields, "deletionVector", dict),
        )


@dataclass(frozen=True)
class Remove:
    """A data file that is no longer in the table, kept in the log until its time has run out."""

    key: ClassVar[str] = "remove"
    path: str
    deletion_timestamp: int | None = None
    data_change: bool = True
    partition_values: Mapping[str, str | None] | None = None
    size: int | None = None

    @classmethod
    def of(cls, add: Add, deletion_timestamp: int, *, data_change: bool = True) -> Self:
        """The removal of ``add`` at a time in milliseconds since 1970."""
        return cls(add.path, deletion_timestamp, data_change, add.partition_values, add.size)

    def to_json(self) -> dict[str, Any]:
        values = self.partition_values
        return without_none(
            path=self.path,
            deletionTimestamp=self.deletion_timestamp,
            dataChange=self.data_change,
            extendedFileMetadata=values is not None and self.size is not None,
            partitionValues=None if values is None else dict(values),
            size=self.size,
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            path=required(fields, "path", str),
            deletion_timestamp=optional(fields, "deletionTimestamp", int),
            data_change=required(fields, "dataChange", bool),
            partition_values=texts(fields, "partitionValues", nulls=True),
            size=optional(fields, "size", int),
        )


def num_records(stats: str | None) -> int | None:
    """`numRecords` of statistics in JSON; None where there is none that makes sense."""
    if stats is None:
        return None
    try:
        value = json.loads(stats)["numRecords"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return value if type(value) is int and value >= 0 else None
