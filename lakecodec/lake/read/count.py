"""Row counts of a table from its log and footers, as far as they suffice."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ...delta import PartitionCodec
from ...runtime.urls import is_store, with_options
from ..log.deletion_vectors import cardinality
from ..log.storage import Storage
from .open_file import open_data_file
from .parts import ScanFile
from .plan import ScanPlan, decided, open_table, plan_table
from .prefetch import read_ahead
from .select import certain_files
from .where import Where, check_names, parse_where


def count(
    path: str | os.PathLike[str],
    *,
    where: Where | None = None,
    version: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> int:
    """Returns the number of rows of a table, or of those for which a predicate is true; without Spark.

    A file whose statistics in the log prove that all rows match is counted by ``numRecords``, or by its footer if that
    is missing. Rows are read only from files of which some rows may not match.

    Args:
        path: path or URL of the table.
        where: a predicate as in `scan`.
        version: version of the table, by default the newest.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        KeyError: an unknown column.
        ValueError: the predicate is invalid, or only Spark can decide it.
    """
    snapshot = open_table(with_options(path, storage_options), version)
    tree = None if where is None else parse_where(where)
    if tree is not None:
        check_names(tree, snapshot.schema)
    plan = decided(plan_table(snapshot, snapshot.schema.names[:1] if tree is None else [], tree))
    if plan.predicate is None:
        return sum(_rows(plan, file) for file in plan.files)
    codec = PartitionCodec(snapshot.schema, snapshot.partition_columns or None)
    certain = certain_files(snapshot.files_table(), snapshot.schema, codec, plan.predicate)
    total = sum(_rows(plan, file) for file in plan.files if file.number in certain)
    rest = [file for file in plan.files if file.number not in certain]
    rows = read_ahead(plan.reader(threads=True), rest, remote=is_store(plan.path))
    return total + sum(int(batch.num_rows) for batch in rows)


def _rows(plan: ScanPlan, file: ScanFile) -> int:
    if file.rows is not None:
        return file.rows
    storage = Storage(plan.path)
    location = storage.locate(file.path)
    opened = open_data_file(plan.format, storage.filesystem, location, plan.table, size=file.size)
    try:
        return opened.num_rows - cardinality(None if file.deleted is None else json.loads(file.deleted))
    finally:
        opened.close()
