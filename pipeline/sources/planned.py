"""A scan that is planned where it is asked for; the processes that Spark plans it in only hand it on.

They are new for each query, and what they import takes longer than most plans.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pyspark.sql.datasource import DataSource, DataSourceReader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from .file_reader import FileReader


class PlannedSource(DataSource):
    """The rows of one plan; each has a class of its own, since Spark takes classes alone."""

    planned: ClassVar[FileReader]

    @classmethod
    def name(cls) -> str:
        return "lakecodec_planned"

    def reader(self, schema: StructType) -> DataSourceReader:
        return self.planned


def planned_frame(spark: SparkSession, reader: FileReader, schema: StructType) -> DataFrame:
    """The rows that ``reader`` reads."""
    members: dict[str, Any] = {"planned": reader, "__module__": __name__}
    spark.dataSource.register(type(PlannedSource.__name__, (PlannedSource,), members))
    return spark.read.format(PlannedSource.name()).schema(schema).load()
