"""Row tracking (PROTOCOL.md, Row Tracking): each row of a table has a permanent number of its own.

New files get numbers when a version is made, beginning behind the highest number of the table. Files
that only get a deletion vector or other statistics keep theirs. Rows that move to other files keep theirs in
two hidden columns: the number, and the version of the last change, null for the version of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc

from .actions import DomainMetadata, Metadata, Protocol
from .errors import CorruptLogError, LogError, UnsupportedTableError
from .file_actions import Add
from .properties import ROW_TRACKING
from .protocol import ROW_TRACKING_FEATURE, writer_features

if TYPE_CHECKING:
    from .snapshot import Snapshot

_DOMAIN, _HIGHEST = "delta.rowTracking", "rowIdHighWaterMark"
_COLUMNS = {
    "materializedRowIdColumnName": "_row-id-col-",
    "materializedRowCommitVersionColumnName": "_row-commit-version-col-",
}


def with_tracking(configuration: Mapping[str, str]) -> dict[str, str]:
    """Returns properties of a new table; if it tracks rows, with names of the columns for numbers and versions."""
    if not ROW_TRACKING.of(Metadata("", "", configuration=configuration)):
        return dict(configuration)
    names = {f"{_DOMAIN}.{key}": f"{start}{uuid4()}" for key, start in _COLUMNS.items()}
    return {**names, **configuration}


def kept_columns(metadata: Metadata) -> tuple[str, ...]:
    """Returns the names of the columns that keep a row's number and version in other files; empty if rows are not tracked.

    Raises:
        CorruptLogError: the table's properties lack the names.
    """
    if not ROW_TRACKING.of(metadata):
        return ()
    names = tuple(metadata.configuration.get(f"{_DOMAIN}.{key}") for key in _COLUMNS)
    if None in names:
        rule = f"{ROW_TRACKING.name} is on, {' and '.join(_COLUMNS)} are missing"
        raise CorruptLogError(rule, path="metaData.configuration")
    return tuple(name for name in names if name is not None)


def check_rewrite(metadata: Metadata) -> None:
    """Raises UnsupportedTableError if rows would lose their numbers when Spark rewrites them."""
    if ROW_TRACKING.of(metadata):
        rule = f"rows keep their numbers ({ROW_TRACKING.name}), which Spark's tasks would lose; the functions of lake keep them"
        raise UnsupportedTableError(rule, ROW_TRACKING_FEATURE)


class Tracked:
    """A version of a table with two more columns: numbers and versions of rows, null if files do not have them."""

    def __init__(self, snapshot: Snapshot, names: Iterable[str]) -> None:
        self.log, self.version, self.format = snapshot.log, snapshot.version, snapshot.format
        self.partition_columns, self.files_table = snapshot.partition_columns, snapshot.files_table
        self.schema = with_kept(snapshot.schema, names)


def with_kept(schema: pa.Schema, names: Iterable[str]) -> pa.Schema:
    """Returns a schema with columns of numbers and versions of rows behind the others."""
    return pa.schema([*schema, *(pa.field(name, pa.int64()) for name in names)])


def filled(rows: pa.RecordBatch, names: tuple[str, ...], add: Add, positions: Any) -> pa.RecordBatch:
    """Returns rows of a file with missing numbers and versions filled in from the rows' positions and the file's version."""
    numbers = None if add.base_row_id is None else pa.array(positions + add.base_row_id)
    version = add.default_row_commit_version
    for name, known in zip(names, (numbers, None if version is None else pa.scalar(version)), strict=True):
        index = rows.schema.get_field_index(name)
        if known is not None:
            rows = rows.set_column(index, rows.schema.field(index), pc.coalesce(rows.column(index), known))
    return rows


def numbered(
    adds: Iterable[Add], version: int, current: Snapshot | None, protocol: Protocol
) -> tuple[list[Add], list[DomainMetadata]]:
    """Returns files with the numbers of their rows, and the action with the highest number.

    Args:
        adds: files of a version.
        version: its number.
        current: the previous version; None for a new table.
        protocol: the protocol after the commit. Without the feature nothing changes.

    Raises:
        LogError: a file's number of rows is unknown.
    """
    found = list(adds)
    if ROW_TRACKING_FEATURE not in writer_features(protocol):
        return found, []
    domain = None if current is None else current.domains.get(_DOMAIN)
    before = highest = -1 if domain is None else int(json.loads(domain.configuration)[_HIGHEST])
    for index, add in enumerate(found):
        if add.base_row_id is None:
            if add.num_records is None:
                raise LogError(f"{add.path!r}: the table tracks rows, the file does not say how many it has")
            found[index] = replace(add, base_row_id=highest + 1, default_row_commit_version=version)
            highest += add.num_records
    said = json.dumps({_HIGHEST: highest}, separators=(",", ":"))
    return found, [] if highest == before else [DomainMetadata(_DOMAIN, said)]
