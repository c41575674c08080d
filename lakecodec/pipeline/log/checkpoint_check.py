"""Check of a checkpoint's values against the counts of its footer: damaged levels read as nulls, not as an error."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from ...generated.parquet import ColumnMetaData, FileMetaData
from ...parquet.schema import leaf_paths


def check_counts(rows: pa.Table, footer: FileMetaData) -> None:
    """Compares the rows, and the values of each plain field of the actions in them, with what the footer counts.

    Raises:
        pa.ArrowInvalid: they are not as many, or an action has no fields.
    """
    if rows.num_rows != footer.num_rows:
        raise pa.ArrowInvalid(f"{rows.num_rows} rows, but its footer counts {footer.num_rows}")
    chunks: dict[tuple[str, ...], list[ColumnMetaData]] = {}
    for group in footer.row_groups:
        for path, chunk in zip(leaf_paths(footer.schema), group.columns, strict=False):
            if chunk.meta_data is not None:
                chunks.setdefault(path, []).append(chunk.meta_data)
    for action in rows.column_names:
        if not pa.types.is_struct(rows[action].type):
            raise pa.ArrowInvalid(f"{action} is no struct")
        for field, values in zip(rows[action].type, rows[action].flatten(), strict=True):
            expected = _counted(chunks.get((action, field.name), ()))
            found = len(values) - values.null_count
            if expected is not None and found != expected:
                raise pa.ArrowInvalid(f"{found} values of {action}.{field.name}, but its footer counts {expected}")


def _counted(chunks: Iterable[ColumnMetaData]) -> int | None:
    """Returns the number of non-null values of a column by the footer; None where it does not tell."""
    total = None
    for chunk in chunks:
        if chunk.statistics is None or chunk.statistics.null_count is None:
            return None
        total = (total or 0) + chunk.num_values - chunk.statistics.null_count
    return total
