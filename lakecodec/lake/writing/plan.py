"""Plan of a write: the request, resolved against the columns of the data and the existing table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ...delta import PartitionCodec
from ...runtime.arrow_variant import holds_variant
from ...statistics.collected import chosen
from ..files import file_format
from ..log import Log, SchemaMismatchError, Snapshot, check_fits, merged_schema, respelled, to_delta
from ..log.column_mapping import with_mapping
from ..log.column_rules import with_rules
from ..log.definition import check_feed
from ..log.properties import STATISTICS_COLUMNS, TARGET_FILE_SIZE, VARIANT_SHREDDING
from ..log.row_tracking import with_kept
from ..log.statistics import configured_by, indexed_columns
from .constraints import constraints_of
from .request import TARGET_FILE_BYTES, Order, Request
from .rows import Rows, check_given
from .task import WriteTask
from .zorder import has_z_order


@dataclass(frozen=True)
class WritePlan:
    """A validated write.

    Attributes:
        request: the arguments, with columns as the table spells them.
        log: the table's log.
        snapshot: the existing version; None without a table.
        schema: Arrow schema of the table after the commit, partition columns included.
        partition_by: names of the partition columns.
        format: format of the data files.
        codec: serializes partition values.
        kept: hidden columns of ``schema``: numbers and versions of rows.
    """

    request: Request
    log: Log
    snapshot: Snapshot | None
    schema: pa.Schema
    partition_by: tuple[str, ...]
    format: str
    codec: PartitionCodec
    kept: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A name that no column has, for the column of curve keys."""
        return free_name("key", self.schema.names)

    @property
    def file_schema(self) -> pa.Schema:
        """The Arrow schema of the data files: the table's without the partition columns."""
        return pa.schema([field for field in self.schema if field.name not in self.partition_by])

    def task(self, write_id: str, key: str | None, *, feed: bool = False) -> WriteTask:
        """Returns the write task of all tasks of the plan; see `WriteTask` for the arguments."""
        return WriteTask(
            target=self.log.path,
            write_id=write_id,
            format=self.format,
            schema=self.schema,
            codec=self.codec,
            key=key,
            max_rows_per_file=self.request.max_rows_per_file,
            target_file_bytes=target_bytes(self.request.target_file_bytes, self.snapshot, self.request.properties),
            stats_columns=self._indexed(),
            kept=self.kept,
            feed=feed,
            constraints=constraints_of(self.snapshot, self.schema),
            shredding=VARIANT_SHREDDING.of(configured_by(self.snapshot, self.request.properties)),
        )

    def _indexed(self) -> tuple[str, ...] | None:
        """Returns the table's columns with statistics; None for the first ones."""
        own = pa.schema([field for field in self.file_schema if field.name not in self.kept])
        found = indexed_columns(self.snapshot, own, self.request.stats_columns, self.request.properties)
        return tuple(".".join(path) for path, _ in chosen(own, None)) if found is None and self.kept else found


def plan_write(schema: pa.Schema, log: Log, snapshot: Snapshot | None, request: Request) -> WritePlan:
    """Returns the plan of a write after all checks that need no rows.

    Args:
        schema: Arrow schema of the data, of types that tables have, in the spelling of `spelled`.
        log: the table's log.
        snapshot: the existing version; None without a table.
        request: the arguments.

    Raises:
        TypeError, ValueError, KeyError, SchemaMismatchError: as `ingest`.
    """
    given = schema.names
    if snapshot is not None:
        schema = with_rules(schema, snapshot.schema, redefined=redefines(request))
    request = _resolved(request, schema.names)
    if snapshot is not None and not redefines(request):
        schema = _merged(schema, snapshot) if request.schema_mode == "merge" else _fitting(schema, snapshot)
    partition_by = _partition_by(request, snapshot, schema.names)
    check_order(request, schema, partition_by)
    format = _format(request, snapshot)
    schema = with_mapping(schema, configured_by(snapshot, request.properties).configuration)
    codec = PartitionCodec(schema, partition_by or None)
    file_schema = pa.schema([field for field in schema if field.name not in partition_by])
    chosen(file_schema, request.stats_columns, "stats_columns")
    chosen(file_schema, STATISTICS_COLUMNS.of(configured_by(None, request.properties)))
    check_feed(configured_by(snapshot, request.properties), schema.names)
    if snapshot is not None:
        check_given(schema, given)
    Rows(schema, partition_by).check_rules()
    _check_properties(request, snapshot)
    file_format(format).check_schema(file_schema)
    if request.replace_where is not None and not partition_by:
        raise ValueError("replace_where: the table has no partition columns")
    return WritePlan(request, log, snapshot, schema, partition_by, format, codec)


