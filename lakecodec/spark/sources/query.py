"""Spark data source ``lakecodec``: the rows of a query over files of any format that has an IDL."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from ...lake.listing import list_files
from ...queries import query_batches, resolved
from ..partitioning import balance, default_partitions
from .options import STORAGE_OPTIONS, Options
from .parquet_metadata import FileList, as_spark_batches, spark_schema

_KNOWN = ("path", "paths", "idl", "type", "allowExtern", "for", "where", "select", "numPartitions", STORAGE_OPTIONS)


class QuerySource(DataSource):
    """``spark.read.format("lakecodec").option("for", ...).option("select", ...).load(path or paths)``.

    The rows are those of `lakecodec.query`. Groups, order and limits are Spark's. Options:

    ``idl``, ``type``
        An IDL file or its text, and the type of a file; default: what the magic of the first file tells.
    ``allowExtern``
        Python modules whose externs the IDL may name: ``a,b``.
    ``for``, ``where``, ``select``
        Loops, condition and columns, in the IDL's expressions. ``select`` is needed.
    ``numPartitions``
        How many tasks share the files; default: one for 50 files, at most the default parallelism.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "lakecodec"

    def schema(self) -> StructType:
        return spark_schema(_plain(_QueryOptions(self.options).schema))

    def reader(self, schema: StructType) -> DataSourceReader:
        return QueryReader(_QueryOptions(self.options), schema, self.parallelism)


class QueryReader(DataSourceReader):
    """Reader of the data source: finds the type of the files in the driver, and queries them in tasks."""

    def __init__(self, asked: _QueryOptions, schema: StructType, parallelism: int) -> None:
        offered = spark_schema(_plain(asked.schema))
        if [(each.name, each.dataType) for each in schema] != [(each.name, each.dataType) for each in offered]:
            raise ValueError(f"schema: the columns are those of select: {offered.simpleString()}")
        self._query = asked.query
        self._schema = offered
        self._parts = balance(asked.files, asked.partitions or default_partitions(len(asked.files), parallelism))

    def partitions(self) -> list[InputPartition]:
        return [FileList(paths) for paths in self._parts]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # If there are no partitions, Spark passes an empty one.
        if isinstance(partition, FileList):
            for batch in query_batches(list(partition.paths), **self._query):
                yield from as_spark_batches(pa.Table.from_batches([batch]), self._schema)


class _QueryOptions:
    """Parsed options: the files, and the arguments of `query` for tasks, with the class of the files."""

    def __init__(self, given: Mapping[str, str]) -> None:
        options = Options("lakecodec", given, _KNOWN)
        self.files = list_files(options.paths())
        self.partitions = options.number("numPartitions", least=1)
        if options.text("select") is None:
            raise ValueError("select: columns are needed, such as 'path = join(cc.path, \".\"), cc.size'")
        self.query: dict[str, Any] = {
            "over": options.text("for"), "where": options.text("where"), "select": options.text("select"),
        }  # fmt: skip
        if not self.files:
            raise ValueError("path: there are no files")
        self.query["type"], self.schema = resolved(
            [each.path for each in self.files],
            idl=options.text("idl"),
            type=options.text("type"),
            allow_extern=options.names("allowExtern") or (),
            **self.query,
        )


def _plain(schema: pa.Schema) -> pa.Schema:
    """Returns a schema in which numbers without a sign, which Spark does not have, are decimals."""
    return pa.schema(
        [field.with_type(pa.decimal128(20, 0)) if pa.types.is_uint64(field.type) else field for field in schema]
    )
