"""The formatter of IDL texts: spaces, indentation, blank lines and columns. It moves nothing to another line."""

from __future__ import annotations

from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.parse import parse

from .columns import Columns
from .layout import lines_of, text_of
from .pieces import pieces_of


def format_idl(text: str, file: str = "<text>") -> str:
    """Returns an IDL text in the one layout that `lakecodec fmt` gives it.

    Tokens, comments and their order stay as they are, and so does what the text means. Formatting the result changes nothing.

    Args:
        file: the name that errors show.

    Raises:
        IdlError: the text has syntax errors.
    """
    diagnostics = Diagnostics()
    parse(text, file, diagnostics)
    diagnostics.raise_errors()
    found = pieces_of(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = lines_of(found)
    Columns(found, lines).align()
    return text_of(lines)
