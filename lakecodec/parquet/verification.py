"""Verification of Parquet files, as the workbench does it for all formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..generated import parquet_file
from ..runtime.source_types import SourceLike
from ..runtime.urls import located

if TYPE_CHECKING:
    from . import Problem


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
    from ..workbench.verifying import verify as verify_file

    return verify_file(source, parquet_file.File, deep=deep)
