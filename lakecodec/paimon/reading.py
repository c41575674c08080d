"""Reader of data files: columns by their ids, partition values of the manifest, rows that are not deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..lake.log.errors import UnsupportedTableError
from ..lake.read.deleted import ChosenRows
from ..lake.read.file_rows import FileRows, OpenPart
from ..lake.read.open_file import OpenFile, open_data_file
from ..lake.read.parts import Counts, FilePart
from ..lake.read.predicate import Bound, Name, leaf_paths
from ..lake.read.prefetch import read_parts
from ..lake.read.pruning import Known, Lookup
from ..lake.read.remote import naming
from ..runtime.arrow_nested import as_type, relabelled
from ..runtime.errors import DecodeError
from ..runtime.parallel import readers
from .binary_row import is_storable
from .manifests import DataFile, Vector, stated
from .schemas import Column, TableSchema
from .table import PaimonTable
from .types import renamed_type
from .vectors import deleted_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMATS = ("mosaic", "parquet", "orc")


@dataclass(frozen=True)
class _Layout:
    """Statistics of files of a schema: types of their columns, and places of wanted ones; wanted columns that files lack.

    ``columns`` has the wanted ones as they were written and as they are now.
    """

    kinds: list[Any]
    places: list[int]
    columns: list[tuple[Column, Column]]
    missing: list[str]


@dataclass
class FileReader:
    """Reader of files of a table.

    Attributes:
        table: the table.
        schema: the schema that rows are brought into.
        columns: names of the columns to read: those wanted, and those of the predicate.
        predicate: bound predicate that excludes files, row groups and rows; None for all rows.
        vectors: deletion vectors by the names of the files.
        threads: True if a file's columns may be decoded in parallel.
        verify: True to compare checksums of Parquet pages: no damaged row may be written again.
        counts: counts of what was read.
    """

    table: PaimonTable
    schema: TableSchema
    columns: tuple[str, ...]
    predicate: Bound | None
    vectors: Mapping[str, Vector]
    threads: bool = True
    verify: bool = False
    counts: Counts = field(default_factory=Counts)
    _layouts: dict[tuple[Any, ...], _Layout] = field(default_factory=dict, repr=False, compare=False)

    @property
    def arrow(self) -> pa.Schema:
        """The schema of the batches."""
        return pa.schema([self.schema.by_name[name].arrow for name in self.columns])

    def read(self, parts: Iterable[FilePart[DataFile]]) -> Iterator[pa.RecordBatch]:
        """Yields the rows for which the predicate is true, in batches of `arrow`, none of them empty.

        Raises:
            FileNotFoundError: a file is gone.
            DecodeError: a file is broken.
        """
        return read_parts(self, parts)

    def opener(self) -> Callable[[FilePart[DataFile]], OpenPart]:
        """Returns the function of `lake.read.parts.PartReader`."""
        rows = FileRows(self.arrow, self.predicate, self.threads)

        def open_part(part: FilePart[DataFile]) -> OpenPart:
            file = part.file
            vector = self.vectors.get(file.name)
            # Fetched while the file is opened, to wait for a store only once.
            deleted = None if vector is None else readers().submit(deleted_rows, self.table, vector)
            with naming(file.path):
                opened = self._open(file)
                try:
                    paths, _ = self._paths(file, opened), opened.num_row_groups
                    chosen = None if deleted is None else ChosenRows(deleted.result())
                    conform = _Conform(self.schema, self.columns, self._written(file), file, self.arrow)
                    return rows.open(opened, part, lambda: conform, paths, chosen)
                except BaseException:
                    opened.close()
                    raise

        return open_part

    def known(self, file: DataFile) -> Lookup:
        """Returns a lookup of the partition values and statistics of a file, by the manifest."""
        keys = self.schema.partition_keys
        found: dict[Name, Known] = {(name,): constant(value) for name, value in zip(keys, file.partition, strict=True)}
        if self.predicate is None:
            return found.get
        wanted = {path[0] for path in leaf_paths(self.predicate) if (path[0],) not in found}
        if not wanted:
            return found.get
        layout = self._layout(file, wanted)
        known = stated(file.fields["_VALUE_STATS"], layout.kinds, file.rows, file.path, layout.places)
        for (column, now), each in zip(layout.columns, known, strict=True):
            found[now.name,] = each if _comparable(column, now) else Known(nulls=each.nulls, rows=each.rows)
        for name in layout.missing:
            found[name,] = Known(nulls=file.rows, rows=file.rows)
        return found.get

    def _layout(self, file: DataFile, wanted: set[str]) -> _Layout:
        """Returns the layout of a file's statistics; files of a table are alike."""
        schema = self._written(file)
        names, written = file.fields.get("_VALUE_STATS_COLS"), file.fields.get("_WRITE_COLS")
        key = (schema.id, *(None if each is None else tuple(each) for each in (names, written)))
        if key not in self._layouts:
            stored = stored_columns(schema, written)
            if names is None:
                names = [column.name for column in stored]
            kinds: list[Any] = [None] * len(names)
            pairs: dict[int, tuple[Column, Column]] = {}
            for index, name in enumerate(names):
                column = schema.by_name.get(name)
                now = None if column is None else self.schema.by_id.get(column.id)
                if column is not None and now is not None and now.name in wanted:
                    kinds[index] = column.type if is_storable(column.type) else None
                    pairs[index] = (column, now)
            ids = {column.id for column in stored}
            missing = [name for name in wanted if self.schema.by_name[name].id not in ids]
            self._layouts[key] = _Layout(kinds, list(pairs), list(pairs.values()), missing)
        return self._layouts[key]

    def _written(self, file: DataFile) -> TableSchema:
        """Returns the schema that a file was written with."""
        return self.schema if file.schema_id == self.schema.id else self.table.schema(file.schema_id)

    def _open(self, file: DataFile) -> OpenFile:
        storage = self.table.storage
        path = storage.locate(file.path) if "://" in file.path else storage.path(file.path)
        if file.format == "orc":
            from .orc_file import OpenOrc

            return OpenOrc(storage.filesystem, path, file.size)
        if file.format not in FORMATS:
            raise UnsupportedTableError(f"{file.path}: files of the format {file.format!r} are not read", file.format)
        schema = self._written(file).arrow
        return open_data_file(file.format, storage.filesystem, path, schema, verify=self.verify, size=file.size)

    def _paths(self, file: DataFile, opened: OpenFile) -> dict[Name, Name]:
        """Returns the columns of the predicate that the file has in a comparable type, with their names in the file."""
        schema = self._written(file)
        found: dict[Name, Name] = {}
        for path in () if self.predicate is None else leaf_paths(self.predicate):
            now = self.schema.by_name[path[0]]
            there = schema.by_id.get(now.id)
            if len(path) > 1 or there is None or now.name in self.schema.partition_keys or not _comparable(there, now):
                continue
            if opened.schema.get_field_index(there.name) >= 0:
                found[path] = (there.name,)
        return found


