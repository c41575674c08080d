"""Graphs of names: functions and what they call, types and what they hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def reachable(start: str, edges: Mapping[str, Collection[str]]) -> set[str]:
    """Returns the names that a path of one step or more leads to; ``start`` among them if it lies on a circle."""
    found: set[str] = set()
    pending = list(edges[start])
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += edges[name]
    return found
