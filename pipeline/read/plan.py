"""Planning a scan: the version, the columns, and which files are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import pyarrow as pa

from ...delta import PartitionCodec
from ..log import Log, Snapshot
from .bind import bind
from .predicate import Bound, Tree, column_names, undecided
from .reader import Counts, TableReader
from .select import ScanFile, select_files


@dataclass(frozen=True)
class ScanPlan:
    """What a scan will read.

    Attributes:
        snapshot: the version of the table.
        columns: names of the wanted columns, in the order asked for.
        predicate: what excludes partitions, files, row groups and rows; None where nothing does.
        codec: of the partition values.
    """

    snapshot: Snapshot
    columns: tuple[str, ...]
    predicate: Bound | None
    codec: PartitionCodec

    @cached_property
    def files(self) -> list[ScanFile]:
        """The files that can hold matching rows."""
        return select_files(self.snapshot, self.codec, self.predicate)

    @property
    def schema(self) -> pa.Schema:
        """Of the wanted columns."""
        return pa.schema([self.snapshot.schema.field(name) for name in self.columns])

    @property
    def read_schema(self) -> pa.Schema:
        """Of the wanted columns, and those that the predicate looks at."""
        needed = [] if self.predicate is None else column_names(self.predicate)
        return pa.schema([self.snapshot.schema.field(name) for name in dict.fromkeys((*self.columns, *needed))])

    def reader(self, counts: Counts | None = None, *, schema: pa.Schema | None = None, threads: bool = False) -> TableReader:
        """What reads the files, in batches of `read_schema` or of an equivalent one."""
        return TableReader(
            path=self.snapshot.log.path,
            format=self.snapshot.format,
            table=self.snapshot.schema,
            schema=self.read_schema if schema is None else schema,
            codec=self.codec,
            predicate=self.predicate,
            threads=threads,
            counts=counts or Counts(),
        )

    @property
    def undecided(self) -> list[str]:
        """The parts of the predicate that exclude nothing."""
        return [] if self.predicate is None else undecided(self.predicate)


def open_table(path: Any, version: int | None = None, timestamp: datetime | str | None = None) -> Snapshot:
    """A version of the table at ``path``.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        LogError: the log is broken, or uses what cannot be read here.
    """
    return Log(path).snapshot(version, timestamp)


def make_plan(
    snapshot: Snapshot, columns: Sequence[str] | None = None, tree: Tree | None = None, zone: str = "UTC"
) -> ScanPlan:
    """The plan of a scan; see `pipeline.scan` for the arguments.

    Raises:
        KeyError: an unknown column.
        TypeError, ValueError: a wrong argument.
    """
    schema = snapshot.schema
    codec = PartitionCodec(schema, snapshot.partition_columns or None, column_mapping="none")
    predicate = None if tree is None else bind(tree, schema, zone)
    return ScanPlan(snapshot, chosen_columns(columns, schema.names), predicate, codec)


def chosen_columns(columns: Sequence[str] | None, names: Sequence[str]) -> tuple[str, ...]:
    """``columns`` as the table spells them; all where None is given."""
    if columns is None:
        return tuple(names)
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        raise TypeError(f"columns: a list of names is needed, not {columns!r}")
    exact = set(names)
    folded = {name.lower(): name for name in reversed(names)}
    found: dict[str, None] = {}
    for name in columns:
        if not isinstance(name, str):
            raise TypeError(f"columns: a name is needed, not {name!r}")
        match = name if name in exact else folded.get(name.lower())
        if match is None:
            raise KeyError(f"columns: {name!r} is not a column of the table")
        if match in found:
            raise ValueError(f"columns: {name!r} is named twice")
        found[match] = None
    return tuple(found)
