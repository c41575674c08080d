"""The default type for shredding a column of variants: the types that most of its first rows have."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pyarrow as pa

from ..generated.variant import Body
from .arrow import Rows, storage_of
from .reading import Walk
from .scalars import decimal_of
from .unshredding import unshred

#: Limits: rows that are looked at, share of them that must have a field, levels of objects, fields per object.
_ROWS, _PART, _DEPTH, _FIELDS = 1000, 0.1, 8, 100
#: The digits that decimals of 4, 8 and 16 bytes hold. One of these is inferred, since later rows may have more digits.
_DIGITS = (9, 18, 38)
_TYPES: dict[type, pa.DataType] = {
    **dict.fromkeys((Body.TRUE, Body.FALSE), pa.bool_()),
    **dict.fromkeys((Body.INT8, Body.INT16, Body.INT32, Body.INT64), pa.int64()),
    **dict.fromkeys((Body.STRING, Body.SHORT_STRING), pa.string()),
    Body.FLOAT: pa.float32(),
    Body.DOUBLE: pa.float64(),
    Body.DATE: pa.date32(),
    Body.TIMESTAMP: pa.timestamp("us", "UTC"),
    Body.TIMESTAMP_NTZ: pa.timestamp("us"),
    Body.BINARY: pa.binary(),
}
_DECIMALS = (Body.DECIMAL4, Body.DECIMAL8, Body.DECIMAL16)
#: The kind of objects; the kinds of other values are their types.
_OBJECT = "object"


def shredding_type(array: Any) -> pa.DataType | None:
    """Returns a type for `shred` that fits a column of variants; None if no field has one type in a tenth of the rows.

    Arrays are not shredded. Neither are times of day, nanoseconds and UUIDs, which few readers support.

    Raises:
        DecodeError: one of the first rows is not a variant.
    """
    rows = Rows(unshred(storage_of(array)))
    seen, looked = _PathValues(), 0
    for row in islice(rows.valid.nonzero()[0].tolist(), _ROWS):
        seen.add(Walk(*rows.variant(row), _scalar, _compound).visit(0), 0)
        looked += 1
    return seen.type(max(1.0, looked * _PART))


def _scalar(body: Any) -> pa.DataType | None:
    if isinstance(body, _DECIMALS):
        digits = decimal_of(body).as_tuple().digits
        return pa.decimal128(max(len(digits), body.scale, 1), body.scale)
    return _TYPES.get(type(body))


def _compound(parts: list[Any], names: list[str] | None) -> dict[str, Any] | None:
    return None if names is None else dict(zip(names, parts, strict=True))


class _PathValues:
    """The values at one path."""

    def __init__(self) -> None:
        self._kinds: Counter[Any] = Counter()
        self._fields: dict[str, _PathValues] = {}
        self._digits = self._scale = 0

    def add(self, value: pa.DataType | dict[str, Any] | None, depth: int) -> None:
        if isinstance(value, dict):
            self._kinds[_OBJECT] += 1
            if depth < _DEPTH:
                for name, part in value.items():
                    self._fields.setdefault(name, _PathValues()).add(part, depth + 1)
        elif value is not None and pa.types.is_decimal(value):
            self._kinds["decimal"] += 1
            self._scale = max(self._scale, value.scale)
            self._digits = max(self._digits, value.precision - value.scale)
        elif value is not None:
            self._kinds[value] += 1

    def type(self, least: float) -> pa.DataType | None:
        if not self._kinds:
            return None
        kind, count = self._kinds.most_common(1)[0]
        if count < least:
            return None
        if kind == _OBJECT:
            common = sorted(self._fields.items(), key=lambda item: -sum(item[1]._kinds.values()))[:_FIELDS]
            types = {name: found for name, seen in sorted(common) if (found := seen.type(least)) is not None}
            return pa.struct(types) if types else None
        if kind == "decimal":
            digits = min(self._digits + self._scale, _DIGITS[-1])
            return pa.decimal128(next(most for most in _DIGITS if digits <= most), self._scale)
        return kind
