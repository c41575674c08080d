"""Hooks: functions of higher layers that lower ones need. The package registers their places when it is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_FINDERS: dict[str, Callable[[], Callable[..., Any]]] = {}


def provide(name: str, find: Callable[[], Callable[..., Any]]) -> None:
    """Registers the place of a function of a higher layer; it is imported on first use."""
    _FINDERS[name] = find


def provided(name: str) -> Callable[..., Any]:
    """Returns the function that a higher layer registered under a name."""
    return _FINDERS[name]()
