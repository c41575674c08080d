"""Statistics of Mosaic files against their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ..statistics.stated import FileStatistics, row_group_lies
from .reader import MosaicFile


def row_groups_of(source: Any) -> Iterator[tuple[FileStatistics, Iterable[pa.RecordBatch]]]:
    """Yields what each row group of a file says of its columns, and its rows."""
    file = MosaicFile(source)
    for number, group in enumerate(file.metadata.row_groups):
        stated = FileStatistics(group.num_rows, {}, {}, {})
        for name, found in file.statistics(number).items():
            stated.null_count[(name,)] = found.null_count
            if found.has_min_max and found.min == found.min:  # NaN says nothing
                stated.min[(name,)], stated.max[(name,)] = found.min, found.max
        yield stated, file.iter_batches(row_groups=[number])


def contradictions(source: Any, schema: pa.Schema) -> Iterator[str]:
    """Yields the statistics that the values of a file contradict."""
    return row_group_lies(FileStatistics(), schema, row_groups_of(source))
