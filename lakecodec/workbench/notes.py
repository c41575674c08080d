"""Notes of a tracing reader: one for each field and element, and the failure that ended it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..generator.lower.record_layout import RecordLayout
from ..runtime.errors import CodecError
from ..runtime.records.read import UNREADABLE, unread
from ..runtime.records.span import Span
from .tracers import tracer_of

#: The class, arguments and states of a record, struct or codec with fields.
About = tuple[Any, tuple[Any, ...], "list[Any] | None"]


class Note(NamedTuple):
    """A field (``element`` None) or an element that was read from ``span.buf[start:stop]``.

    Attributes:
        inner: the span that its value was read in, or the decoded bytes of a text; None for the span itself.
        about: the record, struct or codec with fields that was read.
    """

    field: str
    element: int | None
    span: Span
    start: int
    stop: int
    value: Any
    inner: Any = None
    about: About | None = None


class Failure(NamedTuple):
    """The error that ended a reading, with the reader's variables at that point."""

    error: CodecError
    names: dict[str, Any]


class Notes:
    """Collector of the notes of one body's reader.

    Attributes:
        layout: of the body; that of the alternative for a variant.
        found: what was read before an error, in order.
        failure: where reading ended, None where it went well.
    """

    def __init__(self) -> None:
        self.layout: RecordLayout | None = None
        self.found: list[Note] = []
        self.failure: Failure | None = None

    def __call__(self, *parts: Any) -> None:
        self.found.append(Note(*parts))

    def unread(self, error: Exception, names: dict[str, Any]) -> CodecError:
        made = unread(error, names["span"], names["field"], names["index"], names["start"])
        self.failure = Failure(made, names)
        return made

    def alternative(self, cls: Any, span: Span, pos: int, *arguments: Any) -> tuple[Any, int]:
        return self.read((cls, arguments, None), span, pos)

    def read(self, about: About, span: Span, pos: int) -> tuple[Any, int]:
        """Reads a body with its tracing reader; raises what that raises."""
        cls, arguments, states = about
        tracer = tracer_of(cls)
        self.layout = tracer.layout
        if tracer.read is None:
            value, end = cls._read(span, pos, *arguments)
            return value, end
        given = {} if states is None else {"state": list(states)}
        value, end = tracer.read(cls, span, pos, *arguments, **given, note=self)
        return value, end


def collect(read: Callable[[Notes], Any]) -> Notes:
    """Returns the notes of a reader; an error about bytes becomes their failure."""
    notes = Notes()
    try:
        read(notes)
    except UNREADABLE as error:
        if notes.failure is None:
            found = error if isinstance(error, CodecError) else CodecError(str(error))
            notes.failure = Failure(found, {})
    return notes
