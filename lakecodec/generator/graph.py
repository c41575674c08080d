"""Graphs of calls between functions, containment of types, and includes of files, with cached results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar
from weakref import WeakKeyDictionary

from .model import Extension, Module, Record

Body = Record | Extension
Key = TypeVar("Key", bound=Module | Record | Extension)
Result = TypeVar("Result")


def reachable(start: str, edges: Mapping[str, Collection[str]]) -> set[str]:
    """Returns the names that are reachable in one step or more; includes ``start`` if it lies on a circle."""
    found: set[str] = set()
    pending = list(edges[start])
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += edges[name]
    return found


def in_order(module: Module) -> list[Module]:
    """Returns the module and everything it includes, included ones first."""
    ordered: dict[int, Module] = {}

    def visit(each: Module) -> None:
        if id(each) not in ordered:
            for included in each.includes.values():
                visit(included)
            ordered[id(each)] = each

    visit(module)
    return list(ordered.values())


def computed_once(function: Callable[[Key], Result]) -> Callable[[Key], Result]:
    """Returns a function of a definition that is computed once per definition."""
    known: WeakKeyDictionary[Key, Result] = WeakKeyDictionary()

    def found(key: Key) -> Result:
        if key not in known:
            known[key] = function(key)
        return known[key]

    return found


def always(rule: Callable[[Body, Callable[[Body], bool]], bool]) -> Callable[[Body], bool]:
    """Returns a function that returns whether a rule is true for a definition, computed once per definition.

    Args:
        rule: gets the definition, and a function that returns whether the rule is true for one inside. For a definition
            that contains itself, the rule must be true without the inner one.
    """
    known: WeakKeyDictionary[Body, bool] = WeakKeyDictionary()

    def holds(body: Body) -> bool:
        waiting: dict[Body, list[Body]] = {}
        pending = [body]
        while pending:
            current = pending.pop()
            if current in known:
                continue
            asked = _Assumption(known)
            if rule(current, asked):
                known[current] = True
                pending += waiting.get(current, ())
                continue
            for each in asked.unknown:
                pending += [] if each in waiting else [each]
                waiting.setdefault(each, []).append(current)
        known.update({each: False for each in (body, *waiting) if each not in known})
        return known[body]

    return holds


class _Assumption:
    """A function that returns whether a rule is known to be true, and records definitions for which it is still unknown."""

    def __init__(self, known: Mapping[Body, bool]) -> None:
        self._known = known
        self.unknown: list[Body] = []

    def __call__(self, body: Body) -> bool:
        if body not in self._known:
            self.unknown.append(body)
        return self._known.get(body, False)
