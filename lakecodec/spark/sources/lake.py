"""Spark data source ``lake``: tables with a Delta log whose files are Parquet or Mosaic."""

from __future__ import annotations

import os

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
from ...lake.read.plan import chosen_columns, open_table, plan_table
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
        How many tasks share the files; default: enough for their size, at least one per processor for large files.
    ``verify``
        ``true`` compares the checksums of Parquet pages; those of Mosaic files always are.
    ``readChangeFeed``
        ``true`` reads the rows that versions changed, as `lakecodec.pipeline.read_changes`: from ``startingVersion`` or
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
    ``sortBy``, ``zorderBy``, ``hilbertBy``
        Order of the rows of each task in its files: columns, for ``sortBy`` with ``-`` in front if descending.
    ``maxRowsPerFile``, ``targetFileBytes``
        When the next file begins.
    ``schemaMode``
        ``merge`` takes new columns and wider types into an existing table.
    ``replaceWhere``
        With the mode ``overwrite``: a predicate over partition columns; only partitions that it is true for are replaced,
        and all rows must be in such.
    ``partitionOverwriteMode``
        ``dynamic`` makes the mode ``overwrite`` replace the partitions that rows are in.
    ``txnId``
        Makes the write repeatable: nothing is added if a version of that id is there.

    Streams are ``spark.readStream`` and ``df.writeStream`` with the same options, but for ``version``, ``timestamp``,
    ``replaceWhere``, ``partitionOverwriteMode`` and ``txnId``; a query's own id and its batches' numbers make its writes
    repeatable. More of them for reading:

    ``startingVersion``, ``startingTimestamp``
        A new query reads what this version (or ``latest``), or the first one at this time, and later ones append, instead
        of all rows there are and what later versions append.
    ``maxFilesPerTrigger``, ``maxBytesPerTrigger``
        How much a micro-batch reads at most; at least one file.
    ``skipChangeCommits``
        ``true`` passes over versions that remove rows, which are an error otherwise.
    ``readChangeFeed``
        ``true`` reads the rows that versions change, with a type of change, instead of those that they append.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "lake"

    #: The result of `schema`. It is pickled with the source, so that the processes that plan reads need not read the log.
    _found: Snapshot | None = None

    def schema(self) -> StructType:
        from .lake_stream_read import READ_STREAM_OPTIONS, check_stream_options

        options = Options(self.name(), self.options, (*READ_OPTIONS, *READ_STREAM_OPTIONS))
        check_stream_options(options)
        self._found = _snapshot(options)
        return _spark_schema(self._found, options)

    def reader(self, schema: StructType) -> DataSourceReader:
        options = Options(self.name(), self.options, READ_OPTIONS)
        snapshot = _snapshot(options, self._found)
        if self._found is not None:
            _check_same(schema, self._found, snapshot, options)
        if options.flag("readChangeFeed"):
            return _change_reader(options, snapshot, schema, self.parallelism)
        plan = plan_table(snapshot, schema.fieldNames(), *_predicate(options), verify=options.flag("verify"))
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


def _spark_schema(snapshot: Snapshot, options: Options) -> StructType:
    is_feed = options.flag("readChangeFeed")
    table = feed_schema(snapshot.schema) if is_feed else snapshot.schema
    names = chosen_columns(options.names("columns"), table.names)
    return plain_spark_schema(pa.schema([table.field(name) for name in names]), variants=not is_feed)


def _check_same(schema: StructType, before: Snapshot, now: Snapshot, options: Options) -> None:
    """Raises ValueError if the version to read has other columns than the version of the frame."""
    if now.metadata.schema_string == before.metadata.schema_string:
        return
    table = feed_schema(now.schema) if options.flag("readChangeFeed") else now.schema
    kinds = {field.name: field.dataType for field in plain_spark_schema(table, variants=True)}
    changed = [field.name for field in schema if kinds.get(field.name) != field.dataType]
    if changed:
        raise ValueError(
            f"the columns {', '.join(changed)} were changed between version {before.version}, from which the frame has its "
            f"columns, and version {now.version}: load the table again"
        )


def _predicate(options: Options) -> tuple[Tree | None, str]:
    where, zone = options.text("where"), options.text("timeZone") or "UTC"
    return None if where is None else parse_sql(where, zone), zone


def _change_reader(options: Options, snapshot: Snapshot, schema: StructType, parallelism: int) -> DataSourceReader:
    options.exclusive("startingVersion", "startingTimestamp")
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


def _snapshot(options: Options, known: Snapshot | None = None) -> Snapshot:
    """Returns the version to read, of changes the last one; a ``known`` one is not read again."""
    if options.flag("readChangeFeed"):
        options.exclusive("endingVersion", "endingTimestamp")
        version, time = options.number("endingVersion"), options.text("endingTimestamp")
    else:
        options.exclusive("version", "versionAsOf", "timestamp", "timestampAsOf")
        version = options.number("versionAsOf") if options.number("version") is None else options.number("version")
        time = options.text("timestamp") or options.text("timestampAsOf")
    if known is None:
        return open_table(options.path(), version, time)
    return known.log.snapshot() if version is None and time is None else known
