"""Calls that go on with the stack of a new thread, for values nested deeper than the caller's stack has room for."""

from __future__ import annotations

import _thread
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from typing import Any

from .errors import EncodeError, format_name

#: How many levels of nesting readers and writers take on one stack.
LEVELS = 32
#: How many stacks one call may take: values that contain themselves would go on forever.
_MOST = 16
_taken: ContextVar[int] = ContextVar("stacks", default=0)


class NestedTooDeepError(RecursionError):
    """Raised where no further stack is taken."""


def on_new_stack(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Returns the result of a call, made on the stack of a new thread, in the caller's context.

    Raises:
        NestedTooDeepError: no more stacks are taken.
    """
    context = copy_context()
    if _taken.get() >= _MOST:
        raise NestedTooDeepError("nested too deep: does it contain itself?")
    context.run(_taken.set, _taken.get() + 1)
    found: list[Any] = []
    failed: list[BaseException] = []
    done = _thread.allocate_lock()

    def run() -> None:
        try:
            found.append(context.run(function, *arguments, **named))
        except BaseException as error:
            failed.append(error)
        finally:
            done.release()

    done.acquire()
    try:
        _thread.start_new_thread(run, ())
    except RuntimeError as error:
        raise NestedTooDeepError(f"nested too deep for this thread: {error}") from None
    done.acquire()
    if failed:
        # A name for the error would be a cycle of it and its own frame.
        raise failed.pop()
    return found[0]


def again(error: RecursionError, function: Callable[..., Any], *arguments: Any) -> Any:
    """Returns the result of a call on a new stack, after the same call ended with ``error``; raises it if that was there."""
    if isinstance(error, NestedTooDeepError):
        raise error
    return on_new_stack(function, *arguments)


def roomy(function: Callable[..., Any], *arguments: Any) -> Any:
    """Returns the result of a call, which is made again on a new stack if this one has no room for it."""
    try:
        return function(*arguments)
    except RecursionError as error:
        return again(error, function, *arguments)


def is_on_new_stack() -> bool:
    """Returns whether this is within a call on a new stack."""
    return _taken.get() > 0


def ran_out(error: BaseException) -> bool:
    """Returns whether an error is that of a stack without room, or what a reader or writer made of it."""
    return isinstance(error, RecursionError) or hasattr(error, "of_stack")


def too_deep(cls: type) -> EncodeError:
    """Returns the error of a value that no stack has room for."""
    return EncodeError("nested too deeply: does it contain itself?", format=format_name(cls))
