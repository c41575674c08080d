"""Arrow types of a table's columns by their names, and arrays of values in these types."""

from __future__ import annotations

from typing import Any, Protocol

#: Bytes of a decimal.
_DECIMAL_WIDTH = 16


class TypedColumn(Protocol):
    """A column's name and the name of its Arrow type; the latter is empty if the values determine the type."""

    @property
    def name(self) -> str: ...

    @property
    def arrow(self) -> str: ...


def arrow_type(name: str) -> Any:
    """Returns the Arrow type with a name such as ``"int32"``, ``"timestamp[us, tz=UTC]"`` or ``"decimal128(18, 2)"``."""
    import pyarrow as pa

    if name.startswith("list<"):
        return pa.list_(arrow_type(name[len("list<") : -1]))
    if name.startswith("decimal128("):
        return pa.decimal128(*map(int, name[len("decimal128(") : -1].split(", ")))
    if name.startswith("timestamp["):
        unit, _, zone = name[len("timestamp[") : -1].partition(", tz=")
        return pa.timestamp(unit, zone or None)
    return pa.float64() if name == "double" else pa.type_for_alias(name)


def array_of(values: list[Any], column: TypedColumn) -> Any:
    """Returns Python values as an Arrow array in the type of a column.

    Raises:
        ValueError: a value does not fit the type.
    """
    import pyarrow as pa

    try:
        array = pa.array(values, pa.uint64() if column.arrow == "uint64" else None)
    except OverflowError:
        if not column.arrow.startswith("decimal128("):
            message = f"column {column.name!r}: a value does not fit {column.arrow or 'int64'}"
            raise ValueError(message) from None
        array = pa.array([each if each is None else _two_s_complement(each) for each in values], pa.binary())
    return typed(array, column)


def typed(array: Any, column: TypedColumn) -> Any:
    """Returns an array in the type of a column, or unchanged if the column has no type.

    Raises:
        ValueError: a value does not fit the type.
    """
    import pyarrow as pa

    if not column.arrow or array.type == (type := arrow_type(column.arrow)):
        return array
    if not len(array):
        return pa.array([], type)
    try:
        return _cast(array, type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ValueError(f"column {column.name!r}: a value does not fit {type}: {error}") from None


def _cast(array: Any, type: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_decimal(type) and not pa.types.is_null(array.type):
        return _decimals(array, type)
    if pa.types.is_binary(array.type) and pa.types.is_string(type):
        return texts(array)
    if pa.types.is_temporal(type):
        array = array.cast(pa.int64())
    return array.cast(type)


def texts(array: Any) -> Any:
    """Returns bytes as text; bytes that are not UTF-8 are replaced."""
    import pyarrow as pa

    try:
        return array.cast(pa.string())
    except pa.ArrowInvalid:
        replaced = [None if value is None else value.decode("utf-8", "replace") for value in array.to_pylist()]
        return pa.array(replaced, pa.string())


def _two_s_complement(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True)


def _decimals(array: Any, type: Any) -> Any:
    """Returns decimals from their unscaled values: integers, or bytes in big-endian two's complement."""
    import pyarrow as pa
    import pyarrow.compute as pc

    digits = _limbs_of_integers(array) if pa.types.is_integer(array.type) else _limbs_of_bytes(array.cast(pa.binary()))
    validity = pc.is_valid(array).buffers()[1] if array.null_count else None
    made = pa.Array.from_buffers(type, len(array), [validity, pa.py_buffer(digits)], array.null_count)
    made.validate(full=True)
    return made


def _limbs_of_integers(array: Any) -> Any:
    """Returns integers as 16 little-endian bytes each."""
    import numpy as np
    import pyarrow as pa

    unsigned = pa.types.is_uint64(array.type)
    numbers = array.cast(pa.uint64() if unsigned else pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    limbs = np.zeros((len(array), 2), np.int64)
    limbs[:, 0] = numbers.view(np.int64)
    if not unsigned:
        limbs[:, 1] = numbers >> 63
    return limbs


def _limbs_of_bytes(array: Any) -> Any:
    """Returns numbers given in big-endian two's complement as 16 little-endian bytes each."""
    import numpy as np
    import pyarrow as pa

    array = array.fill_null(b"")
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    sizes, ends = np.diff(ends), ends[1:]
    longest = int(sizes.max())
    if longest > _DECIMAL_WIDTH:
        raise pa.ArrowInvalid(f"{longest} bytes are more than {_DECIMAL_WIDTH}")
    # A zero byte is put in front of the data: the first byte of empty values.
    octets = np.concatenate([np.zeros(1, np.uint8), np.frombuffer(data or b"", np.uint8)])
    first = octets[np.where(sizes > 0, ends - sizes + 1, 0)]
    limbs = np.repeat((first >> 7) * np.uint8(255), _DECIMAL_WIDTH).reshape(-1, _DECIMAL_WIDTH)
    for place in range(longest):
        there = sizes > place
        limbs[there, place] = octets[ends[there] - place]
    return limbs
