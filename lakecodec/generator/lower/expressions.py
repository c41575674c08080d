"""Lowering of the IDL's expressions to nodes; a scope resolves their names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ..builtin_names import FUNCTIONS
from ..diagnostics import Location
from ..infer import Inference, Local
from ..model import Enum, Extension, Module, Record, Struct
from ..names import attribute_name, definition_name, field_name
from ..paths import ANYTHING, INTEGER, Target, computed_of, element, names_of
from ..syntax import (
    Binary,
    Call,
    CodecDef,
    Compare,
    ComputedDef,
    Each,
    EncodingDef,
    Expr,
    FnDef,
    Index,
    IsCase,
    Literal_,
    Member,
    Name,
    Ternary,
    Unary,
)
from ..syntax import (
    Slice as SliceExpr,
)
from ..syntax.walk import called_name, names, substituted, walk
from . import nodes
from .nodes import Node

_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
#: Functions of the runtime that are called directly.
_RUNTIME = (
    "adler32", "ascending", "big_bytes", "big_number", "common_prefix", "contains", "crc32", "is_permutation", "list_of",
    "little_bytes", "little_number", "position", "unique",
)  # fmt: skip


class UnsupportedExpression(Exception):
    """Raised for an expression that cannot be compiled at its place, ``location``."""

    def __init__(self, message: str, where: Expr | Location) -> None:
        super().__init__(message)
        self.message = message
        self.location = where if isinstance(where, Location) else where.location


class Scope(ABC):
    """The lowering of expressions. Subclasses resolve names.

    Attributes: ``kinds`` are the kinds of the scope's own names.
    """

    def __init__(self, module: Module, kinds: Local) -> None:
        self.module = module
        self.kinds = kinds
        self.inference = Inference(module)
        #: The names that are bound by loops around the expression.
        self._bound: frozenset[str] = frozenset()

    @abstractmethod
    def local(self, name: str, place: dict[str, Any]) -> Node | None:
        """Returns the node of a name of the scope itself; None for other names.

        ``place`` are the kind and the location, as arguments of nodes.
        """

    def call(self, function: str, expr: Call, place: dict[str, Any]) -> Node | None:
        """Returns the node of a call that has a meaning only in this scope."""
        return None

    def checks_index(self, index: Node) -> bool:
        """Returns whether the index of an element must be checked."""
        return False

    def kind(self, expr: Expr) -> Target:
        return self.inference.check(expr, self.kinds)

    def lower(self, expr: Expr, wanted: Target = ANYTHING) -> Node:
        """Returns the node of an expression.

        Args:
            wanted: the kind that the value must have; it determines the enum of a member, and turns texts into bytes.

        Raises:
            UnsupportedExpression: a name or a function means nothing here.
        """
        kind = self.kind(expr)
        is_encoded = wanted.kind == "bytes" and not wanted.lists and kind.kind == "text"
        if isinstance(expr, Ternary) and wanted.kind == "bytes" and not wanted.lists:
            # Each branch is encoded by itself.
            return self._lower(expr, wanted, {"kind": wanted, "location": expr.location})
        node = self._lower(expr, wanted, {"kind": kind, "location": expr.location})
        if is_encoded:
            if isinstance(node, nodes.Constant) and isinstance(node.value, str):
                return nodes.Constant(node.value.encode(), kind=wanted, location=expr.location)
            return nodes.Encode(node, kind=wanted, location=expr.location)
        return node

    def _lower(self, expr: Expr, wanted: Target, place: dict[str, Any]) -> Node:
        lower = self.lower
        match expr:
            case Literal_():
                return nodes.Constant(expr.value, **place)
            case Name():
                return self._name(expr, wanted, place)
            case Member():
                return self._member(expr, place)
            case Index():
                index = lower(expr.index)
                return nodes.Item(lower(expr.base), index, self.checks_index(index), **place)
            case SliceExpr():
                low, high = (None if bound is None else lower(bound) for bound in (expr.low, expr.high))
                return nodes.Slice(lower(expr.base), low, high, **place)
            case Unary():
                return (nodes.Not if expr.operator == "not" else nodes.Negative)(lower(expr.operand), **place)
            case Binary():
                return self._binary(expr, place)
            case Compare():
                return self._compare(expr, place)
            case Ternary():
                then, otherwise = lower(expr.then, wanted), lower(expr.otherwise, wanted)
                return nodes.Conditional(lower(expr.condition), then, otherwise, **place)
            case Each():
                return self._each(expr, place)
            case IsCase():
                name = nodes.Attribute(lower(expr.value), "kind")
                return nodes.Comparison(("==",), (name, nodes.Constant(expr.case)), **place)
            case Call():
                return self._call(expr, place)

    def _each(self, expr: Each, place: dict[str, Any]) -> Node:
        base = self.lower(expr.base)
        initial = None if expr.initial is None else self.lower(expr.initial)
        kinds, bound = self.kinds, self._bound
        item = element(base.kind) or ANYTHING
        self._bound = bound | {expr.variable, expr.accumulator or expr.variable}
        self.kinds = {**kinds, **({expr.accumulator: INTEGER} if expr.accumulator else {}), expr.variable: item}
        try:
            condition = None if expr.condition is None else self.lower(expr.condition)
            value = self.lower(expr.value or Name(expr.variable, expr.location))
        finally:
            self.kinds, self._bound = kinds, bound
        accumulator = _loop_variable(expr.accumulator) if expr.accumulator else ""
        variable = _loop_variable(expr.variable)
        return nodes.Loop(variable, base, condition, value, accumulator, initial, **place)

    def _binary(self, expr: Binary, place: dict[str, Any]) -> Node:
        left, right = self.lower(expr.left), self.lower(expr.right)
        match expr.operator:
            case "and" | "or":
                first = left.operands if isinstance(left, nodes.Logical) and left.word == expr.operator else (left,)
                return nodes.Logical(expr.operator, (*first, right), **place)
            case "<<" if not isinstance(expr.right, Literal_):
                return nodes.Builtin("shift_left", (left, right), **place)
        return nodes.Arithmetic("//" if expr.operator == "/" else expr.operator, left, right, **place)

    def _name(self, expr: Name, wanted: Target, place: dict[str, Any]) -> Node:
        name = expr.name
        if name in self._bound:
            return nodes.Variable(_loop_variable(name), **place)
        if (node := self.local(name, place)) is not None:
            return node
        if name in _CONSTANTS:
            return nodes.Constant(_CONSTANTS[name], **place)
        if (constant := self.module.constant(name)) is not None:
            return nodes.Global(self.module, (constant.python,), **place)
        if (pair := self.inference.enum_member(name, wanted)) is not None:
            return nodes.Global(pair[0].module, (pair[0].python, pair[1].python), **place)
        raise UnsupportedExpression(f"{name!r} means nothing here", expr)

    def _member(self, expr: Member, place: dict[str, Any]) -> Node:
        base = self.kind(expr.base)
        if base.kind == "names" and isinstance(base.holder, Enum):
            member = next(each for each in base.holder.members if each.name == expr.name)
            return nodes.Global(base.holder.module, (base.holder.python, member.python), **place)
        if base.kind == "names" and isinstance(base.holder, Module):
            found = base.holder.constant(expr.name) or base.holder.find(expr.name)
            assert found is not None
            return nodes.Global(base.holder, (definition_name(found),), **place)
        if base.lists > 1:
            raise UnsupportedExpression("a member of lists within lists cannot be taken", expr)
        attributes = {attribute_of(expr.name, each) for each in base.objects}
        if len(attributes) > 1:
            message = f"'{expr.name}' is {' or '.join(sorted(attributes))} in Python, as its record declares it"
            raise UnsupportedExpression(message, expr)
        inside = self._inside(expr, base) if isinstance(base.holder, Record) and not base.others else None
        if inside is not None:
            return self.lower(inside)
        make = nodes.Attributes if base.lists else nodes.Attribute
        return make(self.lower(expr.base), *attributes, **place)

    def _inside(self, expr: Member, target: Target) -> Expr | None:
        """Returns the expression of an attribute of another record, or of each in a list, in this scope.

        None for a field, and if only the other module knows its names; then objects compute it.
        """
        computed, holder = computed_of(target, expr.name), target.holder
        if computed is None or not isinstance(holder, Record) or not self.knows(computed, holder):
            return None
        variable = f"{computed.name}_of"
        base = Name(variable, expr.location) if target.lists else expr.base
        own = names_of(holder, holder.fields)
        inside: Expr = substituted(computed.value, {name: Member(base, name, expr.location) for name in own})
        return Each(variable, expr.base, None, inside, None, None, expr.location) if target.lists else inside

    def knows(self, computed: ComputedDef, holder: Record) -> bool:
        """Returns whether all names in a record's attribute mean the same in this scope's module."""
        if holder.module is self.module:
            return True
        own = {*names_of(holder, holder.fields), *_CONSTANTS}
        calls = (called_name(part) for part in walk(computed.value) if isinstance(part, Call))
        return all(name.name in own for name in names(computed.value)) and all(each in FUNCTIONS for each in calls)

    def _compare(self, expr: Compare, place: dict[str, Any]) -> Node:
        wanted = self.inference.compared(expr, self.kinds)
        if any(kind.kind == "bytes" and not kind.lists for kind in map(self.kind, expr.operands)):
            wanted = Target("bytes")
        operands = tuple(self.lower(operand, wanted) for operand in expr.operands)
        operators = tuple(
            {"==": "is", "!=": "is not"}[sign] if isinstance(operand, Name) and operand.name == "null" else sign
            for sign, operand in zip(expr.operators, expr.operands[1:], strict=True)
        )
        if any(operand.kind.lists for operand in operands) and {*operators} <= {"==", "!="}:
            pairs = zip(operators, pairwise(operands), strict=True)
            found = [_compared_lists(sign, pair, place) for sign, pair in pairs]
            return found[0] if len(found) == 1 else nodes.Logical("and", tuple(found), **place)
        return nodes.Comparison(operators, operands, **place)

    # ---- calls ----

    def _call(self, expr: Call, place: dict[str, Any]) -> Node:
        function = expr.function.name if isinstance(expr.function, Name) else ""
        if (node := self.call(function, expr, place)) is not None:
            return node
        if function == "member" and isinstance(enum := self.kind(expr.arguments[0]).holder, Enum):
            return nodes.MemberOf(self.lower(expr.arguments[1]), enum, **place)
        if function in _BUILTINS or function in _RUNTIME:
            operands = tuple(self.lower(argument) for argument in expr.arguments)
            if function in _RUNTIME:
                return nodes.Builtin(function, operands, **place)
            return _BUILTINS[function](operands, place)
        found = self.module.find(function)
        if isinstance(found, Extension) and isinstance(found.syntax, FnDef | CodecDef | EncodingDef):
            arguments = tuple(self.lower(argument) for argument in expr.arguments)
            return nodes.FunctionCall(found, arguments, **place)
        raise UnsupportedExpression(f"{function!r} is not a function that means something here", expr)


def _compared_lists(sign: str, operands: tuple[Node, ...], place: dict[str, Any]) -> Node:
    same = nodes.Builtin("same_elements", operands, **place)
    return same if sign == "==" else nodes.Not(same, **place)


def _loop_variable(name: str) -> str:
    """Returns the variable of a loop, which must differ from those of the method around it."""
    return f"each_{name}"


def attribute_of(name: str, base: Target) -> str:
    """Returns the Python attribute of a field, given its declaring type."""
    match base.holder:
        case Record():
            return attribute_name(name, located=base.holder.is_lazy)
        case Extension():
            return attribute_name(name, variant=True)
        case Struct():
            return next(field.python for field in base.holder.fields if field.name == name)
    return field_name(name)


_NodeBuilder = Callable[[tuple[Node, ...], dict[str, Any]], Node]


def _extreme(name: str, of_list: str) -> _NodeBuilder:
    return lambda operands, place: nodes.Builtin(name if len(operands) > 1 else of_list, operands, **place)


def _of_variants(name: str) -> _NodeBuilder:
    """Returns the maker of a node for an attribute of a variant, or of each variant in a list."""
    return lambda operands, place: (nodes.Attributes if operands[0].kind.lists else nodes.Attribute)(
        operands[0], name, **place
    )


_BUILTINS: dict[str, _NodeBuilder] = {
    "count": lambda operands, place: nodes.Count(operands[0], **place),
    "max": _extreme("max", "largest"),
    "min": _extreme("min", "smallest"),
    "sum": lambda operands, place: nodes.Builtin("total", operands[:1], **place),
    "bit_length": lambda operands, place: nodes.Builtin("bit_length", operands[:1], **place),
    "present": lambda operands, place: nodes.Comparison(("is not",), (operands[0], nodes.Constant(None)), **place),
    "tag": _of_variants("tag"),
    "tag_name": _of_variants("kind"),
    "first": lambda operands, place: nodes.Item(operands[0], nodes.Constant(0), checked=True, **place),
    "last": lambda operands, place: nodes.Last(operands[0], **place),
}
