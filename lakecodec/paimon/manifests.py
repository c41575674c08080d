"""Manifests: which data files a snapshot has, and the vectors of their deleted rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import orc

from ..generated import paimon
from ..generated.paimon import ADD
from ..lake.read.pruning import Known
from ..runtime.errors import DecodeError
from .avro import read_objects
from .binary_row import decode_fields, decode_row
from .paths import bucket_path, plain_name
from .schemas import TableSchema
from .table import PaimonTable, SnapshotInfo

_THREADS = 8
DELETION_VECTORS = "DELETION_VECTORS"


@dataclass(frozen=True)
class DataFile:
    """A data file of a snapshot.

    Attributes:
        entry: the object of the manifest, see `generated.paimon.MANIFEST_ENTRY`.
        partition: the partition values.
        path: path of the file: relative to the table, or a path or URL elsewhere.
    """

    entry: Mapping[str, Any]
    partition: tuple[Any, ...]
    path: str

    @property
    def fields(self) -> Mapping[str, Any]:
        """The object that describes the file, see `generated.paimon.DATA_FILE`."""
        found: Mapping[str, Any] = self.entry["_FILE"]
        return found

    @property
    def name(self) -> str:
        """The plain name of the file."""
        return str(self.fields["_FILE_NAME"])

    @property
    def bucket(self) -> int:
        """The number of the bucket."""
        return int(self.entry["_BUCKET"])

    @property
    def rows(self) -> int:
        """The number of rows, deleted ones among them."""
        return int(self.fields["_ROW_COUNT"])

    @property
    def size(self) -> int:
        """The size in bytes."""
        return int(self.fields["_FILE_SIZE"])

    @property
    def format(self) -> str:
        """The format by the suffix of the name."""
        return self.name.rpartition(".")[2]

    @cached_property
    def schema_id(self) -> int:
        """The schema that the file was written with."""
        return int(self.fields["_SCHEMA_ID"])

    def without_statistics(self) -> DataFile:
        """Returns the file without statistics, for readers of its rows: tasks do not need those of thousands of columns."""
        kept = {name: value for name, value in self.fields.items() if not name.endswith("_STATS")}
        return DataFile({**self.entry, "_FILE": kept}, self.partition, self.path)


def identity(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns the key that the entries of a file share: the one that adds it, and the one that deletes it."""
    file = entry["_FILE"]
    return entry["_PARTITION"], entry["_BUCKET"], file["_LEVEL"], file["_FILE_NAME"], file.get("_EXTERNAL_PATH")


def read_list(table: PaimonTable, name: str) -> list[dict[str, Any]]:
    """Returns the manifests of a manifest list."""
    path = f"manifest/{plain_name(name, 'manifest list')}"
    found = _objects(table, path)
    _check(found, paimon.MANIFEST_FILE, path)
    return found


def manifests_of(table: PaimonTable, snapshot: SnapshotInfo) -> list[dict[str, Any]]:
    """Returns the manifests of a snapshot, older ones first."""
    lists = _parallel(lambda name: read_list(table, name), (snapshot.base_list, snapshot.delta_list))
    return [each for part in lists for each in part]


def read_manifest(table: PaimonTable, name: str) -> list[dict[str, Any]]:
    """Returns the entries of a manifest."""
    path = f"manifest/{plain_name(name, 'manifest list')}"
    found = _objects(table, path)
    _check(found, paimon.MANIFEST_ENTRY, path)
    for each in found:
        if not isinstance(each["_FILE"], dict):
            raise DecodeError("_FILE is not a record", format="paimon", path=path)
    _check([each["_FILE"] for each in found], paimon.DATA_FILE, path)
    return found


def index_entries(table: PaimonTable, path: str) -> list[dict[str, Any]]:
    """Returns the entries of an index manifest."""
    found = _objects(table, path)
    _check(found, paimon.INDEX_ENTRY, path)
    return found


def data_files(
    table: PaimonTable,
    schema: TableSchema,
    manifests: Iterable[Mapping[str, Any]],
    matches: Callable[[tuple[Any, ...]], bool] | None = None,
) -> list[DataFile]:
    """Returns the data files of manifests, in the order in which they were added; ``matches`` selects partitions.

    Raises:
        DecodeError: a manifest is broken.
        OSError: it cannot be read.
    """
    names = [str(each["_FILE_NAME"]) for each in manifests]
    added: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    deleted: set[tuple[Any, ...]] = set()
    for entries in _parallel(lambda name: read_manifest(table, name), names):
        for entry in entries:
            if entry["_KIND"] == ADD:
                added[identity(entry)] = entry
            else:
                deleted.add(identity(entry))
    partitions = Partitions(schema)
    found = []
    for key, entry in added.items():
        if key in deleted:
            continue
        values = partitions.values(entry["_PARTITION"])
        if matches is None or matches(values):
            found.append(DataFile(entry, values, partitions.path(entry)))
    return found


