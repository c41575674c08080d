"""Summary of scanned rows: totals, and one summary a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.parquet.bounds import decode_value, logical_kind

if TYPE_CHECKING:
    from lakecodec.generated.parquet import SchemaElement


@dataclass(frozen=True)
class ColumnSummary:
    """One column over all files. Sizes are in bytes; ``nulls`` is None where a chunk does not count them.

    ``minimum`` and ``maximum`` are Python values as `lakecodec.parquet.bounds.decode_value` gives them, None where
    no chunk has any.
    """

    path: str
    type: str
    chunks: int
    values: int
    nulls: int | None
    compressed: int
    uncompressed: int
    minimum: Any
    maximum: Any

    @property
    def ratio(self) -> float:
        """Uncompressed over compressed size."""
        return _ratio(self)

    @property
    def null_share(self) -> float | None:
        """Nulls over values, from 0 to 1."""
        return None if self.nulls is None else self.nulls / self.values if self.values else 0.0


@dataclass(frozen=True)
class Summary:
    """A data set. ``broken`` maps the files that could not be read to the reason."""

    files: int
    row_groups: int
    rows: int
    columns: list[ColumnSummary]
    broken: dict[str, str]

    @property
    def chunks(self) -> int:
        return sum(column.chunks for column in self.columns)

    @property
    def compressed(self) -> int:
        return sum(column.compressed for column in self.columns)

    @property
    def uncompressed(self) -> int:
        return sum(column.uncompressed for column in self.columns)

    @property
    def ratio(self) -> float:
        """Uncompressed over compressed size."""
        return _ratio(self)


def summarise(chunks: pa.Table, leaves: Sequence[tuple[str, SchemaElement]]) -> Summary:
    """Summarise the rows of a metadata scan.

    Args:
        chunks: rows of `lakecodec.parquet.column_chunks` with its column ``error``.
        leaves: dotted path and schema element of the data set's columns, which give the statistics their types.
    """
    failed = chunks.filter(pc.is_valid(chunks["error"]))
    good = chunks.filter(pc.is_null(chunks["error"]))
    groups = good.group_by(["file", "row_group"], use_threads=False).aggregate([("num_rows", "max")])
    return Summary(
        files=pc.count_distinct(good["file"]).as_py(),
        row_groups=groups.num_rows,
        rows=pc.sum(groups["num_rows_max"]).as_py() or 0,
        columns=[_column(path, element, good.filter(pc.field("path") == path)) for path, element in leaves],
        broken={str(row["file"]): str(row["error"]) for row in failed.select(["file", "error"]).to_pylist()},
    )


def _column(path: str, element: SchemaElement, chunks: pa.Table) -> ColumnSummary:
    return ColumnSummary(
        path=path,
        type=(logical_kind(element)[0] or getattr(element.type, "name", str(element.type))).lower(),
        chunks=chunks.num_rows,
        values=_total(chunks["num_values"]),
        nulls=None if chunks["null_count"].null_count else _total(chunks["null_count"]),
        compressed=_total(chunks["total_compressed_size"]),
        uncompressed=_total(chunks["total_uncompressed_size"]),
        minimum=min(_values(chunks["min"], element), default=None),
        maximum=max(_values(chunks["max"], element), default=None),
    )


def _ratio(sizes: ColumnSummary | Summary) -> float:
    return sizes.uncompressed / sizes.compressed if sizes.compressed else 1.0


def _total(numbers: pa.ChunkedArray[Any]) -> int:
    return pc.sum(numbers).as_py() or 0


def _values(statistics: pa.ChunkedArray[Any], element: SchemaElement) -> list[Any]:
    """Values of one type, so that they compare; bytes of little-endian numbers would not."""
    return [decode_value(data, element) for data in statistics.to_pylist() if data is not None]
