"""Shredded columns back to variants: metadata and values alone."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context
from typing import Any

import pyarrow as pa

from ..generated.variant import Body
from ..runtime.arrow_nested import as_type
from ..runtime.arrow_variant import REQUIRED, VariantType, holds_variant
from ..runtime.errors import DecodeError
from .arrow import check_metadata, child, is_binary, of_bytes, storage_of
from .build import array_of, metadata_of, object_of, primitive, scaled, string
from .reading import FORMAT, end_of, fields_of, head, names_of

#: Decimals keep all digits, independent of the caller's context.
_WIDE = Context(prec=80)
_NULL = primitive(Body.NULL())
_NO_NAMES = metadata_of(())
Encoded = list[bytes | None]


def unshred(array: Any) -> pa.StructArray:
    """Returns a column of variants without ``typed_value``: its values are moved back into ``value``.

    Raises:
        DecodeError: ``value`` and ``typed_value`` contradict each other, or a name is not in the metadata.
        TypeError: it is no column of variants, or a typed column has a type that variants do not have.
    """
    array = storage_of(array)
    typed = child(array, "typed_value")
    if typed is None:
        return array
    valid = array.is_valid().to_pylist()
    check_metadata(array)
    metadata = child(array, "metadata")
    assert metadata is not None
    rows = [None if each is None else bytes(each) for each in metadata.to_pylist()]
    found = _Columns(rows).group(child(array, "value"), typed, list(range(len(rows))), "typed_value")
    made: list[tuple[bytes, bytes] | None] = []
    for row, ok in enumerate(valid):
        names, value = rows[row], found[row]
        # A required value that is missing is null.
        made.append((names, _NULL if value is None else value) if ok and names is not None else None)
    return of_bytes(made)


def in_table(array: Any, kind: pa.DataType, leaf: Callable[[Any, pa.DataType], Any] | None = None) -> Any:
    """Returns an array cast to a type of a table, as `as_type`; variants at any depth come from columns that may be shredded.

    Raises:
        DecodeError: a shredded column contradicts itself.
        pa.ArrowInvalid, pa.ArrowNotImplementedError: its values have no such type.
    """
    if not holds_variant(kind):
        return as_type(array, kind, leaf)

    def cast(part: Any, to: pa.DataType) -> Any:
        if isinstance(to, VariantType):
            return _whole(part, to)
        return leaf(part, to) if leaf is not None else part if part.type == to else part.cast(to)

    return as_type(array, kind, cast)


def _whole(array: Any, kind: VariantType) -> pa.ExtensionArray:
    if isinstance(array.type, VariantType):
        return array
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), kind)
    try:
        array = unshred(storage_of(array))
    except TypeError as error:
        raise pa.ArrowInvalid(str(error)) from None
    check_metadata(array)
    metadata, value = (child(array, name).cast(pa.binary()) for name in ("metadata", "value"))  # type: ignore[union-attr]
    # A variant that is present but has no value is the variant null.
    parts = [metadata.fill_null(_NO_NAMES), value.fill_null(_NULL)]
    return pa.ExtensionArray.from_storage(
        kind, pa.StructArray.from_arrays(parts, fields=list(REQUIRED), mask=array.is_null())
    )


class _Columns:
    """Puts values together, column by column.

    Args:
        metadata: the metadata of each row.
    """

    def __init__(self, metadata: list[bytes | None]) -> None:
        self._metadata = metadata
        self._ids: dict[bytes, dict[str, int]] = {}

    def group(self, value: pa.Array | None, typed: pa.Array | None, rows: list[int], path: str) -> Encoded:
        """Returns the encoded values of a group's columns, None where they are missing.

        Args:
            rows: the row of each value.
        """
        count = len(rows)
        values: list[Any] = [None] * count if value is None else value.to_pylist()
        if typed is None:
            return values
        if pa.types.is_struct(typed.type):
            return self._objects(values, typed, rows, path)
        if _is_list(typed.type):
            made = self._arrays(typed, rows, path)
        else:
            made = encoded(typed, path)
        for number, (one, other) in enumerate(zip(values, made, strict=True)):
            if one is not None and other is not None:
                raise DecodeError(
                    "value and typed_value are both present", format=FORMAT, path=f"[{rows[number]}].{path}"
                )
        return [one if other is None else other for one, other in zip(values, made, strict=True)]

    def _objects(self, values: list[Any], typed: pa.StructArray, rows: list[int], path: str) -> Encoded:
        inner: dict[str, Encoded] = {}
        for each in typed.type:
            group = child(typed, each.name)
            if group is None or not pa.types.is_struct(group.type):
                raise TypeError(f"array: {path}.{each.name} needs to be a struct of value and typed_value")
            inner[each.name] = self.group(
                child(group, "value"), child(group, "typed_value"), rows, f"{path}.{each.name}.typed_value"
            )
        made: Encoded = []
        for number, valid in enumerate(typed.is_valid().to_pylist()):
            if not valid:
                made.append(values[number])
                continue
            ids = self._numbers(rows[number])
            try:
                fields = [
                    (name, ids[name], part) for name, column in inner.items() if (part := column[number]) is not None
                ]
            except KeyError as error:
                raise DecodeError(
                    f"the metadata has no name {error.args[0]!r}", format=FORMAT, path=f"[{rows[number]}].{path}"
                ) from None
            made.append(object_of([*fields, *self._others(values[number], inner, rows[number], path)]))
        return made

    def _others(
        self, value: bytes | None, inner: dict[str, Encoded], row: int, path: str
    ) -> list[tuple[str, int, bytes]]:
        """Returns the fields of an object that are not shredded."""
        if value is None:
            return []
        body, start = head(value, 0)
        if not isinstance(body, Body.OBJECT):
            raise DecodeError("a shredded object has another value", format=FORMAT, path=f"[{row}].{path}")
        end_of(value, 0)
        found = []
        names = names_of(self._metadata[row] or b"")
        for id, (name, at) in zip(body.ids, fields_of(body, start, names), strict=True):
            # Writers must not store a field twice. If one did, readers use the shredded field.
            if name not in inner:
                found.append((name, id, value[at : end_of(value, at)]))
        return found

    def _arrays(self, typed: Any, rows: list[int], path: str) -> Encoded:
        lists = typed.cast(pa.large_list(typed.type.value_field))
        offsets = lists.offsets.to_pylist()
        valid = lists.is_valid().to_pylist()
        spans = [(offsets[i], offsets[i + 1]) if ok else (0, 0) for i, ok in enumerate(valid)]
        elements = lists.values
        if not pa.types.is_struct(elements.type):
            raise TypeError(f"array: the elements of {path} need to be structs of value and typed_value")
        row_of = [0] * len(elements)
        wanted = [False] * len(elements)
        for number, (begin, end) in enumerate(spans):
            row_of[begin:end] = [rows[number]] * (end - begin)
            wanted[begin:end] = [True] * (end - begin)
        made = self.group(child(elements, "value"), child(elements, "typed_value"), row_of, f"{path}[].typed_value")
        whole = [_NULL if each is None and is_wanted else each for each, is_wanted in zip(made, wanted, strict=True)]
        return [array_of(whole[begin:end]) if ok else None for (begin, end), ok in zip(spans, valid, strict=True)]  # type: ignore[arg-type]

    def _numbers(self, row: int) -> dict[str, int]:
        metadata = self._metadata[row] or b""
        if metadata not in self._ids:
            if len(self._ids) > 256:
                self._ids.clear()
            self._ids[metadata] = {name: number for number, name in enumerate(names_of(metadata))}
        return self._ids[metadata]


def encoded(typed: pa.Array, path: str = "typed_value") -> Encoded:
    """Returns the values of a typed column as values of variants.

    Raises:
        TypeError: variants have no such type.
    """
    encode = _encoder(typed.type, path)
    return [None if each is None else encode(each) for each in _plain(typed)]


def _is_list(type: pa.DataType) -> bool:
    return bool(pa.types.is_list(type) or pa.types.is_large_list(type))


def _plain(typed: pa.Array) -> list[Any]:
    """Returns typed values as numbers if Python's own types would lose digits."""
    kinds = pa.types
    if kinds.is_timestamp(typed.type) or kinds.is_time64(typed.type):
        typed = typed.cast(pa.int64())
    elif kinds.is_date32(typed.type):
        typed = typed.cast(pa.int32())
    elif isinstance(typed, pa.ExtensionArray):
        typed = typed.storage
    return typed.to_pylist()  # type: ignore[no-any-return]


