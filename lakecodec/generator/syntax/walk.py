"""Walking expressions, and the names in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ..builtin_names import CODECS
from ..diagnostics import Location
from . import Binary, Call, Compare, Each, Expr, Index, IsCase, Literal_, Member, Name, Slice, Ternary, Unary

#: The words of expressions that refer to the span around them.
SPAN_WORDS = frozenset({"end", "rest", "at_end"})


def children(expression: Expr) -> tuple[Expr, ...]:
    """Returns the direct subexpressions of an expression, without the name of a called function."""
    match expression:
        case Literal_() | Name():
            return ()
        case Member():
            return (expression.base,)
        case Index():
            return (expression.base, expression.index)
        case Slice():
            return tuple(part for part in (expression.base, expression.low, expression.high) if part is not None)
        case Call():
            function = () if isinstance(expression.function, Name) else (expression.function,)
            return (*function, *expression.arguments)
        case Unary():
            return (expression.operand,)
        case Binary():
            return (expression.left, expression.right)
        case Compare():
            return expression.operands
        case IsCase():
            return (expression.value,)
        case Ternary():
            return (expression.condition, expression.then, expression.otherwise)
        case Each():
            parts = (expression.base, expression.initial, expression.condition, expression.value)
            return tuple(part for part in parts if part is not None)


def walk(expression: Expr) -> Iterator[Expr]:
    """Yields the expression and everything in it, outermost first."""
    pending = [expression]
    while pending:
        yield (found := pending.pop())
        pending += children(found)[::-1]


def names(expression: Expr) -> Iterator[Name]:
    """Yields the names that an expression reads, without names of functions and of loop variables."""
    pending: list[tuple[Expr, frozenset[str | None]]] = [(expression, frozenset())]
    while pending:
        found, own = pending.pop()
        if isinstance(found, Name) and found.name not in own:
            yield found
        if isinstance(found, Each):
            own |= {found.variable, found.accumulator}
        pending += [(each, own) for each in children(found)[::-1]]


def substituted(node: Any, values: Mapping[str, Expr]) -> Any:
    """Returns an expression, or another node with expressions, in which names are replaced by values.

    Names of called functions and of loop variables are not replaced.
    """

    def change(part: Any) -> Any:
        match part:
            case Name():
                return values.get(part.name, part)
            case Each():
                inner = {name: each for name, each in values.items() if name not in (part.variable, part.accumulator)}
                base, first = substituted(part.base, values), substituted(part.initial, values)
                condition, value = substituted(part.condition, inner), substituted(part.value, inner)
                return replace(part, base=base, initial=first, condition=condition, value=value)
        return None

    return rebuilt(node, change)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Returns a node in which subnodes are replaced by what ``change`` returns for them; None keeps a subnode.

    The name of a called function is not a subnode.
    """
    if (found := change(node)) is not None:
        return found
    if isinstance(node, tuple):
        made = tuple(rebuilt(each, change) for each in node)
        return made if any(new is not old for new, old in zip(made, node, strict=True)) else node
    if not is_dataclass(node) or isinstance(node, Location | type):
        return node
    kept = ("function",) if isinstance(node, Call) and isinstance(node.function, Name) else ()
    parts = {each.name: getattr(node, each.name) for each in fields(node) if each.name not in kept}
    changed = {name: new for name, old in parts.items() if (new := rebuilt(old, change)) is not old}
    return replace(node, **changed) if changed else node


def is_before(index: Expr, variable: str) -> bool:
    """Returns whether an index is a number of elements back from the one that a variable counts."""
    match index:
        case Binary(operator="-", left=Name(name=name), right=Literal_(value=int(back))):
            return name == variable and back > 0
    return False


def span_words(expression: Expr, own: Collection[str]) -> set[str]:
    """Returns those of `end`, `rest`, `at_end` and `peek` that an expression reads and its own record does not define.

    `ahead` counts as `peek`, since both look at following bytes.
    """
    peeks = any(isinstance(part, Call) and called_name(part) in ("ahead", "peek") for part in walk(expression))
    return {name.name for name in names(expression)} & SPAN_WORDS - set(own) | ({"peek"} if peeks else set())


def enum_argument(step: Expr) -> str | None:
    """Returns the name of the enum that a built-in codec such as `via enum(E)` takes, None for another codec."""
    match step:
        case Call(function=Name(name=codec), arguments=(Name(name=name),)) if CODECS.get(codec):
            return name
        case Call(function=Name(name=codec), arguments=(Member(base=Name(name=prefix), name=name),)) if CODECS.get(
            codec
        ):
            return f"{prefix}.{name}"
    return None


def called_name(step: Expr) -> str:
    """Returns the name of the codec or function that an expression calls or names, else ""."""
    called = step.function if isinstance(step, Call) else step
    return called.name if isinstance(called, Name) else ""
