"""Verification of Parquet files, as all formats are verified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..generated import parquet_file
from ..runtime.ranges import map_ranges
from ..runtime.source_types import SourceLike
from ..runtime.urls import arrow_filesystem_of, located
from ..verify.checks import FileChecks
from ..verify.files import verify_file
from .cross_checks import parquet_findings
from .regions import parquet_regions
from .sources import Source
from .value_checks import contradictions

if TYPE_CHECKING:
    from . import Problem


def _contradictions(path: str) -> Iterator[tuple[str, str]]:
    filesystem, inside = arrow_filesystem_of(path) if "://" in path else (None, path)
    for where, rule in contradictions(Source(inside, path, filesystem)):
        yield f"meta.{where}", rule


CHECKS = FileChecks(parquet_regions, _contradictions, parquet_findings)


def verify(
    source: SourceLike,
    *,
    deep: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> list[Problem]:
    """Returns the rules of the format that a Parquet file breaks; empty for a sound one.

    Checked are the footer, counts and sizes of column chunks against their pages, page indexes against pages, bloom filters,
    ranges that overlap or leave the file, and checksums where pages have them. `Problem` is another name of the workbench's
    `Finding`, with ``kind``, ``file``, ``path``, ``offset``, ``rule`` and ``is_error``, which is False for what
    the format allows, such as bytes that nothing explains.

    Args:
        source: a path or URL, the bytes of a whole file, or a seekable binary file object.
        deep: decode all values too, and compare with them what statistics and page indexes say, of nested columns as
            well, and some with Bloom filters; of paths and URLs only.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`.

    Raises:
        OSError: the file cannot be read.
    """
    (source,) = located(storage_options, source)
    with map_ranges(source) as reader:
        return verify_file(reader, parquet_file.File, CHECKS, source if deep else None)