class _Conform:
    """Brings batches of one file into the table's columns."""

    def __init__(
        self, schema: TableSchema, columns: Iterable[str], written: TableSchema, file: DataFile, arrow: pa.Schema
    ) -> None:
        self._file, self._arrow = file.path, arrow
        stored = {column.id: column for column in stored_columns(written, file.fields.get("_WRITE_COLS"))}
        partition = dict(zip(schema.partition_keys, file.partition, strict=True))
        self._columns: list[tuple[Column, Column | None, Any]] = []
        for name in columns:
            column = schema.by_name[name]
            constant = pa.scalar(partition[name], column.type) if name in partition else None
            self._columns.append((column, stored.get(column.id) if constant is None else None, constant))

    def file_columns(self, file: pa.Schema) -> list[str]:
        """Returns the names of the columns to read from the file."""
        return [old.name for _, old, _ in self._columns if old is not None and file.get_field_index(old.name) >= 0]

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns a batch in the table's columns; those that the file lacks are null.

        Raises:
            DecodeError: a value does not fit the column's type.
        """
        arrays = [self._array(batch, *each) for each in self._columns]
        if not arrays:
            return batch.select([])
        return pa.RecordBatch.from_arrays(arrays, schema=self._arrow)

    def _array(self, batch: pa.RecordBatch, column: Column, old: Column | None, constant: Any) -> Any:
        if constant is not None:
            return pa.repeat(constant, batch.num_rows)
        index = -1 if old is None else batch.schema.get_field_index(old.name)
        if old is None or index < 0:
            return pa.nulls(batch.num_rows, column.type)
        array = batch.column(index)
        try:
            if old.json_type != column.json_type and pa.types.is_nested(array.type):
                named = renamed_type(array.type, old.json_type, column.json_type)
                array = relabelled(pa.record_batch({"c": array}), pa.schema([pa.field("c", named)])).column(0)
            return as_type(array, column.type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            rule = f"the file has {array.type}, the table {column.type}: {error}"
            raise DecodeError(rule, format="paimon", path=f"{self._file}: {column.name}") from None


def stored_columns(schema: TableSchema, names: Iterable[str] | None) -> list[Column]:
    """Returns the columns that a file of a schema has; ``names`` are its ``_WRITE_COLS``, which may be missing."""
    return [*schema.columns] if names is None else [schema.by_name[name] for name in names if name in schema.by_name]


def _comparable(old: Column, new: Column) -> bool:
    """Returns True if bounds of the old type are bounds in the new one as well."""
    if old.type == new.type:
        return is_storable(new.type)
    families = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return any(test(old.type) and test(new.type) for test in families)


def constant(value: Any) -> Known:
    """Returns the bounds of a column that has one value in all rows; NaN has no bounds."""
    if value is None:
        return Known(nulls=1, rows=1)
    return Known(value, value, 0) if value == value else Known(nulls=0)


def lookup_of(names: Iterable[str], known: Iterable[Known]) -> Lookup:
    """Returns a lookup of columns by their names."""
    found: dict[Name, Known] = {(name,): each for name, each in zip(names, known, strict=True)}
    return found.get
