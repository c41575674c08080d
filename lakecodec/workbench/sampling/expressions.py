"""Expressions of a declaration, evaluated over a value that is still being made; and solved for one of its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from ...generator.graph import in_order
from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.nodes import Node
from ...generator.model import Module
from ...generator.names import import_alias
from ...generator.print.expressions import Atom, ExpressionPrinter
from ...generator.print.imports import RUNTIME_MODULES
from ...generator.print.text import flat
from ..schema import Schema
from .choices import Rejected

_RUNTIME = "lakecodec.runtime"
_ALIASES = {**RUNTIME_MODULES, "_decl": "declaration", "_objects": "object_table"}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
#: The distances from the other operand of a comparison to the numbers on both sides of its edge.
_NEAR = {"<": (-1, 0), ">": (1, 0), "<=": (0, 1), ">=": (0, -1)}
#: The quotients that are tried for numbers with a given remainder. Some take more than three bits.
_QUOTIENTS = (0, 1, 2, 3, 7, 8)


class Unknown(Exception):
    """An expression needs a value that is unknown before the bytes are written."""


class Frame:
    """A body that is being filled.

    Attributes:
        values: fields and parameters by their Python names.
        index: of the element that is made.
        around: the frame of the field whose element this body is, and the nodes of its arguments by parameter.
        words: what `at_end` and `end` are, where that was chosen.
        over: no bytes are left for the fields behind.
    """

    def __init__(
        self, module: Module, values: dict[str, Any], around: tuple[Frame, dict[str, Node]] | None = None
    ) -> None:
        self.module = module
        self.values = values
        self.index: int | None = None
        self.around = around
        self.words: dict[str, Any] = {}
        self.over = False


class _Fields:
    """Fields as attributes, which expressions name; one that is not there yet is not known."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__ = values

    def __getattr__(self, name: str) -> Any:
        raise Unknown(name)


class _Printer(ExpressionPrinter):
    """Prints expressions over ``fields`` and ``index``; what only bytes tell is a call of ``unknown``."""

    def spell(self, node: Node) -> Node:
        match node:
            case nodes.FieldValue() | nodes.Parameter():
                return Atom(f"fields.{node.attribute}")
            case nodes.ElementIndex():
                return Atom("index")
            case nodes.Measure() if node.fixed is not None:
                return nodes.Constant(node.fixed)
            case nodes.SpanWord():
                return Atom(f"unknown({node.word!r})")
            case (
                nodes.Measure()
                | nodes.PlacedMeasure()
                | nodes.CodecValue()
                | nodes.Encoded()
                | nodes.AllBut()
                | nodes.Padding()
            ):
                return Atom("unknown('')")
        return super().spell(node)


