"""Spark data source ``lake``: tables with a Delta log whose files are Parquet or Mosaic."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
)
from pyspark.sql.types import StructType

from ...lake.log import Snapshot
from ...lake.read.changes import change_plans, feed_schema, version_range
from ...lake.read.plan import ScanPlan, chosen_columns, open_table, plan_table
from ...lake.read.predicate import Tree
from ...lake.read.sql import parse_sql
from ..table_schema import plain_spark_schema
from .file_reader import PartsReader, file_reader, own_parts
from .options import STORAGE_OPTIONS, Options

READ_OPTIONS = (
    "columns", "where", "version", "timestamp", "versionAsOf", "timestampAsOf", "timeZone", "numPartitions", "verify",
    "readChangeFeed", "startingVersion", "startingTimestamp", "endingVersion", "endingTimestamp", STORAGE_OPTIONS,
)  # fmt: skip


class LakeSource(DataSource):
    """``spark.read.format("lake").load(path)`` and ``df.write.format("lake").mode("append" | "overwrite").save(path)``.

    Options for reading; `lakecodec.pipeline.read` takes them as arguments and any predicate:

    ``columns``
        Names of the columns: ``a,b`` or a JSON list. Spark cannot push its projection into a Python source.
    ``where``
        A predicate as of `lakecodec.pipeline.scan`, all of which must be understood there.
    ``version`` or ``versionAsOf``, ``timestamp`` or ``timestampAsOf``
        An older version of the table.
    ``timeZone``
        Of times without one in ``where``; default: UTC.
    ``numPartitions``
        How many tasks share the files; default: enough for their size, at least one a processor if that is worth it.
    ``verify``
        ``true`` compares the checksums of Parquet pages; those of Mosaic files always are.
    ``readChangeFeed``
        ``true`` reads what versions changed, as `lakecodec.pipeline.read_changes`: from ``startingVersion`` or
        ``startingTimestamp`` on, up to ``endingVersion`` or ``endingTimestamp``.

    ``storage.<name>``
        An option of the client for the table's object store, such as ``storage.endpoint_url``; for writing too.

    Options for writing; `lakecodec.pipeline.ingest` does more:

    ``partitionBy``
        Partition columns of a new or overwritten table: ``a,b``, a JSON list, or nothing for none.
    ``format``
        Of a new table's files: ``parquet`` (default) or ``mosaic``.
    ``statsColumns``
        Columns with statistics in the log, likewise; default: the first 32.
    ``txnId``
        Makes the write repeatable: nothing is added if a version of that id is there.

    Streams are ``spark.readStream`` and ``df.writeStream`` with the same options, but for ``version``, ``timestamp`` and
    ``txnId``; a query's own id and its batches' numbers make its writes repeatable. More of them for reading:

    ``startingVersion``, ``startingTimestamp``
        A new query reads what this version (or ``latest``), or the first one at this time, and later ones append, instead
        of all rows there are and what later versions append.
    ``maxFilesPerTrigger``, ``maxBytesPerTrigger``
        How much a micro-batch reads at most; at least one file.
    ``skipChangeCommits``
        ``true`` passes over versions that remove rows, which are an error otherwise.
    ``readChangeFeed``
        ``true`` reads what versions change, with a type of change, instead of the rows that they append.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "lake"

    def schema(self) -> StructType:
        from .lake_stream_read import READ_STREAM_OPTIONS, check_stream_options

        options = Options(self.name(), self.options, (*READ_OPTIONS, *READ_STREAM_OPTIONS))
        check_stream_options(options)
        table = _snapshot(options).schema
        if options.flag("readChangeFeed"):
            table = feed_schema(table)
        names = chosen_columns(options.names("columns"), table.names)
        return plain_spark_schema(pa.schema([table.field(name) for name in names]))

    def reader(self, schema: StructType) -> DataSourceReader:
        options = Options(self.name(), self.options, READ_OPTIONS)
        if options.flag("readChangeFeed"):
            return _change_reader(options, schema, self.parallelism)
        plan = _plan(options, schema.fieldNames())
        return file_reader(plan, schema, self.parallelism, options.number("numPartitions", 1))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        from .lake_write import WRITE_OPTIONS, LakeWriter

        return LakeWriter(Options(self.name(), self.options, WRITE_OPTIONS), schema, overwrite=overwrite)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        from .lake_stream_read import READ_STREAM_OPTIONS, LakeStreamReader

        return LakeStreamReader(Options(self.name(), self.options, READ_STREAM_OPTIONS), schema, self.parallelism)

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        from .lake_stream_write import WRITE_STREAM_OPTIONS, LakeStreamWriter

        return LakeStreamWriter(Options(self.name(), self.options, WRITE_STREAM_OPTIONS), schema, overwrite=overwrite)


def _plan(options: Options, columns: Sequence[str]) -> ScanPlan:
    tree, zone = _predicate(options)
    return plan_table(_snapshot(options), columns, tree, zone, verify=options.flag("verify"))


def _predicate(options: Options) -> tuple[Tree | None, str]:
    where, zone = options.text("where"), options.text("timeZone") or "UTC"
    return None if where is None else parse_sql(where, zone), zone


def _change_reader(options: Options, schema: StructType, parallelism: int) -> DataSourceReader:
    options.exclusive("startingVersion", "startingTimestamp")
    snapshot = _snapshot(options)
    start = (
        options.text("startingTimestamp")
        if options.text("startingVersion") is None
        else options.number("startingVersion")
    )
    if start is None:
        raise ValueError("startingVersion, startingTimestamp: one of them is needed")
    first, _ = version_range(snapshot.log, start, snapshot.version)
    plans = change_plans(snapshot, first, schema.fieldNames(), *_predicate(options))
    number = options.number("numPartitions", 1)
    return PartsReader([parts for plan in plans for parts in own_parts(plan, schema, parallelism, number)])


def _snapshot(options: Options) -> Snapshot:
    """Returns the version to read; of changes the last one."""
    if options.flag("readChangeFeed"):
        options.exclusive("endingVersion", "endingTimestamp")
        return open_table(options.path(), options.number("endingVersion"), options.text("endingTimestamp"))
    options.exclusive("version", "versionAsOf", "timestamp", "timestampAsOf")
    version = options.number("versionAsOf") if options.number("version") is None else options.number("version")
    return open_table(options.path(), version, options.text("timestamp") or options.text("timestampAsOf"))
