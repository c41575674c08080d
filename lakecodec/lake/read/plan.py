"""Scan planning: resolves columns and predicate, and selects files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import pyarrow as pa

from ...delta import PartitionCodec, encode_uri
from ...runtime.arrow_variant import outward
from ...runtime.suggest import did_you_mean
from ..listing import FileEntry
from ..log import Log, Snapshot, UnsupportedTableError
from ..log.column_mapping import unmapped
from .bind import bind
from .parts import Counts, ScanFile
from .predicate import Bound, Tree, column_names, undecided
from .reader import TableReader
from .select import select_files
from .variant_parts import column_of_part, scan_field

#: The form of a comparison in messages.
_COMPARED = re.compile(r"`?(?P<name>\w+)`? (?P<sign>=|<=>|!=|<>|<=|>=|<|>) (?P<value>[\w.-]+|(?P<quoted>'[^']*'))")
_NUMBER = re.compile(r"-?[0-9.]+")


@dataclass(frozen=True)
class ScanPlan:
    """A planned scan.

    Attributes:
        path: path or URL of the table.
        version: version of the table; None for files without a log.
        format: format of the files.
        table: Arrow schema of the table.
        columns: names of the wanted columns, in the caller's order.
        predicate: bound predicate that excludes partitions, files, row groups and rows; None for all rows.
        partition_columns: names, in the table's order.
        files: files that can hold matching rows.
        files_total: number of files of the table.
        bytes_total: size of all files of the table in bytes.
        verify: True if checksums of pages are compared.
    """

    path: str
    version: int | None
    format: str
    table: pa.Schema
    columns: tuple[str, ...]
    predicate: Bound | None
    partition_columns: tuple[str, ...]
    files: list[ScanFile]
    files_total: int
    bytes_total: int
    verify: bool = False

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema of the wanted columns."""
        return outward(pa.schema([unmapped(self.table.field(name)) for name in self.columns]))

    @property
    def read_schema(self) -> pa.Schema:
        """The Arrow schema of the wanted columns, followed by those that only the predicate needs."""
        needed = [] if self.predicate is None else column_names(self.predicate)
        return pa.schema([scan_field(self.table, name) for name in dict.fromkeys((*self.columns, *needed))])

    @property
    def undecided(self) -> list[str]:
        """Texts of the parts of the predicate that exclude nothing."""
        return [] if self.predicate is None else undecided(self.predicate)

    def reader(
        self, counts: Counts | None = None, *, schema: pa.Schema | None = None, threads: bool = False
    ) -> TableReader:
        """Returns the reader of the files, in batches of `read_schema` or of the equivalent ``schema``."""
        return TableReader(
            path=self.path,
            format=self.format,
            table=_table_part(self.table, self.read_schema.names, self.partition_columns),
            schema=self.read_schema if schema is None else schema,
            partition_columns=self.partition_columns,
            predicate=self.predicate,
            threads=threads,
            verify=self.verify,
            counts=counts or Counts(),
        )


def open_table(path: Any, version: int | None = None, timestamp: datetime | str | None = None) -> Snapshot:
    """Returns a snapshot of the table at ``path``.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        LogError: the log is broken, or uses an unsupported feature.
    """
    return Log(path).snapshot(version, timestamp)


class Readable(Protocol):
    """The interface of a table that can be planned: a snapshot, or the changes of several versions."""

    @property
    def log(self) -> Log: ...
    @property
    def version(self) -> int: ...
    @property
    def format(self) -> str: ...
    @property
    def schema(self) -> pa.Schema: ...
    @property
    def partition_columns(self) -> tuple[str, ...]: ...
    def files_table(self) -> pa.Table: ...


def plan_table(
    snapshot: Readable,
    columns: Sequence[str] | None = None,
    tree: Tree | None = None,
    zone: str = "UTC",
    *,
    files: pa.Table | None = None,
    layout: Sequence[str] | None = None,
    verify: bool = False,
) -> ScanPlan:
    """Returns the plan of a scan of a snapshot, or of other ``files`` of its table; see `pipeline.scan` for the arguments.

    ``layout`` has the partition columns of these files, by default those of the snapshot.

    Raises:
        KeyError: an unknown column.
        TypeError, ValueError: a wrong argument.
        UnsupportedTableError: the table has no columns.
    """
    schema = snapshot.schema
    if not schema.names:
        raise UnsupportedTableError("the table has no columns, so that it has no rows to read")
    partition_columns = tuple(snapshot.partition_columns if layout is None else layout)
    part = _table_part(schema, (), partition_columns)
    codec = PartitionCodec(part, partition_columns or None)
    predicate = None if tree is None else bind(tree, schema, zone)
    every = snapshot.files_table() if files is None else files
    return ScanPlan(
        path=snapshot.log.path,
        version=snapshot.version,
        format=snapshot.format,
        table=schema,
        columns=chosen_columns(columns, schema.names),
        predicate=predicate,
        partition_columns=partition_columns,
        files=select_files(every, schema, codec, predicate),
        files_total=every.num_rows,
        bytes_total=sum(every["size"].to_pylist()),
        verify=verify,
    )


