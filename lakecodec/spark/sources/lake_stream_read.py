"""Stream reader of the data source ``lake``: the rows of a table, and then those that later versions append.

An offset is a position in the sequence of added files: ``{"version": 7, "files": 3, "whole": false}`` stands before the
fourth file that version 7 adds (with ``whole``: of all files that it has), and all versions before 7 are read. Where a batch
ends there, ``from`` says where it began: Spark keeps the end alone, and asks again where a query begins if its first batch
was not finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from ...lake.log import Log, LogError, Snapshot, VersionNotFoundError
from ...lake.log.commit import Commit
from ...lake.log.file_actions import INSERT
from ...lake.log.files import files_of, with_details
from ...lake.log.log import moment
from ...lake.read.changes import Change, by_layout, changes_of, check_feed_on, feed_schema, plans_of
from ...lake.read.plan import ScanPlan, chosen_columns, plan_table
from ...lake.read.sql import parse_sql
from ..table_schema import plain_spark_schema
from .file_reader import own_parts, read_own
from .options import STORAGE_OPTIONS, Options

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

try:
    from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow
except ImportError:  # Spark 4.1: such a trigger reads everything in one batch
    SupportsTriggerAvailableNow = object  # type: ignore[assignment, misc]

READ_STREAM_OPTIONS = (
    "columns", "where", "timeZone", "numPartitions", "verify", "startingVersion", "startingTimestamp",
    "maxFilesPerTrigger", "maxBytesPerTrigger", "skipChangeCommits", "readChangeFeed", STORAGE_OPTIONS,
)  # fmt: skip


@dataclass(frozen=True)
class Position:
    """A place in the sequence of files that versions add; as JSON the offset of a query."""

    version: int
    files: int = 0
    whole: bool = False

    @classmethod
    def of(cls, offset: dict[str, Any]) -> Position:
        return cls(int(offset["version"]), int(offset["files"]), bool(offset["whole"]))

    def to_json(self) -> dict[str, Any]:
        return {"version": self.version, "files": self.files, "whole": self.whole}


class LakeStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reader of a query over a table.

    Args:
        options: options of the data source.
        schema: Spark's schema of the rows: that of the table when the query started.
        parallelism: how many tasks run at a time.

    Raises:
        ValueError: a wrong option.
    """

    def __init__(self, options: Options, schema: StructType, parallelism: int) -> None:
        check_stream_options(options)
        self._log = Log(options.path())
        self._schema = schema
        self._parallelism = parallelism
        self._options = options
        self._most_files = options.number("maxFilesPerTrigger", 1)
        self._most_bytes = options.number("maxBytesPerTrigger", 1)
        self._skip_changes = options.flag("skipChangeCommits")
        self._feed = options.flag("readChangeFeed")
        self._where = None if (where := options.text("where")) is None else parse_sql(where, self._zone)
        #: The last version that is read, if the query ends by itself.
        self._last: int | None = None

    @property
    def _zone(self) -> str:
        return self._options.text("timeZone") or "UTC"

    def initialOffset(self) -> dict[str, Any]:
        return self._first().to_json()

    def latestOffset(self, start: dict[str, Any] | None = None, limit: Any = None) -> dict[str, Any]:
        snapshot = self._current()
        end = Position(snapshot.version + 1)
        if start is None:  # Spark 4.1, which has no limits
            return end.to_json()
        position = Position.of(start)
        if type(limit).__name__ == "ReadAllAvailable" or not (self._most_files or self._most_bytes):
            return _end(start, position, end)
        files = size = 0
        for version, index, change in self._files(position, end):
            files, size = files + 1, size + change.add.size
            if files > (self._most_files or files) or (size > (self._most_bytes or size) and files > 1):
                return _end(start, position, Position(version, index, position.whole and version == position.version))
        return _end(start, position, end)

    def getDefaultReadLimit(self) -> Any:
        from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxBytes, ReadMaxFiles

        if self._most_files:
            return ReadMaxFiles(self._most_files)
        return ReadMaxBytes(self._most_bytes) if self._most_bytes else ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        self._last = self._log.snapshot().version

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        last = Position.of(end)
        first = Position.of(end["from"]) if "from" in end else _before(Position.of(start), last)
        found = [change for _, _, change in self._files(first, last)]
        if not found:
            return []
        number = self._options.number("numPartitions", 1)
        plans = self._plans(found)
        return [part for plan in plans for part in own_parts(plan, self._schema, self._parallelism, number)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_own(partition)

    def _plans(self, found: Sequence[Change]) -> Sequence[ScanPlan]:
        names = self._schema.fieldNames()
        if self._feed:
            return plans_of(self._current(), found, names, self._where, self._zone)
        snapshot, verify = self._current(), self._options.flag("verify")
        plans = []
        for layout, changes in by_layout(snapshot, found).items():
            files = with_details(files_of(change.add for change in changes))
            plans.append(
                plan_table(snapshot, names, self._where, self._zone, files=files, layout=layout, verify=verify)
            )
        return plans

    def _first(self) -> Position:
        """Returns the position at which a new query begins: that of all rows there are, unless an option says otherwise."""
        given, time = self._options.text("startingVersion"), self._options.text("startingTimestamp")
        if given == "latest":
            return Position(self._log.snapshot().version + 1)
        if given is not None:
            return Position(self._options.number("startingVersion") or 0)
        if time is not None:
            return Position(self._log.version_since(time))
        return Position(self._log.snapshot().version, whole=True)

    def _current(self) -> Snapshot:
        """Returns the snapshot that the query may read up to.

        Raises:
            LogError: its columns are not those that the query began with.
        """
        snapshot = self._log.snapshot(self._last)
        table = feed_schema(snapshot.schema) if self._feed else snapshot.schema
        names = chosen_columns(self._options.names("columns"), table.names)
        if plain_spark_schema(pa.schema([table.field(name) for name in names])) != self._schema:
            raise LogError(
                f"the table's columns have changed, at version {snapshot.version} at the latest; "
                "start the query again to read on with the new ones"
            )
        if self._feed:
            check_feed_on(snapshot.metadata, snapshot.version)
        return snapshot

    def _files(self, start: Position, end: Position) -> Iterator[tuple[int, int, Change]]:
        """Yields version, number in the version and description of the files between two positions."""
        for version in range(start.version, end.version + 1):
            whole = version == start.version and start.whole
            first = start.files if version == start.version else 0
            last = end.files if version == end.version else None
            if last == 0 and version == end.version:
                return
            found = self._all(version) if whole else self._added(version)
            for index, change in enumerate(found[first:last], first):
                yield version, index, change

    def _all(self, version: int) -> list[Change]:
        """Returns all files of a version, in an order that no checkpoint changes."""
        files = sorted(self._log.snapshot(version).files, key=lambda add: (add.modification_time, add.path))
        return [Change(add, version, INSERT) for add in files]

    def _added(self, version: int) -> list[Change]:
        """Returns the files with new rows of a version, or of changes those with changed rows.

        Raises:
            VersionNotFoundError: the log does not have it any more.
            LogError: it removes rows, which a stream of appended rows cannot express.
        """
        if version < self._log.listing().earliest:
            raise VersionNotFoundError(
                f"version {version} is no longer in the log: the query cannot go on where it ended; a new checkpoint "
                "location starts it anew"
            )
        commit = self._log.commit(version)
        if self._feed:
            if commit.metadata is not None:
                check_feed_on(commit.metadata, version)
            return changes_of(self._log, commit)
        if any(remove.data_change for remove in commit.removes):
            if self._skip_changes:
                return []
            raise LogError(
                f"version {version}{_named(commit)} removes rows, a stream has rows that are appended; "
                "the option skipChangeCommits=true passes over such versions"
            )
        return [Change(add, version, INSERT) for add in commit.adds if add.data_change]


def check_stream_options(options: Options) -> None:
    """Raises ValueError for a wrong option when a source is loaded, since Spark hides errors of a query's reader."""
    options.exclusive("startingVersion", "startingTimestamp")
    if options.text("startingVersion") != "latest":
        options.number("startingVersion")
    if (time := options.text("startingTimestamp")) is not None:
        moment(time)
    for name in ("maxFilesPerTrigger", "maxBytesPerTrigger", "numPartitions"):
        options.number(name, 1)
    for name in ("skipChangeCommits", "readChangeFeed", "verify"):
        options.flag(name)


def _end(start: dict[str, Any], position: Position, end: Position) -> dict[str, Any]:
    """Returns the offset at which a batch ends that begins at a position; that of the start where there is nothing to read."""
    if _order(end) <= _order(position):
        return start
    return {**end.to_json(), "from": position.to_json()}


def _before(start: Position, end: Position) -> Position:
    """Returns the start of a batch whose end does not have it (Spark 4.1): versions may have been added since then."""
    newest = end.version if end.whole else end.version - 1
    if not start.whole or start.files or start.version <= newest:
        return start
    return Position(newest, whole=True)


def _order(position: Position) -> tuple[int, int]:
    return position.version, position.files


def _named(commit: Commit) -> str:
    operation = commit.info.get("operation")
    return f" ({operation})" if operation else ""
