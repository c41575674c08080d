"""The common part of readers and writers: the current field, and the paths of errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import CodecError, join_path
from ..stack import LEVELS, on_new_stack
from .contradictions import find_contradicted, move_outward
from .fixed_runs import Layout


class Place:
    """An element of a list: the field's name, the element's index, and the index of the last absent one."""

    __slots__ = ("absent", "index", "name")

    def __init__(self, name: str, index: int = -1) -> None:
        self.name = name
        self.index = index
        self.absent = -1

    def __str__(self) -> str:
        return f"{self.name}[{self.index}]"


#: A field, an element of it, or a run of fields that are read in one step.
Step = str | Place | Layout


class Cursor:
    """A cursor over bytes: a reader or a writer.

    Attributes:
        field: the field that is read or written: its name, a `Place`, or a `Layout` of several.
    """

    __slots__ = ()
    field: Step
    #: How many more records may be nested.
    depth: int

    def nested(self, run: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        """Calls a method for what can contain itself, every few levels on a new stack: Python's is short."""
        if self.depth % LEVELS:
            run(*arguments, **named)
        else:
            on_new_stack(run, *arguments, **named)

    def about(self, field: str) -> None:
        """Names the field of the following statements, which compute arguments of the cursor's next call."""
        raise NotImplementedError

    def failure(self, error: Exception) -> CodecError:
        """Returns the error of a method as an error about data."""
        raise NotImplementedError

    def failed(self, error: Any, inside: Step = "", record: Any = None) -> CodecError:
        """Returns the error to raise in place of a method's, with the path of the field.

        Args:
            inside: the object that the method has read or written.
            record: that object if it was written.
        """
        if not hasattr(error, "is_located"):
            error = self.failure(error)
            error.is_located = True
            if not isinstance(self.field, Layout):
                error.path = join_path(str(self.field), error.path)
        if record is not None:
            find_contradicted(error, record)
        move_outward(error, str(inside))
        return error  # type: ignore[no-any-return]

    def failed_whole(self, error: Any, record: Any = None) -> CodecError:
        """Returns the error of `failed` for an object that is read or written by its own call: paths begin there."""
        found: Any = self.failed(error, record=record)
        del found.is_located
        return found  # type: ignore[no-any-return]
