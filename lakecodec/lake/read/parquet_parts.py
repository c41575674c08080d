"""Statistics of shredded parts of variants, from the footer of a Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from ...generated.parquet import FileMetaData, RowGroup, SchemaElement
from ...parquet.leaf_types import LeafType
from ...parquet.schema import dotted_paths
from ...parquet.variant_parts import PartLeaves, children, is_all_null, is_variant, part_leaves
from ...statistics.collected import Bounds
from ...variant.parts import PRESENCE, family
from ..log.footer_statistics import chunk_bounds
from .pruning import Known
from .variant_parts import WHOLE, Part

ToKnown = Callable[[Bounds, int], Known]


#: The end of the dotted path of what a part of a variant has beside its own column, and of that column.
_REST, _OWN = ".value", ".typed_value"


def is_rest(name: str) -> bool:
    """Returns True if a dotted path can be that of values of a part which have no column of their own."""
    return name.endswith(_REST)


def filled_parts(footer: FileMetaData, names: Sequence[str], row_groups: Sequence[int]) -> list[str]:
    """Returns the columns to read from row groups: all but the rests of parts that have only nulls there."""
    places = {path: at for at, path in enumerate(dotted_paths(footer.schema))}
    empty = {
        name
        for name in names
        if is_rest(name)
        and name.removesuffix(_REST) + _OWN in names
        and name in places
        and all(is_all_null(footer.row_groups[group].columns[places[name]].meta_data) for group in row_groups)
    }
    return [name for name in names if name not in empty]


class PartColumns:
    """The columns in a file that hold parts of variants.

    Args:
        footer: footer of the file.
        known: makes a `Known` from bounds and a number of rows.
    """

    def __init__(self, footer: FileMetaData, known: ToKnown) -> None:
        self._schema, self._known = footer.schema, known
        self._found: dict[Part, PartLeaves | None] = {}

    def known(self, part: Part, group: RowGroup) -> Known | None:
        """Returns the statistics of a part in a row group; None if ``value`` may have values of it, too."""
        if part not in self._found:
            self._found[part] = self._leaves(part)
        place = self._found[part]
        if place is None or (place.others is not None and not is_all_null(group.columns[place.others].meta_data)):
            return None
        nothing = Known(nulls=group.num_rows, rows=group.num_rows)
        if place.is_object:
            return Known(rows=group.num_rows) if part.type == PRESENCE else nothing
        return nothing if place.typed is None else self._of_type(part.type, *place.typed, group, nothing)

    def _leaves(self, part: Part) -> PartLeaves | None:
        at = 0
        for name in part.column:
            found = children(self._schema, at).get(name)
            if found is None:
                return None
            at = found
        return part_leaves(self._schema, at, part.steps) if is_variant(self._schema, at) else None

    def _of_type(
        self, wanted: pa.DataType, number: int, element: SchemaElement, group: RowGroup, nothing: Known
    ) -> Known | None:
        typed: Any = LeafType(element).arrow
        if wanted != PRESENCE and family(typed) != family(wanted):
            return nothing
        meta = group.columns[number].meta_data
        if meta is None:
            return None
        known = self._known(chunk_bounds(meta, element, typed), group.num_rows)
        if wanted == PRESENCE:
            return Known(nulls=known.nulls, rows=known.rows)
        # Decimals and floats with a fraction are null when read as whole numbers.
        every = wanted != WHOLE or pa.types.is_integer(typed)
        nulls = known.nulls if every or known.no_value else None
        return Known(known.low, known.high, nulls, known.rows, with_nan=pa.types.is_floating(typed))
