"""A table: its snapshots, tags, branches and schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from ..generated.paimon import SNAPSHOT_VERSION
from ..lake.log.errors import VersionNotFoundError
from ..lake.log.log import moment
from ..lake.log.names import LOG
from ..lake.log.storage import Storage
from ..runtime.errors import DecodeError
from ..runtime.parallel import readers
from ..runtime.short import More, ShortRepr
from ..runtime.urls import is_store
from .schemas import TableSchema, parse_json, parse_schema

_SNAPSHOT = re.compile(r"snapshot-([1-9]\d{0,18})")
_SCHEMA = re.compile(r"schema-(\d{1,19})")
_NAME = re.compile(r"[^/\\\0]+")
#: The optional fields of a snapshot file, with their types; absent fields stay absent.
_OPTIONAL = {
    "baseManifestListSize": int, "deltaManifestListSize": int, "indexManifest": str, "changelogManifestList": str,
    "watermark": int, "statistics": str, "nextRowId": int,
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class SnapshotInfo(ShortRepr):
    """A snapshot of a table.

    Attributes:
        id: its number, from 1 on.
        kind: ``APPEND``, ``OVERWRITE``, ``COMPACT`` or ``ANALYZE``.
        timestamp: time of the commit, in UTC.
        schema_id: the schema that it was written with.
        num_rows: number of rows of the table.
        num_rows_added: the difference to the number of rows of the snapshot before.
        commit_user, commit_identifier: of the commit.
        fields: all of the file's fields.
    """

    id: int
    kind: str
    timestamp: datetime
    schema_id: int
    num_rows: int
    num_rows_added: int
    commit_user: str
    commit_identifier: int
    base_list: str
    delta_list: str
    index_manifest: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        names = ("kind", "num_rows", "num_rows_added", "schema_id", "commit_user", "commit_identifier")
        when = ("timestamp", More(self.timestamp.isoformat(" ", "seconds")))
        return "SnapshotInfo", [("id", self.id), when, *((name, getattr(self, name)) for name in names)]


def parse_snapshot(data: bytes, path: str) -> SnapshotInfo:
    """Returns the snapshot, or tag, in a file.

    Raises:
        DecodeError: it is broken, or of a later version.
    """
    found = parse_json(data, path)
    try:
        if int(found.get("version") or 1) > SNAPSHOT_VERSION:
            raise DecodeError(f"version {found['version']} of snapshots is not known", format="paimon", path=path)
        for name, kind in _OPTIONAL.items():
            if found.get(name) is not None and not isinstance(found[name], kind):
                raise ValueError(f"{name} is {found[name]!r}")
        return SnapshotInfo(
            id=int(found["id"]),
            kind=str(found["commitKind"]),
            timestamp=datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(found["timeMillis"])),
            schema_id=int(found["schemaId"]),
            num_rows=int(found.get("totalRecordCount") or 0),
            num_rows_added=int(found.get("deltaRecordCount") or 0),
            commit_user=str(found["commitUser"]),
            commit_identifier=int(found["commitIdentifier"]),
            base_list=str(found["baseManifestList"]),
            delta_list=str(found["deltaManifestList"]),
            index_manifest=found.get("indexManifest"),
            fields=found,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, DecodeError):
            raise
        raise DecodeError(f"the snapshot is broken: {error!r}", format="paimon", path=path) from None


class PaimonTable:
    """A table at a path, or one of its branches.

    Args:
        path: path or URL of the table.
        branch: name of a branch, None for the main one.
    """

    def __init__(self, path: Any, branch: str | None = None) -> None:
        self.storage = Storage(path)
        self.name = self.storage.name
        if branch is not None and (not isinstance(branch, str) or not _NAME.fullmatch(branch)):
            raise ValueError(f"branch: {branch!r} is not a name of a branch")
        self.base = "" if branch in (None, "main") else f"branch/branch-{branch}/"
        self.branch = branch
        self._schemas: dict[int, TableSchema] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_schemas, (self.name, self.branch, self._schemas)

    def snapshot_path(self, number: int) -> str:
        """Returns the path of a snapshot, relative to the table."""
        return f"{self.base}snapshot/snapshot-{number}"

    def snapshot_ids(self) -> list[int]:
        """Returns the numbers of the snapshots that the table has, ascending."""
        found = map(_SNAPSHOT.fullmatch, self.storage.names(f"{self.base}snapshot"))
        return sorted(int(each[1]) for each in found if each)

    def snapshot(self, number: int) -> SnapshotInfo:
        """Returns a snapshot by its number.

        Raises:
            VersionNotFoundError: there is none.
        """
        path = self.snapshot_path(number)
        try:
            return parse_snapshot(self.storage.read(path), path)
        except FileNotFoundError:
            raise VersionNotFoundError(
                f"snapshot {number} of {self.name!r} does not exist; it may be expired"
            ) from None

    def latest(self) -> SnapshotInfo | None:
        """Returns the newest snapshot, None if there is none."""
        ids = self.snapshot_ids()
        return self.snapshot(ids[-1]) if ids else None

    def tag(self, name: str) -> SnapshotInfo:
        """Returns the snapshot that a tag keeps.

        Raises:
            VersionNotFoundError: there is no such tag.
        """
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f"tag: {name!r} is not a name of a tag")
        path = f"{self.base}tag/tag-{name}"
        try:
            return parse_snapshot(self.storage.read(path), path)
        except FileNotFoundError:
            raise VersionNotFoundError(f"tag: {name!r} is not a tag of {self.name!r}") from None

    def tags(self) -> dict[str, SnapshotInfo]:
        """Returns the tags and the snapshots that they keep."""
        names = sorted(name[4:] for name in self.storage.names(f"{self.base}tag") if name.startswith("tag-"))
        return {name: self.tag(name) for name in names}

    def branches(self) -> list[str]:
        """Returns the names of the branches beside the main one, sorted."""
        folders = {
            info.path.partition("/")[0] for info in self.storage.walk("branch", recursive=True) if "/" in info.path
        }
        return sorted(name[7:] for name in folders if name.startswith("branch-"))

    def at(self, snapshot: int | None, tag: str | None, timestamp: datetime | str | None) -> SnapshotInfo | None:
        """Returns the requested snapshot, by default the newest; None if the table has none at all.

        Raises:
            VersionNotFoundError: there is no such snapshot.
            ValueError: more than one of the arguments is given.
        """
        if sum(each is not None for each in (snapshot, tag, timestamp)) > 1:
            raise ValueError("snapshot, tag, timestamp: only one of them can be given")
        if tag is not None:
            return self.tag(tag)
        if snapshot is not None:
            if type(snapshot) is not int:
                raise TypeError(f"snapshot: a number is needed, not {snapshot!r}")
            return self.snapshot(snapshot)
        return self.latest() if timestamp is None else self._before(moment(timestamp))

    def state(
        self, snapshot: int | None, tag: str | None, timestamp: datetime | str | None
    ) -> tuple[SnapshotInfo | None, TableSchema]:
        """Returns the requested snapshot, see `at`, and the schema of its rows: by default the newest."""
        if snapshot is None and tag is None and timestamp is None:
            schema = readers().submit(self.newest_schema) if is_store(self.name) else None
            found = self.latest()
            return found, self.newest_schema() if schema is None else schema.result()
        found = self.at(snapshot, tag, timestamp)
        return found, self.newest_schema() if found is None else self.schema(found.schema_id)

    def _before(self, limit: datetime) -> SnapshotInfo:
        """Returns the newest snapshot up to a time, by bisection: times ascend with numbers."""
        ids = self.snapshot_ids()
        low, high, found = 0, len(ids), None
        while low < high:
            middle = (low + high) // 2
            each = self.snapshot(ids[middle])
            if each.timestamp <= limit:
                low, found = middle + 1, each
            else:
                high = middle
        if found is None:
            raise VersionNotFoundError(f"timestamp: no snapshot of {self.name!r} is as old as {limit.isoformat()}")
        return found

    def schema_ids(self) -> list[int]:
        """Returns the numbers of the schemas, ascending."""
        found = map(_SCHEMA.fullmatch, self.storage.names(f"{self.base}schema"))
        return sorted(int(each[1]) for each in found if each)

    def schema(self, number: int) -> TableSchema:
        """Returns a schema by its number.

        Raises:
            DecodeError: the schema is missing, although files or snapshots name it, or it is broken.
        """
        if number not in self._schemas:
            path = f"{self.base}schema/schema-{number}"
            try:
                self._schemas[number] = parse_schema(self.storage.read(path), path)
            except FileNotFoundError:
                raise DecodeError("the schema does not exist", format="paimon", path=path) from None
        return self._schemas[number]

    def newest_schema(self) -> TableSchema:
        """Returns the newest schema.

        Raises:
            VersionNotFoundError: there is no table.
        """
        ids = self.schema_ids()
        if not ids:
            raise VersionNotFoundError(f"there is no Paimon table at {self.name!r}")
        return self.schema(ids[-1])


def _with_schemas(path: str, branch: str | None, schemas: dict[int, TableSchema]) -> PaimonTable:
    """Returns a table with cached schemas, so that tasks of Spark do not read them again."""
    found = PaimonTable(path, branch)
    found._schemas.update(schemas)
    return found


def is_table(path: Any) -> bool:
    """Returns whether there is a Paimon table at a path or URL: it has schemas, and no log of Delta."""
    table = PaimonTable(path)
    return bool(table.schema_ids()) and not table.storage.names(LOG)


def snapshot_json(fields: Mapping[str, Any]) -> bytes:
    """Returns the bytes of a snapshot; fields that are None are left out."""
    return json.dumps({name: value for name, value in fields.items() if value is not None}, indent=2).encode()
