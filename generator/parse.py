"""Text to syntax tree."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

from .comments import doc_comments
from .diagnostics import Diagnostics
from .syntax import File
from .syntax_errors import failure_offset, report
from .tree import TreeBuilder

#: A file with more syntax errors than this is not worth more messages.
_MOST_ERRORS = 20

_DEFINITION = re.compile(
    r"^[ \t]*(?:const|typedef|enum|senum|struct|union|exception|service|record|variant|encoding|codec|fn|table"
    r"|include|cpp_include|namespace)[ \t]+[\w\"'*]",
    re.MULTILINE,
)


@cache
def _parser() -> Lark:
    grammar = (files(__package__) / "grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=True)


def parse(text: str, file: str, diagnostics: Diagnostics) -> File:
    """The syntax tree of an IDL text.

    Syntax errors become diagnostics, one a broken definition; the tree then holds the definitions that are whole.

    Args:
        file: the name that locations and messages show.
    """
    diagnostics.add_source(file, text)
    builder = TreeBuilder(file, doc_comments(text), diagnostics)
    remaining = text
    for _ in range(_MOST_ERRORS):
        try:
            return builder.transform(_parser().parse(remaining))
        except UnexpectedInput as error:
            report(error, _parser(), text, file, diagnostics)
            remaining = _without_broken_part(remaining, error)
    return File(file)


def _without_broken_part(text: str, error: UnexpectedInput) -> str:
    """The text with blanks from the end of the last whole definition to the next one that may be whole."""
    failed = failure_offset(error, text)
    start = _end_of_whole_definitions(error)
    broken = text[start:failed].strip()
    following = _DEFINITION.search(text, _line_start(text, failed) if broken else failed + 1)
    while following is not None and following.end() <= failed:
        following = _DEFINITION.search(text, following.end())
    end = len(text) if following is None else following.start()
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _end_of_whole_definitions(error: UnexpectedInput) -> int:
    """The offset after the last header or definition that the parser had finished when it failed."""
    end = 0
    for value in error.interactive_parser.parser_state.value_stack:
        if not isinstance(value, Tree):
            break
        if not value.meta.empty:
            end = value.meta.end_pos
    return end
