"""Literal interpreter of row.idl: encodes and decodes one value at a time, by the steps that its shape declares.

It is slow and the reference for the kernels. It also handles every shape that has no kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..runtime.declaration import WIDTH, Field
from ..runtime.externs import external
from .arrow_types import bytes_of, is_bounded, type_name
from .codecs import Broken, Framed, RowCodec, Selected, Transform
from .options import SortOptions
from .order.cells import ITEM_LEFTOVER, NULL_PADDING, RANGE, SENTINEL, TRUNCATED, UTF8

if TYPE_CHECKING:
    from .layout import Layout

#: Values nested deeper than this are refused, so that neither planning nor reading runs out of stack.
MAX_DEPTH = 64
#: Sizes in bytes of wire types of a shape's fields; `native` has the size of the column, `bytes` declares its own.
_WIDTHS = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}


@dataclass(frozen=True, slots=True)
class Column:
    """Type, sort options and layout of a column, which determine the encoding of its values.

    Attributes:
        layout: the layout of the variant.
        type: the type, not an extension type.
        options: the sort options.
        depth: nesting depth, 0 for a column of the row.
    """

    layout: Layout
    type: pa.DataType
    options: SortOptions
    depth: int = 0

    @property
    def width(self) -> int:
        """Size of a value in Arrow's memory in bytes, 1 for a bool, 0 for types without a fixed size."""
        return bytes_of(self.type)

    @property
    def is_big(self) -> bool:
        """True if numbers are written in big-endian order."""
        return "big" in self.layout.encoding(self.options).attributes

    def inner(self, nesting: Any) -> SortOptions:
        """Returns the sort options of nested values."""
        return self.layout.inner(nesting, self.options)

    def form(self, type: pa.DataType, options: SortOptions) -> Form:
        """Returns the form of another type nested in values of this column.

        Raises:
            ValueError: the layout has no shape for the type, or it is nested too deeply.
        """
        return Form.of(self.layout, type, options, self.depth + 1)


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of a shape.

    Attributes:
        name: the field's name.
        size: its size in bytes; None if its codecs determine it.
        is_number: whether its bytes have a byte order.
        derived: its constant value in bytes, None for null; without meaning unless ``is_derived``.
        is_derived: whether all values have the same value in this field.
        codecs: the codecs from the value to the row, in this order.
    """

    name: str
    size: int | None
    is_number: bool
    derived: bytes | None
    is_derived: bool
    codecs: tuple[RowCodec, ...]


class Form:
    """The shape of one type with its sort options applied; encodes values to row bytes and decodes them.

    Values are represented as in ``raw_values.py``.

    Attributes:
        column: the column that the shape is for.
        fields: fields of a value that is not null.
        null_fields: fields of a null; None if nulls have no shape of their own.

    Raises:
        ValueError: values and nulls could not be told apart, or the fields do not make up the type.
    """

    def __init__(self, column: Column, fields: Sequence[Field], null: Sequence[Field] | None) -> None:
        self.column = column
        self.fields = [_slot(column, field) for field in fields]
        self.null_fields = None if null is None else [_slot(column, field) for field in null]
        self._check()

    @classmethod
    def of(cls, layout: Layout, type: pa.DataType, options: SortOptions, depth: int = 0) -> Form:
        """Returns the form of a type.

        Raises:
            ValueError: the layout has no shape for the type, or an invalid one, or the type is nested deeper than
                `MAX_DEPTH`.
        """
        if isinstance(type, pa.BaseExtensionType):
            type = type.storage_type
        if depth > MAX_DEPTH:
            raise ValueError(f"fields: types are nested deeper than {MAX_DEPTH}")
        name = type_name(type)
        precision = type.precision if pa.types.is_decimal(type) else 0
        case = layout.encoding(options).case(name, precision)
        if case is None:
            raise ValueError(f"fields: the {layout.name} layout has no shape for {type}")
        bound = (precision,) * next(count for pattern, count in case.patterns if pattern in (name, "any"))
        null = None if case.null is None else case.null(*bound)
        return cls(Column(layout, type, options, depth), case.fields(*bound), null)

    @cached_property
    def null(self) -> bytes:
        """The bytes of a null."""
        if self.null_fields is not None:
            return self._write(self.null_fields, None)
        return self._write(self.fields, (bytes([self.column.type.type_codes[0]]), None) if self._is_union else None)

    def learn(self, values: Sequence[Any]) -> None:
        """Passes values that will be encoded together to codecs that keep state."""
        for slot in self.fields:
            for codec in slot.codecs:
                codec.learn(values)

    def encode(self, value: Any) -> bytes:
        """Returns the bytes of a value, None for null."""
        return self.null if value is None else self._write(self.fields, value)

    def decode(self, data: Any) -> tuple[Any, int]:
        """Returns the value at the start of ``data`` and its number of bytes.

        Raises:
            Broken: ``encode`` cannot have made the bytes.
        """
        view = memoryview(data)
        if self.null_fields is not None and self.null:
            if not len(view):
                raise Broken(0, TRUNCATED)
            if view[0] == self.null[0]:
                return None, self._read_null(view)
        values: dict[str, Any] = {}
        place = 0
        for number, slot in enumerate(self.fields):
            try:
                value, used = self._read(slot, view[place:], values)
            except Broken as error:
                raise Broken(error.offset + place, error.rule) from None
            if slot.is_derived and bytes(view[place : place + used]) != self._field(slot, slot.derived, values):
                raise Broken(place, SENTINEL if number == 0 else RANGE)
            if not slot.is_derived:
                values[slot.name] = value
            place += used
        return self._joined(list(values.values())), place

    def constant(self, slot: Slot) -> bytes:
        """Returns the bytes of a derived field."""
        return self._field(slot, slot.derived, {})

    @property
    def _is_union(self) -> bool:
        return type_name(self.column.type) == "union"

    def _write(self, slots: Sequence[Slot], value: Any) -> bytes:
        parts = iter(self._parts([slot for slot in slots if not slot.is_derived], value))
        before: dict[str, Any] = {}
        out = []
        for slot in slots:
            part = slot.derived if slot.is_derived else next(parts)
            out.append(self._field(slot, part, before))
            before[slot.name] = part
        return b"".join(out)

    def _parts(self, slots: Sequence[Slot], value: Any) -> Sequence[Any]:
        """Returns the part of a value that each field holds; the fields are not derived."""
        if len(slots) <= 1:
            return [value][: len(slots)]
        if isinstance(value, tuple):
            return value
        parts, place = [], 0
        for slot in slots:
            assert slot.size is not None
            parts.append(value[place : place + slot.size])
            place += slot.size
        return parts

    def _joined(self, parts: Sequence[Any]) -> Any:
        if not parts:
            return None
        if len(parts) > 1:
            return tuple(parts) if self._is_union else b"".join(parts)
        return self._checked(parts[0])

    def _checked(self, value: Any) -> Any:
        kind = self.column.type
        if not isinstance(value, bytes):
            return value
        if type_name(kind) in ("utf8", "large_utf8", "utf8_view"):
            try:
                value.decode()
            except UnicodeDecodeError:
                raise Broken(0, UTF8) from None
        if pa.types.is_boolean(kind) and value not in (b"\0", b"\1"):
            raise Broken(0, RANGE)
        if is_bounded(kind):
            try:
                pa.Array.from_buffers(kind, 1, [None, pa.py_buffer(value)]).validate(full=True)
            except pa.ArrowInvalid:
                raise Broken(0, RANGE) from None
        return value

    def _field(self, slot: Slot, value: Any, before: Mapping[str, Any]) -> bytes:
        """Returns the bytes of a field in the row."""
        if slot.is_number and self.column.is_big:
            value = value[::-1]
        for codec in slot.codecs:
            value = codec.bound(before).encode(value)
        out: bytes = value
        return out

    def _read(self, slot: Slot, view: memoryview, before: Mapping[str, Any]) -> tuple[Any, int]:
        """Returns the value of a field and its number of bytes."""
        if slot.size is not None:
            if len(view) < slot.size:
                raise Broken(0, TRUNCATED)
            data = bytes(view[: slot.size])
            for codec in reversed(slot.codecs):
                assert isinstance(codec, Transform)
                data = codec.decode(data)
            return data[::-1] if slot.is_number and self.column.is_big else data, slot.size
        found: Any = view
        used: int | None = None
        for codec in reversed(slot.codecs):
            if isinstance(codec, Transform):
                found = codec.decode(found)
                continue
            whole = len(found)
            found, taken = codec.bound(before).decode(found)
            if used is None:
                used = taken
            elif taken != whole:
                raise Broken(0, ITEM_LEFTOVER)
        assert used is not None
        return found, used

    def _read_null(self, view: memoryview) -> int:
        null = self.null
        if bytes(view[: len(null)]) != null:
            raise Broken(0, TRUNCATED if len(view) < len(null) else NULL_PADDING)
        return len(null)

    def _check(self) -> None:
        """Raises ValueError for a shape whose values cannot be told apart or split into fields."""
        kind = self.column.type
        free = [slot for slot in self.fields if not slot.is_derived]
        if len(free) > 1 and not self._is_union:
            if None in [slot.size for slot in free] or sum(slot.size or 0 for slot in free) != self.column.width:
                raise ValueError(f"fields: the fields of {kind} do not make up its {self.column.width} bytes")
        elif self._is_union and [slot.size for slot in free] != [1, None]:
            raise ValueError("fields: a union is its type id and a value")
        elif len(free) == 1 and free[0].size not in (None, self.column.width):
            raise ValueError(f"fields: {free[0].name} of {kind} has {free[0].size} bytes, not {self.column.width}")
        elif not free and not pa.types.is_null(kind):
            raise ValueError(f"fields: the shape of {kind} does not hold its values")
        if self.null_fields is None:
            return
        if not self.null_fields or any(not slot.is_derived for slot in self.null_fields):
            raise ValueError(f"fields: the null shape of {kind} has no bytes, or holds a value")
        mark = self._write(self.null_fields[:1], None)[0]
        if mark in self._first_bytes():
            raise ValueError(f"fields: a null of {kind} cannot be told from a value")

    def _first_bytes(self) -> set[int]:
        """Returns the bytes that values are known to begin with."""
        slot = self.fields[0]
        if slot.is_derived:
            return set(self._field(slot, slot.derived, {})[:1])
        found: set[int] = set()
        for codec in slot.codecs:
            if isinstance(codec, Framed):
                found = set(codec.first_bytes or ())
            elif isinstance(codec, Transform) and found:
                found = {codec.encode(bytes([each]))[0] for each in found}
        return found


def _slot(column: Column, field: Field) -> Slot:
    if not all(use.codec.target and use.codec.result == "bytes" for use in field.via):
        raise ValueError(f"fields: {field.name} has a codec that is not external, or not of bytes")
    codecs = tuple(external(use.codec.target)(column, *use.arguments) for use in field.via)
    is_number = field.type == "native" or field.type in _WIDTHS
    if not is_number and field.type != "bytes":
        raise ValueError(f"fields: {field.name} is of type {field.type}, which a row cannot hold")
    if field.rules:
        raise ValueError(f"fields: {field.name} has a clause that a row cannot hold: {field.rules[0]}")
    size = _WIDTHS.get(field.type, column.width if field.type == "native" else None)
    if field.count is not None:
        size = column.width if field.count is WIDTH else int(field.count)
    if size is None and not any(not isinstance(codec, Transform) for codec in codecs):
        raise ValueError(f"fields: nothing tells where {field.name} ends")
    if size is not None and not all(isinstance(codec, Transform) for codec in codecs):
        raise ValueError(f"fields: {field.name} has two sizes")
    if any(isinstance(codec, Selected) for codec in codecs[1:]):
        raise ValueError(f"fields: {field.name} selects among bytes")
    derived = None
    if field.is_derived and field.derived is not None:
        assert size is not None
        derived = _constant(field, size)
    return Slot(field.name, size, is_number, derived, field.is_derived, codecs)


def _constant(field: Field, size: int) -> bytes:
    """Returns a derived number in little-endian bytes; for a field of bytes, that number in every byte."""
    value: Any = field.derived
    try:
        return bytes([value]) * size if field.type == "bytes" else int(value).to_bytes(size, "little")
    except (OverflowError, ValueError, TypeError):
        raise ValueError(f"fields: {field.name} cannot be {value!r}") from None
