"""Symbols: the names that a file declares, with their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lakecodec.generator.diagnostics import Location
from lakecodec.generator.syntax import (
    CodecDef,
    ComputedDef,
    ConstDef,
    EncodingDef,
    EnumDef,
    File,
    FnDef,
    ListType,
    MapType,
    NamedType,
    ParamDef,
    RecordDef,
    RecordField,
    SenumDef,
    ServiceDef,
    SetType,
    StructDef,
    TableDef,
    TypedefDef,
    TypeExpr,
    VariantDef,
    WireType,
)

Kind = Literal[
    "record", "struct", "union", "exception", "message", "oneof", "enum", "senum", "variant", "encoding", "codec", "fn",
    "table", "const", "typedef", "service", "field", "member", "case", "parameter", "variable", "column", "function",
]  # fmt: skip


@dataclass(eq=False, slots=True)
class Symbol:
    """A declared name.

    Attributes:
        node: the syntax node that declares it, or the expression or type that a variable takes its elements from.
        parent: the definition that it is part of.
        parts: what is declared inside: fields, members, parameters, by name.
    """

    name: str
    kind: Kind
    location: Location
    node: Any
    doc: str = ""
    parent: Symbol | None = None
    parts: dict[str, Symbol] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The name with those of what it is part of: ``Footer.version``."""
        return self.name if self.parent is None else f"{self.parent.path}.{self.name}"

    def add(self, name: str, kind: Kind, location: Location, node: Any, doc: str = "") -> Symbol:
        """Returns a new symbol inside this one."""
        made = Symbol(name, kind, location, node, doc, self)
        self.parts.setdefault(name, made)
        return made


@dataclass(slots=True)
class Declared:
    """The symbols of one file, by name; ``included`` has those of other files, by prefix."""

    file: str
    symbols: dict[str, Symbol] = field(default_factory=dict)
    included: dict[str, Declared] = field(default_factory=dict)

    def find(self, name: str) -> Symbol | None:
        """Returns the symbol of a name: ``Name``, ``prefix.Name``, ``Enum.MEMBER`` or a member of any enum."""
        if (found := self.symbols.get(name)) is not None:
            return found
        head, _, rest = name.partition(".")
        if rest and head in self.included:
            return self.included[head].find(rest)
        if rest and (found := self.symbols.get(head)) is not None:
            return found.parts.get(rest)
        enums = (each for each in self.symbols.values() if each.kind == "enum")
        return next((each.parts[name] for each in enums if name in each.parts), None)

    def all(self) -> Iterator[Symbol]:
        """Yields all symbols, those inside of others behind them."""
        pending = list(reversed(self.symbols.values()))
        while pending:
            found = pending.pop()
            yield found
            pending += reversed(found.parts.values())


def declared_by(tree: File, included: Mapping[str, Declared]) -> Declared:
    """Returns the symbols that a file declares."""
    found = Declared(tree.file, included=dict(included))
    for item in tree.definitions:
        found.symbols.setdefault(item.name, _definition(item))
    return found


def _definition(item: Any) -> Symbol:
    match item:
        case StructDef():
            made = Symbol(item.name, item.kind, item.location, item, item.doc)
            for each in item.fields:
                made.add(each.name, "field", each.location, each, each.doc)
        case EnumDef():
            made = Symbol(item.name, "enum", item.location, item, item.doc)
            for member in item.members:
                made.add(member.name, "member", member.location, member, member.doc)
        case ServiceDef():
            made = Symbol(item.name, "service", item.location, item, item.doc)
            for function in item.functions:
                made.add(function.name, "function", function.location, function, function.doc)
        case RecordDef():
            made = Symbol(item.name, "record", item.location, item, item.doc)
            _parameters(made, item.params)
            _fields(made, item.fields)
            _computed(made, item.computed)
        case VariantDef():
            made = Symbol(item.name, "variant", item.location, item, item.doc)
            _parameters(made, item.params)
            for case in item.cases:
                inner = made.add(case.name, "case", case.location, case, case.doc)
                _fields(inner, case.fields or ())
                _computed(inner, case.computed)
        case CodecDef():
            made = Symbol(item.name, "codec", item.location, item, item.doc)
            _parameters(made, item.params)
            if item.state is not None:
                made.add(item.state.name, "variable", item.state.location, item.state)
            _fields(made, item.fields or ())
        case EncodingDef():
            made = Symbol(item.name, "encoding", item.location, item, item.doc)
            _parameters(made, item.params)
            for number, shape in enumerate(item.shapes):
                inner = made.add(f"case {number + 1}", "case", shape.location, shape, shape.doc)
                _fields(inner, (*shape.fields, *(shape.null_fields or ())))
        case FnDef():
            made = Symbol(item.name, "fn", item.location, item, item.doc)
            _parameters(made, item.params)
        case TableDef():
            made = Symbol(item.name, "table", item.location, item, item.doc)
            for loop in item.loops:
                made.add(loop.variable, "variable", loop.location, loop.iterable)
            for column in item.columns:
                made.add(column.name, "column", column.location, column, column.doc)
        case TypedefDef():
            made = Symbol(item.name, "typedef", item.location, item, item.doc)
        case ConstDef():
            made = Symbol(item.name, "const", item.location, item, item.doc)
        case SenumDef():
            made = Symbol(item.name, "senum", item.location, item, item.doc)
        case _:
            raise AssertionError(item)
    return made


def _parameters(symbol: Symbol, params: tuple[ParamDef, ...]) -> None:
    for each in params:
        symbol.add(each.name, "parameter", each.location, each)


def _fields(symbol: Symbol, fields: tuple[RecordField, ...]) -> None:
    for each in fields:
        symbol.add(each.name, "field", each.location, each, each.doc)


def _computed(symbol: Symbol, computed: tuple[ComputedDef, ...]) -> None:
    for each in computed:
        symbol.add(each.name, "variable", each.location, each.value, each.doc)


def type_names(type_: TypeExpr | WireType) -> Iterator[NamedType | WireType]:
    """Yields the names in a type."""
    match type_:
        case ListType() | SetType():
            yield from type_names(type_.value)
        case MapType():
            yield from type_names(type_.key)
            yield from type_names(type_.value)
        case NamedType() | WireType():
            yield type_


def element_type(symbol: Symbol | None, declared: Declared) -> Symbol | None:
    """Returns the definition that the values of a field, parameter or constant are of, or the elements of their lists."""
    if symbol is None or symbol.kind not in ("field", "parameter", "const", "typedef"):
        return None
    type_ = symbol.node.type
    *_, last = type_names(type_)
    found = declared.find(last.name)
    return element_type(found, declared) if found is not None and found.kind == "typedef" else found


def member_of(type_: Symbol | None, name: str) -> Symbol | None:
    """Returns the symbol of a name behind the dot of a value or an enum."""
    if type_ is None:
        return None
    if (found := type_.parts.get(name)) is not None:
        return found
    if type_.kind == "variant":
        cases = (case for case in type_.parts.values() if case.kind == "case")
        return next((case.parts[name] for case in cases if name in case.parts), None)
    return None
