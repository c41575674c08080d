"""Reading the files of a plan in Spark's tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from ..read.parts import FilePart
from ..read.reader import TableReader

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from ..read.plan import ScanPlan


class FileParts(InputPartition):
    """Files, or shares of files, for one task."""

    def __init__(self, parts: Sequence[FilePart]) -> None:
        super().__init__(None)
        self.parts = tuple(parts)


class FileReader(DataSourceReader):
    """Reads the files of a plan. Filters are not pushed down: PySpark 4.3 shares their state between scans.

    Args:
        reader: reads files; the first columns of its schema are ``names``.
        names: of the columns that Spark wants.
        parts: the files of each task.
    """

    def __init__(self, reader: TableReader, names: Sequence[str], parts: Sequence[Sequence[FilePart]]) -> None:
        self._reader = reader
        self._names = list(names)
        self._parts: Sequence[Sequence[FilePart]] = parts

    def partitions(self) -> list[InputPartition]:
        return [FileParts(parts) for parts in self._parts]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Spark makes up a bare partition when there are none.
        parts = partition.parts if isinstance(partition, FileParts) else ()
        for batch in self._reader.read(parts):
            yield batch if batch.num_columns == len(self._names) else batch.select(self._names)


def file_reader(plan: ScanPlan, schema: StructType, parallelism: int, partitions: int | None) -> FileReader:
    """The reader of a plan for Spark's ``schema``, which has the plan's columns.

    ValueError for a predicate that only Spark can decide.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    from ..read.partitions import spread
    from ..read.plan import decided

    names = schema.fieldNames()
    target = to_arrow_schema(schema, timezone="UTC")
    extra = [field for field in decided(plan).read_schema if field.name not in names]
    reader = plan.reader(schema=pa.schema([*target, *extra]))
    return FileReader(reader, names, spread(plan.files, parallelism, partitions))
