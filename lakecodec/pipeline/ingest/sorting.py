"""Sort of rows by curve key in the task that writes them: a quarter less work than Spark's own sort."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from ...row import sort_indices
from .batches import Splitter

#: Bytes of Arrow data sorted at once; of larger tasks each part is in order by itself.
SORT_BYTES = 512 << 20
#: Rows of a sorted table given on at once.
_SLICE = 1 << 16


def z_sorted(tables: Iterable[pa.Table], key: str, splitter: Splitter) -> Iterator[pa.Table]:
    """Yields the rows sorted by partition and then by ``key``, in tables without that column.

    Up to 512 MiB of Arrow data are sorted at once; of more, each part is sorted by itself.
    """
    waiting: list[pa.Table] = []
    size = 0
    for table in tables:
        waiting.append(table)
        size += table.nbytes
        if size >= SORT_BYTES:
            yield from _sorted(waiting, key, splitter)
            size = 0
    if waiting:
        yield from _sorted(waiting, key, splitter)


def _sorted(waiting: list[pa.Table], key: str, splitter: Splitter) -> Iterator[pa.Table]:
    table = pa.concat_tables(waiting).combine_chunks()
    waiting.clear()
    codes = splitter.codes(table)
    names = [str(index) for index in range(len(codes) + 1)]
    keys = pa.table([*codes, table[key]], names=names)
    order = sort_indices(keys, [(name, "ascending") for name in names])
    rows = table.drop_columns([key])
    for start in range(0, len(order), _SLICE):
        yield rows.take(order.slice(start, _SLICE))
