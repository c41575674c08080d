"""Joins data files, or gives them indexes, without decoding a page. Each change is a version that changes no rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pyarrow as pa

from ...delta import encode_uri
from ...parquet import add_indexes, concat, read_metadata
from ...runtime.errors import CodecError
from ...statistics.columns import leaves
from ..log import Add, Log, Snapshot, Transaction, UnknownOutcomeError, footer_statistics
from ..log.actions import PARQUET
from ..log.column_mapping import physical_schema
from ..log.file_actions import NO_NAN
from ..log.properties import ROW_TRACKING
from ..log.statistics import indexed_columns, physical_columns
from ..writing.orphans import begin, delete_orphans
from ..writing.plan import target_bytes
from .cubes import CUBE, Candidate, packed

JOINED = "files are joined page by page"
INDEXED = "indexes are added to the footer, pages are copied"
#: Share of the target size below which a file is small.
_SMALL = 4


def small_files(snapshot: Snapshot) -> list[list[Add]]:
    """Returns groups of small files of one partition that can be one file of about the target's size."""
    if snapshot.format != PARQUET or ROW_TRACKING.of(snapshot.metadata):
        return []
    target = target_bytes(None, snapshot)
    found: dict[tuple[Any, ...], list[Candidate]] = {}
    for number, add in enumerate(snapshot.files):
        tags = add.tags or {}
        if add.size < target // _SMALL and add.deletion_vector is None and CUBE not in tags:
            key = tuple(sorted(add.partition_values.items()))
            found.setdefault(key, []).append(Candidate(number, add.size, tuple(add.partition_values.values()), tags))
    bins = [part for files in found.values() for part in packed(files, target)]
    return [[snapshot.files[file.number] for file in part] for part in bins if len(part) > 1]


def without_indexes(snapshot: Snapshot) -> Iterator[Add]:
    """Yields Parquet files whose footers lack the places of pages. Unreadable files are skipped; another check reports
    them."""
    storage = snapshot.log.storage
    for add in snapshot.files if snapshot.format == PARQUET else ():
        try:
            footer = read_metadata(storage.locate(add.path), filesystem=storage.filesystem)
        except (CodecError, OSError):
            continue
        if any(chunk.offset_index_offset is None for group in footer.row_groups for chunk in group.columns):
            yield add


def repacked(log: Log, snapshot: Snapshot, groups: Sequence[Sequence[Add]]) -> set[str]:
    """Writes each group of files as one file (a single file gets indexes), and returns the replaced files.

    Files of a group that do not have the same columns stay as they are.

    Raises:
        ConflictError: another commit removed some of the files.
    """
    write_id = begin(log.storage, is_table=True)
    try:
        transaction = Transaction(log, snapshot, "OPTIMIZE", parameters={"files": sum(map(len, groups))})
        gone: set[str] = set()
        for number, group in enumerate(groups):
            directory = group[0].file.rpartition("/")[0]
            name = f"part-{number:05d}-{write_id}-{uuid4().hex[:12]}.c000.parquet"
            made = _joined_file(snapshot, group, f"{directory}/{name}" if directory else name)
            if made is None:
                continue
            transaction.add(made)
            for add in group:
                transaction.remove(add, data_change=False)
                gone.add(add.file)
        if gone:
            transaction.depends_on(lambda values: False)
            transaction.commit()
        return gone
    except UnknownOutcomeError:
        raise
    except BaseException:
        delete_orphans(log, write_id, snapshot.version + 1)
        raise


def _joined_file(snapshot: Snapshot, group: Sequence[Add], file: str) -> Add | None:
    """Returns the add action of a new file with the pages of others; None if these cannot be joined."""
    storage = snapshot.log.storage
    sources, target = [storage.locate(add.path) for add in group], storage.path(file)
    path = encode_uri(file)
    if len(group) == 1:
        add_indexes(sources[0], target, filesystem=storage.filesystem)
        return _placed(snapshot, replace(group[0], path=path, data_change=False), target)
    try:
        concat(sources, target, filesystem=storage.filesystem)
    except ValueError:
        return None
    partitions = set(snapshot.partition_columns)
    own = pa.schema([field for field in snapshot.schema if field.name not in partitions])
    sure = all((add.tags or {}).get(NO_NAN) == "true" for add in group)
    stored = physical_schema(own)
    floats = {".".join(path) for path, kind in leaves(stored) if pa.types.is_floating(kind)} if sure else set()
    columns = physical_columns(own, indexed_columns(snapshot, own, None))
    footer = read_metadata(target, filesystem=storage.filesystem)
    stats = footer_statistics(footer, stored, columns, without_nan=floats)
    made = Add(path, group[0].partition_values, 0, 0, False, stats, {NO_NAN: "true"} if sure else None)
    return _placed(snapshot, made, target)


def _placed(snapshot: Snapshot, add: Add, target: str) -> Add:
    info = snapshot.log.storage.info(target)
    assert info is not None
    return replace(add, size=info.size, modification_time=int(info.modified.timestamp() * 1000))
