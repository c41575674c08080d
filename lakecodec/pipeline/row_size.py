"""How large rows are in memory."""

from __future__ import annotations

import pyarrow as pa

#: A guess, as Spark's: what a value takes whose type does not say.
_VARIABLE_BYTES = 20


def row_bytes(schema: pa.Schema) -> int:
    """About how many bytes a row takes in Arrow's memory."""
    return sum(_value_bytes(field.type) for field in schema)


def _value_bytes(kind: pa.DataType) -> int:
    if pa.types.is_nested(kind):
        return sum(_value_bytes(kind.field(index).type) for index in range(kind.num_fields))
    try:
        bits: int = kind.bit_width
    except ValueError:
        return _VARIABLE_BYTES
    return -(-bits // 8)
