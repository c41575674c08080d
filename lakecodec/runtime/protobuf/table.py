"""Tables of a message's fields by number, for both backends; the members of oneofs are entries of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..memo import kept_with
from ..spec import FieldSpec, TypeSpec

VARINT, FIXED64, BYTES, START_GROUP, END_GROUP, FIXED32 = range(6)

WIRE_TYPES = {
    "bool": VARINT, "i32": VARINT, "i64": VARINT, "uint32": VARINT, "uint64": VARINT, "sint32": VARINT,
    "sint64": VARINT, "enum": VARINT, "fixed64": FIXED64, "sfixed64": FIXED64, "double": FIXED64, "fixed32": FIXED32,
    "sfixed32": FIXED32, "float": FIXED32, "string": BYTES, "binary": BYTES, "struct": BYTES, "map": BYTES,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A field of a message, or a member of a oneof in it.

    Attributes:
        number: its number on the wire.
        field: the field; for a member of a oneof, the message's field that holds the oneof.
        type: the type of one occurrence: for a list, of one element.
        wire: the wire type of one occurrence.
        is_list: whether occurrences are elements of a list.
        packable: whether elements may stand one behind the other under one tag of wire type BYTES.
        implicit: whether the type's zero is not written, since a missing field means zero.
        name: the name in paths.
        oneof: the oneof's class, None for other fields.
    """

    number: int
    field: FieldSpec
    type: TypeSpec
    wire: int
    is_list: bool
    packable: bool
    implicit: bool
    name: str
    oneof: Any = None


def is_message(type_: TypeSpec) -> bool:
    return type_.kind == "struct"


def entries_of(fields: tuple[FieldSpec, ...]) -> list[Entry]:
    """Returns the entries of a message's fields in the order of their numbers, in which they are written."""
    found: list[Entry] = []
    for field in fields:
        cls: Any = field.type.cls
        if field.type.kind == "struct" and cls.__spec__.kind == "oneof":
            for member in cls.__spec__.fields:
                path = f"{field.name}.{member.name}"
                found.append(_entry(member.id, field, member.type, path, cls))
        else:
            found.append(_entry(field.id, field, field.type, field.name))
    return sorted(found, key=lambda entry: entry.number)


def _entry(number: int, field: FieldSpec, type_: TypeSpec, name: str, oneof: Any = None) -> Entry:
    is_list = type_.kind == "list"
    one = type_.value if is_list else type_
    assert one is not None
    wire = START_GROUP if one.group else WIRE_TYPES[one.kind]
    implicit = oneof is None and field.requiredness == "default" and str(field.default) != "-0.0" and not field.default
    return Entry(number, field, one, wire, is_list, is_list and wire not in (BYTES, START_GROUP), implicit, name, oneof)


@dataclass(frozen=True, slots=True)
class Table:
    """The entries of a message in the order of their numbers, and by number; ``required`` are the required fields."""

    entries: tuple[Entry, ...]
    by_number: dict[int, Entry]
    required: tuple[FieldSpec, ...]


@kept_with
def table_of(cls: Any) -> Table:
    """Returns the table of a message's class."""
    fields = cls.__spec__.fields
    entries = entries_of(fields)
    required = tuple(field for field in fields if field.requiredness == "required")
    return Table(tuple(entries), {entry.number: entry for entry in entries}, required)


@kept_with
def has_no_required(cls: Any) -> bool:
    """Returns whether a message has no required fields, nor any message inside."""
    return not any(table_of(each).required for each in _reached(cls))


def _reached(cls: Any) -> set[Any]:
    found: set[Any] = set()
    pending = [cls]
    while pending:
        each = pending.pop()
        if each not in found:
            found.add(each)
            pending += [inner for entry in table_of(each).entries for inner in message_classes(entry.type)]
    return found


def message_classes(type_: TypeSpec) -> list[Any]:
    """Returns the message classes of a type: of the value itself, or of a map's values."""
    inner = type_.value if type_.kind == "map" else type_
    assert inner is not None
    return [inner.cls] if inner.kind == "struct" else []


#: Functions, by kind, that make the default of an absent field or of a map entry without a value.
ZEROS: dict[str, Callable[[], Any]] = {"string": str, "binary": bytes, "bool": bool, "double": float, "float": float}


def zero(type_: TypeSpec) -> Any:
    """Returns protobuf's default of a key or value of a map."""
    cls: Any = type_.cls
    if type_.kind == "enum":
        return cls._value2member_map_.get(0, 0)
    return cls() if type_.kind == "struct" else ZEROS.get(type_.kind, int)()
