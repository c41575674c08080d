"""Scans by Spark's own Parquet reader: a relation of exactly the files of a plan, with partition values from the log.

Spark passes a DataFrame's filters and columns on to its own reader, not to Python. Where that reader finds the same rows it
is the faster one; `spark_frame` says where it is not.
"""

from __future__ import annotations

import hashlib
import posixpath
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql.types import StructType

from ...delta import PartitionCodec
from ...lake.log.column_mapping import physical_schema
from ...lake.log.file_actions import NANOSECONDS, NO_NAN
from ...lake.log.storage import Storage
from ...lake.log.widening import has_type_changes
from ...lake.read.parts import ScanFile
from ..errors import first_line
from ..table_schema import plain_spark_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ...lake.log import Snapshot
    from ...lake.read.plan import ScanPlan

#: Each directory takes four calls of the JVM, 0.2 ms.
_MOST_DIRECTORIES = 2000
#: A text that no path contains.
_SEPARATOR = "\0"
#: A directory that does not exist. It is the root in place of a list of files.
_ROOT = "/@lake"
#: A second root. With a single root, Spark would insert rows into it, where they would be lost. Its error names both.
_NO_INSERTS = "/pipeline.read returns rows that nothing can be inserted into: use pipeline.ingest"
_WARNED: set[str] = set()
_OPTIONS = {
    "datetimeRebaseMode": "CORRECTED",
    "int96RebaseMode": "CORRECTED",
    "ignoreCorruptFiles": "false",
    "ignoreMissingFiles": "false",
    "mergeSchema": "false",
}
#: Bounds leave out NaN, which is above all numbers. Dictionaries and bloom filters distinguish 0.0 from -0.0.
_BOUNDS = ("stats", "columnindex")
_VALUES = ("dictionary", "bloom")


def spark_frame(spark: SparkSession, snapshot: Snapshot, plan: ScanPlan, *, skipping: bool = False) -> DataFrame | None:
    """Returns a DataFrame of all rows of the plan's files, in the plan's columns, read by Spark's own Parquet reader.

    None where only our reader finds the right rows: other formats and file systems, deletion vectors, column mapping, columns
    that were widened, times in nanoseconds, sessions of Spark Connect; or where bookkeeping would take long: thousands of
    partitions.

    Args:
        spark: a session.
        snapshot: the version of the table.
        plan: a scan of it.
        skipping: True if only a frame that skips row groups by all columns is wanted.
    """
    java: Any = getattr(spark, "_jsparkSession", None)
    storage = Storage(plan.path)
    if java is None or storage.local is None or not plan.files or not _is_plain(snapshot, plan):
        return None
    tags = _tags(snapshot, plan.files)
    if any(NANOSECONDS in each for each in tags):
        return None
    floats = any(_has_float(field.type) for field in plan.schema)
    ordered = not floats or all(NO_NAN in each for each in tags)
    if skipping and not ordered:
        return None
    located = [storage.locate(file.path) for file in plan.files]
    values = _by_directory(plan.files, located)
    if values is None or len(values) > _MOST_DIRECTORIES:
        return None
    wrong = (*(_VALUES if floats else ()), *(() if ordered else _BOUNDS))
    options = {**_OPTIONS, **{f"parquet.filter.{name}.enabled": "false" for name in wrong}}
    try:
        return _Relation(spark, plan, options).frame(located, values)
    except (Py4JError, TypeError) as error:  # a missing class is taken for a package: TypeError
        if "FileNotFoundException" not in str(error):  # our own reader reports missing files
            _warn(spark.version, first_line(error))
        return None


def _warn(version: str, reason: str) -> None:
    """Warns, once for each reason, that Spark's own reader is not used."""
    if reason not in _WARNED:
        _WARNED.add(reason)
        warnings.warn(
            f"Spark {version} does not let its own Parquet reader be used on the files of a table, so filters and columns "
            f"of the DataFrame are not pushed down; give pipeline.read columns= and where=: {reason}",
            RuntimeWarning,
            stacklevel=2,
        )


