"""Structs, exceptions, unions and messages as layouts: wire types, and the header bytes that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...runtime.compact.wire import WIRE_TYPES
from ..model import Enum, Field, ListOf, MapOf, Scalar, Struct, Type
from .types import CODEC_ANNOTATION, is_marker

#: Numbers of varints, and their bits.
_BITS = {"i16": 16, "i32": 32, "i64": 64}


@dataclass(frozen=True, slots=True)
class ValueLayout:
    """A value as generated code reads and writes it inline.

    Attributes:
        kind: `int`, `bool`, `i8`, `double`, `binary`, `string`, `struct`, `list`, or `other` for what is interpreted.
        wire: the wire type.
        bits: of a number.
        target: the enum or struct.
        element: of a list.
    """

    kind: str
    wire: int
    bits: int = 0
    target: Enum | Struct | None = None
    element: ValueLayout | None = None


@dataclass(frozen=True, slots=True)
class StructFieldLayout:
    """A field of a struct.

    Attributes:
        keys: ``id << 4 | wire type`` of the headers that announce it.
        header: the header byte without its type where it is known, else None: then ``short`` says that the short form fits.
        remember: the writer must remember this field as the last one written.
    """

    field: Field
    value: ValueLayout
    keys: tuple[int, ...]
    header: int | None
    short: bool
    remember: bool

    @property
    def required(self) -> bool:
        return self.field.requiredness == "required"


@dataclass(frozen=True, slots=True)
class StructLayout:
    """A struct, exception, union, message or oneof.

    Attributes:
        fields: in the order of the ids, in which they are written.
        codec: "module:name" of the codec written by hand that reads and writes it; empty where there is none.
        marker: it has no fields, and one instance is shared.
        starts_unknown: a header may depend on no field having been written.
    """

    struct: Struct
    fields: tuple[StructFieldLayout, ...]
    codec: str
    marker: bool
    starts_unknown: bool

    @property
    def is_compact(self) -> bool:
        """True for what is in Thrift's Compact protocol."""
        return not self.struct.is_protobuf

    @property
    def is_generated(self) -> bool:
        """True where it gets a reader and a writer of its own, or one made of its members'."""
        return self.is_compact and not self.codec and not self.marker

    @property
    def nested(self) -> tuple[StructFieldLayout, ...]:
        """The members of a union that are structs with fields."""
        return tuple(
            each for each in self.fields if isinstance(each.field.type, Struct) and not is_marker(each.field.type)
        )

    def of(self, field: Field) -> StructFieldLayout:
        """Returns the layout of a field."""
        return next(each for each in self.fields if each.field is field)


def lower_struct(struct: Struct) -> StructLayout:
    """Returns the layout of a struct of the model."""
    fields = _fields(sorted(struct.fields, key=lambda field: field.id), compact=not struct.is_protobuf)
    codec = struct.annotations.get(CODEC_ANNOTATION, "")
    starts_unknown = _remember((each.header, each.required) for each in fields)
    return StructLayout(struct, fields, codec, is_marker(struct), starts_unknown)


def _fields(fields: Sequence[Field], *, compact: bool) -> tuple[StructFieldLayout, ...]:
    """Follows which field may have been written last, to fix header bytes where possible."""
    possible = {0}
    headers: list[tuple[int | None, bool]] = []
    for field in fields:
        deltas = {field.id - last for last in possible}
        short = all(0 < delta < 16 for delta in deltas)
        headers.append((deltas.pop() << 4 if len(deltas) == 1 and short else None, short))
        possible = {field.id} if field.requiredness == "required" else possible | {field.id}
    known = [(header, field.requiredness == "required") for (header, _), field in zip(headers, fields, strict=True)]
    found = []
    for number, (field, (header, short)) in enumerate(zip(fields, headers, strict=True)):
        value = lower_value(field.type) if compact else ValueLayout("other", 0)
        keys = (field.id << 4 | 1, field.id << 4 | 2) if value.kind == "bool" else (field.id << 4 | value.wire,)
        found.append(StructFieldLayout(field, value, keys, header, short, _remember(known[number + 1 :])))
    return tuple(found)


def _remember(later: Iterable[tuple[int | None, bool]]) -> bool:
    """Returns whether a field may be the last one written when a header is reached whose byte depends on that.

    ``later`` are the (header, required) of the fields after it.
    """
    for header, required in later:
        if header is None:
            return True
        if required:
            return False
    return False


def lower_value(type_: Type) -> ValueLayout:
    """Returns the layout of a value of the Compact protocol."""
    match type_:
        case Scalar(kind="i16" | "i32" | "i64" as kind):
            return ValueLayout("int", WIRE_TYPES[kind], _BITS[kind])
        case Scalar(kind=kind):
            return ValueLayout("other" if kind == "uuid" else kind, WIRE_TYPES[kind])
        case Enum():
            return ValueLayout("int", WIRE_TYPES["enum"], 32, type_)
        case Struct():
            return ValueLayout("struct", WIRE_TYPES["struct"], target=type_)
        case ListOf():
            element = lower_value(type_.value)
            inline = element.kind in ("int", "binary", "string", "struct")
            return ValueLayout("list" if inline else "other", WIRE_TYPES["list"], element=element if inline else None)
    return ValueLayout("other", WIRE_TYPES["map" if isinstance(type_, MapOf) else "set"])
