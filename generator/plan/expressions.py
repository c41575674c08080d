"""Expressions of the IDL as Python text. What names and calls mean is left to a scope."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..model import Const, Enum, Module
from ..syntax import Binary, Call, Compare, Expr, Index, Literal_, Member, Name, Slice, Ternary, Unary
from . import types
from .names import enum_member_name, field_name, type_name

_OPERATORS = {"/": "//"}
_CONSTANTS = {"true": "True", "false": "False", "null": "None"}


class UnsupportedExpression(Exception):
    """An expression that cannot be compiled where it stands; ``location`` is its place."""

    def __init__(self, message: str, expr: Expr) -> None:
        super().__init__(message)
        self.message = message
        self.location = expr.location


class Scope(ABC):
    """Writes expressions as Python text; subclasses say what names and calls mean."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @abstractmethod
    def local(self, name: str) -> str | None:
        """The text for a name of the scope itself, None where the name is none of its own."""

    @abstractmethod
    def call(self, function: str, expr: Call) -> str:
        """The text for a call."""

    def operand(self, expr: Expr, comparison: Compare) -> str:
        """The text for an operand of a comparison."""
        return self._grouped(expr)

    def render(self, expr: Expr) -> str:
        """The expression as Python text; operands are parenthesised where precedence could differ."""
        if isinstance(expr, Literal_):
            return types.quoted(expr.value) if isinstance(expr.value, str | bytes) else repr(expr.value)
        if isinstance(expr, Name):
            return self._name(expr)
        if isinstance(expr, Member):
            return self._member(expr)
        if isinstance(expr, Index):
            return f"{self.render(expr.base)}[{self.render(expr.index)}]"
        if isinstance(expr, Slice):
            low = self.render(expr.low) if expr.low is not None else ""
            high = self.render(expr.high) if expr.high is not None else ""
            return f"{self.render(expr.base)}[{low}:{high}]"
        if isinstance(expr, Unary):
            blank = " " if expr.operator == "not" else ""
            return f"{expr.operator}{blank}{self._grouped(expr.operand)}"
        if isinstance(expr, Binary):
            operator = _OPERATORS.get(expr.operator, expr.operator)
            return f"{self._grouped(expr.left)} {operator} {self._grouped(expr.right)}"
        if isinstance(expr, Compare):
            words = [self.operand(expr.operands[0], expr)]
            for sign, operand in zip(expr.operators, expr.operands[1:], strict=True):
                words += [sign, self.operand(operand, expr)]
            return " ".join(words)
        if isinstance(expr, Ternary):
            parts = (self._grouped(part) for part in (expr.condition, expr.then, expr.otherwise))
            condition, then, otherwise = parts
            return f"{then} if {condition} else {otherwise}"
        if isinstance(expr, Call):
            return self.call(expr.function.name if isinstance(expr.function, Name) else "", expr)
        raise UnsupportedExpression("`is` needs a variant, which is not compiled", expr)

    def _grouped(self, expr: Expr) -> str:
        text = self.render(expr)
        return f"({text})" if isinstance(expr, Binary | Compare | Ternary | Unary) else text

    def _name(self, expr: Name) -> str:
        name = expr.name
        if (text := self.local(name)) is not None:
            return text
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if isinstance(self.module.find(name), Const):
            return type_name(name)
        for definition in self.module.definitions:
            if isinstance(definition, Enum) and any(member.name == name for member in definition.members):
                return f"{type_name(definition.name)}.{enum_member_name(name)}"
        raise UnsupportedExpression(f"{name!r} means nothing here", expr)

    def _member(self, expr: Member) -> str:
        if isinstance(expr.base, Name) and self.local(expr.base.name) is None:
            found = self.module.find(expr.base.name)
            if isinstance(found, Enum):
                return f"{types.class_expression(found, self.module)}.{enum_member_name(expr.name)}"
        return f"{self._grouped(expr.base)}.{field_name(expr.name)}"


def text_of(expr: Expr) -> str:
    """The expression as an IDL reader would write it, for messages."""
    if isinstance(expr, Name):
        return expr.name
    if isinstance(expr, Member):
        return f"{text_of(expr.base)}.{expr.name}"
    if isinstance(expr, Literal_):
        return types.quoted(expr.value) if isinstance(expr.value, str | bytes) else str(expr.value)
    if isinstance(expr, Binary):
        return f"{text_of(expr.left)} {expr.operator} {text_of(expr.right)}"
    if isinstance(expr, Unary):
        return f"{expr.operator} {text_of(expr.operand)}"
    if isinstance(expr, Compare):
        words = [text_of(expr.operands[0])]
        for operator, operand in zip(expr.operators, expr.operands[1:], strict=True):
            words += [operator, text_of(operand)]
        return " ".join(words)
    if isinstance(expr, Call):
        return f"{text_of(expr.function)}({', '.join(map(text_of, expr.arguments))})"
    if isinstance(expr, Ternary):
        return f"{text_of(expr.condition)} ? {text_of(expr.then)} : {text_of(expr.otherwise)}"
    if isinstance(expr, Index):
        return f"{text_of(expr.base)}[{text_of(expr.index)}]"
    return "the expression"