class _Relation:
    """Builder of a relation inside the JVM, as Spark builds it from a path, but from a list of files."""

    def __init__(self, spark: SparkSession, plan: ScanPlan, options: dict[str, str]) -> None:
        inside: Any = spark
        self._spark, self._plan = spark, plan
        self._jvm: Any = inside._jvm
        self._session: Any = inside._jsparkSession
        self._sources = self._jvm.org.apache.spark.sql.execution.datasources
        self._none = getattr(self._jvm.scala, "None$").__getattr__("MODULE$")
        schema = plain_spark_schema(plan.schema)
        self._data = StructType([field for field in schema if field.name not in plan.partition_columns])
        self._partitions = StructType([field for field in schema if field.name in plan.partition_columns])
        self._options = options if self._partitions else {**options, "recursiveFileLookup": "true"}

    def frame(self, located: Sequence[str], values: dict[str, tuple[str | None, ...]]) -> DataFrame:
        from pyspark.sql import DataFrame

        from ..predicates import column

        sources, options = self._sources, self._jvm.PythonUtils.toScalaMap(self._options)
        statuses = self._statuses(located)
        # Spark compares relations by their roots, and lists files again after a write into a directory above the roots.
        root = self._jvm.org.apache.hadoop.fs.Path("file", None, f"{_ROOT}{self._plan.path}@{_digest(located)}")
        cache = sources.SharedInMemoryCache(1 << 31, -1).createForNewClient()
        refusal = self._jvm.org.apache.hadoop.fs.Path("file", None, _NO_INSERTS)
        cache.putLeafFiles(root, statuses)
        cache.putLeafFiles(refusal, self._statuses([]))
        partitions = self._java(self._partitions)
        spec = sources.PartitionSpec(partitions, self._seq(self._directories(values)))
        index = sources.InMemoryFileIndex(
            self._session,
            self._seq([root, refusal]),
            options,
            self._none,
            cache,
            self._jvm.scala.Some(spec),
            self._none,
        )
        format = sources.parquet.ParquetFileFormat()
        relation = sources.HadoopFsRelation(
            index, partitions, self._java(self._data), self._none, format, options, self._session
        )
        found = DataFrame(self._session.baseRelationToDataFrame(relation), self._spark)
        names = list(self._plan.columns)
        return found if found.columns == names else found.select(*[column(name) for name in names])

    def _statuses(self, located: Sequence[str]) -> Any:
        """Returns the Java array of the files' statuses, in three calls however many they are."""
        if not located:
            gateway: Any = self._spark.sparkContext._gateway
            return gateway.new_array(self._jvm.org.apache.hadoop.fs.FileStatus, 0)
        texts = self._jvm.org.apache.hadoop.util.StringUtils
        paths = texts.stringToPath(texts.getStrings(_SEPARATOR.join(map(_uri, located)), _SEPARATOR))
        return paths[0].getFileSystem(self._session.sessionState().newHadoopConf()).listStatus(paths)

    def _directories(self, values: dict[str, tuple[str | None, ...]]) -> list[Any]:
        """Returns one Java PartitionPath per directory."""
        if not self._partitions:
            return []
        every = self._plan.partition_columns
        codec = PartitionCodec(self._plan.table, every)
        columns = [
            codec.parse_array(name, pa.array([texts[every.index(name)] for texts in values.values()], pa.string()))
            for name in self._partitions.names
        ]
        table = pa.table(columns, names=self._partitions.names)
        frame: Any = self._spark.createDataFrame(table, self._partitions)
        rows = frame._jdf.queryExecution().executedPlan().executeCollect()
        return [
            self._sources.PartitionPath(row, self._jvm.org.apache.hadoop.fs.Path(_uri(directory)))
            for row, directory in zip(rows, values, strict=True)
        ]

    def _java(self, schema: StructType) -> Any:
        return self._session.parseDataType(schema.json())

    def _seq(self, items: Sequence[Any]) -> Any:
        found = self._jvm.java.util.ArrayList()
        for item in items:
            found.add(item)
        return self._jvm.PythonUtils.toSeq(found)


def _is_plain(snapshot: Snapshot, plan: ScanPlan) -> bool:
    """Returns True if Spark's reader gives the rows of the files exactly as the table has them."""
    return (
        plan.format == "parquet"
        and not plan.verify
        and physical_schema(plan.table) is plan.table
        and not has_type_changes(snapshot.metadata.schema_string)
        and all(file.deleted is None and file.size and _is_seen(file.path) for file in plan.files)
    )


def _is_seen(path: str) -> bool:
    """Returns False for names that Spark takes for no data."""
    return not posixpath.basename(path).startswith(("_", "."))


def _by_directory(files: Sequence[ScanFile], located: Sequence[str]) -> dict[str, tuple[str | None, ...]] | None:
    """Returns the partition values of each directory, None where a directory has files of several partitions."""
    found: dict[str, tuple[str | None, ...]] = {}
    for file, path in zip(files, located, strict=True):
        if found.setdefault(posixpath.dirname(path), file.values) != file.values:
            return None
    return found


def _tags(snapshot: Snapshot, files: Sequence[ScanFile]) -> list[dict[str, str | None]]:
    """Returns the tags of files of a snapshot."""
    found = snapshot.live_files["tags"].take(pa.array([file.number for file in files]))
    return [dict(pairs or ()) for pairs in found.to_pylist()]


def _has_float(kind: pa.DataType) -> bool:
    """Returns True for a floating point type, and a struct with one: Spark skips by nothing inside lists and maps."""
    if pa.types.is_struct(kind):
        return any(_has_float(kind.field(index).type) for index in range(kind.num_fields))
    return bool(pa.types.is_floating(kind))


def _uri(path: str) -> str:
    return f"file:{path}"


def _digest(paths: Sequence[str]) -> str:
    return hashlib.sha256(_SEPARATOR.join(paths).encode()).hexdigest()[:16]
