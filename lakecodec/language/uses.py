"""Names in types and expressions, and the symbol or type of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lakecodec.generator.diagnostics import Location
from lakecodec.generator.syntax import (
    Call,
    CodecDef,
    ConstDef,
    ConstList,
    ConstMap,
    ConstReference,
    Each,
    EncodingDef,
    Expr,
    FieldDef,
    File,
    FnDef,
    Index,
    IsCase,
    Member,
    Name,
    RecordDef,
    RecordField,
    ServiceDef,
    StructDef,
    TableDef,
    TypedefDef,
    VariantDef,
    Where,
)
from lakecodec.generator.syntax.walk import children

from .symbols import Declared, Symbol, element_type, member_of, type_names


@dataclass(frozen=True, slots=True)
class Use:
    """A name in a text, and the symbol that it declares or refers to."""

    location: Location
    symbol: Symbol
    declares: bool = False


#: The meaning of each name in a body: a symbol, or the type of a variable.
_Names = Mapping[str, Symbol]


@dataclass(slots=True)
class _Finder:
    tree: File
    declared: Declared
    lines: Sequence[str]
    found: list[Use] = field(default_factory=list)

    def run(self) -> list[Use]:
        for symbol in self.declared.all():
            self._add(symbol.location, symbol.name, symbol, declares=True)
        for item in self.tree.definitions:
            # A second definition of the same name has no symbol of its own.
            symbol = self.declared.symbols[item.name]
            if symbol.node is item:
                self._definition(item, symbol)
        return self.found

    def _add(self, at: Location, name: str, symbol: Symbol | None, *, declares: bool = False) -> None:
        """Adds the use of a name that ends where ``at`` ends, if the text has it there."""
        if symbol is None or not 0 < at.line <= len(self.lines):
            return
        end = at.column - 1 + at.length
        start = end - len(name)
        if declares:
            start, end = at.column - 1, at.column - 1 + len(name)
        if self.lines[at.line - 1][start:end] == name:
            self.found.append(Use(replace(at, column=start + 1, length=len(name)), symbol, declares))

    # ---- definitions ----

    def _definition(self, item: Any, symbol: Symbol) -> None:
        names = {name: each for name, each in symbol.parts.items() if each.kind not in ("case", "member", "column")}
        match item:
            case StructDef():
                self._struct_fields(item.fields)
            case ServiceDef():
                for function in item.functions:
                    self._struct_fields((*function.arguments, *function.throws))
                    if function.result is not None:
                        self._type(function.result)
            case TypedefDef():
                self._type(item.type)
            case ConstDef():
                self._type(item.type)
                self._constant(item.value)
            case RecordDef():
                self._parameters(item.params, names)
                self._expressions([e for args in item.attributes.values() for e in args], names)
                self._invariants(item.checks, names)
                self._fields(item.fields, names)
                self._expressions([each.value for each in item.computed], names)
            case VariantDef():
                self._parameters(item.params, names)
                self._expressions([item.tag, *(e for args in item.attributes.values() for e in args)], names)
                for case in item.cases:
                    self._expressions(case.tags, names)
                    inner = {**names, **symbol.parts[case.name].parts}
                    self._fields(case.fields or (), inner)
                    self._expressions([each.value for each in case.computed], inner)
                    for arrow in case.arrow:
                        values = [value for _, value in arrow.assignments]
                        conditions = [] if arrow.condition is None else [arrow.condition]
                        self._expressions([arrow.type, *conditions, *values], inner)
            case CodecDef():
                self._parameters(item.params, names)
                if item.state is not None:
                    self._expressions([item.state.initial], names)
                self._fields(item.fields or (), names)
                self._value(item.value, names)
            case FnDef():
                self._parameters(item.params, names)
                self._type(item.result)
                self._value(item.value, names)
            case EncodingDef():
                self._parameters(item.params, names)
                over = self.declared.find(item.over)
                for number, shape in enumerate(item.shapes):
                    for pattern in shape.patterns:
                        self._add(pattern.location, pattern.name, member_of(over, pattern.name))
                    self._expressions([] if shape.condition is None else [shape.condition], names)
                    inner = {**names, **symbol.parts[f"case {number + 1}"].parts}
                    self._fields((*shape.fields, *(shape.null_fields or ())), inner)
            case TableDef():
                self._table(item, symbol)

    def _value(self, value: Any, names: _Names) -> None:
        if not hasattr(value, "target"):
            self._expressions([value], names)

    def _table(self, item: TableDef, symbol: Symbol) -> None:
        source = self.declared.find(item.source)
        self._name(item.source_location, item.source)
        names: dict[str, Symbol] = {} if source is None else dict(source.parts)
        for loop in item.loops:
            self._expressions([loop.iterable], names)
            names[loop.variable] = _variable(symbol.parts[loop.variable], self._type_of(loop.iterable, names))
        self._expressions([column.expression for column in item.columns], names)

    def _struct_fields(self, fields: Iterable[FieldDef]) -> None:
        for each in fields:
            self._type(each.type)
            self._constant(each.default)

    def _parameters(self, params: Iterable[Any], names: _Names) -> None:
        for each in params:
            self._type(each.type)
            self._expressions([] if each.default is None else [each.default], names)

    def _fields(self, fields: Iterable[RecordField], names: _Names) -> None:
        for each in fields:
            self._type(each.type)
            inner = dict(names)
            for dimension in each.dimensions:
                if dimension.variable is not None:
                    at = replace(dimension.location, column=dimension.location.column + 1)
                    inner[dimension.variable] = Symbol(dimension.variable, "variable", at, None)
                    self._add(at, dimension.variable, inner[dimension.variable], declares=True)
            own = [
                each.derived,
                each.present,
                each.at,
                each.size,
                each.until,
                each.default,
                each.align,
                *each.via,
                *each.arrow,
            ]
            own += [dimension.expression for dimension in each.dimensions]
            own += [*each.type.type_arguments, *(each.type.arguments or ())]
            self._expressions([part for part in own if part is not None], inner)
            self._invariants(each.invariants, inner)

    def _invariants(self, wheres: Iterable[Where], names: _Names) -> None:
        self._expressions([each.condition for each in wheres], names)

    # ---- names ----

    def _type(self, type_: Any) -> None:
        for named in type_names(type_):
            self._name(named.location, named.name)

    def _name(self, at: Location, name: str) -> None:
        """Adds the use of a name that may have a prefix, which is itself no symbol."""
        self._add(at, name.rpartition(".")[2], self.declared.find(name))

    def _constant(self, value: Any) -> None:
        match value:
            case ConstReference():
                self._name(value.location, value.name)
                enum, _, member = value.name.rpartition(".")
                if enum and member:
                    short = replace(value.location, length=value.location.length - len(member) - 1)
                    self._add(short, enum.rpartition(".")[2], self.declared.find(enum))
            case ConstList():
                for item in value.items:
                    self._constant(item)
            case ConstMap():
                for entry in value.entries:
                    for part in entry:
                        self._constant(part)

    # ---- expressions ----

    def _expressions(self, expressions: Iterable[Expr], names: _Names) -> None:
        for expression in expressions:
            self._expression(expression, names)

    def _expression(self, expression: Expr, names: _Names) -> None:
        match expression:
            case Name():
                self._add(expression.location, expression.name, self._meaning(expression, names))
            case Member():
                self._expression(expression.base, names)
                self._add(expression.location, expression.name, self._meaning(expression, names))
                return
            case Call(function=Name() as function):
                self._add(function.location, function.name, self.declared.find(function.name))
            case IsCase():
                type_ = self._type_of(expression.value, names)
                self._add(expression.location, expression.case, member_of(type_, expression.case))
            case Each():
                self._each(expression, names)
                return
        self._expressions(children(expression), names)

    def _each(self, each: Each, names: _Names) -> None:
        self._expression(each.base, names)
        variable = Symbol(each.variable, "variable", each.location, None)
        self._add(each.location, each.variable, variable, declares=True)
        inner = {**names, each.variable: _variable(variable, self._type_of(each.base, names))}
        if each.accumulator is not None:
            inner[each.accumulator] = Symbol(each.accumulator, "variable", each.location, None)
        self._expressions([part for part in (each.initial, each.condition, each.value) if part is not None], inner)

    def _meaning(self, expression: Expr, names: _Names) -> Symbol | None:
        """Returns the symbol of a name, or of a member behind a dot."""
        if isinstance(expression, Name):
            return names.get(expression.name) or self.declared.find(expression.name)
        if not isinstance(expression, Member):
            return None
        if dotted := _dotted(expression):
            head = dotted.partition(".")[0]
            if head not in names and (found := self.declared.find(dotted)) is not None:
                return found
        base = self._meaning(expression.base, names)
        if base is not None and base.kind in ("enum", "case"):
            return base.parts.get(expression.name)
        return member_of(self._type_of(expression.base, names), expression.name)

    def _type_of(self, expression: Expr, names: _Names) -> Symbol | None:
        """Returns the definition that an expression's value, or its elements, are of."""
        match expression:
            case Name() | Member():
                found = self._meaning(expression, names)
                if found is not None and found.kind == "variable":
                    return found.node if isinstance(found.node, Symbol) else None
                return element_type(found, self._home(found))
            case Index():
                return self._type_of(expression.base, names)
            case Call(function=Name(name=("last" | "first")), arguments=(argument,)):
                return self._type_of(argument, names)
            case Call(function=Name(name=name)):
                found = self.declared.find(name)
                if found is not None and found.kind == "fn":
                    *_, last = type_names(found.node.result)
                    return self.declared.find(last.name)
        return None

    def _home(self, symbol: Symbol | None) -> Declared:
        """Returns the file that a symbol's type is written in."""
        if symbol is None or symbol.location.file == self.declared.file:
            return self.declared
        pending = list(self.declared.included.values())
        while pending:
            each = pending.pop()
            if each.file == symbol.location.file:
                return each
            pending += each.included.values()
        return self.declared


def _variable(symbol: Symbol, type_: Symbol | None) -> Symbol:
    """Gives a loop's variable the definition that its values are of."""
    symbol.node = type_
    return symbol


def _dotted(expression: Expr) -> str:
    match expression:
        case Name():
            return expression.name
        case Member():
            base = _dotted(expression.base)
            return f"{base}.{expression.name}" if base else ""
    return ""


def uses_in(tree: File, declared: Declared, text: str) -> list[Use]:
    """Returns the names of a file that are declared in it or refer to something, in the order of the text.

    Args:
        declared: its symbols.
        text: the file, by which places are checked.
    """
    found = _Finder(tree, declared, text.splitlines()).run()
    return sorted(found, key=lambda use: (use.location.line, use.location.column))
