"""Parts of shredded columns: read from their own columns, and from ``value`` only the values that were not shredded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..parquet.variant_parts import Place, Steps, place_in
from ..runtime.arrow_variant import STORAGE
from ..runtime.errors import DecodeError
from ..runtime.exact import check_type, items_of
from ..runtime.variant_paths import steps_of
from .arrow import Rows, child, storage_of
from .columns import column, is_supported, is_text, locate, present
from .reading import FORMAT
from .unshredding import encoded, unshred

#: The type of a part of which only the presence matters: whether it has a value that is not null.
PRESENCE = pa.null()

_NO_NAMES = pa.scalar(b"\x01\0\0")


def place_of(kind: pa.DataType, steps: Steps) -> Place[pa.DataType] | None:
    """Returns the place of the part at a path in a column of a type; None for a shredded array, which needs the whole column."""
    return place_in(kind, steps, _field, lambda typed: pa.types.is_nested(typed) and not pa.types.is_struct(typed))


def needed(kind: pa.DataType, steps: Steps, wanted: pa.DataType) -> list[tuple[str, ...]]:
    """Returns the paths, below a column, of the columns that a part of a type needs; an empty path is the whole column."""
    place = place_of(kind, steps)
    if place is None or wanted == STORAGE:
        return [()]
    own = [name for name in ("value", "typed_value") if _field(place.around, name) is not None]
    if place.rest:
        own = [name for name in own if name == "value"]
    elif place.typed is not None and pa.types.is_struct(place.typed) and wanted != PRESENCE:
        own.remove("typed_value")  # an object cannot be read as any other type
    # Names of fields are needed only for values in objects.
    return [*((("metadata",),) if place.rest or not own else ()), *((*place.group, name) for name in own)]


def to_columns(array: Any, paths: Mapping[str, pa.DataType]) -> pa.Table:
    """Returns one column per path, such as ``{"$.a.b": pa.int64()}``, of a column of variants, shredded or not.

    A column is null where a row is null, where it has nothing at the path, and where the value there does not become one of
    the column's type without loss: integers and decimals become numbers, whole floats
    integers, texts only strings. The type `STORAGE` gives the
    part itself as a variant.

    Args:
        array: a struct of ``metadata`` and ``value``, and ``typed_value`` where it is shredded; also in chunks.
        paths: path -> type of Arrow: integers, floats, decimals, booleans, strings, binary, dates, times, timestamps.

    Raises:
        DecodeError: one of the rows that were read is not a variant.
        TypeError: a type is none of these.
        ValueError: a path is not one.
    """
    check_type("paths", paths, Mapping)
    steps = {path: steps_of(path) for path in paths}
    for path, type in paths.items():
        if not isinstance(type, pa.DataType):
            raise TypeError(f"paths: {path!r} needs a type of Arrow, not {type!r}")
        if not is_supported(type) and type != STORAGE:
            raise TypeError(f"paths: {path!r} cannot be read as {type}; read it as variant.STORAGE")
    whole = Whole(storage_of(array))
    return pa.Table.from_arrays([whole.part(steps[path], type) for path, type in paths.items()], items_of(paths))


class Whole:
    """A column of variants, shredded or not, from which parts are read; it may lack the columns that `needed` leaves out."""

    def __init__(self, array: pa.StructArray) -> None:
        self._array = array
        self._rows: Rows | None = None

    def part(self, steps: Steps, wanted: pa.DataType) -> pa.Array:
        """Returns a part as a column of a type, as `to_columns`.

        Raises:
            DecodeError: a value is not a variant, or is in both ``value`` and ``typed_value``.
        """
        place = place_of(self._array.type, steps)
        if child(self._array, "typed_value") is not None and place is not None and wanted != STORAGE:
            return _part(self._array, place, wanted)
        if self._rows is None:
            self._rows = Rows(unshred(self._array))
        places = locate(self._rows, list(steps))
        return present(self._rows, places) if wanted == PRESENCE else column(self._rows, places, wanted)


def _part(array: pa.StructArray, place: Place[pa.DataType], wanted: pa.DataType) -> pa.Array:
    group = array
    for name in place.group:
        found = child(group, name)
        assert found is not None
        group = found
    value = child(group, "value")
    typed = None if place.rest else child(group, "typed_value")
    own = None if typed is None else _typed(typed, wanted)
    if value is None or value.null_count == len(value):
        return pa.nulls(len(array), _output_type(wanted)) if own is None else own
    if typed is not None and not pa.types.is_struct(typed.type):
        both = pc.and_(pc.is_valid(typed), pc.is_valid(value))
        if pc.any(both).as_py():
            row = pc.index(both, True).as_py()
            raise DecodeError("value and typed_value are both present", format=FORMAT, path=f"[{row}]")
    metadata = child(array, "metadata") if place.rest else pa.repeat(_NO_NAMES, len(value))
    assert metadata is not None
    rows = Rows(_pairs(metadata, value))
    places = locate(rows, list(place.rest))
    other = present(rows, places) if wanted == PRESENCE else column(rows, places, wanted)
    if own is None:
        return other
    if isinstance(own, pa.ExtensionArray):
        both_parts = [each.storage for each in (own, other)]
        return pa.ExtensionArray.from_storage(wanted, pc.coalesce(*both_parts))
    return pc.coalesce(own, other)


def _pairs(metadata: pa.Array, value: pa.Array) -> pa.StructArray:
    return pa.StructArray.from_arrays([metadata, value], names=["metadata", "value"], mask=value.is_null())


def _output_type(wanted: pa.DataType) -> pa.DataType:
    return pa.bool_() if wanted == PRESENCE else wanted


def _typed(typed: pa.Array, wanted: pa.DataType) -> pa.Array | None:
    """Returns the values of a column of one type as another type, as `to_columns` does; None if no value can be converted."""
    kind = typed.type
    if wanted == PRESENCE:
        return pc.if_else(pc.is_valid(typed), True, pa.scalar(None, pa.bool_()))
    if pa.types.is_struct(kind) or family(kind) != family(wanted):
        return None
    if kind == wanted:
        return typed
    if pa.types.is_float64(wanted) and family(kind) == "number":
        return pc.cast(typed, wanted, safe=False)
    if family(kind) == "text" or (pa.types.is_signed_integer(kind) and pa.types.is_int64(wanted)):
        return typed.cast(wanted)
    # Other types are rare: each value becomes a variant, so that one rule decides on all.
    values = encoded(typed)
    rows = Rows(_pairs(pa.repeat(_NO_NAMES, len(typed)), pa.array(values, pa.binary())))
    return column(rows, locate(rows, []), wanted)


def family(kind: pa.DataType) -> str:
    """Returns the name of a group of types between which values of variants are converted without loss."""
    types = pa.types
    if types.is_integer(kind) or types.is_decimal(kind) or types.is_floating(kind):
        return "number"
    if is_text(kind):
        return "text"
    if types.is_timestamp(kind):
        return "timestamp" if kind.tz is None else "instant"
    if kind in (pa.uuid(), pa.binary(16)):
        return "uuid"
    return (
        "bytes" if types.is_large_binary(kind) or types.is_binary_view(kind) else str(kind).replace("binary", "bytes")
    )


def _field(kind: pa.DataType, name: str) -> pa.DataType | None:
    at = kind.get_field_index(name) if pa.types.is_struct(kind) else -1
    return None if at < 0 else kind.field(at).type
