"""Statistics of row groups against the values of a file, as the check of tables compares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.fs

from ..lake.log.deep_check import row_group_lies
from ..lake.log.protocol import MOSAIC
from ..lake.log.statistics_read import FileStatistics
from ..mosaic import read_schema
from ..parquet.sources import Source
from ..parquet.value_checks import contradictions
from ..runtime.errors import CodecError
from ..runtime.urls import arrow_filesystem_of
from .findings import Finding, of_error


class _Files:
    """The storage interface that the check of a table's file needs."""

    def __init__(self, filesystem: Any) -> None:
        self.filesystem = filesystem


def value_findings(path: str, is_mosaic: bool, name: str) -> Iterator[Finding]:
    """Yields statistics that the values of a Parquet or Mosaic file contradict, and pages that cannot be decoded."""
    filesystem, inside = arrow_filesystem_of(path) if "://" in path else (pyarrow.fs.LocalFileSystem(), path)
    try:
        if is_mosaic:
            for message in row_group_lies(FileStatistics(), _Files(filesystem), inside, MOSAIC, read_schema(path)):  # type: ignore[arg-type]
                yield Finding("values", name, "", None, message)
        else:
            for where, message in contradictions(Source(inside, path, filesystem if "://" in path else None)):
                yield Finding("values", name, f"meta.{where}", None, message)
    except CodecError as error:
        yield of_error(error, name)
    except (OSError, pa.ArrowException) as problem:
        yield Finding("values", name, "", None, f"the values cannot be decoded: {problem}")
