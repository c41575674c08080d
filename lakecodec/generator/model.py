"""The resolved model of an IDL module: names are objects, typedefs are gone, ids and enum numbers are filled in.

``resolve/`` makes it from the syntax tree, ``check/`` and ``lint.py`` judge it, ``lower/`` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from .diagnostics import Location
from .syntax import ComputedDef, Expr, Loop, RecordField, TableColumn, Where

ScalarKind = Literal[
    "bool", "i8", "i16", "i32", "i64", "double", "binary", "string", "uuid",
    "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64", "float",
]  # fmt: skip
StructKind = Literal["struct", "union", "exception", "message", "oneof"]
Requiredness = Literal["required", "optional", "default"]


@dataclass(frozen=True, slots=True)
class Scalar:
    kind: ScalarKind


@dataclass(frozen=True, slots=True)
class ListOf:
    value: Type


@dataclass(frozen=True, slots=True)
class SetOf:
    value: Type


@dataclass(frozen=True, slots=True)
class MapOf:
    key: Type
    value: Type


Type: TypeAlias = "Scalar | ListOf | SetOf | MapOf | Enum | Struct"


@dataclass(eq=False, slots=True)
class EnumMember:
    name: str
    number: int
    location: Location
    doc: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    #: The location of the number in the IDL.
    number_location: Location | None = None
    #: The name in generated Python, as in the classes below. `names.py` gives it.
    python: str = ""


@dataclass(eq=False, slots=True)
class Enum:
    name: str
    module: Module
    location: Location
    members: list[EnumMember] = field(default_factory=list)
    doc: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    python: str = ""

    @property
    def is_wide(self) -> bool:
        """True where its numbers may have 64 bits; Thrift's and protobuf's have 32."""
        return self.annotations.get("lakecodec.bits") == "64"


@dataclass(eq=False, slots=True)
class Field:
    """A field of a struct with its id; of a message, with its number."""

    name: str
    id: int
    type: Type
    requiredness: Requiredness
    location: Location
    has_default: bool = False
    default: Any = None
    doc: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    #: False if the IDL has no id and the id was counted down from -1, as Thrift does.
    explicit_id: bool = True
    #: Whether it is a `&` reference of Thrift's C++ generator.
    by_reference: bool = False
    #: The location of the id in the IDL.
    id_location: Location | None = None
    python: str = ""


@dataclass(eq=False, slots=True)
class Struct:
    """A struct, union or exception, or a message or oneof of protobuf: all of them are fields by id."""

    name: str
    kind: StructKind
    module: Module
    location: Location
    fields: list[Field] = field(default_factory=list)
    doc: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    python: str = ""

    @property
    def is_union(self) -> bool:
        """True if a value has exactly one of the fields."""
        return self.kind in ("union", "oneof")

    @property
    def is_protobuf(self) -> bool:
        """True where the wire form is protobuf's, not the compact protocol."""
        return self.kind in ("message", "oneof")


@dataclass(eq=False, slots=True)
class Const:
    name: str
    type: Type
    value: Any
    location: Location
    doc: str = ""
    python: str = ""


@dataclass(eq=False, slots=True)
class Param:
    name: str
    type_name: str
    location: Location
    default: Expr | None = None


@dataclass(eq=False, slots=True, weakref_slot=True)
class Record:
    """A record: fields of bytes in declared order; ``attributes`` holds `: big, size(32)` as name -> arguments."""

    name: str
    module: Module
    location: Location
    params: list[Param] = field(default_factory=list)
    attributes: dict[str, list[Expr]] = field(default_factory=dict)
    checks: list[Where] = field(default_factory=list)
    fields: list[RecordField] = field(default_factory=list)
    doc: str = ""
    computed: list[ComputedDef] = field(default_factory=list)
    #: Whether places in records inside of it count from its start.
    is_origin: bool = False

    @property
    def is_lazy(self) -> bool:
        """True where the record knows its source: fields are placed with `at`, or bytes between fields are kept."""
        if self.is_origin or {"gaps", "overlaps"} & set(self.attributes):
            return True
        return any(each.at is not None for each in self.fields)


@dataclass(eq=False, slots=True)
class Table:
    """A flat view of a decoded tree; ``source`` is the record or struct that its first loop starts from."""

    name: str
    module: Module
    location: Location
    source: Record | Struct
    loops: list[Loop] = field(default_factory=list)
    columns: list[TableColumn] = field(default_factory=list)
    doc: str = ""


