"""Hand-made classes with native codecs: every kind of field, recursion, odd ids, many fields, a hand-written codec."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from lakecodec.runtime.compact import interpret, native
from lakecodec.runtime.compact.base import Marker, Struct, Union
from lakecodec.runtime.spec import (
    BINARY,
    BOOL,
    DOUBLE,
    I8,
    I16,
    I32,
    I64,
    STRING,
    UUID,
    FieldSpec,
    Spec,
    TypeSpec,
    enum_,
    list_,
    map_,
    set_,
    struct_,
)  # fmt: skip

FORMAT = "classes"


class Color(IntEnum):
    RED = 0
    GREEN = 1
    BLUE = 4


class Far(IntEnum):
    """Numbers too far apart for a table."""

    LOW = -(2**31)
    NEAR = 3
    HIGH = 2**31 - 1


class Empty(Marker):
    __slots__ = ()


class Inner(Struct):
    __slots__ = ("s", "x")


class Choice(Union):
    __slots__ = ()


class Mark(Union):
    """A union of structs without fields alone, and so hashable."""

    __slots__ = ()


class Blob(Struct):
    """Written by hand: a length byte, then that many bytes; a length over 100 is an error of its own."""

    __slots__ = ("data",)

    class __custom__:
        @staticmethod
        def read(data: memoryview, pos: int) -> tuple[Blob, int]:
            from lakecodec.runtime.errors import DecodeError

            size = data[pos]
            if size > 100:
                raise DecodeError("a blob over 100 bytes", format="blob", path="size", offset=pos)
            end = pos + 1 + size
            if end > len(data):
                raise IndexError
            blob = object.__new__(Blob)
            blob.data = bytes(data[pos + 1 : end])
            return blob, end

        @staticmethod
        def write(value: Any) -> bytes:
            from lakecodec.runtime.errors import EncodeError

            if len(value.data) > 100:
                raise EncodeError("a blob over 100 bytes", format="blob", path="size")
            return bytes([len(value.data)]) + bytes(value.data)

    data: bytes


class Holder(Struct):
    __slots__ = ("blob", "blobs")


class All(Struct):
    __slots__ = (
        "binary",
        "by_far",
        "by_inner",
        "by_name",
        "choice",
        "color",
        "double",
        "doubles",
        "empty",
        "far",
        "flag",
        "flags",
        "i8",
        "i16",
        "i16s",
        "i32",
        "i32_set",
        "i64",
        "i64s",
        "inner",
        "inner_set",
        "inners",
        "mark_set",
        "nested",
        "string",
        "strings",
        "uuid",
        "uuids",
    )  # fmt: skip


class Tree(Struct):
    __slots__ = ("left", "others", "right", "value")


class Odd(Struct):
    __slots__ = ("high", "low", "middle", "negative", "zero")


class Wide(Struct):
    __slots__ = tuple(f"f{number}" for number in range(1, 101))


class Defaults(Struct):
    __slots__ = ("absent", "chosen", "names", "number", "pairs")


#: What has a default of its own for each instance.
NAMES = [["a"], ["b", "c"]]

ALL = [
    ("flag", BOOL), ("i8", I8), ("i16", I16), ("i32", I32), ("i64", I64), ("double", DOUBLE), ("binary", BINARY),
    ("string", STRING), ("uuid", UUID), ("color", enum_(Color)), ("far", enum_(Far)), ("inner", struct_(Inner)),
    ("choice", struct_(Choice)), ("flags", list_(BOOL)), ("i16s", list_(I16)), ("i64s", list_(I64)),
    ("inners", list_(struct_(Inner))), ("i32_set", set_(I32)), ("inner_set", set_(struct_(Inner))),
    ("mark_set", set_(struct_(Mark))), ("by_name", map_(STRING, I32)), ("by_inner", map_(struct_(Inner), BOOL)),
    ("by_far", map_(enum_(Far), list_(BINARY))), ("empty", struct_(Empty)), ("nested", list_(list_(I8))),
    ("doubles", list_(DOUBLE)), ("strings", set_(STRING)), ("uuids", list_(UUID)),
]  # fmt: skip


def _optional(fields: list[tuple[str, TypeSpec]]) -> tuple[FieldSpec, ...]:
    return tuple(FieldSpec(name, number, type_, "optional") for number, (name, type_) in enumerate(fields, 1))


SPECS = [
    Spec("Empty", "struct", Empty),
    Spec("Inner", "struct", Inner, (FieldSpec("x", 1, I32, "required"), FieldSpec("s", 2, STRING, "optional"))),
    Spec(
        "Choice",
        "union",
        Choice,
        (
            FieldSpec("EMPTY", 1, struct_(Empty)),
            FieldSpec("INNER", 2, struct_(Inner)),
            FieldSpec("FLAG", 3, BOOL),
            FieldSpec("NUMBER", 17, I64),
            FieldSpec("NAMES", -5, list_(STRING)),
        ),
    ),
    Spec("Mark", "union", Mark, (FieldSpec("A", 1, struct_(Empty)), FieldSpec("B", 20, struct_(Empty)))),
    Spec("Blob", "struct", Blob, annotations={"lakecodec.codec": "blob"}),
    Spec(
        "Holder",
        "struct",
        Holder,
        (FieldSpec("blob", 1, struct_(Blob), "optional"), FieldSpec("blobs", 2, list_(struct_(Blob)), "optional")),
    ),
    Spec("All", "struct", All, _optional(ALL)),
    Spec(
        "Tree",
        "struct",
        Tree,
        (
            FieldSpec("value", 1, I64, "required"),
            FieldSpec("left", 2, struct_(Tree), "optional"),
            FieldSpec("right", 3, struct_(Tree), "optional"),
            FieldSpec("others", 4, list_(struct_(Tree)), "optional"),
        ),
    ),
    Spec(
        "Odd",
        "struct",
        Odd,
        (
            FieldSpec("negative", -7, I32, "optional"),
            FieldSpec("high", 32767, BINARY, "optional"),
            FieldSpec("low", -32768, BOOL, "optional"),
            FieldSpec("middle", 300, STRING, "optional"),
            FieldSpec("zero", 0, I8, "optional"),
        ),
    ),
    Spec("Wide", "struct", Wide, tuple(FieldSpec(f"f{n}", n, I32, "required") for n in range(1, 101))),
    Spec(
        "Defaults",
        "struct",
        Defaults,
        (
            FieldSpec("names", 1, list_(list_(STRING)), "default", NAMES),
            FieldSpec("number", 2, I32, "default", 7),
            FieldSpec("absent", 3, I32, "optional", 8),
            FieldSpec("chosen", 4, enum_(Color), "default", Color.BLUE),
            FieldSpec("pairs", 5, map_(STRING, I32), "default", {"one": 1}),
        ),
    ),
]
_UNION_MEMBERS = {Choice: [("EMPTY", 1)], Mark: [("A", 1), ("B", 20)]}


def _define() -> dict[type, Any]:
    for spec in SPECS:
        spec.cls.__spec__ = spec  # type: ignore[attr-defined]
    for union, members in _UNION_MEMBERS.items():
        union.__singletons__ = {id: union._make(name, Empty(), id) for name, id in members}
    codecs = native.define(SPECS, FORMAT)
    for cls, codec in codecs.items():
        cls.__codec__ = codec  # type: ignore[attr-defined]
    return codecs


CODECS = _define()


def make(cls: Any, **values: Any) -> Any:
    """An instance with the given fields; the others are None."""
    made = object.__new__(cls)
    for field in cls.__spec__.fields:
        setattr(made, field.attr, values.pop(field.name, None))
    assert not values
    return made


def decode(
    cls: Any, data: Any, *, depth: int = 64, elements: int = 2**24, views: bool = False, text: str = "strict"
) -> Any:
    """The value of all of ``data``."""
    value, end = CODECS[cls].decode(data, 0, depth, elements, views, text)
    assert end == len(data)
    return value


def oracle(
    cls: Any, data: bytes, *, depth: int = 64, elements: int = 2**24, text: str = "strict", tree: Any = True
) -> Any:
    """(value, end) by interpretation of the specs in Python."""
    reading = interpret.Reading(f"{FORMAT}.{cls.__spec__.name}", depth, elements, text=text)
    return interpret.decode(cls.__spec__, data, 0, reading, tree)
