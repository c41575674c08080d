"""Colours and folds of a text: they need no syntax tree, so unfinished texts have them too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from . import words
from .analysis import Analysis

#: Kinds of tokens, in the order of the protocol's numbers.
KINDS = (
    "keyword", "type", "class", "enum", "enumMember", "property", "parameter", "variable", "function", "number", "string",
    "comment", "operator",
)  # fmt: skip

_TOKEN = re.compile(
    r"(?P<comment>/\*[\s\S]*?\*/|(?://|#)[^\n]*)"
    r'|(?P<string>b?"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<number>\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))"
    r"|(?P<word>[A-Za-z_]\w*)"
)
_OF_SYMBOLS = {
    "record": "class", "struct": "class", "union": "class", "exception": "class", "message": "class", "oneof": "class",
    "variant": "class", "encoding": "class", "table": "class", "service": "class", "typedef": "type", "senum": "type",
    "enum": "enum", "member": "enumMember", "case": "enumMember", "field": "property", "column": "property",
    "parameter": "parameter", "variable": "variable", "const": "variable", "codec": "function", "fn": "function",
    "function": "function",
}  # fmt: skip
_KEYWORDS = frozenset(
    {*words.DEFINITIONS, *words.CLAUSES, "on", "over", "from", "for", "case", "extends", "throws", "oneway", "void"}
)
_TYPES = frozenset({*words.WIRE_TYPES, *words.BASE_TYPES, *words.COLUMN_TYPES})
_FUNCTIONS = frozenset({*words.FUNCTIONS, *words.CODECS})


def tokens_of(text: str, analysis: Analysis) -> Iterator[tuple[int, int, int, str]]:
    """Yields line and column (from 0), length and kind of each token, a comment line by line."""
    known = {(use.location.line - 1, use.location.column - 1): use.symbol.kind for use in analysis.uses}
    line = begin = place = 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", place, match.start())
        place = match.start()
        begin = text.rfind("\n", 0, place) + 1
        column = place - begin
        kind = match.lastgroup or "word"
        if kind == "word":
            symbol = known.get((line, column))
            found = _OF_SYMBOLS.get(symbol or "") or _word_kind(match[0])
            if found is not None:
                yield line, column, len(match[0]), found
            continue
        for number, part in enumerate(match[0].split("\n")):
            if part:
                yield line + number, 0 if number else column, len(part), kind


def _word_kind(word: str) -> str | None:
    if word in _KEYWORDS:
        return "keyword"
    if word in _TYPES:
        return "type"
    if word in _FUNCTIONS:
        return "function"
    return "variable" if word in words.VALUES else None


def folds_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields first and last line (from 0) of what can be folded, and whether it is a ``region`` or a ``comment``."""
    opened: list[int] = []
    for match in re.finditer(_TOKEN.pattern + r"|(?P<open>\{)|(?P<close>\})", text):
        line = text.count("\n", 0, match.start())
        if match["comment"] and "\n" in match[0]:
            yield line, line + match[0].count("\n"), "comment"
        elif match["open"]:
            opened.append(line)
        elif match["close"] and opened:
            first = opened.pop()
            if line > first:
                yield first, line, "region"
