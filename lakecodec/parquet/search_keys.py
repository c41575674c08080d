"""Values that are looked for in a column: in its order, and plainly encoded."""

from __future__ import annotations

import struct
from typing import Any
from uuid import UUID

from ..generated.parquet import Type
from .leaf_types import LeafType


def search_key(leaf: LeafType, value: Any) -> Any:
    """Returns a value as something that compares in the column's order: bytes, int, float, bool or Decimal.

    Raises:
        ValueError: the column's type has no such value.
    """
    import pyarrow as pa

    if isinstance(value, UUID):
        value = value.bytes
    kind = pa.binary(16) if leaf.arrow == pa.uuid() else leaf.arrow
    try:
        scalar: Any = pa.scalar(value, kind)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"value: {value!r} is no {leaf.arrow}: {error}") from None
    if pa.types.is_temporal(kind):
        return scalar.value
    found = scalar.as_py()
    return found.encode("utf-8") if isinstance(found, str) else found


def bound_key(leaf: LeafType, raw: bytes | None) -> Any:
    """Returns an encoded bound as `search_key` gives values, None if it is unknown."""
    import pyarrow as pa

    kind = leaf.arrow
    if raw is None or (leaf.kind[0] == "DECIMAL" and not pa.types.is_decimal(kind)):
        return None
    if leaf.is_text or kind == pa.uuid() or pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return bytes(raw)
    value = leaf.value(raw)
    # NaN bounds nothing: writers must not give it, and some do.
    return None if value is None or value != value else search_key(leaf, value)


def encodings(leaf: LeafType, value: Any) -> list[bytes] | None:
    """Returns the plain encodings that a value can have in a column, None if they are not known."""
    import pyarrow as pa

    key, element = search_key(leaf, value), leaf.element
    if key is None or key != key or not leaf.is_ordered or isinstance(key, bool):
        return None
    if isinstance(key, bytes):
        return None if leaf.kind[0] == "DECIMAL" else [key]
    if isinstance(key, float):
        letter = {Type.FLOAT: "<f", Type.DOUBLE: "<d"}.get(element.type, "<e")  # type: ignore[call-overload]
        return [struct.pack(letter, each) for each in ((0.0, -0.0) if key == 0 else (key,))]
    if pa.types.is_decimal(leaf.arrow):
        key = int(key.scaleb(leaf.kind[1])) if len(key.as_tuple().digits) <= 20 else None
    width = {Type.INT32: 4, Type.INT64: 8}.get(element.type)  # type: ignore[call-overload]
    if width is None or not isinstance(key, int):
        return None
    return [(key % (1 << 8 * width)).to_bytes(width, "little")]
