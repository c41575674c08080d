"""Statistics of data files in the log's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import pyarrow as pa

from ...statistics.collected import DEFAULT_COLUMNS, Bounds, Collector, chosen, is_below
from ...statistics.columns import Path, leaves
from .actions import Metadata
from .bounds import encode_statistics, lower_text, upper_text
from .column_mapping import physical_path
from .properties import INDEXED_COLUMNS, STATISTICS_COLUMNS

if TYPE_CHECKING:
    from .snapshot import Snapshot

#: The domain whose metadata name a table's clustering columns.
_CLUSTERING = "delta.clustering"


class Statistics(Collector):
    """Statistics of one data file, collected from its rows (PROTOCOL.md, Per-file Statistics); see `Collector`."""

    def to_json(self) -> str:
        """Returns the statistics as JSON for `Add.stats`."""
        return to_json(self.num_records, self.columns)


def to_json(
    num_records: int, columns: dict[Path, Bounds], variants: Mapping[Path, tuple[str, str]] = MappingProxyType({})
) -> str:
    """Returns the JSON of a file's statistics: numRecords, minValues, maxValues and nullCount.

    ``variants`` has the bounds of variant columns, as JSON.
    """
    low: dict[Path, str] = {}
    high: dict[Path, str] = {}
    nulls: dict[Path, str] = {}
    for path, bounds in columns.items():
        if path in variants:
            low[path], high[path] = variants[path]
        if bounds.null_count is not None:
            nulls[path] = str(bounds.null_count)
        if not bounds.bounded:
            continue
        if bounds.minimum is not None and (text := lower_text(bounds.minimum, bounds.type)) is not None:
            low[path] = text
        if bounds.maximum is not None and (text := upper_text(bounds.maximum, bounds.type)) is not None:
            high[path] = text
    return encode_statistics(num_records, low, high, nulls)


def indexed_columns(
    snapshot: Snapshot | None,
    schema: pa.Schema,
    given: tuple[str, ...] | None,
    properties: Mapping[str, str] | None = None,
) -> tuple[str, ...] | None:
    """Returns the columns with statistics in new files of a table; None for the first 32.

    They come from ``given`` or from the table's properties. Clustering columns are always
    among them (PROTOCOL.md, Clustered Table).

    Args:
        snapshot: the table; None for a new one.
        schema: Arrow schema of the data files.
        given: names of columns; None to use the table's properties.
        properties: properties that the table will have besides its own.
    """
    table = configured_by(snapshot, properties)
    every = [path for path, _ in leaves(schema)]
    if given is None and (named := STATISTICS_COLUMNS.of(table)) is not None:
        given = tuple(name for name in named if any(path[0] == name or is_below(path, name) for path in every))
    count = INDEXED_COLUMNS.of(table)
    wanted = [] if snapshot is None else _clustering_columns(snapshot)
    clustered = [".".join(path) for path in wanted if tuple(path) in every]
    if given is None:
        if count == DEFAULT_COLUMNS and not clustered:
            return None
        given = tuple(".".join(path) for path in (every if count < 0 else every[:count]))
    return tuple(dict.fromkeys([*given, *clustered]))


def physical_columns(schema: pa.Schema, columns: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Returns columns with statistics under their names in files of a mapped table; None for the first ones."""
    if columns is None:
        return None
    return tuple(".".join(physical_path(schema, path)) for path, _ in chosen(schema, columns))


def configured_by(snapshot: Snapshot | None, properties: Mapping[str, str] | None) -> Metadata:
    """Returns a table's metaData action with additional properties."""
    own = {} if snapshot is None else snapshot.metadata.configuration
    return Metadata("", "", configuration={**own, **(properties or {})})


def _clustering_columns(snapshot: Snapshot) -> list[list[str]]:
    domain = snapshot.domains.get(_CLUSTERING)
    return [] if domain is None else list(json.loads(domain.configuration).get("clusteringColumns", ()))
