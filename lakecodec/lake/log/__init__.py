"""Delta transaction logs: reads, writes and maintains them, without Spark.

A table is a directory of data files and its log, ``_delta_log``: one JSON file of actions per version, and checkpoints in
Parquet. The protocol is that of https://github.com/delta-io/delta/blob/master/PROTOCOL.md.

| stage | modules |
|---|---|
| files of the log | `names`, `storage`, `atomic_write` |
| actions and lines | `actions`, `file_actions`, `fields`, `commit`, `commit_info`, `provenance` |
| state of a version | `log`, `snapshot`, `files`, `checkpoint_read`, `checkpoint_write` |
| definition | `schema`, `protocol`, `definition` |
| making a version | `transaction`, `conflicts`, `attempt` |
| statistics of files | `statistics`, `footer_statistics`, `bounds`, `statistics_read`; `lakecodec.statistics` |
| keeping a table | `needed`, `vacuum`, `check`, `contents` |
"""

from __future__ import annotations

from ...statistics.stated import FileStatistics
from .actions import Metadata, Protocol
from .check import Problem, check
from .commit_info import CommitInfo
from .errors import (
    CommitRefusedError,
    ConflictError,
    CorruptLogError,
    LogError,
    SchemaMismatchError,
    UnknownOutcomeError,
    UnsupportedTableError,
    VersionNotFoundError,
)
from .file_actions import Add, Remove
from .footer_statistics import footer_statistics
from .log import Log
from .schema import check_fits, from_delta, merged_schema, respelled, to_delta
from .snapshot import Snapshot
from .statistics import Statistics
from .statistics_read import StatisticsReader, parse_statistics
from .transaction import Transaction
from .vacuum import vacuum

__all__ = [
    "Add",
    "CommitInfo",
    "CommitRefusedError",
    "ConflictError",
    "CorruptLogError",
    "FileStatistics",
    "Log",
    "LogError",
    "Metadata",
    "Problem",
    "Protocol",
    "Remove",
    "SchemaMismatchError",
    "Snapshot",
    "Statistics",
    "StatisticsReader",
    "Transaction",
    "UnknownOutcomeError",
    "UnsupportedTableError",
    "VersionNotFoundError",
    "check",
    "check_fits",
    "footer_statistics",
    "from_delta",
    "merged_schema",
    "parse_statistics",
    "respelled",
    "to_delta",
    "vacuum",
]
