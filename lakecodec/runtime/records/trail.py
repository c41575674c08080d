"""Where a cursor stands: the fields that lead to the one that is read or written, for the paths of errors."""

from __future__ import annotations

from typing import Any

from ..errors import CodecError, join_path
from .fixed_runs import Layout


class Place:
    """An element of a list: the field's name, the element's index, and the index of the last one that is not there."""

    __slots__ = ("absent", "index", "name")

    def __init__(self, name: str, index: int = -1) -> None:
        self.name = name
        self.index = index
        self.absent = -1

    def __str__(self) -> str:
        return f"{self.name}[{self.index}]"


#: A field, an element of it, or a run of fields that are read in one step.
Step = str | Place | Layout


class Trail(list[Any]):
    """The steps from the outermost record to the one that a cursor is in.

    Attributes:
        failed: the innermost cursor that an error has left.
    """

    failed: Any = None


class Cursor:
    """What readers and writers share.

    Attributes:
        field: the field that is read or written: its name, a `Place`, or a `Layout` of several.
        trail: what leads to its record.
    """

    __slots__ = ()
    field: Step
    trail: Trail

    def about(self, field: str) -> None:
        """Names the field that the statements behind are about, where they compute what a call of the cursor then takes."""
        raise NotImplementedError

    def locate(self, error: CodecError) -> None:
        """Puts the path of the field in front of the path of an error."""
        steps = [*self.trail, *([] if isinstance(self.field, Layout) else [self.field])]
        for step in reversed(steps):
            error.path = join_path(str(step), error.path)
