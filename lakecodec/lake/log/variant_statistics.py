"""Statistics of variants in the log (PROTOCOL.md, Statistics for Variant Columns): bounds by path, as a variant in Z85."""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import pyarrow as pa

from ...generated.parquet import FileMetaData
from ...generated.variant import Metadata
from ...parquet.schema import leaf_paths, leaves
from ...parquet.variant_parts import is_all_null
from ...runtime.errors import DecodeError
from ...statistics.collected import Bounds
from ...statistics.columns import Path, has_bounds, is_text, next_text
from ...variant import Variant
from ...variant.build import metadata_of, object_of
from ...variant.unshredding import encoded
from .bounds import PREFIX_LENGTH
from .deletion_vectors import Z85_TO_B85
from .footer_statistics import chunk_bounds
from .vector_write import z85

_TIMES = timedelta(microseconds=999)


def normalized(steps: Iterable[str]) -> str:
    """Returns a path in the log's form (RFC 9535, Normalized Paths): ``$['a']['b']``."""
    return "$" + "".join(
        "['" + json.dumps(step, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'") + "']"
        for step in steps
    )


@lru_cache(maxsize=1024)
def bounds_of(text: str) -> dict[str, Any]:
    """Returns the lower or upper bounds by path; empty if the text is invalid."""
    try:
        data = base64.b85decode(text.translate(Z85_TO_B85))
        _, end = Metadata.read(data, 0)
        found = Variant(data[:end], data[end:]).to_python()
    except (ValueError, DecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def upper_bound(value: Any) -> Any:
    """Returns an upper bound, moved up for times, which other writers truncate to milliseconds."""
    return value + _TIMES if isinstance(value, datetime) and value.microsecond % 1000 == 0 else value


def shredded_bounds(
    metadata: FileMetaData, column: Path, kind: pa.DataType, with_nan: Collection[Path]
) -> tuple[str, str] | None:
    """Returns lower and upper bounds, as texts, of a column's fields that are shredded in all rows of a file.

    Args:
        metadata: the footer.
        column: path of the column.
        kind: type of the column in the file.
        with_nan: paths, below the column, of typed columns with NaN, which bounds do not include.
    """
    numbers = {path: number for number, path in enumerate(leaf_paths(metadata.schema))}
    elements = [element for _, element in leaves(metadata.schema)]
    groups = [group for group in metadata.row_groups if group.num_rows]
    sides: tuple[list[tuple[str, bytes]], list[tuple[str, bytes]]] = ([], [])
    for place, typed in _typed_columns(kind, ()):
        number, other = numbers[(*column, *place)], numbers.get((*column, *place[:-1], "value"))
        metas = [meta for group in groups if (meta := group.columns[number].meta_data) is not None]
        beside = [] if other is None else [group.columns[other].meta_data for group in groups]
        if not has_bounds(typed) or place in with_nan or len(metas) < len(groups) or not all(map(is_all_null, beside)):
            continue
        found = Bounds(typed)
        for meta in metas:
            each = chunk_bounds(meta, elements[number], typed)
            found.bounded &= each.bounded
            found.include(each.minimum, each.maximum)
        if not found.bounded or found.minimum is None:
            continue
        name = normalized(place[1::2])
        for side, value in zip(sides, _cut(found), strict=True):
            if value is not None:
                side.append((name, _encoded(value, typed)))
    return (_text(sides[0]), _text(sides[1])) if sides[0] else None


def _typed_columns(kind: Any, path: Path) -> Iterable[tuple[Path, pa.DataType]]:
    """Yields (path, type) of typed columns of scalars."""
    at = kind.get_field_index("typed_value") if pa.types.is_struct(kind) else -1
    typed = None if at < 0 else kind.field(at).type
    if typed is None or not pa.types.is_struct(typed):
        if typed is not None and not pa.types.is_nested(typed) and path:
            yield (*path, "typed_value"), typed
        return
    for number in range(typed.num_fields):
        field = typed.field(number)
        yield from _typed_columns(field.type, (*path, "typed_value", field.name))


def _cut(found: Bounds) -> tuple[Any, Any]:
    if not is_text(found.type):
        return found.minimum, found.maximum
    low, high = found.minimum[:PREFIX_LENGTH], found.maximum
    return low, high if len(high) <= PREFIX_LENGTH else next_text(high[:PREFIX_LENGTH])


def _encoded(value: Any, kind: pa.DataType) -> bytes:
    (made,) = encoded(pa.array([value], pa.int64() if pa.types.is_timestamp(kind) else kind).cast(kind))
    assert made is not None
    return made


def _text(side: list[tuple[str, bytes]]) -> str:
    data = metadata_of([name for name, _ in side]) + object_of(
        [(name, at, each) for at, (name, each) in enumerate(side)]
    )
    return json.dumps(z85(data + bytes(-len(data) % 4)))
