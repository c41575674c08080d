"""Order of the rows of a local write: by partition, and within it by sort columns or along a curve, in bounded memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pyarrow as pa

from ...row.external import sort_batches
from ...runtime.arrow_nested import no_rows
from .batches import Splitter
from .plan import WritePlan, free_name
from .zorder import ZOrder

#: The number of sampled rows from which a curve is made.
_SAMPLE = 1 << 15


def arranged(
    plan: WritePlan, batches: Iterable[pa.RecordBatch], memory_limit: int, halvings: tuple[int, ...] = ()
) -> Iterator[pa.RecordBatch]:
    """Yields rows in the order of the plan's request; see `is_arranged`.

    Args:
        plan: the write.
        batches: rows in the table's schema.
        memory_limit: memory for rows and their keys in bytes; more rows are sorted in temporary files.
        halvings: halvings of the request's curve, see `ZOrder`.
    """
    keys: list[Any] = []
    for name in plan.partition_by:
        keys.append((name, "ascending", "at_start"))
    extra: list[tuple[str, Any]] = []
    floats = [name for name in plan.partition_by if pa.types.is_floating(plan.schema.field(name).type)]
    splitter = Splitter(plan.schema, plan.codec)
    with ExitStack() as stack:
        if floats:
            # 0.0 and -0.0 are equal, but have different directories.
            text = free_name("text", plan.schema.names)
            extra.append((text, lambda rows: _text(splitter, rows)))
            keys.append((text, "ascending", "at_start"))
        if plan.request.curve is not None:
            batches, order = _sampled(stack, plan, batches, halvings)
            extra.append((plan.key, lambda rows: _curve_keys(order, plan, rows)))
            keys.append((plan.key, "ascending", "at_start"))
        for key in plan.request.sort_by:
            keys.append((key.name, *(("descending", "at_end") if key.descending else ("ascending", "at_start"))))
        rows = _with_columns(batches, extra, plan.schema)
        for batch in sort_batches(rows, keys, memory_limit=memory_limit):
            yield batch.select(plan.schema.names)


def is_arranged(plan: WritePlan) -> bool:
    """Returns True if rows are put into an order before they are written."""
    return bool(plan.partition_by or plan.request.sort_by or plan.request.curve)


def _with_columns(
    batches: Iterable[pa.RecordBatch], extra: list[tuple[str, Any]], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    found = False
    for batch in batches:
        found = True
        yield _extended(batch, extra)
    if not found:
        yield _extended(no_rows(schema), extra)


def _extended(batch: pa.RecordBatch, extra: list[tuple[str, Any]]) -> pa.RecordBatch:
    columns = [(name, make(batch)) for name, make in extra]
    return pa.RecordBatch.from_arrays(
        [*batch.columns, *(column for _, column in columns)],
        schema=pa.schema([*batch.schema, *(pa.field(name, column.type) for name, column in columns)]),
    )


def _text(splitter: Splitter, batch: pa.RecordBatch) -> Any:
    """Returns the serialized partition values of each row, joined."""
    texts = splitter.texts(pa.Table.from_batches([batch]))
    parts = [[part if part is not None else "\0" for part in array.to_pylist()] for array in texts]
    return pa.array(["\1".join(row) for row in zip(*parts, strict=True)], pa.string())


def _curve_keys(order: ZOrder, plan: WritePlan, batch: pa.RecordBatch) -> Any:
    return order.keys([batch.column(name) for name in plan.request.curve_by]).cast(pa.binary())


def _sampled(
    stack: ExitStack, plan: WritePlan, batches: Iterable[pa.RecordBatch], halvings: tuple[int, ...]
) -> tuple[Iterator[pa.RecordBatch], ZOrder]:
    """Returns the rows, read back from a temporary file, and the curve over quantiles of a sample."""
    random = np.random.default_rng(42)
    schema = pa.schema([pa.field(name, plan.schema.field(name).type) for name in plan.request.curve_by])
    kept = schema.empty_table()
    seen = 0
    directory = stack.enter_context(tempfile.TemporaryDirectory())
    path = f"{directory}/rows.arrow"
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, plan.schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)
            # Every row so far is in the sample with the same probability.
            share = min(1.0, _SAMPLE / max(1, seen + batch.num_rows))
            chosen = np.flatnonzero(random.random(batch.num_rows) < share)
            part = pa.table([batch.column(name).take(pa.array(chosen)) for name in schema.names], schema)
            stays = np.flatnonzero(random.random(kept.num_rows) < seen / max(1, seen + batch.num_rows))
            old = kept if seen + batch.num_rows <= _SAMPLE else kept.take(pa.array(stays))
            kept = pa.concat_tables([old, part])
            seen += batch.num_rows
    columns = [column.combine_chunks() for column in kept.columns]
    columns = [column.chunk(0) if isinstance(column, pa.ChunkedArray) else column for column in columns]
    groups = pa.array(np.zeros(kept.num_rows, np.int64))
    order = ZOrder.of(groups, columns, 1, plan.request.curve or "zorder", halvings)
    return _read(path), order


def _read(path: str) -> Iterator[pa.RecordBatch]:
    # Not mapped: pages of a mapped file would count as memory of this process.
    with pa.OSFile(path) as source:
        reader = pa.ipc.open_file(source)
        for index in range(reader.num_record_batches):
            yield reader.get_batch(index)
