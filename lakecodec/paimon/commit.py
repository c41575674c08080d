"""Commits: manifests, and a snapshot that is made atomically or not at all, beside other writers."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

from ..generated import paimon
from ..generated.paimon import ADD, DELETE, MANIFEST_VERSION, SNAPSHOT_VERSION
from ..lake.log.atomic_write import check_put
from ..lake.log.errors import ConflictError, UnknownOutcomeError, VersionNotFoundError
from ..runtime import __version__
from .avro_write import schema_of, write_objects
from .binary_row import EMPTY, encode_row
from .data_write import entry_of
from .manifests import DataFile, data_files, index_entries, manifests_of
from .paths import plain_name
from .schemas import TableSchema
from .table import PaimonTable, SnapshotInfo, parse_snapshot, snapshot_json

_TRIES = 50
_LONGEST_WAIT = 1.0
#: The number of manifests from which they are merged.
_MANY_MANIFESTS = 30
#: The most entries per manifest.
_ENTRIES = 10_000
#: The identifier of commits outside of streams.
BATCH = 0x7FFF_FFFF_FFFF_FFFF

#: Returns the files to delete and the entries to add, given the newest snapshot, or None without one.
Changes = Callable[["SnapshotInfo | None", list[DataFile]], tuple[Iterable[DataFile], Sequence[Mapping[str, Any]]]]


def commit(
    table: PaimonTable,
    schema: TableSchema,
    kind: str,
    changes: Changes,
    *,
    needs_files: bool,
    commit_user: str | None,
    commit_identifier: int | None,
) -> SnapshotInfo:
    """Returns the snapshot that a change has made.

    Args:
        table: the table.
        schema: the schema of the new files.
        kind: ``APPEND``, ``OVERWRITE`` or ``COMPACT``.
        changes: is called with the newest snapshot and its files, again after another writer's commit.
        needs_files: True if ``changes`` looks at the files.
        commit_user: name of the writer; a new name by default.
        commit_identifier: number of the commit: repeating one of the same user does nothing.

    Raises:
        ConflictError: files that the change deletes are gone, or other writers were faster too often.
        UnknownOutcomeError: the storage does not tell whether the snapshot was made.
        CommitRefusedError: the file system cannot create files atomically.
    """
    user = commit_user or str(uuid4())
    check_put(table.storage.filesystem, table.storage.path(f"{table.base}snapshot"))
    checked = 0
    for attempt in range(_TRIES):
        latest = table.latest()
        if commit_identifier is not None:
            if found := _already_committed(table, user, commit_identifier, kind, latest, checked):
                return found
            checked = 0 if latest is None else latest.id
        made = _AttemptFiles(table, schema, kind, latest)
        try:
            files = data_files(table, schema, made.manifests) if needs_files and latest is not None else []
            deleted, added = changes(latest, files)
            snapshot = made.snapshot(
                list(deleted), added, user, BATCH if commit_identifier is None else commit_identifier
            )
            if _put(table, snapshot):
                with suppress(OSError):
                    table.storage.replace(f"{table.base}snapshot/LATEST", str(snapshot["id"]).encode())
                return parse_snapshot(snapshot_json(snapshot), table.snapshot_path(snapshot["id"]))
        except UnknownOutcomeError:
            raise
        except BaseException:
            made.clean()
            raise
        made.clean()
        time.sleep(random.uniform(0, min(_LONGEST_WAIT, 0.01 * 2**attempt)))
    raise ConflictError(f"other writers of {table.name!r} were faster {_TRIES} times; repeat the commit")


def _put(table: PaimonTable, snapshot: Mapping[str, Any]) -> bool:
    """Creates a snapshot; returns False if another writer has made one with this number."""
    path = table.snapshot_path(snapshot["id"])
    try:
        table.storage.put_if_absent(path, snapshot_json(snapshot))
    except FileExistsError:
        # A store may report an error although it created the file, and a client may have sent the request twice.
        return _is_ours(table, snapshot)
    except OSError as error:
        with suppress(OSError):
            if _is_ours(table, snapshot):
                return True
        message = f"the storage does not tell whether snapshot {snapshot['id']} was made: {error}"
        raise UnknownOutcomeError(message, snapshot["commitUser"], snapshot["id"]) from error
    return True


def _is_ours(table: PaimonTable, snapshot: Mapping[str, Any]) -> bool:
    with suppress(VersionNotFoundError):
        return bool(table.snapshot(snapshot["id"]).fields.get("uuid") == snapshot["uuid"])
    return False


def _already_committed(
    table: PaimonTable, user: str, identifier: int, kind: str, latest: SnapshotInfo | None, checked: int
) -> SnapshotInfo | None:
    """Returns the snapshot of a commit that was made before; those up to ``checked`` need no check."""
    for number in reversed(table.snapshot_ids()):
        if latest is None or number <= checked:
            return None
        with suppress(VersionNotFoundError):
            found = table.snapshot(number)
            if (found.commit_user, found.commit_identifier, found.kind) == (user, identifier, kind):
                return found
    return None


class _AttemptFiles:
    """The files of one attempt to commit.

    Attributes:
        manifests: the manifests of the newest snapshot.
    """

    def __init__(self, table: PaimonTable, schema: TableSchema, kind: str, latest: SnapshotInfo | None) -> None:
        self._table, self._schema, self._kind, self._latest = table, schema, kind, latest
        self._names: list[str] = []
        self.manifests = [] if latest is None else manifests_of(table, latest)

    def snapshot(
        self, deleted: list[DataFile], added: Sequence[Mapping[str, Any]], user: str, identifier: int
    ) -> dict[str, Any]:
        """Writes manifests and their lists, and returns the fields of the snapshot."""
        latest = self._latest
        entries = [self._deletion(file) for file in deleted]
        delta = self._list(self._manifests([*entries, *added]))
        base = self._list(self._merged() if len(self.manifests) >= _MANY_MANIFESTS else self.manifests)
        rows = sum(each["_FILE"]["_ROW_COUNT"] for each in added) - sum(file.rows for file in deleted)
        before = {} if latest is None else latest.fields
        now = int(time.time() * 1000)
        return {
            "version": SNAPSHOT_VERSION,
            "id": 1 if latest is None else latest.id + 1,
            "schemaId": self._schema.id,
            "baseManifestList": base[0],
            "baseManifestListSize": base[1],
            "deltaManifestList": delta[0],
            "deltaManifestListSize": delta[1],
            "changelogManifestList": None,
            "indexManifest": self._index(deleted),
            "commitUser": user,
            "commitIdentifier": identifier,
            "commitKind": self._kind,
            "timeMillis": max(now, int(before.get("timeMillis", 0))),
            "totalRecordCount": (0 if latest is None else latest.num_rows) + rows,
            "deltaRecordCount": rows,
            "watermark": before.get("watermark"),
            "nextRowId": before.get("nextRowId"),
            "uuid": str(uuid4()),
            "writerVersion": f"lakecodec-{__version__}",
        }

    def clean(self) -> None:
        """Deletes the files of a commit that was not made."""
        for name in self._names:
            with suppress(OSError):
                self._table.storage.delete(self._table.storage.path(f"manifest/{name}"))
        self._names.clear()

    def _deletion(self, file: DataFile) -> dict[str, Any]:
        entry = file.entry
        return entry_of(DELETE, entry["_PARTITION"], entry["_BUCKET"], entry["_TOTAL_BUCKETS"], entry["_FILE"])

    def _manifests(self, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Writes entries as manifests, and returns their entries of a manifest list."""
        made = []
        for start in range(0, len(entries), _ENTRIES):
            part = entries[start : start + _ENTRIES]
            name = f"manifest-{uuid4()}-0"
            size = self._write(name, write_objects(schema_of(paimon.MANIFEST_ENTRY), part))
            added = sum(each["_KIND"] == ADD for each in part)
            buckets = [each["_BUCKET"] for each in part]
            levels = [each["_FILE"]["_LEVEL"] for each in part]
            made.append(
                {
                    "_VERSION": MANIFEST_VERSION,
                    "_FILE_NAME": name,
                    "_FILE_SIZE": size,
                    "_NUM_ADDED_FILES": added,
                    "_NUM_DELETED_FILES": len(part) - added,
                    "_PARTITION_STATS": self._partition_stats({each["_PARTITION"] for each in part}),
                    "_SCHEMA_ID": self._schema.id,
                    "_MIN_BUCKET": min(buckets),
                    "_MAX_BUCKET": max(buckets),
                    "_MIN_LEVEL": min(levels),
                    "_MAX_LEVEL": max(levels),
                }
            )
        return made

    def _partition_stats(self, partitions: set[bytes]) -> dict[str, Any]:
        from .binary_row import decode_plain

        kinds = self._schema.partition_kinds
        if not kinds:
            return {"_MIN_VALUES": EMPTY, "_MAX_VALUES": EMPTY, "_NULL_COUNTS": []}
        columns = list(zip(*(decode_plain(each, kinds) for each in partitions), strict=True))
        known = [[value for value in column if value is not None and value == value] for column in columns]
        low, high = ([least(values) if values else None for values in known] for least in (min, max))
        nulls = [sum(value is None for value in column) for column in columns]
        return {"_MIN_VALUES": encode_row(low, kinds), "_MAX_VALUES": encode_row(high, kinds), "_NULL_COUNTS": nulls}

    def _merged(self) -> list[dict[str, Any]]:
        """Returns one manifest, or a few, of the existing files."""
        files = data_files(self._table, self._schema, self.manifests)
        return self._manifests([file.entry for file in files])

    def _list(self, manifests: Sequence[Mapping[str, Any]]) -> tuple[str, int]:
        name = f"manifest-list-{uuid4()}-0"
        return name, self._write(name, write_objects(schema_of(paimon.MANIFEST_FILE), manifests))

    def _index(self, deleted: Sequence[DataFile]) -> str | None:
        """Returns the index manifest without the vectors of files that are deleted."""
        if self._latest is None or self._latest.index_manifest is None or not deleted:
            return None if self._latest is None else self._latest.index_manifest
        path = f"manifest/{plain_name(self._latest.index_manifest, 'snapshot')}"
        entries = index_entries(self._table, path)
        gone = {file.name for file in deleted}
        kept = [entry for entry in entries if not _covered(entry, gone)]
        if len(kept) == len(entries):
            return self._latest.index_manifest
        if not kept:
            return None
        name = f"index-manifest-{uuid4()}-0"
        self._write(name, write_objects(schema_of(paimon.INDEX_ENTRY), kept))
        return name

    def _write(self, name: str, data: bytes) -> int:
        self._names.append(name)
        self._table.storage.replace(f"manifest/{name}", data)
        return len(data)


def _covered(entry: Mapping[str, Any], gone: set[str]) -> bool:
    """Returns True if all vectors of an index file are of files that are gone."""
    ranges = entry.get("_DELETIONS_VECTORS_RANGES") or []
    return bool(ranges) and all(each["f0"] in gone for each in ranges)
