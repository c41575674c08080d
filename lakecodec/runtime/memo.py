"""Caching of results in the object that they describe, so that both are freed together."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

_F = TypeVar("_F", bound=Callable[..., Any])


def kept_with(function: _F) -> _F:
    """Returns a function that computes each result once and stores it in its first argument, a class or object.

    A cache in the function would keep classes that were compiled at run time forever.
    """
    name = f"__kept_{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def kept(owner: Any, *rest: Any) -> Any:
        try:
            return owner.__dict__[name][rest]
        except KeyError:
            pass
        found = function(owner, *rest)
        if name not in owner.__dict__:
            if isinstance(owner, type):
                type.__setattr__(owner, name, {})
            else:
                owner.__dict__[name] = {}
        owner.__dict__[name][rest] = found
        return found

    return cast("_F", kept)