class Partitions:
    """Partition values and directories of buckets; each is decoded once."""

    def __init__(self, schema: TableSchema) -> None:
        self._schema = schema
        self._values: dict[bytes, tuple[Any, ...]] = {}
        self._paths: dict[tuple[bytes, int], str] = {}

    def values(self, row: bytes) -> tuple[Any, ...]:
        """Returns the values of a partition's row."""
        if row not in self._values:
            kinds = self._schema.partition_kinds
            self._values[row] = tuple(decode_row(row, kinds, "_PARTITION")) if kinds else ()
        return self._values[row]

    def path(self, entry: Mapping[str, Any]) -> str:
        """Returns the path of the data file of an entry."""
        file = entry["_FILE"]
        if elsewhere := file.get("_EXTERNAL_PATH"):
            return str(elsewhere)
        key = entry["_PARTITION"], entry["_BUCKET"]
        if key not in self._paths:
            self._paths[key] = bucket_path(self._schema, self.values(key[0]), key[1])
        return f"{self._paths[key]}/{plain_name(file['_FILE_NAME'], 'manifest')}"


def stated(
    stats: Mapping[str, Any], kinds: Sequence[Any], rows: int | None, path: str, places: Sequence[int] | None = None
) -> list[Known]:
    """Returns the bounds and null counts of columns of these types from statistics; only those at ``places``."""
    chosen = range(len(kinds)) if places is None else places
    if not kinds or not stats["_MIN_VALUES"]:
        return [Known() for _ in chosen]
    nulls = stats.get("_NULL_COUNTS") or [None] * len(kinds)
    if len(nulls) != len(kinds):
        raise DecodeError(f"{len(nulls)} counts of nulls, {len(kinds)} columns", format="paimon", path=path)
    bounded = [place for place in chosen if kinds[place] is not None]
    low, high = (
        dict(zip(bounded, decode_fields(stats[name], kinds, bounded, path), strict=True))
        for name in ("_MIN_VALUES", "_MAX_VALUES")
    )
    return [Known(low.get(place), high.get(place), nulls[place], rows) for place in chosen]


def deletion_vectors(table: PaimonTable, schema: TableSchema, snapshot: SnapshotInfo) -> dict[str, Vector]:
    """Returns the vectors of the snapshot's data files by their names."""
    if snapshot.index_manifest is None:
        return {}
    path = f"manifest/{plain_name(snapshot.index_manifest, 'snapshot')}"
    entries = index_entries(table, path)
    partitions = Partitions(schema)
    found: dict[str, Vector] = {}
    for entry in entries:
        if entry["_INDEX_TYPE"] != DELETION_VECTORS or entry["_KIND"] != ADD:
            continue
        name = plain_name(entry["_FILE_NAME"], path)
        beside = schema.is_on("index-file-in-data-file-dir")
        folder = bucket_path(schema, partitions.values(entry["_PARTITION"]), entry["_BUCKET"]) if beside else "index"
        place = entry.get("_EXTERNAL_PATH") or f"{folder}/{name}"
        for each in entry.get("_DELETIONS_VECTORS_RANGES") or ():
            _check([each], paimon.VECTOR_RANGE, path)
            found[each["f0"]] = Vector(str(place), each["f1"], each["f2"], each.get("_CARDINALITY"))
    return found


@dataclass(frozen=True)
class Vector:
    """Place of a deletion vector: a file, an offset, the length without the envelope, and the number of rows, if known."""

    path: str
    offset: int
    length: int
    cardinality: int | None


def _check(objects: Iterable[Mapping[str, Any]], declared: Mapping[str, str], path: str) -> None:
    """Raises DecodeError unless the objects have the required fields, of the right types."""
    types: dict[str, type] = {'"int"': int, '"long"': int, '"bytes"': bytes, '"string"': str}
    needed = [(name, types[text]) for name, text in declared.items() if text in types]
    needed += [(name, dict) for name, text in declared.items() if text.strip('"').isupper()]
    for each in objects:
        for name, kind in needed:
            if not isinstance(each.get(name), kind):
                rule = f"{name} is {each.get(name)!r}, not of the type {kind.__name__}"
                raise DecodeError(rule, format="paimon", path=path)


def _objects(table: PaimonTable, path: str) -> list[dict[str, Any]]:
    """Returns the objects of a manifest or list, which is in Avro or, by the option ``manifest.format``, in ORC or Parquet."""
    try:
        data = table.storage.read(path)
    except FileNotFoundError:
        raise DecodeError("the file does not exist", format="paimon", path=path) from None
    if data[:3] != b"ORC" and data[:4] != b"PAR1":
        return list(read_objects(data, path))
    try:
        source, is_orc = pa.BufferReader(data), data[:3] == b"ORC"
        file: Any = orc.ORCFile(source) if is_orc else pq.ParquetFile(source, page_checksum_verification=True)
        # Repeated values take no bytes, but each object has a file name of its own, so the size bounds the count.
        count = file.nrows if is_orc else file.metadata.num_rows
        if not 0 <= count <= len(data):
            raise DecodeError(f"{count} objects in {len(data)} bytes", format="paimon", path=path)
        rows: list[dict[str, Any]] = file.read().to_pylist()
        return rows
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, DecodeError):
            raise
        raise DecodeError(str(error), format="paimon", path=path) from None


def _parallel(read: Callable[[str], Any], names: Sequence[str]) -> list[Any]:
    if len(names) < 2:
        return [read(name) for name in names]
    with ThreadPoolExecutor(min(_THREADS, len(names))) as pool:
        return list(pool.map(read, names))
