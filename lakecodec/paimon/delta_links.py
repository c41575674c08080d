"""A Paimon table as a Delta table: data files are linked if they suffice, else rows are rewritten."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import pyarrow as pa

from ..delta import PartitionCodec, encode_uri
from ..lake.changes.write import write
from ..lake.log import Add, CommitInfo, Log, Transaction, from_delta, to_delta
from ..lake.log.names import LOG
from ..lake.log.statistics import to_json
from ..lake.log.storage import table_path
from ..statistics.collected import Bounds
from ..statistics.columns import has_bounds
from .binary_row import decode_row, is_storable, plain
from .manifests import DataFile
from .reading import stored_columns
from .scanning import PaimonScan


def delta_of(scan: PaimonScan, target: str | os.PathLike[str]) -> CommitInfo:
    """Returns the first version of a Delta table of the rows of a scan of all rows; see `paimon.convert`."""
    format = _common_format(scan)
    log = Log(table_path(target, "target"))
    if log.exists():
        raise FileExistsError(f"target: there is a table at {log.path!r}")
    if format is None or scan.table.storage.local is None or log.storage.local is None or not _says_all(scan):
        kind: Literal["mosaic", "parquet"] = (
            "mosaic" if scan.schema.options.get("file.format") == "mosaic" else "parquet"
        )
        by = list(scan.schema.partition_keys)
        return write(
            replace(scan, verify=True).reader(), target, mode="error", partition_by=by, format=kind, progress=False
        )
    schema, keys = _delta_schema(scan.arrow), scan.schema.partition_keys
    transaction = Transaction(log, None, "CONVERT", parameters={"numFiles": len(scan.files), "partitionedBy": keys})
    transaction.set_schema(schema, keys, format)
    codec = PartitionCodec(schema, keys or None, column_mapping="none")
    made: list[str] = []
    try:
        for file in scan.files:
            values = dict(zip(keys, file.partition, strict=True))
            folder = codec.directory(values) if keys else ""
            path = f"{folder}/{uuid4()}.{format}".lstrip("/")
            there = log.storage.path(path)
            made.append(there)
            link(scan.table.storage.path(file.path), there)
            texts = codec.serialize(values) if keys else {}
            modified = int(Path(there).stat().st_mtime * 1000)
            transaction.add(Add(encode_uri(path), texts, file.size, modified, stats=_statistics(scan, file)))
        os.makedirs(os.path.join(log.storage.root, LOG), exist_ok=True)
        return transaction.commit()
    except BaseException:
        for path in made:
            with suppress(OSError):
                os.unlink(path)
        raise


def link(here: str, there: str) -> None:
    """Links a file into another table, or copies it if that is on another disk."""
    os.makedirs(os.path.dirname(there), exist_ok=True)
    try:
        os.link(here, there)
    except OSError:
        shutil.copyfile(here, there)


def _delta_schema(schema: pa.Schema) -> pa.Schema:
    return from_delta(to_delta(schema))


def _common_format(scan: PaimonScan) -> Literal["mosaic", "parquet"] | None:
    """Returns the format of all files; None if they have several, or one that Delta tables do not have."""
    found = {file.format for file in scan.files} or {scan.schema.options.get("file.format", "parquet")}
    return "mosaic" if found == {"mosaic"} else "parquet" if found == {"parquet"} else None


def _says_all(scan: PaimonScan) -> bool:
    """Returns True if the data files hold the rows under the names and in the types of the columns."""
    if scan.schema.primary_keys or any(file.name in scan.vectors or "://" in file.path for file in scan.files):
        return False
    try:
        schema = _delta_schema(scan.arrow)
    except ValueError:
        return False  # writing the rows reports the unsupported type
    if any(one.type != other.type for one, other in zip(schema, scan.arrow, strict=True)):
        return False
    return all(_is_plain(scan, written, names) for written, names in {_layout(file) for file in scan.files})


def _layout(file: DataFile) -> tuple[int, tuple[str, ...] | None]:
    names = file.fields.get("_WRITE_COLS")
    return file.schema_id, None if names is None else tuple(names)


def _is_plain(scan: PaimonScan, schema_id: int, names: Sequence[str] | None) -> bool:
    """Returns whether files of an older schema have the columns under their names of now, or not at all."""
    there = {column.name: column for column in stored_columns(scan.table.schema(schema_id), names)}
    return all(
        column.name not in there
        or (there[column.name].id, there[column.name].json_type) == (column.id, column.json_type)
        for column in scan.schema.columns
        if column.name not in scan.schema.partition_keys
    ) and not {column.id for column in there.values()} & {
        column.id for column in scan.schema.columns if column.name not in there
    }


def _statistics(scan: PaimonScan, file: DataFile) -> str:
    """Returns the statistics of a file as the log of a Delta table has them."""
    written, stats = scan.table.schema(file.schema_id), file.fields["_VALUE_STATS"]
    names = file.fields.get("_VALUE_STATS_COLS")
    if names is None:
        names = [column.name for column in stored_columns(written, file.fields.get("_WRITE_COLS"))]
    kinds = [written.by_name[name].type if name in written.by_name else None for name in names]
    kinds = [kind if kind is not None and is_storable(kind) else None for kind in kinds]
    if not names or not stats["_MIN_VALUES"]:
        return to_json(file.rows, {})
    low, high = (decode_row(stats[name], kinds, file.path) for name in ("_MIN_VALUES", "_MAX_VALUES"))
    nulls = stats.get("_NULL_COUNTS") or [None] * len(names)
    found: dict[tuple[str, ...], Any] = {}
    for name, kind, *known in zip(names, kinds, low, high, nulls, strict=True):
        if name in scan.schema.by_name and name not in scan.schema.partition_keys and kind is not None:
            found[name,] = _bounds(kind, *known)
    return to_json(file.rows, found)


def _bounds(kind: Any, low: Any, high: Any, nulls: int | None) -> Bounds:
    """Returns the bounds of a column; floats have no maximum, since Paimon's writers ignore NaN."""
    if not has_bounds(kind):
        return Bounds(kind, null_count=nulls, bounded=False)
    if not pa.types.is_decimal(kind):
        low, high = (plain(pa.array([each], kind))[0] for each in (low, high))
    return Bounds(kind, low, None if pa.types.is_floating(kind) else high, nulls)
