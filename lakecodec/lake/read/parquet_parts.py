"""Statistics of shredded parts of variants, from the footer of a Parquet file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from ...generated.parquet import FileMetaData, RowGroup
from ...parquet.schema import leaf_paths
from ...parquet.schema import leaves as parquet_leaves
from ...statistics.collected import Bounds
from ...variant.parts import PRESENCE, family, place_of
from ..log.footer_statistics import chunk_bounds
from ..log.variant_statistics import is_all_null
from .pruning import Known
from .variant_parts import WHOLE, Part

ToKnown = Callable[[Bounds, int], Known]


class PartColumns:
    """The columns that hold parts of variants in a file.

    Args:
        footer: of the file.
        schema: its Arrow schema.
        known: makes `Known` of bounds and a number of rows.
    """

    def __init__(self, footer: FileMetaData, schema: pa.Schema, known: ToKnown) -> None:
        self._numbers = {path: number for number, path in enumerate(leaf_paths(footer.schema))}
        self._elements = [element for _, element in parquet_leaves(footer.schema)]
        self._schema, self._known = schema, known

    def known(self, part: Part, group: RowGroup) -> Known | None:
        """Returns the statistics of a part in a row group; None where values may be left in ``value``."""
        kind: Any = pa.struct(list(self._schema))
        for name in part.column:
            at = kind.get_field_index(name) if pa.types.is_struct(kind) else -1
            if at < 0:
                return None
            kind = kind.field(at).type
        place = place_of(kind, part.steps)
        if place is None:
            return None
        here = (*part.column, *place.group)
        if not self._is_null(here, group):
            return None
        nothing = Known(nulls=group.num_rows, rows=group.num_rows)
        if place.typed is None:
            return nothing
        if pa.types.is_struct(place.typed):
            return Known(rows=group.num_rows) if part.type == PRESENCE else nothing
        return self._of_type(part.type, place.typed, self._numbers[(*here, "typed_value")], group, nothing)

    def _is_null(self, here: tuple[str, ...], group: RowGroup) -> bool:
        number = self._numbers.get((*here, "value"))
        if number is None:
            return True
        meta = group.columns[number].meta_data
        return is_all_null(meta)

    def _of_type(
        self, wanted: pa.DataType, typed: pa.DataType, number: int, group: RowGroup, nothing: Known
    ) -> Known | None:
        if wanted != PRESENCE and (
            family(typed) != family(wanted) or (wanted == WHOLE and pa.types.is_floating(typed))
        ):
            return nothing
        meta = group.columns[number].meta_data
        if meta is None:
            return None
        known = self._known(chunk_bounds(meta, self._elements[number], typed), group.num_rows)
        if wanted == PRESENCE:
            return Known(nulls=known.nulls, rows=known.rows)
        # Decimals that are no whole numbers are null as such.
        every = wanted != WHOLE or pa.types.is_integer(typed)
        nulls = known.nulls if every or known.no_value else None
        return Known(known.low, known.high, nulls, known.rows, with_nan=pa.types.is_floating(typed))
