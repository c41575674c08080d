"""Reader of data files: columns by their ids, partition values of the manifest, rows that are not deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from ..lake.read.conform import batch_rows
from ..lake.read.deleted import ChosenRows, RowNumbers
from ..lake.read.expression import expression
from ..lake.read.open_file import OpenFile, open_data_file
from ..lake.read.parts import Counts
from ..lake.read.predicate import Bound, Name, leaf_paths
from ..lake.read.pruning import Known, Lookup, may_match
from ..runtime.arrow_nested import as_type, relabelled
from ..runtime.errors import DecodeError
from .binary_row import is_storable
from .manifests import DataFile, Vector, stated
from .schemas import Column, TableSchema
from .table import PaimonTable
from .types import renamed_type
from .vectors import deleted_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMATS = ("mosaic", "parquet", "orc")
_Layout: TypeAlias = "tuple[list[Any], dict[int, tuple[Column, Column]]]"


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
        counts: counts of what was read.
    """

    table: PaimonTable
    schema: TableSchema
    columns: tuple[str, ...]
    predicate: Bound | None
    vectors: Mapping[str, Vector]
    threads: bool = True
    counts: Counts = field(default_factory=Counts)
    _layouts: dict[tuple[int, tuple[str, ...]], _Layout] = field(default_factory=dict, repr=False, compare=False)

    @property
    def arrow(self) -> pa.Schema:
        """The schema of the batches."""
        return pa.schema([self.schema.by_name[name].arrow for name in self.columns])

    def read(self, files: Iterable[DataFile]) -> Iterator[pa.RecordBatch]:
        """Yields the rows for which the predicate is true, in batches of `arrow`, none of them empty.

        Raises:
            FileNotFoundError: a file is gone.
            DecodeError: a file is broken.
        """
        arrow = self.arrow
        condition = None if self.predicate is None else expression(self.predicate)
        for file in files:
            opened = self._open(file)
            try:
                vector = self.vectors.get(file.name)
                groups = self._row_groups(opened, file, whole=vector is not None)
                if not groups:
                    continue
                conform = _Conform(self.schema, self.columns, self._written(file), file, opened.schema)
                chosen = None if vector is None else ChosenRows(deleted_rows(self.table, vector))
                numbers = None if vector is None else RowNumbers(groups, opened.group_rows)
                for read in opened.batches(conform.names, groups, batch_rows(arrow), threads=self.threads):
                    if chosen is not None and numbers is not None:
                        read = read.filter(pa.array(chosen.of(numbers.of(read.num_rows))))
                    batch = conform.batch(read, arrow)
                    kept = batch if condition is None else batch.filter(condition)
                    if kept.num_rows:
                        self.counts.rows += kept.num_rows
                        yield kept
            finally:
                opened.close()

    def known(self, file: DataFile) -> Lookup:
        """Returns a lookup of the partition values and statistics of a file, by the manifest."""
        keys = self.schema.partition_keys
        found: dict[Name, Known] = {(name,): constant(value) for name, value in zip(keys, file.partition, strict=True)}
        if self.predicate is None:
            return found.get
        wanted = {path[0] for path in leaf_paths(self.predicate) if (path[0],) not in found}
        if not wanted:
            return found.get
        schema = self._written(file)
        names = file.fields.get("_VALUE_STATS_COLS")
        if names is None:
            names = [column.name for column in _stored(schema, file)]
        kinds, pairs = self._layout(schema, tuple(names), wanted)
        known = stated(file.fields["_VALUE_STATS"], kinds, file.rows, file.path, list(pairs))
        for (column, now), each in zip(pairs.values(), known, strict=True):
            found[now.name,] = each if _comparable(column, now) else Known(nulls=each.nulls, rows=each.rows)
        stored = {column.id for column in _stored(schema, file)}
        for name in wanted:
            if self.schema.by_name[name].id not in stored:
                found[name,] = Known(nulls=file.rows, rows=file.rows)
        return found.get

    def _layout(self, schema: TableSchema, names: tuple[str, ...], wanted: set[str]) -> _Layout:
        """Returns the types of columns with statistics, None of those not wanted, and the wanted ones by their places."""
        if (schema.id, names) not in self._layouts:
            kinds: list[Any] = [None] * len(names)
            pairs: dict[int, tuple[Column, Column]] = {}
            for index, name in enumerate(names):
                column = schema.by_name.get(name)
                now = None if column is None else self.schema.by_id.get(column.id)
                if column is not None and now is not None and now.name in wanted:
                    kinds[index] = column.type if is_storable(column.type) else None
                    pairs[index] = (column, now)
            self._layouts[schema.id, names] = kinds, pairs
        return self._layouts[schema.id, names]

    def _written(self, file: DataFile) -> TableSchema:
        """Returns the schema that a file was written with."""
        return self.schema if file.schema_id == self.schema.id else self.table.schema(file.schema_id)

    def _open(self, file: DataFile) -> OpenFile:
        storage = self.table.storage
        path = storage.locate(file.path) if "://" in file.path else storage.path(file.path)
        if file.format == "orc":
            from .orc_file import OpenOrc

            return OpenOrc(storage.filesystem, path)
        if file.format not in FORMATS:
            raise DecodeError(f"the format of {file.name!r} is not read here", format="paimon", path=file.path)
        return open_data_file(file.format, storage.filesystem, path, self._written(file).arrow)

    def _row_groups(self, opened: OpenFile, file: DataFile, *, whole: bool) -> list[int]:
        """Returns the numbers of the row groups to read; all of a ``whole`` file, whose rows are counted from its start."""
        every = list(range(opened.num_row_groups))
        chosen = every
        if self.predicate is not None and not whole:
            paths = self._paths(file, opened)
            if paths:
                known = opened.known(list(paths.values()))
                chosen = [group for group in every if may_match(self.predicate, _renamed(known[group], paths))]
        self.counts.row_groups += len(every)
        self.counts.row_groups_read += len(chosen)
        return chosen

    def _paths(self, file: DataFile, opened: OpenFile) -> dict[Name, Name]:
        """Returns the columns of the predicate that the file has in a comparable type, with their names there."""
        assert self.predicate is not None
        schema = self._written(file)
        found: dict[Name, Name] = {}
        for path in leaf_paths(self.predicate):
            now = self.schema.by_name[path[0]]
            there = schema.by_id.get(now.id)
            if len(path) > 1 or there is None or now.name in self.schema.partition_keys or not _comparable(there, now):
                continue
            if opened.schema.get_field_index(there.name) >= 0:
                found[path] = (there.name,)
        return found


