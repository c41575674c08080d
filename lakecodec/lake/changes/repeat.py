"""Repetition of changes after conflicts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec

from ..log import CommitInfo, ConflictError

P = ParamSpec("P")
#: The largest number of attempts of a change.
_ATTEMPTS = 3


def repeated(*, always: bool = False) -> Callable[[Callable[P, CommitInfo]], Callable[P, CommitInfo]]:
    """Returns a decorator of changes that computes a change again after a conflict if that is safe.

    It is safe if others only moved rows to other files; with ``always``, for changes that only move rows, in any case.
    """

    def decorator(change: Callable[P, CommitInfo]) -> Callable[P, CommitInfo]:
        @functools.wraps(change)
        def run(*args: P.args, **kwargs: P.kwargs) -> CommitInfo:
            for _ in range(_ATTEMPTS - 1):
                try:
                    return change(*args, **kwargs)
                except ConflictError as error:
                    if not (always or error.moved):
                        raise
            return change(*args, **kwargs)

        return run

    return decorator
