"""Functions that make an unbounded or too large number of calls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

from ..diagnostics import Diagnostics, Location
from ..graph import reachable
from ..syntax import Call, Each, Expr, Index, Member, Name, Ternary
from ..syntax.walk import children, walk

#: The most calls that one call may cause.
_MOST = 1000


def check_calls(bodies: Mapping[str, Expr], places: Mapping[str, Location], diagnostics: Diagnostics) -> None:
    """Reports functions that call themselves twice, so that time doubles with each step, or that make too many calls."""
    called = {name: {_callee(each) for each in walk(body)} & bodies.keys() for name, body in bodies.items()}
    reached = {name: reachable(name, called) for name in bodies}
    costs: dict[str, int] = {}
    for name, body in bodies.items():
        circle = {each for each in reached[name] if name in reached[each]}
        if _steps(body, circle, ()) > 1:
            diagnostics.error(
                f"'{name}' calls itself more than once per result, which takes unbounded time: call it once,"
                " or with a field or element of its argument",
                places[name],
            )
        elif _cost(name, bodies, called, costs) > _MOST:
            diagnostics.error(f"a call of '{name}' makes more than {_MOST} calls of functions", places[name])
            costs[name] = 0


def _callee(expr: Expr) -> str:
    return expr.function.name if isinstance(expr, Call) and isinstance(expr.function, Name) else ""


def _steps(expr: Expr, circle: Collection[str], elements: Collection[str]) -> int:
    """Returns the largest number of calls of a circle's functions in one evaluation. A call in a loop counts as two.

    Calls for a field or an element of a value do not count, since they end with the value.

    Args:
        elements: the names of elements in the enclosing loops.
    """
    if isinstance(expr, Each):
        inner = [each for each in (expr.condition, expr.value) if each is not None]
        outer = [each for each in (expr.base, expr.initial) if each is not None]
        in_loop = sum(_steps(each, circle, (*elements, expr.variable)) for each in inner)
        return 2 * in_loop + sum(_steps(each, circle, elements) for each in outer)
    if isinstance(expr, Ternary):
        branches = max(_steps(each, circle, elements) for each in (expr.then, expr.otherwise))
        return _steps(expr.condition, circle, elements) + branches
    found = sum(_steps(each, circle, elements) for each in children(expr))
    if isinstance(expr, Call) and _callee(expr) in circle:
        found += not any(_is_part(each, elements) for each in expr.arguments)
    return found


def _is_part(argument: Expr, elements: Collection[str]) -> bool:
    while isinstance(argument, Index):
        argument = argument.base
    return isinstance(argument, Member) or (isinstance(argument, Name) and argument.name in elements)


def _cost(name: str, bodies: Mapping[str, Expr], called: Mapping[str, Set[str]], costs: dict[str, int]) -> int:
    """Returns the largest number of calls that one call makes; an enclosing function counts once."""
    pending, begun = [name], set[str]()
    while pending:
        current = pending[-1]
        if current not in costs:
            costs[current] = 1
            begun.add(current)
            pending += called[current] - costs.keys()
            continue
        pending.pop()
        if current in begun:
            begun.remove(current)
            costs[current] = min(1 + _calls(bodies[current], costs), 2 * _MOST)
    return costs[name]


def _calls(expr: Expr, costs: Mapping[str, int]) -> int:
    """Returns the largest number of calls of one evaluation; ``costs`` has the calls that each function makes."""
    if isinstance(expr, Ternary):
        return _calls(expr.condition, costs) + max(_calls(expr.then, costs), _calls(expr.otherwise, costs))
    return costs.get(_callee(expr), 0) + sum(_calls(each, costs) for each in children(expr))
