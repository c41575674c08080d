"""The value of an expression of the IDL."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lakecodec.generator.model import Const, Enum, EnumMember, Extension, Module, Record
from lakecodec.generator.paths import Target, computed_of
from lakecodec.generator.syntax import (
    Binary,
    Call,
    Compare,
    Each,
    Expr,
    Extern,
    FnDef,
    Index,
    IsCase,
    Literal_,
    Member,
    Name,
    Slice,
    Ternary,
    Unary,
)
from lakecodec.generator.syntax.walk import names

from . import functions
from .nodes import Cursor, Missing, Node, Number, Refused

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_CONSTANTS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean.

    Attributes:
        module: the file that the expression stands in.
        externs: what Python code implements, by its target.
        node: the record around the expression.
        cursor: the place that `end`, `rest` and `at_end` are about.
        local: indexes, parameters of functions, the value and state of a codec.
        declared: the fields of ``node``; those that are not there yet are missing, not unknown.
    """

    module: Module
    externs: Callable[[str], Any]
    node: Node | None = None
    cursor: Cursor | None = None
    local: Mapping[str, Any] = field(default_factory=dict)
    declared: frozenset[str] = frozenset()

    def _member(self, base: Any, name: str) -> Any:
        if isinstance(base, list):
            return [self._member(each, name) for each in base]
        if isinstance(base, Node) and isinstance(base.declaration, Record | Extension):
            computed = computed_of(Target("object", base.declaration), name)
            if computed is not None:
                own = {each.name for each in names(computed.value)} - {
                    each.name for each in base.declaration.module.definitions
                }
                local = {each: base[each] for each in own if each in base.fields or each in base.params or base.load}
                return self.calling(base.declaration.module, local).value(computed.value)
        return _member(base, name)

    def also(self, **local: Any) -> Scope:
        return replace(self, local={**self.local, **local})

    def calling(self, module: Module, local: Mapping[str, Any]) -> Scope:
        """The scope inside of a function or codec, which sees its parameters only."""
        return Scope(module, self.externs, cursor=self.cursor, local=local)

    def value(self, expr: Expr, wanted: Enum | None = None) -> Any:
        """Evaluates.

        Args:
            wanted: the enum that a bare member is of, where several have one of that name.

        Raises:
            Missing: a field has not been read yet.
            Refused: the values that were read allow no result.
        """
        try:
            return self._value(expr, wanted)
        except (ArithmeticError, IndexError) as error:
            raise Refused(f"cannot be computed: {error}") from None

    def _value(self, expr: Expr, wanted: Enum | None) -> Any:
        match expr:
            case Literal_():
                return expr.value
            case Name():
                return self._name(expr.name, wanted)
            case Member():
                return self._member(self.value(expr.base), expr.name)
            case Index():
                return self._index(self.value(expr.base), self.value(expr.index))
            case Slice():
                low, high = (None if bound is None else self.value(bound) for bound in (expr.low, expr.high))
                return self.value(expr.base)[low:high]
            case Unary():
                operand = self.value(expr.operand)
                return not operand if expr.operator == "not" else -operand
            case Binary(operator="and"):
                return bool(self.value(expr.left)) and bool(self.value(expr.right))
            case Binary(operator="or"):
                return bool(self.value(expr.left)) or bool(self.value(expr.right))
            case Binary():
                return _OPERATORS[expr.operator](self.value(expr.left), self.value(expr.right))
            case Compare():
                return self._compare(expr)
            case IsCase():
                return self.value(expr.value).case == expr.case
            case Ternary():
                return self.value(expr.then if self.value(expr.condition) else expr.otherwise, wanted)
            case Each():
                return self._each(expr)
            case Call():
                return self._call(expr)

    def _each(self, expr: Each) -> Any:
        found: list[Any] = []
        total = None if expr.initial is None else self.value(expr.initial)
        for item in self.value(expr.base):
            inner = self.also(**{expr.variable: item}, **({expr.accumulator: total} if expr.accumulator else {}))
            if expr.condition is None or inner.value(expr.condition):
                found.append(item if expr.value is None else inner.value(expr.value))
                total = found[-1]
                if expr.accumulator and not -(1 << 63) <= total < 1 << 63:
                    raise Refused("a fold that does not fit 64 bits")
        return found if expr.initial is None else total

    def _name(self, name: str, wanted: Enum | None) -> Any:
        if name in self.local:
            return self.local[name]
        if self.node is not None:
            try:
                return self.node[name]
            except Missing:
                if name in self.declared:
                    raise
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name in ("end", "rest", "at_end"):
            assert self.cursor is not None
            return {"end": self.cursor.size, "rest": self.cursor.rest, "at_end": not self.cursor.rest}[name]
        if name in self.module.includes:
            return self.module.includes[name]
        if (found := self.module.find(name)) is not None:
            return _definition(found)
        members = [
            Number.of(each.number, enum)
            for enum in self.module.definitions
            if isinstance(enum, Enum) and wanted in (None, enum)
            for each in enum.members
            if each.name == name
        ]
        if not members and wanted is not None:
            return self._name(name, None)
        assert len(set(members)) == 1, f"what is {name}?"
        return members[0]

    def _index(self, values: Any, index: int) -> Any:
        if not 0 <= index < len(values):
            raise Refused(f"there is no element {index} among {len(values)}")
        return values[index]

    def _compare(self, expr: Compare) -> bool:
        """Names are looked at last: what they are compared with says which enum they are of."""
        named = [isinstance(operand, Name) and self._is_bare_member(operand.name) for operand in expr.operands]
        values = [None if bare else self.value(each) for each, bare in zip(expr.operands, named, strict=True)]
        enum = next((value.enum for value in values if isinstance(value, Number)), None)
        values = [
            self.value(operand, enum) if bare else value
            for operand, bare, value in zip(expr.operands, named, values, strict=True)
        ]
        pairs = zip(expr.operators, values, values[1:], strict=False)
        return all(compared(sign, left, right) for sign, left, right in pairs)

    def _is_bare_member(self, name: str) -> bool:
        if name in self.local or name in self.declared or (self.node is not None and name in self.node.params):
            return False
        enums = (item for item in self.module.definitions if isinstance(item, Enum))
        return self.module.find(name) is None and any(m.name == name for enum in enums for m in enum.members)

    def _call(self, expr: Call) -> Any:
        assert isinstance(expr.function, Name)
        name, arguments = expr.function.name, expr.arguments
        if name == "encoded":
            assert self.cursor is not None
            first, last = self._place(arguments[0]), self._place(arguments[-1])
            return self.cursor.data[first.start - self.cursor.base : last.end - self.cursor.base]
        if name == "peek":
            assert self.cursor is not None
            return self.cursor.data[self.cursor.pos : min(self.cursor.pos + self.value(arguments[0]), self.cursor.end)]
        if name == "padding":
            assert self.cursor is not None
            return -self.cursor.offset % self.value(arguments[0])
        if name in functions.PLACES:
            return functions.PLACES[name](self._place(arguments[0]))
        if name in functions.VALUES:
            return functions.VALUES[name](*map(self.value, arguments))
        found = self.module.find(name)
        assert isinstance(found, Extension)
        assert isinstance(found.syntax, FnDef), name
        return self.apply(found, [self.value(argument) for argument in arguments])

    def apply(self, function: Extension, arguments: list[Any]) -> Any:
        """Calls a function of the IDL."""
        syntax: FnDef = function.syntax
        if isinstance(syntax.value, Extern):
            try:
                return self.externs(syntax.value.target)(*arguments)
            except ValueError as error:
                raise Refused(str(error)) from None
        return self.calling(function.module, bound(syntax.params, arguments, self)).value(syntax.value)

    def _place(self, expr: Expr) -> Any:
        assert self.node is not None
        key: Any = expr.name if isinstance(expr, Name) else None
        if isinstance(expr, Index):
            assert isinstance(expr.base, Name)
            key = expr.base.name, self.value(expr.index)
        if key not in self.node.places:
            name = key if isinstance(key, str) else key[0]
            if name in self.node.fields:
                raise Missing(key)
            # A field that is placed elsewhere is read when it is measured.
            self.node[name]
        return self.node.places[key]


def bound(params: Any, arguments: list[Any], scope: Scope) -> dict[str, Any]:
    """Arguments by the names of their parameters, with the defaults of those left out."""
    given = {param.name: value for param, value in zip(params, arguments, strict=False)}
    for param in params[len(arguments) :]:
        given[param.name] = scope.value(param.default)
    return given


def compared(sign: str, left: Any, right: Any) -> bool:
    """A comparison; text compares with bytes as its UTF-8 form."""
    if isinstance(left, bytes) and isinstance(right, str):
        right = right.encode()
    elif isinstance(left, str) and isinstance(right, bytes):
        left = left.encode()
    return bool(_OPERATORS[sign](left, right))


def _definition(found: Any) -> Any:
    if isinstance(found, Const):
        if isinstance(found.value, EnumMember) and isinstance(found.type, Enum):
            return Number.of(found.value.number, found.type)
        return found.value
    return found


def _member(base: Any, name: str) -> Any:
    match base:
        case list():
            return [_member(each, name) for each in base]
        case Module():
            return _definition(base.find(name))
        case Enum():
            return Number.of(next(each.number for each in base.members if each.name == name), base)
        case None:
            raise Refused(f"nothing has no {name}")
    return base[name]
