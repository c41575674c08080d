"""Shows, sets and unsets table properties. Each change makes one version."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from ...runtime.exact import exact_list, exact_text
from ...runtime.urls import with_options
from ...statistics.collected import chosen
from ..log import CommitInfo, Log, Snapshot, Transaction, from_delta, to_delta
from ..log.column_mapping import MODE, mapping_mode, with_mapping
from ..log.definition import redefine
from ..log.properties import ROW_TRACKING, STATISTICS_COLUMNS, configured
from ..log.protocol import check_writable
from ..log.storage import table_path


def properties(
    path: str | os.PathLike[str], *, version: int | None = None, storage_options: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Returns the properties of a table as texts by name.

    Args:
        path: path or URL of the table.
        version: version of the table, by default the newest.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
    """
    return dict(
        sorted(Log(table_path(with_options(path, storage_options))).snapshot(version).metadata.configuration.items())
    )


def set_properties(
    path: str | os.PathLike[str],
    properties: Mapping[str, str | int | bool | timedelta],
    *,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Sets properties of a table, and returns the commit of the new version, or of the current one if nothing changes.

    The protocol gets the features that the properties need, such as ``changeDataFeed`` for
    ``delta.enableChangeDataFeed``.

    Args:
        path: path or URL of the table.
        properties: values by name. Names without the prefix ``delta.`` are stored unchanged.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        TypeError, ValueError: a value is invalid for its property.
        KeyError: a name with the prefix ``delta.`` is unsupported, or a column is unknown.
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        ConflictError: another commit changed the table's definition at the same time.
        UnknownOutcomeError: the storage does not tell whether the version was made.
    """
    given = configured(properties)
    log = Log(table_path(with_options(path, storage_options)))
    snapshot = log.snapshot()
    if STATISTICS_COLUMNS.name in given:
        chosen(snapshot.schema, STATISTICS_COLUMNS.parse(given[STATISTICS_COLUMNS.name]) or ())
    return _changed(snapshot, {**snapshot.metadata.configuration, **given}, "SET TBLPROPERTIES", {"properties": given})


def unset_properties(
    path: str | os.PathLike[str], names: str | Iterable[str], *, storage_options: Mapping[str, Any] | None = None
) -> CommitInfo:
    """Removes properties of a table, and returns the commit of the new version, or of the current one if it has none
    of them.

    Args:
        path: path or URL of the table.
        names: the properties; missing ones are ignored. Features of the protocol stay.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    The errors are those of `set_properties`.
    """
    given = [names] if isinstance(names, str) else exact_list("names", names)
    gone = {exact_text("names", name).lower() for name in given}
    snapshot = Log(table_path(with_options(path, storage_options))).snapshot()
    kept = {name: value for name, value in snapshot.metadata.configuration.items() if name.lower() not in gone}
    return _changed(snapshot, kept, "UNSET TBLPROPERTIES", {"properties": sorted(gone)})


def _changed(
    snapshot: Snapshot, configuration: Mapping[str, str], operation: str, parameters: dict[str, Any]
) -> CommitInfo:
    check_writable(snapshot.protocol, snapshot.metadata)
    if configuration == snapshot.metadata.configuration:
        return snapshot.log.info(snapshot.version)
    metadata = replace(snapshot.metadata, configuration=configuration)
    if ROW_TRACKING.of(metadata) and not ROW_TRACKING.of(snapshot.metadata):
        raise ValueError(f"properties: {ROW_TRACKING.name}: only a new table can track its rows here")
    old, new = (mapping_mode(each.configuration) for each in (snapshot.metadata, metadata))
    if old != new:
        if (old, new) != ("none", "name"):
            raise ValueError(f"properties: {MODE}: a table can go from none to name, not from {old} to {new}")
        schema = with_mapping(from_delta(metadata.schema_string), configuration, keep_names=True)
        metadata = replace(metadata, schema_string=to_delta(schema))
    change = redefine(snapshot, metadata)
    check_writable(change.protocol or snapshot.protocol, change.metadata or snapshot.metadata)
    transaction = Transaction(snapshot.log, snapshot, operation, parameters=parameters)
    transaction.set_metadata(change.metadata or snapshot.metadata, change.protocol)
    return transaction.commit()
