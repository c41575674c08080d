"""FlatBuffers: tables are written as the fields that they have, and read where they are."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, NamedTuple

from ....runtime.errors import DecodeError
from ..layouts import layout

tables: Any = layout("flatbuffers")
FORMAT = "parquet_flatbuffers.File"


class Table:
    """A table to be written: fields of a class. A field that is a reference has the object that it refers to."""

    def __init__(self, cls: Any, **values: Any) -> None:
        self.cls = cls
        self.values = {name: value for name, value in values.items() if value is not None}


class Shape(NamedTuple):
    """The layout of tables of a class with the same fields, the largest fields first."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    layout: struct.Struct
    vtable: bytes
    alignment: int


#: The struct module's codes for fields of tables.
_FORMATS = {"i8": "b", "u8": "B", "bool8": "?", "i16": "h", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f64": "d"}
#: A vtable whose slots contain their own numbers, from 1. It shows which slot a field has.
_PROBE = tables.VTable(size_of_table=0, slots=list(range(1, 17)))


@cache
def _slot(cls: Any, name: str) -> tuple[int, str]:
    """Returns the slot of a field, and its format."""
    kind = next(str(field.type) for field in cls.__spec__.fields if field.name == name)
    return cls.place(name, 0, start=0, v=_PROBE)[0] - 1, f"<{_FORMATS[kind]}"


@cache
def _shape(cls: Any, names: tuple[str, ...]) -> Shape:
    slots = {name: _slot(cls, name) for name in names}
    sizes = {name: struct.calcsize(form) for name, (_, form) in slots.items()}
    ordered = sorted(names, key=lambda name: (-sizes[name], slots[name]))
    layout = struct.Struct("<i" + "".join(slots[name][1][1:] for name in ordered))
    found = [0] * (max((slot for slot, _ in slots.values()), default=-1) + 1)
    at, places = 4, []
    for name in ordered:
        found[slots[name][0]] = at
        places.append(at)
        at += sizes[name]
    vtable = tables.VTable(size_of_table=at, slots=found).to_bytes()
    return Shape(tuple(ordered), tuple(places), layout, vtable, max(4, *sizes.values()) if sizes else 4)


class Writer:
    """The bytes of tables, which come before the objects that they refer to."""

    def __init__(self) -> None:
        self.data = bytearray(4)
        self._vtables: dict[bytes, int] = {}

    def refer(self, at: int, value: Any) -> None:
        """Appends a value, and notes at a place how far away it is."""
        struct.pack_into("<I", self.data, at, self._append(value) - at)

    def _append(self, value: Any) -> int:
        if isinstance(value, Table):
            return self._table(value)
        self._fill(4)
        at = len(self.data)
        if isinstance(value, list):
            self.data += tables.Distances(all=[0] * len(value)).to_bytes()
            for number, each in enumerate(value):
                self.refer(at + 4 + 4 * number, each)
        else:
            self.data += value.to_bytes()
        return at

    def _table(self, table: Table) -> int:
        shape = _shape(table.cls, tuple(table.values))
        if shape.vtable not in self._vtables:
            self._fill(2)
            self._vtables[shape.vtable] = len(self.data)
            self.data += shape.vtable
        # The first field is aligned. It begins 4 bytes after the start.
        self._fill(shape.alignment, 4)
        at = len(self.data)
        values = [table.values[name] for name in shape.names]
        numbers = [value if isinstance(value, int | float) else 0 for value in values]
        self.data += shape.layout.pack(at - self._vtables[shape.vtable], *numbers)
        for place, value in zip(shape.places, values, strict=True):
            if not isinstance(value, int | float):
                self.refer(at + place, value)
        return at

    def _fill(self, alignment: int, behind: int = 0) -> None:
        self.data += bytes(-(len(self.data) + behind) % alignment)


class View:
    """A table of a class at a place, whose fields are found by slots without a look at others."""

    def __init__(self, data: bytes, cls: Any, at: int) -> None:
        self._data, self._cls, self._at = data, cls, at
        self._vtable = at - struct.unpack_from("<i", data, at)[0]

    def number(self, name: str) -> Any:
        """Returns a field, None where it is not there."""
        slot, form = _slot(self._cls, name)
        if 4 + 2 * slot >= struct.unpack_from("<H", self._data, self._vtable)[0]:
            return None
        at = struct.unpack_from("<H", self._data, self._vtable + 4 + 2 * slot)[0]
        return struct.unpack_from(form, self._data, self._at + at)[0] if at else None

    def place(self, name: str) -> int | None:
        """Returns the place that a field refers to."""
        distance = self.number(name)
        if not distance:
            return None
        slot, _ = _slot(self._cls, name)
        at: int = self._at + struct.unpack_from("<H", self._data, self._vtable + 4 + 2 * slot)[0] + distance
        if at >= len(self._data):
            raise DecodeError("a field refers past the end", format=FORMAT, path=name)
        return at

    def read(self, name: str, cls: Any) -> Any:
        """Returns the record that a field refers to, None where it is not there."""
        at = self.place(name)
        return None if at is None else cls.read(self._data, at)[0]

    def vector(self, name: str, cls: Any) -> list[View]:
        """Returns the tables of a vector."""
        at = self.place(name)
        count = 0 if at is None else struct.unpack_from("<I", self._data, at)[0]
        if count > len(self._data) // 4:
            raise DecodeError(f"{count} tables do not fit the bytes left", format=FORMAT, path=name)
        return [self.table(name, cls, number) for number in range(count)]

    def table(self, name: str, cls: Any, number: int | None = None) -> View:
        """Returns the table that a field refers to, or one of the vector of tables."""
        at = self.place(name)
        if at is None:
            raise DecodeError("a table is left out", format=FORMAT, path=name)
        if number is not None:
            if number >= struct.unpack_from("<I", self._data, at)[0]:
                raise DecodeError(f"a vector has no table {number}", format=FORMAT, path=name)
            at += 4 + 4 * number
            at += struct.unpack_from("<I", self._data, at)[0]
        return View(self._data, cls, at)
