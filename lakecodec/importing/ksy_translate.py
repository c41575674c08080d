"""Kaitai Struct's expressions in the words of the IDL."""

from __future__ import annotations

from dataclasses import replace

from .ksy_expressions import (
    Array,
    Binary,
    Cast,
    EnumMember,
    Expr,
    Formatted,
    Given,
    Index,
    Literal,
    Member,
    Method,
    Name,
    SizeOf,
    Ternary,
    Unary,
)
from .ksy_kinds import ANY, BOOL, BYTES, FLOAT, INT, STR, InexpressibleError, Kind
from .ksy_known import Context
from .ksy_paths import Paths
from .ksy_words import Translated, bytes_literal, literal

#: The numbers that enum members can have.
NUMBERS = range(-(1 << 63), 1 << 64)
_INTEGERS = {"*", "%", "+", "-", "<<", ">>", "&", "|", "^", "/"}


class Translator(Paths):
    """The translator of expressions."""

    def translate(self, expr: Expr, context: Context) -> Translated:
        match expr:
            case Literal(value=value):
                return literal(value)
            case Given(text=text):
                return Translated(text, INT, is_closed=False)
            case Array():
                data = expr.as_bytes
                return self._list(expr, context) if data is None else Translated(bytes_literal(data), BYTES)
            case EnumMember(path=path):
                enum = self.types.find_enum(path[:-1], context.type)
                if enum is None:
                    raise InexpressibleError(f"there is no enum {'::'.join(path[:-1])}")
                number = next((number for number, name, _, _ in enum.members if name == path[-1]), None)
                if number is None:
                    raise InexpressibleError(f"the enum {enum.name} has no {path[-1]}")
                if number not in NUMBERS:
                    return Translated(str(number), INT, is_closed=number >= 0)
                self.referred(enum, context.type)
                return Translated(
                    f"{self._names(enum, context.type)}.{self._names((enum, path[-1]), context.type)}",
                    Kind("enum", enum),
                )
            case Name() | Member():
                return self._path(expr, context)
            case Method():
                return self._method(expr, context)
            case Index(base=base, index=index):
                of = self.value(base, context)
                return Translated(f"{of.closed}[{self.number(index, context).text}]", of.kind.element)
            case Cast():
                return self._cast(expr, context)
            case SizeOf():
                bits = self.sizes.bits_of_type(expr.type, context.type)
                return Translated(str(bits if expr.in_bits else -(-bits // 8)), INT)
            case Unary():
                of = self.value(expr.operand, context)
                if expr.operator == "not":
                    return Translated(f"not {of.closed}", BOOL, is_closed=False)
                text = f"-{of.closed}" if expr.operator == "-" else f"-1 - {of.closed}"
                return Translated(text, of.kind if of.kind.name == "float" else INT, is_closed=False)
            case Binary():
                return self._binary(expr, context)
            case Ternary():
                condition = self.value(expr.condition, context)
                then, otherwise = self.value(expr.then, context), self.value(expr.otherwise, context)
                kind = then.kind if then.kind.name == otherwise.kind.name or otherwise.kind == ANY else otherwise.kind
                if {then.kind.name, otherwise.kind.name} == {"int", "float"}:
                    kind = FLOAT
                return Translated(f"{condition.closed} ? {then.closed} : {otherwise.closed}", kind, is_closed=False)
            case Formatted(parts=parts):
                made = [self._as_text(self.value(each, context), context) for each in parts]
                return Translated(" + ".join(made) or '""', STR, is_closed=len(made) < 2)
        raise InexpressibleError("this kind of expression is not supported")

    def _list(self, expr: Array, context: Context) -> Translated:
        made = [self.value(each, context) for each in expr.items]
        names = {each.kind.name for each in made}
        kind = FLOAT if names == {"int", "float"} else made[0].kind if made else ANY
        return Translated(f"list_of({', '.join(each.text for each in made)})", replace(kind, lists=kind.lists + 1))

    def _cast(self, expr: Cast, context: Context) -> Translated:
        kind = self.types.named(expr.type, context.type)
        if isinstance(expr.base, Array) and expr.is_list:
            return replace(self._list(expr.base, context), kind=replace(kind, lists=1))
        if isinstance(expr.base, Array) and kind == BYTES and expr.base.as_bytes is None:
            made = [f"big_bytes({self.number(each, context).text}, 1)" for each in expr.base.items]
            return Translated(" + ".join(made), BYTES, is_closed=len(made) < 2)
        return replace(self.value(expr.base, context), kind=replace(kind, lists=1) if expr.is_list else kind)

    def _as_text(self, translated: Translated, context: Context) -> str:
        if translated.kind.name == "str":
            return translated.closed
        if translated.kind.name in ("int", "enum"):
            return self.call("text_of", context, translated.text)
        raise InexpressibleError(f"the text of a {translated.kind.name} cannot be expressed")

    def _binary(self, expr: Binary, context: Context) -> Translated:
        left, right = self.value(expr.left, context), self.value(expr.right, context)
        operator = expr.operator
        if operator in ("and", "or"):
            return Translated(f"{left.closed} {operator} {right.closed}", BOOL, is_closed=False)
        kinds = {left.kind.name, right.kind.name}
        if operator not in _INTEGERS:
            return Translated(f"{left.closed} {operator} {right.closed}", BOOL, is_closed=False)
        if kinds & {"str"}:
            if operator != "+":
                raise InexpressibleError(f"'{operator}' of texts cannot be expressed")
            return Translated(f"{left.closed} + {right.closed}", STR, is_closed=False)
        if "float" in kinds:
            if operator == "/":
                return Translated(self.call("quotient_of", context, left.text, right.text), FLOAT)
            if operator not in ("+", "-", "*"):
                raise InexpressibleError(f"'{operator}' of floats cannot be expressed")
            return Translated(f"{left.closed} {operator} {right.closed}", FLOAT, is_closed=False)
        if kinds & {"bytes", "type", "io"} or left.kind.lists or right.kind.lists:
            raise InexpressibleError(f"'{operator}' of {' and '.join(sorted(kinds))} cannot be expressed")
        text = f"{left.closed} {operator} {right.closed}"
        if operator == ">>" and not isinstance(expr.right, Literal):
            text = f"{left.closed} >> {right.closed}"
        return Translated(text, INT, is_closed=False)
