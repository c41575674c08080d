"""Readers that tell what they read: the generated ones with a call of ``note`` behind each field and element.

``note(field, index, span, start, stop, value, inner, about)`` gets the positions in the span; ``inner`` is the span (or the
decoded bytes) inside, where there is one, ``about`` the class, arguments and states of a record, struct or codec with
fields. On an error ``note.unread(error, locals())`` gives what to raise.
"""

from __future__ import annotations

from ..lower.field_layout import FieldLayout
from ..lower.record_layout import AlternativeLayout, RecordLayout, VariantLayout
from .placed import placed_reading
from .reader import Reader
from .records import reading_method
from .text import flat
from .variants import reading_method as variant_method

_RAISED = "note.unread(error, locals())"
_MORE = ("note: _Any = None",)


class TracingReader(Reader):
    """Reads a body and tells of each part; records inside are read by the backend that runs."""

    inner_by_backend = True

    def __init__(self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None) -> None:
        super().__init__(layout, imports, only)

    def trace(self, *lines: str) -> None:
        self.out.add(*lines)


def tracing_record(layout: RecordLayout, imports: set[str], alternative: AlternativeLayout | None = None) -> str:
    """Returns the function ``_read`` for a record, the body of an alternative or a codec with fields.

    Args:
        imports: gets the aliases of the runtime's modules that are named.
    """
    takes_tag = alternative is not None and not alternative.fixed
    reader = TracingReader(layout, imports)
    _, *lines = reading_method(layout, reader, imports, takes_tag=takes_tag, more=_MORE, raised=_RAISED)
    return _text(lines)


def tracing_variant(layout: VariantLayout, imports: set[str]) -> str:
    """Returns the function ``_read`` for a variant: it calls ``note.alternative`` to have the alternative read."""
    _, *lines = variant_method(layout, imports, read="note.alternative", first=("found",), more=_MORE)
    return _text(lines)


def tracing_field(layout: RecordLayout, field: FieldLayout, imports: set[str]) -> str:
    """Returns the function ``_read`` for one field of a record whose fields are placed with `at`."""
    lines = placed_reading(field, TracingReader(layout, imports, field), _RAISED)
    return _text(
        [
            "def _read(self: _Any, span: _rec.Span, index: _Any = None, note: _Any = None) -> _Any:",
            *(f"    {each}" for each in lines),
        ]
    )


def _text(lines: list[str]) -> str:
    return flat("\n".join(lines)) + "\n"
