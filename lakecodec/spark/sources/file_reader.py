"""Execution of a scan plan in Spark's tasks: for `lakecodec.pipeline.read`, and as a data source's reader."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.datasource import DataSourceReader, InputPartition

from ...lake.log.deletion_vectors import Positions
from ...lake.read.parts import FilePart, ScanFile
from ...lake.read.reader import TableReader
from ...runtime.arrow_variant import holds_variant
from ..table_schema import spark_batch

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from ...lake.read.plan import ScanPlan


@dataclass(frozen=True)
class ReadTask:
    """Picklable description of the read, shared by all tasks of a plan.

    Attributes:
        reader: reads files; the first columns of its schema are ``names``.
        names: names of the columns that Spark wants.
        tag: name of an int64 column to add, with a unique number for each row of a plan, None for no such column; see
            `file_number`.
    """

    reader: TableReader
    names: tuple[str, ...]
    tag: str | None = None

    def read(self, parts: Iterable[FilePart[ScanFile]]) -> Iterator[pa.RecordBatch]:
        """Yields the rows of files for which the plan's predicate may be true; raises as `TableReader.read`."""
        try:
            if self.tag is not None:
                for part in parts:
                    yield from self._tagged(part, self.tag)
                return
            for batch in self.reader.read(parts):
                yield spark_batch(batch if batch.num_columns == len(self.names) else batch.select(self.names))
        finally:
            freeze_modules()

    def _tagged(self, part: FilePart[ScanFile], name: str) -> Iterator[pa.RecordBatch]:
        start = part.file.number << _FILE_SHIFT
        for batch in replace(self.reader, position=name).read([part]):
            tags = pa.array(batch.column(batch.num_columns - 1).to_numpy() + start)
            columns = [batch.column(batch.schema.get_field_index(column)) for column in self.names]
            yield pa.RecordBatch.from_arrays([*columns, tags], names=[*self.names, name])


#: A tag combines the number of the file and the number of the row in it.
_FILE_SHIFT = 42


def file_number(tag: Column) -> Column:
    """Returns the `ScanFile.number` of a tagged row's file, as a Spark column."""
    return F.shiftright(tag, _FILE_SHIFT)


def positions_by_file(tags: Positions) -> dict[int, Positions]:
    """Returns the numbers of tagged rows in their files, ascending, by `ScanFile.number`."""
    ordered = np.sort(tags)
    starts = np.flatnonzero(np.diff(ordered >> _FILE_SHIFT, prepend=-1))
    parts = np.split(ordered, starts[1:]) if len(ordered) else []
    return {int(part[0] >> _FILE_SHIFT): part & ((1 << _FILE_SHIFT) - 1) for part in parts}


@dataclass(frozen=True)
class NumberedTasks:
    """All tasks of a plan, for `DataFrame.mapInArrow` over a range of task numbers.

    Attributes:
        task: reads the files.
        parts: the files of each task, pickled: a task unpickles its own alone.
        shift: number of low bits to drop from a row's first value to get the task's number.
    """

    task: ReadTask
    parts: tuple[bytes, ...]
    shift: int

    def read(self, rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields the rows of the tasks whose numbers are in the first column of ``rows``."""
        for batch in rows:
            for value in batch.column(0).to_pylist():
                yield from self.task.read(pickle.loads(self.parts[value >> self.shift]))


class FileParts(InputPartition):
    """Input partition of the data sources: files, or shares of files, for one task."""

    def __init__(self, parts: Sequence[FilePart[Any]]) -> None:
        super().__init__(None)
        self.parts = tuple(parts)


class FileReader(DataSourceReader):
    """Data source reader of a plan. Filters are not pushed down: PySpark 4.3 shares their state between scans.

    Args:
        task: reads the files of one task.
        parts: the files of each task.
    """

    def __init__(self, task: ReadTask, parts: Sequence[Sequence[FilePart[ScanFile]]]) -> None:
        self._task = task
        self._parts = parts

    def partitions(self) -> list[InputPartition]:
        return [FileParts(parts) for parts in self._parts]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # If there are no partitions, Spark passes an empty one.
        return self._task.read(partition.parts if isinstance(partition, FileParts) else ())


class PartTask(Protocol):
    """Picklable description of a read."""

    def read(self, parts: Iterable[FilePart[Any]]) -> Iterator[pa.RecordBatch]:
        """Yields the rows of files."""
        ...


class OwnParts(FileParts):
    """Input partition that knows how to read its files, where those of one reader are not all alike."""

    def __init__(self, task: PartTask, parts: Sequence[FilePart[Any]]) -> None:
        super().__init__(parts)
        self.task = task


class PartsReader(DataSourceReader):
    """Data source reader of partitions that know how to read their files."""

    def __init__(self, parts: Sequence[OwnParts]) -> None:
        self._parts = parts

    def partitions(self) -> Sequence[InputPartition]:
        return self._parts

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_own(partition)


def own_parts(plan: ScanPlan, schema: StructType, parallelism: int, partitions: int | None) -> list[OwnParts]:
    """Returns the input partitions of a plan, see `file_reader`."""
    from ..partitioning import spread

    task = read_task(plan, schema)
    return [OwnParts(task, parts) for parts in spread(plan.files, parallelism, partitions)]


def read_own(partition: InputPartition) -> Iterator[pa.RecordBatch]:
    """Yields the rows of an input partition of `own_parts`; without any, Spark passes an empty one."""
    return partition.task.read(partition.parts) if isinstance(partition, OwnParts) else iter(())


def read_task(plan: ScanPlan, schema: StructType, tag: str | None = None) -> ReadTask:
    """Returns the read task of a plan.

    Args:
        plan: the scan.
        schema: Spark's schema of the result, which has the plan's columns.
        tag: as of `ReadTask`.

    Raises:
        ValueError: the predicate has parts that only Spark can decide.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    from ...lake.read.plan import decided

    names = schema.fieldNames()
    own = {field.name: field for field in plan.read_schema if holds_variant(field.type)}
    target = [own.get(field.name, field) for field in to_arrow_schema(schema, timezone="UTC")]
    extra = [field for field in decided(plan).read_schema if field.name not in names]
    return ReadTask(plan.reader(schema=pa.schema([*target, *extra])), tuple(names), tag)


def file_reader(plan: ScanPlan, schema: StructType, parallelism: int, partitions: int | None) -> FileReader:
    """Returns the data source reader of a plan.

    Args:
        plan: the scan.
        schema: as of `read_task`.
        parallelism: how many tasks run at a time.
        partitions: how many partitions to make, None for the default.

    Raises:
        ValueError: the predicate has parts that only Spark can decide.
    """
    from ..partitioning import spread

    return FileReader(read_task(plan, schema), spread(plan.files, parallelism, partitions))


def freeze_modules() -> None:
    """Moves loaded objects out of the garbage collector's reach, once in a process.

    Spark's workers collect all garbage after each task and take the next one when they are done: with the modules of
    PySpark, PyArrow and this project that is 20 to 40 ms per task, more than a small scan takes.
    """
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
