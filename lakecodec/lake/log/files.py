"""Data files of a snapshot as an Arrow table. A file becomes an object only on access."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...delta import decode_uri
from ...delta.paths import plain_path
from .file_actions import Add, num_records

_TEXTS = pa.map_(pa.string(), pa.string())

#: One row per file with the fields of `Add`; deletion vectors are JSON.
FILES = pa.schema(
    {
        "path": pa.string(),
        "partition_values": _TEXTS,
        "size": pa.int64(),
        "modification_time": pa.int64(),
        "stats": pa.string(),
        "tags": _TEXTS,
        "deletion_vector": pa.string(),
        "clustering_provider": pa.string(),
        "base_row_id": pa.int64(),
        "default_row_commit_version": pa.int64(),
    }
)

_SCHEME = "file:"

#: Matches only at the start, where writers put the number of rows: a later match might be a column of this name.
_NUM_RECORDS = r'^\s*\{\s*"numRecords"\s*:\s*(?P<rows>\d{1,18})\s*[,}]'


def files_of(adds: Iterable[Add]) -> pa.Table:
    """Returns add actions as a table of the schema `FILES`; deletion vectors are JSON."""
    rows = list(adds)
    columns: list[Any] = [
        [add.path for add in rows],
        [list(add.partition_values.items()) for add in rows],
        [add.size for add in rows],
        [add.modification_time for add in rows],
        [add.stats for add in rows],
        [None if add.tags is None else list(add.tags.items()) for add in rows],
        [None if add.deletion_vector is None else json.dumps(add.deletion_vector) for add in rows],
        [add.clustering_provider for add in rows],
        [add.base_row_id for add in rows],
        [add.default_row_commit_version for add in rows],
    ]
    return pa.table([pa.array(values, field.type) for values, field in zip(columns, FILES, strict=True)], schema=FILES)


def adds_of(files: pa.Table) -> Iterator[Add]:
    """Yields the add actions of a table made by `files_of`, with ``data_change`` True."""
    for batch in files.to_batches(max_chunksize=65536):
        columns = [column.to_pylist() for column in batch.select(FILES.names).columns]
        for path, values, size, modified, stats, tags, vector, *others in zip(*columns, strict=True):
            yield Add(
                path,
                dict(values or ()),
                size,
                modified,
                True,
                stats,
                None if tags is None else dict(tags),
                None if vector is None else json.loads(vector),
                *others,
            )


def identity(path: str) -> str:
    """Returns the URI-decoded path for comparing files, since writers encode different characters.

    Absolute paths with and without the scheme ``file:`` are equal, and so are paths with and without ``.`` as a part.
    """
    if path.startswith(_SCHEME):
        path = f"/{path[len(_SCHEME) :].lstrip('/')}"
    return plain_path(decode_uri(path) if "%" in path else path)


def without(files: pa.Table, identities: Iterable[str]) -> pa.Table:
    """Returns ``files`` without those whose `identity` is in ``identities``."""
    gone = set(identities)
    if not gone or not files.num_rows:
        return files
    paths = files["path"]
    drop = pc.is_in(paths, pa.array(list(gone), pa.string()))
    encoded = np.flatnonzero(pc.match_substring_regex(paths, rf"%|^{_SCHEME}|(^|/)\.{{0,2}}/").to_numpy())
    if len(encoded):
        keys = [identity(path) in gone for path in paths.take(pa.array(encoded)).to_pylist()]
        mask = drop.to_numpy().copy()
        mask[encoded] = keys
        drop = pa.array(mask)
    return files.filter(pc.invert(drop))


def with_details(files: pa.Table) -> pa.Table:
    """Returns ``files`` with ``file`` (string, the decoded path) and ``num_records`` (int64, null if unknown) appended."""
    return files.append_column("file", _decoded(files["path"])).append_column("num_records", _rows(files["stats"]))


def _decoded(paths: Any) -> Any:
    if not pc.any(pc.match_substring(paths, "%"), min_count=0).as_py():
        return paths
    return pa.array([identity(path) for path in paths.to_pylist()], pa.string())


def _rows(stats: Any) -> Any:
    found = pc.struct_field(pc.extract_regex(stats, _NUM_RECORDS), "rows")
    rows = pc.cast(found, pa.int64())
    unclear = np.flatnonzero(pc.and_(pc.is_valid(stats), pc.is_null(rows)).to_numpy())
    if not len(unclear):
        return rows
    texts = stats.take(pa.array(unclear)).to_pylist()
    values = rows.to_pylist()
    for position, text in zip(unclear, texts, strict=True):
        values[position] = num_records(text)
    return pa.array(values, pa.int64())
