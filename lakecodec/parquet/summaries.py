"""Statistics of pages or column chunks joined to those of the whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from ..generated.parquet import BoundaryOrder, ColumnMetaData, SizeStatistics, Statistics
from .leaf_types import LeafType
from .search_keys import bound_key


class Summary(NamedTuple):
    """The statistics of a page, by the names that `ColumnMetaData` has."""

    num_values: int
    statistics: Statistics | None
    size_statistics: SizeStatistics | None


#: A page or a column chunk.
Part: TypeAlias = Summary | ColumnMetaData


def joined_statistics(leaf: LeafType, parts: Sequence[Part]) -> Statistics | None:
    """Returns the statistics of all values of some parts of a column, None if nothing is known of them."""
    found = [part.statistics or Statistics() for part in parts]
    joined = Statistics(null_count=_sum(each.null_count for each in found))
    if leaf.is_real:
        joined.nan_count = _sum(each.nan_count for each in found)
    # Parts without a value that has an order do not affect the bounds.
    valued = [
        each
        for each, part in zip(found, parts, strict=True)
        if each.null_count is None or each.null_count + (each.nan_count or 0) < part.num_values
    ]
    if valued and leaf.is_ordered and leaf.has_order:
        joined.min_value, joined.is_min_value_exact = _bound(
            leaf, [(each.min_value, each.is_min_value_exact) for each in valued], 1
        )
        joined.max_value, joined.is_max_value_exact = _bound(
            leaf, [(each.max_value, each.is_max_value_exact) for each in valued], -1
        )
    if valued and leaf.is_ordered and has_deprecated(leaf):
        if all((each.min, each.max) == (each.min_value, each.max_value) for each in valued):
            joined.min, joined.max = joined.min_value, joined.max_value
        else:
            joined.min, _ = _bound(leaf, [(each.min, None) for each in valued], 1)
            joined.max, _ = _bound(leaf, [(each.max, None) for each in valued], -1)
    return None if joined == Statistics() else joined


def completed(said: Statistics, found: Statistics, leaf: LeafType) -> Statistics:
    """Returns statistics, with missing fields filled in from computed ones of the same values."""
    made = copy(said)
    made.null_count = found.null_count if said.null_count is None else said.null_count
    made.nan_count = found.nan_count if said.nan_count is None else said.nan_count
    for end in ("min", "max"):
        flag, name = f"is_{end}_value_exact", f"{end}_value"
        if getattr(said, name) is None:
            setattr(made, name, getattr(found, name))
            setattr(made, flag, getattr(found, flag))
            continue
        bounds = [bound_key(leaf, getattr(each, name)) for each in (said, found)]
        if getattr(said, flag) is None and None not in bounds and leaf.is_ordered and leaf.order == "TYPE_ORDER":
            setattr(made, flag, bounds[0] == bounds[1])
    return made


def is_complete(said: Statistics | None, leaf: LeafType, num_values: int) -> bool:
    """Returns whether statistics of a column chunk have all fields that its values can have."""
    if said is None or said.null_count is None or (leaf.is_real and said.nan_count is None):
        return False
    if not (leaf.is_ordered and leaf.has_order) or said.null_count + (said.nan_count or 0) >= num_values:
        return True
    bounds = (said.min_value, said.is_min_value_exact), (said.max_value, said.is_max_value_exact)
    return all(bound is not None and (exact is not None or leaf.order != "TYPE_ORDER") for bound, exact in bounds)


def joined_sizes(parts: Sequence[Part]) -> SizeStatistics | None:
    """Returns the size statistics of some parts of a column, None where one has none."""
    found = [part.size_statistics for part in parts if part.size_statistics is not None]
    if len(found) < len(parts):
        return None
    joined = SizeStatistics(
        unencoded_byte_array_data_bytes=_sum(each.unencoded_byte_array_data_bytes for each in found),
        repetition_level_histogram=_sums([each.repetition_level_histogram for each in found]),
        definition_level_histogram=_sums([each.definition_level_histogram for each in found]),
    )
    return None if joined == SizeStatistics() else joined


def boundary_order(
    leaf: LeafType, nulls: Sequence[bool], minima: Sequence[Any], maxima: Sequence[Any]
) -> BoundaryOrder:
    """Returns the order that the bounds of pages follow."""
    if not (leaf.is_ordered and leaf.has_order) or all(nulls):
        return BoundaryOrder.UNORDERED
    sides = [
        [bound_key(leaf, raw) for raw, is_null in zip(side, nulls, strict=True) if not is_null]
        for side in (minima, maxima)
    ]
    if any(key is None for side in sides for key in side):
        return BoundaryOrder.UNORDERED
    for order, step in ((BoundaryOrder.ASCENDING, 1), (BoundaryOrder.DESCENDING, -1)):
        if all(one <= two for side in sides for one, two in zip(side[::step], side[::step][1:], strict=False)):
            return order
    return BoundaryOrder.UNORDERED


def has_deprecated(leaf: LeafType) -> bool:
    """Returns whether writers give the deprecated bounds too: those of types that compare as signed numbers."""
    return leaf.trusts_deprecated or leaf.kind[0] in ("DECIMAL", "FLOAT16")


def _bound(leaf: LeafType, bounds: list[tuple[Any, bool | None]], sign: int) -> tuple[Any, bool | None]:
    """Returns the least encoded bound, or the greatest where ``sign`` is -1, and whether it is exact; None if unknown."""
    keys = [bound_key(leaf, raw) for raw, _ in bounds]
    if any(key is None for key in keys):
        return None, None
    choose: Any = min if sign > 0 else max
    # Both zeros compare as equal, but the negative one is the smaller bound.
    at: int = choose(range(len(keys)), key=lambda at: _total(keys[at]))
    return bounds[at]


def _total(key: Any) -> Any:
    return (key, math.copysign(1, key)) if isinstance(key, float) else key


def _sum(numbers: Iterable[int | None]) -> int | None:
    """Returns the sum of numbers, None where one is unknown."""
    found = list(numbers)
    known = [each for each in found if each is not None]
    return sum(known) if known and len(known) == len(found) else None


def _sums(lists: Sequence[list[int] | None]) -> list[int] | None:
    """Returns the sums of histograms by level, None where one is unknown or another has more levels."""
    known = [each for each in lists if each is not None]
    if len(known) < len(lists) or len({len(each) for each in known}) != 1:
        return None
    return [sum(column) for column in zip(*known, strict=True)]
