"""Spark data source ``paimon_append``: Paimon tables without merging of keys."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ...lake.read.parts import FilePart
from ...lake.read.plan import chosen_columns
from ...paimon.manifests import DataFile
from ...paimon.reading import FileReader
from ...paimon.scanning import PaimonScan, plan
from ...paimon.schemas import TableSchema
from ...paimon.table import PaimonTable, SnapshotInfo
from ...runtime.arrow_nested import as_type
from ..partitioning import spread
from ..read import absolute
from ..table_schema import plain_spark_schema
from .file_reader import OwnParts, PartsReader, freeze_modules
from .options import STORAGE_OPTIONS, Options

READ_OPTIONS = (
    "columns", "where", "snapshot", "tag", "timestamp", "branch", "timeZone", "numPartitions", STORAGE_OPTIONS,
)  # fmt: skip


class PaimonSource(DataSource):
    """``spark.read.format("paimon_append").load(path)`` and ``df.write.format("paimon_append").mode(...).save(path)``.

    Options for reading; `lakecodec.paimon.scan` has the same as arguments:

    ``columns``
        Names of the columns: ``a,b`` or a JSON list. Spark cannot push its projection into a Python source.
    ``where``
        A predicate as of `lakecodec.paimon.scan`: partitions, files and row groups that it excludes are not read.
    ``snapshot``, ``tag`` or ``timestamp``
        An older snapshot of the table.
    ``branch``
        A branch of the table; for writing too.
    ``timeZone``
        Of times without one in ``where``; default: UTC.
    ``numPartitions``
        How many tasks share the files; default: enough for their size, at least one per processor for large files.

    ``storage.<name>``
        An option of the client for the table's object store, such as ``storage.endpoint_url``; for writing too.

    Options for writing, with the modes ``append`` and ``overwrite``; `lakecodec.paimon.write` has the same as arguments:

    ``partitionBy``
        Partition columns of a new table: ``a,b`` or a JSON list.
    ``format``
        Of a new table's files: ``mosaic`` (default), ``parquet`` or ``orc``.
    ``table.<name>``
        An option of a new table, such as ``table.bucket``.
    ``commitUser``, ``commitIdentifier``
        Make the write repeatable: nothing is added if the user has made a commit of that number.
    """

    parallelism = os.cpu_count() or 1

    @classmethod
    def name(cls) -> str:
        return "paimon_append"

    #: The result of `schema`. It is pickled with the source for the processes that plan reads.
    _found: TableSchema | None = None

    def schema(self) -> StructType:
        options = Options(self.name(), self.options, READ_OPTIONS)
        _, _, self._found = _state(options)
        names = chosen_columns(options.names("columns"), self._found.arrow.names)
        return _spark_schema(self._found, names)

    def reader(self, schema: StructType) -> DataSourceReader:
        options = Options(self.name(), self.options, READ_OPTIONS)
        table, snapshot, now = _state(options)
        names = schema.fieldNames()
        if self._found is not None and now.id != self._found.id and _spark_schema(now, names) != schema:
            raise ValueError(f"columns of {table.name!r} were changed since the frame was made: load the table again")
        zone = options.text("timeZone") or "UTC"
        scan = plan(table, snapshot, now, names, options.text("where"), zone)
        return PartsReader(_parts(scan, schema, self.parallelism, options.number("numPartitions", 1)))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        from .paimon_write import WRITE_OPTIONS, PaimonWriter

        return PaimonWriter(Options(self.name(), self.options, WRITE_OPTIONS), schema, overwrite=overwrite)


@dataclass(frozen=True)
class PaimonTask:
    """Picklable description of the read of some files.

    Attributes:
        reader: reads them.
        target: Spark's columns in the types that it wants.
    """

    reader: FileReader
    target: pa.Schema

    def read(self, parts: Iterable[FilePart[DataFile]]) -> Iterator[pa.RecordBatch]:
        """Yields the rows for which the reader's predicate is true."""
        try:
            for batch in self.reader.read(parts):
                columns = [as_type(batch.column(field.name), field.type) for field in self.target]
                yield pa.RecordBatch.from_arrays(columns, schema=self.target)
        finally:
            freeze_modules()


def _parts(scan: PaimonScan, schema: StructType, parallelism: int, partitions: int | None) -> list[OwnParts]:
    """Returns the input partitions of a scan: each has what its own files need."""
    target = to_arrow_schema(schema, timezone="UTC")
    reader = replace(scan.file_reader(), threads=False)
    found = []
    for number in {file.schema_id for file in scan.files}:
        scan.table.schema(number)  # tasks get the schema with the table and need not read it
    for parts in spread([file.without_statistics() for file in scan.files], parallelism, partitions):
        vectors = {part.file.name: scan.vectors[part.file.name] for part in parts if part.file.name in scan.vectors}
        found.append(OwnParts(PaimonTask(replace(reader, vectors=vectors), target), parts))
    return found


def _state(options: Options) -> tuple[PaimonTable, SnapshotInfo | None, TableSchema]:
    options.exclusive("snapshot", "tag", "timestamp")
    table = PaimonTable(absolute(options.path()), options.text("branch"))
    return table, *table.state(options.number("snapshot", 1), options.text("tag"), options.text("timestamp"))


def _spark_schema(schema: TableSchema, names: Iterable[str]) -> StructType:
    return plain_spark_schema(pa.schema([schema.by_name[name].arrow for name in names if name in schema.by_name]))