class _Conform:
    """Brings batches of one file into the table's columns.

    Attributes:
        names: the columns to read from the file.
    """

    def __init__(
        self, schema: TableSchema, columns: Iterable[str], written: TableSchema, file: DataFile, there: pa.Schema
    ) -> None:
        self._file = file.path
        stored = {column.id: column for column in _stored(written, file) if there.get_field_index(column.name) >= 0}
        partition = dict(zip(schema.partition_keys, file.partition, strict=True))
        self._columns: list[tuple[Column, Column | None, Any]] = []
        for name in columns:
            column = schema.by_name[name]
            if name in partition:
                self._columns.append((column, None, pa.scalar(partition[name], column.type)))
            else:
                self._columns.append((column, stored.get(column.id), None))
        self.names = [old.name for _, old, _ in self._columns if old is not None]

    def batch(self, batch: pa.RecordBatch, arrow: pa.Schema) -> pa.RecordBatch:
        """Returns a batch in the schema ``arrow``; columns that the file lacks are null.

        Raises:
            DecodeError: a value has no place in the column's type.
        """
        arrays = [self._array(batch, *each) for each in self._columns]
        if not arrays:
            return batch.select([])
        return pa.RecordBatch.from_arrays(arrays, schema=arrow)

    def _array(self, batch: pa.RecordBatch, column: Column, old: Column | None, constant: Any) -> Any:
        if old is None:
            return pa.nulls(batch.num_rows, column.type) if constant is None else pa.repeat(constant, batch.num_rows)
        array = batch.column(batch.schema.get_field_index(old.name))
        try:
            if old.json_type != column.json_type and pa.types.is_nested(array.type):
                named = renamed_type(array.type, old.json_type, column.json_type)
                array = relabelled(pa.record_batch({"c": array}), pa.schema([pa.field("c", named)])).column(0)
            return as_type(array, column.type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            rule = f"the file has {array.type}, the table {column.type}: {error}"
            raise DecodeError(rule, format="paimon", path=f"{self._file}: {column.name}") from None


def _stored(schema: TableSchema, file: DataFile) -> list[Column]:
    """Returns the columns that a file was written with."""
    names = file.fields.get("_WRITE_COLS")
    return [*schema.columns] if names is None else [schema.by_name[name] for name in names if name in schema.by_name]


def _comparable(old: Column, new: Column) -> bool:
    """Returns True if bounds of the old type are bounds in the new one as well."""
    if old.type == new.type:
        return is_storable(new.type)
    families = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return any(test(old.type) and test(new.type) for test in families)


def constant(value: Any) -> Known:
    """Returns the bounds of a column that has one value in all rows; a NaN has none."""
    if value is None:
        return Known(nulls=1, rows=1)
    return Known(value, value, 0) if value == value else Known(nulls=0)


def lookup_of(names: Iterable[str], known: Iterable[Known]) -> Lookup:
    """Returns a lookup of columns by their names."""
    found: dict[Name, Known] = {(name,): each for name, each in zip(names, known, strict=True)}
    return found.get


def _renamed(lookup: Lookup, paths: Mapping[Name, Name]) -> Lookup:
    return lambda path: lookup(paths[path]) if path in paths else None
