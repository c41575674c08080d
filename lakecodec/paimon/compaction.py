"""Compaction: small files, and files with deleted rows, are written anew as larger ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..lake.log.errors import ConflictError, UnknownOutcomeError
from ..lake.read.parts import FilePart
from ..lake.read.where import Where
from ..runtime.urls import with_options
from .commit import commit
from .data_write import COMPACTED, DataWriter, size_option
from .manifests import DataFile, Vector
from .reading import FileReader
from .scanning import plan
from .table import PaimonTable, SnapshotInfo

_TARGET = 256 << 20
#: The share of the target size from which a file is large enough.
_ENOUGH = 0.7


def compact(
    path: str | os.PathLike[str],
    *,
    where: Where | None = None,
    commit_user: str | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> SnapshotInfo | None:
    """Returns the snapshot in which small files of each partition and bucket are joined; None if there is nothing to do.

    Rows that deletion vectors delete are left out of the new files. Writers that append may go on meanwhile.

    Args:
        path: path or URL of the table.
        where: a predicate that chooses the files: those that can hold matching rows.
        commit_user: name of the writer in the snapshot.
        branch: name of a branch of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
        ConflictError: another writer has deleted one of the files; call it again.
    """
    table = PaimonTable(with_options(path, storage_options), branch)
    schema = table.newest_schema()
    found = plan(table, table.latest(), schema, None, where)
    target = size_option(schema, "target-file-size", _TARGET)
    writer = DataWriter(table, schema, COMPACTED)
    chosen = _chosen(found.files, found.vectors, int(target * _ENOUGH))
    if not chosen:
        return None
    reader = FileReader(table, schema, tuple(schema.arrow.names), None, found.vectors, verify=True)
    try:
        for files in chosen:
            for batch in reader.read(FilePart(file) for file in files):
                entry = files[0].entry
                writer.write_group(batch, entry["_PARTITION"], files[0].partition, entry["_BUCKET"])
        entries = writer.finish()
        gone = {file.name for files in chosen for file in files}

        def changes(latest: SnapshotInfo | None, files: list[DataFile]) -> tuple[list[DataFile], list[dict[str, Any]]]:
            now = [file for file in files if file.name in gone]
            if len(now) != len(gone) or _vectors_changed(table, latest, gone, found.vectors):
                raise ConflictError(
                    "another writer has deleted rows or files that were to be joined; call compact again"
                )
            return now, entries

        return commit(
            table, schema, "COMPACT", changes, needs_files=True, commit_user=commit_user, commit_identifier=None
        )
    except BaseException as error:
        if not isinstance(error, UnknownOutcomeError):
            writer.abort()
        raise


def _chosen(files: list[DataFile], vectors: Mapping[str, Vector], enough: int) -> list[list[DataFile]]:
    """Returns the files to join of each partition and bucket."""
    groups: dict[tuple[bytes, int], list[DataFile]] = {}
    for file in files:
        if file.size < enough or file.name in vectors:
            groups.setdefault((file.entry["_PARTITION"], file.bucket), []).append(file)
    return [group for group in groups.values() if len(group) > 1 or any(file.name in vectors for file in group)]


def _vectors_changed(
    table: PaimonTable, latest: SnapshotInfo | None, names: set[str], vectors: Mapping[str, Vector]
) -> bool:
    from .manifests import deletion_vectors

    if latest is None:
        return True
    now = deletion_vectors(table, table.newest_schema(), latest)
    return any(now.get(name) != vectors.get(name) for name in names)
