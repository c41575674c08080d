"""The parser: IDL text to a syntax tree."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import lark
from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

from . import kept as kept_files
from .comments import doc_comments
from .diagnostics import Diagnostics
from .syntax import File
from .syntax_errors import failure_offset, report
from .tree import TooDeepError, TreeBuilder

#: The most syntax errors that are reported per file.
_MOST_ERRORS = 20

_DEFINITION = re.compile(
    r"(?:^|(?<=[};]))[ \t]*(const|typedef|enum|senum|struct|union|exception|message|service|record|variant|encoding|codec|fn"
    r"|table|include|cpp_include|namespace)[ \t]+(\w+|[\"'*{])",
    re.MULTILINE,
)


@cache
def idl_parser() -> Lark:
    """Returns the parser of IDL texts, made once."""
    grammar = (files(__package__) / "grammar.lark").read_text(encoding="utf-8")
    key = kept_files.file_name("parser", lark.__version__, sys.version, grammar)
    if (kept := kept_files.read(key)) is not None:
        # A damaged file may raise any error. The grammar has the same content.
        with suppress(Exception):
            return Lark.load(BytesIO(kept))
    starts = ["start", "query_loops", "query_condition", "query_columns"]
    made = Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=True, start=starts)
    made.save(saved := BytesIO())
    kept_files.write(key, saved.getvalue())
    return made


def parse(text: str, file: str, diagnostics: Diagnostics) -> File:
    """Returns the syntax tree of an IDL text.

    Syntax errors become diagnostics, one for each broken definition; the tree then has the definitions that are whole.

    Args:
        file: the name that locations and messages show.
    """
    diagnostics.add_source(file, text)
    builder = TreeBuilder(file, doc_comments(text), diagnostics)
    remaining, broken = text, set[str]()
    for _ in range(_MOST_ERRORS):
        try:
            file_node: File = builder.build(idl_parser().parse(remaining, start="start"))
            return replace(file_node, broken=frozenset(broken)) if broken else file_node
        except TooDeepError as error:
            diagnostics.error("this is nested too deeply", error.location)
            return File(file)
        except UnexpectedInput as error:
            report(error, idl_parser(), text, file, diagnostics)
            start, end = _broken_part(remaining, error)
            broken |= {match[2] for match in _DEFINITION.finditer(remaining, start, end)}
            blanks = re.sub(r"[^\n]", " ", remaining[start:end])
            remaining = remaining[:start] + blanks + remaining[end:]
    return File(file)


def parse_part(text: str, rule: str, file: str, diagnostics: Diagnostics) -> Any:
    """Returns the syntax node of a part of a query; None where it has syntax errors, which become diagnostics.

    Args:
        rule: the start rule of the grammar: ``query_loops``, ``query_condition`` or ``query_columns``.
        file: the name that locations and messages show.
    """
    diagnostics.add_source(file, text)
    try:
        return TreeBuilder(file, {}, diagnostics).build(idl_parser().parse(text, start=rule))
    except TooDeepError as error:
        diagnostics.error("this is nested too deeply", error.location)
    except UnexpectedInput as error:
        report(error, idl_parser(), text, file, diagnostics)
    return None


def _broken_part(text: str, error: UnexpectedInput) -> tuple[int, int]:
    """Returns the end of the last whole definition, and the start of the next one that may be whole, as text offsets."""
    failed = failure_offset(error, text)
    start = _end_of_whole_definitions(error)
    # A definition that fails at its first word must not be tried again.
    earliest = failed if text[start:failed].strip() else failed + 1
    candidates = _DEFINITION.finditer(text, text.rfind("\n", 0, failed) + 1)
    following = next((each for each in candidates if each.start(1) >= earliest), None)
    return start, len(text) if following is None else following.start()


def _end_of_whole_definitions(error: UnexpectedInput) -> int:
    """Returns the offset after the last header or definition that the parser had finished when it failed."""
    end = 0
    for value in error.interactive_parser.parser_state.value_stack:
        if not isinstance(value, Tree):
            break
        if not value.meta.empty:
            end = value.meta.end_pos
    return end
