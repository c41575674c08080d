"""Spark data source ``parquet_metadata``: one row per column chunk, decoded by generated code straight to Arrow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
from pyspark.sql.types import StructField, StructType

from ...lake.listing import list_files
from ...parquet import column_chunks
from ...parquet.search import search
from ...parquet.search_keys import SearchedValues, text_key
from ...parquet.sources import expand
from ..partitioning import balance, default_partitions
from .options import ScanOptions

# This limits the memory per decoded table. Spark's own batch limit counts rows of tuples, not of Arrow batches.
FILES_PER_BATCH = 256


class FileList(InputPartition):
    """Input partition of the data source: the paths of the files that one task reads."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(None)
        self.paths = tuple(paths)


class ParquetMetadataSource(DataSource):
    """``spark.read.format("parquet_metadata").load(path or paths)``.

    Rows and columns are those of `lakecodec.parquet.column_chunks`, with absolute paths in ``file``. Options:

    ``errors``
        ``column`` (default): a broken file is a row with a message in the column ``error``, null elsewhere.
        ``fail``: a broken file fails the job; there is no column ``error``.
    ``columns``
        Dotted paths of the Parquet columns to report: ``a,b.c`` or a JSON list. Files without them have no rows.
    ``fields``
        The output columns to make, likewise. Spark cannot push its projection into a Python source.
    ``find``, ``values``
        A column's dotted path, and a value as text or a JSON list of texts and nulls: rows and columns are then those of
        `lakecodec.parquet.row_groups_with`, the row groups and pages that can hold one of the values.
    ``numPartitions``
        How many tasks share the files; default: one for 50 files, at most the default parallelism.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "parquet_metadata"

    def schema(self) -> StructType:
        return _offered_schema(ScanOptions.parse(self.options))

    def reader(self, schema: StructType) -> DataSourceReader:
        return ParquetMetadataReader(ScanOptions.parse(self.options), schema, self.parallelism)


class ParquetMetadataReader(DataSourceReader):
    """Reader of the data source: lists files in the driver and decodes their footers in tasks.

    Filters are not pushed down: PySpark 4.3 shares their state between scans.
    """

    def __init__(self, options: ScanOptions, schema: StructType, parallelism: int) -> None:
        self.options = options
        self.parallelism = parallelism
        self.spark_schema = _checked(schema, options)
        self.fields = schema.fieldNames()

    def partitions(self) -> list[InputPartition]:
        files = list_files(self.options.paths)
        count = self.options.partitions or default_partitions(len(files), self.parallelism)
        return [FileList(paths) for paths in balance(files, count)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # If there are no partitions, Spark passes an empty one: an empty folder has no rows.
        paths = partition.paths if isinstance(partition, FileList) else ()
        for start in range(0, len(paths), FILES_PER_BATCH):
            table = _decode(paths[start : start + FILES_PER_BATCH], self.fields, self.options)
            yield from as_spark_batches(table, self.spark_schema)


def _decode(paths: Sequence[str], fields: Sequence[str], options: ScanOptions) -> pa.Table:
    if options.find is not None:
        return _search(paths, options).select(fields)
    try:
        return column_chunks(paths, columns=options.columns, fields=fields, errors=options.errors)
    except KeyError:
        if options.columns is None:
            raise
        # These files lack some column that files of other tasks may have.
        table = column_chunks(paths, fields=list(dict.fromkeys([*fields, "path"])), errors=options.errors)
        kept = pc.field("path").isin(options.columns)
        if options.errors == "column":
            kept = kept | pc.field("error").is_valid()
        return table.filter(kept).select(fields)


def _search(paths: Sequence[str], options: ScanOptions) -> pa.Table:
    wanted = SearchedValues(options.values, text_key)
    table, _ = search(expand(list(paths)), options.find or "", wanted, errors=options.errors)
    wanted.check()
    return table


def _offered_schema(options: ScanOptions) -> StructType:
    if options.find is not None:
        table = _search([], options)
        return spark_schema((table if options.fields is None else table.select(options.fields)).schema)
    return spark_schema(column_chunks([], fields=options.fields, errors=options.errors).schema)


def _checked(schema: StructType, options: ScanOptions) -> StructType:
    """Returns a user's schema; ValueError if it adds or changes columns, or drops ``error`` while broken files are rows."""
    offered = {field.name: field for field in _offered_schema(options)}
    for field in schema:
        if field.name not in offered:
            raise ValueError(f"schema: parquet_metadata has no column {field.name!r}; it has {', '.join(offered)}")
        if field.dataType != offered[field.name].dataType:
            expected = offered[field.name].dataType.simpleString()
            raise ValueError(f"schema: {field.name} is {expected}, not {field.dataType.simpleString()}")
    if options.errors == "column" and "error" not in schema.fieldNames():
        raise ValueError("schema: the column 'error' must be there, unless the option errors is 'fail'")
    return schema


def plain_type(type: pa.DataType) -> pa.DataType:
    """Returns the type without dictionary encoding and 64-bit offsets, which Spark refuses; list elements likewise."""
    if pa.types.is_dictionary(type):
        return plain_type(type.value_type)
    if pa.types.is_large_string(type):
        return pa.string()
    if pa.types.is_large_binary(type):
        return pa.binary()
    if pa.types.is_list(type) or pa.types.is_large_list(type):
        return pa.list_(plain_type(type.value_type))
    return type


def spark_schema(schema: pa.Schema) -> StructType:
    """Returns the Spark schema of an Arrow schema; every column is nullable."""
    return StructType([StructField(field.name, from_arrow_type(plain_type(field.type)), True) for field in schema])


def as_spark_batches(table: pa.Table, schema: StructType) -> Iterator[pa.RecordBatch]:
    """Yields the batches of a table, cast to the Arrow schema that Spark expects for ``schema`` (instants in UTC)."""
    target = to_arrow_schema(schema, timezone="UTC")
    plain = pa.table([table[name].cast(target.field(name).type) for name in target.names], schema=target)
    yield from plain.to_batches()