class Evaluator:
    """Evaluates the nodes of a schema, and counts what it evaluates."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.evaluated = 0
        self._names: dict[str, dict[str, Any]] = {}
        #: Compiled functions by the node's identity. The node is kept, so that its identity stays unique.
        self._functions: dict[int, tuple[Node, Callable[..., Any]]] = {}
        self._compared: dict[tuple[object, ...], tuple[Node, list[tuple[Node, Node, str]]]] = {}

    def value(self, node: Node, frame: Frame) -> Any:
        """Returns the value of an expression.

        Raises:
            Unknown: it depends on something that is not there yet, or on sizes and places.
        """
        self.evaluated += 1
        if (known := self._functions.get(id(node))) is None:
            text = f"lambda fields, index, unknown: {flat(_Printer(frame.module, set()).text(node))}"
            known = self._functions[id(node)] = node, eval(text, self._globals(frame.module))

        def unknown(word: str) -> Any:
            if word in frame.words:
                return frame.words[word]
            raise Unknown(word)

        try:
            return known[1](_Fields(frame.values), frame.index, unknown)
        except RecursionError:
            raise Rejected("calls of functions are nested too deep") from None

    def known(self, node: Node, frame: Frame) -> Any:
        """Returns the value of an expression, None where it is not known or has none."""
        try:
            return self.value(node, frame)
        except (Unknown, ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError):
            # NameError: a condition of the other version names what this version lacks.
            return None

    def _globals(self, module: Module) -> dict[str, Any]:
        if module.name not in self._names:
            found = dict(vars(self._schema.python(module)))
            for alias, name in _ALIASES.items():
                found.setdefault(alias, import_module(f"{_RUNTIME}.{name}"))
            for each in in_order(self._schema.model):
                found.setdefault(import_alias(each), self._schema.python(each))
            self._names[module.name] = found
        return self._names[module.name]

    def solutions(self, condition: Node, unknown: Node, frame: Frame) -> Iterator[Any]:
        """Yields values of ``unknown`` with which a condition is about to hold, or just about not to.

        ``unknown`` is a field, or the count of one.
        """
        for side, other, operator in self._sides(condition, unknown):
            wanted = self.known(other, frame)
            if isinstance(wanted, int):
                for step in _NEAR.get(operator, (0, 1, -1)):
                    yield from self._inverted(side, int(wanted) + step, unknown, frame)
            elif wanted is not None and same(side, unknown):
                yield wanted

    def _sides(self, condition: Node, unknown: Node) -> list[tuple[Node, Node, str]]:
        """Returns the comparisons of a condition that have a node on one side alone: that side, the other, the operator."""
        key = id(condition), type(unknown), next(nodes.field_names(unknown), ""), _path(unknown)
        if key not in self._compared:
            found = []
            for part in nodes.walk(condition):
                if isinstance(part, nodes.Comparison):
                    for operator, left, right in zip(part.operators, part.operands, part.operands[1:], strict=False):
                        if _contains(left, unknown) and not _contains(right, unknown):
                            found.append((left, right, operator))
                        elif _contains(right, unknown) and not _contains(left, unknown):
                            found.append((right, left, _FLIPPED.get(operator, operator)))
            self._compared[key] = condition, found
        return self._compared[key][1]

    def _inverted(self, node: Node, wanted: int, unknown: Node, frame: Frame) -> Iterator[int]:
        """Yields numbers for ``unknown`` that give a node the wanted value."""
        if same(node, unknown):
            yield wanted
            return
        match node:
            case nodes.Item(base=base, index=nodes.ElementIndex()) if same(base, unknown):
                yield wanted
            case nodes.Builtin(name="total", operands=(each,)) if same(each, unknown):
                # The amount that the elements so far lack.
                so_far = self.known(node, frame)
                yield wanted - so_far if isinstance(so_far, int) else wanted
            case nodes.InRange() | nodes.Int():
                yield from self._inverted(node.operand, wanted, unknown, frame)
            case nodes.Conditional(then=then, otherwise=otherwise):
                for each in (then, otherwise):
                    yield from self._inverted(each, wanted, unknown, frame)
            case nodes.Builtin(name=("largest" | "smallest" | "total" | "max" | "min"), operands=operands):
                for each in operands:
                    if _contains(each, unknown):
                        yield from self._inverted(each, wanted, unknown, frame)
            case nodes.Arithmetic(operator=operator, left=left, right=right):
                if _contains(left, unknown):
                    given = self.known(right, frame)
                    if isinstance(given, int):
                        for number in _left_of(operator, wanted, given):
                            yield from self._inverted(left, number, unknown, frame)
                elif operator in ("+", "*", "|", "&", "-"):
                    given = self.known(left, frame)
                    if isinstance(given, int):
                        swapped = (given - wanted,) if operator == "-" else _left_of(operator, wanted, given)
                        for number in swapped:
                            yield from self._inverted(right, number, unknown, frame)


def _left_of(operator: str, wanted: int, right: int) -> Iterator[int]:
    """Yields left operands with which an operation gives the wanted value."""
    match operator:
        case "+":
            yield wanted - right
        case "-":
            yield wanted + right
        case "*" if right and wanted % right == 0:
            yield wanted // right
        case "//" if right:
            yield wanted * right
            yield wanted * right + right - 1
        case "%" if 0 <= wanted < right:
            yield from (wanted + right * times for times in _QUOTIENTS)
        case ">>" if 0 <= right < 64:
            yield wanted << right
        case "<<" if 0 <= right < 64:
            yield wanted >> right
        case "&" if right & (right + 1) == 0:
            # The lowest bits, alone and below others.
            yield from (wanted, wanted + right + 1)
        case "&" | "|" | "^":
            yield wanted


def same(a: Node, b: Node) -> bool:
    """Returns whether two nodes are the same field, the same attribute inside of one, or the same count."""
    match a, b:
        case (nodes.FieldValue(field=one), nodes.FieldValue(field=other)):
            return one == other
        case (nodes.Parameter(attribute=one), nodes.Parameter(attribute=other)):
            return one == other
        case (nodes.Count(operand=first), nodes.Count(operand=second)):
            return same(first, second)
        case (nodes.Attribute(), nodes.Attribute()):
            return _path(a) == _path(b)
    return False


def is_inside(node: Node, field: FieldLayout) -> bool:
    """Returns whether a node is an attribute of a field or a parameter, at any depth."""
    root, *path = _path(node)
    return bool(path) and (isinstance(root, nodes.Parameter) or getattr(root, "field", "") == field.name)


def _path(node: Node) -> tuple[object, ...]:
    """Returns the root of a chain of attributes, the names and indexes that follow it; another node alone."""
    match node:
        case nodes.Attribute(base=base, name=name):
            return (*_path(base), name)
        case nodes.Item(base=base, index=index):
            return (*_path(base), index)
    return (node,)


def _contains(node: Node, wanted: Node) -> bool:
    return any(same(each, wanted) for each in nodes.walk(node))
