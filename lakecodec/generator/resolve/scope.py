"""The names of a module, and their types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...runtime.suggest import did_you_mean
from ..diagnostics import Diagnostics
from ..model import Const, Definition, Enum, EnumMember, Extension, ListOf, MapOf, Module, Scalar, SetOf, Struct, Type
from ..syntax import ConstDef, ListType, MapType, NamedType, SenumDef, SetType, TypedefDef, TypeExpr
from ..words import type_hint

BASE_TYPES = {
    "bool": Scalar("bool"),
    "byte": Scalar("i8"),
    "i8": Scalar("i8"),
    "i16": Scalar("i16"),
    "i32": Scalar("i32"),
    "i64": Scalar("i64"),
    "double": Scalar("double"),
    "string": Scalar("string"),
    "slist": Scalar("string"),
    "binary": Scalar("binary"),
    "uuid": Scalar("uuid"),
}

#: The types that only fields of messages can have, by protobuf's names.
MESSAGE_TYPES = {
    "int32": Scalar("i32"),
    "int64": Scalar("i64"),
    "bytes": Scalar("binary"),
    "uint32": Scalar("uint32"),
    "uint64": Scalar("uint64"),
    "sint32": Scalar("sint32"),
    "sint64": Scalar("sint64"),
    "fixed32": Scalar("fixed32"),
    "fixed64": Scalar("fixed64"),
    "sfixed32": Scalar("sfixed32"),
    "sfixed64": Scalar("sfixed64"),
    "float": Scalar("float"),
}

#: Replaces a type whose error was reported. It is compared by identity.
UNKNOWN: Type = Scalar("binary")


@dataclass(eq=False, slots=True)
class Scope:
    """The names of one module and their meanings."""

    module: Module
    includes: dict[str, Scope] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    typedefs: dict[str, TypedefDef | SenumDef] = field(default_factory=dict)
    consts: dict[str, ConstDef] = field(default_factory=dict)
    _resolved: dict[str, Type] = field(default_factory=dict)
    _resolving: list[str] = field(default_factory=list)

    def owner(self, name: str) -> tuple[Scope, str]:
        """Returns the scope that a possibly prefixed name belongs to, and the name within it."""
        parts = name.split(".")
        for count in range(len(parts) - 1, 0, -1):
            prefix, rest = ".".join(parts[:count]), ".".join(parts[count:])
            if prefix in self.includes:
                others = [scope for key, scope in self.includes.items() if key.startswith(f"{prefix}/")]
                return next((each for each in others if each.has(rest)), self.includes[prefix]), rest
        return self, name

    def has(self, name: str) -> bool:
        """Returns whether the module itself defines a name, or the enum of a member."""
        name = name.partition(".")[0]
        return name in self.definitions or name in self.typedefs or name in self.consts

    def is_broken(self, name: str) -> bool:
        """Returns whether a name, or a member of it, cannot be known because its definition has errors."""
        scope, rest = self.owner(name)
        return any(rest == broken or rest.startswith(f"{broken}.") for broken in scope.module.broken)

    def find(self, name: str) -> Definition | None:
        """Returns the definition of a name, `prefix.Name` included; None for a typedef or an unknown name."""
        scope, rest = self.owner(name)
        return scope.definitions.get(rest)

    def enum_member(self, name: str) -> EnumMember | None:
        """Returns the member that `Enum.MEMBER` or `prefix.Enum.MEMBER` names, typedefs of enums included."""
        scope, rest = self.owner(name)
        enum_name, _, member = rest.rpartition(".")
        enum = scope._resolved.get(enum_name, scope.definitions.get(enum_name))
        if not isinstance(enum, Enum):
            return None
        return next((each for each in enum.members if each.name == member), None)

    def const(self, name: str) -> tuple[Scope, ConstDef] | None:
        scope, rest = self.owner(name)
        return (scope, scope.consts[rest]) if rest in scope.consts else None

    # ---- types ----

    def type_of(self, expression: TypeExpr, diagnostics: Diagnostics, *, message: bool = False) -> Type:
        """Returns the type of a type expression. If it has none, reports a diagnostic and returns UNKNOWN.

        Args:
            message: the type is that of a message's field, which can also have protobuf's names of types.
        """
        match expression:
            case ListType():
                return ListOf(self.type_of(expression.value, diagnostics, message=message))
            case SetType():
                return SetOf(self.type_of(expression.value, diagnostics, message=message))
            case MapType():
                key = self.type_of(expression.key, diagnostics, message=message)
                return MapOf(key, self.type_of(expression.value, diagnostics, message=message))
            case NamedType():
                return self._named_type(expression, diagnostics, message)

    def _named_type(self, expression: NamedType, diagnostics: Diagnostics, message: bool) -> Type:
        name = expression.name
        if name in BASE_TYPES:
            return BASE_TYPES[name]
        scope, rest = self.owner(name)
        if rest in scope.typedefs:
            return scope.typedef(rest, diagnostics)
        found = scope.definitions.get(rest)
        if isinstance(found, Enum | Struct):
            return found
        if self.is_broken(name):
            return UNKNOWN
        if message and found is None and name in MESSAGE_TYPES:
            return MESSAGE_TYPES[name]
        if found is not None:
            error = f"'{name}' is {kind_of(found, article=True)}, not a type"
        elif rest in scope.consts:
            error = f"'{name}' is a constant, not a type"
        elif name == "void":
            error = "'void' can only be the result of a service's function"
        else:
            known = {*self.type_names(), *(MESSAGE_TYPES if message else ())} - set(self._resolving)
            hint = "" if message else type_hint(name)
            error = f"unknown type '{name}'{hint or did_you_mean(name, known)}"
        diagnostics.error(error, expression.location)
        return UNKNOWN

    def typedef(self, name: str, diagnostics: Diagnostics) -> Type:
        if name in self._resolved:
            return self._resolved[name]
        definition = self.typedefs[name]
        if isinstance(definition, SenumDef):
            return BASE_TYPES["string"]
        if name in self._resolving:
            circle = " -> ".join([*self._resolving[self._resolving.index(name) :], name])
            diagnostics.error(f"typedef '{name}' refers to itself: {circle}", definition.location)
            return UNKNOWN
        self._resolving.append(name)
        self._resolved[name] = self.type_of(definition.type, diagnostics)
        self._resolving.pop()
        return self._resolved[name]

    def type_names(self) -> Iterator[str]:
        """Yields every name that is valid as a type."""
        yield from BASE_TYPES
        for prefix, scope in [("", self), *((f"{key}.", value) for key, value in self.includes.items())]:
            yield from (prefix + name for name in scope.typedefs)
            yield from (prefix + name for name, item in scope.definitions.items() if isinstance(item, Enum | Struct))

    def constant_names(self) -> Iterator[str]:
        """Yields every name that is valid as a constant."""
        yield from ("true", "false")
        for prefix, scope in [("", self), *((f"{key}.", value) for key, value in self.includes.items())]:
            yield from (prefix + name for name in scope.consts)
            enums = (item for item in scope.definitions.values() if isinstance(item, Enum))
            yield from (f"{prefix}{enum.name}.{member.name}" for enum in enums for member in enum.members)


def kind_of(definition: Definition, *, article: bool = False) -> str:
    """Returns the IDL's word for a definition, with `a` or `an` if wanted."""
    if isinstance(definition, Struct | Extension):
        kind: str = definition.kind
    else:
        kind = "constant" if isinstance(definition, Const) else type(definition).__name__.lower()
    if not article:
        return kind
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
