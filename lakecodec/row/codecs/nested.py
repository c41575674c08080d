"""Codecs of nested values; inner values are encoded by the shapes of their own types."""

from __future__ import annotations

from collections.abc import Mapping, Set
from collections.abc import Sequence as List
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ...runtime.declaration import Symbol
from ...runtime.externs import extern_codec
from ..arrow_types import entry_type
from ..interner import Interner
from ..options import SortOptions
from ..order.cells import ITEM_LEFTOVER, LENGTH_TABLE, LIST_ITEMS, NO_NULL, SENTINEL, TRUNCATED, TYPE_ID, UNKNOWN_KEY
from .base import Broken, Data, Framed, RowCodec, byte
from .strings import Blocks

if TYPE_CHECKING:
    from ..literal import Column, Form


class _Nested(RowCodec):
    """A codec whose argument ``n`` selects the sort options of inner values."""

    def __init__(self, column: Column, n: Any) -> None:
        super().__init__(column)
        self.inner = column.inner(n)

    def _form(self, type: pa.DataType) -> Form:
        return self.column.form(type, self.inner)


@extern_codec
class Children(_Nested, Framed):
    """The fields of a struct in order; a null has null fields."""

    @cached_property
    def forms(self) -> List[Form]:
        kind = self.column.type
        return [self._form(kind.field(i).type) for i in range(kind.num_fields)]

    def encode(self, value: List[Any] | None) -> bytes:
        values = [None] * len(self.forms) if value is None else value
        return b"".join(form.encode(each) for form, each in zip(self.forms, values, strict=True))

    def decode(self, data: Data) -> tuple[list[Any], int]:
        return _side_by_side(self.forms, data)


class _Items(_Nested):
    """The elements of a list; those of a map are structs of a key and a value."""

    @cached_property
    def item(self) -> Form:
        kind = self.column.type
        return self._form(entry_type(kind) if pa.types.is_map(kind) else kind.value_type)

    def _checked(self, items: list[Any]) -> list[Any]:
        if pa.types.is_map(self.column.type) and any(item is None or item[0] is None for item in items):
            raise Broken(0, NO_NULL)
        return items


@extern_codec
class Elements(_Items, Framed):
    """The elements of a fixed-size list in order; a null has null elements."""

    def encode(self, value: List[Any] | None) -> bytes:
        values = [None] * self.column.type.list_size if value is None else value
        return b"".join(map(self.item.encode, values))

    def decode(self, data: Data) -> tuple[list[Any], int]:
        return _side_by_side([self.item] * self.column.type.list_size, data)


class _Rows(_Items):
    """Elements as rows of their own, of one cell each, or two for the entries of a map."""

    @cached_property
    def cells(self) -> List[Form]:
        kind = self.column.type
        return [self._form(kind.key_type), self._form(kind.item_type)] if pa.types.is_map(kind) else [self.item]

    def _row(self, item: Any) -> bytes:
        values = item if len(self.cells) == 2 else [item]
        return b"".join(form.encode(each) for form, each in zip(self.cells, values, strict=True))

    def _item(self, row: bytes) -> Any:
        values, used = _side_by_side(self.cells, row)
        if used != len(row):
            raise Broken(used, ITEM_LEFTOVER)
        return values if len(self.cells) == 2 else values[0]


@extern_codec
class WrappedRows(_Rows, Framed):
    """A list: the row of each element in ``Blocks`` with the given sizes and bytes, then the empty byte."""

    def __init__(self, column: Column, n: Any, sizes: List[int], empty: int, filled: int) -> None:
        super().__init__(column, n)
        self.blocks = Blocks(column, sizes, empty, filled)

    def encode(self, value: List[Any]) -> bytes:
        return b"".join(self.blocks.encode(row) for row in (*map(self._row, value), b""))

    def decode(self, data: Data) -> tuple[list[Any], int]:
        items: list[Any] = []
        view, place = memoryview(data), 0
        while True:
            if place < len(view) and view[place] not in self.blocks.first_bytes:
                raise Broken(place, LIST_ITEMS)
            row, used = _shifted(place, self.blocks.decode, view[place:])
            place += used
            if not row:
                return self._checked(items), place
            items.append(_shifted(place - used, self._item, row))

    @property
    def first_bytes(self) -> Set[int]:
        return self.blocks.first_bytes


@extern_codec
class PackedRows(_Rows, Framed):
    """A list: the rows of all elements, their lengths and their number as big-endian uint32; no bytes for an empty list.

    Decoding takes all the bytes that are given.
    """

    def encode(self, value: List[Any]) -> bytes:
        rows = [self._row(item) for item in value]
        table = b"".join(len(row).to_bytes(4, "big") for row in rows)
        return b"".join(rows) + table + len(rows).to_bytes(4, "big") if rows else b""

    def decode(self, data: Data) -> tuple[list[Any], int]:
        if not len(data):
            return [], 0
        count = int.from_bytes(data[-4:], "big")
        begin = len(data) - 4 - 4 * count
        if not count or begin < 0 or len(data) < 4:
            raise Broken(0, LENGTH_TABLE)
        lengths = [int.from_bytes(data[begin + 4 * i : begin + 4 * i + 4], "big") for i in range(count)]
        if sum(lengths) != begin:
            raise Broken(0, LENGTH_TABLE)
        items, place = [], 0
        for length in lengths:
            items.append(_shifted(place, self._item, bytes(data[place : place + length])))
            place += length
        return self._checked(items), len(data)