def plan_rewrite(snapshot: Snapshot, request: Request, kept: tuple[str, ...] = ()) -> WritePlan:
    """Returns the plan to write rows of a table, with the columns ``kept`` behind them, to new files of the same table."""
    schema = with_kept(snapshot.schema, kept)
    partition_by = tuple(snapshot.partition_columns)
    codec = PartitionCodec(snapshot.schema, partition_by or None)
    return WritePlan(request, snapshot.log, snapshot, schema, partition_by, snapshot.format, codec, kept)


def spelled(schema: pa.Schema, snapshot: Snapshot | None, request: Request) -> pa.Schema:
    """Returns the schema of the data in the spelling of the table's columns, unless the whole table is overwritten.

    Raises:
        SchemaMismatchError: no table can have a name or a type.
    """
    to_delta(schema)
    return schema if snapshot is None or redefines(request) else respelled(schema, snapshot.schema)


def target_bytes(given: int | None, snapshot: Snapshot | None, properties: Mapping[str, str] | None = None) -> int:
    """Returns the target size of files in bytes: the argument, the table's property, or 128 MiB."""
    return given or TARGET_FILE_SIZE.of(configured_by(snapshot, properties)) or TARGET_FILE_BYTES


def free_name(wanted: str, names: Iterable[str]) -> str:
    """Returns ``wanted`` with underscores appended until it differs from all ``names``, compared case-insensitively."""
    taken = {name.lower() for name in names}
    while wanted.lower() in taken:
        wanted += "_"
    return wanted


def has_map(kind: pa.DataType) -> bool:
    """Returns True if the type is or contains a map, which Spark neither compares nor hashes."""
    if not pa.types.is_nested(kind):
        return False
    return pa.types.is_map(kind) or any(has_map(kind.field(index).type) for index in range(kind.num_fields))


def _check_properties(request: Request, snapshot: Snapshot | None) -> None:
    """Raises ValueError for new properties of a table that keeps its rows."""
    if snapshot is None or redefines(request):
        return
    others = [name for name, text in request.properties.items() if snapshot.metadata.configuration.get(name) != text]
    if others:
        raise ValueError(f"properties: the table exists, set_properties changes its {', '.join(others)}")


def redefines(request: Request) -> bool:
    """Returns True if all of an existing table is replaced, so that its columns and partitions may change."""
    return request.mode == "overwrite" and request.replace_where is None


def _resolved(request: Request, names: Sequence[str]) -> Request:
    """Returns ``request`` with names of columns in the source's spelling."""
    return replace(
        request,
        partition_by=None
        if request.partition_by is None
        else resolve_names("partition_by", request.partition_by, names),
        sort_by=tuple(
            Order(name, order.descending)
            for name, order in zip(
                resolve_names("sort_by", [order.name for order in request.sort_by], names), request.sort_by, strict=True
            )
        ),
        zorder_by=resolve_names("zorder_by", request.zorder_by, names),
        hilbert_by=resolve_names("hilbert_by", request.hilbert_by, names),
    )


def resolve_names(argument: str, wanted: Iterable[str], names: Sequence[str], where: str = "source") -> tuple[str, ...]:
    """Returns ``wanted`` in the spelling of ``names``; an exact match wins over one that differs in case.

    Args:
        argument: name of the argument, for error messages.
        wanted: names as the user gave them.
        names: names of the existing columns.
        where: "source" or "table", for error messages.

    Raises:
        KeyError: an unknown name.
        ValueError: a column is given twice.
    """
    found = []
    for name in wanted:
        match = name if name in names else next((n for n in names if n.lower() == name.lower()), None)
        if match is None:
            raise KeyError(f"{argument}: {name!r} is not a column of the {where}, which has {', '.join(names)}")
        if match in found:
            raise ValueError(f"{argument}: {match!r} is given twice")
        found.append(match)
    return tuple(found)


