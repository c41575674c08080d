"""MERGE of rows into a table in this process: matched rows are updated or deleted, others are inserted."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...row import RowConverter, sort_table
from ...runtime.arrow_variant import holds_variant
from ...runtime.exact import items_of
from ...runtime.progress import Progress
from ...runtime.urls import with_options
from ..log import Add, CommitInfo
from ..log.column_rules import generated_by
from ..log.deletion_vectors import Positions
from ..read.casts import Refused, cast
from ..read.parts import ScanFile
from ..read.plan import plan_table
from ..read.predicate import And, Comparison, Constant, In, Tree
from ..read.values import SqlValue, column_of
from ..writing.data import open_data
from ..writing.plan import resolve_names
from ..writing.rows import check_given
from .clauses import check_used, columns_of_source
from .delete_update import check_set, new_values, with_values
from .repeat import repeated
from .rewriting import Changed, Rewrite
from .selection import Selection, adds
from .table_change import AffectedFile

#: Up to this many distinct keys, files are chosen by each key; with more, only by the lowest and the highest key.
_MOST_KEYS = 1000
_EQUAL = re.compile(r"\s*(target|source)\.(`[^`]+`|\w+)\s*==?\s*(target|source)\.(`[^`]+`|\w+)\s*")


def merge(
    path: str | os.PathLike[str],
    source: Any,
    on: str | Sequence[str],
    *,
    when_matched_update: bool | Mapping[str, str] | None = None,
    when_matched_delete: bool | str | None = None,
    when_not_matched_insert: bool | Mapping[str, str] | None = None,
    deletion_vectors: bool | None = None,
    progress: bool | Progress = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Merges the rows of ``source`` into a table without Spark, and returns the commit of the new version.

    A table row matches a source row if their keys are equal; null matches nothing. The source is held in
    memory, the table is not. Only files that can have matching rows are read.

    Args:
        path: path or URL of the table.
        source: rows, as the ``data`` of `write`.
        on: common columns that must be equal, or equations ``target.a = source.b`` joined by AND.
        when_matched_update: what happens to matched rows: True sets all columns that the source has; a dict gives values by
            column, SQL texts as of `update` over ``target.`` and ``source.``.
        when_matched_delete: True, or a condition over both: matched rows for which it is true are deleted, not changed.
        when_not_matched_insert: what happens to rows of the source that match none: True inserts all columns that the
            source has, a dict gives values over ``source.``; other columns have their defaults or are null.
        deletion_vectors: True to write deletion vectors, False to rewrite files; None: by ``delta.enableDeletionVectors``.
        progress: as of `write`.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit made, with ``numTargetRowsMatched`` in its metrics; the current version's if nothing changes.

    Raises:
        TypeError, ValueError, KeyError: a wrong argument; NaN in a key of the source; or several rows of the source match
            one of the table.
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        ConflictError: another commit came first and changed the same files, or added files that can have matching rows.
        EncodeError: the table cannot hold a value.
        UnknownOutcomeError: the storage does not tell whether the version was made.
    """
    opened = open_data(source, "source")
    try:
        # The source is read once, since a reader could not be read again if the change is retried.
        parts = [opened.schema.empty_table(), *(pa.Table.from_batches([batch]) for batch in opened.batches())]
        rows = pa.concat_tables(parts, promote_options="permissive").select(opened.schema.names)
    finally:
        opened.close()
    place = with_options(path, storage_options)
    clauses = (when_matched_update, when_matched_delete, when_not_matched_insert)
    return _merge(place, rows, on, *clauses, deletion_vectors, progress)


