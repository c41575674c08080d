"""Nodes as Python expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..lower import nodes
from ..lower.nodes import Node
from ..model import Extension, Module
from ..names import free_name, import_alias, quoted, type_name
from .text import call, enclosed, listed, operation
from .types import class_expression

#: Precedence of Python's operators.
TERNARY, OR, AND, NOT, COMPARISON, UNARY, POSTFIX = 0, 1, 2, 3, 4, 12, 13
_LEVELS = {"or": OR, "and": AND, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "//": 10, "%": 10}
_OPPOSITE = {"==": "!=", "!=": "==", "is not": "is"}
#: Python's built-in functions.
_OWN = ("len", "max", "min")


@dataclass(frozen=True, slots=True)
class Atom(Node):
    """A variable of the surrounding method, or a call of such a variable."""

    text: str


class Printed(NamedTuple):
    """A text, and the precedence of its outermost operator."""

    text: str
    level: int = POSTFIX


class ExpressionPrinter:
    """Prints nodes. Subclasses print the leaves as the place of the expression requires.

    Args:
        module: the module that is generated.
        imports: receives the aliases of the runtime modules that are used.
    """

    def __init__(self, module: Module, imports: set[str]) -> None:
        self.module = module
        self.imports = imports

    def spell(self, node: Node) -> Node:
        """Returns the Python spelling of a leaf: an Atom, or an expression of Atoms."""
        match node:
            case nodes.Variable():
                return Atom(free_name(self.module, node.name))
            case nodes.Identity():
                return Atom(f"{self.runtime('_decl')}.identity()")
            case nodes.Width():
                return Atom(f"{self.runtime('_decl')}.WIDTH")
            case nodes.Declared():
                return Atom(self.extension(node.extension))
            case nodes.Global():
                prefix = "" if node.module is self.module else f"{import_alias(node.module)}."
                return Atom(prefix + ".".join(node.path))
        raise AssertionError(node)

    def runtime(self, alias: str) -> str:
        """Returns the alias of a module of the runtime and marks the module as imported."""
        self.imports.add(alias)
        return alias

    def extension(self, found: Extension) -> str:
        """Returns the Python name of a function, codec or encoding of the IDL."""
        prefix = "" if found.module is self.module else f"{import_alias(found.module)}."
        return f"{prefix}{type_name(found.name)}"

    def text(self, node: Node) -> str:
        """Returns the expression as Python text; operands are parenthesised where precedence could differ."""
        return self.show(node).text

    def texts(self, found: tuple[Node, ...]) -> list[str]:
        return [self.text(node) for node in found]

    def operand(self, node: Node, level: int = POSTFIX) -> str:
        """Returns the expression as an operand of an operator with the precedence ``level``."""
        text, own = self.show(node)
        return enclosed(text) if own < level else text

    def negated(self, node: Node) -> Printed:
        """Returns `not node`, or for a comparison of two values the opposite operator."""
        match self.spelled(node):
            case nodes.Comparison(operators=(("==" | "!=" | "is not") as sign,), operands=operands):
                return self.show(nodes.Comparison((_OPPOSITE[sign],), operands))
            case nodes.Not(operand=operand):
                return self.show(operand)
        text = self.text(node)
        return Printed(f"not {enclosed(text)}" if self._is_busy(node) else f"not {text}", NOT)

    def spelled(self, node: Node) -> Node:
        """Returns the node itself, or the replacement of a leaf."""
        while isinstance(node, _LEAVES):
            node = self.spell(node)
        return node

    def show(self, node: Node) -> Printed:
        match node := self.spelled(node):
            case Atom():
                return Printed(node.text)
            case nodes.Constant(value=value):
                text = quoted(value) if isinstance(value, str | bytes) else repr(value)
                return Printed(text, UNARY if text.startswith("-") else POSTFIX)
            case nodes.Attribute():
                return Printed(f"{self.operand(node.base)}.{node.name}")
            case nodes.Attributes():
                return Printed(listed([f"each.{node.name} for each in {self.operand(node.base)}"]))
            case nodes.Item():
                if node.checked:
                    return self._call("item", node.base, node.index)
                return Printed(f"{self.operand(node.base)}[{self.text(node.index)}]")
            case nodes.Last():
                return Printed(f"{self.operand(node.base)}[-1]")
            case nodes.Slice():
                return self._slice(node)
            case nodes.Negative():
                return Printed(f"-{self.operand(node.operand, UNARY)}", UNARY)
            case nodes.Not():
                return self.negated(node.operand)
            case nodes.Arithmetic():
                level = _LEVELS[node.operator]
                left, right = self.operand(node.left, level), self.operand(node.right, level + 1)
                return Printed(operation(node.operator, (left, right)), level)
            case nodes.Logical():
                level = _LEVELS[node.word]
                return Printed(operation(node.word, [self.operand(each, AND + 1) for each in node.operands]), level)
            case nodes.Comparison():
                words = [self.operand(node.operands[0], COMPARISON + 1)]
                for sign, operand in zip(node.operators, node.operands[1:], strict=True):
                    words += [sign, self.operand(operand, COMPARISON + 1)]
                return Printed(" ".join(words), COMPARISON)
            case nodes.Loop():
                return self._loop(node)
            case nodes.Conditional():
                then, condition, otherwise = (
                    self.operand(each, OR) for each in (node.then, node.condition, node.otherwise)
                )
                return Printed(f"{then} if {condition} else {otherwise}", TERNARY)
        return self._operation(node)

    def _operation(self, node: Node) -> Printed:
        match node:
            case nodes.Count(operand=operand):
                kind = operand.kind
                if kind.lists or kind.kind in ("bytes", "values"):
                    return Printed(call("len", self.text(operand)))
                if kind.kind == "text":
                    return Printed(f"len({self.operand(operand)}.encode())")
                return self._call("count", operand)
            case nodes.Encode():
                return Printed(f"{self.operand(node.operand)}.encode()")
            case nodes.Int():
                return Printed(call("int", self.text(node.operand)))
            case nodes.MemberOf(operand=operand, enum=enum):
                table = class_expression(enum, self.module)
                return Printed(call(f"{self.runtime('_fn')}.member_of", table, self.text(operand)))
            case nodes.Truth():
                return Printed(call("bool", self.text(node.operand)))
            case nodes.InRange():
                bits = node.bits
                low, high = (f"-(1 << {bits - 1})", f"(1 << {bits - 1}) - 1")
                if not node.signed:
                    low, high = "0", f"(1 << {bits}) - 1"
                return Printed(call(f"{self.runtime('_fn')}.in_range", self.text(node.operand), low, high))
            case nodes.Fill():
                return Printed(
                    f"{call('bytes', listed([self.text(node.byte)]))} * {self.operand(node.count)}", _LEVELS["*"]
                )
            case nodes.FunctionCall():
                return Printed(call(self.extension(node.function), *self.texts(node.operands)))
            case nodes.Builtin(name="bit_length", operands=(operand,)):
                return Printed(f"{self.operand(operand)}.bit_length()")
            case nodes.Builtin(name="name_of", operands=(operand,)):
                name = f"{self.runtime('_objects')}.member_name"
                text = self.text(operand)
                return Printed(listed([f"{name}(each) for each in {text}"]) if operand.kind.lists else call(name, text))
            case nodes.Builtin(name="join", operands=(parts, separator)):
                return Printed(call(f"{self.operand(separator)}.join", self.operand(parts)))
            case nodes.Builtin(name=name, operands=operands) if name in _OWN:
                return Printed(call(name, *self.texts(operands)))
            case nodes.Builtin():
                return self._call(node.name, *node.operands)
        raise AssertionError(node)

    def _call(self, function: str, *operands: Node) -> Printed:
        """Returns a call of a function of the runtime."""
        return Printed(call(f"{self.runtime('_fn')}.{function}", *self.texts(operands)))

    def _loop(self, node: nodes.Loop) -> Printed:
        base, variable = self.operand(node.base, OR), free_name(self.module, node.variable)
        if node.initial is None:
            condition = "" if node.condition is None else f" if {self.operand(node.condition, OR)}"
            return Printed(f"[{self.text(node.value)} for {variable} in {base}{condition}]")
        value = node.value
        if node.condition is not None:
            value = nodes.Conditional(node.condition, value, nodes.Variable(node.accumulator))
        step = f"lambda {free_name(self.module, node.accumulator)}, {variable}: {self.text(value)}"
        return Printed(f"{self.runtime('_fn')}.fold({step}, {base}, {self.text(node.initial)})")

    def _slice(self, node: nodes.Slice) -> Printed:
        """Returns a slice; like formatters, puts blanks around the colon if a bound is more than a name or number."""
        bounds = (node.low, node.high)
        plain = all(bound is None or isinstance(bound, nodes.Variable | nodes.Constant) for bound in bounds)
        low, high = ("" if bound is None else self.text(bound) for bound in bounds)
        colon = ":" if plain else f"{' ' if low else ''}:{' ' if high else ''}"
        return Printed(f"{self.operand(node.base)}[{low}{colon}{high}]")

    def _is_busy(self, node: Node) -> bool:
        """Returns whether the negation of an expression is hard to read without parentheses."""
        return any(
            isinstance(part, nodes.Logical | nodes.Conditional | nodes.Not | nodes.Attributes | nodes.Loop)
            or (isinstance(part, nodes.Comparison) and part.operators != ("!=",))
            or (isinstance(part, nodes.Arithmetic) and part.operator == "&")
            for part in nodes.walk(self.spelled(node))
        )


_LEAVES = (
    nodes.Global, nodes.FieldValue, nodes.Parameter, nodes.CodecValue, nodes.ElementIndex, nodes.SpanWord,
    nodes.Measure, nodes.PlacedMeasure, nodes.AllBut, nodes.Encoded,
    nodes.Padding, nodes.Variable, nodes.Width, nodes.Declared, nodes.Identity,
)  # fmt: skip
