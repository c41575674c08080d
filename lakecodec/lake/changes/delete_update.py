"""DELETE and UPDATE in this process. Rows for which the predicate is false or null stay unchanged."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...runtime.arrow_nested import no_rows
from ...runtime.exact import exact, exact_text
from ...runtime.progress import Progress
from ...runtime.urls import with_options
from ..log import CommitInfo
from ..log.column_rules import generated_by, identity_of
from ..log.deletion_vectors import Positions
from ..read.bind import bind
from ..read.plan import decided, plan_table
from ..read.predicate import Tree, column_names
from ..read.values import Lookup, SqlValue, column_of
from ..read.variant_parts import part_of
from ..read.where import Where, check_names, parse_where
from ..writing.plan import resolve_names
from .repeat import repeated
from .rewriting import Changed, Rewrite, delete_all
from .selection import Selection, rows_of
from .table_change import AffectedFile


@repeated()
def delete(
    path: str | os.PathLike[str],
    where: Where,
    *,
    deletion_vectors: bool | None = None,
    progress: bool | Progress = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Deletes the rows for which a predicate is true, without Spark, and returns the commit of the new version.

    Files whose statistics exclude a match are not read. Files whose statistics prove that all rows match are removed
    without being read. With deletion vectors, files with some matching rows stay and get a list of the deleted ones.

    Args:
        path: path or URL of the table.
        where: a predicate as of `scan`. ``"true"`` deletes all rows.
        deletion_vectors: True to write deletion vectors, False to rewrite files; None: by ``delta.enableDeletionVectors``.
        progress: as of `write`.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit made, with ``numDeletedRows`` in its metrics if known; the current version's if no row matches.

    Raises:
        TypeError, ValueError, KeyError: a wrong argument, or a predicate that only Spark can decide.
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        ConflictError: another commit came first and changed the same files, or added files that can have matching rows.
        UnknownOutcomeError: the storage does not tell whether the version was made.
    """
    rewrite = Rewrite(with_options(path, storage_options), deletion_vectors, progress)
    tree = _tree(rewrite, where)
    selection = Selection(rewrite.snapshot, tree)
    touched, rows = find(rewrite, selection, tree)
    if not touched:
        return rewrite.unchanged()
    transaction = rewrite.transaction("DELETE", {"predicate": str(where)})
    transaction.depends_on_files(selection.may_match)
    if rows is not None:
        transaction.metrics["numDeletedRows"] = rows
    return rewrite.run(transaction, touched, delete_all, only_deletes=True)


@repeated()
def update(
    path: str | os.PathLike[str],
    set: Mapping[str, str],
    where: Where | None = None,
    *,
    deletion_vectors: bool | None = None,
    progress: bool | Progress = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Updates columns of the rows for which a predicate is true, without Spark, and returns the commit of the new version.

    Args:
        path: path or URL of the table.
        set: new values by column: SQL texts over the old row (literals, columns, ``+ - * /``, comparisons, AND, OR,
            ``coalesce``, ``concat``, ``upper``, ``lower``, ``trim``, ``length``, ``if``, ``nullif``), cast to the column's type.
        where: a predicate as of `scan`; None for all rows.
        deletion_vectors: as of `delete`.
        progress: as of `write`.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit made, with ``numUpdatedRows`` in its metrics if known; the current version's if no row matches.

    Raises:
        EncodeError: the table cannot hold a value; all other errors are those of `delete`.
    """
    rewrite = Rewrite(with_options(path, storage_options), deletion_vectors, progress)
    schema = rewrite.snapshot.schema
    values = new_values("set", set, schema.names)
    check_set("set", values, schema)
    rewrite.new_rows.check_rules()
    tree = None if where is None else _tree(rewrite, where)
    selection = Selection(rewrite.snapshot, tree)
    empty = no_rows(pa.schema([field.with_nullable(True) for field in schema]))
    rewrite.new_rows.of(with_values(empty, values, schema))  # raises errors in values before rows are read
    touched, rows = find(rewrite, selection, tree)
    if not touched:
        return rewrite.unchanged()

    def change(old: pa.RecordBatch, file: int, numbers: Positions) -> Changed:
        return Changed(np.zeros(old.num_rows, np.bool_), with_values(old, values, schema))

    transaction = rewrite.transaction("UPDATE", {} if where is None else {"predicate": str(where)})
    transaction.depends_on_files(selection.may_match)
    if rows is not None:
        transaction.metrics["numUpdatedRows"] = rows
    moves = any(name in values or generated_by(schema.field(name)) for name in rewrite.snapshot.partition_columns)
    return rewrite.run(transaction, touched, change, moves=moves)


def _tree(rewrite: Rewrite, where: Any) -> Tree:
    """Returns a parsed predicate; raises ValueError if only Spark can decide it."""
    tree = parse_where(where)
    check_names(tree, rewrite.snapshot.schema)
    decided(plan_table(rewrite.snapshot, rewrite.snapshot.schema.names[:1], tree))
    return tree


def find(rewrite: Rewrite, selection: Selection, tree: Tree | None) -> tuple[list[AffectedFile], int | None]:
    """Returns the files with rows for which a predicate is true, and the number of these rows; None if unknown."""
    certain, possible = selection.files()
    schema = rewrite.snapshot.schema
    bound = [] if tree is None else column_names(bind(tree, schema))
    names = [name for name in bound if part_of(name) is None]  # the reader finds parts of variants by the tree

    numbers: dict[int, list[Positions]] = {}
    with rewrite.display:
        for found in rewrite.search(possible, names or schema.names[:1], tree):
            numbers.setdefault(found.file, []).append(found.numbers)
    some = [AffectedFile(file, np.concatenate(numbers[file.number])) for file in possible if file.number in numbers]
    whole, count = rows_of(certain), sum(len(part) for parts in numbers.values() for part in parts)
    return [*map(AffectedFile, certain), *some], None if whole is None else count + whole


def new_values(argument: str, given: Any, names: Sequence[str]) -> dict[str, SqlValue]:
    """Returns the values of ``set`` or of a merge clause, by column in the table's spelling.

    Raises:
        TypeError: ``given`` is not a dict of column to SQL text, or is empty.
        KeyError: an unknown column.
        ValueError: a column is given twice, or an expression is unsupported.
    """
    if not isinstance(given, Mapping) or not given:
        raise TypeError(f"{argument}: a dict of column to SQL text is needed, not {given!r}")
    found = resolve_names(argument, [exact_text(argument, name) for name in given], names, "table")
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{argument}: SQL text is needed for {name!r}, not {value!r}")
    return {name: SqlValue(exact(value), argument) for name, value in zip(found, given.values(), strict=True)}


def check_set(argument: str, values: Collection[str], schema: pa.Schema) -> None:
    """Raises ValueError if a change sets an identity column, whose numbers must stay."""
    for name in values:
        if identity_of(schema.field(name)) is not None:
            raise ValueError(f"{argument}: {name!r} is an identity column, whose values cannot be changed")


def with_values(
    rows: pa.RecordBatch, values: Mapping[str, SqlValue], schema: pa.Schema, lookup: Lookup | None = None
) -> pa.RecordBatch:
    """Returns rows with new values of some columns, not yet in the table's types; other computed columns are omitted."""

    def own(path: tuple[str, ...]) -> Any:
        return column_of(rows, schema, path)

    lookup = lookup or own
    columns = {
        field.name: values[field.name].of(lookup, rows.num_rows) if field.name in values else rows.column(index)
        for index, field in enumerate(schema)
        if field.name in values or generated_by(field) is None
    }
    return pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))
