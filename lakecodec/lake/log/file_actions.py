"""File actions of the log: add, remove and cdc (PROTOCOL.md, Add File and Remove File, Add CDC File)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from ...delta import decode_uri
from .actions import without_none
from .fields import count, optional, required, texts

#: The directory of files with changed rows, the column with the type of change, and its values.
CHANGES = "_change_data"
CHANGE_TYPE = "_change_type"
INSERT, PREIMAGE, POSTIMAGE, DELETE = "insert", "update_preimage", "update_postimage", "delete"
#: Columns that readers of changes add.
COMMIT_VERSION, COMMIT_TIMESTAMP = "_commit_version", "_commit_timestamp"
#: Tag of data files whose floating point columns have no NaN, so that the footer's bounds cover all values.
NO_NAN = "lakecodec.noNaN"
#: Tag of data files whose times are in nanoseconds, unlike the table's.
NANOSECONDS = "lakecodec.nanoseconds"


@dataclass(frozen=True)
class Add:
    """The add action of a data file (PROTOCOL.md, Add File and Remove File).

    Attributes:
        path: the path as in the log: relative to the table and URI-encoded.
        partition_values: serialized values of the partition columns, None for null.
        size: in bytes.
        modification_time: in milliseconds since 1970.
        data_change: False if the rows were already in the table.
        stats: the statistics as JSON, see `Statistics`.
        tags: metadata of the file, None without any.
        deletion_vector: descriptor of the file's deletion vector, None without one; see `deletion_vectors`.
        clustering_provider: the writer that clustered the file, None without one.
        base_row_id: row id of the first row, None in tables without row tracking.
        default_row_commit_version: version of the rows without one of their own.
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
    clustering_provider: str | None = None
    base_row_id: int | None = None
    default_row_commit_version: int | None = None

    @property
    def file(self) -> str:
        """The URI-decoded path, relative to the table (absolute if it is so in the log)."""
        return decode_uri(self.path)

    @cached_property
    def num_records(self) -> int | None:
        """``numRecords`` of the statistics, including deleted rows; None if it is missing or invalid."""
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
            baseRowId=self.base_row_id,
            defaultRowCommitVersion=self.default_row_commit_version,
            clusteringProvider=self.clustering_provider,
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
            clustering_provider=optional(fields, "clusteringProvider", str),
            base_row_id=optional(fields, "baseRowId", int),
            default_row_commit_version=optional(fields, "defaultRowCommitVersion", int),
        )


@dataclass(frozen=True)
class Remove:
    """The remove action of a data file, a tombstone until its retention has expired (PROTOCOL.md, Add File and Remove File)."""

    key: ClassVar[str] = "remove"
    path: str
    deletion_timestamp: int | None = None
    data_change: bool = True
    partition_values: Mapping[str, str | None] | None = None
    size: int | None = None
    deletion_vector: Mapping[str, Any] | None = None
    tags: Mapping[str, str] | None = None
    stats: str | None = None
    base_row_id: int | None = None
    default_row_commit_version: int | None = None

    @classmethod
    def of(cls, add: Add, deletion_timestamp: int, *, data_change: bool = True) -> Self:
        """Returns the remove action for ``add``; ``deletion_timestamp`` is in milliseconds since 1970."""
        return cls(
            add.path,
            deletion_timestamp,
            data_change,
            add.partition_values,
            add.size,
            add.deletion_vector,
            add.tags,
            base_row_id=add.base_row_id,
            default_row_commit_version=add.default_row_commit_version,
        )

    def to_json(self) -> dict[str, Any]:
        values = self.partition_values
        return without_none(
            path=self.path,
            deletionTimestamp=self.deletion_timestamp,
            dataChange=self.data_change,
            extendedFileMetadata=values is not None and self.size is not None,
            partitionValues=None if values is None else dict(values),
            size=self.size,
            deletionVector=self.deletion_vector,
            tags=None if self.tags is None else dict(self.tags),
            stats=self.stats,
            baseRowId=self.base_row_id,
            defaultRowCommitVersion=self.default_row_commit_version,
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            path=required(fields, "path", str),
            deletion_timestamp=optional(fields, "deletionTimestamp", int),
            data_change=required(fields, "dataChange", bool),
            partition_values=texts(fields, "partitionValues", nulls=True),
            size=optional(fields, "size", int),
            deletion_vector=optional(fields, "deletionVector", dict),
            tags=texts(fields, "tags", nulls=True),
            stats=optional(fields, "stats", str),
            base_row_id=optional(fields, "baseRowId", int),
            default_row_commit_version=optional(fields, "defaultRowCommitVersion", int),
        )


@dataclass(frozen=True)
class ChangeFile:
    """The cdc action of a file with changed rows: the table's columns, and `CHANGE_TYPE` (PROTOCOL.md, Add CDC File)."""

    key: ClassVar[str] = "cdc"
    path: str
    partition_values: Mapping[str, str | None]
    size: int

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "partitionValues": dict(self.partition_values),
            "size": self.size,
            "dataChange": False,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            path=required(fields, "path", str),
            partition_values=texts(fields, "partitionValues", nulls=True) or {},
            size=count(fields, "size"),
        )


def with_wide_bounds(stats: str | None, rows: int) -> str:
    """Returns JSON statistics for a file that gets a deletion vector: its bounds may be those of deleted rows."""
    tree = None if num_records(stats) is None else stats
    if tree is None:
        return json.dumps({"numRecords": rows, "tightBounds": False}, separators=(",", ":"))
    if "tightBounds" in json.loads(tree):
        return re.sub(r'"tightBounds"\s*:\s*true', '"tightBounds":false', tree)
    # The text is edited, not parsed and written again, so that numbers keep their form.
    return tree.rstrip().removesuffix("}") + ',"tightBounds":false}'


def num_records(stats: str | None) -> int | None:
    """Returns ``numRecords`` of JSON statistics; None if it is missing or invalid."""
    if stats is None:
        return None
    try:
        value = json.loads(stats)["numRecords"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return value if type(value) is int and value >= 0 else None