def plan_files(
    files: Sequence[FileEntry], format: str, schema: pa.Schema, columns: Sequence[str], tree: Tree | None, zone: str
) -> ScanPlan:
    """Returns the plan of a scan of files of one file system, none of which is skipped before its footer is read."""
    return ScanPlan(
        path=files[0].path if files else ".",
        version=None,
        format=format,
        table=schema,
        columns=chosen_columns(columns, schema.names),
        predicate=None if tree is None else bind(tree, schema, zone),
        partition_columns=(),
        files=[ScanFile(_encoded(file.path), file.size, None, ()) for file in files],
        files_total=len(files),
        bytes_total=sum(file.size for file in files),
    )


def chosen_columns(columns: Sequence[str] | None, names: Sequence[str]) -> tuple[str, ...]:
    """Returns ``columns`` in the table's spelling; None means all.

    Raises:
        KeyError: an unknown column.
        TypeError: it is not a list of names.
        ValueError: a column is named twice.
    """
    if columns is None:
        return tuple(names)
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        raise TypeError(f"columns: a list of names is needed, not {columns!r}")
    exact = set(names)
    folded: dict[str, str] = {}
    found: dict[str, None] = {}
    for name in columns:
        if not isinstance(name, str):
            raise TypeError(f"columns: a name is needed, not {name!r}")
        if name not in exact and not folded:
            folded = {name.lower(): name for name in reversed(names)}
        match = name if name in exact else folded.get(name.lower())
        if match is None:
            raise KeyError(f"columns: {name!r} is not a column of the table{did_you_mean(name, names)}")
        if match in found:
            raise ValueError(f"columns: {name!r} is named twice")
        found[match] = None
    return tuple(found)


def decided(plan: ScanPlan) -> ScanPlan:
    """Returns the plan itself if all of its predicate can be decided here.

    Raises:
        ValueError: the predicate has parts that only Spark can decide.
    """
    check_decided(plan.undecided, plan.table)
    return plan


def check_decided(parts: Sequence[str], table: pa.Schema) -> None:
    """Raises ValueError if there are parts of a predicate over ``table`` that only Spark can decide."""
    if not parts:
        return
    from .sql import not_understood

    for part in parts:
        if hint := _quoting_hint(part, table):
            raise ValueError(f"where: {hint}")
        if problem := not_understood(part):
            raise ValueError(
                f"where: {part!r} is {problem}; write it as in docs/read.md, or use pipeline.read, where Spark decides"
            )
    raise ValueError(f"where: only Spark can decide {', '.join(map(repr, parts))}; use pipeline.read")


def _quoting_hint(part: str, table: pa.Schema) -> str:
    """Returns the remedy for a comparison of a number with a text, or of text without quotes; empty if none is known."""
    if (found := _COMPARED.fullmatch(part)) is None or found["name"] not in table.names:
        return ""
    name, sign, value = found["name"], found["sign"], found["value"]
    kind = table.field(name).type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if found["quoted"] and (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        number = value[1:-1] if _NUMBER.fullmatch(value[1:-1]) else "1"
        return f"{name} is a number ({kind}), and {value} is a text: give a number without quotes, such as {name} {sign} {number}"
    if found["quoted"] or (not is_text and _NUMBER.fullmatch(value)):
        return ""
    if _NUMBER.fullmatch(value):
        return f"{name} is text, and {value} is a number: write {name} {sign} '{value}'"
    return "" if value in table.names else f"{value} is not quoted: write {name} {sign} '{value}'"


def _table_part(schema: pa.Schema, names: Iterable[str], partition_columns: Sequence[str]) -> pa.Schema:
    """Returns the named columns, the partition columns, and at least one other: tables may have thousands."""
    other = next(((name,) for name in schema.names if name not in partition_columns), ())
    needed = dict.fromkeys((*map(column_of_part, names), *partition_columns, *other))
    return pa.schema([schema.field(name) for name in needed])


def _encoded(path: str) -> str:
    scheme, separator, inside = path.rpartition("://")
    return f"{scheme}{separator}{encode_uri(inside)}"