@repeated()
def _merge(
    path: Any,
    source: pa.Table,
    on: Any,
    update: Any,
    delete: Any,
    insert: Any,
    deletion_vectors: bool | None,
    progress: bool | Progress,
) -> CommitInfo:
    rewrite = Rewrite(path, deletion_vectors, progress)
    snapshot = rewrite.snapshot
    clauses = Clauses.of(snapshot.schema, source.schema.names, update, delete, insert)
    check_set("when_matched_update", clauses.update or {}, snapshot.schema)
    check_given(snapshot.schema, clauses.insert or {})
    rewrite.new_rows.check_rules()
    keys = _keys(on, snapshot.schema.names, source.schema.names)
    found = _Source(source, keys, snapshot.schema)
    tree = found.tree()
    selection = Selection(snapshot, tree, exact=False)
    read = selection.files()[1]
    match = _Matches(rewrite, found, clauses)
    changes_rows = clauses.update is not None or clauses.delete is not None
    with rewrite.display:
        touched = match.of_files(read, changes_rows)
    inserted = match.inserted()
    if not touched and not inserted.num_rows:
        return rewrite.unchanged()
    transaction = rewrite.transaction("MERGE", {"predicate": on if isinstance(on, str) else items_of(on)})
    # An insert depends on all files read: a matching row in one of them would have prevented it.
    known: list[Add] = adds(snapshot, [file.number for file in read]) if clauses.insert is not None else []
    transaction.depends_on_files(selection.may_match, known)
    transaction.metrics["numTargetRowsMatched"] = match.count
    moves = clauses.update is not None and any(
        name in clauses.update or generated_by(snapshot.schema.field(name)) for name in snapshot.partition_columns
    )
    return rewrite.run(
        transaction,
        touched,
        match.change,
        inserted=inserted.to_batches(max_chunksize=1 << 16),
        moves=moves,
        only_deletes=clauses.update is None,
        old_values=not (update is True and clauses.sets_all(snapshot.schema)),
    )


@dataclass(frozen=True)
class Clauses:
    """Clauses of a merge: values by the table's columns; None for a clause that is not used."""

    update: Mapping[str, SqlValue] | None
    delete: SqlValue | None
    insert: Mapping[str, SqlValue] | None

    @classmethod
    def of(cls, schema: pa.Schema, source: Sequence[str], update: Any, delete: Any, insert: Any) -> Clauses:
        check_used(update, delete, insert)
        if delete is None or delete is False:
            deletes = None
        elif delete is True or isinstance(delete, str):
            deletes = SqlValue("true" if delete is True else delete, "when_matched_delete")
        else:
            raise TypeError(f"when_matched_delete: True or a condition is needed, not {delete!r}")
        return cls(
            _values("when_matched_update", update, schema.names, source),
            deletes,
            _values("when_not_matched_insert", insert, schema.names, source),
        )

    def sets_all(self, schema: pa.Schema) -> bool:
        """Returns True if a matched row keeps nothing and its old values decide nothing but whether it matches."""
        set_names = self.update or {}
        return self.delete is None and all(field.name in set_names or generated_by(field) for field in schema)


def _values(argument: str, given: Any, names: Sequence[str], source: Sequence[str]) -> dict[str, SqlValue] | None:
    if given is None or given is False:
        return None
    if given is not True:
        return new_values(argument, given, names)
    found = columns_of_source(argument, names, source)
    return {name: SqlValue("source.`" + there.replace("`", "``") + "`", argument) for name, there in found.items()}


def _keys(on: Any, target: Sequence[str], source: Sequence[str]) -> list[tuple[str, str]]:
    """Returns pairs of equal columns, named as in the table and in the source."""
    if isinstance(on, str):
        parts = re.split(r"\s+and\s+", on.strip(), flags=re.IGNORECASE)
        found = [_EQUAL.fullmatch(part) for part in parts]
        if all(part is not None and {part[1], part[3]} == {"target", "source"} for part in found):
            sides = [(part[1], part[2].strip("`"), part[4].strip("`")) for part in found if part is not None]
            on = [(first, second) if side == "target" else (second, first) for side, first, second in sides]
        elif any(mark in on for mark in "=<>. "):
            raise ValueError(f"on: {on!r} is not of equations target.a = source.b joined by AND; Spark takes others")
        else:
            on = [on]
    if not isinstance(on, Sequence):
        raise TypeError(f"on: names of columns or equations are needed, not {on!r}")
    pairs: list[tuple[str, str]] = []
    for item in on:
        left, right = item if isinstance(item, tuple) else (item, item)
        if not isinstance(left, str) or not isinstance(right, str):
            raise TypeError(f"on: a column's name is needed, not {item!r}")
        pairs.append((resolve_names("on", [left], target, "table")[0], resolve_names("on", [right], source)[0]))
    if not pairs:
        raise TypeError(f"on: names of columns or equations are needed, not {on!r}")
    return pairs


