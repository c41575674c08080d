"""The Spark data source ``lake``: tables with a Delta log whose files are Parquet or Mosaic."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ..log import Snapshot
from ..read.partitions import spread
from ..read.plan import ScanPlan, chosen_columns, make_plan, open_table
from ..read.reader import FilePart
from ..read.scan import TableScan, parse_pushed
from ..table_schema import plain_spark_schema
from .options import Options

READ_OPTIONS = ("columns", "where", "version", "timestamp", "timeZone", "numPartitions")


class FileParts(InputPartition):
    """What one task reads."""

    def __init__(self, parts: Sequence[FilePart]) -> None:
        super().__init__(None)
        self.parts = tuple(parts)


class LakeSource(DataSource):
    """``spark.read.format("lake").load(path)``. `lakecodec.pipeline.read` makes these options of what it is given:

    ``columns``
        Names of the columns: ``a,b`` or a JSON list. Spark cannot push its projection into a Python source.
    ``where``
        A predicate as of `lakecodec.pipeline.scan`, all of which must be understood there.
    ``version``, ``timestamp``
        An older version of the table.
    ``timeZone``
        Of times without one in ``where``; default: UTC.
    ``numPartitions``
        How many tasks share the files; default: enough for their size, at least one a processor if that is worth it.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "lake"

    def schema(self) -> StructType:
        options = Options(self.name(), self.options, READ_OPTIONS)
        table = _snapshot(options).schema
        names = chosen_columns(options.names("columns"), table.names)
        return plain_spark_schema(pa.schema([table.field(name) for name in names]))

    def reader(self, schema: StructType) -> DataSourceReader:
        return LakeReader(Options(self.name(), self.options, READ_OPTIONS), schema, self.parallelism)


class LakeReader(DataSourceReader):
    """Plans and reads a scan. Filters are not pushed down: PySpark 4.3 shares their state between scans."""

    def __init__(self, options: Options, schema: StructType, parallelism: int) -> None:
        plan = plan_of(options, schema.fieldNames())
        self._names = schema.fieldNames()
        target = to_arrow_schema(schema, timezone="UTC")
        extra = [field for field in plan.read_schema if field.name not in self._names]
        self._reader = plan.reader(schema=pa.schema([*target, *extra]))
        self._partitions = [
            FileParts(parts) for parts in spread(plan.files, parallelism, options.number("numPartitions", 1))
        ]

    def partitions(self) -> list[InputPartition]:
        return list(self._partitions)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Spark makes up a bare partition when there are none.
        parts = partition.parts if isinstance(partition, FileParts) else ()
        for batch in self._reader.read(parts):
            yield batch if batch.num_columns == len(self._names) else batch.select(self._names)


def plan_of(options: Options, columns: Sequence[str]) -> ScanPlan:
    """The plan that options ask for, with given columns."""
    where = options.text("where")
    zone = options.text("timeZone") or "UTC"
    tree = None if where is None else parse_pushed(where, zone)
    plan = make_plan(_snapshot(options), columns, tree, zone)
    return TableScan(plan).plan


def _snapshot(options: Options) -> Snapshot:
    return open_table(options.path(), options.number("version"), options.text("timestamp"))
