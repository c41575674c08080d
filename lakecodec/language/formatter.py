"""The formatter of IDL texts: spaces, indentation, blank lines and columns. It moves nothing to another line."""

from __future__ import annotations

from lakecodec.generator.diagnostics import Diagnostics, Location
from lakecodec.generator.parse import parse
from lakecodec.generator.tree.expressions import REORDERED

from .columns import Columns
from .layout import lines_of, text_of
from .pieces import pieces_of


def format_idl(text: str, file: str = "<text>") -> str:
    """Returns an IDL text in the one layout that `lakecodec fmt` gives it.

    Tokens, comments and their order stay as they are, and so does what the text means. Parentheses come around operands that were
    read in another order before operators had Python's precedence. Formatting the result changes nothing.

    Args:
        file: the name that errors show.

    Raises:
        IdlError: the text has syntax errors.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    reordered = _reordered(text, file)
    while reordered:
        closed = _closed(text, reordered.pop())
        if len(still := _reordered(closed, file)) < len(_reordered(text, file)):
            text, reordered = closed, still
    found = pieces_of(text)
    lines = lines_of(found)
    Columns(found, lines).align()
    return text_of(lines)


def _reordered(text: str, file: str) -> list[Location]:
    """Returns the places of operands that need parentheses; raises IdlError for a text with syntax errors."""
    diagnostics = Diagnostics()
    parse(text, file, diagnostics)
    diagnostics.raise_errors()
    return [each.location for each in diagnostics.found if each.message.endswith(REORDERED)]


def _closed(text: str, place: Location) -> str:
    """Returns a text with parentheses around a place."""
    lines = text.split("\n")
    line, start, stop = lines[place.line - 1], place.column - 1, place.column - 1 + place.length
    lines[place.line - 1] = f"{line[:start]}({line[start:stop]}){line[stop:]}"
    return "\n".join(lines)
