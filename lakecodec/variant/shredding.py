"""Shredding: columns of variants with chosen fields as columns of their own ("Variant Shredding" of apache/parquet-format)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.variant import Body
from .arrow import Rows, storage_of
from .build import object_of
from .columns import Places, column, is_supported
from .reading import elements_of, end_of, fields_of, head, names_of
from .unshredding import unshred


def shred(array: Any, schema: pa.DataType) -> pa.StructArray:
    """Returns a column of variants with ``typed_value``, which has the values of the schema's types. ``value`` has all others.

    Args:
        array: a column of variants; a shredded one is shredded anew.
        schema: the type of the values: a primitive type, a struct of the fields to shred, a list of elements.

    Raises:
        DecodeError: a row is not a variant.
        TypeError: a type of the schema has no form in a variant.
    """
    if not isinstance(schema, pa.DataType):
        raise TypeError(f"schema: a type of Arrow is needed, not {schema!r}")
    _check(schema, "schema")
    array = storage_of(array)
    rows = Rows(unshred(array))
    places = np.where(rows.valid, rows.value_offsets[:-1], -1)
    value, typed = _Shredder(rows, np.arange(len(rows))).group(places, schema)
    # A variant that is present but has no value is the variant null.
    missing = array.is_valid().to_numpy(zero_copy_only=False) & ~rows.valid
    if missing.any():
        value = pa.array(
            [b"\0" if none else each for each, none in zip(value.to_pylist(), missing, strict=True)], pa.binary()
        )
    metadata = array.field(array.type.get_field_index("metadata")).cast(pa.binary())
    fields = [
        pa.field("metadata", pa.binary(), nullable=False),
        pa.field("value", pa.binary()),
        pa.field("typed_value", typed.type),
    ]
    return pa.StructArray.from_arrays([metadata, value, typed], fields=fields, mask=array.is_null())


def _check(type: pa.DataType, where: str) -> None:
    if pa.types.is_struct(type):
        names = [each.name for each in type]
        if len(set(names)) != len(names) or not names:
            raise TypeError(f"{where}: a struct needs fields with different names, not {names}")
        for each in type:
            _check(each.type, f"{where}.{each.name}")
    elif pa.types.is_list(type):
        _check(type.value_type, f"{where}[]")
    elif not is_supported(type):
        raise TypeError(f"{where}: {type} has no form in a variant")


class _Shredder:
    """Shreds values at places.

    Args:
        rows: the rows that hold the bytes.
        row_of: the row of each place.
    """

    def __init__(self, rows: Rows, row_of: Places) -> None:
        self._rows, self._row_of = rows, row_of

    def group(self, places: Places, type: pa.DataType) -> tuple[pa.Array, pa.Array]:
        """Returns the columns ``value`` and ``typed_value`` of values; both are null where a place is -1."""
        if pa.types.is_struct(type):
            return self._objects(places, type)
        if pa.types.is_list(type):
            return self._arrays(places, type)
        typed = column(self._of(places), places, type, exact=True)
        held = typed.is_valid().to_numpy(zero_copy_only=False)
        return self._values(places, held), typed

    def _of(self, places: Places) -> Any:
        """Returns the rows as one row per place."""
        return _View(self._rows, self._row_of)

    def _values(self, places: Places, held: np.ndarray[Any, Any]) -> pa.Array:
        """Returns the values that no typed column holds."""
        return pa.array(
            [
                None if place < 0 or typed else self._bytes(number, place)
                for number, (place, typed) in enumerate(zip(places.tolist(), held.tolist(), strict=True))
            ],
            pa.binary(),
        )

    def _whole(self, number: int, place: int) -> tuple[bytes, int]:
        """Returns the value of a place's row, and the offset of the place in it."""
        begin, end = self._rows.value_offsets[self._row_of[number] : self._row_of[number] + 2].tolist()
        return self._rows.value[begin:end].tobytes(), place - begin

    def _bytes(self, number: int, place: int) -> bytes:
        whole, at = self._whole(number, place)
        return whole[at : end_of(whole, at)]

    def _objects(self, places: Places, type: pa.StructType) -> tuple[pa.Array, pa.Array]:
        inner = {each.name: np.full(len(places), -1, np.int64) for each in type}
        values: list[bytes | None] = [None] * len(places)
        is_object = np.zeros(len(places), bool)
        for number, place in enumerate(places.tolist()):
            if place < 0:
                continue
            whole, at = self._whole(number, place)
            body, start = head(whole, at)
            if not isinstance(body, Body.OBJECT):
                values[number] = whole[at : end_of(whole, at)]
                continue
            end_of(whole, at)
            is_object[number] = True
            names = names_of(self._rows.variant(int(self._row_of[number]))[0])
            others = []
            for id, (name, field) in zip(body.ids, fields_of(body, start, names), strict=True):
                if name in inner:
                    inner[name][number] = place - at + field
                else:
                    others.append((name, id, whole[field : end_of(whole, field)]))
            if others:
                values[number] = object_of(others)
        groups = []
        for each in type:
            value, typed = self.group(inner[each.name], each.type)
            groups.append(pa.StructArray.from_arrays([value, typed], names=["value", "typed_value"]))
        fields = [pa.field(each.name, group.type, nullable=False) for each, group in zip(type, groups, strict=True)]
        typed = pa.StructArray.from_arrays(groups, fields=fields, mask=pa.array(~is_object))
        return pa.array(values, pa.binary()), typed

    def _arrays(self, places: Places, type: pa.ListType) -> tuple[pa.Array, pa.Array]:
        values: list[bytes | None] = [None] * len(places)
        offsets: list[int | None] = []
        inner: list[int] = []
        row_of: list[int] = []
        for number, place in enumerate(places.tolist()):
            offsets.append(None)
            if place < 0:
                continue
            whole, at = self._whole(number, place)
            body, start = head(whole, at)
            end = end_of(whole, at)
            if not isinstance(body, Body.ARRAY):
                values[number] = whole[at:end]
                continue
            offsets[-1] = len(inner)
            found = elements_of(body, start)
            inner += [place - at + each for each in found]
            row_of += [int(self._row_of[number])] * len(found)
        elements = _Shredder(self._rows, np.array(row_of, np.int64))
        value, typed = elements.group(np.array(inner, np.int64), type.value_type)
        group = pa.StructArray.from_arrays([value, typed], names=["value", "typed_value"])
        element = pa.field("element", group.type, nullable=False)
        lists = pa.ListArray.from_arrays(pa.array([*offsets, len(inner)], pa.int32()), group, pa.list_(element))
        return pa.array(values, pa.binary()), lists


class _View:
    """Rows by the number of the place, with the part of `Rows` that reading values needs."""

    def __init__(self, rows: Rows, row_of: Places) -> None:
        self.value = rows.value
        self.value_offsets = _Ends(rows.value_offsets, row_of)


class _Ends:
    """The ends of rows; the end of place ``i`` is at ``i + 1``, as in offsets."""

    def __init__(self, offsets: np.ndarray[Any, Any], row_of: Places) -> None:
        self._offsets, self._row_of = offsets, row_of

    def __getitem__(self, at: Any) -> Any:
        return self._offsets[self._row_of[at - 1] + 1]