@extern_codec
class Sequence(_Items, Framed):
    """A list: ``more`` and the element for every element, then ``end``."""

    def __init__(self, column: Column, n: Any, more: int, end: int) -> None:
        super().__init__(column, n)
        self.more, self.end = byte(more, "more"), byte(end, "end")
        if more == end:
            raise ValueError(f"more, end: two bytes are needed, not {more} twice")

    def encode(self, value: List[Any]) -> bytes:
        mark = bytes([self.more])
        return b"".join(mark + self.item.encode(each) for each in value) + bytes([self.end])

    def decode(self, data: Data) -> tuple[list[Any], int]:
        items: list[Any] = []
        view, place = memoryview(data), 0
        while True:
            if place >= len(view):
                raise Broken(place, TRUNCATED)
            if view[place] == self.end:
                return self._checked(items), place + 1
            if view[place] != self.more:
                raise Broken(place, LIST_ITEMS)
            item, used = _shifted(place + 1, self.item.decode, view[place + 1 :])
            items.append(item)
            place += 1 + used

    @property
    def first_bytes(self) -> Set[int]:
        return {self.more, self.end}


@extern_codec
class Selected(_Nested):
    """The value of the union child that the field ``type_id`` selects; the child's bytes are self-delimiting."""

    def __init__(self, column: Column, type_id: Symbol, n: Any) -> None:
        super().__init__(column, n)
        self.type_id = type_id.name

    @cached_property
    def forms(self) -> dict[int, Form]:
        """The forms of the children by type id."""
        kind = self.column.type
        return {code: self._form(kind.field(i).type) for i, code in enumerate(kind.type_codes)}

    def bound(self, before: Mapping[str, bytes]) -> Form:
        code = before[self.type_id][0]
        if code not in self.forms:
            raise Broken(0, TYPE_ID)
        return self.forms[code]


@extern_codec
class ValueRow(_Nested, Framed):
    """The row of one run-end encoded value, null or not."""

    @cached_property
    def value(self) -> Form:
        return self._form(self.column.type.value_type)

    def encode(self, value: Any) -> bytes:
        return self.value.encode(value)

    def decode(self, data: Data) -> tuple[Any, int]:
        return self.value.decode(data)


@extern_codec
class Hydrated(Framed):
    """The dictionary value of a key, encoded with the column's options."""

    @cached_property
    def value(self) -> Form:
        return self.column.form(self.column.type.value_type, self.column.options)

    def encode(self, value: Any) -> bytes:
        return self.value.encode(value)

    def decode(self, data: Data) -> tuple[Any, int]:
        return self.value.decode(data)


@extern_codec
class Interned(Framed):
    """A dictionary value as ``present``, an order-preserving key that this object assigned to it, and ``end``.

    Keys are assigned in the order in which values come; values that are encoded together should be passed to ``learn``
    first.
    """

    def __init__(self, column: Column, present: int, end: int) -> None:
        super().__init__(column)
        self.present, self.end = byte(present, "present"), byte(end, "end")
        self.interner = Interner()

    @cached_property
    def value(self) -> Form:
        """The form by which values are ordered and found: ascending, whatever the column's options are."""
        return self.column.form(self.column.type.value_type, SortOptions())

    def learn(self, values: List[Any]) -> None:
        """Assigns keys to values that have none, in the values' order."""
        self.interner.intern([None if value is None else self.value.encode(value) for value in values])

    def encode(self, value: Any) -> bytes:
        (key,) = self.interner.intern([self.value.encode(value)])
        assert key is not None
        return bytes([self.present]) + key + bytes([self.end])

    def decode(self, data: Data) -> tuple[Any, int]:
        end = bytes(data).find(self.end)
        if end < 0:
            raise Broken(0, TRUNCATED)
        if data[0] != self.present:
            raise Broken(0, SENTINEL)
        value = self.interner.values.get(bytes(data[1:end]))
        if value is None:
            raise Broken(1, UNKNOWN_KEY)
        return self.value.decode(value)[0], end + 1

    @property
    def first_bytes(self) -> Set[int]:
        return {self.present}


def _side_by_side(forms: List[Form], data: Data) -> tuple[list[Any], int]:
    """Returns one value of each form, read in order, and the number of their bytes."""
    values, place, view = [], 0, memoryview(data)
    for form in forms:
        value, used = _shifted(place, form.decode, view[place:])
        values.append(value)
        place += used
    return values, place


def _shifted(by: int, decode: Any, data: Any) -> Any:
    """Returns ``decode(data)``; offsets of errors are increased by ``by``."""
    try:
        return decode(data)
    except Broken as error:
        raise Broken(error.offset + by, error.rule) from None
