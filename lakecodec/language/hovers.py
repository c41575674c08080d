"""Hovers: the declaration of a symbol, its documentation, and the layout of its bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lakecodec.generator.builtin_names import FIXED_WIDTHS

from .analysis import Analysis
from .symbols import Symbol

#: Declarations longer than this are cut.
_MOST_LINES = 8


def hover_of(symbol: Symbol, analysis: Analysis, lines: Sequence[str]) -> str:
    """Returns Markdown about a symbol.

    Args:
        analysis: of the file that declares it.
        lines: that file.
    """
    parts = [f"```idl\n{declaration(symbol, lines)}\n```"]
    if facts := facts_of(symbol, analysis):
        parts.append(facts)
    if symbol.doc:
        parts.append(symbol.doc)
    return "\n\n".join(parts)


def declaration(symbol: Symbol, lines: Sequence[str]) -> str:
    """Returns the text that declares a symbol: a whole field, the head of a definition."""
    at = symbol.location.line - 1
    end = re.compile(r"[;{,]" if symbol.kind in ("field", "column", "case", "const") else r"[;{]")
    shown: list[str] = []
    for line in lines[at : at + _MOST_LINES]:
        shown.append(line)
        if end.search(line, 0 if shown[1:] else symbol.location.column - 1):
            break
    text = "\n".join(shown)
    if symbol.kind in (
        "record",
        "variant",
        "encoding",
        "struct",
        "union",
        "enum",
        "message",
        "oneof",
        "table",
        "codec",
    ):
        text = text.partition("{")[0]
    indent = len(text) - len(text.lstrip())
    shown = [line[indent:] if line[:indent].isspace() else line for line in text.rstrip().split("\n")]
    if symbol.kind in ("parameter", "variable", "member"):
        return _within(symbol, shown[0])
    return "\n".join(shown)


def _within(symbol: Symbol, line: str) -> str:
    """Returns the words around a parameter or member on its line."""
    found = re.search(rf"[\w<>., ]*\b{re.escape(symbol.name)}\b(?:\s*=\s*[\w.-]+)?", line)
    return f"{symbol.kind} {found[0].strip(' ,')}" if found else f"{symbol.kind} {symbol.name}"


def facts_of(symbol: Symbol, analysis: Analysis) -> str:
    """Returns offset, size and byte order of a field where they are fixed; of a struct's field, its id and requiredness."""
    if symbol.kind != "field" or symbol.parent is None:
        return ""
    node, parent = symbol.node, symbol.parent
    if parent.kind in ("struct", "union", "exception", "message", "oneof"):
        number = "" if node.id is None else f"id {node.id}, "
        return f"{number}{node.requiredness if node.requiredness != 'default' else 'default requiredness'}"
    offset, size = analysis.layout_of(symbol)
    facts = [] if offset is None else [f"offset {offset}"]
    if size is not None:
        facts.append(f"{size} byte{'s' * (size != 1)}")
    if FIXED_WIDTHS.get(node.type.name, 1) > 1:
        attributes = getattr(parent.node, "attributes", {})
        facts += [f"{order} endian" for order in ("big", "little") if order in attributes]
    return ", ".join(facts)
