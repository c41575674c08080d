"""One task of a write: Arrow batches to data files."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from ...delta import PartitionCodec
from ...runtime.errors import EncodeError
from ..log.file_actions import CHANGE_TYPE, CHANGES
from .attempt import Attempt
from .batches import Splitter, z_sorted
from .constraints import Constraint
from .messages import error_message, files_message


@dataclass(frozen=True)
class WriteTask:
    """Picklable description of the write, shared by all tasks of a job.

    Attributes:
        target: path or URL of the table.
        write_id: id in the names of all files of this ingest.
        format: format of the files.
        schema: Arrow schema of the rows, partition columns included.
        codec: serializes partition values.
        key: name of the column to sort by, which is not written; None if rows are already in order.
        max_rows_per_file: rows after which the next file begins.
        target_file_bytes: bytes after which the next file begins.
        stats_columns: columns with statistics, None for the first 32.
        feed: True if the batches have a column `CHANGE_TYPE` behind those of ``schema``. It marks rows that are changes
            and go to their own files; it is null for the table's rows.
        directory: directory of the files in the table, "" for the table's own.
        constraints: the constraints of new rows.
        kept: columns of ``schema`` that are not in files of changes.
        shredding: True if fields of variants get their own columns.
    """

    target: str
    write_id: str
    format: str
    schema: pa.Schema
    codec: PartitionCodec
    key: str | None
    max_rows_per_file: int
    target_file_bytes: int
    stats_columns: tuple[str, ...] | None
    feed: bool = False
    directory: str = ""
    constraints: tuple[Constraint, ...] = ()
    kept: tuple[str, ...] = ()
    shredding: bool = False

    @property
    def names(self) -> list[str]:
        """Names of the columns of the batches: those of ``schema``, and the type of change and the key behind them."""
        return [*self.schema.names, *((CHANGE_TYPE,) if self.feed else ()), *(() if self.key is None else (self.key,))]

    @property
    def positions(self) -> list[str]:
        """Names of the columns in Spark: positional, since Spark parses some names as expressions (``a.b``, ```a`b```)."""
        return [f"c{index}" for index in range(len(self.names))]

    def write(self, batches: Iterable[pa.RecordBatch], number: int) -> pa.RecordBatch:
        """Writes the batches of task ``number``, whose columns are in the order of `names`, and returns its message."""
        attempts = [Attempt(task, number) for task in (self, *((self._changes(),) if self.feed else ()))]
        try:
            splitter, changes = Splitter(self.schema, self.codec), Splitter(self._changes().schema, self.codec)
            tables: Iterable[pa.Table] = (
                pa.Table.from_batches([batch]).rename_columns(self.names) for batch in batches
            )
            if self.key is not None:
                tables = z_sorted(tables, self.key, splitter)
            for table in tables:
                changed = pc.is_valid(table[CHANGE_TYPE]) if self.feed else None
                rows = table if changed is None else table.filter(pc.invert(changed))
                for constraint in self.constraints:
                    constraint.check(rows)
                attempts[0].write_all(splitter.split(rows))
                if changed is not None:
                    attempts[1].write_all(changes.split(table.filter(changed)))
            return files_message([file for attempt in attempts for file in attempt.close()])
        except EncodeError as error:
            for attempt in attempts:
                attempt.abort()
            return error_message(error)
        except BaseException:
            for attempt in attempts:
                with suppress(Exception):
                    attempt.abort()
            raise

    def _changes(self) -> WriteTask:
        """Returns the task that writes the changes."""
        own = [field for field in self.schema if field.name not in self.kept]
        schema = pa.schema([*own, pa.field(CHANGE_TYPE, pa.string())])
        return replace(self, schema=schema, stats_columns=(), feed=False, directory=CHANGES)
