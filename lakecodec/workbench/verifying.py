"""Verification of files of any declared format, and of tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..runtime.exact import check_function
from ..runtime.ranges import map_ranges
from ..runtime.urls import below, is_directory, located
from ..verify.files import verify_file
from ..verify.finding import Finding
from ..verify.tracking import Track, no_progress
from .sources import checks_of, type_of


def verify(
    source: Any,
    type: Any = None,
    *,
    idl: Any = None,
    allow_extern: Iterable[str] = (),
    deep: bool = False,
    track: Track = no_progress,
    storage_options: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Returns the rules that a file or table breaks, and the bytes that no field explains. Empty without findings.

    Files are checked against all rules of their declaration; parts that the metadata points to must be inside the file and
    must not overlap. Parquet: sizes and counts of chunks against their pages, page indexes against pages, checksums where
    pages have them. Mosaic: all buckets. A directory with a Delta log: the log against its files.

    Args:
        source: a path, URL, bytes-like or binary file object; or the path of a table.
        type: as for `explore`.
        idl: as for `explore`.
        allow_extern: as for `explore`.
        deep: decode all values too, and compare statistics with them.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`.
        track: a progress display, called with the parts and their name; yields the parts.

    Raises:
        ValueError: no type is given and the format is not recognised.
        OSError: the source cannot be read.
        TypeError: an argument is of another type.
    """
    if track is not no_progress:
        check_function("track", track, (), "")
    (source,) = located(storage_options, source)
    if isinstance(source, str | os.PathLike) and is_directory(path := os.fspath(source)):
        return _of_table(path, deep)
    with map_ranges(source) as reader:
        cls = type_of(reader, type, idl, allow_extern=allow_extern)
        return verify_file(reader, cls, checks_of(cls), source if deep else None, track)


def _of_table(path: str, deep: bool) -> list[Finding]:
    """Returns the findings of the check of a table."""
    from ..lake.log.check import check

    if not is_directory(below(path, "_delta_log")):
        raise ValueError(f"source: the directory {path!r} is not a table: it has no _delta_log")
    return [
        Finding("note" if each.kind == "orphaned" else "table", path, each.path, None, each.message)
        for each in check(path, deep=deep)
    ]
