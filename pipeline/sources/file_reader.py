"""What a task of a file scan reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ..read.partitions import spread
from ..read.plan import ScanPlan, decided
from ..read.reader import FilePart
from .options import Options


class FileParts(InputPartition):
    """Files, or shares of files, for one task."""

    def __init__(self, parts: Sequence[FilePart]) -> None:
        super().__init__(None)
        self.parts = tuple(parts)


class FileReader(DataSourceReader):
    """Reads the files of a plan. Filters are not pushed down: PySpark 4.3 shares their state between scans.

    Args:
        plan: of the columns of ``schema``.
        options: of the data source.
        schema: as Spark wants it.
        parallelism: how many tasks run at a time.

    Raises:
        ValueError: a predicate that only Spark can decide.
    """

    def __init__(self, plan: ScanPlan, options: Options, schema: StructType, parallelism: int) -> None:
        self._names = schema.fieldNames()
        self._parallelism = parallelism
        self._wanted = options.number("numPartitions", 1)
        self._plan: ScanPlan | None = decided(plan)
        target = to_arrow_schema(schema, timezone="UTC")
        extra = [field for field in plan.read_schema if field.name not in self._names]
        self._reader = plan.reader(schema=pa.schema([*target, *extra]))

    def partitions(self) -> list[InputPartition]:
        assert self._plan is not None
        return [FileParts(parts) for parts in spread(self._plan.files, self._parallelism, self._wanted)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Spark makes up a bare partition when there are none.
        parts = partition.parts if isinstance(partition, FileParts) else ()
        for batch in self._reader.read(parts):
            yield batch if batch.num_columns == len(self._names) else batch.select(self._names)

    def __getstate__(self) -> dict[str, Any]:
        """Tasks read what they are given: the plan, with all the files of the log, stays where it was made."""
        return {**self.__dict__, "_plan": None}