@dataclass(eq=False, slots=True, weakref_slot=True)
class Extension:
    """A variant, encoding, codec or fn: parsed and named, not yet compiled. ``syntax`` is its syntax node."""

    name: str
    kind: Literal["variant", "encoding", "codec", "fn"]
    module: Module
    location: Location
    syntax: Any
    doc: str = ""


@dataclass(eq=False, slots=True)
class Service:
    """A service, with the names of its own functions: lakecodec generates no RPC code."""

    name: str
    module: Module
    location: Location
    doc: str = ""
    functions: list[str] = field(default_factory=list)
    #: The service that this one extends.
    base: Service | None = None


Definition: TypeAlias = Enum | Struct | Const | Record | Table | Extension | Service


@dataclass(eq=False, slots=True, weakref_slot=True)
class Module:
    """The model of one IDL file."""

    name: str
    file: str
    digest: str
    includes: dict[str, Module] = field(default_factory=dict)
    namespaces: dict[str, str] = field(default_factory=dict)
    #: The file's own definitions in source order. Uses of typedefs are replaced by their types.
    definitions: list[Definition] = field(default_factory=list)
    doc: str = ""
    #: The types that typedefs stand for. Only the syntax of extensions still names typedefs.
    typedefs: dict[str, Type] = field(default_factory=dict)
    #: The locations of includes that the file does not use, by prefix.
    unused_includes: dict[str, Location] = field(default_factory=dict)
    #: Names of definitions with errors, which are not in `definitions`. Using them is not reported again.
    broken: set[str] = field(default_factory=set)
    text: str = ""
    #: The number of expression parts that replace names of computed attributes.
    computed_parts: int = 0
    #: The included modules, by the paths in the text.
    included: dict[str, Module] = field(default_factory=dict)
    #: The definitions by name, constants apart from types, and the number of definitions when these were indexed.
    _types: dict[str, Definition] = field(default_factory=dict, repr=False)
    _constants: dict[str, Const] = field(default_factory=dict, repr=False)
    _indexed: int = 0

    def imports(self) -> list[Module]:
        """Returns the modules that this one includes, and those whose types it reaches through what they declare."""
        found = {id(each): each for each in self.includes.values()}
        structs = (item for item in self.definitions if isinstance(item, Struct))
        pending: list[tuple[Type, Any]] = [(field.type, field.default) for item in structs for field in item.fields]
        pending += [(item.type, item.value) for item in self.definitions if isinstance(item, Const)]
        while pending:
            type_, value = pending.pop()
            if isinstance(type_, Enum | Struct) and type_.module is not self:
                found[id(type_.module)] = type_.module
            match type_:
                case MapOf():
                    pairs = list(value.items() if isinstance(value, dict) else value or ()) or [(None, None)]
                    pending += [(type_.key, key) for key, _ in pairs] + [(type_.value, item) for _, item in pairs]
                case ListOf() | SetOf():
                    pending += [(type_.value, item) for item in value or [None]]
                case Struct() if isinstance(value, dict):
                    pending += [(field.type, value[field.name]) for field in type_.fields if field.name in value]
        return list(found.values())

    def find(self, name: str) -> Definition | None:
        """Returns the definition called ``name``, or ``prefix.name`` of an included module; types go before constants."""
        prefix, _, rest = name.rpartition(".")
        if rest and prefix in self.includes:
            others = (module for key, module in self.includes.items() if key.startswith(f"{prefix}/"))
            found = (module.find(rest) for module in (*others, self.includes[prefix]))
            return next((each for each in found if each is not None), None)
        self._index()
        return self._types.get(name) or self._constants.get(name)

    def constant(self, name: str) -> Const | None:
        """Returns the constant called ``name``, or ``prefix.name`` of an included module, even where a type has the same name."""
        prefix, _, rest = name.rpartition(".")
        if rest and prefix in self.includes:
            found = self.find(name)
            return found if isinstance(found, Const) else None
        self._index()
        return self._constants.get(name)

    def _index(self) -> None:
        for item in self.definitions[self._indexed :]:
            if isinstance(item, Const):
                self._constants.setdefault(item.name, item)
            else:
                self._types.setdefault(item.name, item)
        self._indexed = len(self.definitions)
