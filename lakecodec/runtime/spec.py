"""Descriptions of generated types: the content of ``__spec__``, which drives both backends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import reduce
from importlib.machinery import ModuleSpec
from typing import Any, Literal, cast

Requiredness = Literal["required", "optional", "default"]

#: Kinds of values on the wire of a struct.
ValueKind = Literal[
    "bool", "i8", "i16", "i32", "i64", "double", "binary", "string", "uuid",
    "enum", "struct", "list", "set", "map",
    "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64", "float",
]  # fmt: skip


_UNHASHABLE = frozenset(("struct", "list", "set", "map"))


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """The type of a field.

    Attributes:
        cls: the generated class of an enum, or of a type with fields; all of the latter have the kind ``struct``.
        key: the type of a map's keys.
        value: the type of a container's elements.
        packed: whether a list in a protobuf message is written packed, if its elements allow it.
        group: whether a message in a protobuf message stands between two tags, and not behind its length.
    """

    kind: ValueKind
    cls: type | None = None
    key: TypeSpec | None = None
    value: TypeSpec | None = None
    packed: bool = True
    group: bool = False

    def __str__(self) -> str:
        if self.cls is not None:
            return self.cls.__name__
        parts = ", ".join(str(part) for part in (self.key, self.value) if part is not None)
        return f"{self.kind}<{parts}>" if parts else self.kind


class FieldSpec:
    """The description of one field.

    Attributes:
        name: the name in the IDL.
        id: the field id of a struct; the position, from 1, in a record.
        type: a TypeSpec; in a record the name of its type.
        requiredness: ``required``, ``optional`` or ``default`` (neither word).
        factory: makes a default that must not be shared, else None.
        attr: the Python attribute: ``name``, or its replacement if Python reserves that.
    """

    __slots__ = ("_default", "_doc", "attr", "factory", "id", "name", "requiredness", "type")

    def __init__(
        self,
        name: str,
        id: int,
        type: Any,
        requiredness: Requiredness = "default",
        default: Any = None,
        doc: str | Callable[[], str] = "",
        attr: str = "",
        *,
        factory: Callable[[], Any] | None = None,
    ) -> None:
        self.name = name
        self.id = id
        self.type = type
        self.requiredness = requiredness
        self.factory = factory
        self.attr = attr or name
        self._default = default
        self._doc = doc

    @property
    def default(self) -> Any:
        """The IDL's default, None without one; lists, maps and structs are made anew."""
        return self._default if self.factory is None else self.factory()

    @property
    def doc(self) -> str:
        """The IDL's documentation; empty where a generated module was installed without its source."""
        return self._doc if isinstance(self._doc, str) else self._doc()

    def __repr__(self) -> str:
        return f"FieldSpec({self.name!r}, {self.id}, {self.type}, {self.requiredness!r}, {self.default!r})"


@dataclass(frozen=True, slots=True)
class Spec:
    """The description of one generated type.

    Attributes:
        source: the IDL file and the line of its declaration.
        computed: the attributes of a record that are computed from its fields.
    """

    name: str
    kind: Literal["struct", "union", "enum", "record", "variant", "message", "oneof"]
    cls: type
    fields: Sequence[FieldSpec] = ()
    source: tuple[str, int] = ("", 0)
    doc: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    computed: Sequence[FieldSpec] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", tuple(self.fields))
        object.__setattr__(self, "computed", tuple(self.computed))


def scalar(kind: ValueKind) -> TypeSpec:
    return TypeSpec(kind)


BOOL, I8, I16, I32, I64 = scalar("bool"), scalar("i8"), scalar("i16"), scalar("i32"), scalar("i64")
DOUBLE, BINARY, STRING, UUID = scalar("double"), scalar("binary"), scalar("string"), scalar("uuid")
#: Types that only messages have. In messages I32, I64 and BINARY are protobuf's int32, int64 and bytes.
UINT32, UINT64, SINT32, SINT64 = scalar("uint32"), scalar("uint64"), scalar("sint32"), scalar("sint64")
FIXED32, FIXED64, SFIXED32, SFIXED64 = scalar("fixed32"), scalar("fixed64"), scalar("sfixed32"), scalar("sfixed64")
FLOAT = scalar("float")


def enum_(cls: type) -> TypeSpec:
    return TypeSpec("enum", cls)


def struct_(cls: type) -> TypeSpec:
    """Returns the type of a nested struct or union (the wire does not tell them apart)."""
    return TypeSpec("struct", cls)


def group(cls: str) -> TypeSpec:
    """Returns the type of a group of protobuf; ``cls`` names the class of its message until `resolve`."""
    return TypeSpec("struct", value=cast(TypeSpec, cls), group=True)


def list_(value: TypeSpec | str, *, packed: bool = True) -> TypeSpec:
    """Returns a list; a ``str`` names a class of the module, here and in the other containers, until `resolve`."""
    return TypeSpec("list", value=cast(TypeSpec, value), packed=packed)


def set_(value: TypeSpec | str) -> TypeSpec:
    return TypeSpec("set", value=cast(TypeSpec, value))


def map_(key: TypeSpec | str, value: TypeSpec | str) -> TypeSpec:
    return TypeSpec("map", key=cast(TypeSpec, key), value=cast(TypeSpec, value))


def resolve(type_: TypeSpec | str, names: Mapping[str, Any]) -> TypeSpec:
    """Returns ``type_`` with class names replaced by classes; ``names`` are the globals of the module that uses it."""
    if isinstance(type_, str):
        first, *rest = type_.split(".")
        cls = reduce(getattr, rest, names[first])
        return enum_(cls) if issubclass(cls, IntEnum) else struct_(cls)
    if type_.value is None:
        return type_
    if type_.kind == "struct":
        return replace(resolve(type_.value, names), group=True)
    key = None if type_.key is None else resolve(type_.key, names)
    return TypeSpec(type_.kind, None, key, resolve(type_.value, names), type_.packed)


def hashable(type_: TypeSpec) -> bool:
    """Returns whether values of the type can be in a set or be keys of a dict: scalars, and unions of empty structs."""
    if type_.kind not in _UNHASHABLE:
        return True
    if type_.kind != "struct" or type_.cls is None:
        return False
    spec = type_.cls.__spec__  # type: ignore[attr-defined]
    return spec.kind == "union" and all(is_marker(member.type) for member in spec.fields)


def is_marker(type_: TypeSpec) -> bool:
    """Returns whether the type is a struct without fields, and without the annotation ``lakecodec.codec``."""
    if type_.kind != "struct" or type_.cls is None:
        return False
    spec = type_.cls.__spec__  # type: ignore[attr-defined]
    return spec.kind == "struct" and not spec.fields and "lakecodec.codec" not in spec.annotations


class SpecTable(ModuleSpec, Mapping[str, Spec]):
    """The ``__spec__`` of a generated module: a mapping of type name -> Spec that is also the module's import spec."""

    def __init__(self, module: ModuleSpec | None, name: str, specs: Iterable[Spec]) -> None:
        if module is None:
            super().__init__(name, None)
        else:
            super().__init__(module.name, module.loader, origin=module.origin)
            self.submodule_search_locations = module.submodule_search_locations
            self.cached = module.cached
            self.has_location = module.has_location
        self._specs: dict[str, Spec] = {}
        self.add(specs)

    def add(self, specs: Iterable[Spec]) -> None:
        """Adds descriptions, and sets each class's own."""
        for spec in specs:
            self._specs[spec.name] = spec
            spec.cls.__spec__ = spec  # type: ignore[attr-defined]

    def __getitem__(self, name: str) -> Spec:
        return self._specs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)
