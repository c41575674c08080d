"""Bounds of leaf columns of several types as Arrow columns that other libraries can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .leaf_types import LeafType

if TYPE_CHECKING:
    import pyarrow as pa

#: The most decimal digits that polars and DuckDB read.
_MOST_DIGITS = 38


def union_columns(leaves: list[LeafType], ends: dict[str, list[Any]]) -> dict[str, pa.Array]:
    """Returns one column per end, of the type that all leaf columns share, or a dense union of their types."""
    return {end: _union(leaves, values) for end, values in ends.items()}


def plain_columns(leaves: list[LeafType], ends: dict[str, list[Any]]) -> dict[str, pa.Array]:
    """Returns one column per end, and for leaf columns of several types one more per end and family of types.

    Args:
        leaves: the type of each row.
        ends: values as `LeafType.value` gives them, by the names ``min`` and ``max``.
    """
    import pyarrow as pa

    rows: dict[str, list[int]] = {}
    for number, leaf in enumerate(leaves):
        rows.setdefault(str(leaf.arrow), []).append(number)
    if len(rows) == 1:
        shared = leaves[0].arrow
        if shared == pa.float16():
            # DuckDB reads no float16.
            return {end: leaves[0].array(values).cast(pa.float32()) for end, values in ends.items()}
        if shared != pa.time64("ns") and _common([shared]) is not None:
            return {end: leaves[0].array(values) for end, values in ends.items()}
    found = {end: _texts(leaves, values) for end, values in ends.items()}
    families: dict[str, list[list[int]]] = {}
    for numbers in rows.values():
        families.setdefault(_family(leaves[numbers[0]].arrow), []).append(numbers)
    for family, groups in families.items():
        kind = _common([leaves[numbers[0]].arrow for numbers in groups])
        if kind is None:
            continue
        for end, values in ends.items():
            parts = [_cast(leaves[each[0]].array([values[n] for n in each]), kind) for each in groups]
            places: list[int | None] = [None] * len(leaves)
            for position, number in enumerate(n for each in groups for n in each):
                places[number] = position
            found[f"{end}_{family}"] = pa.concat_arrays(parts).take(pa.array(places, pa.int64()))
    return found


def _family(kind: pa.DataType) -> str:
    """Returns the name of the family of an Arrow type; values of one family can be compared."""
    import pyarrow as pa

    types = pa.types
    if types.is_timestamp(kind):
        return "timestamp" if kind.tz is None else "timestamp_utc"
    tests = {
        "bool": types.is_boolean, "integer": types.is_integer, "real": types.is_floating, "decimal": types.is_decimal,
        "string": types.is_string, "date": types.is_date, "time": types.is_time,
    }  # fmt: skip
    return next((name for name, is_member in tests.items() if is_member(kind)), "binary")


def _common(kinds: list[pa.DataType]) -> pa.DataType | None:
    """Returns a type for the values of one family of types; None if only text can hold them."""
    import pyarrow as pa

    first, family = kinds[0], _family(kinds[0])
    if family == "decimal":
        scale = max(kind.scale for kind in kinds)
        digits = max(kind.precision - kind.scale for kind in kinds) + scale
        return pa.decimal128(digits, scale) if digits <= _MOST_DIGITS else None
    if family == "integer":
        if pa.uint64() not in kinds:
            return pa.int64()
        return pa.uint64() if all(map(pa.types.is_unsigned_integer, kinds)) else pa.decimal128(20, 0)
    if family == "real":
        return pa.float64() if pa.float64() in kinds else pa.float32()
    if family in ("timestamp", "timestamp_utc"):
        unit = next(unit for unit in ("ns", "us", "ms") if any(kind.unit == unit for kind in kinds))
        return pa.timestamp(unit, first.tz)
    # pandas reads times as `datetime.time`, which counts microseconds.
    return {"time": pa.time64("us"), "binary": pa.binary()}.get(family, first)


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """Returns values in another type, null for those that it cannot hold exactly."""
    import pyarrow as pa

    storage = array.storage if isinstance(array, pa.ExtensionArray) else array
    try:
        return storage.cast(kind)
    except pa.ArrowInvalid:
        if len(storage) == 1:
            return pa.nulls(1, kind)
    middle = len(storage) // 2
    return pa.concat_arrays([_cast(storage[:middle], kind), _cast(storage[middle:], kind)])


def _texts(leaves: list[LeafType], values: list[Any]) -> pa.Array:
    """Returns values of several leaf columns as text."""
    import pyarrow as pa

    return pa.array(
        [None if value is None else leaf.value_text(value) for leaf, value in zip(leaves, values, strict=True)],
        pa.string(),
    )


def _union(leaves: list[LeafType], values: list[Any]) -> pa.Array:
    """Returns values of several leaf columns as an array of their type, or a dense union of their types."""
    import pyarrow as pa

    kinds: dict[str, tuple[int, LeafType, list[Any]]] = {}
    codes, offsets = [], []
    for leaf, value in zip(leaves, values, strict=True):
        code, _, members = kinds.setdefault(str(leaf.arrow), (len(kinds), leaf, []))
        codes.append(code)
        offsets.append(len(members))
        members.append(value)
    if not kinds:
        return pa.nulls(0)
    arrays = [leaf.array(members) for _, leaf, members in kinds.values()]
    if len(arrays) == 1:
        return arrays[0]
    return pa.UnionArray.from_dense(pa.array(codes, pa.int8()), pa.array(offsets, pa.int32()), arrays, list(kinds))
