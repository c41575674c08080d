"""Spark data source ``mosaic``: Mosaic files without a log."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter
from pyspark.sql.types import StructType

from ...lake.listing import FileEntry, list_files
from ...lake.log import from_delta, to_delta
from ...lake.read.plan import chosen_columns, plan_files
from ...lake.read.sql import parse_sql
from ...mosaic import read_schema
from ..table_schema import plain_spark_schema
from .file_reader import file_reader
from .mosaic_write import MosaicSourceWriter
from .options import STORAGE_OPTIONS, Options

_READ_OPTIONS = ("columns", "where", "timeZone", "numPartitions", STORAGE_OPTIONS)
_WRITE_OPTIONS = ("statsColumns", "rowGroupBytes", STORAGE_OPTIONS)


class MosaicSource(DataSource):
    """``spark.read.format("mosaic").load(path or paths)`` and ``df.write.format("mosaic").mode(...).save(directory)``.

    The columns are those of the first file; other files may lack some, which are null. Options for reading are those of
    the source ``lake`` without versions; for writing:

    ``statsColumns``
        Columns whose bounds each row group keeps: ``a,b`` or a JSON list; default: the first 32 as far as they can.
    ``rowGroupBytes``
        Bytes of data after which a row group ends; default: 64 MiB.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "mosaic"

    def schema(self) -> StructType:
        options = self._read_options()
        table = _schema(list_files(options.paths()))
        names = chosen_columns(options.names("columns"), table.names)
        return plain_spark_schema(pa.schema([table.field(name) for name in names]))

    def reader(self, schema: StructType) -> DataSourceReader:
        options = self._read_options()
        files = list_files(options.paths())
        where, zone = options.text("where"), options.text("timeZone") or "UTC"
        tree = None if where is None else parse_sql(where, zone)
        plan = plan_files(files, "mosaic", _schema(files), schema.fieldNames(), tree, zone)
        return file_reader(plan, schema, self.parallelism, options.number("numPartitions", 1))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        options = Options(self.name(), self.options, _WRITE_OPTIONS)
        return MosaicSourceWriter(
            options.path(),
            schema,
            overwrite=overwrite,
            stats_columns=options.names("statsColumns"),
            row_group_bytes=options.number("rowGroupBytes", 1),
        )

    def _read_options(self) -> Options:
        return Options(self.name(), self.options, _READ_OPTIONS)


def _schema(files: Sequence[FileEntry]) -> pa.Schema:
    """Returns the schema of the first file, in the types that a table has for them."""
    if not files:
        raise FileNotFoundError("path: there are no files, so there is no schema")
    return from_delta(to_delta(read_schema(files[0].path)))
