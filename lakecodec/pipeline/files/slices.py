"""Rows in slices that are small beside a row group, which ends with a slice."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

_SLICES_PER_ROW_GROUP = 4


def slices(data: pa.Table, row_group_bytes: int) -> Iterator[pa.Table]:
    """``data`` in slices, so that row groups of ``row_group_bytes`` of Arrow data end where they should."""
    most = row_group_bytes * data.num_rows // (_SLICES_PER_ROW_GROUP * max(1, data.nbytes))
    step = max(1, most)
    for start in range(0, data.num_rows, step):
        yield data.slice(start, step)