def _number(alternative: Any) -> Callable[[Any], bytes]:
    return lambda value: primitive(alternative(v=value))


#: Types that correspond to one alternative each.
_BY_TYPE: dict[pa.DataType, Callable[[Any], bytes]] = {
    pa.bool_(): lambda value: primitive(Body.TRUE() if value else Body.FALSE()),
    pa.int8(): _number(Body.INT8),
    pa.int16(): _number(Body.INT16),
    pa.int32(): _number(Body.INT32),
    pa.int64(): _number(Body.INT64),
    pa.float32(): _number(Body.FLOAT),
    pa.float64(): _number(Body.DOUBLE),
    pa.date32(): _number(Body.DATE),
    pa.time64("us"): _number(Body.TIME),
    pa.timestamp("us"): _number(Body.TIMESTAMP_NTZ),
    pa.timestamp("ns"): _number(Body.TIMESTAMP_NTZ_NANOS),
    pa.uuid(): _number(Body.UUID),
    pa.binary(16): _number(Body.UUID),
}


def _encoder(type: pa.DataType, path: str) -> Callable[[Any], bytes]:
    """Returns the encoder of a typed column's values.

    Raises:
        TypeError: variants have no such type.
    """
    if pa.types.is_decimal(type) and type.bit_width <= 128:
        scale, digits = type.scale, type.precision
        return lambda value: scaled(int(value.scaleb(scale, _WIDE)), scale, digits)
    if pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type):
        return string
    if is_binary(type):
        return _number(Body.BINARY)
    if pa.types.is_timestamp(type) and type.tz is not None and type.unit in ("us", "ns"):
        return _number(Body.TIMESTAMP if type.unit == "us" else Body.TIMESTAMP_NANOS)
    if type not in _BY_TYPE:
        raise TypeError(f"array: {path} has type {type}, which variants do not have")
    return _BY_TYPE[type]
