"""Expressions as data: the Python text that readers execute, as the tuples of ``runtime/records/table.py``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ..model import Extension
from ..syntax import Expr, FnDef
from .declarations import plan_declaration
from .names import field_name, type_name
from .record_scope import RecordScope, item_text
from .types import quoted
from .units import Measure, Unit

_SPECIAL = {"end": "_end - _begin", "rest": "_end - pos", "at_end": "pos == _end"}
_PLACES = {"index": '("index",)', "pos": '("pos",)', "_begin": '("begin",)', "_end": '("end",)'}
_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
}  # fmt: skip
#: Functions of `runtime/records/functions.py` that tables know by name; the others are called.
_NAMED = ("ascending", "in_range", "is_permutation", "item", "largest", "unique")
#: Measures as tables call them.
NOTES = {"size": "size", "size[]": "sizes", "raw_size": "raw_size", "offset": "start", "offset[]": "starts"}


class NoTable(Exception):
    """An expression that tables cannot say; what holds it is left to the pure reader."""


def table_scope(unit: Unit, *, made: bool = True) -> RecordScope:
    """A scope whose text ``as_table`` understands; ``made`` as in RecordScope."""

    def measure(found: Measure, index: str) -> str:
        if found.note not in NOTES:
            raise NoTable(found.note)
        note = f'_noted("{NOTES[found.note]}", "{unit.attr(found.field)}")'
        text = note if found.index is None else item_text(note, index)
        return f"(_base + {text})" if found.function == "offset" else text

    return RecordScope(unit, _SPECIAL, measure, made=made)


def as_table(text: str, unit: Unit, params: Mapping[str, str] | None = None) -> str:
    """The text of a table for the text of a Python expression.

    Args:
        params: arguments of the method that stand for attributes, where no object is made yet.
    """
    return _Lowering(unit, dict(params or {}), ()).lower(ast.parse(text.strip(), mode="eval").body)


class _Lowering:
    """Args:
    unit: whose expressions these are.
    variables: plain names that are variables, and what the table calls them.
    inside: the functions of the IDL whose bodies are being lowered.
    """

    def __init__(self, unit: Unit, variables: dict[str, str], inside: tuple[str, ...]) -> None:
        self._unit = unit
        self._variables = variables
        self._inside = inside

    def lower(self, node: ast.expr) -> str:
        if self._is_global(node):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                return f'("text", {_source(node)})'
            return _source(node)
        match node:
            case ast.Name(id=name):
                return _PLACES.get(name) or {"_base": '("base",)'}.get(name) or _quoted(self._variables[name])
            case ast.Attribute(value=ast.Name(id="at"), attr="start"):
                return _PLACES["_begin"]
            case ast.Attribute(value=ast.Name(id="made"), attr=name):
                return _quoted(name)
            case ast.Attribute(value=base, attr=name):
                return self._tuple("get", self.lower(base), _quoted(name))
            case ast.BinOp(left=left, op=operator, right=right):
                return self._tuple(_BINARY[type(operator)], self.lower(left), self.lower(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._tuple("not", self.lower(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._tuple("-", "0", self.lower(operand))
            case ast.BoolOp(op=boolean, values=values):
                word = "and" if isinstance(boolean, ast.And) else "or"
                return self._tuple(word, *map(self.lower, values))
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self._tuple("if", self.lower(test), self.lower(then), self.lower(otherwise))
            case ast.Subscript(value=base, slice=ast.Slice(lower=low, upper=high)):
                bounds = ["None" if bound is None else self.lower(bound) for bound in (low, high)]
                return self._tuple("slice", self.lower(base), *bounds)
            case ast.Subscript(value=base, slice=ast.UnaryOp()):
                return self._tuple("last", self.lower(base))
            case ast.Subscript(value=base, slice=place):
                return self._tuple("item", self.lower(base), self.lower(place))
            case ast.ListComp(elt=ast.Attribute(attr=name), generators=[loop]):
                return self._tuple("each", self.lower(loop.iter), _quoted(name))
            case ast.List(elts=items):
                return self._tuple("list", *map(self.lower, items))
            case ast.Call(func=function, args=arguments):
                return self._called(function, arguments)
        raise NoTable(ast.unparse(node))

    def _compare(self, node: ast.Compare) -> str:
        operands = [node.left, *node.comparators]
        parts = []
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if isinstance(operator, ast.IsNot):
                parts.append(self._tuple("not", self._tuple("is", self.lower(left), self.lower(right))))
            else:
                parts.append(self._tuple(_COMPARED[type(operator)], self.lower(left), self.lower(right)))
        return parts[0] if len(parts) == 1 else self._tuple("and", *parts)

    def _called(self, function: ast.expr, arguments: list[ast.expr]) -> str:
        match function:
            case ast.Name(id="_noted"):
                return self._tuple("noted", *map(_source, arguments))
            case ast.Name(id="len"):
                match arguments[0]:
                    case ast.Attribute(value=ast.Name(id="at"), attr="buf"):
                        return _PLACES["_end"]
                    case ast.Call(func=ast.Attribute(value=text, attr="encode"), args=[]):
                        return self._tuple("count", self.lower(text))
                return self._tuple("count", self.lower(arguments[0]))
            case ast.Name(id="max" | "min" | "int" as name):
                return self._tuple(name, *map(self.lower, arguments))
            case ast.Attribute(value=ast.Name(id="_fn"), attr=name):
                if name == "total":
                    return self._tuple("sum", self.lower(arguments[0]))
                if name in _NAMED:
                    return self._tuple(name, *map(self.lower, arguments))
            case ast.Attribute(value=base, attr="bit_length"):
                return self._tuple("bit_length", self.lower(base))
            case ast.Attribute(value=base, attr="encode"):
                return self._tuple("call", "str.encode", self.lower(base))
            case ast.Name(id=name) if (inlined := self._inlined(name, arguments)) is not None:
                return inlined
        return self._call(_source(function), arguments)

    def _call(self, function: str, arguments: list[ast.expr]) -> str:
        return self._tuple("call", function, *map(self.lower, arguments))

    def _inlined(self, name: str, arguments: list[ast.expr]) -> str | None:
        """A function of the IDL as its body; None for what is no such function."""
        for found in self._unit.module.definitions:
            if isinstance(found, Extension) and isinstance(found.syntax, FnDef) and type_name(found.name) == name:
                break
        else:
            return None
        params = [field_name(param.name) for param in found.syntax.params]
        if name in self._inside or not isinstance(found.syntax.value, Expr) or len(params) != len(arguments):
            return None
        inner = _Lowering(self._unit, {param: param for param in params}, (*self._inside, name))
        body = inner.lower(ast.parse(plan_declaration(found).body[0], mode="eval").body)
        pairs = [f"({_quoted(param)}, {self.lower(each)})" for param, each in zip(params, arguments, strict=True)]
        return self._tuple("let", f"({', '.join(pairs)}{',' if len(pairs) == 1 else ''})", body)

    def _is_global(self, node: ast.expr) -> bool:
        """Whether the expression names constants alone, and is one itself."""
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name not in _PLACES and name not in self._variables and name not in ("at", "made", "_base")
            case ast.Attribute(value=base):
                return self._is_global(base)
            case ast.Call(func=ast.Attribute(value=base, attr="encode"), args=[]):
                return isinstance(base, ast.Name | ast.Attribute | ast.Constant) and self._is_global(base)
            case ast.BinOp(left=ast.Constant(), op=ast.LShift(), right=ast.Constant()):
                return True
            case ast.BinOp(left=left, op=ast.Sub(), right=ast.Constant()):
                return isinstance(left, ast.BinOp) and self._is_global(left)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._is_global(operand)
        return False

    def _tuple(self, word: str, *parts: str) -> str:
        return f"({', '.join([_quoted(word), *parts])})"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _source(node: ast.expr) -> str:
    """The text of a part without variables, as formatters write it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return quoted(node.value)
    return ast.unparse(node)
