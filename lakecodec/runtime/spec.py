"""Descriptions of generated types: what ``__spec__`` holds and what both backends are driven by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from typing import Any, Literal

Requiredness = Literal["required", "optional", "default"]

#: Kinds of values on the wire of a struct.
ValueKind = Literal[
    "bool", "i8", "i16", "i32", "i64", "double", "binary", "string", "uuid",
    "enum", "struct", "list", "set", "map",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """A field's type. ``cls`` is the generated class of an enum, struct or union; containers carry their parts."""

    kind: ValueKind
    cls: type | None = None
    key: TypeSpec | None = None
    value: TypeSpec | None = None

    def __str__(self) -> str:
        if self.cls is not None:
            return self.cls.__name__
        parts = ", ".join(str(part) for part in (self.key, self.value) if part is not None)
        return f"{self.kind}<{parts}>" if parts else self.kind


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field. ``attr`` is the Python attribute: ``name``, with an underscore added where Python reserves it."""

    name: str
    id: int
    type: Any
    requiredness: Requiredness = "default"
    default: Any = None
    doc: str = ""
    attr: str = ""

    def __post_init__(self) -> None:
        if not self.attr:
            object.__setattr__(self, "attr", self.name)


@dataclass(frozen=True, slots=True)
class Spec:
    """One generated type."""

    name: str
    kind: Literal["struct", "union", "enum", "record", "variant"]
    cls: type
    fields: Sequence[FieldSpec] = ()
    source: tuple[str, int] = ("", 0)
    doc: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", tuple(self.fields))


def scalar(kind: ValueKind) -> TypeSpec:
    return TypeSpec(kind)


BOOL, I8, I16, I32, I64 = scalar("bool"), scalar("i8"), scalar("i16"), scalar("i32"), scalar("i64")
DOUBLE, BINARY, STRING, UUID = scalar("double"), scalar("binary"), scalar("string"), scalar("uuid")


def enum_(cls: type) -> TypeSpec:
    return TypeSpec("enum", cls)


def struct_(cls: type) -> TypeSpec:
    """A nested struct or union (the wire does not tell them apart)."""
    return TypeSpec("struct", cls)


def list_(value: TypeSpec) -> TypeSpec:
    return TypeSpec("list", value=value)


def set_(value: TypeSpec) -> TypeSpec:
    return TypeSpec("set", value=value)


def map_(key: TypeSpec, value: TypeSpec) -> TypeSpec:
    return TypeSpec("map", key=key, value=value)


class SpecTable(ModuleSpec, Mapping[str, Spec]):
    """What a generated module's ``__spec__`` is: type name -> Spec, and still the module's import spec."""

    def __init__(self, module: ModuleSpec | None, name: str, specs: Iterable[Spec]) -> None:
        if module is None:
            super().__init__(name, None)
        else:
            super().__init__(module.name, module.loader, origin=module.origin)
            self.submodule_search_locations = module.submodule_search_locations
            self.cached = module.cached
            self.has_location = module.has_location
        self._specs = {spec.name: spec for spec in specs}
        for spec in self._specs.values():
            spec.cls.__spec__ = spec  # type: ignore[attr-defined]

    def __getitem__(self, name: str) -> Spec:
        return self._specs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)
