"""Values that are looked for in a column: in its order, and plainly encoded."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from datetime import time
from decimal import Context
from typing import Any
from uuid import UUID

from ..generated.parquet import Type
from ..generated.parquet_file import JULIAN_EPOCH_DAY, Int96
from ..runtime.exact import items_of
from .leaf_types import LeafType

#: A precision that is enough for all digits of a decimal.
_EXACT = Context(prec=100)
_DAY_NANOSECONDS = 86_400 * 10**9


class SearchedValues:
    """Values that are looked for in columns of one name, whose types may differ from file to file.

    Args:
        values: what the caller gives, None for null.
        convert: returns the search key of a value, or raises ValueError; `search_key` or `text_key`.
    """

    def __init__(self, values: Iterable[Any], convert: Callable[[LeafType, Any], Any]) -> None:
        self._values = items_of(values)
        self._convert = convert
        self._refused: dict[int, ValueError] = {}
        self._taken: set[int] = set()

    @property
    def has_null(self) -> bool:
        """True if null is looked for."""
        return any(value is None for value in self._values)

    def keys(self, leaf: LeafType) -> list[Any]:
        """Returns the search keys of the values that a type has; no column of the type holds the others."""
        found = []
        for number, value in enumerate(self._values):
            try:
                found.append(None if value is None else self._convert(leaf, value))
                self._taken.add(number)
            except ValueError as error:
                self._refused.setdefault(number, error)
        return found

    def take_all(self) -> None:
        """Accepts values of every type, for a variant column."""
        self._taken.update(range(len(self._values)))

    def check(self) -> None:
        """Raises ValueError for the first value that no type had."""
        for number in sorted(self._refused):
            if number not in self._taken:
                raise self._refused[number]


def search_key(leaf: LeafType, value: Any, argument: str = "value") -> Any:
    """Returns a value as something that compares in the column's order: bytes, int, float, bool or Decimal.

    Args:
        leaf: the type of the column.
        value: a Python value or a ``pyarrow.Scalar``; int for temporal types counts their units.
        argument: the caller's name for the value, in errors.

    Raises:
        ValueError: the column's type has no such value.
    """
    import pyarrow as pa

    if isinstance(value, UUID):
        value = value.bytes
    kind = pa.binary(16) if leaf.arrow == pa.uuid() else leaf.arrow
    try:
        scalar: Any = value.cast(kind) if isinstance(value, pa.Scalar) else pa.scalar(value, kind)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        given = value.as_py() if isinstance(value, pa.Scalar) else value
        raise ValueError(f"{argument}: {given!r} is not a valid {leaf.arrow}: {error}") from None
    if pa.types.is_temporal(kind):
        return scalar.value
    found = scalar.as_py()
    return found.encode("utf-8") if isinstance(found, str) else found


def text_key(leaf: LeafType, text: str) -> Any:
    """Returns the search key of a value given as text: dates and times in ISO 8601, bytes as 0x and hex, or as text.

    A timestamp without a zone is in UTC.

    Raises:
        ValueError: the text is no value of the column's type.
    """
    import pyarrow as pa

    kind = leaf.arrow
    value: Any = text
    try:
        if kind == pa.uuid():
            value = UUID(text)
        elif pa.types.is_time(kind):
            value = time.fromisoformat(text)
        elif pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
            value = bytes.fromhex(text[2:]) if text[:2] == "0x" else text.encode("utf-8")
        elif pa.types.is_timestamp(kind) and kind.tz is not None:
            # Only the cast to a type with a zone reads a text with one. Only the other cast reads a text without a zone.
            try:
                value = pa.scalar(text).cast(kind)
            except pa.ArrowException:
                value = pa.scalar(text).cast(pa.timestamp(kind.unit))
        elif not leaf.is_text:
            value = pa.scalar(text)
    except (pa.ArrowException, ValueError) as error:
        raise ValueError(f"value: {text!r} is not a valid {kind}: {error}") from None
    return search_key(leaf, value)


def bound_key(leaf: LeafType, raw: bytes | None) -> Any:
    """Returns an encoded bound as `search_key` gives values, None if it is unknown."""
    import pyarrow as pa

    if raw is None or (leaf.kind[0] == "DECIMAL" and not pa.types.is_decimal(leaf.arrow)):
        return None
    if leaf.compares_bytes:
        return bytes(raw)
    if leaf.plain_key is not None and len(raw) == leaf.plain_key.size:
        (number,) = leaf.plain_key.unpack(raw)
        return number if number == number else None
    value = leaf.value(raw)
    # NaN is not a bound. Writers must not write it, but some do.
    if value is None or value != value:
        return None
    # Numbers are their own keys, also those that count units of time.
    return value if type(value) in (int, float, bool) else search_key(leaf, value)


def encodings(leaf: LeafType, key: Any) -> list[bytes] | None:
    """Returns the plain encodings that a value can have in a column, by its search key; None if they are not known."""
    import pyarrow as pa

    element = leaf.element
    if key is None or key != key or isinstance(key, bool):
        return None
    if isinstance(key, bytes):
        return None if leaf.kind[0] == "DECIMAL" else [key]
    if isinstance(key, float):
        letter = {Type.FLOAT: "<f", Type.DOUBLE: "<d"}.get(element.type, "<e")  # type: ignore[call-overload]
        return [struct.pack(letter, each) for each in ((0.0, -0.0) if key == 0 else (key,))]
    if pa.types.is_decimal(leaf.arrow):
        key = int(key.scaleb(leaf.kind[1], _EXACT))
        if element.type == Type.FIXED_LEN_BYTE_ARRAY:
            width = element.type_length or 0
            # One bit is the sign.
            return [key.to_bytes(width, "big", signed=True)] if key.bit_length() < 8 * width else None
    if element.type == Type.INT96 and isinstance(key, int):
        day, nanoseconds = divmod(key, _DAY_NANOSECONDS)
        return [Int96(nanoseconds=nanoseconds, day=day + JULIAN_EPOCH_DAY).to_bytes()]
    width = {Type.INT32: 4, Type.INT64: 8}.get(element.type)  # type: ignore[call-overload]
    if width is None or not isinstance(key, int):
        return None
    return [(key % (1 << 8 * width)).to_bytes(width, "little")]
