"""Expiry of snapshots, and deletion of files that no snapshot has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from ..lake.log.errors import VersionNotFoundError
from ..runtime.exact import check_type
from ..runtime.urls import with_options
from .manifests import Partitions, identity, index_entries, read_list, read_manifest
from .paths import bucket_path, plain_name
from .schemas import TableSchema
from .table import PaimonTable, SnapshotInfo

#: Names of files that snapshots use; other files may belong to other programs.
_OURS = re.compile(
    r"(?:.*/)?(?:manifest/(?:index-)?manifest-.+|index/index-.+|bucket-(?:\d+|postpone)/(?:data|changelog|index)-.+)"
)


def expire_snapshots(
    path: str | os.PathLike[str],
    *,
    retain_last: int = 1,
    older_than: datetime | timedelta | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> list[int]:
    """Deletes old snapshots with the files that only they have, and returns the numbers of these snapshots.

    Files of tags, of branches and of the snapshots that stay are kept. Tags keep their own copy of a snapshot.

    Args:
        path: path or URL of the table.
        retain_last: number of the newest snapshots that stay in any case.
        older_than: only snapshots before this time, or of this age, are deleted; None for all.
        branch: name of the branch whose snapshots expire.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
        ValueError: ``retain_last`` is below 1.
    """
    if type(retain_last) is not int or retain_last < 1:
        raise ValueError(f"retain_last: at least 1 snapshot must stay (got {retain_last!r})")
    table = PaimonTable(with_options(path, storage_options), branch)
    schema = table.newest_schema()
    limit = _limit(older_than)
    expired = []
    for number in table.snapshot_ids()[:-retain_last]:
        snapshot = table.snapshot(number)
        if limit is not None and snapshot.timestamp >= limit:
            break
        expired.append(snapshot)
    if not expired:
        return []
    candidates = _files(table, schema, expired, deleted_too=True)
    # Delete snapshots first: readers of a snapshot without its files would fail.
    first = table.snapshot_ids()[len(expired)]
    table.storage.replace(f"{table.base}snapshot/EARLIEST", str(first).encode())
    for snapshot in expired:
        table.storage.delete(table.storage.path(table.snapshot_path(snapshot.id)))
    needed = _needed(table)
    for file in candidates - needed:
        with suppress(OSError):
            table.storage.delete(table.storage.path(file))
    return [snapshot.id for snapshot in expired]


def remove_orphans(
    path: str | os.PathLike[str],
    *,
    older_than: timedelta = timedelta(days=1),
    dry_run: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> list[str]:
    """Returns the files that no snapshot, tag or branch has, as sorted paths relative to the table; can delete them.

    Killed writers leave such files. Only files with the names of Paimon's writers are considered.

    Args:
        path: path or URL of the table.
        older_than: younger files are kept, since a writer may be about to commit them.
        dry_run: True to delete nothing.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
    """
    table = PaimonTable(with_options(path, storage_options))
    table.newest_schema()
    check_type("older_than", older_than, timedelta)
    limit = datetime.now(UTC) - older_than
    # List the files first: files of later commits are then known to be needed.
    listed = [info for info in table.storage.walk("", recursive=True) if _OURS.fullmatch(info.path)]
    needed = _needed(table)
    found = sorted(info.path for info in listed if info.path not in needed and info.modified <= limit)
    if not dry_run:
        for file in found:
            table.storage.delete(table.storage.path(file))
    return found


def _limit(older_than: datetime | timedelta | None) -> datetime | None:
    if isinstance(older_than, timedelta):
        return datetime.now(UTC) - older_than
    if older_than is not None and not isinstance(older_than, datetime):
        raise TypeError(f"older_than: a datetime or timedelta is needed, not {older_than!r}")
    return older_than if older_than is None or older_than.tzinfo else older_than.replace(tzinfo=UTC)


def _needed(table: PaimonTable) -> set[str]:
    """Returns the files of all snapshots, tags and branches."""
    found: set[str] = set()
    for name in (None, *table.branches()):
        each = PaimonTable(table.storage.name, name)
        if not each.schema_ids():
            continue
        snapshots = list(each.tags().values())
        for number in each.snapshot_ids():
            with suppress(VersionNotFoundError):  # the snapshot has expired meanwhile
                snapshots.append(each.snapshot(number))
        found |= _files(each, each.newest_schema(), snapshots)
    return found


def _files(
    table: PaimonTable, schema: TableSchema, snapshots: Iterable[SnapshotInfo], *, deleted_too: bool = False
) -> set[str]:
    """Returns the paths of all files of snapshots: data, manifests, indexes; ``deleted_too`` adds data that they delete."""
    found: set[str] = set()
    entries: dict[str, list[dict[str, Any]]] = {}
    partitions = Partitions(schema)
    for snapshot in snapshots:
        lists = [snapshot.base_list, snapshot.delta_list]
        if name := snapshot.fields.get("changelogManifestList"):
            lists.append(name)
        added: dict[tuple[Any, ...], str] = {}
        deleted: set[tuple[Any, ...]] = set()
        for each in lists:
            found.add(f"manifest/{each}")
            for manifest in read_list(table, each):
                name = manifest["_FILE_NAME"]
                found.add(f"manifest/{name}")
                if name not in entries:
                    entries[name] = read_manifest(table, name)
                for entry in entries[name]:
                    if entry["_KIND"] == 0:
                        added[identity(entry)] = partitions.path(entry)
                    else:
                        deleted.add(identity(entry))
        found |= {file for key, file in added.items() if deleted_too or key not in deleted}
        if snapshot.index_manifest is not None:
            found |= _indexes(table, schema, snapshot.index_manifest, partitions)
        if name := snapshot.fields.get("statistics"):
            found.add(f"statistics/{name}")
    return found


def _indexes(table: PaimonTable, schema: TableSchema, name: str, partitions: Partitions) -> set[str]:
    path = f"manifest/{plain_name(name, 'snapshot')}"
    found = {path}
    for entry in index_entries(table, path):
        file = plain_name(entry["_FILE_NAME"], path)
        folder = bucket_path(schema, partitions.values(entry["_PARTITION"]), entry["_BUCKET"])
        found |= {f"index/{file}", f"{folder}/{file}"}
    return found
