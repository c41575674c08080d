"""Estimated sizes of rows in memory."""

from __future__ import annotations

import pyarrow as pa

#: The assumed size in bytes of a value of variable width, as in Spark.
_VARIABLE_BYTES = 20


def row_bytes(schema: pa.Schema) -> int:
    """Returns the estimated bytes of a row in Arrow's memory: fixed widths, and 20 bytes for a value of variable width."""
    return sum(_value_bytes(field.type) for field in schema)


def _value_bytes(kind: pa.DataType) -> int:
    if pa.types.is_nested(kind):
        return sum(_value_bytes(kind.field(index).type) for index in range(kind.num_fields))
    try:
        bits: int = kind.bit_width
    except ValueError:
        return _VARIABLE_BYTES
    return -(-bits // 8)