class _Source:
    """The rows of the source, with lookup by key."""

    def __init__(self, rows: pa.Table, keys: Sequence[tuple[str, str]], schema: pa.Schema) -> None:
        self.rows = rows.combine_chunks()
        self.names = [left for left, _ in keys]
        self._columns = []
        for left, right in keys:
            kind = schema.field(left).type
            if pa.types.is_nested(kind) or holds_variant(kind):
                raise ValueError(f"on: {left!r} is {kind}, which cannot be a key")
            try:
                array = cast(_whole(self.rows[right]), kind)
            except (Refused, pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                raise ValueError(f"source: {right!r} does not fit the table's {left!r}, {kind}: {error}") from None
            if pa.types.is_floating(kind) and pc.any(pc.is_nan(array)).as_py():
                raise ValueError(f"source: {right!r} has NaN, which cannot be a key")
            self._columns.append(array)
        self._converter = RowConverter([schema.field(name).type for name in self.names])
        self._keys = self._encoded(self._columns)
        first = pc.index_in(self._keys, self._keys)
        #: Per row, the number of the first row with the same keys; null for a row with a null key.
        self.first = first
        counts = np.bincount(first.drop_null().to_numpy(zero_copy_only=False), minlength=self.rows.num_rows)
        self._repeated = counts > 1

    def _encoded(self, columns: Sequence[Any]) -> Any:
        """Returns the keys of rows as one column; null if one of the keys is null."""
        plain = [pc.add(array, 0.0) if pa.types.is_floating(array.type) else array for array in columns]
        if len(plain) == 1 and not pa.types.is_decimal(plain[0].type):
            return plain[0]
        valid = pc.is_valid(plain[0])
        for array in plain[1:]:
            valid = pc.and_(valid, pc.is_valid(array))
        encoded = self._converter.convert_columns(plain).cast(pa.large_binary())
        return pc.if_else(valid, encoded, pa.scalar(None, pa.large_binary()))

    def match(self, columns: Sequence[Any]) -> Any:
        """Returns per table row the number of the source row with equal keys; null for none.

        Raises:
            ValueError: several source rows have the keys of a table row.
        """
        found = pc.index_in(self._encoded(columns), self._keys, skip_nulls=True)
        hit = found.drop_null().to_numpy(zero_copy_only=False)
        if self._repeated[hit].any():
            row = int(hit[self._repeated[hit]][0])
            key = {name: array[row].as_py() for name, array in zip(self.names, self._columns, strict=True)}
            raise ValueError(
                f"source: multiple source rows match one target row, that with the key {key}; make its keys unique"
            )
        return found

    def tree(self) -> Tree | None:
        """Returns a predicate that is true for all matching table rows; None if none can be given."""
        parts: list[Any] = []
        types = pa.types
        for name, array in zip(self.names, self._columns, strict=True):
            kind = array.type
            if not (types.is_integer(kind) or types.is_string(kind) or types.is_date(kind) or types.is_decimal(kind)):
                continue
            distinct = pc.unique(array.drop_null())
            if not len(distinct):
                return Constant(False)
            try:
                if len(distinct) <= _MOST_KEYS:
                    parts.append(In((name,), tuple(distinct.to_pylist())))
                    continue
                low, high = pc.min_max(distinct).as_py().values()
            except (ValueError, OverflowError):  # dates outside of Python's range
                continue
            parts += [Comparison((name,), ">=", low), Comparison((name,), "<=", high)]
        return And(tuple(parts)) if parts else None


class _Matches:
    """Rows of the table and of the source that match."""

    def __init__(self, rewrite: Rewrite, source: _Source, clauses: Clauses) -> None:
        self._rewrite, self._source, self._clauses = rewrite, source, clauses
        self._schema: pa.Schema = rewrite.snapshot.schema
        self._hit = np.zeros(source.rows.num_rows, np.bool_)
        self._rows: dict[int, tuple[Positions, Positions]] = {}
        self.count = 0

    def of_files(self, files: Sequence[ScanFile], changes: bool) -> list[AffectedFile]:
        """Returns the files with rows that change."""
        # A delete without an update has only a condition, which may use all columns of a row.
        conditional = self._clauses.update is None and self._clauses.delete is not None
        columns = None if conditional else list(dict.fromkeys(self._source.names))
        parts: dict[int, list[tuple[Positions, Positions]]] = {}
        plan = plan_table(self._rewrite.snapshot, columns, verify=True)
        for file, rows, at in self._rewrite.search(files, list(plan.columns)):
            keys = [rows.column(rows.schema.get_field_index(name)) for name in self._source.names]
            found = self._source.match(keys)
            matched = pc.is_valid(found).to_numpy(zero_copy_only=False)
            here = found.drop_null().to_numpy(zero_copy_only=False).astype(np.int64)
            self._hit[here] = True
            self.count += len(here)
            there = at[matched]
            if conditional and len(here):
                gone = self._deleted(rows.filter(pa.array(matched)), here)
                here, there = here[gone], there[gone]
            if changes and len(there):
                parts.setdefault(file, []).append((there, here))
        for file, found in parts.items():
            positions, numbers = zip(*found, strict=True)
            self._rows[file] = np.concatenate(positions), np.concatenate(numbers)
        return [AffectedFile(file, self._rows[file.number][0]) for file in files if file.number in self._rows]

    def change(self, rows: pa.RecordBatch, file: int, numbers: Positions) -> Changed:
        """Returns matched rows with their new values."""
        positions, sources = self._rows[file]
        chosen = sources[np.searchsorted(positions, numbers)]
        if self._clauses.update is None:
            return Changed(np.ones(rows.num_rows, np.bool_))
        gone = np.zeros(rows.num_rows, np.bool_) if self._clauses.delete is None else self._deleted(rows, chosen)
        kept = rows.filter(pa.array(~gone))
        lookup = self._lookup(kept, chosen[~gone])
        return Changed(gone, with_values(kept, self._clauses.update, self._schema, lookup))

    def inserted(self) -> pa.Table:
        """Returns the rows that are new, sorted by partition."""
        none = self._source.rows.slice(0, 0)
        if self._clauses.insert is None:
            return none
        first = self._source.first.fill_null(-1).to_numpy(zero_copy_only=False)
        missing = (first < 0) | ~self._hit[first]
        chosen = np.flatnonzero(missing)
        if not len(chosen):
            return none
        lookup = self._lookup(None, chosen)
        values = self._clauses.insert
        columns = [value.of(lookup, len(chosen)) for value in values.values()]
        made = pa.RecordBatch.from_arrays(columns, names=list(values))
        table = pa.Table.from_batches([self._rewrite.new_rows.of(made)])
        by = list(self._rewrite.snapshot.partition_columns)
        return sort_table(table, by) if by else table

    def _deleted(self, rows: pa.RecordBatch, chosen: Positions) -> Any:
        assert self._clauses.delete is not None
        found = self._clauses.delete.of(self._lookup(rows, chosen), rows.num_rows)
        if not pa.types.is_boolean(found.type):
            raise ValueError("when_matched_delete: a condition is needed")
        return found.fill_null(False).to_numpy(zero_copy_only=False)

    def _lookup(self, rows: pa.RecordBatch | None, chosen: Positions) -> Any:
        def lookup(path: tuple[str, ...]) -> Any:
            side, *rest = path
            if side == "source" and rest:
                part = self._source.rows.take(pa.array(chosen))
                return _whole(column_of_table(part, tuple(rest)))
            if side == "target" and rest and rows is not None:
                return column_of(rows, self._schema, tuple(rest))
            raise KeyError(f"{'.'.join(path)!r}: target.name or source.name is needed")

        return lookup


def column_of_table(table: pa.Table, path: tuple[str, ...]) -> Any:
    """Returns a column of the source or a field of it."""
    columns = [_whole(column) for column in table.columns]
    return column_of(pa.RecordBatch.from_arrays(columns, schema=table.schema), table.schema, path)


def _whole(column: Any) -> Any:
    found = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(found, pa.ChunkedArray):
        found = pa.concat_arrays(found.chunks) if found.num_chunks else pa.array([], found.type)
    return found.dictionary_decode() if pa.types.is_dictionary(found.type) else found
