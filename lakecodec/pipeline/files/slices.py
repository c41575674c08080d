"""Slicing of rows, so that row groups end close to their target size."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

_SLICES_PER_ROW_GROUP = 4


def slices(data: pa.Table, row_group_bytes: int) -> Iterator[pa.Table]:
    """Yields ``data`` in slices of about a quarter of ``row_group_bytes`` of Arrow data, of one row at least."""
    most = row_group_bytes * data.num_rows // (_SLICES_PER_ROW_GROUP * max(1, data.nbytes))
    step = max(1, most)
    for start in range(0, data.num_rows, step):
        yield data.slice(start, step)
