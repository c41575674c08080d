"""Changes of a table's definition: schema, partition columns, file format and protocol."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa

from ...runtime.suggest import no_such
from .actions import PARQUET, Metadata, Protocol
from .column_mapping import LARGEST, largest_id, mapping_mode, with_mapping
from .conflicts import same_definition
from .errors import LogError, SchemaMismatchError
from .file_actions import CHANGE_TYPE, COMMIT_TIMESTAMP, COMMIT_VERSION
from .properties import (
    CHANGE_DATA_FEED,
    IN_COMMIT_TIMESTAMPS,
    IN_COMMIT_TIMESTAMPS_FROM,
    IN_COMMIT_TIMESTAMPS_SINCE,
    TYPE_WIDENING,
)
from .protocol import MOSAIC, check_writable, protocol_for
from .row_tracking import with_tracking
from .schema import check_fits, from_delta, same_schema, to_delta
from .widening import has_type_changes

if TYPE_CHECKING:
    from .snapshot import Snapshot


@dataclass(frozen=True)
class Change:
    """A new definition, with None for unchanged parts. A ``trusted`` one is not checked against the files."""

    metadata: Metadata | None = None
    protocol: Protocol | None = None
    trusted: bool = False

    def joins(self, current: Snapshot) -> bool:
        """Returns True if a table that others created meanwhile has the same definition as this change."""
        if self.metadata is None or not same_definition(self.metadata, current.metadata):
            return False
        needed = _protocol(self.metadata, current.protocol)
        check_writable(current.protocol, current.metadata)
        return needed == current.protocol

    def check(self, read: Snapshot, *, emptied: bool) -> None:
        """Raises LogError if remaining files do not fit; with ``emptied`` all files are removed."""
        if self.metadata is None or emptied or self.trusted:
            return
        old, new = read.metadata, self.metadata
        if (old.partition_columns, old.format) != (new.partition_columns, new.format):
            raise LogError("partition columns and file format can change only where all files are removed")
        check_fits(from_delta(new.schema_string), read.schema)


def evolve(read: Snapshot, schema: pa.Schema) -> Change:
    """Returns the change that gives a table the columns of a `merged_schema` while its files stay."""
    old = read.metadata
    text = to_delta(schema)
    if same_schema(old.schema_string, text):
        return Change()
    widened = has_type_changes(text)
    configuration = {**old.configuration, **({TYPE_WIDENING.name: "true"} if widened else {})}
    return redefine(read, replace(old, schema_string=text, configuration=configuration))


def redefine(read: Snapshot, metadata: Metadata) -> Change:
    """Returns the change to a metaData action that the table's files fit, with the protocol that it needs."""
    needed = _protocol(metadata, read.protocol)
    return Change(_numbered(metadata), None if needed == read.protocol else needed, trusted=True)


def since_here(change: Change, old: Metadata, version: int, now: int) -> Change:
    """Returns a change of properties. If it enables commit times, it also records the version since when commits have
    them."""
    new = change.metadata
    if new is None or not IN_COMMIT_TIMESTAMPS.of(new) or IN_COMMIT_TIMESTAMPS.of(old):
        return change
    since = {IN_COMMIT_TIMESTAMPS_SINCE: str(version), IN_COMMIT_TIMESTAMPS_FROM: str(now)}
    return replace(change, metadata=replace(new, configuration={**new.configuration, **since}))


def check_feed(metadata: Metadata | None, names: Iterable[str]) -> None:
    """Raises SchemaMismatchError if a table with a change data feed has columns with the feed's names."""
    if CHANGE_DATA_FEED.of(metadata):
        taken = [name for name in names if name.lower() in (CHANGE_TYPE, COMMIT_VERSION, COMMIT_TIMESTAMP)]
        if taken:
            raise SchemaMismatchError(f"{taken[0]!r} is a column of the change data feed, the table has its own", taken)


def _protocol(metadata: Metadata, current: Protocol | None) -> Protocol:
    return protocol_for(from_delta(metadata.schema_string), metadata.format, metadata.configuration, current)


def define(
    read: Snapshot | None,
    schema: pa.Schema,
    partition_columns: Sequence[str],
    format: str,
    properties: Mapping[str, str] | None = None,
) -> Change:
    """Returns the change that gives the table of ``read`` (None: a new one) this definition.

    Raises:
        SchemaMismatchError: a Delta table cannot have a type or a name.
        KeyError: a partition column does not exist.
        ValueError: ``format`` is neither "parquet" nor "mosaic".
    """
    if format not in (PARQUET, MOSAIC):
        raise ValueError(f"format: {format!r} is neither {PARQUET!r} nor {MOSAIC!r}")
    partitions = tuple(partition_columns)
    for name in partitions:
        if name not in schema.names:
            raise KeyError(f"partition_columns: {no_such(name, schema.names)}")
    given = {**({} if read is None else read.metadata.configuration), **(properties or {})}
    text = to_delta(with_mapping(schema, given))
    kept = from_delta(text)
    if read is None:
        created = time.time_ns() // 1_000_000
        metadata = Metadata(str(uuid4()), text, partitions, format, with_tracking(given), created)
        return Change(_numbered(metadata), _protocol(metadata, None))
    old = read.metadata
    new = replace(old, partition_columns=partitions, format=format, configuration=given)
    needed = protocol_for(kept, format, new.configuration, read.protocol)
    protocol = None if needed == read.protocol else needed
    if new == old and same_schema(old.schema_string, text):
        return Change(None, protocol)
    return Change(_numbered(replace(new, schema_string=text)), protocol)


def _numbered(metadata: Metadata) -> Metadata:
    """Returns a metaData action. With mapped columns it has their largest id."""
    if mapping_mode(metadata.configuration) == "none":
        return metadata
    before = int(metadata.configuration.get(LARGEST) or 0)
    largest = max(before, largest_id(from_delta(metadata.schema_string)))
    return replace(metadata, configuration={**metadata.configuration, LARGEST: str(largest)})
