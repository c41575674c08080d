"""Expressions of the IDL as Python text. What names and calls mean is left to a scope."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from ..diagnostics import Location
from ..infer import Inference, Local
from ..model import Const, Enum, Extension, Module, Record
from ..paths import ANYTHING, Target
from ..syntax import (
    Binary,
    Call,
    Compare,
    Expr,
    Index,
    IsCase,
    Literal_,
    Member,
    Name,
    Slice,
    Ternary,
    Unary,
)
from . import types
from .names import attribute_name, enum_member_name, field_name, type_name
from .negation import negated

_OPERATORS = {"/": "//"}
#: How tightly Python's operators bind.
_TERNARY, _OR, _AND, _NOT, _COMPARISON, _UNARY, _POSTFIX = 0, 1, 2, 3, 4, 12, 13
_LEVELS = {
    "or": _OR, "and": _AND, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_CONSTANTS = {"true": "True", "false": "False", "null": "None"}


class UnsupportedExpression(Exception):
    """What cannot be compiled where it stands; ``location`` is its place."""

    def __init__(self, message: str, where: Expr | Location) -> None:
        super().__init__(message)
        self.message = message
        self.location = where if isinstance(where, Location) else where.location


class Scope(ABC):
    """Writes expressions as Python text; subclasses say what names and calls mean.

    Attributes: ``kinds`` are those of the scope's own names.
    """

    def __init__(self, module: Module, kinds: Local) -> None:
        self.module = module
        self.kinds = kinds
        self.inference = Inference(module)

    @abstractmethod
    def local(self, name: str) -> str | None:
        """The text for a name of the scope itself, None where the name is none of its own."""

    @abstractmethod
    def call(self, function: str, expr: Call) -> str:
        """The text for a call."""

    def kind(self, expr: Expr) -> Target:
        return self.inference.check(expr, self.kinds)

    def index(self, expr: Index) -> str:
        """The text for an element."""
        return f"{self.grouped(expr.base)}[{self.render(expr.index)}]"

    def render(self, expr: Expr, wanted: Target = ANYTHING) -> str:
        """The expression as Python text; operands are parenthesised where precedence could differ.

        ``wanted`` is the kind that the value must have: it chooses the enum of a member, and bytes for a text.
        """
        text = self._render(expr, wanted)
        if wanted.kind == "bytes" and not wanted.lists and self.kind(expr).kind == "text":
            if isinstance(expr, Literal_) and isinstance(expr.value, str):
                return types.quoted(expr.value.encode())
            return f"{self.grouped(expr)}.encode()"
        return text

    def grouped(self, expr: Expr, wanted: Target = ANYTHING, level: int = _POSTFIX) -> str:
        """The expression as an operand of an operator that binds as ``level`` says."""
        text = self.render(expr, wanted)
        return f"({text})" if _level(expr, text) < level else text

    def user_call(self, found: Extension, arguments: list[str]) -> str:
        """A call of a function, codec or encoding of the IDL."""
        prefix = "" if found.module is self.module else f"{types.import_alias(found.module)}."
        return f"{prefix}{type_name(found.name)}({', '.join(arguments)})"

    def _render(self, expr: Expr, wanted: Target) -> str:
        match expr:
            case Literal_():
                return types.quoted(expr.value) if isinstance(expr.value, str | bytes) else repr(expr.value)
            case Name():
                return self._name(expr, wanted)
            case Member():
                return self._member(expr)
            case Index():
                return self.index(expr)
            case Slice():
                return self._slice(expr)
            case Unary():
                if expr.operator == "not":
                    return negated(self.render(expr.operand))
                return f"-{self.grouped(expr.operand, level=_UNARY)}"
            case Binary() if expr.operator == "<<" and not isinstance(expr.right, Literal_):
                return f"_fn.shift_left({self.render(expr.left)}, {self.render(expr.right)})"
            case Binary():
                operator, level = _OPERATORS.get(expr.operator, expr.operator), _LEVELS[expr.operator]
                return f"{self.grouped(expr.left, level=level)} {operator} {self.grouped(expr.right, level=level + 1)}"
            case Compare():
                return self._compare(expr)
            case Ternary():
                condition = self.grouped(expr.condition, level=_OR)
                then = self.grouped(expr.then, wanted, _OR)
                otherwise = self.grouped(expr.otherwise, wanted, _OR)
                return f"{then} if {condition} else {otherwise}"
            case IsCase():
                return f"{self.grouped(expr.value)}.kind == {types.quoted(expr.case)}"
            case Call():
                return self.call(expr.function.name if isinstance(expr.function, Name) else "", expr)

    def _slice(self, expr: Slice) -> str:
        """Formatters put blanks around the colon where a bound is more than a name or a number."""
        bounds = [self.render(bound) if bound is not None else "" for bound in (expr.low, expr.high)]
        plain = all(re.fullmatch(r"\w*", bound) for bound in bounds)
        colon = ":" if plain else f"{' ' if bounds[0] else ''}:{' ' if bounds[1] else ''}"
        return f"{self.grouped(expr.base)}[{bounds[0]}{colon}{bounds[1]}]"

    def _name(self, expr: Name, wanted: Target) -> str:
        name = expr.name
        if (text := self.local(name)) is not None:
            return text
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if isinstance(self.module.find(name), Const):
            return type_name(name)
        if (pair := self.inference.enum_member(name, wanted)) is not None:
            return f"{type_name(pair[0].name)}.{enum_member_name(name)}"
        raise UnsupportedExpression(f"{name!r} means nothing here", expr)

    def _member(self, expr: Member) -> str:
        base = self.kind(expr.base)
        if base.kind == "names":
            return self._outer(expr, base)
        text = self.grouped(expr.base)
        if base.lists > 1:
            raise UnsupportedExpression("a member of lists within lists cannot be taken", expr)
        name = _attribute(expr.name, base)
        return f"[each.{name} for each in {text}]" if base.lists else f"{text}.{name}"

    def _outer(self, expr: Member, base: Target) -> str:
        """A member of an enum, or a definition of an included module."""
        if isinstance(base.holder, Enum):
            return f"{types.class_expression(base.holder, self.module)}.{enum_member_name(expr.name)}"
        assert isinstance(base.holder, Module)
        return f"{types.import_alias(base.holder)}.{type_name(expr.name)}"

    def _compare(self, expr: Compare) -> str:
        kinds = [self.inference.check(operand, self.kinds) for operand in expr.operands]
        wanted = self.inference.compared(expr, self.kinds)
        if any(kind.kind == "bytes" and not kind.lists for kind in kinds):
            wanted = Target("bytes")
        words = [self.grouped(expr.operands[0], wanted, _COMPARISON + 1)]
        for sign, operand in zip(expr.operators, expr.operands[1:], strict=True):
            null = isinstance(operand, Name) and operand.name == "null"
            words += [
                {"==": "is", "!=": "is not"}[sign] if null else sign,
                self.grouped(operand, wanted, _COMPARISON + 1),
            ]
        return " ".join(words)


def _attribute(name: str, base: Target) -> str:
    """The Python attribute of a field, by what declares it."""
    match base.holder:
        case Record():
            return attribute_name(name, located=any(field.at is not None for field in base.holder.fields))
        case Extension():
            return attribute_name(name, variant=True)
    return field_name(name)


def _level(expr: Expr, text: str) -> int:
    """How tightly the outermost operator of a rendered expression binds."""
    match expr:
        case Ternary():
            return _TERNARY
        case Binary() if not text.startswith("_fn."):
            return _LEVELS[expr.operator]
        case Unary():
            return (_NOT if text.startswith("not ") else _COMPARISON) if expr.operator == "not" else _UNARY
        case Compare() | IsCase():
            return _COMPARISON
        case Name():
            return _COMPARISON if " " in text else _POSTFIX
        case Call() if text.endswith(" is not None"):
            return _COMPARISON
        case Literal_() if text.startswith("-"):
            return _UNARY
    return _POSTFIX