def _fitting(schema: pa.Schema, snapshot: Snapshot) -> pa.Schema:
    """Returns the table's schema; raises SchemaMismatchError if the source's does not fit it."""
    check_fits(snapshot.schema, pa.schema([_nullable_as(field, snapshot.schema) for field in schema]), narrower=True)
    _check_partitions(schema, snapshot)
    return snapshot.schema


def _merged(schema: pa.Schema, snapshot: Snapshot) -> pa.Schema:
    """Returns the table's schema merged with the source's; raises SchemaMismatchError if they are incompatible."""
    found = merged_schema(snapshot.schema, schema)
    missing = [field.name for field in found if not field.nullable and field.name not in schema.names]
    if missing:
        raise SchemaMismatchError(f"the source lacks {', '.join(map(repr, missing))}, which must not be null", missing)
    _check_partitions(schema, snapshot)
    for name in snapshot.partition_columns:
        old, new = snapshot.schema.field(name).type, found.field(name).type
        if old != new:
            raise SchemaMismatchError(
                f"{name!r}: a partition column keeps its type, {old}; the source has {new}", [name]
            )
    return found


def _check_partitions(schema: pa.Schema, snapshot: Snapshot) -> None:
    missing = [name for name in snapshot.partition_columns if name not in schema.names]
    if missing:
        raise SchemaMismatchError(
            f"the source has no column for the partition columns {', '.join(map(repr, missing))}", missing
        )


def _nullable_as(field: pa.Field, table: pa.Schema) -> pa.Field:
    """Returns the field with the table's nullability: nulls are found, and refused, when rows are written."""
    index = table.get_field_index(field.name)
    return field if index < 0 else field.with_nullable(table.field(index).nullable)


def _partition_by(request: Request, snapshot: Snapshot | None, names: Sequence[str]) -> tuple[str, ...]:
    if snapshot is None:
        return request.partition_by or ()
    if redefines(request):
        return kept_partitions(snapshot, names) if request.partition_by is None else request.partition_by
    if request.partition_by and request.partition_by != tuple(snapshot.partition_columns):
        raise ValueError(
            f"partition_by: {', '.join(request.partition_by)} is requested, "
            f"but the table is partitioned by {', '.join(snapshot.partition_columns) or 'nothing'}"
        )
    return tuple(snapshot.partition_columns)


def kept_partitions(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """Returns the table's partition columns in the spelling of ``names``, for an overwrite that names none.

    Raises:
        SchemaMismatchError: ``names`` lacks one of them.
    """
    known = {name.lower(): name for name in names}
    missing = [name for name in snapshot.partition_columns if name.lower() not in known]
    if missing:
        raise SchemaMismatchError(
            f"the table is partitioned by {', '.join(map(repr, missing))}, which the source does not have; "
            "partition_by=() overwrites it without partitions",
            missing,
        )
    return tuple(known[name.lower()] for name in snapshot.partition_columns)


def check_order(request: Request, schema: pa.Schema, partition_by: tuple[str, ...]) -> None:
    """Checks the columns of ``sort_by``, ``zorder_by`` and ``hilbert_by`` of a request.

    Raises:
        ValueError: a column is a partition column, or rows cannot be ordered by its type.
    """
    orders = {"sort_by": [key.name for key in request.sort_by]}
    orders |= {"zorder_by": list(request.zorder_by), "hilbert_by": list(request.hilbert_by)}
    for argument, names in orders.items():
        for name in names:
            kind = schema.field(name).type
            if name in partition_by:
                raise ValueError(f"{argument}: {name!r} is a partition column, all rows of a file are equal in it")
            if has_map(kind) or holds_variant(kind) if argument == "sort_by" else not has_z_order(kind):
                raise ValueError(f"{argument}: a column of the type {kind} cannot be ordered by: {name!r}")


def _format(request: Request, snapshot: Snapshot | None) -> str:
    if snapshot is None or (redefines(request) and request.format is not None):
        return request.format or "parquet"
    if request.format not in (None, snapshot.format):
        raise ValueError(f"format: {request.format!r} is requested, but the table's files are {snapshot.format!r}")
    return snapshot.format
