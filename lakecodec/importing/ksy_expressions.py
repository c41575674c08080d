"""Kaitai Struct's expressions as trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import LarkError, UnexpectedInput

from .ksy_yaml import integer

_MOST_SIGNS = 20_000
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|[\s\S])")
_SIGNS = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b"}


class ExpressionError(ValueError):
    """Raised for a text that is not an expression."""


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression of Kaitai's language."""


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    value: int | float | str | bool


@dataclass(frozen=True, slots=True)
class Given(Expr):
    """An expression of the IDL, as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Array(Expr):
    items: tuple[Expr, ...]

    @property
    def as_bytes(self) -> bytes | None:
        """The bytes of the list if all its items are numbers of one byte."""
        values = [each.value for each in self.items if isinstance(each, Literal) and type(each.value) is int]
        if len(values) != len(self.items) or any(not 0 <= value <= 255 for value in values):
            return None
        return bytes(int(value) for value in values)


@dataclass(frozen=True, slots=True)
class Name(Expr):
    name: str


@dataclass(frozen=True, slots=True)
class EnumMember(Expr):
    """A member of an enum, by the names of types, enum and member."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member(Expr):
    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Method(Expr):
    base: Expr
    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Index(Expr):
    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Cast(Expr):
    base: Expr
    type: tuple[str, ...]
    is_list: bool


@dataclass(frozen=True, slots=True)
class SizeOf(Expr):
    type: tuple[str, ...]
    in_bits: bool


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """``operator`` is `not`, `-` or `~`."""

    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Ternary(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Formatted(Expr):
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A type by its name, with the arguments of its parameters."""

    path: tuple[str, ...]
    arguments: tuple[Expr, ...] = ()
    is_list: bool = False


@cache
def _parser() -> Lark:
    grammar = (files(__package__) / "ksy.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start=["expr", "use"], maybe_placeholders=False)


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expr:
    """Returns the tree of an expression.

    Raises:
        ExpressionError: the text is none.
    """
    found: Expr = _parsed(text, "expr")
    return found


@lru_cache(maxsize=4096)
def parse_use(text: str) -> Use:
    """Returns a type with its arguments.

    Raises:
        ExpressionError: the text is none.
    """
    found: Use = _parsed(text, "use")
    return found


def _parsed(text: str, start: str) -> Any:
    if len(text) > _MOST_SIGNS:
        raise ExpressionError(f"an expression has at most {_MOST_SIGNS} characters, this one has {len(text)}")
    try:
        return _Builder().transform(_parser().parse(text, start=start))
    except UnexpectedInput as error:
        shown = str(getattr(error, "token", None) or getattr(error, "char", ""))
        raise ExpressionError(
            f"'{shown}' does not belong here: {text}" if shown else f"it ends too soon: {text}"
        ) from None
    except (LarkError, RecursionError) as error:
        raise ExpressionError(f"{text}: {str(error).splitlines()[0]}") from None


@v_args(inline=True)
class _Builder(Transformer):  # type: ignore[type-arg]
    def chain_or(self, *parts: Expr) -> Expr:
        return _chained("or", parts)

    def chain_and(self, *parts: Expr) -> Expr:
        return _chained("and", parts)

    def inverted(self, operand: Expr) -> Expr:
        return Unary("not", operand)

    def binary(self, left: Expr, operator: Token, right: Expr) -> Expr:
        return Binary(str(operator), left, right)

    def ternary(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        return Ternary(condition, then, otherwise)

    def sign(self, operator: Token, operand: Expr) -> Expr:
        if operator == "-" and isinstance(operand, Literal) and not isinstance(operand.value, str | bool):
            return Literal(-operand.value)
        return operand if operator == "+" else Unary("-", operand)

    def complement(self, operand: Expr) -> Expr:
        return Unary("~", operand)

    def member(self, base: Expr, name: Token) -> Expr:
        return Member(base, str(name))

    def arguments(self, *parts: Expr) -> tuple[Expr, ...]:
        return parts

    def method(self, base: Expr, name: Token, arguments: tuple[Expr, ...]) -> Expr:
        return Method(base, str(name), arguments)

    def index(self, base: Expr, index: Expr) -> Expr:
        return Index(base, index)

    def brackets(self, *parts: Token) -> bool:
        return bool(parts)

    def type(self, name: Token, is_list: bool) -> Use:
        return Use(_names(name), (), is_list)

    def cast(self, base: Expr, word: Token, type_: Use) -> Expr:
        return Cast(base, type_.path, type_.is_list)

    def size_of(self, word: Token, type_: Use) -> Expr:
        return SizeOf(type_.path, word.startswith("bit"))

    def integer(self, token: Token) -> Expr:
        return Literal(integer(token))

    def decimal(self, token: Token) -> Expr:
        return Literal(float(token.replace("_", "")))

    def text(self, *tokens: Token) -> Expr:
        return Literal("".join(each[1:-1] if each[0] == "'" else unescaped(each[1:-1]) for each in tokens))

    def formatted(self, token: Token) -> Expr:
        pieces = re.split(r"\{([^{}]*)\}", token[2:-1])
        parts = [parse_expression(each) if place % 2 else Literal(unescaped(each)) for place, each in enumerate(pieces)]
        return Formatted(tuple(each for each in parts if each != Literal("")))

    def true(self) -> Expr:
        return Literal(True)

    def false(self) -> Expr:
        return Literal(False)

    def name(self, token: Token) -> Expr:
        return Name(str(token))

    def enum_member(self, token: Token) -> Expr:
        return EnumMember(_names(token))

    def array(self, *items: Expr) -> Expr:
        return Array(items)

    def used(self, name: Token, arguments: tuple[Expr, ...], is_list: bool) -> Use:
        return Use(_names(name), arguments, is_list)

    def plain_use(self, name: Token, is_list: bool) -> Use:
        return Use(_names(name), (), is_list)


def _names(path: str) -> tuple[str, ...]:
    return tuple(path.removeprefix("::").split("::"))


def _chained(operator: str, parts: tuple[Expr, ...]) -> Expr:
    found = parts[0]
    for each in parts[1:]:
        found = Binary(operator, found, each)
    return found


def unescaped(text: str) -> str:
    """Returns the text between double quotes with its escapes replaced."""

    def sign(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) > 1 and code[0] in "xu":
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _SIGNS.get(code, code)

    return _ESCAPE.sub(sign, text)


def parts_of(expr: Expr) -> Iterator[Expr]:
    """Yields an expression and all inside it."""
    pending = [expr]
    while pending:
        each = pending.pop()
        yield each
        for part in fields(each):
            value = getattr(each, part.name)
            pending += [value] if isinstance(value, Expr) else [one for one in _tuple(value) if isinstance(one, Expr)]


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def moved_down(expr: Expr) -> Expr:
    """Returns an expression of a type for use in a type inside it: names become those of its parent."""
    match expr:
        case Name(name="_root" | "_" | "_index"):
            return expr
        case Name():
            return Member(Name("_parent"), expr.name)
        case Member(base=Name(name="_parent")):
            return Member(Member(Name("_parent"), "_parent"), expr.name)
    changes: dict[str, Any] = {}
    for part in fields(expr):
        value = getattr(expr, part.name)
        if isinstance(value, Expr):
            changes[part.name] = moved_down(value)
        elif isinstance(value, tuple) and any(isinstance(one, Expr) for one in value):
            changes[part.name] = tuple(moved_down(one) for one in value)
    return replace(expr, **changes) if changes else expr
